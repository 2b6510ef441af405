"""check_advice.py BVBUILD BVINSPECT FOLDER: what findings advise helps.

Builds meshes in FOLDER with options that provoke findings, applies each option that the advice names, and expects that the finding
is gone, less severe, or that what it measures is better.
"""

import json
import re
import subprocess
import sys

build, inspect, folder = sys.argv[1:]

# A mesh, options, the finding, and what it measures: less is better.
CASES = [
    ("rings.obj", "--builder sah", "hierarchy.large_leaf", None),
    ("crate.obj", "--max-depth 2 --collapse 0", "hierarchy.depth_limit", None),
    ("crate.obj", "--max-depth 2 --collapse 0", "hierarchy.triangle_tests", None),
    ("halves.obj", "--collapse 0 --leaf-triangles 1", "hierarchy.deep", None),
    ("halves.obj", "", "hierarchy.worst_leaf", lambda r: r["hierarchy"]["hausdorff"]["solid"]["mean"]["upper"]),
    ("pair.obj", "", "hierarchy.overlap", None),
    ("torus.obj", "--splitter median --collapse 0", "hierarchy.overlap", None),
    ("torus.obj", "--splitter median --collapse 0", "hierarchy.cost", None),
    ("torus.obj", "--preset fast", "hierarchy.cost", None),
    ("torus.obj", "--preset fast --builder ploc --degree=2 --leaf-triangles=16", "hierarchy.cost", None),
    ("torus.obj", "--degree 4", "hierarchy.cost", None),
    ("torus.obj", "--leaf-triangles 16 --collapse 0", "hierarchy.triangle_tests", None),
    ("torus.obj", "--splitter median --node-box pca --collapse 0", "hierarchy.loose", None),
    ("cube.obj", "--preset fast", "hierarchy.no_errors", None),
    ("cube.obj", "--sections=-errors", "hierarchy.no_errors", None),
    ("cube.obj", "--sections=-errors,source", "hierarchy.no_errors", None),
    ("torus.obj", "--decompose=0.1% --max-parts 5 --decompose-effort 0", "parts.tolerance", lambda r: r["decomposition"]["concavity"]["upper"]),
    ("torus.obj", "--decompose=3% --max-part-vertices 8 --max-parts 8 --decompose-effort 0", "parts.tolerance",
     lambda r: r["decomposition"]["concavity"]["upper"]),
    ("ball.obj", "--decompose=2% --max-part-vertices 8 --max-parts 2", "parts.tolerance", None),
    ("ball.obj", "--decompose=1% --max-part-vertices 32 --max-parts 1", "parts.tolerance", None),
    ("l.obj", "", "hull.hollow", None),
    ("halves.obj", "--weld 0.01", "mesh.displaced", lambda r: r["mesh"]["largest_displacement"]),
    ("stair.obj", "--sections source,adjacency,node-faces", "file.large", lambda r: r["file"]["bytes_per_triangle"]),
    ("stair.obj", "--collapse 0", "file.large", lambda r: r["file"]["bytes_per_triangle"]),
]
SEVERITY = ["good", "note", "bad"]


def report(mesh, options):
    subprocess.run([build, "-q", "--force", f"{folder}/{mesh}", "-o", f"{folder}/advice.bvh", *options], check=True)
    made = subprocess.run([inspect, "--json", f"{folder}/advice.bvh"], check=True, capture_output=True)
    return json.loads(made.stdout)


def find(r, key):
    return next((f for f in r["findings"] if f["key"] == key), None)


def name_of(option):
    return re.match(r"--[a-z-]+", option).group()


def split_options(text):
    """Options with their values as one argument each."""
    return [o.rstrip(",;") for o in re.findall(r"--[a-z-]+(?:=\S+| [^-\s]\S*)?", text)]


def alternatives(advice):
    """Options to add, and names of options to leave out, for each way that an advice offers."""
    advice, _, out = advice.partition(" and without ")
    removed = re.findall(r"--[a-z-]+", out)
    for way in re.split(r",? or ", advice):
        if "leave out --" in way:
            yield [], re.findall(r"--[a-z-]+", way)
        elif "--" in way:
            smaller = "smaller --weld" in way
            yield ["--weld 0.0001"] if smaller else split_options(way.split(" which ")[0]), removed


def main():
    failed = tried = 0
    for mesh, options, key, measure in CASES:
        given = split_options(options)
        before = report(mesh, [word for o in given for word in o.split(" ")])
        finding = find(before, key)
        if not finding:
            print(f"{mesh} {options}: has no {key}")
            failed += 1
            continue
        ways = list(alternatives(finding["advice"] or ""))
        if not ways:
            print(f"{mesh} {options}: {key} advises no option: {finding['advice']}")
            failed += 1
        for added, removed in ways:
            names = removed + [name_of(o) for o in added]
            kept = [o for o in given if name_of(o) not in names]
            missing = [n for n in removed if n not in [name_of(o) for o in given] and n != "--builder"]
            after = report(mesh, [word for o in kept + added for word in o.split(" ")])
            still = find(after, key)
            helps = not still or SEVERITY.index(still["severity"]) < SEVERITY.index(finding["severity"])
            helps = helps or (measure and measure(after) < measure(before))
            tried += 1
            if not helps or missing:
                print(f"{mesh} {options}: {key}: no help: {finding['advice']} (added {added}, left out {removed}): {still}")
                failed += 1
    print(tried, "pieces of advice tried,", failed, "failures")
    return failed > 0


sys.exit(main())

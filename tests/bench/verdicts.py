"""The cost of hierarchies of the literature near contact, relative to --preset balanced on the same mesh.

    verdicts.py BUILD MESH...

bvbuild builds each, and bvinspect measures what queries near contact cost. Prints Markdown: the ratio to balanced for each mesh, their
geometric mean, and that of the numbers of volume tests.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

BINARY = "--collapse 0 --leaf-triangles 1"
ROWS = [
    ("`balanced`", ""),
    ("`fast`", "--preset fast"),
    ("PLOC, oriented boxes, binary", f"--builder ploc --volume obb {BINARY}"),
    ("PLOC, prisms, binary", f"--builder ploc --volume prism {BINARY}"),
    ("PLOC, aligned boxes, binary", f"--builder ploc --volume aabb {BINARY}"),
    *[(f"`{rule}`, by {quality}, binary", f"--builder {rule} --quality {quality} {BINARY}")
      for rule in ("boxtree", "boxtree-max", "boxtree-min", "boxtree-pie-max", "boxtree-pie-min") for quality in ("area", "volume")],
    *[(f"`boxtree`, aligned boxes, by {quality}, binary", f"--builder boxtree --volume aabb --quality {quality} {BINARY}")
      for quality in ("area", "volume")],
    *[(f"`{rule}`, collapsed", f"--builder {rule}")
      for rule in ("boxtree", "boxtree-max", "boxtree-min", "boxtree-pie-max", "boxtree-pie-min")],
    ("k-means, spheres, collapsed", "--splitter kmeans --volume sphere"),
    ("PLOC, spheres, collapsed", "--builder ploc --volume sphere"),
    *[(f"`{name}`", f"--builder {name}") for name in ("quinlan", "quinlan-faces", "hubbard-octree-plain",
                                                     "hubbard-octree-estimate", "hubbard-octree", "hubbard-medial",
                                                     "adaptive-medial", "sphere-merge")],
    *[(f"`palmer-grimsdale`, {count} faces per cell", f"--builder palmer-grimsdale --leaf-triangles {count}")
      for count in (1, 2, 4, 8, 16)],
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"verdicts: {' '.join(command)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def measure(build, mesh, options, output):
    run(os.path.join(build, "bvbuild"), "-q", mesh, "-o", output, *options.split())
    measured = json.loads(run(os.path.join(build, "bvinspect"), "--json", output))["hierarchy"]["cost"]["measured"]
    return measured["cost"], measured["volume_tests"]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    build, *meshes = sys.argv[1:]
    if not meshes:
        sys.exit(__doc__)
    print("| hierarchy |", " | ".join(os.path.basename(mesh) for mesh in meshes), "| all | volume tests |")
    print("| --- |" + " ---: |" * (len(meshes) + 2))
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.bvh")
        base = None
        for name, options in ROWS:
            now = [measure(build, mesh, options, output) for mesh in meshes]
            base = base or now
            cost, tests = ([a[i] / b[i] for a, b in zip(now, base)] for i in (0, 1))
            print(f"| {name} |", " | ".join(f"{ratio:.2f}" for ratio in cost), f"| {mean(cost):.2f} | {mean(tests):.2f} |", flush=True)


main()

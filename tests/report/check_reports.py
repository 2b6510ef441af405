"""Checks JSON reports of many files against an independent computation, and that it would notice a wrong number.

    python3 check_reports.py --build DIR --parser DIR [--samples N] [--jobs N] [--wrong-numbers] MESH...

Each mesh is built with the next of a list of options. What bvinspect exports is measured again (geometry.py), the file is read by the
parser made from its specification (tests/kaitai), and all that the report says is compared with both (judge.py). --samples says how
many points of the root's volume and of its surface are tried before the search goes uphill; 0 tries none. --wrong-numbers also
changes every number of each report by a thousandth, one after the other, and wants each change to be noticed.
"""

import argparse
import copy
import json
import multiprocessing
import os

# Before numpy looks at them: one process a file is enough.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import subprocess
import sys
import tempfile

import numpy as np

import judge

OPTIONS = [
    "", "--preset fast --hausdorff 0.1 --density 2.7", "--volume rss", "--volume aabb --positions quantized", "--volume mixed --decompose --max-parts 6",
    "--volume kdop14", "--volume sphere --degree 4", "--builder boxtree-pie-min", "--volume prism,aabb", "--positions quantized --sections hull-topology,edges", "--volume kdop26",
    "--builder topdown --splitter gottschalk --leaf-triangles 1", "--volume kdop18 --collapse 4", "--preset fast",
    "--decompose=5% --decompose-mode surface --max-parts 4 --sections part-triangles --mass 80 --units in --up z", "--scale 0.001 --volume mixed", "--sections none,mesh,tree",
    "--max-depth 0",
]

# Numbers of things, which change by a whole one. Others may be whole by chance.
COUNTS = [r".*\b(triangles|vertices|edges|components|double_sided|faces|polygons|parts|neighbors|nodes|leaves|depth|k|bytes|version|problems)$",
          r".*\b(edges_of_kind|removed|degrees|types)\.\w+$"]

# Round volumes have hundreds of triangles each when they are exported.
MOST_NODES = {"sphere": 40, "rss": 40}


class Refused(Exception):
    pass


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def prepare(settings, mesh, options, folder):
    """Builds, reads and exports. @return the report, what the parser reads, and the nodes"""
    path = os.path.join(folder, "file.bvh")
    built = subprocess.run([f"{settings.build}/bvbuild", "-q", mesh, "-o", path, *options.split()], capture_output=True, text=True)
    if built.returncode in (2, 3, 5):
        raise Refused(built.stderr.strip())
    if built.returncode:
        raise RuntimeError(built.stderr.strip())
    report = json.loads(run(f"{settings.build}/bvinspect", "--json", path))
    environment = dict(os.environ, NODE_PATH=os.path.join(settings.parser, "node_modules"))
    parsed = json.loads(run("node", f"{settings.parser}/read.js", settings.parser, path, env=environment))
    nodes = json.loads(run("node", f"{settings.parser}/nodes.js", settings.parser, path, env=environment))
    sections = {s["name"] for s in parsed["file"]["sections"]}
    wanted = [name for name, section in (("mesh", "TRIS"), ("hull", "HULL"), ("parts", "PART")) if section in sections]
    if nodes:
        level_of = np.array([n["level"] for n in nodes])
        leaf = np.array([not n["children"] for n in nodes])
        most = min(MOST_NODES.get(t, 1000) for t in {n["type"] for n in nodes})
        for level in range(level_of.max() + 1):
            if int(((level_of == level) | (leaf & (level_of < level))).sum()) <= most:
                wanted.append(f"level={level}")
    for first in range(0, len(wanted), 16):
        exports = []
        for name in wanted[first:first + 16]:
            exports += ["--export", f"{name},{folder}/{name.replace('=', '_')}.obj"]
        run(f"{settings.build}/bvinspect", "-q", path, *exports)
    return report, parsed, nodes


def check_schema(settings, report):
    if not settings.schema:
        return []
    import jsonschema
    with open(settings.schema, encoding="utf-8") as file:
        validator = jsonschema.validators.validator_for(json.load(file))
        file.seek(0)
        return [f"schema: {'.'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator(json.load(file)).iter_errors(report)]


def numbers_of(report):
    return [(p, v) for p, v in judge.flatten(report) if judge.is_number(v)]


def change(report, path, by):
    """@return a copy with one number changed by a thousandth, whole ones by one at least, zeros and rounding noise by that of `by`"""
    changed = copy.deepcopy(report)
    *way, last = path.split(".")
    at = changed
    for key in way:
        at = at[int(key)] if isinstance(at, list) else at[key]
    key = int(last) if isinstance(at, list) else last
    old = at[key]
    if judge.matches(COUNTS, path):
        at[key] = old + max(1, round(1e-3 * old))
    else:
        beside = max([abs(x) for x in at if isinstance(x, (int, float))] if isinstance(at, list) else [0])
        at[key] = old + 1e-3 * (abs(old) if abs(old) > 1e-6 * beside and old else beside or by)
    return changed


def try_wrong_numbers(report, facts):
    """@return changes that nothing notices, how many there were, and how many geometry alone notices"""
    missed, by_geometry = [], 0
    numbers = [(p, v) for p, v in numbers_of(report) if not judge.matches(judge.ELSEWHERE, p)]
    parsed = dict(judge.flatten(facts.parsed))
    for path, value in numbers:
        changed = change(report, path, getattr(facts, "diagonal", 1.0))
        noticed = bool(judge.Judge(changed, facts, parser=False).wrong)
        by_geometry += noticed
        if not noticed and path in parsed:
            noticed = bool(judge.Judge(changed, facts).wrong)
        if not noticed:
            missed.append(f"{path}: nobody notices when {value} changes by a thousandth")
    return missed, len(numbers), by_geometry


def check(job):
    settings, mesh, options = job
    name = f"{os.path.basename(mesh)} {options}".strip()
    with tempfile.TemporaryDirectory() as folder:
        try:
            report, parsed, nodes = prepare(settings, mesh, options, folder)
        except Refused as reason:
            return name, None, str(reason), (0, 0), {}
        except (RuntimeError, subprocess.CalledProcessError) as problem:
            return name, [f"{problem} {getattr(problem, 'stderr', '')}"], "", (0, 0), {}
        facts = judge.Facts(folder, parsed, nodes, options, settings.samples)
    result = judge.Judge(report, facts)
    wrong = result.wrong + getattr(facts, "export_problems", []) + check_schema(settings, report)
    wrong += [f"{p}: nothing here checks this number" for p in result.uncovered()]
    tried = noticed = 0
    if settings.wrong_numbers and not wrong:
        missed, tried, noticed = try_wrong_numbers(report, facts)
        wrong += missed
    root = {}
    for kind, found in facts.sampled.items():
        interval = report["hierarchy"]["hausdorff"][kind]["root"]
        if interval["lower"] > 0:
            root[kind] = (found / interval["lower"], found / interval["upper"])
    return name, wrong, f"{len(result.seen)} numbers and facts", (tried, noticed), root


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--parser", required=True)
    parser.add_argument("--schema", default="")
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--wrong-numbers", action="store_true")
    parser.add_argument("--first", type=int, default=0, help="where in the list of options to begin")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("meshes", nargs="+")
    settings = parser.parse_args()
    jobs = [(settings, mesh, OPTIONS[(settings.first + i) % len(OPTIONS)]) for i, mesh in enumerate(settings.meshes)]
    failed = refused = good = 0
    tried = noticed = 0
    ratios = {"surface": [], "solid": []}
    with multiprocessing.Pool(settings.jobs) as pool:
        for name, wrong, text, (a, b), root in pool.imap(check, jobs):
            tried, noticed = tried + a, noticed + b
            for kind, pair in root.items():
                ratios[kind].append(pair)
            if wrong is None:
                refused += 1
                print(f"{name}: refused: {text}")
            elif wrong:
                failed += 1
                print(f"{name}: WRONG: " + "\n    ".join([str(len(wrong))] + wrong[:20]))
            else:
                good += 1
                if settings.verbose:
                    print(f"{name}: good, {text}" + "".join(f", {k} {p[0]:.3f} of lower" for k, p in root.items()))
            sys.stdout.flush()
    for kind, pairs in ratios.items():
        if pairs:
            lowest = min(p[0] for p in pairs)
            print(f"root's {kind} distance in {len(pairs)} files: the farthest sample is at least {lowest:.4f} of lower, "
                  f"at most {max(p[1] for p in pairs):.4f} of upper")
    if tried:
        print(f"{tried} numbers changed by a thousandth, {noticed} noticed by geometry alone, the others by what the file says")
    print(f"{good} reports are right, {failed} wrong, {refused} meshes refused")
    return 1 if failed or good == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Rays in WebAssembly against rays in libbv, compiled for this machine: time of the processor per ray, in turns, medians.

    bench_wasm.py BUILD FILE.bvh [MESH...]
"""

import csv
import os
import statistics
import subprocess
import sys

BAR = 0.5


def times(command):
    return [float(each) for each in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()]


def main():
    build = sys.argv[1]
    quick = bool(os.environ.get("BENCH_QUICK"))
    rays, repeats = (20000, 5) if quick else (100000, 11)
    rows = []
    for path in sys.argv[2:]:
        name = os.path.splitext(os.path.basename(path))[0]
        if not path.endswith(".bvh"):
            built = os.path.join(build, "wasm", name + ".bvh")
            subprocess.run([os.path.join(build, "bvbuild"), "--quiet", path, "-o", built], check=True)
            path = built
        ratios = {"castRay": [], "castRays": []}
        for _ in range(repeats):
            native = times([os.path.join(build, "wasm", "bench"), path, str(rays)])
            web = times(["node", "tests/web/bench.mjs", os.path.join(build, "npm", "index.js"), path, str(rays)])
            assert native[2] == web[2], "hits differ: %s" % path
            for what, column in (("castRay", 0), ("castRays", 1)):
                ratios[what].append((native[column] / web[column], native[column], web[column]))
        for what, found in ratios.items():
            ratio = statistics.median(each[0] for each in found)
            rows.append([what, name, statistics.median(each[1] for each in found), statistics.median(each[2] for each in found), ratio])
    print("%-10s %-16s %12s %12s %8s %6s %s" % ("what", "file", "native, ns", "Node.js, ns", "speed", "bar", "met"))
    for what, name, native, web, ratio in rows:
        print("%-10s %-16s %12.0f %12.0f %8.2f %6.2f %s" % (what, name, native, web, ratio, BAR, "yes" if ratio >= BAR else "NO"))
    with open(os.path.join(build, "wasm", "bench.csv"), "w", newline="") as out:
        csv.writer(out).writerows([["what", "file", "native_ns", "node_ns", "speed"], *rows])
    return 0 if all(row[4] >= BAR for row in rows) else 1


sys.exit(main())

"""What Python takes for arrays of rays and points, against a program in C that makes the same calls: bench_python.py [--quick] [--csv FILE] BUILD MESH...

Both are asked in turns, a call each; times are processor time of the thread that calls, so that other work on the machine does not count. Ratios are the
speed of Python as a part of that of C: medians of the ratios of rounds. Exit code 1 if the bar is missed. A call from Python includes its checks and the memory of
its results, which is new in each call; the program in C uses its memory again.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import bvbuild

BAR = 0.8
COUNT = 100_000


class Program:
    """The program in C, which waits for questions."""

    def __init__(self, build, file, rays):
        self.process = subprocess.Popen([os.path.join(build, "bench", "bench_python"), file, rays], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        status, seconds, total = self.process.stdout.readline().split()
        assert status == "0", status
        return float(seconds), float(total)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def rays_around(file, random):
    """From a ball around the mesh towards points within it."""
    center, radius = file.bounds.sphere
    outward = random.normal(size=(COUNT, 3))
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    target = random.normal(size=(COUNT, 3))
    target *= 0.6 * radius / np.linalg.norm(target, axis=1)[:, None]
    origins = center + 1.5 * radius * outward
    return origins, center + target - origins


def measure(build, path, folder, rounds):
    file = bvbuild.open(path)
    origins, directions = rays_around(file, np.random.default_rng(1))
    rays = os.path.join(folder, "rays")
    np.concatenate([[COUNT], origins.ravel(), directions.ravel()]).tofile(rays)
    kept = file.cast_rays(origins, directions)
    calls = {
        "rays": ("cast_rays", lambda: file.cast_rays(origins, directions), lambda r: r.found.sum()),
        "rays, out": ("cast_rays( out )", lambda: file.cast_rays(origins, directions, out=kept), lambda r: r.found.sum()),
        "points": ("closest_point", lambda: file.closest_point(origins), lambda r: r.triangle.astype(float).sum()),
        "contains": ("contains", lambda: file.contains(origins), lambda r: r.outside.sum() + 2 * r.inside.sum()),
    }
    program = Program(build, path, rays)
    samples = {what: [] for what in calls}
    for i in range(rounds + 1):
        for what, (_, call, total) in calls.items():
            begin = time.thread_time()
            result = call()
            ours = time.thread_time() - begin
            theirs, expected = program.ask(what.split(",")[0])
            assert total(result) == expected, (what, total(result), expected)
            if i > 0:  # the first round finds all memory cold
                samples[what].append((ours, theirs))
    program.close()
    return [(os.path.basename(path), len(file.mesh.triangles), calls[what][0], np.array(times)) for what, times in samples.items()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--csv")
    parser.add_argument("build")
    parser.add_argument("meshes", nargs="+")
    arguments = parser.parse_args()
    missed = False
    print(f"| {COUNT:,} in one call | triangles | query | C, ms | Python, ms | speed of C | bar | met |\n| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        meshes = list(arguments.meshes)
        subprocess.run([os.path.join(arguments.build, "bench", "make_meshes"), "20000" if arguments.quick else "200000", folder, "obj"], check=True,
                       stdout=subprocess.DEVNULL)
        meshes += [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".obj")]
        for mesh in meshes:
            path = os.path.join(folder, os.path.splitext(os.path.basename(mesh))[0] + ".bvh")
            subprocess.run([os.path.join(arguments.build, "bvbuild"), "-q", "--preset", "fast", mesh, "-o", path], check=True)
            for name, triangles, query, times in measure(arguments.build, path, folder, 5 if arguments.quick else 21):
                ratio = float(np.median(times[:, 1] / times[:, 0]))
                ours, theirs = np.median(times, axis=0) * 1e3
                met = ratio >= BAR
                missed |= not met
                print(f"| {name} | {triangles} | {query} | {theirs:.1f} | {ours:.1f} | {ratio:.3f} | {BAR} | {'met' if met else 'missed'} |")
                rows += [(name, triangles, query, i, *pair) for i, pair in enumerate(times.tolist())]
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([("mesh", "triangles", "query", "round", "python_seconds", "c_seconds"), *rows])
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

"""profile.py BUILD [--sizes N...] [--preset NAME]: where the time of one call goes, from the shell to the file.

Makes an OBJ of each size (make_meshes) and prints a table in Markdown. For each stage it has the instructions and cache misses per
triangle, counted by callgrind on one thread with caches of 32 KiB and 8 MiB, and the nanoseconds per triangle of bvbuild alone
with one thread and with two, from its report, the minimum of several runs. Above two million triangles there are only times.
Instructions are those of a stage's functions and their callees. "write" puts the file together. "start and rest" is
everything outside of stages: the start and end of the process, and writing to the disk (memory, where there is /dev/shm).
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 70000, 1000000, 10000000])
parser.add_argument("--preset", default="fast")
given = parser.parse_args()
bvbuild = os.path.abspath(given.build) + "/bvbuild"
COUNTED = 2_000_000  # triangles; callgrind takes fifty times as long

# By the report's name, the functions that do it, none of which calls another of any stage.
STAGES = {
    "import": ["bvb_import_file"],
    "record": ["bvb_mesh_record"],
    "hierarchy": ["bvb_hierarchy_build", "bvb_tree_snap"],
    "topology": ["bvb_mesh_topology"],
    "hull": ["bvb_hull_compute"],
    "mass": ["bvb_mass_of_surface", "bvb_mass_of_solid", "bvb_mass_of_hull"],
    "fit": ["bvhull_outer_points", "fit_box", "fit_round", "bvb_fit_kdop"],
    "hausdorff": ["bvb_hausdorff_tree"],
    "recognise": ["bvb_recognise"],
    "write": ["bvb_asset_encode"],
}


def command(mesh, out, threads, *more):
    return [bvbuild, mesh, "-o", out, "--preset", given.preset, "--threads", str(threads), "--quiet", *more]


def count(mesh, folder):
    """Of each stage, and of the whole, instructions, misses of the small cache, misses of the large one."""
    counts = f"{folder}/callgrind"
    subprocess.run(["valgrind", "--tool=callgrind", "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64",
                    f"--callgrind-out-file={counts}", *command(mesh, f"{folder}/counted.bvh", 1)],
                   check=True, stderr=subprocess.DEVNULL)
    os.remove(f"{folder}/counted.bvh")
    listed = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--auto=no", "--threshold=100", "--show=Ir,D1mr,D1mw,DLmr,DLmw",
                             counts], check=True, stdout=subprocess.PIPE, text=True).stdout
    by_name = {}
    for line in listed.splitlines():
        # Each number has its share behind it, but for those that are nothing.
        words = re.match(r"(?:\s*(?:[\d,]+ \(\s*[\d.]+%\)|\.|0)\s){5}", line)
        numbers = [int(word.replace(",", "")) for word in re.sub(r"\([^)]*\)", "", words[0]).replace(".", "0").split()] if words else []
        name = "whole" if "PROGRAM TOTALS" in line else (re.findall(r":(\w+)(?:\.\w+)* \[", line) or [None])[0]
        if name and len(numbers) == 5 and (name not in by_name or numbers[0] > by_name[name][0]):
            by_name[name] = (numbers[0], numbers[1] + numbers[2], numbers[3] + numbers[4])
    nothing = (0, 0, 0)
    stages = {stage: tuple(map(sum, zip(nothing, *(by_name.get(name, nothing) for name in names)))) for stage, names in STAGES.items()}
    rest = tuple(whole - sum(part) for whole, part in zip(by_name["whole"], zip(*stages.values())))
    return {**stages, "start and rest": rest, "whole": by_name["whole"]}


def least_times(mesh, folder, threads, repeats):
    """Seconds of each stage: the least of each."""
    least = {}
    for _ in range(repeats):
        out, report = f"{folder}/timed.bvh", f"{folder}/timed.json"
        before = time.perf_counter()
        subprocess.run(command(mesh, out, threads), check=True)
        whole = time.perf_counter() - before
        os.remove(out)
        # Apart, because a report takes longer than what it is about.
        subprocess.run(command(mesh, out, threads, "--report", report), check=True)
        with open(report) as file:
            times = json.load(file)["time"]
        for path in (out, report):
            os.remove(path)
        known = {stage: times[stage] for stage in STAGES}
        known["start and rest"] = whole - sum(known.values())
        known["whole"] = whole
        least = {stage: min(seconds, least.get(stage, seconds)) for stage, seconds in known.items()}
    return least


def main():
    for place, size in enumerate(given.sizes):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            subprocess.run([f"{given.build}/bench/make_meshes", str(size), folder, "obj"], check=True, stdout=subprocess.DEVNULL)
            mesh = f"{folder}/mesh.obj"
            repeats = 15 if size < 500_000 else 5 if size <= COUNTED else 2
            times = [least_times(mesh, folder, threads, repeats) for threads in (1, 2)]
            counts = count(mesh, folder) if size <= COUNTED else None
        print(("\n" if place else "") + f"{size:,} triangles, `{given.preset}`:\n")
        print("| stage | ns, one thread | two | " + ("instructions | small cache missed | large cache missed |" if counts else ""))
        print("| --- | ---: | ---: |" + (" ---: | ---: | ---: |" if counts else ""))
        for stage in times[0]:
            if stage == "whole" or times[0][stage] > 0.001 * times[0]["whole"]:
                row = [f"{1e9 * t[stage] / size:.1f}" for t in times]
                row += [f"{counts[stage][0] / size:.0f}", *(f"{n / size:.2f}" for n in counts[stage][1:])] if counts else []
                print(f"| {stage} | {' | '.join(row)} |")


main()

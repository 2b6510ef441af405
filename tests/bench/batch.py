"""batch.py BUILD FOLDER [--count N] [--repeats N]: many small assets in one call.

Cuts the meshes (OFF and OBJ) of Debian's packages libcgal-demo and assimp-testmodels, unpacked in FOLDER or below, into N assets
of 20 to 1000 triangles. Then these take turns: one call with two processes; two independent calls with half of the assets each.
Then it measures a call that has nothing to do and one that finds all assets in a cache, if bvbuild supports that. Prints tables in
Markdown: medians, and the memory of all processes of a call over time.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("folders", nargs="*")
parser.add_argument("--count", type=int, default=2000)
parser.add_argument("--repeats", type=int, default=5)
parser.add_argument("--options", default="", help="for bvbuild, as in '--preset fast'")
given = parser.parse_args()
bvbuild = os.path.abspath(given.build) + "/bvbuild"
options = ["--quiet", "--threads", "1", *given.options.split()]


def read_mesh(path):
    """Positions as text and faces as lists of indices of an OFF or OBJ file; none of what is not understood."""
    positions, faces = [], []
    with open(path, errors="replace") as file:
        if path.endswith(".off"):
            words = [line.split("#")[0].split() for line in file]
            words = [line for line in words if line]
            if words[0] != ["OFF"]:
                return [], []
            count, face_count = int(words[1][0]), int(words[1][1])
            positions = [" ".join(line[0:3]) for line in words[2 : 2 + count]]
            faces = [[int(word) for word in line[1 : 1 + int(line[0])]] for line in words[2 + count : 2 + count + face_count]]
        else:
            for line in file:
                words = line.split()
                if words[0:1] == ["v"]:
                    positions.append(" ".join(words[1:4]))
                elif words[0:1] == ["f"]:
                    indices = [int(word.split("/")[0]) for word in words[1:]]
                    faces.append([i - 1 if i > 0 else len(positions) + i for i in indices])
    return positions, [face for face in faces if len(face) >= 3 and all(0 <= i < len(positions) for i in face)]


def write_asset(path, positions, faces):
    used = {}
    for face in faces:
        for i in face:
            used.setdefault(i, len(used) + 1)
    with open(path, "w") as file:
        for i in used:
            file.write(f"v {positions[i]}\n")
        for face in faces:
            file.write("f " + " ".join(str(used[i]) for i in face) + "\n")


def split_meshes(folder):
    """Runs of faces as they stand in the files, which mostly are patches. Takes a few of each mesh, so that all take part."""
    random.seed(1)
    found = sorted(os.path.join(base, name) for top in given.folders for base, _, names in os.walk(top) for name in names
                   if name.lower().endswith((".off", ".obj")))
    meshes = []
    for path in found:
        try:
            positions, faces = read_mesh(path)
        except (ValueError, IndexError):
            continue
        if len(faces) >= 20:
            meshes.append([os.path.basename(path).rsplit(".", 1)[0], positions, faces, 0])
    paths = []
    triangles = 0
    sources = len(meshes)
    while meshes and len(paths) < given.count:
        for mesh in list(meshes):
            name, positions, faces, first = mesh
            part = faces[first : first + int(20 * 50 ** random.random())]
            mesh[3] = first + len(part)
            if len(part) < 20:
                meshes.remove(mesh)
            elif len(paths) < given.count:
                paths.append(f"{folder}/{name}-{len(paths)}.obj")
                write_asset(paths[-1], positions, part)
                triangles += sum(len(face) - 2 for face in part)
    if not paths:
        sys.exit("batch: no OFF or OBJ file: " + " ".join(given.folders))
    return paths, triangles, sources


def resident(pids):
    """Bytes of these processes and all below them, shared pages counted once in all."""
    total = 0
    waiting = list(pids)
    while waiting:
        pid = waiting.pop()
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:")) << 10
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/children") as file:
                    waiting += file.read().split()
        except OSError:
            pass
    return total


def call(lists, output, *more, watched=False):
    """Each list in a call of its own, all at once. @return seconds, those of processors, memory over time"""
    start, used = time.monotonic(), os.times()
    calls = [subprocess.Popen([bvbuild, *options, *more, "@" + path, "-o", output]) for path in lists]
    memory = []
    while watched and any(one.poll() is None for one in calls):
        memory.append(resident([one.pid for one in calls]))
        time.sleep(0.02)
    for one in calls:
        if one.wait() != 0:
            sys.exit(f"batch: exit code {one.returncode}: {' '.join(one.args)}")
    now = os.times()
    worked = now.children_user + now.children_system - used.children_user - used.children_system
    return time.monotonic() - start, worked, memory


def write_list(path, names):
    with open(path, "w") as file:
        file.write("".join(f"'{name}'\n" for name in names))
    return path


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    return folder


def knows(option):
    return f"--{option} " in subprocess.run([bvbuild, "--help=all"], capture_output=True, text=True).stdout


def outcomes(log):
    """How many inputs ended how."""
    with open(log) as file:
        lines = [json.loads(line) for line in file]
    results = [line["result"] for line in lines if "result" in line]
    return ", ".join(f"{results.count(one)} {one}" for one in sorted(set(results)))


def compare(whole, halves, folder):
    together, apart = [], []
    for _ in range(given.repeats):
        together.append(call([whole], empty(f"{folder}/together"), "--jobs", "2")[0:2])
        apart.append(call(halves, empty(f"{folder}/apart"), "--jobs", "1")[0:2])
    if subprocess.run(["diff", "-rq", f"{folder}/together", f"{folder}/apart"]).returncode != 0:
        sys.exit("batch: one call and two write something else")
    memory = call([whole], empty(f"{folder}/together"), "--jobs", "2", watched=True)[2]
    return together, apart, memory


def print_rest(whole, folder, count):
    """Calls with nothing to do, one by one, because the first of them may be slower."""
    rows = []
    output = f"{folder}/together"
    log = f"{folder}/log"
    if knows("force"):
        for name, more in (("nothing to do, one process", ["--jobs", "1"]), ("nothing to do, two processes", ["--jobs", "2"])):
            seconds = [call([whole], output, "--log", log, *more)[0] for _ in range(given.repeats)]
            rows.append((name, statistics.median(seconds), outcomes(log)))
    if knows("cache"):
        cache = empty(f"{folder}/cache")
        seconds = call([whole], empty(output), "--log", log, "--jobs", "2", "--cache", cache)[0]
        rows.append(("into an empty cache, two processes", seconds, outcomes(log)))
        seconds = []
        for _ in range(given.repeats):
            seconds.append(call([whole], empty(output), "--log", log, "--jobs", "2", "--cache", cache)[0])
        rows.append(("out of the cache, two processes", statistics.median(seconds), outcomes(log)))
    if rows:
        print("\n| repeated call | s | ms per asset | results |\n| --- | --- | --- | --- |")
    for name, seconds, results in rows:
        print(f"| {name} | {seconds:.3f} | {1e3 * seconds / count:.3f} | {results} |")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/assets")
        paths, triangles, sources = split_meshes(f"{folder}/assets")
        whole = write_list(f"{folder}/whole", paths)
        halves = [write_list(f"{folder}/half{i}", paths[i::2]) for i in range(2)]
        print(f"{len(paths)} assets of {sources} meshes, {triangles / len(paths):.0f} triangles each; options: {' '.join(options)}\n")
        together, apart, memory = compare(whole, halves, folder)
        print("| | s | assets/s | s of processors |\n| --- | --- | --- | --- |")
        for name, times in (("one call, two processes", together), ("two calls, half of them each", apart)):
            seconds, worked = (statistics.median(column) for column in zip(*times))
            print(f"| {name} | {seconds:.2f} | {len(paths) / seconds:.0f} | {worked:.2f} |")
        for i, what in enumerate(("time", "work of processors")):
            ratios = [a[i] / b[i] for a, b in zip(together, apart)]
            print(f"\nOf the {what} of two calls, one takes {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f} "
                  f"in {len(ratios)} turns).")
        tenths = [max(memory[i * len(memory) // 10 : (i + 1) * len(memory) // 10 + 1]) / 2**20 for i in range(10)]
        print(f"\nMemory of the one call, MiB, the most in each tenth of its time: {' '.join(f'{x:.1f}' for x in tenths)}")
        print_rest(whole, folder, len(paths))


main()

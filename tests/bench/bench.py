"""bench.py [options] BUILD [PART...]: whether this is the fastest and tightest, on this machine, in one run.

Runs the programs of this folder part by part, in BUILD/bench, and prints one table: what is measured, against whom, the ratio,
the bar that it is to reach, and whether it does. The parts, all unless some are named:

  build      preset fast (axis-aligned boxes) against Embree at medium quality, and what both trees cost
  obb        preset balanced (oriented boxes) against FCL's OBBRSS, without and with certified distances
  queries    all pairs and the first one near contact, against FCL, Bullet and ODE
  distances  of meshes near contact, against FCL
  files      bvbuild from an OBJ file to a .bvh file, against Assimp's import alone
  growth     time and memory from 10,000 to 10,000,000 triangles
  threads    two threads against one

In every round all entrants take turns, and ratios are of times of the same round: their median is given, and over several meshes
the geometric mean. Clocks where several threads take part, the processor's time where one does. BUILD/bench-out gets samples.csv
(a line for each run), bench.csv (a line for each mesh, entrant and measurement: median, quartiles, and the ratio to ours),
table.md, and plots (plots.py).

Exit codes: 0 all was measured, 1 usage, 2 something could not be measured.
"""

import argparse
import csv
import math
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import plots

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", help="where the programs are")
parser.add_argument("parts", nargs="*", metavar="PART")
parser.add_argument("--meshes", default="../shared/meshes", help="folder of meshes (%(default)s)")
parser.add_argument("--poses", default="../shared/peers/poses", help="folder of pose files (%(default)s)")
parser.add_argument("--scratch", default="/dev/shm" if os.path.isdir("/dev/shm") else None, help="where files are written")
parser.add_argument("--quick", action="store_true", help="a minute in place of ten: fewer meshes, rounds and triangles")
given = parser.parse_args()
out = f"{given.build}/bench-out"

ENOUGH = 10000  # triangles of a mesh that takes part
CUT_TO = 100000  # meshes with fewer are also measured with each triangle cut into four until there are as many
OURS = {"build": "fast:2", "build-cut": "fast:2", "obb": "balanced:1", "queries": "balanced:1", "distances": "balanced:1",
        "files": "bvbuild fast:2", "growth": "fast:2", "growth-files": "bvbuild fast:2", "threads": "fast:1"}


class Samples:
    """What the programs measured: values by part, mesh and triangles, entrant with its threads, and what, one for each round."""

    def __init__(self):
        self.values = {}
        self.units = {}
        self.lines = []

    def take(self, part, path):
        with open(path, newline="") as file:
            for line in csv.DictReader(file):
                self.lines.append({"part": part, **line})
                key = (part, (line["mesh"], int(line["triangles"])), f"{line['entrant']}:{line['threads']}", line["what"])
                self.values.setdefault(key, {})[int(line["repeat"])] = float(line["value"])
                self.units[key] = line["unit"]

    def meshes(self, part, entrant, what):
        return [key[1] for key in self.values if (key[0], key[2], key[3]) == (part, entrant, what)]

    def of(self, part, mesh, entrant, what):
        return self.values.get((part, mesh, entrant, what))

    def middle(self, part, mesh, entrant, what):
        return statistics.median(self.of(part, mesh, entrant, what).values())

    def ratios(self, part, mesh, theirs, ours, what):
        """Theirs over ours, round by round, in order; empty where one of them is missing."""
        left, right = self.of(part, mesh, theirs, what), self.of(part, mesh, ours, what)
        return sorted(left[i] / right[i] for i in left if i in right and right[i] > 0) if left and right else []

    def write(self):
        fields = ["part", "mesh", "triangles", "entrant", "threads", "repeat", "what", "unit", "value"]
        with open(f"{out}/samples.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, fields)
            writer.writeheader()
            writer.writerows(self.lines)
        with open(f"{out}/bench.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["part", "mesh", "triangles", "entrant", "threads", "what", "unit", "rounds", "median", "lower_quartile",
                             "upper_quartile", "ratio_to", "ratio", "ratio_lower_quartile", "ratio_upper_quartile"])
            for (part, mesh, entrant, what), rounds in self.values.items():
                ratios = self.ratios(part, mesh, entrant, OURS[part], what)
                writer.writerow([part, *mesh, *entrant.rsplit(":", 1), what, self.units[part, mesh, entrant, what], len(rounds),
                                 *rounded(quartiles(rounds.values()))]
                                + ([OURS[part], *rounded(quartiles(ratios))] if ratios else ["", "", "", ""]))


def quartiles(values):
    """Median, lower and upper quartile."""
    values = sorted(values)
    if len(values) == 1:
        return values * 3
    lower, middle, upper = statistics.quantiles(values, n=4, method="inclusive")
    return [middle, lower, upper]


def rounded(values):
    return [f"{value:.6g}" for value in values]


def mean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


samples = Samples()
failures = []


def run(part, program, *arguments, environment=None):
    """A program that adds its samples to the file after -o; what it prints goes to the log."""
    path = f"{scratch}/samples"
    start = time.monotonic()
    with open(f"{out}/log.txt", "a") as log:
        command = [f"{given.build}/bench/{program}", "-o", path, *map(str, arguments)]
        print("$", *command, file=log, flush=True)
        code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}).returncode
    if os.path.exists(path):
        samples.take(part, path)
        os.remove(path)
    if code != 0:
        failures.append(f"{part}: {program} ended with {code}; see {out}/log.txt")
    print(f"{part}: {program}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


# Threads that wait actively would slow down whoever comes next.
CALM = {"OMP_WAIT_POLICY": "passive"}


def count_triangles(path):
    """Of an OFF or OBJ file, as fans."""
    with open(path, errors="replace") as file:
        if path.endswith(".obj"):
            return sum(len(line.split()) - 3 for line in file if line.startswith("f "))
        words = file.read().split("\n", 2)
        vertices = int(words[1].split()[0])
        return sum(int(line.split()[0]) - 2 for line in words[2].split("\n")[vertices:] if line.strip())


def find_meshes():
    paths = [f"{given.meshes}/{name}" for name in sorted(os.listdir(given.meshes)) if name.endswith((".off", ".obj"))]
    sizes = {path: count_triangles(path) for path in paths}
    chosen = [path for path in paths if sizes[path] > ENOUGH]
    if given.quick:
        chosen = [path for path in chosen if sizes[path] < 30000 or sizes[path] > CUT_TO][::2]
    return chosen, sizes


def with_option(option, values):
    return [word for value in values for word in (option, value)]


def run_build():
    small = [path for path in meshes if sizes[path] < CUT_TO]
    run("build", "bench_build", "-n", 3 if given.quick else 9, "-k", *with_option("-m", meshes), "fast:2", "embree-medium:2",
        environment=CALM)
    run("build-cut", "bench_build", "-n", 3 if given.quick else 7, "-k", "-c", CUT_TO, *with_option("-m", small), "fast:2",
        "embree-medium:2", environment=CALM)


def run_obb():
    run("obb", "bench_build", "-n", 2 if given.quick else 5, *with_option("-m", meshes), "balanced:1", "balanced+errors:1",
        "fcl-obbrss", environment=CALM)


def run_threads():
    run("threads", "bench_build", "-n", 3 if given.quick else 7, "-c", 1000000, "fast:1", "fast:2",
        *([] if given.quick else ["balanced:1", "balanced:2"]), environment=CALM)


# A row of the table: what, against whom, the measured ratio as text, the bar as text, and whether it is met.
def judge(rows, what, whom, ratios, bar, at_least, note=""):
    """@param ratios by mesh; their geometric mean is to be at least, or at most, the bar"""
    if not ratios:
        return
    middle = mean(ratios.values())
    least, most = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
    reached = sum(1 for ratio in ratios.values() if (ratio >= bar if at_least else ratio <= bar))
    spread = f"{ratios[least]:.2f} ({name_of(least)}) to {ratios[most]:.2f} ({name_of(most)})" if len(ratios) > 1 else ""
    rows.append((what, whom, f"{middle:.2f}", spread, f"{reached} of {len(ratios)}" if len(ratios) > 1 else "", note,
                 f"{'≥' if at_least else '≤'} {bar:g}", middle >= bar if at_least else middle <= bar))


def name_of(mesh):
    return mesh[0]


def medians(part, theirs, ours, what):
    """By mesh, how many times faster ours is than theirs."""
    found = {mesh: samples.ratios(part, mesh, theirs, ours, what) for mesh in samples.meshes(part, ours, what)}
    return {mesh: statistics.median(ratios) for mesh, ratios in found.items() if ratios}


def inverted(ratios):
    return {mesh: 1 / ratio for mesh, ratio in ratios.items()}


def judge_build(rows):
    for part, which in (("build", "as they are"), ("build-cut", f"cut to {CUT_TO} triangles or more")):
        judge(rows, f"build of `fast`, {which}", "Embree, medium quality, 2 threads each",
              medians(part, "embree-medium:2", "fast:2", "clock"), 1, True)
        judge(rows, f"cost of that tree, {which}", "Embree's tree", inverted(medians(part, "embree-medium:1", "fast:1", "cost")),
              1.05, False)


def judge_obb(rows):
    judge(rows, "build of `balanced`", "FCL OBBRSS, 1 thread", medians("obb", "fcl-obbrss:1", "balanced:1", "processor"), 8, True)
    judge(rows, "the same with certified distances", "FCL OBBRSS, 1 thread",
          medians("obb", "fcl-obbrss:1", "balanced+errors:1", "processor"), 2, True)


def judge_threads(rows):
    for name in ("fast", "balanced"):
        judge(rows, f"two threads, build of `{name}`, 1,000,000 triangles", "one thread",
              medians("threads", f"{name}:1", f"{name}:2", "clock"), 1.8, True)


PARTS = {"build": (run_build, judge_build), "obb": (run_obb, judge_obb), "threads": (run_threads, judge_threads)}


def describe_machine(busy_elsewhere):
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    note = f"{model}, {os.cpu_count()} processors"
    if busy_elsewhere > 0.05:
        note += (f"; **others had {100 * busy_elsewhere:.0f} % of the processors meanwhile**, which makes the clock's ratios less sure "
                 "than the processor's")
    return note


def processor_times():
    """Seconds that all processes worked, and that ours did."""
    with open("/proc/stat") as file:
        words = [int(word) for word in file.readline().split()[1:9]]
    own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    worked = sum(words) - words[3] - words[4]
    return worked / os.sysconf("SC_CLK_TCK"), sum(usage.ru_utime + usage.ru_stime for usage in own)


def print_table(rows, machine, seconds):
    lines = [f"{time.strftime('%Y-%m-%d')}, {machine}. {seconds / 60:.1f} minutes"
             + (", `BENCH_QUICK=1`" if given.quick else "") + ".", "",
             "| what | against | ratio | least to most | meshes that reach it | bar | |",
             "| --- | --- | ---: | --- | --- | --- | --- |"]
    for what, whom, ratio, spread, reached, note, bar, met in rows:
        lines.append(f"| {what} | {whom} | {ratio} | {spread}{'; ' if spread and note else ''}{note} | {reached} | {bar} | "
                     f"{'met' if met else '**not met**'} |")
    lines += [""] + [f"- {failure}" for failure in failures]
    with open(f"{out}/table.md", "w") as file:
        file.write("\n".join(lines).rstrip() + "\n")
    print("\n".join(lines).rstrip())


def main():
    global meshes, sizes, scratch
    parts = given.parts or list(PARTS)
    if not set(parts) <= set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(set(parts) - set(PARTS)))}; there are {', '.join(PARTS)}")
    meshes, sizes = find_meshes()
    os.makedirs(out, exist_ok=True)
    open(f"{out}/log.txt", "w").close()
    start, (all_before, own_before) = time.monotonic(), processor_times()
    with tempfile.TemporaryDirectory(prefix="bench.", dir=given.scratch) as scratch:
        for part in parts:
            PARTS[part][0]()
    seconds, (all_after, own_after) = time.monotonic() - start, processor_times()
    elsewhere = max(0, (all_after - all_before) - (own_after - own_before)) / (seconds * os.cpu_count())
    rows = []
    for part in PARTS:
        PARTS[part][1](rows)
    samples.write()
    plots.draw_all(samples, out)
    print_table(rows, describe_machine(elsewhere), seconds)
    return 2 if failures else 0


sys.exit(main())

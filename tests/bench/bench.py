"""bench.py [options] BUILD [PART...]: speed, tightness and memory compared with other libraries, on this machine, in one run.

Runs the programs of this folder part by part, in BUILD/bench, and prints one table: what is measured, the library it is
compared with, the ratio, the target and whether it is met. Parts, by default all:

  build      preset fast (axis-aligned boxes) and Embree at medium quality, and the cost of both trees
  obb        preset balanced (oriented boxes) and FCL's OBBRSS, without and with certified distances
  queries    all pairs and the first one near contact; FCL, Bullet and ODE
  distances  of meshes near contact; FCL
  files      bvbuild from an OBJ file to a .bvh file, and Assimp's import alone
  growth     time and memory from 10,000 to 10,000,000 triangles
  threads    two threads and one

In every round all programs take turns, and ratios are of times of the same round. The table has their median, and over several
meshes the geometric mean. Wall-clock time where several threads take part, CPU time for one thread. Output in BUILD/bench-out:
samples.csv (one line per run), bench.csv (one line per mesh, program and measurement: median, quartiles, and the ratio to this
project), table.md, and plots (plots.py). --show prints the table and draws the plots from the samples of the last run.

Exit codes: 0 everything was measured, 1 usage, 2 something could not be measured.
"""

import argparse
import csv
import math
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import plots


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(1, f"bench.py: {message}\n")


parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", help="where the programs are")
parser.add_argument("parts", nargs="*", metavar="PART")
parser.add_argument("--meshes", default="../shared/meshes", help="folder of meshes (%(default)s)")
parser.add_argument("--poses", default="../shared/peers/poses", help="folder of pose files; made if there is none (%(default)s)")
parser.add_argument("--scratch", default="/dev/shm" if os.path.isdir("/dev/shm") else None, help="where files are written")
parser.add_argument("--quick", action="store_true", help="a minute in place of ten: fewer meshes, rounds and triangles")
parser.add_argument("--show", action="store_true", help="measure nothing: the last run's samples")
given = parser.parse_args()
out = f"{given.build}/bench-out"

ENOUGH = 10000  # triangles of a mesh that takes part
SIZES = [10000, 100000, 1000000, 10000000]  # of meshes of one shape, for the growth
MOST = 12  # meshes
CUT_TO = 100000  # meshes with fewer are also measured with each triangle cut into four until there are as many
ROOM = 2e9  # bytes that files may take
LATEST = 420  # seconds after which the largest size is not begun, which takes two or three minutes
# Whose times bench.csv gives ratios to, by part.
OURS = {"build": "fast:2", "build-cut": "fast:2", "obb": "balanced:1", "queries": "balanced:1", "distances": "balanced:1",
        "files": "bvbuild fast:2", "growth": "fast:2", "growth-files": "bvbuild fast:2", "growth-peer": "bvbuild fast:2",
        "threads": "fast:1"}


class Samples:
    """What the programs measured: values by part, mesh and triangles, entrant with its threads, and what, one for each round."""

    def __init__(self):
        self.values = {}
        self.units = {}
        self.lines = []

    def take(self, path, part=None):
        """@param part of all lines; None where they say so themselves"""
        with open(path, newline="") as file:
            for line in csv.DictReader(file):
                self.lines.append(line if part is None else {"part": part, **line})
                key = (part or line["part"], (line["mesh"], int(line["triangles"])), f"{line['entrant']}:{line['threads']}", line["what"])
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
begun = time.monotonic()


def run(part, program, *arguments, calm=False):
    """A program that adds its samples to the file after -o; what it prints goes to the log.
    @param calm as in the tools: threads that wait do so asleep (src/cli/calm.c), since actively they would slow down whoever comes
    next in the same process; and what is freed stays with the process (src/cli/bvbuild.c), since otherwise each round would pay
    for fresh pages again"""
    policy = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000", "MALLOC_MMAP_MAX_": "0",
              "MALLOC_TRIM_THRESHOLD_": str(2**62)}
    environment = {name: value for name, value in os.environ.items() if name not in policy}
    path = f"{scratch}/samples"
    start = time.monotonic()
    with open(f"{out}/log.txt", "a") as log:
        command = [f"{given.build}/bench/{program}", "-o", path, *map(str, arguments)]
        print("$", *command, file=log, flush=True)
        code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT,
                              env={**environment, **(policy if calm else {})}).returncode
    if os.path.exists(path):
        samples.take(path, part)
        os.remove(path)
    if code != 0:
        failures.append(f"{part}: {program} ended with {code}; see {out}/log.txt")
    print(f"{part}: {program}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


def read_off(path):
    """Lines of vertices and of faces, of a plain OFF file; none of any other."""
    with open(path, errors="replace") as file:
        lines = [line for line in (line.split("#")[0].strip() for line in file) if line]
    words = " ".join(lines[:2]).split()
    if not words or words[0] != "OFF":
        return [], []
    first = 1 if len(lines[0].split()) > 1 else 2
    vertices, faces = int(words[1]), int(words[2])
    return lines[first : first + vertices], lines[first + vertices : first + vertices + faces]


def count_triangles(path):
    """Of an OFF or OBJ file, as fans."""
    if path.endswith(".off"):
        return sum(int(line.split()[0]) - 2 for line in read_off(path)[1])
    with open(path, errors="replace") as file:
        return sum(len(line.split()) - 3 for line in file if line.startswith("f "))


def find_meshes():
    """Those that are large enough, from the smallest one on; of many some."""
    paths = [f"{given.meshes}/{name}" for name in sorted(os.listdir(given.meshes)) if name.endswith((".off", ".obj"))]
    sizes = {path: count_triangles(path) for path in paths}
    chosen = sorted((path for path in paths if sizes[path] > ENOUGH), key=sizes.get)
    if not chosen:
        parser.error(f"{given.meshes}: no OFF or OBJ file of more than {ENOUGH} triangles")
    chosen = chosen[:: -(-len(chosen) // MOST)]
    return chosen[::2] if given.quick else chosen, sizes


def with_option(option, values):
    return [word for value in values for word in (option, value)]


def run_build():
    small = [path for path in meshes if sizes[path] < CUT_TO]
    run("build", "bench_build", "-n", 3 if given.quick else 9, "-k", *with_option("-m", meshes), "fast:2", "embree-medium:2",
        calm=True)
    run("build-cut", "bench_build", "-n", 3 if given.quick else 7, "-k", "-c", CUT_TO, *with_option("-m", small), "fast:2",
        "embree-medium:2", calm=True)


def run_obb():
    run("obb", "bench_build", "-n", 2 if given.quick else 5, *with_option("-m", meshes), "balanced:1", "balanced+errors:1",
        "fcl-obbrss", calm=True)


def make_poses():
    """Of pairs of the meshes that are measured."""
    names = {path: os.path.basename(path).rsplit(".", 1)[0] for path in meshes}
    pairs = list(zip(meshes, meshes[1:]))
    for a, b in pairs[:: max(1, len(pairs) // 4)][:4]:
        path = f"{scratch}/{names[a]}__{names[b]}.csv"
        subprocess.run([f"{given.build}/bench/make_poses", a, b, path], check=True, stdout=subprocess.DEVNULL)
        yield path


def find_poses():
    if not os.path.isdir(given.poses):
        return list(make_poses())
    return [f"{given.poses}/{name}" for name in sorted(os.listdir(given.poses)) if name.endswith(".csv")]


def run_queries():
    presets = ["balanced"] if given.quick else ["fast", "balanced", "best"]
    run("queries", "bench_queries", "--repeats", 2 if given.quick else 7, "--only", *with_option("--preset", presets), "--float",
        given.meshes, *find_poses())


def run_distances():
    run("distances", "bench_distances", "--repeats", 1 if given.quick else 7, given.meshes, *find_poses())


def write_obj(path):
    """The mesh as an OBJ file with the same decimals."""
    if path.endswith(".obj"):
        return path
    vertices, faces = read_off(path)
    target = f"{scratch}/{os.path.basename(path)[:-4]}.obj"
    with open(target, "w") as file:
        file.writelines(f"v {line}\n" for line in vertices)
        for line in faces:
            words = line.split()
            file.write("f " + " ".join(str(int(word) + 1) for word in words[1 : 1 + int(words[0])]) + "\n")
    return target


def make_mesh(triangles):
    """Of make_meshes, a bumpy torus, and how many triangles it has."""
    folder = f"{scratch}/{triangles}"
    os.makedirs(folder, exist_ok=True)
    path = f"{folder}/torus of {triangles}.obj"
    if not os.path.exists(path):
        subprocess.run([f"{given.build}/bench/make_meshes", str(triangles), folder, "obj"], check=True, stdout=subprocess.DEVNULL)
        os.rename(f"{folder}/mesh.obj", path)
    with open(path) as file:
        return path, sum(1 for line in file if line.startswith("f "))


def run_files():
    run("files", "bench_end_to_end", "-n", 3 if given.quick else 9, f"{given.build}/bvbuild", scratch, *map(write_obj, meshes))
    run("files", "bench_end_to_end", "-n", 2 if given.quick else 5, f"{given.build}/bvbuild", scratch, make_mesh(1000000)[0])


def memory_available():
    with open("/proc/meminfo") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable"))


def run_growth():
    sizes_here = SIZES[:3] if given.quick else SIZES
    if memory_available() < 600 * sizes_here[-1]:
        failures.append(f"growth: not up to {sizes_here[-1]} triangles, for which there is not enough memory")
        sizes_here = SIZES[:3]
    for size in sizes_here:
        if size == SIZES[-1] and time.monotonic() - begun > LATEST:
            failures.append(f"growth: not up to {size} triangles, as {LATEST // 60} minutes had passed; BENCH_PARTS=growth does that alone")
            break
        rounds = {10000: 15, 100000: 7, 1000000: 3, 10000000: 2}[size]
        large = size > 1000000
        run("growth", "bench_build", "-n", rounds, "-c", size, "fast:1", "fast:2", "embree-medium:2", "copy:2",
            *([] if large or given.quick else ["balanced:1", "fcl-aabb", "fcl-obbrss"]), calm=True)
        path, triangles = make_mesh(size)
        run("growth-files", "bench_end_to_end", "-n", rounds, "-a", triangles, f"{given.build}/bvbuild", scratch, path)
        if size == 1000000 and not given.quick:
            run("growth-files", "bench_end_to_end", "-n", 1, "-p", "balanced", "-a", triangles, f"{given.build}/bvbuild", scratch, path)
        if not large and not given.quick:
            run("growth-peer", "bench_end_to_end", "-n", min(rounds, 3), f"{given.build}/bvbuild", scratch, path)
        os.remove(path)


def run_threads():
    run("threads", "bench_build", "-n", 3 if given.quick else 7, "-c", 1000000, "fast:1", "fast:2",
        *([] if given.quick else ["balanced:1", "balanced:2"]), calm=True)


def judge(rows, what, whom, ratios, bar, at_least, note=""):
    """Adds a row to the table: what, against whom, texts of what was measured, the bar, and whether it is met.
    @param ratios by mesh; their geometric mean is to be at least, or at most, the bar"""
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


def of_processors(ratios):
    """The same ratio of all that the threads worked, which others on the machine change less."""
    return f"CPU time {mean(ratios.values()):.2f}" if ratios else ""


def judge_build(rows):
    for part, which in (("build", "original meshes"), ("build-cut", f"subdivided to at least {CUT_TO} triangles")):
        judge(rows, f"build of `fast`, {which}", "Embree, medium quality, 2 threads each",
              medians(part, "embree-medium:2", "fast:2", "clock"), 1, True,
              of_processors(medians(part, "embree-medium:2", "fast:2", "processor")))
        costs = {what: inverted(medians(part, "embree-medium:1", "fast:1", what)) for what in
                 ("cost", "cost-blocks-of-4", "cost-blocks-of-8")}
        if costs["cost"]:
            judge(rows, f"cost of that tree, {which}", "Embree's tree", costs["cost"], 1.05, False,
                  f"in blocks of four {mean(costs['cost-blocks-of-4'].values()):.2f}, of eight {mean(costs['cost-blocks-of-8'].values()):.2f}")
    for part in ("build", "build-cut"):
        # What the builder's callbacks show must be the tree of a scene.
        for mesh in samples.meshes(part, "embree-medium, of the scene:1", "cost-blocks-of-4"):
            shown, own = (samples.middle(part, mesh, name, "cost-blocks-of-4") for name in
                          ("embree-medium:1", "embree-medium, of the scene:1"))
            if abs(shown / own - 1) > 1e-3:
                failures.append(f"build: {name_of(mesh)}: the tree of Embree's callbacks costs {shown:.3f}, that of its scene {own:.3f}")


def judge_obb(rows):
    judge(rows, "build of `balanced`", "FCL OBBRSS, 1 thread", medians("obb", "fcl-obbrss:1", "balanced:1", "processor"), 8, True)
    judge(rows, "the same with certified distances", "FCL OBBRSS, 1 thread",
          medians("obb", "fcl-obbrss:1", "balanced+errors:1", "processor"), 2, True)


def judge_threads(rows):
    for name in ("fast", "balanced"):
        judge(rows, f"two threads, build of `{name}`, 1,000,000 triangles", "one thread",
              medians("threads", f"{name}:1", f"{name}:2", "clock"), 1.8, True,
              of_processors(medians("threads", f"{name}:1", f"{name}:2", "processor")))


def nearest_peer(part, peers, ours, what):
    """By mesh, how many times faster ours is than the fastest of some peers in each round."""
    found = {}
    for mesh in samples.meshes(part, ours, what):
        rounds = [samples.of(part, mesh, peer, what) for peer in peers]
        own = samples.of(part, mesh, ours, what)
        if all(rounds):
            found[mesh] = statistics.median(min(times[i] for times in rounds) / own[i] for i in own)
    return found


def wrong_answers(peer):
    """What a peer answered otherwise than the pose files say, in words."""
    poses = sum(samples.middle("queries", mesh, peer, "hits-differ") for mesh in samples.meshes("queries", peer, "hits-differ"))
    if poses > 0:
        return f"different answers in {poses:g} poses"
    found, true = (sum(samples.middle("queries", mesh, name, "pairs") for mesh in samples.meshes("queries", name, "pairs"))
                   for name in (peer, "fcl-obbrss:1"))
    return f"finds {found / true:.1f} times the pairs" if found > 0 and found != true else ""


def judge_queries(rows):
    for peer, name in (("fcl-obbrss:1", "FCL OBBRSS"), ("bullet-gimpact:1", "Bullet GImpact"), ("ode-opcode:1", "ODE OPCODE")):
        for what, which in (("all", "all pairs"), ("first", "first hit")):
            judge(rows, f"{which}, `balanced`", name, medians("queries", peer, "balanced:1", what), 6, True, wrong_answers(peer))


def judge_distances(rows):
    found = nearest_peer("distances", ("fcl-obbrss:1", "fcl-rss:1"), "balanced:1", "distance")
    for which, points in (("meshes", False), ("points", True)):
        judge(rows, f"distances of {which}, `balanced`", "the faster of FCL OBBRSS and RSS",
              {mesh: ratio for mesh, ratio in found.items() if mesh[0].endswith(" points") == points}, 6, True)


def judge_files(rows):
    judge(rows, "OBJ to .bvh, `fast`, 2 threads", "Assimp's import alone",
          inverted(medians("files", "assimp:1", "bvbuild fast:2", "clock")), 1, False)


def judge_growth(rows):
    for part, entrant, what, name in (("growth", "fast:1", "processor", "build of `fast`, 1 thread"),
                                      ("growth-files", "bvbuild fast:2", "clock", "OBJ to .bvh, `fast`, 2 threads")):
        sizes_of = sorted(samples.meshes(part, entrant, what), key=lambda mesh: mesh[1])
        # Of any two sizes: how much more a triangle takes in the larger one than n log n says.
        steps = {(f"{a[1]} to {b[1]}", b[1]): samples.middle(part, b, entrant, what) / (b[1] * math.log(b[1]))
                 / (samples.middle(part, a, entrant, what) / (a[1] * math.log(a[1])))
                 for i, a in enumerate(sizes_of) for b in sizes_of[i + 1 :]}
        if steps:
            worst = max(steps, key=steps.get)
            judge(rows, f"growth of {name}, {sizes_of[0][1]} to {sizes_of[-1][1]} triangles", "n log n, worst of two sizes",
                  {worst: steps[worst]}, 1.6, False, worst[0])
    for mesh in samples.meshes("growth-files", "bvbuild fast:2", "peak"):
        if mesh[1] > 500000:
            peaks = {name: samples.middle("growth-files", mesh, f"bvbuild {name}:2", "peak") / mesh[1] for name in ("fast", "balanced")
                     if samples.of("growth-files", mesh, f"bvbuild {name}:2", "peak")}
            judge(rows, f"peak memory, OBJ to .bvh, `fast`, {mesh[1]} triangles", "bytes per triangle", {mesh: peaks["fast"]}, 200,
                  False, f"`balanced` {peaks['balanced']:.0f}" if "balanced" in peaks else "")


def compare_with_copies():
    """A line about what memory alone would allow."""
    sizes_of = samples.meshes("growth", "copy:2", "clock")
    if sizes_of:
        largest = max(sizes_of, key=lambda mesh: mesh[1])
        copy, fast = (1e9 * samples.middle("growth", largest, name, "clock") / largest[1] for name in ("copy:2", "fast:2"))
        yield (f"Limit of memory bandwidth: copying a mesh of {largest[1]} triangles once, with two threads, takes "
               f"{copy:.1f} ns per triangle; building `fast` takes {fast / copy:.0f} times as long.")


PARTS = {"build": (run_build, judge_build), "obb": (run_obb, judge_obb), "queries": (run_queries, judge_queries),
         "distances": (run_distances, judge_distances), "files": (run_files, judge_files), "growth": (run_growth, judge_growth),
         "threads": (run_threads, judge_threads)}


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


def print_table(rows, head):
    lines = [head, "", "| what | compared with | ratio | range over meshes | meshes within the target | target | |",
             "| --- | --- | ---: | --- | --- | --- | --- |"]
    for what, whom, ratio, spread, reached, note, bar, met in rows:
        lines.append(f"| {what} | {whom} | {ratio} | {spread}{'; ' if spread and note else ''}{note} | {reached} | {bar} | "
                     f"{'met' if met else '**not met**'} |")
    lines += ["", *compare_with_copies(), ""] + [f"- {failure}" for failure in failures]
    with open(f"{out}/table.md", "w") as file:
        file.write("\n".join(lines).rstrip() + "\n")
    print("\n".join(lines).rstrip())


def measure(parts):
    """@return the line above the table: when and where"""
    all_before, own_before = processor_times()
    # What takes longest comes last, and not at all when it is too late.
    for part in sorted(parts, key=lambda part: part == "growth"):
        PARTS[part][0]()
    seconds, (all_after, own_after) = time.monotonic() - begun, processor_times()
    elsewhere = max(0, (all_after - all_before) - (own_after - own_before)) / (seconds * os.cpu_count())
    return (f"{time.strftime('%Y-%m-%d')}, {describe_machine(elsewhere)}. {seconds / 60:.1f} minutes"
            + (", `BENCH_QUICK=1`" if given.quick else "") + ".")


def main():
    global meshes, sizes, scratch
    parts = given.parts or list(PARTS)
    if not set(parts) <= set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(set(parts) - set(PARTS)))}; there are {', '.join(PARTS)}")
    if given.show:
        samples.take(f"{out}/samples.csv")
        with open(f"{out}/table.md") as file:
            head = file.readline().rstrip("\n")
    else:
        os.makedirs(out, exist_ok=True)
        open(f"{out}/log.txt", "w").close()
        for name in os.listdir(out):
            if name.endswith(".svg"):
                os.remove(f"{out}/{name}")
        meshes, sizes = find_meshes()
        roomy = given.scratch if given.scratch and shutil.disk_usage(given.scratch).free >= ROOM else None
        if roomy != given.scratch:
            failures.append(f"files: not in {given.scratch}, where there is too little room")
        with tempfile.TemporaryDirectory(prefix="bench.", dir=roomy) as scratch:
            head = measure(parts)
        samples.write()
    rows = []
    for part in PARTS:
        PARTS[part][1](rows)
    plots.draw_all(samples, out)
    print_table(rows, head)
    return 2 if failures else 0


sys.exit(main())

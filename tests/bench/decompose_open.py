"""Convex decomposition of open, cracked, nested and thin meshes: processor time, its growth, and --time-budget.

    python3 decompose_open.py --build DIR [OPTION...]

Runs `bvbuild MESH -o OUT --decompose --threads 1` and `bvinspect OUT --verify` on one mesh after the other. Prints tables as
Markdown; exits with 1 if a bar is missed:

    time      at most 60 processor seconds per mesh
    verify    at most the processor time of the build, or 0.1 s
    growth    time grows at most with the power 1.25 of triangles, and of open edges, in each family of open_meshes.py; meshes
              that become shells where most of the family become solids, or the reverse, are left out

With --budget S, which can be repeated, runs with `--time-budget S` instead and judges, besides `verify`:

    wall      at most 1.05 S and the import; the least of three runs if the first takes longer. Needs an idle machine.
    valid     bvinspect --verify accepts the file
    progress  never goes back; each share that is printed while convex parts are built is within 10 % of the share of the stage's
              time, and the share shown last is at most 20 % behind (10 % for printing only tenths). Stages of at least 0.5 s.

Files that bvbuild cannot import are counted and skipped, as are copies of the same file and meshes of too many triangles.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import open_meshes

BAR_SECONDS = 60
BAR_GROWTH = 1.25
# Less is not told apart from starting the program.
SHORT = 0.1
BUDGET = 1.05
SHOWN = 0.5
DEVIATION, BEHIND = 10, 20
STAGE = "building convex parts"
QUICK_TRIANGLES = 2200
SETS = ("own", "assimp", "cgal", "flightgear")
SKIPPED = (("refused", "that cannot be imported"), ("copy", "copies"), ("large", "with too many triangles"))
COLUMNS = ("set", "name", "budget", "triangles", "open_edges", "exit", "seconds", "stage_seconds", "parts", "lower", "upper", "mode",
           "out_of_time", "verify_exit", "verify_seconds", "wall", "import_seconds", "deviation", "behind", "monotone")


class Ended:
    """A program's exit code (or "limit"), its processor and wall time, and its lines on stderr with the seconds of their arrival."""

    def __init__(self, arguments, limit, scratch):
        def limited():
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        start = time.monotonic()
        with open(os.path.join(scratch, "stdout"), "w") as output:
            child = subprocess.Popen(arguments, stdout=output, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=limited)
        self.lines = [(time.monotonic() - start, line.decode(errors="replace").rstrip()) for line in child.stderr]
        _, status, usage = os.wait4(child.pid, 0)
        self.wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.exit = child.returncode
        if self.exit == -signal.SIGXCPU:
            self.exit, self.seconds = "limit", max(self.seconds, limit)

    def stage(self, name):
        """Seconds of a line of bvbuild --verbose's table."""
        found = [float(match.group(1)) for _, line in self.lines for match in [re.match(r" +%s +([0-9.]+)" % name, line)] if match]
        return found[0] / 1000 if found else 0.0


def watch_progress(lines):
    """Largest deviation of a printed share from the elapsed share of the stage, how far the display fell behind, and whether it only
    grew. Shares in percent; None if there are none, or the stage is too short."""
    begun, ended, shares = None, None, []
    for at, line in lines:
        match = re.search(STAGE + r"(?:: (\d+) %)?$", line)
        if match and match.group(1):
            shares.append((at, int(match.group(1))))
        elif match:
            begun = at
        elif begun is not None and ended is None:
            ended = at
    if begun is None or ended is None or ended - begun < SHOWN:
        return None, None, True
    elapsed = [100 * (at - begun) / (ended - begun) for at, _ in shares]
    deviation = max([round(abs(share - part), 1) for part, (_, share) in zip(elapsed, shares)], default=None)
    shown = [0] + [share for _, share in shares]
    behind = max(part - before for part, before in zip(elapsed + [100], shown))
    return deviation, round(behind, 1), shown == sorted(shown)


class Bench:
    def __init__(self, given, scratch, log):
        self.given, self.scratch, self.log, self.rows, self.hashes = given, scratch, log, [], set()

    def at(self, name):
        return os.path.join(self.scratch, name)

    def measure(self, kind, name, path):
        row = dict.fromkeys(COLUMNS, "")
        row.update(set=kind, name=name, exit=self.reason_to_skip(row, path))
        for budget in [] if row["exit"] else self.given.budget or [0]:
            timed = dict(row, budget=budget)
            self.build(timed, path, budget)
            self.add(timed)
        if row["exit"]:
            self.add(row)

    def add(self, row):
        self.rows.append(row)
        self.log.writerow(row)
        shown = ("exit", "triangles", "open_edges", "seconds", "verify_seconds")
        print(label(row), *("%s %s" % (column, row[column]) for column in shown), file=sys.stderr, flush=True)

    def reason_to_skip(self, row, path):
        """Or an empty string. Sets the numbers of triangles and open edges."""
        with open(path, "rb") as file:
            content = hashlib.sha256(file.read()).hexdigest() + os.path.splitext(path)[1].lower()
        if content in self.hashes:
            return "copy"
        self.hashes.add(content)
        probe = Ended([self.given.bvbuild, path, "-o", self.at("probe.bvh"), "--sections", "none,mesh", "--threads", "1", "--quiet",
                       "--force-output", "--import-timeout", "20", "--report", self.at("probe.json")], 60, self.scratch)
        if probe.exit != 0:
            return "refused"
        with open(self.at("probe.json")) as file:
            mesh = json.load(file)["mesh"]
        row.update(triangles=mesh["triangles"], open_edges=mesh["edges_of_kind"]["boundary"])
        return "large" if mesh["triangles"] > self.given.most_triangles else ""

    def build(self, row, path, budget):
        result = self.at("result.bvh")
        arguments = [self.given.bvbuild, path, "-o", result, "--decompose", "--threads", "1", "--force", "--force-output", "--verbose",
                     *" ".join(self.given.option).split()]
        if budget:
            arguments += ["--time-budget", "%g" % budget, "--progress", "always"]
        for _ in range(3 if budget else 1):
            built = Ended(arguments, self.given.limit, self.scratch)
            if row["wall"] == "" or built.wall < row["wall"]:
                row.update(exit=built.exit, seconds=round(built.seconds, 3), stage_seconds=round(built.stage("decompose"), 3),
                           wall=round(built.wall, 3), import_seconds=round(built.stage("import"), 3))
                if budget:
                    row["deviation"], row["behind"], row["monotone"] = watch_progress(built.lines)
            if built.exit != 0 or not late(row):
                break
        if built.exit != 0:
            return
        shown = Ended([self.given.bvinspect, result, "--json"], self.given.limit, self.scratch)
        if shown.exit == 0:
            with open(self.at("stdout")) as file:
                report = json.load(file)
            parts, box = report["decomposition"], report["bounds"]["aabb"]
            if parts:
                diagonal = math.dist(box["lower"], box["upper"]) or 1.0
                row.update(parts=parts["parts"], mode=parts["mode"], out_of_time=parts["out_of_time"])
                for bound in ("lower", "upper"):
                    value = parts["concavity"][bound]
                    row[bound] = "" if value is None else "%.6f" % (value / diagonal)
        verified = Ended([self.given.bvinspect, result, "--verify"], 10 * self.given.limit, self.scratch)
        row.update(verify_exit=verified.exit, verify_seconds=round(verified.seconds, 3))


def label(row):
    return "%s/%s" % (row["set"], row["name"]) + (" %g s" % row["budget"] if row["budget"] else "")


def slow(row):
    return row["exit"] == "limit" or row["seconds"] > BAR_SECONDS


def late(row):
    return bool(row["budget"]) and row["wall"] > BUDGET * row["budget"] + row["import_seconds"]


def ratio(row):
    return row["verify_seconds"] / max(row["seconds"], SHORT) if row["verify_seconds"] != "" else 0.0


def wrong_progress(row):
    return not row["monotone"] or (row["deviation"] or 0) > DEVIATION or (row["behind"] or 0) > BEHIND


def growth(rows, size):
    """Slope of the logarithm of the time over that of the size, by least squares."""
    points = [(math.log(max(row[size], 1)), math.log(max(row["seconds"], 1e-3))) for row in rows]
    x, y = [sum(axis) / len(points) for axis in zip(*points)]
    return sum((point[0] - x) * (point[1] - y) for point in points) / sum((point[0] - x) ** 2 for point in points)


def time_of(row):
    return ("> " if row["exit"] == "limit" else "") + "%.2f" % float(row["seconds"]) if row else ""


def stand_off(row):
    return " to ".join("%.3f" % (100 * float(row[bound])) for bound in ("lower", "upper") if row[bound] != "")


def families_of(rows):
    """The rows of each series of open_meshes.py that has at least three of one mode, and those of other modes."""
    named, series = {row["name"]: row for row in rows if row["set"] == "own"}, {}
    for name, names, _ in open_meshes.corpus(""):
        for which in names if name in named else []:
            series.setdefault(which, []).append(named[name])
    for which, members in series.items():
        modes = [row["mode"] for row in members if row["mode"]]
        usual = max(modes, key=modes.count) if modes else ""
        fitting = [row for row in members if row["mode"] in ("", usual)]
        if len(fitting) >= 3:
            size = "open_edges" if which.endswith("edges") else "triangles"
            shown = ", ".join("%d: %s%s" % (row[size], time_of(row), "" if row in fitting else " (%s)" % row["mode"])
                              for row in sorted(members, key=lambda row: row[size]))
            yield which, shown, math.inf if any(row["exit"] == "limit" for row in members) else growth(fitting, size)


def table(title, head, lines):
    print("\n%s\n\n| %s |\n|%s" % (title, " | ".join(head), " --- |" * len(head)))
    for line in lines:
        print("| %s |" % " | ".join(str(word) for word in line))


def print_largest(title, rows, key, columns):
    """The ten rows with the largest key. Columns are heads and functions of a row."""
    largest = sorted(rows, key=key, reverse=True)[:10]
    table(title, ("mesh", *columns), [(label(row), *(show(row) for show in columns.values())) for row in largest])


def print_tables(everything, before):
    rows = [row for row in everything if row["seconds"] != ""]
    budgeted = any(row["budget"] for row in rows)
    column = lambda name: lambda row: row[name]
    earlier = lambda row: before.get((row["set"], row["name"]))
    seconds, verify, old = {"build, s": time_of}, {"verify, s": column("verify_seconds")}, {"before, s": lambda row: time_of(earlier(row))}
    print_largest("Slowest builds, processor time", rows, column("seconds"), {
        "triangles": column("triangles"), "open edges": column("open_edges"), **(old if before else {}), **seconds, **verify,
        "parts": column("parts"), "stand-off, % of the diagonal": stand_off, "mode": column("mode")})
    if before:
        print_largest("Slowest before, processor time", filter(earlier, rows), lambda row: earlier(row)["seconds"], {**old, **seconds})
    print_largest("Largest shares of verification", rows, ratio, {**seconds, **verify, "ratio": lambda row: "%.2f" % ratio(row)})
    grown = [] if budgeted else list(families_of(rows))
    checks = [("every build succeeds", [label(row) for row in rows if row["exit"] not in (0, "limit")]),
              ("verification succeeds", [label(row) for row in rows if row["verify_exit"] not in (0, "")]),
              ("verification takes at most the time of the build", [label(row) for row in rows if ratio(row) > 1])]
    if budgeted:
        over = lambda row: row["wall"] - row["budget"] - row["import_seconds"]
        print_largest("Longest wall times beyond the budget and the import", rows, over, {
            "wall, s": column("wall"), **seconds, "import, s": column("import_seconds"), "beyond, s": lambda row: "%.3f" % over(row)})
        print_largest("Worst progress, percentage points", [row for row in rows if row["behind"] is not None],
                      lambda row: max(row["deviation"] or 0, row["behind"] - BEHIND + DEVIATION),
                      {"deviation": column("deviation"), "behind": column("behind"), "monotone": column("monotone")})
        checks += [("wall time is at most %g of the budget, and the import" % BUDGET, [label(row) for row in rows if late(row)]),
                   ("progress is true", [label(row) for row in rows if wrong_progress(row)])]
    else:
        table("Growth; unknown (inf) if a run was stopped", ("family and size", "size: processor seconds", "exponent"),
              [(name, shown, "%.2f" % slope) for name, shown, slope in grown] or [("no family has three meshes", "", "")])
        checks += [("at most %d processor seconds" % BAR_SECONDS, [label(row) for row in rows if slow(row)]),
                   ("growth is at most %g" % BAR_GROWTH, [name for name, _, slope in grown if slope > BAR_GROWTH])]
    skipped = ["%d %s" % (sum(row["exit"] == reason for row in everything), text) for reason, text in SKIPPED]
    print("\n%d runs, %.1f processor seconds of builds and %.1f of verification. Skipped: %s." % (
        len(rows), sum(row["seconds"] for row in rows), sum(row["verify_seconds"] or 0 for row in rows), ", ".join(skipped)))
    table("Bars; the first ten that miss them", ("what", "missed by", "met"),
          [(what, "%d %s" % (len(failed), ", ".join(failed[:10])), "no" if failed else "yes") for what, failed in checks])
    return all(not failed for _, failed in checks)


def read_rows(path):
    """What --csv wrote."""
    with open(path, newline="", errors="surrogateescape") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for column in COLUMNS:
            if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", row[column]) and column not in ("name", "lower", "upper"):
                row[column] = float(row[column]) if "." in row[column] else int(row[column])
        if row["budget"]:
            row.update(monotone=row["monotone"] == "True", **{column: None for column in ("deviation", "behind") if row[column] == ""})
    return rows


def files_of(kind, build):
    if kind == "assimp":
        root, endings = "/usr/share/assimp/models", None
    elif kind == "cgal":
        root, endings = os.path.join(build, "cgal-demo"), (".off", ".obj", ".stl", ".ply")
        if not os.path.isdir(root):
            os.makedirs(root)
            subprocess.run(["tar", "xzf", "/usr/share/doc/libcgal-demo/data.tar.gz", "-C", root], check=True)
    else:
        root, endings = "/usr/share/games/flightgear/Models", (".ac",)
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
    paths = sorted(path for path in paths if os.path.isfile(path) and (endings is None or path.lower().endswith(endings)))
    if not paths:
        sys.exit("decompose_open.py: no meshes in %s (run: make deps-bench)" % root)
    return root, paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="folder of bvbuild, bvinspect and make_samples")
    parser.add_argument("--bvbuild", help="instead of the one in --build")
    parser.add_argument("--bvinspect", help="instead of the one in --build")
    parser.add_argument("--set", choices=SETS + ("all",), default="own")
    parser.add_argument("--mesh", default="", help="only meshes whose name contains this")
    parser.add_argument("--most-triangles", type=int, default=200000)
    parser.add_argument("--limit", type=float, default=70, help="processor seconds after which a build is stopped")
    parser.add_argument("--budget", type=float, action="append", default=[])
    parser.add_argument("--option", action="append", default=[], help="for every call of bvbuild, as in --option='--preset fast'")
    parser.add_argument("--csv", default=os.devnull, help="write a row per run to this file")
    parser.add_argument("--before", action="append", default=[], help="a file that --csv wrote, to show its times beside the new ones")
    parser.add_argument("--show", action="append", default=[], help="print the tables of files that --csv wrote, without a run")
    parser.add_argument("--quick", action="store_true", help="only small meshes: a minute")
    given = parser.parse_args()
    given.bvbuild = given.bvbuild or os.path.join(given.build, "bvbuild")
    given.bvinspect = given.bvinspect or os.path.join(given.build, "bvinspect")
    if given.quick:
        given.most_triangles = min(given.most_triangles, QUICK_TRIANGLES)
    before = {(row["set"], row["name"]): row for path in given.before for row in read_rows(path) if row["seconds"] != ""}
    if given.show:
        sys.exit(0 if print_tables([row for path in given.show for row in read_rows(path)], before) else 1)
    with tempfile.TemporaryDirectory() as scratch, open(given.csv, "w", newline="", buffering=1, errors="surrogateescape") as file:
        log = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        log.writeheader()
        bench = Bench(given, scratch, log)
        for kind in SETS if given.set == "all" else (given.set,):
            if kind == "own":
                for name, _, make in open_meshes.corpus(os.path.join(given.build, "make_samples")):
                    if given.mesh in name:
                        path = os.path.join(scratch, name + ".off")
                        make().write(path)
                        bench.measure(kind, name, path)
                        os.remove(path)
                continue
            root, paths = files_of(kind, given.build)
            for path in paths:
                name = os.path.relpath(path, root)
                if given.mesh in name:
                    bench.measure(kind, name, path)
    sys.exit(0 if print_tables(bench.rows, before) else 1)


if __name__ == "__main__":
    main()

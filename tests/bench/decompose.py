"""Convex decompositions compared with V-HACD's and CoACD's. Their results are in ../shared/peers/acd.csv, measured by
../shared/tools/acd_eval.cpp. Prints tables and verdicts as Markdown; exits with 1 if a verdict is no.

    python3 decompose.py [OPTION...] [ROW...]

ROW is one of those below, by default all. Times are those of the decomposition alone, on one thread. The peers' times are scaled
by the ratio of FCL's build times for the OBBRSS tree of stanford-bunny on both machines.

    quality    fast, balanced and best at CoACD's number of hulls, at most 255 vertices each: stand-off and time
    fewest     the smallest --max-parts with CoACD's stand-off p95, at most 255 vertices each
    light      CoACD's numbers of hulls with at most 64 vertices each
    vhacd      64 parts of at most 64 vertices against V-HACD's 64 hulls: processor time and stand-off
    soups      open and flat meshes, which CoACD rejects: covered and certified
    certified  certified distances of all meshes against samples; the ratio of the bounds
    caps       1 to 32 parts, 8 to 64 vertices, all meshes: never exceeded
    identity   threads 1 and 2, and two runs: the same bytes

    --mesh NAME        only this one; can be given several times
    --preset NAME      of `quality`, only this one; can be given several times
    --build DIR        folder of bvbuild (build)
    --shared DIR       folder with the meshes (../shared)
    --judge PROGRAM    acd_eval (slow for large meshes), or judge_parts (default: the same figures with more digits)
    --samples N        of mesh and parts each (30000, as in the peers' rows)
    --repeats N        of `vhacd`, builds per measured time, of which the fastest counts (3)
    --fcl SECONDS      FCL's build time here, instead of measuring it
    --option TEXT      another option for every call of bvbuild; can be given several times
"""

import os
import re
import resource
import subprocess
import sys
import time

FCL_SECONDS_OF_PEERS = 0.24
BEST = 0.8
CLOSE = 1.05
LIGHT = 1.25
# Of V-HACD's time, in sum and at most.
VHACD_SUM = 0.6
VHACD_MOST = 2
NARROW = 1.1
# Of the diagonal: positions are rounded to binary32.
COVERED = 1e-6
# CoACD's hulls have no cap; ours have 64 corners unless more are asked for.
UNCAPPED = ("--max-part-vertices", "255")
ROWS = ("quality", "fewest", "light", "vhacd", "soups", "certified", "caps", "identity")
# Where the search for the fewest gives up.
MOST_PARTS = 512
# What acd.csv and acd_eval print ends there.
DIGITS = 4


class Options:
    build = "build"
    shared = "../shared"
    judge = "judge_parts"
    samples = 30000
    repeats = 3
    fcl = None
    meshes = []
    presets = []
    extra = []
    rows = []


def fail(text):
    print("decompose.py: " + text, file=sys.stderr)
    sys.exit(1)


def parse(arguments):
    options = Options()
    words = iter(arguments)
    for word in words:
        if word in ROWS:
            options.rows.append(word)
            continue
        if word in ("--help", "-h"):
            print(__doc__)
            sys.exit(0)
        value = next(words, None)
        if value is None:
            fail("what is %s?" % word)
        if word == "--mesh":
            options.meshes.append(value)
        elif word == "--preset":
            options.presets.append(value)
        elif word == "--build":
            options.build = value
        elif word == "--shared":
            options.shared = value
        elif word == "--judge" and value in ("judge_parts", "acd_eval"):
            options.judge = value
        elif word == "--samples":
            options.samples = int(value)
        elif word == "--repeats":
            options.repeats = int(value)
        elif word == "--fcl":
            options.fcl = float(value)
        elif word == "--option":
            options.extra += value.split()
        else:
            fail("what is %s %s?" % (word, value))
    options.rows = options.rows or list(ROWS)
    options.presets = options.presets or ["fast", "balanced", "best"]
    return options


def run(arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        fail("exit code %d: %s\n%s" % (done.returncode, " ".join(arguments), done.stderr))
    return done.stdout


class Judged:
    """One line of acd.csv, or of what judges us."""

    def __init__(self, words):
        self.hulls = int(words[0])
        self.triangles = int(words[1])
        self.uncovered = float(words[3])
        self.mean = float(words[4])
        self.p95 = float(words[5])
        self.max = float(words[6])
        self.ratio = float(words[7])
        self.seconds = 0.0


class Peers:
    """acd.csv by mesh."""

    def __init__(self, path):
        self.coacd = {}
        self.vhacd = {}
        self.refused = []
        for line in open(path).read().split("\n")[1:]:
            words = line.split(",")
            if len(words) < 4:
                continue
            if words[3] == "NONMANIFOLD":
                self.refused.append(words[0])
                continue
            judged = Judged(words[3:])
            judged.seconds = float(words[2])
            (self.coacd if words[1].startswith("coacd") else self.vhacd)[words[0]] = judged


class Parts:
    """A decomposition: its file, what the report says, and the seconds it took."""

    def __init__(self, path, report):
        text = open(report).read()
        section = re.search(r'"decomposition":\s*\{(.*?)"hulls"', text, re.S).group(1)

        def number(name, within):
            return float(re.search(r'"%s":\s*([-+0-9.e]+)' % name, within).group(1))

        self.path = path
        self.parts = int(number("parts", section))
        self.lower = number("lower", section)
        self.upper = number("upper", section)
        self.uncovered = number("uncovered", section)
        self.vertices = number("vertices", section)
        self.mode = re.search(r'"mode":\s*"(\w+)"', section).group(1)
        self.most = max(int(n) for n in re.findall(r'"vertices":\s*(\d+)', text.split('"hulls"')[1].split('"hierarchy"')[0]))
        self.seconds = number("decompose", re.search(r'"time":\s*\{(.*?)\}', text, re.S).group(1))


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = os.path.join(options.build, "bench", "decompose")
        os.makedirs(self.folder, exist_ok=True)
        self.peers = Peers(os.path.join(options.shared, "peers", "acd.csv"))
        self.failed = 0
        folder = os.path.join(options.shared, "meshes")
        self.paths = {}
        for name in sorted(os.listdir(folder)):
            stem = os.path.splitext(name)[0]
            if not options.meshes or stem in options.meshes:
                self.paths[stem] = os.path.join(folder, name)
        if not self.paths:
            fail("no such mesh")
        self.sources = {}
        self.diagonals = {}
        self.judge = os.path.join(options.build, "bench", options.judge)

    def accepted(self):
        return [name for name in sorted(self.peers.coacd) if name in self.paths]

    def searching(self):
        """The presets that look for cuts; if none was asked for, those that were."""
        return [preset for preset in self.options.presets if preset != "fast"] or self.options.presets

    def program(self, name, source, flags):
        """Builds one of the shared programs unless it is there."""
        path = os.path.join(self.options.build, "bench", name)
        if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
            run(["g++", source, "-o", path, "-w"] + flags)
        return path

    def scale(self):
        """How much longer than there everything takes here."""
        if self.options.fcl is None:
            tools = os.path.join(self.options.shared, "tools")
            flags = run(["pkg-config", "--cflags", "--libs", "fcl", "eigen3", "assimp"]).split() + ["-lccd"]
            fcl = self.program("fcl_bench", os.path.join(tools, "fcl_bench.cpp"), ["-O3", "-march=native"] + flags)
            bunny = os.path.join(self.options.shared, "meshes", "stanford-bunny.obj")
            poses = os.path.join(self.folder, "none.csv")
            open(poses, "w").write("no poses\n")
            seconds = []
            for _ in range(5):
                line = run([fcl, bunny, bunny, poses]).split("\n")[0]
                for count, rate in re.findall(r"(\d+) triangles (\d+) ktri/s", line):
                    seconds.append(int(count) / float(rate) / 1e3)
            # What else runs on the machine makes it longer, never shorter.
            self.options.fcl = min(seconds)
        return self.options.fcl / FCL_SECONDS_OF_PEERS

    def source(self, name):
        """The mesh as OBJ, which is all that the judges read. Polygons that are not flat are other surfaces once they are cut into
        other triangles, so these come from bvbuild."""
        if name not in self.sources:
            path = self.paths[name]
            if path.endswith(".obj") and any(line.startswith("f ") and len(line.split()) > 4 for line in open(path, errors="replace")):
                file = os.path.join(self.folder, name + ".source.bvh")
                run([os.path.join(self.options.build, "bvbuild"), "--quiet", path, "-o", file, "--sections", "none,mesh"])
                path = os.path.join(self.folder, name + ".source.obj")
                run([os.path.join(self.options.build, "bvinspect"), "--quiet", file, "--export", "mesh," + path])
            if path.endswith(".off"):
                words = re.sub(r"#.*", "", open(path).read()).split()
                vertices, faces = int(words[1]), int(words[2])
                lines = ["v " + " ".join(words[4 + 3 * i : 7 + 3 * i]) for i in range(vertices)]
                at = 4 + 3 * vertices
                for _ in range(faces):
                    corners = int(words[at])
                    lines.append("f " + " ".join(str(int(w) + 1) for w in words[at + 1 : at + 1 + corners]))
                    at += 1 + corners
                path = os.path.join(self.folder, name + ".source.obj")
                open(path, "w").write("\n".join(lines) + "\n")
            self.sources[name] = path
        return self.sources[name]

    def diagonal(self, name):
        if name not in self.diagonals:
            points = [line.split()[1:4] for line in open(self.source(name), errors="replace") if line.startswith("v ")]
            squared = 0
            for k in range(3):
                values = [float(p[k]) for p in points]
                squared += (max(values) - min(values)) ** 2
            self.diagonals[name] = squared**0.5
        return self.diagonals[name]

    def decompose(self, name, preset, parts, *extra, threads=1):
        path = os.path.join(self.folder, name + ".bvh")
        report = os.path.join(self.folder, name + ".json")
        run(
            [os.path.join(self.options.build, "bvbuild"), "--quiet", self.paths[name], "-o", path, "--report", report]
            + ["--preset", preset, "--decompose=0", "--max-parts", str(parts), "--threads", str(threads)]
            + self.options.extra
            + list(extra)
        )
        return Parts(path, report)

    def processor_seconds(self, name, *flags):
        """Of a build with the mesh and what the flags add, the least of some repeats: other work makes it longer, never shorter."""
        path = os.path.join(self.folder, name + ".bvh")
        seconds = []
        for _ in range(self.options.repeats):
            # A file that is up to date is not built again.
            if os.path.exists(path):
                os.remove(path)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run(
                [os.path.join(self.options.build, "bvbuild"), "--quiet", self.paths[name], "-o", path]
                + ["--threads", "1", "--sections", "none,mesh"]
                + list(flags)
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(seconds)

    def judged(self, name, parts, *within):
        hulls = os.path.join(self.folder, name + ".parts.obj")
        run([os.path.join(self.options.build, "bvinspect"), "--quiet", parts.path, "--export", "parts," + hulls])
        line = run([self.judge, self.source(name), hulls, str(self.options.samples)] + ["%.17g" % w for w in within])
        judged = Judged(line.strip().split(","))
        judged.seconds = parts.seconds
        if judged.hulls != parts.parts:
            fail("%s: %d parts in the report and %d in the OBJ file" % (name, parts.parts, judged.hulls))
        return judged

    def verdict(self, good, text):
        self.failed += not good
        print("- %s: %s" % ("yes" if good else "**no**", text), flush=True)


def heading(*columns):
    print("| " + " | ".join(columns) + " |")
    print("| " + " | ".join("---" if i == 0 else "---:" for i in range(len(columns))) + " |", flush=True)


def row(*columns):
    print("| " + " | ".join(str(c) for c in columns) + " |", flush=True)


def at_most(ours, theirs):
    """As the peers' digits allow to say."""
    return round(ours, DIGITS) <= theirs


def but(exceptions):
    return ", but not " + ", ".join(exceptions) if exceptions else ""


def total(judged, key):
    return sum(getattr(j, key) for j in judged)


def show_quality(bench):
    print("### At CoACD's number of hulls\n")
    scale = bench.scale()
    print("FCL builds stanford-bunny in %.3f s here; the peers' seconds are times %.2f.\n" % (bench.options.fcl, scale))
    names = bench.accepted()
    ours = {}
    for preset in bench.options.presets:
        print("`%s`:\n" % preset)
        heading(
            "mesh", "hulls", "of CoACD", "triangles", "of CoACD", "mean", "of CoACD", "p95", "of CoACD", "max", "of CoACD",
            "uncovered", "volume ratio", "of CoACD", "seconds", "of CoACD", "of V-HACD", "certified",
        )
        ours[preset] = []
        for name in names:
            peer = bench.peers.coacd[name]
            parts = bench.decompose(name, preset, peer.hulls, *UNCAPPED)
            j = bench.judged(name, parts)
            ours[preset].append(j)
            d = bench.diagonal(name)
            row(
                name, j.hulls, peer.hulls, j.triangles, peer.triangles, "%.5f" % j.mean, peer.mean, "%.5f" % j.p95, peer.p95,
                "%.5f" % j.max, peer.max, "%.1e" % j.uncovered, "%.3f" % j.ratio, peer.ratio, "%.2f" % j.seconds,
                "%.2f" % (scale * peer.seconds), "%.2f" % (scale * bench.peers.vhacd[name].seconds),
                "%.5f to %.5f" % (parts.lower / d, parts.upper / d),
            )
        print()
        peers = [bench.peers.coacd[name] for name in names]
        print("Sums: ", end="")
        print(", ".join("%s %.5f against %.4f (%.2f)" % (k, total(ours[preset], k), total(peers, k),
              total(ours[preset], k) / total(peers, k)) for k in ("mean", "p95", "max")) + ".\n")
    if "balanced" in ours:
        for name, j in zip(names, ours["balanced"]):
            peer = bench.peers.coacd[name]
            good = j.hulls <= peer.hulls and at_most(j.mean, peer.mean) and at_most(j.p95, peer.p95)
            bench.verdict(good, "`balanced`, %s: mean and p95 at or below CoACD's" % name)
        for name, j in zip(names, ours["balanced"]):
            bench.verdict(j.seconds < scale * bench.peers.vhacd[name].seconds, "`balanced`, %s: faster than V-HACD" % name)
    for preset in bench.options.presets:
        bad = ["%s %.1e" % (name, j.uncovered) for name, j in zip(names, ours[preset]) if j.uncovered > COVERED]
        bench.verdict(not bad, "`%s`: the parts cover the mesh%s" % (preset, but(bad)))
    if "best" in ours:
        bench.verdict(total(ours["best"], "p95") <= BEST * total(peers, "p95"), "`best`: p95 in sum 20 % below CoACD's")
        bench.verdict(total(ours["best"], "max") <= CLOSE * total(peers, "max"), "`best`: max in sum within 1.05 times CoACD's")
    print()


def fewest(bench, name, preset):
    """By bisection, as if more parts never were worse. With it, whether it is as good as CoACD's at all."""
    goal = bench.peers.coacd[name].p95
    tried = {}

    def good(parts):
        if parts not in tried:
            tried[parts] = bench.judged(name, bench.decompose(name, preset, parts, *UNCAPPED))
        return at_most(tried[parts].p95, goal)

    high = bench.peers.coacd[name].hulls
    while not good(high):
        if high >= MOST_PARTS:
            return tried[high], False
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if good(middle):
            high = middle
        else:
            low = middle
    return tried[high], True


def show_fewest(bench):
    print("### The fewest hulls at CoACD's stand-off p95\n")
    names = bench.accepted()
    for preset in bench.searching():
        print("`%s`:\n" % preset)
        heading("mesh", "hulls", "of CoACD", "p95", "of CoACD", "mean", "of CoACD", "max", "of CoACD", "triangles", "of CoACD")
        ours = []
        missed = []
        for name in names:
            peer = bench.peers.coacd[name]
            j, reached = fewest(bench, name, preset)
            ours.append(j)
            if not reached:
                missed.append(name)
            row(name, j.hulls if reached else "none", peer.hulls, "%.5f" % j.p95, peer.p95, "%.5f" % j.mean, peer.mean, "%.5f" % j.max, peer.max,
                j.triangles, peer.triangles)
        theirs = total([bench.peers.coacd[name] for name in names], "hulls")
        print()
        bench.verdict(
            not missed and total(ours, "hulls") < theirs,
            "`%s`: fewer hulls in sum, %d against %d" % (preset, total(ours, "hulls"), theirs)
            + ("; with no number as near: " + ", ".join(missed) if missed else ""),
        )
        print()


def show_light(bench):
    print("### With at most 64 vertices per hull\n")
    names = bench.accepted()
    for preset in bench.searching():
        print("`%s --max-part-vertices 64`:\n" % preset)
        heading("mesh", "hulls", "of CoACD", "triangles", "of CoACD", "mean", "of CoACD", "p95", "of CoACD", "max", "of CoACD")
        ours = []
        for name in names:
            peer = bench.peers.coacd[name]
            j = bench.judged(name, bench.decompose(name, preset, peer.hulls, "--max-part-vertices", "64"))
            ours.append(j)
            row(name, j.hulls, peer.hulls, j.triangles, peer.triangles, "%.5f" % j.mean, peer.mean, "%.5f" % j.p95, peer.p95,
                "%.5f" % j.max, peer.max)
        peers = [bench.peers.coacd[name] for name in names]
        p95 = total(ours, "p95") / total(peers, "p95")
        triangles = total(ours, "triangles") / total(peers, "triangles")
        print()
        bench.verdict(p95 <= LIGHT, "`%s`: p95 in sum %.2f times CoACD's uncapped" % (preset, p95))
        bench.verdict(triangles < 0.5, "`%s`: %.2f times CoACD's triangles" % (preset, triangles))
        print()


def show_vhacd(bench):
    print("### At V-HACD's 64 hulls\n")
    scale = bench.scale()
    print("FCL builds stanford-bunny in %.3f s here; V-HACD's seconds are times %.2f. Ours are processor seconds of one thread: with the"
          % (bench.options.fcl, scale))
    print("decomposition less without it, the least of %d. V-HACD stops at 64 hulls, so the bars are for `--decompose=0`, which cuts into"
          % bench.options.repeats)
    print("up to 64 parts whatever the stand-off. The second time is at the default tolerance.\n")
    heading("mesh", "parts", "of V-HACD", "mean", "of V-HACD", "p95", "of V-HACD", "max", "of V-HACD", "seconds", "of V-HACD", "ratio",
            "at the default tolerance", "ratio")
    names = [name for name in sorted(bench.peers.vhacd) if name in bench.paths]
    caps = ["--max-parts", "64", "--max-part-vertices", "64"]
    ours = []
    ratios = {}
    for name in names:
        peer = bench.peers.vhacd[name]
        j = bench.judged(name, bench.decompose(name, "balanced", 64, "--max-part-vertices", "64"))
        without = bench.processor_seconds(name)
        theirs = scale * peer.seconds
        j.seconds = bench.processor_seconds(name, "--decompose=0", *caps) - without
        tolerant = bench.processor_seconds(name, "--decompose", *caps) - without
        ours.append(j)
        ratios[name] = j.seconds / theirs
        row(name, j.hulls, peer.hulls, "%.5f" % j.mean, peer.mean, "%.5f" % j.p95, peer.p95, "%.5f" % j.max, peer.max,
            "%.2f" % j.seconds, "%.2f" % theirs, "%.2f" % ratios[name], "%.2f" % tolerant, "%.2f" % (tolerant / theirs))
    peers = [bench.peers.vhacd[name] for name in names]
    share = total(ours, "seconds") / (scale * total(peers, "seconds"))
    slow = ["%s %.2f" % (name, ratios[name]) for name in names if ratios[name] > VHACD_MOST]
    far = [name for name, j in zip(names, ours) if not at_most(j.p95, bench.peers.vhacd[name].p95)]
    many = [name for name, j in zip(names, ours) if j.hulls > 64]
    print("\nSums: " + ", ".join("%s %.5f against %.4f" % (k, total(ours, k), total(peers, k)) for k in ("mean", "p95", "max")) + ".\n")
    bench.verdict(share <= VHACD_SUM, "%.2f times V-HACD's time in sum, at most %.1f" % (share, VHACD_SUM))
    bench.verdict(not slow, "at most %d times V-HACD's time on each mesh%s" % (VHACD_MOST, but(slow)))
    bench.verdict(not far, "p95 at or below V-HACD's on each mesh%s" % but(far))
    bench.verdict(not many, "at most 64 parts%s" % but(many))
    print()


def certify(bench, name, preset, parts):
    """A row, and whether every sample is within what is certified."""
    p = bench.decompose(name, preset, parts)
    j = bench.judged(name, p)
    d = bench.diagonal(name)

    # Positions of record are binary32, and acd_eval prints few digits.
    slack = 2e-7 + (0.5 * 10**-DIGITS if bench.options.judge == "acd_eval" else 0)
    upper, lower, uncovered = p.upper / d, p.lower / d, p.uncovered / d
    farthest = j.max
    if farthest > upper + slack and bench.options.judge == "judge_parts":
        # That knows no shape but triangles; next to an opening what is inside may be nearer.
        farthest = bench.judged(name, p, p.upper).max
    narrow = p.upper / p.lower if p.lower > 0 else (1 if p.upper == 0 else float("inf"))
    row(name, preset, p.mode, j.hulls, j.triangles, "%.2f" % p.seconds, "%.5f" % j.p95, "%.5f" % farthest, "%.5f" % lower,
        "%.5f" % upper, "%.3f" % narrow, "%.1e" % j.uncovered, "%.1e" % uncovered)
    return farthest <= upper + slack and j.uncovered <= uncovered + slack, narrow, upper, p


CERTIFIED = ("mesh", "preset", "mode", "hulls", "triangles", "seconds", "p95", "max of samples", "certified: lower", "upper",
             "upper / lower", "uncovered, samples", "certified")


def show_soups(bench):
    print("### Open and flat meshes, which CoACD rejects\n")
    heading(*CERTIFIED)
    names = [n for n in sorted(bench.paths) if n not in bench.peers.coacd]
    bad = []
    for name in names:
        within, _, _, p = certify(bench, name, "balanced", 32)
        if not within or p.parts > 32:
            bad.append(name)
    print()
    bench.verdict(not bad, "all %d decomposed, covered and certified%s" % (len(names), but(bad)))
    print()


def show_certified(bench):
    print("### Certified distances against samples\n")
    heading(*CERTIFIED)
    bad = []
    wide = []
    for name in sorted(bench.paths):
        parts = bench.peers.coacd[name].hulls if name in bench.peers.coacd else 16
        for preset in bench.options.presets:
            within, narrow, upper, _ = certify(bench, name, preset, parts)
            if not within:
                bad.append("%s by `%s`" % (name, preset))
            # What is as near as binary32 corners can be has no narrow interval, and needs none.
            if narrow > NARROW and upper > 1e-6:
                wide.append("%s by `%s` %.2f" % (name, preset, narrow))
    print()
    bench.verdict(not bad, "no sample is farther than certified" + but(bad))
    bench.verdict(not wide, "upper / lower at most %.1f%s" % (NARROW, but(wide)))
    print()


def show_caps(bench):
    print("### Caps\n")
    heading("mesh", "calls", "most parts over the cap", "most corners over the cap", "seconds")
    good = True
    for name in sorted(bench.paths):
        calls = 0
        over_parts = -(10**9)
        over_corners = -(10**9)
        start = time.time()
        for parts in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32):
            for corners in (8, 12, 16, 32, 64):
                p = bench.decompose(name, "fast", parts, "--max-part-vertices", str(corners))
                calls += 1
                over_parts = max(over_parts, p.parts - parts)
                over_corners = max(over_corners, p.most - corners)
        good = good and over_parts <= 0 and over_corners <= 0
        row(name, calls, over_parts, over_corners, "%.1f" % (time.time() - start))
    print()
    bench.verdict(good, "1 to 32 parts and 8 to 64 corners are never exceeded")
    print()


def show_identity(bench):
    print("### The same bytes\n")
    heading("mesh", "preset", "one thread twice", "two threads")
    good = True
    for name in sorted(bench.paths):
        for preset in bench.options.presets:
            files = []
            for threads in (1, 1, 2):
                p = bench.decompose(name, preset, 24, threads=threads)
                files.append(open(p.path, "rb").read())
            same = [files[0] == other for other in files[1:]]
            good = good and all(same)
            row(name, preset, *("same" if s else "**differ**" for s in same))
    print()
    bench.verdict(good, "bytes are the same in two runs and with two threads")
    print()


def main():
    options = parse(sys.argv[1:])
    bench = Bench(options)
    if options.judge == "acd_eval":
        bench.program("acd_eval", os.path.join(options.shared, "tools", "acd_eval.cpp"), ["-O2"])
    show = {
        "quality": show_quality,
        "fewest": show_fewest,
        "light": show_light,
        "vhacd": show_vhacd,
        "soups": show_soups,
        "certified": show_certified,
        "caps": show_caps,
        "identity": show_identity,
    }
    for name in options.rows:
        show[name](bench)
    print("%d verdicts are no." % bench.failed)
    return 1 if bench.failed else 0


sys.exit(main())

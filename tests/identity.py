"""The same bytes, whatever made them.

    identity.py table BUILD                       the sections of files, against what tests/golden/hashes says of them
    identity.py write BUILD                       writes that table
    identity.py builds [--quick] BUILD OTHER...   other builds, numbers of threads and levels of the instruction set; --quick: of
                                                  the table's files and of meshes up to 50 kB
    identity.py machine BUILD OTHER COMMAND...    a build for another machine, whose programs COMMAND runs

Files are of two kinds. What passes through neither qhull nor Assimp must be the same on every machine. The rest must be the same
from every build on one machine; on another one it is compared, verified and reported: libraries may be compiled otherwise there.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(here, "golden", "hashes")
MESHES = os.environ.get("BV_SHARED", os.path.join(here, "..", "..", "shared")) + "/meshes"

# All sections that no hull or primitive is in, and boxes of the root that need none.
NEITHER = ["--box", "dito", "--sections", "none,mesh,tree,errors,edges,source,adjacency,radius,node-quality,node-faces"]
# Of meshes that take long: nothing is certified.
QUICK = ["--preset", "fast", "--sections", NEITHER[-1].replace("errors,", "")]
# Builders whose trees are of their own degree, so that nothing goes with them that wants binary ones.
OWN_TREES = ("quinlan", "quinlan-faces", "palmer-grimsdale", "hubbard-octree", "hubbard-octree-estimate", "hubbard-octree-plain",
             "hubbard-medial", "adaptive-medial", "sphere-merge")
THREADS = (2, 3, 4, 7, 8, 16, 31, 64)
# What glibc then takes for its memory and mathematical functions, and libraries for theirs.
NARROW = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_2,-SSE4_1,-SSSE3"}


class Program:
    """The tools of a build folder, on whatever machine they are for."""

    def __init__(self, build, emulator=(), environment=None):
        self.build = build
        self.emulator = list(emulator)
        self.environment = dict(os.environ, **(environment or {}))

    def run(self, tool, *arguments):
        command = [*self.emulator, os.path.join(self.build, tool), *arguments]
        done = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"identity: {' '.join(command)}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def make(self, mesh, options, output, threads=1):
        self.run("bvbuild", "-q", *options, "--threads", str(threads), mesh, "-o", output)
        with open(output, "rb") as file:
            return file.read()


def names(program, heading):
    """What --help=all lists below a heading, one a line."""
    return [words[0] for words in lines(program, heading)]


def lines(program, heading):
    """What --help=all has below a heading, in words."""
    found = []
    inside = False
    for line in program.run("bvbuild", "--help=all").split("\n"):
        if line.startswith("  ") and inside:
            found.append(line.split())
        elif line.startswith(heading):
            inside = True
        elif not line:
            inside = False
    return found


def neither_recipes(program):
    """Every way to build a hierarchy, of meshes that are small: (mesh, options)."""
    found = [("crate.obj", f"--splitter {name} --degree 3") for name in names(program, "Splitters")]
    for name in names(program, "Builders"):
        found.append(("crate.obj", f"--builder {name}"))
        if name not in OWN_TREES:
            found.append(("stair.obj", f"--builder {name} --volume kdop18 --optimise 5 --collapse 4 --leaf-triangles 3"))
    for name in names(program, "Volumes"):
        found.append(("broken.obj", f"--volume {name} --splitter kmeans --improvement 0.6"))
        found.append(("crate.obj", f"--volume {name} --positions quantized --hausdorff 0.05"))
    for name in names(program, "Boxes of nodes"):
        found.append(("broken.obj", f"--node-box {name} --optimise 5"))
    for name in ("area", "volume", "diameter", "hausdorff"):
        found.append(("crate.obj", f"--volume obb,sphere --quality {name} --aggregate max --improvement 0.6"))
    for name in ("fast", "balanced", "best"):
        found.append(("broken.obj", f"--preset {name} --hausdorff 0.05"))
    found.append(("crate.obj", "--normalize --positions quantized"))
    found.append(("rock.obj", "--weld 0.01 --scale 0.3"))
    found.append(("crate.obj", "--simplify 5%"))
    found.append(("rock.obj", "--simplify 2% --up y --units cm"))
    found.append(("knot.obj", "--hausdorff 0.05"))
    return [(mesh, options.split()) for mesh, options in found]


def hull_recipes(program):
    """What has a convex hull, or what is made of hulls by qhull."""
    found = [("crate.obj", ""), ("stair.obj", "--sections hull-topology"), ("knot.obj", "--preset fast --positions quantized")]
    for name in names(program, "Boxes of the whole mesh"):
        found.append(("rock.obj", f"--sections none,mesh,bounds,mass --box {name}"))
    for name in names(program, "Decomposers"):
        found.append(("crate.obj", f"--decompose=2% --decomposer {name} --hausdorff 0"))
    found.append(("stair.obj", "--decompose=5% --decompose-effort 0 --hausdorff 0 --sections part-triangles"))
    found.append(("broken.obj", "--decompose=0 --max-parts 9 --max-part-vertices 16 --decompose-mode surface --preset fast"))
    return [(mesh, options.split()) for mesh, options in found]


def sections(data):
    """Name and bytes of each, as formats/bvh/README.md lays them out."""
    found = {}
    for i in range(struct.unpack_from("<I", data, 32)[0]):
        name, _, _, offset, size, _ = struct.unpack_from("<4sHHQQQ", data, 64 + 32 * i)
        found[name.decode()] = data[offset : offset + size]
    return found


def hashes(data):
    """Eight digits of the hash of each, but for where the file came from: that says how it was made, not what came out."""
    found = []
    for i in range(struct.unpack_from("<I", data, 32)[0]):
        name, _, _, _, _, number = struct.unpack_from("<4sHHQQQ", data, 64 + 32 * i)
        if name != b"ORGN":
            found.append(f"{name.decode()}={number >> 32:08x}")
    return " ".join(found)


def each(do, things):
    """All results of do, in order, of as many at once as there are processors."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(do, things))


def table_lines(program, folder):
    recipes = [("neither", mesh, options) for mesh, options in neither_recipes(program)]
    recipes += [("hull", mesh, options) for mesh, options in hull_recipes(program)]

    def line(numbered):
        i, (kind, mesh, options) = numbered
        fixed = NEITHER if kind == "neither" else []
        data = program.make(f"{folder}/{mesh}", fixed + options, f"{folder}/{i}.bvh")
        return f"{' '.join([kind, mesh, *options])}: {hashes(data)}"

    return each(line, list(enumerate(recipes)))


def check_table(program, folder):
    now = dict(line.split(": ", 1) for line in table_lines(program, folder))
    with open(TABLE) as file:
        before = dict(line.rstrip("\n").split(": ", 1) for line in file if not line.startswith("#"))
    wrong = 0
    for recipe in sorted(now.keys() | before.keys()):
        if now.get(recipe) == before.get(recipe):
            continue
        wrong += 1
        if recipe not in now or recipe not in before:
            print(f"identity: {recipe}: is only in {'the table' if recipe in before else 'what is built now'}")
            continue
        old = dict(part.split("=") for part in before[recipe].split())
        new = dict(part.split("=") for part in now[recipe].split())
        changed = [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]
        print(f"identity: {recipe}: changed: {' '.join(changed)}")
    if wrong:
        print("identity: if that is meant: make hashes, and say in the commit why")
    print(f"identity: {len(now.keys() | before.keys()) - wrong} passed, {wrong} failed")
    return wrong == 0


def write_table(program, folder):
    with open(TABLE, "w") as file:
        file.write("# Hashes of the sections of files, by kind, mesh of make_samples, and options: see tests/identity.py. Made by: make hashes\n")
        file.write("".join(line + "\n" for line in table_lines(program, folder)))
    return True


def passes(program, mesh, options, folder):
    """Whether qhull is called, of which the loader tells when it is for the first time, or none of our own readers."""
    traced = Program(program.build, environment={"LD_DEBUG": "bindings", "LD_BIND_NOW": ""})
    command = [f"{traced.build}/bvbuild", "-q", *options, mesh, "-o", f"{folder}/passes.bvh"]
    told = subprocess.run(command, env=traced.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr
    bound = [line for line in told.split("\n") if "bvbuild [0] to" in line]
    if not bound:
        sys.exit(f"identity: the loader does not tell what {' '.join(command)} calls")
    reader = json.loads(program.run("bvinspect", "--json", f"{folder}/passes.bvh"))["source"]["format"]
    return any("`qh_new_qhull'" in line for line in bound) or reader not in ("glb", "gltf", "obj", "off", "ply", "stl")


def queries(program, file, poses):
    """What queries find, without the time that they take."""
    text = "".join(program.run("bvinspect", how, file, "--poses", poses, file) for how in ("--collide", "--distance"))
    return [line.rsplit(",", 1)[0] for line in text.split("\n")]


def write_poses(path):
    """Turned about the third axis by what needs no rounding, and shifted more and more."""
    with open(path, "w") as file:
        file.write("r00,r01,r02,r10,r11,r12,r20,r21,r22,tx,ty,tz\n")
        for i in range(12):
            file.write(f"0.28,-0.96,0,0.96,0.28,0,0,0,1,{i * 0.25},{i * 0.125},{i * 0.0625}\n")
    return path


def many_recipes(program, folder, largest=None):
    """All of the table, and every mesh there is with some options: (path, options, kind)."""
    found = [(f"{folder}/{mesh}", NEITHER + options, "neither") for mesh, options in neither_recipes(program)]
    found += [(f"{folder}/{mesh}", options, "hull") for mesh, options in hull_recipes(program)]
    meshes = [f"{MESHES}/{name}" for name in sorted(os.listdir(MESHES))] if os.path.isdir(MESHES) else []
    meshes = [mesh for mesh in meshes if not largest or os.path.getsize(mesh) <= largest]
    for mesh in [f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".obj")] + meshes:
        for form in ("float", "quantized"):
            rest = QUICK if os.path.getsize(mesh) > 1000000 else ["--hausdorff", "0.05"]
            found.append((mesh, NEITHER + ["--positions", form, *rest], "neither"))
            found.append((mesh, ["--positions", form, "--preset", "fast", "--recognise", "2%"], "hull"))
    ways = ["--decompose=5%", "--decompose=0 --max-parts 4 --max-part-vertices 16 --decompose-mode surface"]
    for mesh in [f"{folder}/stair.obj", *(f"{MESHES}/{name}" for name in ("eight.off", "table.off", "SnowFlake.obj", "alligator.obj"))]:
        if mesh in meshes or mesh.startswith(folder):
            found.append((mesh, [*NEITHER, "--simplify", "2%"], "neither"))
            for decompose in ways + ([] if largest else ["--decompose=1%"]):
                found.append((mesh, ["--hausdorff", "0", "--recognise", "0", *decompose.split()], "hull"))
    for form in ("ply", "glb"):
        program.run("bvinspect", make_first(program, folder, "stair.obj"), "--export", f"mesh,{folder}/stair.{form}")
        found.append((f"{folder}/stair.{form}", NEITHER, "neither"))
    write_raw(f"{folder}/stair.obj", f"{folder}/stair.raw")
    found.append((f"{folder}/stair.raw", NEITHER, "Assimp"))
    return found


def write_raw(source, target):
    """A mesh as a format that Assimp reads: the nine coordinates of each triangle in a line."""
    corners = []
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        for word, *rest in (line.split() for line in lines if line.strip()):
            if word == "v":
                corners.append(" ".join(rest[:3]))
            elif word == "f":
                numbers = [int(corner.split("/")[0]) - 1 for corner in rest]
                for i in range(1, len(numbers) - 1):
                    print(corners[numbers[0]], corners[numbers[i]], corners[numbers[i + 1]], file=out)


def make_first(program, folder, mesh):
    output = f"{folder}/{mesh}.bvh"
    program.make(f"{folder}/{mesh}", [], output)
    return output


def title(mesh, options):
    short = [option for option in options if option not in NEITHER]
    return " ".join([os.path.basename(mesh), *short])


def compare_builds(first, others, folder, quick):
    """Each recipe by each build with the next number of threads, and by the first one as well; if quick, by two of them in turn."""
    others = others + [first, Program(first.build, environment=NARROW)]
    poses = write_poses(f"{folder}/poses.csv")
    recipes = many_recipes(first, folder, 50000 if quick else None)
    files = 0
    for turn, (mesh, options, kind) in enumerate(recipes):
        expected = first.make(mesh, options, f"{folder}/first.bvh")
        asked = turn % 8 == 0 and "NODE" in sections(expected)
        found = queries(first, f"{folder}/first.bvh", poses) if asked else None
        for i, other in enumerate(others):
            # Kinds of recipes alternate, so that builds must not do so in step with them.
            if quick and (turn + turn // 2 + i) % 2:
                continue
            threads = THREADS[(turn + i) % len(THREADS)]
            if other.make(mesh, options, f"{folder}/other.bvh", threads) != expected:
                sys.exit(f"identity: {title(mesh, options)}: {first.build} and {other.build} with {threads} threads differ")
            if asked and queries(other, f"{folder}/first.bvh", poses) != found:
                sys.exit(f"identity: {title(mesh, options)}: queries of {first.build} and {other.build} differ")
            files += 1
    print(f"identity: {files} passed, 0 failed, of {len(recipes)} files by {len(others)} others, {min(THREADS)} to {max(THREADS)} threads")
    return True


def numbers(value, path=""):
    """Keys and values of a report."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from numbers(inner, f"{path}[{i}]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def tell_difference(here_data, there_data, here_report, there_report):
    """Sections that differ, by how many of their bytes, and the numbers of reports that differ most."""
    a, b = sections(here_data), sections(there_data)
    parts = []
    for name in sorted(a.keys() | b.keys()):
        x, y = a.get(name, b""), b.get(name, b"")
        if x != y:
            count = sum(p != q for p, q in zip(x, y)) + abs(len(x) - len(y))
            parts.append(f"{name} {count} of {max(len(x), len(y))} bytes")
    old, new = dict(numbers(json.loads(here_report))), dict(numbers(json.loads(there_report)))
    change = {key: abs(new.get(key, 0) - x) for key, x in old.items() if new.get(key) != x}
    most = sorted(change, key=lambda key: -change[key] / max(abs(old[key]), 1e-9))[:2]
    said = ", ".join(f"{key} {old[key]:.6g} by {change[key]:.1g}" for key in most)
    return "; ".join(parts) + (f" (and {len(change)} numbers of the report: {said})" if most else " (and no number of the report)")


def compare_machines(native, other, folder):
    poses = write_poses(f"{folder}/poses.csv")
    recipes = many_recipes(native, folder, 120000)
    if not passes(native, f"{folder}/crate.obj", ["--decompose=2%"], folder):
        sys.exit("identity: not even parts pass through qhull")
    if not passes(native, f"{folder}/stair.raw", NEITHER, folder):
        sys.exit("identity: not even RAW passes through Assimp")
    wrong = []

    def one(numbered):
        i, (mesh, options, kind) = numbered
        a, b = f"{folder}/here{i}.bvh", f"{folder}/there{i}.bvh"
        data, theirs = native.make(mesh, options, a), other.make(mesh, options, b, 2)
        verdict = ""
        if data != theirs:
            verdict = tell_difference(data, theirs, native.run("bvinspect", "--json", a), other.run("bvinspect", "--json", b))
            native.run("bvinspect", "--verify", b)
        if i % 6 == 0:
            other.run("bvinspect", "--verify", a)
            if "NODE" in sections(data) and queries(native, a, poses) != queries(other, a, poses):
                wrong.append(f"{title(mesh, options)}: queries differ")
        return verdict

    verdicts = each(one, list(enumerate(recipes)))
    for (mesh, options, kind), verdict in zip(recipes, verdicts):
        if kind == "neither" and passes(native, mesh, options, folder):
            wrong.append(f"{title(mesh, options)}: passes through qhull or Assimp")
        if verdict and kind == "neither":
            wrong.append(f"{title(mesh, options)}: {verdict}")
        elif verdict:
            print(f"differs, through {'qhull' if kind == 'hull' else kind}: {title(mesh, options)}: {verdict}")
    for kind, what in (("neither", "neither qhull nor Assimp"), ("hull", "qhull"), ("Assimp", "Assimp")):
        of_kind = [verdict for (_, _, k), verdict in zip(recipes, verdicts) if k == kind]
        print(f"through {what}: {len(of_kind)} files, {of_kind.count('')} the same to the last byte")
    for text in wrong:
        print(f"identity: {text}")
    print(f"identity: {len(recipes) - len(wrong)} passed, {len(wrong)} failed")
    return not wrong


def main():
    quick = "--quick" in sys.argv
    mode, build, *rest = [argument for argument in sys.argv[1:] if argument != "--quick"]
    build = os.path.abspath(build)
    program = Program(build)
    with tempfile.TemporaryDirectory() as folder:
        program.run("make_samples", folder)
        if mode == "table":
            good = check_table(program, folder)
        elif mode == "write":
            good = write_table(program, folder)
        elif mode == "builds":
            good = compare_builds(program, [Program(other) for other in rest], folder, quick)
        else:
            good = compare_machines(program, Program(rest[0], rest[1:]), folder)
    sys.exit(0 if good else 1)


main()

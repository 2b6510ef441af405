#!/usr/bin/python3
"""Tests of the tools for Windows, under Wine: what is right there that other tests do not ask.

    run.py --tools DIR --build DIR --zip FILE [--only NAME]

DIR of --tools has the tools as scripts that start them by Wine (tools.sh); DIR of --build has those of this machine, which are the
oracle: the same bytes and messages. Prints one line per part, and each check that fails.

    unpacked    the archive: programs that need no DLL of ours, documentation without links to nowhere
    commands    every command of README.md, as tests/cli/test_docs.sh runs them; hashes of tests/golden; scripts of tests/cli that
                ask for nothing that Windows lacks
    page        the commands of docs/windows.md
    cases       names, paths, full disks, read-only files, two writers, Ctrl-C, importers that die or stall, damaged input
    meshes      a hundred meshes of several formats have the bytes that they have on this machine
    speed       a mesh of a million triangles, in turns with this machine's tool
"""

import argparse
import glob
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WINE = "/usr/lib/wine/wine64"
TETRA = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
# Meshes that Assimp makes with sines and cosines, which are those of the C library.
ROTATED = {"cylinder.nff"}
# Scripts whose checks all hold. Others use names that Windows does not allow, signals, or links.
SCRIPTS = ["test_hashes", "test_readme", "test_scenes", "test_formats", "test_gltf", "test_naming", "test_body", "test_gate"]


class Run:
    def __init__(self, options):
        self.tools = os.path.abspath(options.tools)
        self.build = os.path.abspath(options.build)
        self.zip = os.path.abspath(options.zip)
        self.windows = os.path.dirname(self.tools)
        self.exe = {tool: os.path.join(self.windows, tool + ".exe") for tool in ("bvbuild", "bvinspect")}
        self.env = dict(os.environ, WINEPREFIX=os.path.join(self.windows, "prefix"), WINEDEBUG="-all", OMP_WAIT_POLICY="passive")
        self.passed = self.failed = 0
        self.scratch = tempfile.mkdtemp(prefix="bv windows ü ")
        os.chdir(self.scratch)

    def check(self, what, holds, more=""):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"windows: FAILED: {what} {more}".rstrip(), flush=True)
        return holds

    def wine(self, *command, **how):
        """Output goes to files: Wine's own processes, which outlive the program, would keep pipes open."""
        how.setdefault("timeout", 120)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            r = subprocess.run([WINE, *command], env=self.env, stdout=out, stderr=err, **how)
            for stream in (out, err):
                stream.seek(0)
            r.stdout, r.stderr = out.read(), err.read()
            return r

    def tool(self, name, *arguments, **how):
        return self.wine(self.exe[name], *arguments, **how)

    def native(self, name, *arguments, **how):
        return subprocess.run([os.path.join(self.build, name), *arguments], capture_output=True, timeout=300, **how)

    def expect(self, what, code, *arguments, says=None, silent=False, **how):
        """bvbuild ends with a code and one line that has a text."""
        r = self.tool("bvbuild", *arguments, **how)
        text = r.stderr.decode("utf-8", "replace")
        good = r.returncode == code and (says is None or says in text) and (not silent or not text)
        self.check(what, good, f"(code {r.returncode}, expected {code}: {text.strip()[:300]})")
        return r

    def same(self, what, *arguments, output="same.bvh"):
        """The tools of both systems write the same bytes, or say the same about what they do not build."""
        found = []
        for tool in (self.native, self.tool):
            if os.path.exists(output):
                os.remove(output)
            r = tool("bvbuild", *arguments, "-o", output)
            data = open(output, "rb").read() if os.path.exists(output) else None
            found.append((r.returncode, data, r.stderr))
        self.check(what, found[0][:2] == found[1][:2] and (found[0][1] or found[0][2] == found[1][2]),
                   f"(codes {found[0][0]} {found[1][0]}: {found[0][2].decode()[:200]!r} {found[1][2].decode()[:200]!r})")
        return found


def write(path, data=TETRA):
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def torus(path, n):
    with open(path, "w", encoding="ascii") as f:
        for i in range(n + 1):
            for j in range(n + 1):
                u, v = 2 * math.pi * i / n, 2 * math.pi * j / n
                r = 3 + math.cos(v) * (1 + .1 * math.sin(9 * u) * math.cos(7 * v))
                f.write(f"v {r * math.cos(u):.9g} {r * math.sin(u):.9g} {math.sin(v):.9g}\n")
        for i in range(n):
            for j in range(n):
                a = i * (n + 1) + j + 1
                f.write(f"f {a} {a + n + 1} {a + 1}\nf {a + 1} {a + n + 1} {a + n + 2}\n")


def unpacked(t):
    with zipfile.ZipFile(t.zip) as z:
        names = z.namelist()
        z.extractall("unpacked folder")
    top = os.path.join("unpacked folder", names[0].split("/")[0])
    for name in ("bvbuild.exe", "bvinspect.exe", "README.md", "LICENSE", "docs/windows.md", "docs/cli.md", "licenses/assimp"):
        t.check(f"{name} is in the archive", os.path.isfile(os.path.join(top, name)))
    for tool in t.exe:
        listed = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", os.path.join(top, tool + ".exe")], capture_output=True, check=True).stdout.decode()
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", listed)}
        system = {"kernel32.dll", "msvcrt.dll", "shell32.dll", "ntdll.dll", "psapi.dll", "user32.dll", "advapi32.dll"}
        t.check(f"{tool}.exe needs only the system's libraries", needed and needed <= system, str(needed - system))
    write("there/mesh.obj")
    r = t.wine(os.path.join(t.scratch, top, "bvbuild.exe"), "mesh.obj", "-o", "mesh.bvh", cwd="there")
    t.check("the program runs from where it is unpacked", r.returncode == 0 and os.path.exists("there/mesh.bvh"), r.stderr.decode())
    for page in glob.glob(os.path.join(top, "**", "*.md"), recursive=True):
        for target in re.findall(r"\]\(([^():#\s]+)(?:#[^()\s]*)?\)", open(page, encoding="utf-8").read()):
            t.check(f"{page}: {target} is there", os.path.exists(os.path.join(os.path.dirname(page), target)))


def commands(t):
    env = dict(os.environ, BUILD=t.tools, SAN="", OMP_WAIT_POLICY="passive")
    for name, pages in [("test_docs", "README.md")] + [(script, "") for script in SCRIPTS]:
        r = subprocess.run(["sh", f"{ROOT}/tests/cli/{name}.sh"], env=dict(env, PAGES=pages), capture_output=True, timeout=900)
        lines = (r.stdout + r.stderr).decode("utf-8", "replace").splitlines()
        t.check(f"{name} {pages}", r.returncode == 0, "\n  ".join(["", *[line for line in lines if "FAILED" in line][:8], *lines[-1:]]))


def page(t):
    """What docs/windows.md shows for cmd, in the unpacked folder. Wine has no PowerShell."""
    with zipfile.ZipFile(t.zip) as z:
        z.extractall("page folder")
    top = glob.glob("page folder/*")[0]
    blocks = re.findall(r"^```bat\n(.*?)^```", open(f"{ROOT}/docs/windows.md", encoding="utf-8").read(), re.M | re.S)
    t.check("the page has commands", len(blocks) == 2)
    lines = [line for line in "".join(blocks).splitlines() if not line.startswith("start ")]
    write(f"{top}/page.bat", "\r\n".join([line + ("\r\nif errorlevel 1 exit /b 9" if line.startswith("bv") else "") for line in lines] + ["exit /b 0", ""]).encode())
    r = t.wine("cmd", "/c", "page.bat", cwd=top)
    t.check("the commands of the page run in cmd", r.returncode == 0, f"{r.returncode} {r.stdout[-400:]} {r.stderr[-400:]}")
    for name in ("gear.bvh", "gear.html", "collision/rock.bvh", "collision/crate.bvh"):
        t.check(f"they make {name}", os.path.exists(os.path.join(top, name)))


def interrupted(t):
    """Ctrl-C in a console: tests/windows/interrupt.c presses it."""
    helper = os.path.join(t.windows, "interrupt.exe")
    subprocess.run(["x86_64-w64-mingw32-gcc-posix", "-O1", "-static", "-D_WIN32_WINNT=0x0A00", f"{ROOT}/tests/windows/interrupt.c", "-o", helper, "-lshell32"], check=True)
    torus("long.obj", 500)
    write("many/a.obj")
    for i in range(6):
        shutil.copy("long.obj", f"many/{i}.obj")
    t.wine(helper, "60000", t.exe["bvbuild"], "--version")
    heard = 0
    for milliseconds in (250, 400, 700, 1000, 1300, 1600):
        for what, arguments in (("one input", ["long.obj", "-o", "out/long.bvh"]), ("several", ["-j", "2", *sorted(glob.glob("many/*.obj")), "-o", "out/"])):
            shutil.rmtree("out", ignore_errors=True)
            os.mkdir("out")
            r = t.wine(helper, str(milliseconds), t.exe["bvbuild"], "-q", *arguments)
            text = r.stdout.decode().split()
            left = [name for name in os.listdir("out") if not name.endswith(".bvh")]
            whole = all(t.native("bvinspect", "--verify", "-q", f"out/{name}").returncode == 0 for name in os.listdir("out") if name.endswith(".bvh"))
            # Wine ends a program that has not begun with code 0, or does not tell it at all.
            count = len(os.listdir("out"))
            unheard = text == ["interrupted", "00000000"] and count in (0, 1 if what == "one input" else len(arguments) - 4)
            good = text[:1] == ["early"] or text == ["interrupted", "c000013a"] or unheard
            heard += text == ["interrupted", "c000013a"]
            t.check(f"Ctrl-C after {milliseconds} ms, {what}", good and not left and whole, f"{text} {left}")
    t.check("Ctrl-C is heard at least four times", heard >= 4, str(heard))


def writers(t):
    torus("w.obj", 120)
    t.native("bvbuild", "-q", "w.obj", "-o", "w-expected.bvh")
    expected = open("w-expected.bvh", "rb").read()
    for i in range(4):
        running = [subprocess.Popen([WINE, t.exe["bvbuild"], "-q", "--no-touch", "w.obj", "-o", "shared.bvh"], env=t.env, stderr=open(f"writer-{k}", "wb")) for k in range(4)]
        texts = [p.wait(timeout=120) or open(f"writer-{k}").read() for k, p in enumerate(running)]
        t.check(f"four writers of one file, time {i}", all(p.returncode == 0 for p in running) and open("shared.bvh", "rb").read() == expected,
                str([p.returncode for p in running]) + str(texts))
        t.check(f"four writers leave nothing, time {i}", not os.path.exists("shared.bvh.bvtmp"))
        os.remove("shared.bvh")


def full_disk(t):
    """A file system of 64 kB, where this machine lets us have one."""
    os.mkdir("small")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "small"], capture_output=True).returncode == 0
    if not mounted:
        print("windows: no tmpfs can be mounted here: a full disk is not tested")
        return
    try:
        torus("disk.obj", 60)
        t.expect("a full disk", 4, "disk.obj", "-o", "small/disk.bvh", says="No space left on device")
        t.check("a full disk keeps nothing", os.listdir("small") == [])
        t.expect("a small output on a small disk", 0, "plain.obj", "-o", "small/plain.bvh")
        t.expect("a full disk keeps the old output", 4, "disk.obj", "-o", "small/plain.bvh", "--force-output", says="No space left on device")
        t.check("the old output is whole", t.native("bvinspect", "--verify", "-q", "small/plain.bvh").returncode == 0)
    finally:
        subprocess.run(["umount", "small"], check=True)


def importers(t):
    """What Assimp reads is read by a child process."""
    write("good.dae", DAE)
    t.same("a .dae by the child process", "good.dae")
    t.expect("an importer over its time", 2, "good.dae", "-o", "t.bvh", "--import-timeout", "0.000001", says="exceeded the time limit")
    t.expect("an importer over its memory", 2, "good.dae", "-o", "t.bvh", "--import-memory", "1", says="ran out of memory")
    write("broken.dae", DAE[:200])
    t.expect("a damaged .dae", 2, "broken.dae", "-o", "t.bvh", says="the importer rejected the file")
    write("nothing.xyzzy", b"x")
    t.expect("an unknown format", 3, "nothing.xyzzy", "-o", "t.bvh", says="no reader for .xyzzy files")
    r = t.tool("bvbuild", "--internal-task", "import", "7")
    t.check("nobody can ask for a task without its file", r.returncode == 3 and not r.stdout)
    r = t.tool("bvbuild", "--internal-worker=1,2,3,4,5", "plain.obj", "-o", "x.bvh")
    t.check("nor for a worker", r.returncode == 3 and not os.path.exists("x.bvh"))

    # It stalls, and dies: somebody stops and kills it.
    torus("slow.obj", 700)
    t.check("a large .ply for Assimp", t.native("bvbuild", "-q", "--sections", "none,mesh", "slow.obj", "-o", "slow.bvh").returncode == 0)
    with open("slow.obj", encoding="ascii") as f:
        text = f.read()
    corners = text.count("\nv ") + 1
    faces = re.findall(r"^f (.*)$", text, re.M)
    points = re.findall(r"^v (.*)$", text, re.M)
    write("slow.dae", (DAE_HEAD + f'<float_array id="p" count="{3 * corners}">' + " ".join(points) + "</float_array>" + dae_middle(corners, len(faces)) +
                       " ".join(str(int(i) - 1) for face in faces for i in face.split()) + DAE_TAIL).encode())
    for what, how, says in (("stalls", signal.SIGSTOP, "exceeded the time limit"), ("dies", signal.SIGKILL, "the importer crashed")):
        p = subprocess.Popen([WINE, t.exe["bvbuild"], "slow.dae", "-o", "slow-out.bvh", "--import-timeout", "8"], env=t.env, stderr=open("slow-errors", "wb"))
        child = 0
        for _ in range(400):
            time.sleep(0.01)
            found = subprocess.run(["pgrep", "-f", r"internal-task import"], capture_output=True).stdout.split()
            if found:
                child = int(found[0])
                time.sleep(0.1)
                break
        if t.check(f"the child that {what} is found", child):
            os.kill(child, how)
        p.wait(timeout=120)
        text = open("slow-errors").read()
        t.check(f"an importer that {what}", p.returncode == 2 and says in text and not os.path.exists("slow-out.bvh"), f"{p.returncode} {text}")
        if child:
            subprocess.run(["kill", "-CONT", str(child)], capture_output=True)


DAE_HEAD = ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>'
            '<library_geometries><geometry id="g" name="g"><mesh><source id="s">')


def dae_middle(corners, triangles):
    return (f'<technique_common><accessor source="#p" count="{corners}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>'
            f'</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="{triangles}">'
            '<input semantic="VERTEX" source="#v" offset="0"/><p>')


DAE_TAIL = ('</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w"><node id="n" name="n"><instance_geometry url="#g"/></node>'
            '</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>')
DAE = (DAE_HEAD + '<float_array id="p" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>' + dae_middle(4, 4) + "0 2 1 0 1 3 0 3 2 1 2 3" + DAE_TAIL).encode()


def paths(t):
    for name in ("plain.obj", "two words.obj", "grüße.obj", "模型.obj", "مجسم.obj", "emoji 🚲.obj", "it's.obj", "a&b.obj", "100%.obj", "[x].obj", "(y) {z}.obj", "-dash.obj", "dot.dot.obj", "UPPER.OBJ"):
        write(name)
        t.same(f"a file named {name}", "--", name) if name.startswith("-") else t.same(f"a file named {name}", name)
    t.expect("an output with a name in Unicode", 0, "plain.obj", "-o", "ausgabe/größe 大.bvh/")
    t.check("its folder has that name", os.path.exists("ausgabe/größe 大.bvh/plain.bvh"))

    here = "Z:" + t.scratch.replace("/", "\\")
    write("deep/er/mesh.obj")
    t.expect("backslashes", 0, "deep\\er\\mesh.obj", "-o", "deep\\back.bvh")
    t.check("make the right file", os.path.exists("deep/back.bvh"))
    t.expect("mixed slashes", 0, "deep\\er/mesh.obj", "-o", "deep/er\\mixed.bvh")
    t.check("make the right file", os.path.exists("deep/er/mixed.bvh"))
    t.expect("a drive letter", 0, here + "\\plain.obj", "-o", here + "\\drive.bvh")
    t.check("makes the right file", os.path.exists("drive.bvh"))
    t.expect("a drive letter with slashes", 0, here.replace("\\", "/") + "/plain.obj", "-o", here.replace("\\", "/") + "/drive2.bvh")
    t.check("makes the right file", os.path.exists("drive2.bvh"))
    t.expect("a path without limits", 0, "\\\\?\\" + here + "\\plain.obj", "-o", "\\\\?\\" + here + "\\unlimited.bvh")
    t.check("makes the right file", os.path.exists("unlimited.bvh"))
    t.expect("a folder on a drive", 0, "plain.obj", "two words.obj", "-o", here + "\\made\\on the way\\")
    t.check("is made", sorted(os.listdir("made/on the way")) == ["plain.bvh", "two words.bvh"])
    t.expect("an output that is the input's folder", 0, "deep\\er\\mesh.obj", "-o", "deep\\er\\")
    t.expect("--root with backslashes", 0, "deep\\er\\mesh.obj", "--root", "deep", "-o", "rooted\\")
    t.check("keeps folders", os.path.exists("rooted/er/mesh.bvh"))

    part = "a folder with a long name" * 4
    long = "/".join([part] * 4)
    os.makedirs(long)
    write(long + "/mesh.obj")
    t.check("the path is long", len(long) > 400)
    t.same("an input with a path of more than 260 characters", long + "/mesh.obj")
    t.expect("an output with such a path", 0, "plain.obj", "-o", long.replace("/", "\\") + "\\out.bvh")
    t.check("is there", os.path.exists(long + "/out.bvh"))
    t.expect("a folder with such a path is made", 0, "plain.obj", "-o", long.replace("/", "\\") + "\\new\\" + part + "\\")
    t.check("with its file", os.path.exists(f"{long}/new/{part}/plain.bvh"))
    r = t.tool("bvinspect", "--verify", "-q", long + "/out.bvh")
    t.check("and is read", r.returncode == 0, r.stderr.decode())
    t.expect("a path that is too long for any system", 2, "x" * 5000 + ".obj", "-o", "t.bvh", says="xxx...xxx")

    os.makedirs("glob")
    for name in "ba":
        write(f"glob/{name}.obj")
    write("glob/c.off")
    r = t.expect("a pattern is expanded, sorted", 0, "glob\\*.obj", "-o", "globbed\\", "--log", "-")
    t.check("in this order", [json.loads(line).get("input") for line in r.stdout.splitlines()][:2] == ["glob/a.obj", "glob/b.obj"], r.stdout.decode())
    t.expect("a pattern that matches nothing", 2, "glob\\*.stl", "-o", "globbed\\", says="No such file or directory")


def texts(t):
    write("list.rsp", b"plain.obj\r\n\"two words.obj\"\r\n  deep\\er\\mesh.obj\r\n")
    t.expect("a response file with CRLF and backslashes", 0, "@list.rsp", "-o", "listed\\")
    t.check("all of it", sorted(os.listdir("listed")) == ["mesh.bvh", "plain.bvh", "two words.bvh"])
    write("bom.rsp", b"\xef\xbb\xbfplain.obj\r\n")
    t.expect("one with a mark of UTF-8", 0, "@bom.rsp", "-o", "bom\\")
    write("wide.rsp", "plain.obj\r\n".encode("utf-16"))
    t.expect("one in UTF-16", 2, "@wide.rsp", "-o", "wide\\", says="is UTF-16 text")
    write("settings.json", b'{\r\n\t"options": { "preset": "fast" },\r\n\t"assets": [\r\n\t\t{ "match": "deep/**/*.obj", "options": { "units": "mm" } }\r\n\t]\r\n}\r\n')
    found = t.same("a configuration with CRLF", "deep/er/mesh.obj", "--config", "settings.json")
    t.check("takes effect", found[1][0] == 0)
    t.expect("a configuration with a fault", 2, "plain.obj", "-o", "t.bvh", "--config", "list.rsp", says="list.rsp:1:1: is not JSON")
    write("crlf.obj", TETRA.replace(b"\n", b"\r\n"))
    t.same("a mesh with CRLF", "crlf.obj")
    r = t.tool("bvbuild", "-", "--format", "obj", "-o", "-", input=TETRA)
    expected = t.native("bvbuild", "-", "--format", "obj", "-o", "-", input=TETRA)
    t.check("stdin to stdout is binary", r.returncode == 0 and r.stdout == expected.stdout, r.stderr.decode())
    binary = b"\x1a" * 80 + (1).to_bytes(4, "little") + b"\x0d\x0a" * 25
    r = t.tool("bvbuild", "-", "--format", "stl", "-o", "-", input=binary)
    expected = t.native("bvbuild", "-", "--format", "stl", "-o", "-", input=binary)
    t.check("with Ctrl-Z and line ends in it", (r.returncode, r.stdout) == (expected.returncode, expected.stdout))
    r = t.tool("bvinspect", "--json", "plain.bvh") if t.tool("bvbuild", "plain.obj", "-o", "plain.bvh").returncode == 0 else None
    t.check("text has no carriage returns", r and b"\r" not in r.stdout and r.stdout == t.native("bvinspect", "--json", "plain.bvh").stdout)
    t.expect("a log", 0, "plain.obj", "-o", "logged.bvh", "--log", "log.jsonl")
    t.check("without carriage returns", b"\r" not in open("log.jsonl", "rb").read())
    t.expect("a dep-file", 0, "deep\\er\\mesh.obj", "-o", "deep\\dep.bvh", "--depfile", "deep\\dep.d")
    t.check("has slashes", open("deep/dep.d").read() == "deep/dep.bvh: deep/er/mesh.obj\n", open("deep/dep.d").read())
    t.expect("a page", 0, "plain.obj", "-o", "page.bvh", "--report", "page.html")
    t.native("bvinspect", "page.bvh", "--html", "page2.html")
    t.check("the page has three.js inside", os.path.getsize("page.html") > 500000)
    t.expect("a Ninja file", 0, "plain.obj", "two words.obj", "-o", "ninja\\", "--emit-ninja", "build.ninja")
    t.check("names the program", re.search(r'command = "?[A-Z]:/[^"]*bvbuild\.exe', open("build.ninja").read()))


def faults(t):
    os.makedirs("ro")
    t.expect("an output for the next checks", 0, "plain.obj", "-o", "ro/out.bvh")
    os.chmod("ro/out.bvh", 0o444)
    before = open("ro/out.bvh", "rb").read()
    write("other.obj", TETRA.replace(b"v 1 0 0", b"v 2 0 0"))
    t.expect("a read-only target", 4, "other.obj", "-o", "ro/out.bvh", says="Permission denied")
    t.check("stays", open("ro/out.bvh", "rb").read() == before and os.listdir("ro") == ["out.bvh"])
    write("text.bvh", b"somebody's text\n" * 10)
    t.expect("a log in the place of something else", 1, "plain.obj", "-o", "t.bvh", "--log", "text.bvh", says="is not a log of bvbuild, so it is not replaced")
    t.expect("a missing input", 2, "missing.obj", "-o", "t.bvh", says="No such file or directory")
    t.expect("a folder as the input", 2, "deep", "-o", "t.bvh", says="deep")
    os.mkdir("folder.obj")
    t.expect("a folder with an extension as the input", 2, "folder.obj", "-o", "t.bvh", says="is a directory")
    t.expect("a folder that is missing for the output", 4, "plain.obj", "-o", "nowhere/t.bvh", says="No such file or directory")
    write("empty.obj", b"")
    t.expect("an empty input", 2, "empty.obj", "-o", "t.bvh", says="is empty")
    write("bad.obj", b"v 0 0 0\nf 1 2 3\n")
    t.same("a damaged .obj", "bad.obj")
    write("bad.stl", b"solid x\nfacet\n")
    t.same("a damaged .stl", "bad.stl")
    write("bad.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff")
    t.same("a damaged .glb", "bad.glb")
    write("lfs.obj", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    t.same("a pointer of Git LFS", "lfs.obj")
    t.expect("an unknown option", 1, "--nonsense", says="unknown option --nonsense")
    t.expect("no output", 1, "plain.obj", says="no output")
    t.expect("a device as the input", 2, "NUL", "-o", "t.bvh", says="NUL")
    t.expect("a gate that does not hold", 6, "plain.obj", "-o", "gate.bvh", "--gate", "mesh.triangles > 100", says="does not hold")
    damaged = bytearray(before)
    damaged[len(damaged) // 2] ^= 1
    write("damaged.bvh", bytes(damaged))
    for tool in (t.tool, t.native):
        r = tool("bvinspect", "--verify", "damaged.bvh")
        t.check("a damaged .bvh", r.returncode == 6 and b"a section does not match its checksum" in r.stderr, f"{r.returncode} {r.stderr}")
    t.expect("a broken input among others, with -k", 2, "-j", "2", "-k", "plain.obj", "bad.obj", "two words.obj", "-o", "kept\\", says="bad.obj")
    t.check("the others are built", sorted(os.listdir("kept")) == ["plain.bvh", "two words.bvh"])
    t.expect("up to date", 0, "-j", "2", "plain.obj", "two words.obj", "-o", "kept\\", says="2 up to date")
    t.expect("a cache", 0, "plain.obj", "-o", "c1.bvh", "--cache", "cache\\of mine")
    t.expect("from the cache", 0, "plain.obj", "-o", "c2.bvh", "--cache", "cache\\of mine")
    t.check("gives the same", open("c1.bvh", "rb").read() == open("c2.bvh", "rb").read())


def workers(t):
    torus("medium.obj", 90)
    names = []
    for i in range(24):
        names.append(f"batch/{i:02}.obj")
        write(names[-1], TETRA.replace(b"v 1 0 0", f"v {1 + i} 0 0".encode()))
    shutil.copy("medium.obj", "batch/medium.obj")
    names.append("batch/medium.obj")
    t.native("bvbuild", "-q", "-j", "2", *names, "-o", "batch-native/")
    for jobs in ("1", "2", "5"):
        t.expect(f"{jobs} processes", 0, "-q", "-j", jobs, *names, "-o", f"batch-{jobs}\\", silent=True)
        t.check("have the bytes of one", all(open(f"batch-native/{n}", "rb").read() == open(f"batch-{jobs}/{n}", "rb").read() for n in os.listdir("batch-native")))
    write("batch.rsp", "\r\n".join(f'"{name}"'.replace("/", "\\") for name in names).encode())
    t.expect("processes of a response file", 0, "-q", "-j", "3", "@batch.rsp", "-o", "batch-rsp\\")
    t.check("build all", sorted(os.listdir("batch-rsp")) == sorted(os.listdir("batch-native")))


def cases(t):
    before = t.passed + t.failed
    for part in (paths, texts, faults, workers, writers, full_disk, importers, interrupted):
        part(t)
    t.check("these are more than 60", t.passed + t.failed - before > 60)


def list_meshes(t):
    """Some of each format that there is: of ../shared/meshes and of Debian's packages."""
    shared = sorted(glob.glob(f"{ROOT}/../shared/meshes/*.*"))
    extensions = "3ds ac amf ase b3d blend bvh cob dae dxf fbx glb gltf hmp ifc iqm irr irrmesh lwo lws lxo m3d md2 md3 md5mesh mdl ms3d nff obj off ogex ply q3o q3s sib smd stl ter wrl x x3d xgl zgl 3mf".split()
    found = {extension: [] for extension in extensions}
    corpus = os.path.join(t.windows, "corpus")
    for package in ("assimp-testmodels", "libcgal-demo"):
        folder = os.path.join(corpus, package)
        if not os.path.isdir(folder):
            os.makedirs(folder)
            subprocess.run(f"apt-get download -qq {package} && dpkg-deb -x ./*.deb . && rm ./*.deb && find . -name '*.tar.gz' -execdir tar xzf '{{}}' ';' -delete && "
                           "find . -name '*.gz' -exec gunzip -f '{}' +", shell=True, cwd=folder, check=True, capture_output=True)
        for path in sorted(glob.glob(f"{folder}/**/*.*", recursive=True)):
            extension = path.rsplit(".", 1)[-1].lower()
            if extension in found and os.path.isfile(path) and os.path.getsize(path) < 3e6:
                found[extension].append(path)
    meshes = list(shared)
    turn = 0
    while len(meshes) < 190 and any(len(files) > turn for files in found.values()):
        meshes += [files[turn] for files in found.values() if len(files) > turn]
        turn += 1
    return meshes


def meshes(t):
    total = same = rejected = 0
    formats = {}
    for path in list_meshes(t):
        found = []
        for tool in (t.native, t.tool):
            if os.path.exists("mesh.bvh"):
                os.remove("mesh.bvh")
            r = tool("bvbuild", "-q", "--import-timeout", "30", path, "-o", "mesh.bvh")
            data = open("mesh.bvh", "rb").read() if os.path.exists("mesh.bvh") else None
            found.append((r.returncode, data, r.stderr.decode("utf-8", "replace")))
        name = os.path.basename(path)
        extension = name.rsplit(".", 1)[-1].lower()
        if found[0][1] is None:
            rejected += 1
            t.check(f"{name} is rejected alike", found[0][0] == found[1][0] and found[1][1] is None, f"{found[0][0]} {found[1][0]} {found[0][2]!r} {found[1][2]!r}")
            continue
        total += 1
        equal = found[0][:2] == found[1][:2]
        same += equal
        counted = formats.setdefault(extension, [0, 0])
        counted[0] += 1
        counted[1] += equal
        if name in ROTATED:
            # The same but for the last bits of coordinates.
            near = found[0][0] == found[1][0] == 0 and abs(len(found[0][1]) - len(found[1][1])) < 0.01 * len(found[0][1])
            t.check(f"{name} is nearly the same", near and t.tool("bvinspect", "--verify", "-q", "mesh.bvh").returncode == 0)
            continue
        t.check(f"{path}: the same bytes", equal, f"codes {found[0][0]} {found[1][0]} {found[1][2]!r}")
    t.check("there are a hundred meshes", total >= 100, str(total))
    print(f"windows: {same} of {total} meshes have the same bytes, {rejected} are rejected alike: " +
          ", ".join(f"{name} {counted[1]}/{counted[0]}" for name, counted in sorted(formats.items())))


def speed(t):
    torus("million.obj", 707)
    seconds = {"linux": [], "wine": []}
    t.tool("bvbuild", "--version")
    for _ in range(3):
        for name, tool in (("linux", t.native), ("wine", t.tool)):
            if os.path.exists("million.bvh"):
                os.remove("million.bvh")
            start = time.monotonic()
            r = tool("bvbuild", "-q", "million.obj", "-o", "million.bvh")
            seconds[name].append(time.monotonic() - start)
            t.check(f"a million triangles, {name}", r.returncode == 0, r.stderr.decode())
    linux, wine = (statistics.median(seconds[name]) for name in ("linux", "wine"))
    print(f"windows: a million triangles take {wine:.2f} s under Wine, {linux:.2f} s here: {wine / linux:.2f} times (bar 1.3; a benchmark is no test)")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--tools", "--build", "--zip"):
        parser.add_argument(name, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    t = Run(options)
    # Wine's server stays for all of this: on Windows the system runs, too.
    t.tool("bvbuild", "--version")
    # One that runs already would go on for three seconds only, and starting it takes half a second.
    subprocess.run(["/usr/lib/wine/wineserver64", "-k"], env=t.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = subprocess.run(["/usr/lib/wine/wineserver64", "-p600"], env=t.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for part in (unpacked, commands, page, cases, meshes, speed):
            if options.only in ("", part.__name__):
                before, start = t.passed, time.monotonic()
                if part.__name__ != "cases":
                    write("plain.obj")
                part(t)
                print(f"windows {part.__name__}: {t.passed - before} passed, {time.monotonic() - start:.0f} s", flush=True)
    finally:
        if server.returncode == 0:
            subprocess.run(["/usr/lib/wine/wineserver64", "-k"], env=t.env)
        os.chdir(ROOT)
        shutil.rmtree(t.scratch, ignore_errors=True)
    print(f"check-windows: {t.passed} passed, {t.failed} failed")
    sys.exit(t.failed > 0)


main()

"""Runs what the documentation shows: every command, program and output of Markdown pages, and every link.

run_docs.py run SAMPLES PAGE...      runs each page in a scratch folder of its own, which begins as a copy of SAMPLES
run_docs.py update SAMPLES PAGE...   the same, and writes real output into the pages' text blocks
run_docs.py links PAGE...            relative links and their anchors resolve
run_docs.py options PAGE TOOL...     the page names every option of the tools, and no other
run_docs.py compare SHOWN REAL       compares two files as `run` compares a text block with real output
run_docs.py renew PAGE START REAL    writes REAL into the page's block whose first line matches START, shortened as it was

Conventions for pages:

- A ```sh block is run, command by command, in the order of the page. A command must exit with 0, or with the code that a comment
  behind it names: `# exit code 6` or `# exit code 6: reason`.
- A ```text block after a ```sh block is the output of the whole block, standard error included. A line `...` stands for any lines.
- A ```c or ```cpp block with `int main` is compiled. It is saved under the first name NAME.c or NAME.cpp that the next ```sh block
  mentions. Without such a name it is compiled by this script, and run if a ```text block follows.
- `<!-- file: NAME -->` on the line above a block of any language writes the block to that file.
- Commands of `not_run` are not run; each row has the reason. Targets of make must exist, also in `inline code`.
"""

import difflib
import fnmatch
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

root = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
build = os.path.abspath(os.environ.get("BUILD", os.path.join(root, "build")))

# What programs with libbvbuild.a are linked with; with Draco, if it is built in.
OF_LIBBVBUILD = ["-lassimp", "-lqhull_r", "-lcjson", "-lexpat", "-lminizip", "-lpng", "-lz", "-fopenmp", "-lm"]
if os.path.exists(os.path.join(build, "obj", "formats", "gltf", "draco_decode.o")):
    OF_LIBBVBUILD += ["-ldraco", "-lstdc++"]

# What a test cannot run: a pattern for the command, the reason, and what is checked instead.
not_run = [
    (r"make\b", "builds or installs the project, which takes minutes", "make_targets"),
    (r"sudo make\b", "changes the machine", "make_targets"),
    (r"(sudo\s+)?(apt-get|apt|ldconfig|dpkg)\b", "changes the machine", None),
    (r"git\b", "needs a clone of the repository", None),
    (r"(sh|python3|/usr/bin/python3) (tests|packaging|\.ci)/\S+", "is run from the repository, as part of make check", "script"),
    (r"pip install\b|export PYTHONPATH=", "make check-python installs the wheel in an environment of its own", None),
    (r"\.ci/\S+", "takes many minutes", "script"),
    (r"build/(bench|tests|fuzz)/\S+", "takes minutes", None),
    (r"(cmake|meson|ninja)\b", "needs an installed package; tests/samples runs these recipes", "recipe"),
    (r"(sbatch|srun)\b", "needs a cluster; tests/samples/test_slurm.sh runs this recipe", None),
    (r"seq \d+ \| parallel\b", "tests/samples/test_short_forms.sh runs this recipe", None),
    (r".*\$SLURM_ARRAY_TASK_ID", "tests/samples/test_short_forms.sh runs this recipe", None),
    (r"(npm|node)\b", "needs the npm package; tests/web/test_npm.sh runs these", None),
    (r"blender\b", "needs a program that is not a dependency", None),
]
recipe_files = {"make": "Makefile", "ninja": "build.ninja", "cmake": "CMakeLists.txt", "meson": "meson.build"}

failures = []


def fail(where, what):
    failures.append(where)
    print("%s: %s" % (where, what))


class Block:
    def __init__(self, language, line, indent):
        self.language, self.line, self.indent = language, line, indent
        self.lines = []
        self.file = None
        self.end = None


def read_blocks(lines):
    """The fenced blocks of a page; `line` is the number of the first line after the fence, from 1."""
    blocks, block, file = [], None, None
    for number, line in enumerate(lines, 1):
        fence = re.match(r"( *)```\s*([\w+-]*)\s*$", line)
        if block is not None:
            if fence and not fence.group(2):
                block.end = number
                blocks.append(block)
                block = None
            else:
                block.lines.append(line[len(block.indent):] if line.startswith(block.indent) else line)
        elif fence:
            block = Block(fence.group(2), number + 1, fence.group(1))
            block.file, file = file, None
        else:
            named = re.match(r"\s*<!-- file: (\S+) -->\s*$", line)
            file = named.group(1) if named else file if not line.strip() else None
    if block is not None:
        blocks.append(block)
        block.end = len(lines) + 1
    return blocks


def split_commands(lines):
    """Pairs of a line's offset and a whole command, which may take several lines."""
    commands, pending, first = [], "", 0
    for offset, line in enumerate(lines):
        if not pending and (not line.strip() or line.lstrip().startswith("#")):
            continue
        if not pending:
            first = offset
        pending += line + "\n"
        # Only what can go on in the next line is worth a process.
        plain = pending == line + "\n" and not re.search(r"""['"`({]|\b(do|then|if|for|while|case)\b""", line)
        whole = not line.endswith("\\") and \
            (plain or subprocess.run(["sh", "-n"], input=pending, text=True, capture_output=True).returncode == 0)
        if whole:
            commands.append((first, pending.rstrip("\n")))
            pending = ""
    if pending:
        commands.append((first, pending.rstrip("\n")))
    return commands


targets = None


def make_targets():
    """Every target of the Makefile."""
    global targets
    if targets is None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k != "MFLAGS"}
        said = subprocess.run(["make", "-pRrq", "-C", root, ":"], capture_output=True, text=True, env=environment).stdout
        targets = set(re.findall(r"^([^\s#:=%]+):(?!=)", said, re.M))
        for line in re.findall(r"^\.PHONY:(.*)$", said, re.M):
            targets.update(line.split())
    return targets


def check_make(where, command):
    for part in re.split(r"&&|;", re.sub(r"\s#.*", "", command)):
        words = part.split()
        if "make" not in words:
            continue
        arguments = re.sub(r"""\w+=("[^"]*"|'[^']*'|\S*)""", "", part[part.index("make") + 4:]).split()
        skip = False
        for word in arguments:
            if skip or word.startswith("-"):
                skip = word == "-C"
                continue
            # NAME and * stand for something.
            if not re.search(r"[A-Z]", word) and not fnmatch.filter(make_targets(), word):
                fail(where, "make has no target '%s': %s" % (word, command))


def processor_time():
    """Seconds that all commands so far have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def is_left_out(where, command, folder):
    """Whether a command is not run; what can be checked of it is."""
    for pattern, reason, instead in not_run:
        if not re.match(pattern, command):
            continue
        if re.search(r"(;|&&|\|\|)\s*bv(build|inspect)\b", command):
            fail(where, "a command that is not run hides another one: " + command)
        if instead in ("make_targets", "recipe"):
            program = command.split()[0]
            if program in recipe_files and os.path.exists(os.path.join(folder, recipe_files[program])):
                return False
        if instead == "make_targets":
            check_make(where, command)
        if instead == "script":
            script = next(word for word in command.split() if "/" in word and not word.startswith("/"))
            if not os.path.exists(os.path.join(root, script)):
                fail(where, "there is no %s: %s" % (script, command))
        return True
    return False


def comparable(text):
    """Lines of an output without what differs from run to run, or between processors (the hull's by qhull)."""
    lines, timed, left_out = [], False, False
    for line in text.splitlines():
        line = line.rstrip()
        # With the lines that go on after it.
        left_out = bool(re.match(r"    hull +\S|  bytes  ", line)) or left_out and line.startswith(" " * 13)
        if left_out:
            continue
        if line.endswith(",microseconds"):
            timed = True
        elif timed and re.match(r"\d+,", line):
            line = re.sub(r",[^,]*$", ",#", line)
        lines.append(re.sub(r"\bin [0-9.]+ (m?s)\b", r"in # \1", line))
    return lines


def matches(shown, real):
    """Whether `real` is `shown`, in which `...` stands for any number of lines."""
    def next_run(position):
        end = position
        while end < len(shown) and shown[end].strip() != "...":
            end += 1
        return end
    at, position, anywhere = 0, 0, False
    while position < len(shown):
        if shown[position].strip() == "...":
            anywhere = True
            position += 1
            continue
        end = next_run(position)
        run = shown[position:end]
        last = end == len(shown)
        if not anywhere:
            starts = [at]
        elif last:
            starts = [len(real) - len(run)]
        else:
            starts = range(at, len(real) - len(run) + 1)
        for start in starts:
            if start >= at and real[start:start + len(run)] == run:
                at = start + len(run)
                break
        else:
            return False
        position, anywhere = end, False
    return anywhere or at == len(real)


def compare(where, shown, real):
    shown, real = comparable(shown), comparable(real)
    if matches(shown, real):
        return True
    difference = [line for line in difflib.unified_diff(shown, real, "the page", "real output", lineterm="", n=1)
                  if line != "-..."]
    fail(where, "the output is another one\n    " + "\n    ".join(difference))
    return False


def renew(shown, real):
    """The shown lines as they are in real output: each the most similar one, in order; `...` and whole outputs are kept so."""
    if not any(line.strip() == "..." for line in shown):
        return real
    count, width = len(shown), len(real)
    similar = lambda a, b: difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()
    best = [[0.0] * (width + 1) for _ in range(count + 1)]
    ratios = {}
    for i in range(count - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if shown[i].strip() != "...":
                ratio = ratios[i, j] = similar(shown[i], real[j])
                if ratio > 0.5:
                    best[i][j] = max(best[i][j], ratio + best[i + 1][j + 1])
    lines, i, j, last = [], 0, 0, None
    chosen = []
    while i < count:
        if j < width and (i, j) in ratios and ratios[i, j] > 0.5 and best[i][j] == ratios[i, j] + best[i + 1][j + 1]:
            chosen.append(j)
            i, j = i + 1, j + 1
        elif j < width and best[i][j] == best[i][j + 1] and best[i][j] != best[i + 1][j]:
            j += 1
        else:
            i += 1
    for j in chosen:
        if (last is None and j > 0) or (last is not None and j > last + 1):
            lines.append("...")
        lines.append(real[j])
        last = j
    if last is None or last < width - 1:
        lines.append("...")
    return lines


def compile_program(where, block, folder, environment):
    """Compiles a whole program by itself. Returns the path of the program, or None."""
    text = "\n".join(block.lines)
    extension, compiler = (".c", ["cc", "-std=c17"]) if block.language == "c" else (".cpp", ["c++", "-std=c++17"])
    source = os.path.join(folder, "program_%d%s" % (block.line, extension))
    with open(source, "w") as file:
        file.write(text + "\n")
    libraries = ["-lbv", "-lm"]
    if "bvworld/" in text:
        libraries = ["-lbvworld", *libraries]
    if "bvbuild/" in text:
        libraries = ["-lbvbuild", "-lbv", *OF_LIBBVBUILD]
    program = source + ".out"
    done = subprocess.run(compiler + ["-Wall", "-Wextra", source, "-o", program] + libraries, cwd=folder, env=environment,
                          capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        fail(where, "the program does not compile cleanly\n    " + "\n    ".join(done.stderr.splitlines()[:20]))
        return None
    return program


def run_page(page, samples, scratch, environment, update, counts):
    name = os.path.relpath(page, root)
    with open(page) as file:
        lines = file.read().split("\n")
    blocks = read_blocks(lines)
    folder = os.path.join(scratch, "page")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(samples, folder)
    at_file = os.path.join(scratch, "at")
    at = folder
    for number, line in read_prose(page)[0]:
        for command in re.findall(r"`(make(?: [^`]*)?)`", line):
            check_make("%s:%d" % (name, number), command)
    output, renewed = None, []
    for index, block in enumerate(blocks):
        where = "%s:%d" % (name, block.line)
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        shows_output = following is not None and following.language == "text" and following.line - block.end < 4
        if block.file:
            path = os.path.join(folder, block.file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write("\n".join(block.lines) + "\n")
            continue
        if block.language == "sh":
            output, whole = "", True
            for offset, command in split_commands(block.lines):
                at_command = "%s:%d" % (name, block.line + offset)
                if is_left_out(at_command, command, at):
                    counts["left out"] += 1
                    whole = False
                    continue
                code = re.search(r"# exit code (\d+)(?::|\s*$)", command)
                started = processor_time()
                done = subprocess.run(["sh", "-c", "set -e\n(exit 0)\n" + command + "\n\npwd > " + at_file], cwd=at, env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      timeout=300)
                counts["run"] += 1
                if os.environ.get("VERBOSE"):
                    print("%6.2f s  %s: %s" % (processor_time() - started, at_command, command.splitlines()[0]))
                counts["slowest"] = max(counts["slowest"], (processor_time() - started, at_command))
                said = done.stdout.decode(errors="replace")
                output += said
                if done.returncode != (int(code.group(1)) if code else 0):
                    fail(at_command, "exit code %d: %s\n    %s" % (done.returncode, command, "\n    ".join(said.splitlines()[-8:])))
                if os.path.exists(at_file):
                    with open(at_file) as file:
                        at = file.read().rstrip("\n")
                    os.remove(at_file)
            output = output if whole else None
        elif block.language in ("c", "cpp", "c++") and any("int main" in line for line in block.lines):
            counts["programs"] += 1
            script = next((b for b in blocks[index + 1:] if b.language in ("sh", "c", "cpp", "c++")), None)
            extension = "c" if block.language == "c" else "(?:cpp|cc)"
            file_name = re.search(r"(?<![\w/.-])([\w-]+\.%s)(?![\w])" % extension, "\n".join(script.lines)) \
                if script is not None and script.language == "sh" else None
            output = None
            if file_name:
                with open(os.path.join(at, file_name.group(1)), "w") as file:
                    file.write("\n".join(block.lines) + "\n")
            else:
                program = compile_program(where, block, at, environment)
                if program and shows_output:
                    done = subprocess.run([program], cwd=at, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT, timeout=60)
                    output = done.stdout.decode(errors="replace")
        elif block.language == "text" and index > 0 and block.line - blocks[index - 1].end < 4 and output is not None:
            counts["outputs"] += 1
            if update:
                shown = renew(block.lines, [line.rstrip() for line in output.splitlines()])
                if not matches(comparable("\n".join(block.lines)), comparable(output)):
                    renewed.append((block, shown))
            else:
                compare(where, "\n".join(block.lines), output)
            output = None
        elif block.language in ("", "text", "console", "shell", "bash"):
            for offset, line in enumerate(block.lines):
                if re.match(r"(\$ )?(bvbuild|bvinspect|cc|make|sudo) ", line):
                    fail("%s:%d" % (name, block.line + offset), "a command outside of a ```sh block: %s" % line)
        if block.language not in ("sh", "c", "cpp", "c++"):
            output = None
    for block, shown in reversed(renewed):
        lines[block.line - 1:block.end - 1] = [(block.indent + line).rstrip() for line in shown]
        print("%s:%d: written anew" % (name, block.line))
    if renewed:
        with open(page, "w") as file:
            file.write("\n".join(lines))


def run(samples, pages, update):
    counts = {"run": 0, "left out": 0, "programs": 0, "outputs": 0, "slowest": (0.0, "")}
    with tempfile.TemporaryDirectory() as scratch:
        tools = os.path.join(scratch, "bin")
        os.mkdir(tools)
        for tool in ("bvbuild", "bvinspect"):
            os.symlink(os.path.join(build, tool), os.path.join(tools, tool))
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k not in ("MFLAGS", "CC", "CFLAGS", "BUILD")}
        if os.environ.get("SAN"):
            for compiler in ("cc", "c++", "gcc", "g++"):
                path = os.path.join(tools, compiler)
                with open(path, "w") as file:
                    file.write("#!/bin/sh\nPATH='%s'\nexec %s -fsanitize=address,undefined \"$@\"\n" % (environment["PATH"], compiler))
                os.chmod(path, 0o755)
        packages = os.path.join(scratch, "pkg-config")
        os.mkdir(packages)
        for package in ("bv", "bvworld", "bvbuild"):
            with open(os.path.join(root, "packaging", "pkg-config", package + ".pc.in")) as file:
                text = file.read()
            for key, value in (("PREFIX", root), ("LIBDIR", build), ("INCLUDEDIR", root + "/include"), ("VERSION", "0.1.0")):
                text = text.replace("@%s@" % key, value)
            # The build folder has static libraries only.
            text = text.replace("Libs.private: -fopenmp -lm\n", "").replace("Libs.private: -lm\n", "")
            text = text.replace("-lbvbuild", " ".join(["-lbvbuild", "-lbv", *OF_LIBBVBUILD])).replace("-lbv\n", "-lbv -lm\n")
            text = text.replace("Requires.private: qhull_r libcjson libpng\n", "")
            with open(os.path.join(packages, package + ".pc"), "w") as file:
                file.write(text)
        environment.update(PATH=tools + ":" + environment["PATH"], CPATH=root + "/include", LIBRARY_PATH=build, LC_ALL="C.UTF-8",
                           PKG_CONFIG_PATH=packages, OMP_WAIT_POLICY="passive", COLUMNS="80")
        for page in pages:
            run_page(page, samples, scratch, environment, update, counts)
    print("%d commands run, %d not run, %d programs, %d outputs compared, %.0f s of processor time; slowest: %s, %.1f s" % (
        counts["run"], counts["left out"], counts["programs"], counts["outputs"], processor_time(),
        counts["slowest"][1], counts["slowest"][0]))


def read_prose(page):
    """A page's lines outside of blocks, with inline code as it stands, and the anchors of its headings."""
    with open(page) as file:
        lines = file.read().split("\n")
    prose, anchors, inside = [], set(), False
    for number, line in enumerate(lines, 1):
        if re.match(r" *```", line):
            inside = not inside
            continue
        if inside:
            continue
        prose.append((number, line))
        heading = re.match(r"#+ +(.*?) *#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
            slug = re.sub(r"[^\w\- ]", "", text.replace("`", "").lower()).replace(" ", "-")
            anchor, count = slug, 0
            while anchor in anchors:
                count += 1
                anchor = "%s-%d" % (slug, count)
            anchors.add(anchor)
        anchors.update(re.findall(r"""<a (?:id|name)=["']([^"']+)""", line))
    return prose, anchors


def check_links(pages):
    count = 0
    for page in pages:
        name = os.path.relpath(page, root)
        for number, line in read_prose(page)[0]:
            line = re.sub(r"`[^`]*`", "`", line)
            for target in re.findall(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", line) + re.findall(r"""(?:href|src)=["']([^"']+)""", line):
                if re.match(r"[a-z][a-z+.-]*:", target):
                    continue
                count += 1
                path, _, anchor = target.partition("#")
                path = os.path.join(os.path.dirname(page), path) if path else page
                if not os.path.exists(path):
                    fail("%s:%d" % (name, number), "the link leads nowhere: %s" % target)
                elif anchor and path.endswith(".md") and anchor not in read_prose(path)[1]:
                    fail("%s:%d" % (name, number), "there is no heading for the link: %s" % target)
    print("%d links" % count)


def check_options(page, tools):
    known = set()
    for tool in tools:
        for arguments in (["--help=all"], ["--help"]):
            done = subprocess.run([tool] + arguments, capture_output=True, text=True)
            if done.returncode == 0:
                break
        known.update(re.findall(r"^ +(?:-\w, *)?(--[a-z][a-z-]*)", done.stdout, re.M))
    with open(page) as file:
        text = file.read()
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*[a-z])(?![\w-])", text))
    name = os.path.relpath(page, root)
    for option in sorted(known - named):
        fail(name, "does not name %s" % option)
    for option in sorted(named - known):
        # Hidden aliases and forms such as --help=all are known to the tools all the same.
        unknown = all("unknown option" in subprocess.run([tool, option + "="], capture_output=True, text=True,
                                                         stdin=subprocess.DEVNULL).stderr for tool in tools)
        if unknown:
            fail(name, "names %s, which no tool knows" % option)
    print("%d options" % len(known))


def main():
    verb, arguments = (sys.argv[1:2] or ["--help"])[0], sys.argv[2:]
    if verb in ("run", "update"):
        run(os.path.abspath(arguments[0]), [os.path.abspath(page) for page in arguments[1:]], verb == "update")
    elif verb == "links":
        check_links([os.path.abspath(page) for page in arguments])
    elif verb == "options":
        check_options(os.path.abspath(arguments[0]), arguments[1:])
    elif verb == "compare":
        texts = []
        for path in arguments:
            with open(path) as file:
                texts.append(file.read())
        compare(arguments[0], texts[0], texts[1])
    elif verb == "renew":
        page, start = arguments[:2]
        with open(page) as file:
            lines = file.read().split("\n")
        with open(arguments[2]) as file:
            real = [line.rstrip() for line in file.read().splitlines()]
        block = next(b for b in read_blocks(lines) if b.lines and re.match(start, b.lines[0]))
        lines[block.line - 1:block.end - 1] = renew(block.lines, real)
        with open(page, "w") as file:
            file.write("\n".join(lines))
    else:
        print(__doc__.strip())
    sys.exit(1 if failures else 0)


main()

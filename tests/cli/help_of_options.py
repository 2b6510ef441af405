"""help_of_options.py TOOL LISTED: what `TOOL --help OPTION` prints for each option in the file LISTED.

Prints each fault, and then how many options there are.
"""

import os
import re
import shlex
import subprocess
import sys

tool, listed = sys.argv[1], open(sys.argv[2]).read().split()
name = os.path.basename(tool)


def run(*words):
    return subprocess.run([tool, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def section(lines, title):
    """The lines below a title up to the next empty one."""
    if title not in lines:
        return []
    first = lines.index(title) + 1
    rest = lines[first:]
    return rest[:rest.index("")] if "" in rest else rest


def faults_of(option):
    shown = run("--help", option)
    lines = shown.stdout.splitlines()
    if shown.returncode != 0 or len(lines) < 3:
        yield f"exit code {shown.returncode}: {shown.stderr}"
        return
    short = re.match(r"-(.), ", lines[0])
    if not re.match(rf"(-., )?{option}( |\[|$)", lines[0]):
        yield f"does not begin with its form: {lines[0]}"
    if not re.match("  [A-Z]", lines[2]):
        yield f"has no sentence: {lines[2]}"
    values = range(lines.index("Values:"), lines.index("Example:")) if "Values:" in lines else ()
    if any(len(line) > 100 for i, line in enumerate(lines) if i not in values):
        yield "is wider than 100 columns"
    examples = section(lines, "Example:")
    if len(examples) != 1:
        yield f"has {len(examples)} examples"
        return
    words = shlex.split(examples[0])
    if words[0] not in ("bvbuild", "bvinspect"):
        yield f"the example is not a command: {examples[0]}"
        return
    if not any(word == option or word.startswith(option + "=") or (short and re.match(f"-[a-z]*{short[1]}", word)) for word in words):
        yield f"the example is not about it: {examples[0]}"
    # The parser accepts the example: without its files it fails for their lack, not for the options. Measuring costs needs no
    # files and takes seconds; test_bvinspect does it.
    if option != "--measure-costs":
        program = os.path.join(os.path.dirname(tool), words[0])
        arguments = [word.replace("~/.cache/bvbuild", "cache") for word in words[1:]]
        done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode not in (0, 2):
            yield f"the parser rejects the example {examples[0]}: {done.stderr}"
    for other in re.findall(r"--[a-z-]+", " ".join(section(lines, "Goes with:"))):
        if other not in listed and not (name == "bvinspect" and other == "--cost-matrix"):
            yield f"goes with an unknown option: {other}"


for option in listed:
    for fault in faults_of(option):
        print(f"{option} {fault}")
print(f"{len(listed)} options")

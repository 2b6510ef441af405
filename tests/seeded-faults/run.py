"""Do the tests notice seeded faults? Each row of faults.tsv changes one line of the sources, and the test of its row must then fail.

    run.py BUILD                 applies each fault in a copy of the sources below BUILD, builds, runs its test, and reverts it
    run.py BUILD --only N        one row
    run.py --check               every fault can still be applied, and docs/testing.md has this table
    run.py --list                the table in Markdown
    run.py --write               the table into docs/testing.md

A row has the file, the line without its indentation (which must occur once), what replaces it, the test, the tier (check or ci), and
what the fault is. A fault that does not compile counts as an error of the table. Where its test does not notice a fault, the other
tests of the tier are run until one does. Exit code 1 when `make check` notices fewer than 28 of 30, or CI fewer than all.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
PAGE = os.path.join(root, "docs", "testing.md")
BEGIN, END = "<!-- begin seeded-faults -->", "<!-- end seeded-faults -->"
MOST_SECONDS = 900
ALLOWED_PAST_CHECK = 2


class Fault:
    def __init__(self, number, line):
        self.number = number
        self.path, self.old, self.new, self.test, self.tier, self.what = line.split("\t")

    def lines(self, folder):
        """The lines of the file, and where the faulty one is."""
        with open(os.path.join(folder, self.path), encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")
        places = [i for i, line in enumerate(lines) if line.strip() == self.old]
        if len(places) != 1:
            sys.exit(f"seeded-faults: {self.path}: the line occurs {len(places)} times and not once: {self.old}")
        return lines, places[0]

    def apply(self, folder):
        lines, i = self.lines(folder)
        lines[i] = lines[i].replace(self.old, self.new)
        self.write(folder, lines)

    def revert(self, folder):
        lines, _ = self.lines(root)
        self.write(folder, lines)

    def write(self, folder, lines):
        with open(os.path.join(folder, self.path), "w", encoding="utf-8", newline="") as file:
            file.write("\n".join(lines))


def read_table():
    with open(os.path.join(here, "faults.tsv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return [Fault(i + 1, line) for i, line in enumerate(lines)]


def table(faults):
    rows = ["| | file | fault | change | noticed by |", "| --- | --- | --- | --- | --- |"]
    for f in faults:
        change = f"`{f.old}` to `{f.new}`".replace("|", "\\|")
        rows.append(f"| {f.number} | `{f.path}` | {f.what} | {change} | `{f.test}`{' (CI)' if f.tier == 'ci' else ''} |")
    return "\n".join(rows)


def split_page():
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    inside, after = rest.split(END)
    return before, inside, after


def check(faults):
    for f in faults:
        f.lines(root)
    if split_page()[1].strip() != table(faults):
        sys.exit("seeded-faults: the table in docs/testing.md is not that of faults.tsv (run.py --write)")
    print(f"seeded-faults: {len(faults)} faults can be applied")


def copy_sources(folder):
    """What git knows of the sources, as it stands here, so that a copy is brought up to date by what differs."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        source, target = os.path.join(root, name), os.path.join(folder, name)
        if not os.path.exists(source):
            continue
        with open(source, "rb") as file:
            data = file.read()
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == data:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)


def run_test(folder, name, tier):
    """(whether it passes, what it printed); its program is built before."""
    variables = ["SAN=1", "CFLAGS=-O1 -g1", "BUILD=build/san"] if tier == "ci" else ["BUILD=build/plain"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE") and key not in ("MFLAGS", "TIMES")}
    jobs = f"-j{os.cpu_count()}"
    try:
        done = subprocess.run(["make", "-s", jobs, *variables, "run-" + name], cwd=folder, env=environment, capture_output=True, text=True,
                              timeout=MOST_SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return False, "no end"
    return done.returncode == 0, done.stdout + done.stderr


def other_tests(folder, but):
    """Names of all tests, scripts last."""
    unit = sorted(name[:-2] for name in os.listdir(f"{folder}/tests/unit") if name.startswith("test_") and name.endswith(".c"))
    cli = sorted(name[:-3] for name in os.listdir(f"{folder}/tests/cli") if name.startswith("test_") and name.endswith(".sh"))
    return [name for name in unit + cli if name not in (but, "test_install", "test_reports", "test_lost_builders")]


def judge(folder, f, sound):
    """The name of the test that notices the fault, or None."""
    if (f.test, f.tier) not in sound:
        good, said = run_test(folder, f.test, f.tier)
        if not good:
            sys.exit(f"seeded-faults: {f.test} fails without a fault:\n{said[-2000:]}")
        sound.add((f.test, f.tier))
    f.apply(folder)
    try:
        for name in [f.test, *(other_tests(folder, f.test) if f.tier == "check" else [])]:
            good, said = run_test(folder, name, f.tier)
            if re.search(rf"{re.escape(f.path)}:\d+:\d+: (fatal )?error:", said):
                sys.exit(f"seeded-faults: fault {f.number} does not compile:\n{said[-2000:]}")
            if not good:
                return name
        return None
    finally:
        f.revert(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?")
    parser.add_argument("--only", type=int)
    for flag in ("--check", "--list", "--write"):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args()
    faults = read_table()
    if given.list:
        print(table(faults))
    elif given.write:
        before, _, after = split_page()
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(f"{before}{BEGIN}\n{table(faults)}\n{END}{after}")
    elif given.check or not given.build:
        check(faults)
    else:
        folder = os.path.join(os.path.abspath(given.build), "seeded-faults")
        copy_sources(folder)
        sound = set()
        noticed = {"check": 0, "ci": 0}
        chosen = [f for f in faults if given.only in (None, f.number)]
        for f in chosen:
            began = time.time()
            name = judge(folder, f, sound)
            noticed[f.tier] += name is not None
            print(f"{f.number:3} {f.path}: {f.what}: {f'noticed by {name}' if name else 'NOT NOTICED'}, {time.time() - began:.0f} s", flush=True)
        total = sum(noticed.values())
        print(f"seeded-faults: make check notices {noticed['check']} of {len(chosen)}, CI {total}")
        sys.exit(0 if total == len(chosen) and noticed["check"] >= len(chosen) - ALLOWED_PAST_CHECK else 1)


main()

"""Whether a few pieces of work take more instructions than they did: a check that is the same on a busy machine and on an idle one.

    instructions.py check BUILD COMPILER FLAGS    against tests/golden/instructions; more than 3 % above it is a failure
    instructions.py write BUILD COMPILER FLAGS    writes that table

Counts are callgrind's, of what bench_instructions does on one thread with a sample mesh, all together and by function, without what
the mesh is prepared by. They are the same in each run (to a few hundred, where memory happens to lie otherwise), but change with the
compiler, its flags, the C library, and the vectors that the processor has: where one of these is not the table's, nothing is checked, and it says so. After work that is meant to take more
the table is written anew (make instructions-anew), in the commit that explains it.

Exit codes: 0 no more than before, or skipped; 1 more; 2 something failed.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(here, "golden", "instructions")
WORKS = {"import": "terrain", "fast": "rock", "balanced": "rock", "errors": "rock", "queries": "rock",
         "rays": "rock", "points": "rock", "overlaps": "rock", "casts": "rock"}
GROWTH = 0.03
SHOWN = 0.01  # functions with less than this part of the whole are not in the table


def describe(compiler, flags):
    """What counts depend on besides the code."""
    first_line = lambda *command: subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
    with open("/proc/cpuinfo") as file:
        words = next((line.split() for line in file if line.startswith("flags")), [])
    # Callgrind knows of none beyond AVX2.
    return {"compiler": first_line(*compiler.split(), "--version"), "flags": flags, "libc": " ".join(platform.libc_ver()),
            "callgrind": first_line("valgrind", "--version"), "machine": platform.machine(),
            "vectors": next((name for name in ("avx2", "avx", "sse4_2") if name in words), "sse2")}


def count(build, work, mesh, folder):
    """All instructions, and those of each function itself."""
    out = f"{folder}/{work}"
    # Without the kernel's random addresses the alignment of memory does not vary either.
    still = ["setarch", "-R"] if subprocess.run(["setarch", "-R", "true"], stderr=subprocess.DEVNULL).returncode == 0 else []
    run = subprocess.run([*still, "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=measured",
                          f"{build}/bench/bench_instructions", work, f"{folder}/{mesh}.obj"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    if run.returncode != 0:
        print(run.stdout)
        sys.exit(2)
    listed = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", out], check=True, stdout=subprocess.PIPE, text=True).stdout
    whole = int(re.search(r"([\d,]+) \(100\.0%\)  PROGRAM TOTALS", listed)[1].replace(",", ""))
    functions = {}
    for number, name in re.findall(r"^ *([\d,]+) \( *[\d.]+%\)  [^:\n]+:([^ \n]+)", listed, re.MULTILINE):
        name = re.sub(r"'\d+$", "", name)
        functions[name] = functions.get(name, 0) + int(number.replace(",", ""))
    return whole, functions


def read_table():
    about, wholes, functions = {}, {}, {}
    with open(TABLE) as file:
        for line in file:
            words = line.rstrip("\n").split(" ", 2)
            if line.startswith("#") or len(words) < 2:
                continue
            if words[0] == "made":
                about[words[1]] = words[2]
            elif words[0] == "all":
                wholes[words[1]] = int(words[2])
            else:
                functions.setdefault(words[0], {})[words[1]] = int(words[2])
    return about, wholes, functions


def write_table(about, counts):
    with open(TABLE, "w") as file:
        file.write("# Instructions of bench_instructions by work and function: see tests/instructions.py, which wrote this.\n")
        file.writelines(f"made {name} {text}\n" for name, text in about.items())
        for work, (whole, functions) in counts.items():
            file.write(f"all {work} {whole}\n")
            file.writelines(f"{work} {name} {number}\n" for name, number in sorted(functions.items(), key=lambda item: -item[1])
                            if number >= SHOWN * whole)


def check(counts, wholes, functions):
    """@return whether any work takes more than it may"""
    failed = False
    for work, (whole, now) in counts.items():
        before = wholes.get(work)
        if not before:
            print(f"instructions: {work}: not in the table; make instructions-anew")
            failed = True
            continue
        change = whole / before - 1
        print(f"instructions: {work}: {whole:,}, {100 * change:+.2f} %" + (": more than it may be" if change > GROWTH else ""))
        if change > GROWTH:
            failed = True
            then = functions.get(work, {})
            grown = {name: now.get(name, 0) - then.get(name, 0) for name in now if name in then or now[name] >= SHOWN * whole}
            for name in sorted(grown, key=grown.get, reverse=True)[:5]:
                if grown[name] > 0:
                    print(f"  {name}: {now[name]:,}, " + (f"{then[name]:,} before" if name in then else f"less than {SHOWN:.0%} before"))
        elif change < -GROWTH:
            print("  make instructions-anew keeps it")
    return failed


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in ("check", "write"):
        print(__doc__)
        return 2
    mode, build, compiler, flags = sys.argv[1:]
    about = describe(compiler, flags)
    made, wholes, functions = read_table() if mode == "check" else ({}, {}, {})
    others = [f"{name} {about[name]}, in the table {made.get(name)}" for name in about if made.get(name) != about[name]]
    if mode == "check" and others:
        print(f"instructions: skipped: {'; '.join(others)}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([f"{build}/make_samples", folder], check=True, stdout=subprocess.DEVNULL)
        counts = {work: count(build, work, mesh, folder) for work, mesh in WORKS.items()}
    if mode == "write":
        write_table(about, counts)
        return 0
    return 1 if check(counts, wholes, functions) else 0


sys.exit(main())

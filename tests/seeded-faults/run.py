#!/usr/bin/env python3
"""Checks that the tests notice faults: applies each fault of faults.tsv to a copy of the sources, builds, and runs a test.

  run.py [--build DIR] [--only ID]... [--full]   run the faults; exit code 1 if one of them is not caught
  run.py --check                                 check the table and docs/testing.md without building; part of `make check`
  run.py --list                                  print the table as Markdown
  run.py --write                                 write it into docs/testing.md
  run.py --record                                also write test and time of each caught fault into faults.tsv

A fault replaces a string that occurs exactly once in its file, and changes one line. The test that is expected to catch the fault
must pass on the unmodified sources and fail on the modified ones. With --full, the remaining tests of `make check` and then those
of CI follow until one of them fails. Sources are changed only in a copy in BUILD/seeded-faults, which reuses the objects in BUILD.

Columns of faults.tsv: id, file, string to find, its replacement, fault, expected test, tier (check or ci), test that caught the
fault, seconds that this took (build included). A test is the name of a unit test or CLI test, `sanitized:NAME` for the same test
built with ASan and UBSan, or any other target of the Makefile.
"""

import argparse
import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, 'faults.tsv')
PAGE = os.path.join(ROOT, 'docs', 'testing.md')
COLUMNS = ['id', 'file', 'find', 'replace', 'fault', 'test', 'tier', 'caught', 'seconds']

FAULTS = 41
MOST_CI = 2  # faults that only CI may catch
MOST_GOLDEN = 4  # faults that only the golden hashes may catch
GOLDEN = {'test_hashes', 'test_file_golden'}
CI_TARGETS = ['sanitized', 'browser-quick', 'identity', 'i386', 'big-endian', 'arm64-quick', 'mingw']
TIMEOUT = 1800


def fail(text):
    print('seeded-faults: ' + text, file=sys.stderr)
    sys.exit(1)


def read_table():
    with open(TABLE, encoding='utf-8') as table:
        lines = [line.rstrip('\n') for line in table if line.strip()]
    if lines[0].split('\t') != COLUMNS:
        fail(f'{TABLE}: the first line must name the columns {", ".join(COLUMNS)}')
    faults = []
    for line in lines[1:]:
        cells = line.split('\t')
        if len(cells) != len(COLUMNS):
            fail(f'{TABLE}: {cells[0]} has {len(cells)} columns instead of {len(COLUMNS)}')
        faults.append(dict(zip(COLUMNS, cells)))
    return faults


def write_table(faults):
    with open(TABLE, 'w', encoding='utf-8') as table:
        for row in [COLUMNS] + [[fault[column] for column in COLUMNS] for fault in faults]:
            table.write('\t'.join(row) + '\n')


def markdown(faults):
    cells = [['fault', 'file', 'tier', 'caught by', 'seconds']]
    for fault in faults:
        cells.append([fault['fault'], f'`{fault["file"]}`', fault['tier'], f'`{fault["caught"] or fault["test"]}`', fault['seconds']])
    rows = ['| ' + ' | '.join(row) + ' |' for row in cells]
    return '\n'.join([rows[0], '| --- | --- | --- | --- | ---: |'] + rows[1:]) + '\n'


def read_page():
    """docs/testing.md up to its table, the table, and the rest."""
    with open(PAGE, encoding='utf-8') as page:
        text = page.read()
    found = re.fullmatch(r'(.*<!-- begin seeded-faults -->\n)(.*)(<!-- end seeded-faults -->\n.*)', text, re.DOTALL)
    if not found:
        fail('docs/testing.md: the lines <!-- begin seeded-faults --> and <!-- end seeded-faults --> are missing')
    return found.groups()


def tests_by_tier():
    """The tests of `make check`, and what CI adds, as tests/check.mk has them."""
    with open(os.path.join(ROOT, 'tests', 'check.mk'), encoding='utf-8') as makefile:
        text = makefile.read()
    left = {kind: re.search(kind + r'\s*:=(.*)', text).group(1).split() for kind in ('CI_TESTS', 'LONG_TESTS')}
    names = sorted(name.rsplit('.', 1)[0] for top in ('unit', 'cli') for _, _, files in os.walk(os.path.join(ROOT, 'tests', top))
                   for name in files if re.fullmatch(r'test_\w+\.(c|sh)', name))
    return [name for name in names if name not in left['CI_TESTS'] + left['LONG_TESTS']], left['CI_TESTS'] + CI_TARGETS


def without_comments(text):
    return re.sub(r'\s|//.*|/\*.*?\*/', '', text)


def problems_of_table(faults):
    problems = []
    check, ci = tests_by_tier()
    for fault in faults:
        name = fault['id']
        path = os.path.join(ROOT, fault['file'])
        if not os.path.exists(path):
            problems.append(f'{name}: {fault["file"]} does not exist')
            continue
        with open(path, encoding='utf-8') as source:
            count = source.read().count(fault['find'])
        if count != 1:
            problems.append(f'{name}: the search string occurs {count} times in {fault["file"]} instead of once: {fault["find"]}')
        if without_comments(fault['find']) == without_comments(fault['replace']):
            problems.append(f'{name}: the replacement changes nothing')
        if fault['tier'] not in ('check', 'ci'):
            problems.append(f'{name}: the tier is {fault["tier"]} instead of check or ci')
        for test in (fault['test'], fault['caught']):
            kind, _, plain = test.rpartition(':')
            if kind not in ('', 'sanitized') or plain not in check + ci:
                problems.append(f'{name}: neither check nor CI has a test named {test}')
            elif fault['tier'] == 'check' and (kind or plain not in check):
                problems.append(f'{name}: the tier is check, which does not run {test}')
    names = [fault['id'] for fault in faults]
    problems += [f'{name}: the name is used twice' for name in sorted(set(names)) if names.count(name) > 1]
    if len(faults) != FAULTS:
        problems.append(f'the table has {len(faults)} faults instead of {FAULTS}')
    if sum(fault['tier'] == 'ci' for fault in faults) > MOST_CI:
        problems.append(f'more than {MOST_CI} faults are left to CI')
    if sum(fault['test'] in GOLDEN for fault in faults) > MOST_GOLDEN:
        problems.append(f'more than {MOST_GOLDEN} faults are left to the golden hashes')
    return problems


def sources():
    """Files of the project, as they are in the working tree."""
    listed = subprocess.run(['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    names = [name for name in listed.stdout.decode().split('\0') if name]
    if listed.returncode or not names:  # an unpacked archive
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [f for f in folders if f != '.git' and not os.path.exists(os.path.join(folder, f, 'obj'))]
            names += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files]
    return [name for name in names if os.path.lexists(os.path.join(ROOT, name))]


class Copy:
    """A copy of the sources with a build folder of its own."""

    def __init__(self, build):
        self.tree = os.path.join(os.path.abspath(build), 'seeded-faults', 'tree')
        self.build = 'build' if os.path.isabs(build) else build
        self.passed = {}
        fresh = not os.path.exists(self.tree)
        os.makedirs(self.tree, exist_ok=True)
        self.copy_sources(fresh)
        if fresh and not os.path.isabs(build):
            self.copy_objects(build)

    def copy_sources(self, fresh):
        names = set(sources())
        for name in names:
            source, target = os.path.join(ROOT, name), os.path.join(self.tree, name)
            if os.path.lexists(target) and filecmp.cmp(source, target, shallow=False):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
            if not fresh:
                os.utime(target)  # newer than the objects of an earlier run
        for folder, folders, files in os.walk(self.tree):
            folders[:] = [f for f in folders if os.path.normpath(os.path.join(folder, f)) != os.path.join(self.tree, self.build)]
            for name in files:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.tree) not in names:
                    os.remove(path)

    def copy_objects(self, build):
        """Objects, libraries and programs keep their times, so that make finds them up to date."""
        for part in ('', 'san'):
            source, target = os.path.join(ROOT, build, part), os.path.join(self.tree, self.build, part)
            for name in ('flags', 'obj', 'tests', 'pic', 'libbv.a', 'libbvworld.a', 'libbvbuild.a', 'libreference.a', 'bvbuild', 'bvinspect'):
                path = os.path.join(source, name)
                if os.path.exists(path):
                    os.makedirs(target, exist_ok=True)
                    subprocess.run(['cp', '-a', '--reflink=auto', path, target + '/'], check=True)

    def run(self, test):
        """Runs a test and returns 'passed', 'failed' or 'not built', and what was printed."""
        kind, _, name = test.rpartition(':')
        target = 'run-' + name if name.startswith('test_') else name
        command = ['make', '--no-print-directory', f'-j{os.cpu_count()}', f'BUILD={self.build}']
        if kind == 'sanitized':
            command = command[:-1] + [f'BUILD={self.build}/san', 'SAN=1', 'CFLAGS=-O1 -g1']
        environment = {key: value for key, value in os.environ.items()
                       if key not in ('MAKEFLAGS', 'MFLAGS', 'MAKEOVERRIDES', 'MAKELEVEL', 'TIMES', 'BUILD')}
        process = subprocess.Popen(command + [target], cwd=self.tree, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output = process.communicate(timeout=TIMEOUT)[0].decode(errors='replace')
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 'failed', process.communicate()[0].decode(errors='replace') + f'still running after {TIMEOUT} s\n'
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise
        if process.returncode == 0:
            return 'passed', output
        # A test that failed, as opposed to a file that was not compiled.
        if re.search(r'\*\*\* \[[^]]*\b' + re.escape(target) + r'\] ', output):
            return 'failed', output
        return 'not built', output

    def passes_unmodified(self, test):
        if test not in self.passed:
            self.passed[test] = self.run(test)
        return self.passed[test]

    def apply(self, fault):
        path = os.path.join(self.tree, fault['file'])
        with open(path, encoding='utf-8') as source:
            text = source.read()
        with open(path, 'w', encoding='utf-8') as target:
            target.write(text.replace(fault['find'], fault['replace']))
        return path, text

    @staticmethod
    def revert(applied):
        path, text = applied
        with open(path, 'w', encoding='utf-8') as target:
            target.write(text)


def remaining_tests(fault):
    """All other tests of `make check`, then those of CI."""
    check, ci = tests_by_tier()
    return [(test, tier) for tests, tier in ((check, 'check'), (ci, 'ci'))
            for test in tests if test != fault['test']]


def last_lines(output):
    return '\n'.join('    ' + line for line in output.rstrip().splitlines()[-12:])


def run_fault(copy, fault, full):
    """Returns the test that caught the fault and its tier, or None and a reason."""
    candidates = [(fault['test'], fault['tier'])] + (remaining_tests(fault) if full else [])
    for test, tier in candidates:
        result, output = copy.passes_unmodified(test)
        if result != 'passed':
            print(f'{test} {result} on the unmodified sources:\n{last_lines(output)}')
            continue
        applied = copy.apply(fault)
        began = time.monotonic()
        try:
            result, output = copy.run(test)
        finally:
            copy.revert(applied)
        seconds = time.monotonic() - began
        if result == 'not built':
            print(last_lines(output))
            return None, 'the modified sources do not build', seconds
        if result == 'failed':
            if os.environ.get('VERBOSE'):
                print(last_lines(output))
            return test, tier, seconds
    return None, 'no test caught it' if full else f'{fault["test"]} did not catch it (--full runs the other tests)', 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build', help='build folder, relative to the project or absolute')
    parser.add_argument('--only', action='append', metavar='ID', help='run this fault only; can be repeated')
    parser.add_argument('--full', action='store_true', help='if the expected test passes, run all others')
    parser.add_argument('--record', action='store_true', help='write results into faults.tsv')
    parser.add_argument('--list', action='store_true', help='print the table as Markdown')
    parser.add_argument('--write', action='store_true', help='write the table into docs/testing.md')
    parser.add_argument('--check', action='store_true', help='check the table without running anything')
    options = parser.parse_args()

    faults = read_table()
    if options.write:
        before, _, after = read_page()
        with open(PAGE, 'w', encoding='utf-8') as page:
            page.write(before + markdown(faults) + after)
        return
    if options.list:
        sys.stdout.write(markdown(faults))
        return
    problems = problems_of_table(faults)
    if options.check and read_page()[1] != markdown(faults):
        problems.append('docs/testing.md: the table is out of date (run: python3 tests/seeded-faults/run.py --write)')
    if problems and not (options.only and not options.check):
        fail('\n'.join(problems))
    if options.check:
        print(f'seeded-faults: {len(faults)} faults can be applied')
        return

    chosen = [fault for fault in faults if not options.only or fault['id'] in options.only]
    unknown = set(options.only or []) - {fault['id'] for fault in chosen}
    if unknown:
        fail(f'no fault named {", ".join(sorted(unknown))}')
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    copy = Copy(options.build)
    began = time.monotonic()
    missed = by_ci = 0
    for fault in chosen:
        test, tier, seconds = run_fault(copy, fault, options.full)
        if test:
            other = '' if test == fault['test'] else f' instead of {fault["test"]}'
            print(f'{fault["id"]}: caught by {test}{other} ({seconds:.0f} s)', flush=True)
            fault['caught'], fault['seconds'] = test, f'{seconds:.0f}'
            by_ci += tier == 'ci'
            if options.record:
                write_table(faults)
        else:
            print(f'{fault["id"]}: NOT CAUGHT: {tier}', flush=True)
            missed += 1
    print(f'{len(chosen) - missed} of {len(chosen)} seeded faults caught, {by_ci} of them only by CI, '
          f'in {time.monotonic() - began:.0f} s')
    if missed or by_ci > MOST_CI:
        sys.exit(1)


main()

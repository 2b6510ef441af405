"""interrupt.py BUILD [--shots N] [--sanitized]: runs of bvbuild that end in the middle.

Signals at N random moments each, half of them while a temporary is there; signals and errors at each system call of a write,
which strace brings about; a full disk, targets that must not be written, and two writers of one output. Always: outputs are
whole, old or new; the exit code tells how it ended; no temporary is left, but for one after SIGKILL, which the next run
removes; no process is left either.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("--shots", type=int, default=12)
parser.add_argument("--sanitized", action="store_true")
given = parser.parse_args()
if given.sanitized:
    # Looking for leaks stops all threads, of which a signal in the middle leaves a message.
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
bvbuild = os.path.abspath(given.build) + "/bvbuild"
thorough = bool(os.environ.get("BV_THOROUGH"))

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
CALLS = ("openat", "flock", "ftruncate", "write", "fsync", "rename")
DELAY = 10000  # microseconds
MARK = "BV_INTERRUPTED"
passed = 0
failed = 0


def check(good, what):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"test_interrupted: FAILED: {what}")
    return good


def runs(process):
    """Without taking its exit code away, so that it can be sent a signal in any case."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


class Case:
    """One way to call bvbuild, and what it makes of what."""

    def __init__(self, name, folder, arguments, outputs, workers=1, others=(), cache=None):
        self.name = name
        self.folder = folder
        self.arguments = arguments
        self.outputs = outputs  # names in the folder
        self.others = set(others)  # names that may be there as well
        self.workers = workers
        self.cache = cache  # a folder in the folder
        self.entries = []  # of the cache
        self.tag = f"{os.getpid()}-{name}"
        self.old = {}
        self.new = {}
        self.write_time = 0.0
        self.times = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, prefix=(), arguments=None):
        environment = dict(os.environ, **{MARK: self.tag})
        # Of its own session, so that all that it starts can be hit as a terminal does. Scripts' background jobs have SIGINT ignored.
        return subprocess.Popen([*prefix, bvbuild, *(arguments or self.arguments)], env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def end(self, process):
        said = process.communicate()[1].decode()
        # strace tells of its own surprise when what it delays is killed.
        return process.returncode, "".join(line for line in said.splitlines(True) if line.strip() and not line.startswith("strace: "))

    def files(self):
        found = set()
        for base, _, names in os.walk(self.folder):
            found |= {os.path.relpath(os.path.join(base, name), self.folder) for name in names}
        return found

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def temporaries(self):
        """All that is neither an output nor a whole entry of the cache."""
        known = self.others | set(self.outputs) | set(self.entries)
        return sorted(name for name in self.files() if name not in known)

    def is_writing(self):
        return any(os.path.exists(self.path(name) + ".bvtmp") for name in self.outputs + self.entries)

    def wait_for_temporary(self, process):
        while not self.is_writing() and runs(process):
            pass

    def learn(self, before):
        """What was there before, what the run makes of it, and how long it takes."""
        for name, data in before.items():
            with open(self.path(name), "wb") as file:
                file.write(data)
        self.old = dict(before)
        for _ in range(5):
            self.restore()
            start = time.monotonic()
            code, said = self.end(self.start())
            self.times.append(time.monotonic() - start)
            check(code == 0, f"{self.name}: exit code {code}: {said}")
        self.new = {name: self.read(name) for name in self.outputs}
        self.entries = sorted(name for name in self.files() if self.cache and name.startswith(self.cache + "/"))
        self.content = {name: self.read(name) for name in [*self.entries, *self.others - {"log"}]}
        check(all(self.new[name] not in (None, self.old.get(name)) for name in self.outputs), f"{self.name}: nothing new is made")
        self.times.sort()

    def restore(self):
        if self.cache:
            shutil.rmtree(self.path(self.cache), ignore_errors=True)
        for name in self.outputs:
            if name in self.old:
                with open(self.path(name), "wb") as file:
                    file.write(self.old[name])
            elif os.path.exists(self.path(name)):
                os.remove(self.path(name))

    def survivors(self):
        """Processes that carry this case's mark. Those that are told of their parent's death need a moment."""
        for _ in range(100):
            left = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/environ", "rb") as file:
                        if f"{MARK}={self.tag}".encode() in file.read().split(b"\0"):
                            left.append(int(pid))
                except OSError:
                    pass
            if not left:
                return []
            time.sleep(0.02)
        return left

    def examine(self, what, killed):
        """After a run that ended somehow; returns how many outputs are new."""
        check(not self.survivors(), f"{what}: processes are left")
        for name in self.outputs:
            check(self.read(name) in (self.old.get(name), self.new[name]), f"{what}: {name} is neither the old nor the new one")
        left = self.temporaries()
        check(len(left) <= (self.workers if killed else 0), f"{what}: left behind: {' '.join(left)}")
        check_log(self, what)
        new = sum(self.read(name) == self.new[name] for name in self.outputs)
        for name, data in self.content.items():
            # A failure has no rule in a dep-file.
            check(self.read(name) in (None, data, b""), f"{what}: {name} is not whole")
        if left or self.cache:
            self.go_on(what)
        return new

    def go_on(self, what):
        """The next run, and one that finds all that it needs in the cache."""
        for again in range(2 if self.cache else 1):
            for name in self.outputs if again else ():
                os.remove(self.path(name))
            code, said = self.end(self.start())
            right = all(self.read(name) == data for name, data in [*self.new.items(), *self.content.items()])
            check(code == 0 and right and not self.temporaries(),
                  f"{what}: the next run: exit code {code}: {said}, all is right: {right}, left: {self.temporaries()}")


def can_trace():
    try:
        return not given.sanitized and subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def watch(case, action):
    """What has strace act on system calls on temporaries."""
    paths = [word for name in case.outputs + case.entries for word in ("-P", case.path(name) + ".bvtmp")]
    return ["strace", "-f", "-qq", "-o", "/dev/null", *paths, "-e", "trace=" + ",".join(CALLS), "-e", "inject=" + action]


def random_moments(case, number, shots):
    """Half anywhere in a run; half from the moment on that a temporary is there, with its writing slowed down where that is possible."""
    within = finished = kept = 0
    slow = watch(case, f"write,fsync,rename:delay_enter={DELAY}") + ["-DD"] if can_trace() else []
    for shot in range(shots):
        case.restore()
        process = case.start(slow if shot % 2 else [])
        if shot % 2:
            case.wait_for_temporary(process)
            time.sleep(random.uniform(0, 3e-6 * DELAY if slow else case.write_time))
        else:
            time.sleep(random.uniform(0, case.times[len(case.times) // 2]))
        within += case.is_writing()
        # As kill does, and as a terminal does to all.
        (os.kill if shot % 4 < 2 else os.killpg)(process.pid, number)
        code, said = case.end(process)
        what = f"{case.name}: {signal.Signals(number).name}, shot {shot}"
        check(code in (-number, 0), f"{what}: exit code {code}: {said}")
        check(code == 0 or not said, f"{what}: says {said}")
        new = case.examine(what, number == signal.SIGKILL)
        check(code != 0 or new == len(case.outputs), f"{what}: exit code 0, but not all is new")
        finished += code == 0
        kept += new == 0
    print(f"test_interrupted: {case.name}: {signal.Signals(number).name} {shots} times: {within} while a temporary was there, "
          f"{kept} with nothing new, {finished} too late")


def measure_write(case):
    """How long a temporary is there."""
    found = []
    for _ in range(5):
        case.restore()
        process = case.start()
        case.wait_for_temporary(process)
        begin = time.monotonic()
        while case.is_writing():
            pass
        found.append(time.monotonic() - begin)
        case.end(process)
    case.write_time = max(sorted(found)[len(found) // 2], 0.0005)


def traced(case, expression):
    """A run of which strace changes system calls on temporaries."""
    return case.end(case.start(watch(case, expression)))


def exact_moments(case, everything):
    if not can_trace():
        print("test_interrupted: not tried: system calls by strace, which is not allowed here")
        return
    name = case.outputs[0]
    for number in SIGNALS if everything else SIGNALS[1:]:
        for call in CALLS:
            case.restore()
            code, said = traced(case, f"{call}:signal={signal.Signals(number).name}:when=1")
            what = f"{case.name}: {signal.Signals(number).name} at {call}"
            # One of several processes, by itself: the others and the call go on to tell of it.
            expected = -number if case.workers == 1 else 5 if number == signal.SIGKILL else 70
            check(code == expected, f"{what}: exit code {code}: {said}")
            case.examine(what, number == signal.SIGKILL)
    for call, error, text in (("openat", "EACCES", "Permission denied"), ("openat", "EMFILE", "Too many open files"),
                              ("flock", "ENOLCK", "No locks available"), ("ftruncate", "EIO", "Input/output error"),
                              ("write", "ENOSPC", "No space left on device"), ("write", "EDQUOT", "Disk quota exceeded"),
                              ("fsync", "EIO", "Input/output error"), ("rename", "EACCES", "Permission denied"),
                              ("rename", "EXDEV", "Invalid cross-device link")):
        case.restore()
        code, said = traced(case, f"{call}:error={error}")
        what = f"{case.name}: {error} of {call}"
        check(code == 4, f"{what}: exit code {code}")
        check(f"bvbuild: {case.path(name)}: cannot be written: {text}\n" in said, f"{what}: says {said}")
        check(case.read(name) == case.old.get(name), f"{what}: the output is not the old one")
        case.examine(what, False)
    for call in ("write", "flock", "fsync") if everything else ():
        case.restore()
        code, said = traced(case, f"{call}:error=EINTR:when=1")
        check(code == 0, f"{case.name}: EINTR of {call}: exit code {code}: {said}")
        case.examine(f"{case.name}: EINTR of {call}", False)


def space(arguments):
    """A command in a name space of its own, where it can mount what nobody else sees; null where that is not allowed."""
    for prefix in (["unshare", "-m"], ["unshare", "-rm"]):
        if subprocess.run([*prefix, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
            return subprocess.run([*prefix, "sh", "-ec", *arguments], capture_output=True, text=True)
    return None


def full_disk(mesh, small, scratch):
    """A new file of 90 KB on a disk of 64 KB that has an old one of 6 KB on it."""
    report = f"{scratch}/full"
    os.makedirs(report)
    script = ('mount -t tmpfs -o size=64k none "$2"; cp "$4" "$2/out.bvh"; code=0; '
              '"$1" -q "$3" -o "$2/out.bvh" || code=$?; ls "$2"; cmp "$4" "$2/out.bvh" && echo same; exit $code')
    done = space([script, "sh", bvbuild, report, mesh, small])
    if done:
        how = "a tmpfs"
    else:
        how = "a limit on the size of files, for nothing can be mounted here"
        shutil.copy(small, f"{report}/out.bvh")
        script = 'code=0; ulimit -f 64; "$1" -q "$3" -o "$2/out.bvh" || code=$?; ls "$2"; cmp "$4" "$2/out.bvh" && echo same; exit $code'
        done = subprocess.run(["sh", "-ec", script, "sh", bvbuild, report, mesh, small], capture_output=True, text=True)
    reason = "No space left on device" if how == "a tmpfs" else "File too large"
    check(done.returncode == 4, f"full disk: exit code {done.returncode}: {done.stderr}")
    check(done.stdout == "out.bvh\nsame\n", f"full disk: what is there: {done.stdout}")
    check(done.stderr == f"bvbuild: {report}/out.bvh: cannot be written: {reason}\n", f"full disk: says {done.stderr}")
    print(f"test_interrupted: the full disk was {how}")


def read_only(mesh, small, scratch):
    """A disk, a folder and a file that must not be written. Root may write the latter two, so somebody else is asked."""
    folder = f"{scratch}/read-only"
    os.makedirs(folder)
    os.chmod(scratch, 0o755)
    shutil.copy(small, f"{folder}/out.bvh")
    script = 'mount -t tmpfs none "$2"; cp "$4" "$2/out.bvh"; mount -o remount,ro "$2"; code=0; ' \
             '"$1" -q "$3" -o "$2/out.bvh" || code=$?; ls "$2"; cmp "$4" "$2/out.bvh" && echo same; exit $code'
    done = space([script, "sh", bvbuild, folder, mesh, small])
    if done:
        check(done.returncode == 4 and done.stdout == "out.bvh\nsame\n", f"read-only disk: {done.returncode}: {done.stdout}")
        check(done.stderr == f"bvbuild: {folder}/out.bvh: cannot be written: Read-only file system\n", f"read-only disk: says {done.stderr}")
    else:
        print("test_interrupted: not tried: a read-only disk, for nothing can be mounted here")
    somebody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    if somebody and subprocess.run([*somebody, bvbuild, "--version"], capture_output=True).returncode != 0:
        print("test_interrupted: not tried: files and folders that only root may write, for nobody else can run the program")
        return
    for mode_of_folder, mode_of_file in ((0o555, 0o644), (0o777, 0o444)):
        os.chmod(folder, mode_of_folder)
        os.chmod(f"{folder}/out.bvh", mode_of_file)
        done = subprocess.run([*somebody, bvbuild, "-q", mesh, "-o", f"{folder}/out.bvh"], capture_output=True, text=True)
        what = f"read-only, modes {mode_of_folder:o} and {mode_of_file:o}"
        check(done.returncode == 4, f"{what}: exit code {done.returncode}")
        check(done.stderr == f"bvbuild: {folder}/out.bvh: cannot be written: Permission denied\n", f"{what}: says {done.stderr}")
        check(os.listdir(folder) == ["out.bvh"], f"{what}: left: {os.listdir(folder)}")
        with open(f"{folder}/out.bvh", "rb") as now, open(small, "rb") as before:
            check(now.read() == before.read(), f"{what}: the old file has changed")
    os.chmod(folder, 0o755)


def two_writers(case, other_arguments, rounds):
    """Both end well, and one of them has written last."""
    theirs = None
    wins = 0
    for _ in range(rounds):
        case.restore()
        if theirs is None:
            case.end(case.start(arguments=other_arguments))
            theirs = case.read(case.outputs[0])
            check(theirs != case.new[case.outputs[0]], "two writers: both write the same")
        writers = [case.start(), case.start(arguments=other_arguments)]
        for writer in writers:
            code, said = case.end(writer)
            check(code == 0, f"two writers: exit code {code}: {said}")
        result = case.read(case.outputs[0])
        check(result in (theirs, case.new[case.outputs[0]]), "two writers: the file is neither's")
        check(not case.temporaries(), f"two writers: left: {case.temporaries()}")
        wins += result == theirs
    print(f"test_interrupted: two writers {rounds} times: the one was last {rounds - wins} times, the other {wins}")


def write_grid(path, side):
    """As large as writing it is to take long: the file is not much smaller."""
    with open(path, "w") as file:
        for i in range(side * side):
            file.write(f"v {i % side} {i // side} {i * 7 % 11}\n")
        for i in range(1, side * (side - 1)):
            if i % side:
                file.write(f"f {i} {i + 1} {i + side}\nf {i + 1} {i + side + 1} {i + side}\n")


def torment(case, before, everything=thorough):
    os.makedirs(case.folder, exist_ok=True)
    case.learn(before)
    measure_write(case)
    print(f"test_interrupted: {case.name}: {1e3 * case.times[2]:.0f} ms a run, a temporary is there for {1e3 * case.write_time:.1f} ms")
    for number in SIGNALS:
        random_moments(case, number, given.shots)
    exact_moments(case, everything)


def several_inputs(scratch):
    """Four, two at a time, of which two go through Assimp in processes of its own; two of their outputs are not there before."""
    folder = f"{scratch}/several"
    inputs = [f"{scratch}/grid{i}.obj" for i in range(4)]
    for i, path in enumerate(inputs):
        write_grid(path, (120 if thorough else 50) + i)
    for i in (1, 2):
        made = f"{scratch}/grid.bvh"
        subprocess.run([bvbuild, "-q", "--sections", "none,mesh", inputs[i], "-o", made], check=True)
        inputs[i] = inputs[i].replace(".obj", ".glb")
        subprocess.run([given.build + "/bvinspect", made, "--export", f"mesh,{inputs[i]}"], check=True)
    arguments = ["-q", "--jobs", "2", "--threads", "1", "--sections", "none,mesh", "--log", f"{folder}/log", *inputs, "-o", folder]
    return Case("several inputs", folder, arguments, [f"grid{i}.bvh" for i in range(4)], workers=2, others=["log"])


def with_cache(scratch):
    """One with all that may be written beside the output."""
    folder = f"{scratch}/cached"
    source = f"{scratch}/grid0.obj"
    arguments = ["-q", "--sections", "none,mesh", "--cache", f"{folder}/cache", "--depfile", f"{folder}/depfile", source, "-o", f"{folder}/out.bvh"]
    return Case("with a cache", folder, arguments, ["out.bvh"], others=["depfile"], cache="cache")


def check_log(case, what):
    """Lines are whole."""
    text = case.read("log")
    for line in text.decode().splitlines(True) if text else []:
        try:
            json.loads(line)
        except ValueError:
            check(False, f"{what}: the log has a line {line!r}")


def main():
    random.seed(1)
    scratch = tempfile.mkdtemp()
    try:
        subprocess.run([given.build + "/make_samples", scratch], check=True, stdout=subprocess.DEVNULL)
        crate, large, huge = f"{scratch}/crate.obj", f"{scratch}/terrain.obj", f"{scratch}/grid.obj"
        write_grid(huge, 400 if thorough else 150)
        small = f"{scratch}/small.bvh"
        subprocess.run([bvbuild, "-q", crate, "-o", small], check=True)
        with open(small, "rb") as file:
            old = file.read()

        single = Case("one input", f"{scratch}/single", ["-q", "--sections", "none,mesh", huge, "-o", f"{scratch}/single/out.bvh"], ["out.bvh"])
        torment(single, {"out.bvh": old}, everything=True)
        other = [*single.arguments, "--scale", "2"]
        two_writers(single, other, given.shots)
        # Several processes and the cache write by the same functions, so that fewer moments are enough.
        torment(several_inputs(scratch), {"grid1.bvh": old, "grid2.bvh": old})
        torment(with_cache(scratch), {"out.bvh": old})
        full_disk(large, small, scratch)
        read_only(large, small, scratch)
    finally:
        shutil.rmtree(scratch)
    print(f"test_interrupted: {passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)


main()

"""Finds and runs bvbuild and bvinspect."""

import os
import shutil
import subprocess
import tempfile


class Failure(Exception):
    """One line for people, as the programs print it."""


def find(name, folder=""):
    """The path of a program: in `folder` if one is given, else on PATH."""
    if folder:
        path = shutil.which(name, path=os.path.expanduser(folder))
        if not path:
            raise Failure("there is no program %s in %s (set the folder in the preferences of the add-on)" % (name, folder))
        return path
    path = shutil.which(name)
    if not path:
        raise Failure("there is no program %s on PATH (install it, or set its folder in the preferences of the add-on)" % name)
    return path


def _quiet():
    """Windows opens no console for a program."""
    return {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}


def _message(name, code, stderr):
    """The line of an error: without the name of the program, which people have not called."""
    lines = [line for line in stderr.splitlines() if line.startswith(name + ": ")]
    if lines:
        return lines[-1][len(name) + 2:]
    lines = stderr.splitlines()
    return lines[-1] if lines else "%s ended with exit code %d and no message" % (name, code)


class Process:
    """A running program. Its output goes to files, which never block it."""

    def __init__(self, name, arguments, folder=""):
        self.name = name
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen([find(name, folder), *arguments], stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
                                            **_quiet())
        except OSError as error:
            raise Failure("%s cannot be started: %s" % (name, error.strerror)) from error

    def poll(self):
        """Whether it has ended."""
        return self.process.poll() is not None

    def stop(self):
        """Ends it. bvbuild leaves no half-written file behind."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self._close()

    def result(self):
        """Waits for the end. Returns its standard output and what it said; raises Failure unless it succeeded."""
        code = self.process.wait()
        texts = []
        for file in (self.out, self.err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        self._close()
        if code != 0:
            raise Failure(_message(self.name, code, texts[1]))
        return texts[0], texts[1]

    def _close(self):
        self.out.close()
        self.err.close()


def run(name, arguments, folder=""):
    """Runs a program to its end: see Process.result."""
    return Process(name, arguments, folder).result()

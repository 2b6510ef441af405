"""Callbacks that fail when Python enters them. No result is returned then, and what the handlers of signals raise is not lost."""

import ctypes
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
from common import Case, box, bumpy_ball

import bvbuild
from bvbuild import Convex, Motion, time_of_impact


class Alarm(Exception):
    """What the handler of the signal raises."""


class Signals(Case):

    def setUp(self):
        super().setUp()
        self.raised, self.ignored = 0, []
        before = signal.signal(signal.SIGALRM, self.handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        hook = sys.unraisablehook
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        sys.unraisablehook = self.ignored.append

    def handler(self, _number, _frame):
        self.raised += 1
        raise Alarm

    def alarmed(self, call, delay):
        """What a call returns that a signal may interrupt after a delay; None if it raised the exception of the handler."""
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            value = call()
            signal.setitimer(signal.ITIMER_REAL, 0)
            return value
        except Alarm:
            self.caught += 1
            return None

    def check(self, call, check, rounds, longest):
        """In all rounds: what the handler raises arrives, and what is returned is right."""
        self.caught = 0
        for _ in range(rounds):
            value = self.alarmed(call, self.random.uniform(1e-5, longest))
            if value is not None:
                check(value)
        self.assertEqual((self.caught, self.ignored), (self.raised, []))
        self.assertGreater(self.caught, rounds // 10)

    def test_nodes_are_complete_or_interrupted(self):
        data = self.made(*bumpy_ball(self.random, rings=8)).tobytes()
        expected = bvbuild.open(data).nodes
        files = []

        def read():
            files.append(bvbuild.open(data))
            return files[-1].nodes

        def check(nodes):
            self.assertNotIn(None, nodes.volumes)
            np.testing.assert_array_equal(nodes.triangles, expected.triangles)

        self.check(read, check, 300, 3e-3)
        for file in files:  # what was interrupted was not kept
            check(file.nodes)

    def test_impacts_are_right_or_interrupted(self):
        file = self.made(*bumpy_ball(self.random, rings=8))
        motion = Motion.function(lambda t: ([0, 0, 0, 1], [10 - 20 * t, 0, 0]), speed=20, spin=0)
        for moving in (motion, Motion.sequence([motion, Motion.still(([0, 0, 0, 1], [-10, 0, 0]))], [0.7, 1])):
            impact = lambda: time_of_impact(file, Motion.still(), Convex.sphere(0.1), moving)
            expected = impact()
            self.check(impact, lambda hit: self.assertEqual((hit.lower, hit.upper), (expected.lower, expected.upper)), 300, 2e-3)
            self.raised = 0

    def test_builds_are_complete_or_interrupted(self):
        mesh = bumpy_ball(self.random, rings=4)
        expected = bvbuild.build(*mesh, decompose="3%").tobytes()
        self.check(lambda: bvbuild.build(*mesh, decompose="3%", threads=1), lambda built: self.assertEqual(built.tobytes(), expected), 25, 0.1)

    def test_interrupts_end_the_search_for_parts(self):
        """Ctrl-C while the library computes and no function of the user is called."""
        program = """
import os, signal, sys, threading, bvbuild, numpy
sys.path.insert(0, "tests/python")
from common import bumpy_ball
mesh = bumpy_ball(numpy.random.default_rng(1), rings=20, bumps=0.5)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    bvbuild.build(*mesh, decompose="0.01%")
except KeyboardInterrupt:
    print("interrupted")
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("interrupted\n", "", 0))


class Hooks(Case):

    def test_what_others_raise_is_passed_on(self):
        class Broken:
            def __del__(self):
                raise KeyError("not ours")

        def leave(stage, done):
            if stage == "hull":
                Broken()

        hook, seen = sys.unraisablehook, []
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        mine = lambda unraisable: seen.append(str(unraisable.exc_value))
        sys.unraisablehook = mine
        bvbuild.build(*box(), progress=leave)
        self.assertEqual(seen, ["'not ours'"])
        self.assertIs(sys.unraisablehook, mine)


class Threads(Case):

    def test_what_ends_another_thread_gives_no_wrong_results(self):
        """Python raises it when the thread enters a function, in threads that handle no signals."""
        data = self.made(*bumpy_ball(self.random, rings=8)).tobytes()
        motion = Motion.function(lambda t: ([0, 0, 0, 1], [10 - 20 * t, 0, 0]), speed=20, spin=0)
        impact = lambda: time_of_impact(Convex.sphere(1), Motion.still(), Convex.sphere(1), motion).lower
        expected, seen = impact(), {"answers": 0, "raised": 0, "dropped": 0}
        before, sys.unraisablehook = sys.unraisablehook, lambda _unraisable: None
        self.addCleanup(setattr, sys, "unraisablehook", before)
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        uses = [(lambda: None in bvbuild.open(data).nodes.volumes, False, 3e-3), (impact, expected, 1e-3)]
        for use, answer, longest in uses * 100:
            self.end_within(use, answer, self.random.uniform(1e-5, longest), seen)
        self.assertTrue(seen["answers"] > 0 and seen["raised"] > 0, seen)

    def end_within(self, use, answer, delay, seen):
        begun, sent, wrong = threading.Event(), threading.Event(), []

        def work():
            try:
                begun.set()
                given = use()
                seen["answers"] += 1
                if given != answer:
                    wrong.append(given)
                sent.wait()
                for _ in range(1000):  # the exception arrives here if it has not before
                    pass
            except Alarm:
                seen["raised"] += 1
            except RuntimeError:
                seen["dropped"] += 1
            except BaseException as exception:
                wrong.append(exception)

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        time.sleep(delay)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Alarm))
        sent.set()
        thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)

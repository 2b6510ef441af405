"""Structs, enums and prototypes of the generated module against the compiler and the libraries."""

import ctypes
import os
import re
import subprocess
import sys
import unittest

from common import BUILD

from bvbuild import _library, _native


class Structs(unittest.TestCase):

    def test_sizes_and_offsets_are_those_of_c(self):
        printed = subprocess.run([os.path.join(BUILD, "python", "offsets")], check=True, capture_output=True, text=True).stdout.splitlines()
        structs, members = set(), 0
        for name, first, second in (line.split() for line in printed if not line.startswith("=")):
            first, second = int(first), int(second)
            if "." in name:
                struct, member = name.split(".")
                field = getattr(_native.STRUCTS[struct], member)
                self.assertEqual((field.offset, field.size), (first, second), name)
                members += 1
            elif name in _native.STRUCTS:
                kind = _native.STRUCTS[name]
                self.assertEqual((ctypes.sizeof(kind), ctypes.alignment(kind)), (first, second), name)
                structs.add(name)
            else:  # an enum
                self.assertEqual((ctypes.sizeof(ctypes.c_uint), ctypes.alignment(ctypes.c_uint)), (first, second), name)
        self.assertEqual(structs, set(_native.STRUCTS))
        self.assertGreater(members, 1000)

    def test_every_member_is_there(self):
        for name, struct in _native.STRUCTS.items():
            self.assertGreater(len(struct._fields_), 0, name)

    def test_enums_are_those_of_c(self):
        printed = subprocess.run([os.path.join(BUILD, "python", "offsets")], check=True, capture_output=True, text=True).stdout
        expected = {name: int(value) for name, value in re.findall(r"^=(\w+) (-?\d+)$", printed, re.MULTILINE)}
        found = {name: value for name, value in vars(_native).items() if name in expected}
        for item in vars(_native).values():
            if isinstance(item, type) and not issubclass(item, (ctypes.Structure, ctypes.Union)):
                found.update({key: value for key, value in vars(item).items() if key.startswith("bv") and isinstance(value, int)})
        self.assertGreater(len(expected), 200)
        self.assertEqual(found, expected)

    def test_prototypes_are_those_of_the_headers(self):
        """The compiler's own list of declarations has as many parameters, and as many pointers among them."""
        for library in ("bv", "bvworld", "bvbuild"):
            path = os.path.join(BUILD, "python", f"{library}.declarations")
            subprocess.run(["gcc", "-x", "c", "-std=c17", "-Iinclude", "-aux-info", path, "-fsyntax-only", "-"],
                           input=f'#include "{library}/{library}.h"\n', text=True, check=True)
            with open(path, encoding="ascii") as lines:
                declared = dict(re.findall(rf"^/\* include/{library}/.*? extern [^(]*?(\w+) \((.*)\);$", lines.read(), re.MULTILINE))
            functions = getattr(_native, f"functions_of_{library}")()
            self.assertEqual({name for name, _, _ in functions}, set(declared))
            self.assertGreater(len(declared), 50)
            for name, _, parameters in functions:
                expected = [] if declared[name] == "void" else split(declared[name])
                self.assertEqual(len(parameters), len(expected), f"{name}: {declared[name]}")
                for kind, text in zip(parameters, expected):
                    self.assertEqual(ctypes.sizeof(kind) == 8 and is_pointer(kind), "*" in text, f"{name}: {text}")

    def test_all_functions_are_in_the_libraries(self):
        self.assertIsNotNone(_library.bvbuild())
        for name, result, parameters in _native.functions_of_bvworld():
            self.assertTrue(hasattr(ctypes.CDLL(os.path.join(BUILD, "python", "libraries", "libbvworld.so.0")), name))

    def test_another_version_is_rejected(self):
        done = subprocess.run([sys.executable, "-c", VERSION_PROGRAM], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is version 0.1.0, but this package is for 9.9.9", done.stderr)

    def test_missing_libraries_are_named(self):
        done = subprocess.run([sys.executable, "-c", "import bvbuild"], env={**os.environ, "BVBUILD_LIBRARIES": "/nowhere"}, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ImportError: bvbuild: cannot load libbv.so.0: /nowhere/libbv.so.0", done.stderr)


VERSION_PROGRAM = """
import importlib.util, os, sys, types
folder = next(p for p in sys.path if os.path.exists(os.path.join(p, "bvbuild", "_native.py")))
package = types.ModuleType("bvbuild")
package.__path__ = [os.path.join(folder, "bvbuild")]
sys.modules["bvbuild"] = package
import bvbuild._native as native
native.BV_VERSION = "9.9.9"
import bvbuild._library
"""


def split(text):
    """Parameters of a declaration: commas in parentheses do not separate."""
    out, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            out.append("")
        else:
            out[-1] += character
    return out


def is_pointer(kind):
    return kind in (ctypes.c_void_p, ctypes.c_char_p) or issubclass(kind, (ctypes._Pointer, ctypes._CFuncPtr))


if __name__ == "__main__":
    unittest.main(verbosity=2)

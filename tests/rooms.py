#!/usr/bin/python3
"""Checks that the code follows the table of rooms in docs/architecture.md.

    rooms.py [--root DIR] [--objects DIR]    check; print each breach; exit 1 if there is one
    rooms.py --seeded [--objects DIR]        check copies of the tree in which one breach each is seeded

1. Includes: a file includes public headers, headers of its own room, and headers of the rooms that its room may use.
2. Links: an object refers to functions and data of its own room and of the rooms that its room may use. Public functions count
   by the room that defines them, because an include does not show them.
3. Names: what is visible outside of one file is declared by a public header or begins with the prefix of its room.
4. Types: a type name has one definition in the whole tree, local types included.
5. libbv and libbvworld have no data that changes, allocate nothing, need no POSIX, and of libm only what IEEE 754 fixes. What only
   some compilers know is in simd/bits.h; other files of simd/ may say in pragmas which instructions their functions are compiled for.
   libbv needs no other library of the project, and libbvworld only libbv.
6. Knots: at most three files all need each other, directly or through others. A table of kinds is above
   the files of its rows, and what those call is in files below them.

A table of kinds (the second table of the page) may name rows of any room, and every room may read a table.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = "docs/architecture.md"
RUNTIME = "src/runtime/"
WORLD = "src/world/"
# Each library's name and the public headers that it may include, by where its sources are.
LIBRARIES = {RUNTIME: ("libbv", ("include/bv",)), WORLD: ("libbvworld", ("include/bv", "include/bvworld")),
             "include/bv/": ("libbv", ("include/bv",)), "include/bvworld/": ("libbvworld", ("include/bv", "include/bvworld"))}
BITS = RUNTIME + "simd/bits.h"
# What libbv and libbvworld may need of the C library: memory is copied, compared and set, lengths are roots.
LIBC = {"memcpy", "memset", "memmove", "memcmp", "strlen", "strcmp", "sqrt", "sqrtf", "fma", "fabs", "_GLOBAL_OFFSET_TABLE_",
        "__stack_chk_fail", "__cpu_model", "__cpu_indicator_init"}


def library_of(path):
    """The library of a file or a room that obeys rule 5, and the public headers that it may include; None for others."""
    return next((found for folder, found in LIBRARIES.items() if (path + "/").startswith(folder)), None)


def rows_of(page, heading):
    """The rows of the first table below a heading, as lists of cells."""
    rows = []
    below = False
    for line in page.split("\n"):
        if line.startswith("#"):
            below = line.lstrip("# ") == heading
        elif below and line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


class Rooms:
    """The table: each room's prefix, and the rooms that it may use."""

    def __init__(self, root):
        page = open(os.path.join(root, PAGE), encoding="utf-8").read()
        table = [row for row in rows_of(page, "Rooms") if len(row) == 4]
        if len(table) < 20:
            sys.exit(f"{PAGE}: the table of rooms has {len(table)} rows")
        self.prefix = {row[0].strip("`"): row[1].strip("`") for row in table}
        self.uses = {row[0].strip("`"): self.rooms_named(row[0].strip("`"), row[3]) for row in table}
        self.tables = {name for row in rows_of(page, "Where to add a kind") for name in re.findall(r"`([a-z_/]+\.[ch])`", row[-1])}

    def rooms_named(self, room, text):
        names = [name.strip("` ") for name in text.split(",") if name.strip("` ")]
        runtime = [name for name in self.prefix if name.startswith(RUNTIME)]
        found = []
        for name in names:
            if name == "all":
                found += list(self.prefix)
            elif name == "runtime":
                found += runtime
            elif name == "base":
                found += runtime + ["src/offline/base"]
            elif name in self.prefix:
                found.append(name)
            elif room.startswith(RUNTIME):
                found.append(RUNTIME + name)
            else:
                found.append("src/offline/" + name)
        for name in found:
            if name not in self.prefix:
                sys.exit(f"{PAGE}: {room} may use {name}, which is no room")
        return found

    def may_use(self, room, other):
        if room == other or other.startswith("include/"):
            library = library_of(room)
            return library is None or not other.startswith("include/") or other in library[1]
        return any(other == name or other.startswith(name + "/") for name in self.uses[room])


def sources(root):
    for top in ("src", "formats", "include"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def code_of(text):
    """The text without comments and strings."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', lambda m: '""' if m[0][0] == '"' else " ", text, flags=re.S)


LARGEST_KNOT = 3


def knots_of(needs):
    """Sets of files that all need each other, directly or through others (Tarjan 1972)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(file):
        number[file] = lowest[file] = len(number)
        stack.append(file)
        for other in sorted(needs.get(file, ())):
            if other not in number:
                visit(other)
                lowest[file] = min(lowest[file], lowest[other])
            elif other in stack:
                lowest[file] = min(lowest[file], number[other])
        if lowest[file] == number[file]:
            first = stack.index(file)
            found.append(sorted(stack[first:]))
            del stack[first:]

    for file in sorted(needs):
        if file not in number:
            visit(file)
    return found


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
TYPE = re.compile(r"^\s*(?:typedef )?(?:struct|union|enum) (\w+)\s*\{|^typedef (?:struct|union|enum)\s*\{.*?^\} (\w+);", re.M | re.S)
# Definitions in headers: inline functions, types, enumerators, macros.
# Files that this system does not compile: make windows does.
OTHER_SYSTEM = re.compile(r"src/offline/base/system_(\w+_)?windows\.c")
DEFINED = re.compile(r"^static inline (?:const )?[\w ]+?[ *]+(\w+)\(|^typedef .*?(\w+);|^\} (\w+);|^#define (\w+)", re.M)
ENUM = re.compile(r"^(?:typedef )?enum[^;{]*\{(.*?)^\}", re.M | re.S)
# The words of templates, which one file of each instruction set includes; and the macro that tables expand, which is defined
# where one is walked and removed behind it.
TEMPLATE = re.compile(r"lanes\w*|LANES_\w+|sat_\w+|box_\w+|BVFILE_ROW")
FORBIDDEN = re.compile(r"#[ \t]*include[ \t]*<(?:unistd|sys/|fcntl|stdlib|stdio|pthread|omp|time|signal|locale|errno)|"
                       r"(?<![A-Za-z0-9_])(?:malloc|calloc|realloc|aligned_alloc|posix_memalign|strdup|free)\(")

# Names of one compiler.
OF_COMPILERS = re.compile(r"__builtin_\w*|__attribute__|__declspec|__extension__|__int128|_MSC_VER|__GNUC__|__clang__|_Pragma|#[ \t]*pragma(?! once\b)")


class Check:
    def __init__(self, root, objects):
        self.root = root
        self.objects = objects
        self.rooms = Rooms(root)
        self.breaches = []

    def breach(self, text):
        self.breaches.append(text)

    def run(self):
        self.texts = {path: open(os.path.join(self.root, path), encoding="utf-8").read() for path in sources(self.root)}
        for path, text in self.texts.items():
            if os.path.dirname(path) not in self.rooms.prefix:
                self.breach(f"{path}: the room {os.path.dirname(path)} has no row in {PAGE}")
        if not self.breaches:
            self.check_includes()
            self.check_types()
            self.check_headers()
            self.check_objects()
        return self.breaches

    def is_table(self, room, path, other):
        """Whether one of the two is a table of kinds. libbv and libbvworld have no such exception."""
        return library_of(room) is None and bool({path, other} & self.rooms.tables)

    def find(self, path, name):
        """The file that an include of `path` means, or None for a header of the system."""
        for folder in ("include", "src", "", os.path.dirname(path)):
            found = os.path.normpath(os.path.join(folder, name))
            if found in self.texts:
                return found
        return None

    def check_includes(self):
        for path, text in self.texts.items():
            room = os.path.dirname(path)
            for bracket, name in INCLUDE.findall(text):
                found = self.find(path, name)
                if found is None and bracket == '"':
                    self.breach(f"{path}: includes {name}, which is no file")
                elif found and not (self.rooms.may_use(room, os.path.dirname(found)) or self.is_table(room, path, found)):
                    self.breach(f"{path}: includes {found}, which its room may not")
            library = library_of(room)
            if library and room.startswith("src/"):
                for line in FORBIDDEN.findall(code_of(text)):
                    self.breach(f"{path}: is part of {library[0]} and may not use this: {line}")
                if path != BITS:
                    code = code_of(text)
                    if room == os.path.dirname(BITS):
                        code = re.sub(r"#[ \t]*pragma [^\n]*|__clang__", "", code)
                    for line in OF_COMPILERS.findall(code):
                        self.breach(f"{path}: what only some compilers know belongs into {BITS}: {line}")

    def check_types(self):
        where = {}
        for path, text in self.texts.items():
            for names in TYPE.findall(code_of(text)):
                where.setdefault(names[0] or names[1], []).append(path)
        for name, paths in sorted(where.items()):
            if len(paths) > 1:
                self.breach(f"{' and '.join(paths)}: define a type {name} each")

    def check_headers(self):
        public = set()
        for path, text in self.texts.items():
            if path.startswith("include/"):
                public |= set(re.findall(r"\bbv[bw]?_\w+|\bBV[BW]?_\w+", text))
        self.public = public
        for path, text in self.texts.items():
            prefix = self.rooms.prefix[os.path.dirname(path)]
            if path.startswith("include/") or not path.endswith(".h"):
                continue
            code = code_of(text)
            names = ["".join(found) for found in DEFINED.findall(code)]
            names += [name for block in ENUM.findall(code) for name in re.findall(r"^\t(\w+)", block, re.M)]
            for name in names:
                if name not in public and prefix != "none" and not name.lower().startswith(prefix) and not TEMPLATE.fullmatch(name):
                    self.breach(f"{path}: the private name {name} does not begin with {prefix}")

    def check_objects(self):
        listed = [os.path.join(self.objects, path[:-2] + ".o") for path in self.texts
                  if path.endswith(".c") and not OTHER_SYSTEM.fullmatch(path)]
        missing = [name for name in listed if not os.path.exists(name)]
        if missing:
            self.breach(f"{missing[0]}: not compiled")
            return
        stateless = [name for name in listed if library_of(os.path.relpath(name, self.objects))]
        # Tables of pointers that the linker fills in are constant after that: they are in .data.rel.ro.
        for line in subprocess.run(["nm", "-A", "-f", "sysv", *stateless], check=True, capture_output=True, text=True).stdout.splitlines():
            fields = [field.strip() for field in line.split("|")]
            if len(fields) == 7 and re.match(r"\.t?(?:data|bss)(?!\.rel\.ro)|\*COM\*", fields[6]):
                path = os.path.relpath(fields[0].split(":")[0], self.objects)
                self.breach(f"{path}: is part of {library_of(path)[0]} and has data that can change: {fields[0].split(':')[1]}")
        output = subprocess.run(["nm", "-A", "-g", *listed], check=True, capture_output=True, text=True).stdout
        defined, undefined = {}, []
        for line in output.splitlines():
            name, rest = line.split(":", 1)
            path = os.path.relpath(name, self.objects)[:-2] + ".c"
            kind, symbol = rest.split()[-2:]
            if kind in "Uw":
                undefined.append((path, symbol))
            else:
                defined[symbol] = path
        for symbol, path in sorted(defined.items()):
            room = os.path.dirname(path)
            prefix = self.rooms.prefix[room]
            # The compiler's own: a lock by its name, a function chosen when the program starts.
            name = re.sub(r"^\.gomp_critical_user_|\.resolver$|\.[a-z_]+\.\d+$", "", symbol)
            if name not in self.public and prefix != "none" and not name.startswith(prefix):
                self.breach(f"{path}: the private symbol {symbol} does not begin with {prefix}")
        seen = set()
        needs = {}
        for path, symbol in undefined:
            room = os.path.dirname(path)
            other = defined.get(symbol)
            if other:
                needs.setdefault(path, set()).add(other)
            if other is None:
                if library_of(room) and symbol not in LIBC:
                    self.breach(f"{path}: is part of {library_of(room)[0]} and needs {symbol}")
            elif not (self.is_table(room, path, other) or self.rooms.may_use(room, os.path.dirname(other))):
                if (path, other) not in seen:
                    self.breach(f"{path}: uses {symbol} of {other}, which its room may not")
                seen.add((path, other))
        for knot in knots_of(needs):
            if len(knot) > LARGEST_KNOT:
                self.breach(f"{', '.join(knot)}: a knot: {len(knot)} files that all need each other, of which {LARGEST_KNOT} may")


# Each breach: what it is, the file, what is appended to it, and a part of the message that must come.
SEEDED = [
    ("an include against the arrows", "src/runtime/volume/reach.c", '#include "runtime/tree/walk.h"\n', "which its room may not"),
    ("a call against the arrows", "src/offline/mesh/mass.c",
     "int bvorder_stride( int );\nint bvmesh_seeded( void );\nint bvmesh_seeded( void )\n{\n\treturn bvorder_stride( 1 );\n}\n", "which its room may not"),
    ("a type with two definitions", "src/offline/hull/quick.h", "typedef struct bvhull_tetrahedron\n{\n\tint x;\n} bvhull_tetrahedron;\n", "define a type"),
    ("a private name with a public prefix", "src/offline/fit/span.c", "int bvb_seeded( void );\nint bvb_seeded( void )\n{\n\treturn 1;\n}\n",
     "does not begin with bvfit_"),
    ("a global without a prefix", "src/offline/hull/mass.c", "int seeded;\n", "does not begin with bvhull_"),
    ("libbv has data that changes", "src/runtime/tree/walk.c", "int bvtree_seeded = 1;\n", "has data that can change"),
    ("libbv allocates", "src/runtime/tree/walk.c", "void* malloc( unsigned long );\nvoid* bvtree_seeded( void );\nvoid* bvtree_seeded( void )\n"
     "{\n\treturn malloc( 8 );\n}\n", "is part of libbv and"),
    ("libbvworld has data that changes", "src/world/pairs/store.c", "int bvwpairs_seeded = 1;\n", "libbvworld and has data that can change"),
    ("libbvworld allocates", "src/world/broadphase/phase.c", "void* malloc( unsigned long );\nvoid* bvwphase_seeded( void );\n"
     "void* bvwphase_seeded( void )\n{\n\treturn malloc( 8 );\n}\n", "is part of libbvworld and"),
    ("libbvworld calls the offline library", "src/world/broadphase/phase.c", "int bvorder_stride( int );\nint bvwphase_seeded( void );\n"
     "int bvwphase_seeded( void )\n{\n\treturn bvorder_stride( 1 );\n}\n", "which its room may not"),
    ("libbv includes a header of libbvworld", "src/runtime/tree/walk.c", '#include "bvworld/broadphase.h"\n', "which its room may not"),
    ("a name of one compiler", "src/runtime/triangle/ray.c", "int bvtri_seeded( unsigned x );\nint bvtri_seeded( unsigned x )\n"
     "{\n\treturn __builtin_ctz( x );\n}\n", "belongs into src/runtime/simd/bits.h"),
    ("a helper that calls the table of its callers", "src/offline/hierarchy/nodes.c", '#include "offline/hierarchy/builders.h"\n'
     'const void* bvhier_seeded( void );\nconst void* bvhier_seeded( void )\n{\n\treturn bvhier_builder_find( "" );\n}\n', ": a knot: "),
]


def check_seeded(root, objects):
    missed = 0
    for what, path, addition, message in SEEDED:
        with tempfile.TemporaryDirectory() as folder:
            for top in ("src", "formats", "include", "docs"):
                shutil.copytree(os.path.join(root, top), os.path.join(folder, top))
            with open(os.path.join(folder, path), "a", encoding="utf-8") as file:
                file.write(addition)
            copied = os.path.join(folder, "obj")
            for top, _, names in os.walk(objects):
                for name in names:
                    if name.endswith(".o") and "/tests" not in top:
                        link = os.path.join(copied, os.path.relpath(os.path.join(top, name), objects))
                        os.makedirs(os.path.dirname(link), exist_ok=True)
                        os.symlink(os.path.abspath(os.path.join(top, name)), link)
            if path.endswith(".c"):
                made = os.path.join(copied, path[:-2] + ".o")
                os.remove(made)
                subprocess.run(["gcc", "-std=c17", "-D_GNU_SOURCE", "-fopenmp", "-Iinclude", "-Isrc", "-I.", "-c", path, "-o", made],
                               check=True, cwd=folder)
            found = Check(folder, copied).run()
            if len(found) == 0 or not all(message in line for line in found):
                print(f"seeded: {what}: not noticed, or something else: {found}")
                missed += 1
    print(f"rooms: {len(SEEDED) - missed} of {len(SEEDED)} seeded breaches noticed")
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--objects", default=None)
    parser.add_argument("--seeded", action="store_true")
    options = parser.parse_args()
    objects = os.path.abspath(options.objects or os.path.join(os.environ.get("BUILD", "build"), "obj"))
    root = os.path.abspath(options.root)
    if options.seeded:
        sys.exit(check_seeded(root, objects) > 0)
    os.chdir(root)
    breaches = Check(".", objects).run()
    for line in breaches:
        print(line)
    sys.exit(len(breaches) > 0)


main()

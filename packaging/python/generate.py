"""Makes the Python module of the C API from the public headers.

    generate.py module INCLUDE > _native.py    the module: structs, enums, callbacks and prototypes for ctypes
    generate.py offsets INCLUDE > offsets.c    a program that prints size and offsets of every struct as the compiler has them

INCLUDE is the folder with bv/, bvworld/ and bvbuild/. The headers are preprocessed by $CC (default gcc) and parsed by pycparser. They
are plain C17; of the standard library they need types alone, which the headers in STANDARD stand for.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_parser

STANDARD = {
    "math.h": "double sqrt( double x ); double fabs( double x );",
    "stdbool.h": "#define bool _Bool\n#define true 1\n#define false 0",
    "stddef.h": "typedef unsigned long size_t; typedef long ptrdiff_t;\n#define NULL ( (void*)0 )",
    "stdint.h": "".join(f"typedef {kind} {name}_t;" for name, kind in [
        ("int8", "signed char"), ("uint8", "unsigned char"), ("int16", "short"), ("uint16", "unsigned short"),
        ("int32", "int"), ("uint32", "unsigned int"), ("int64", "long"), ("uint64", "unsigned long")]) +
                "\n#define UINT32_MAX 0xffffffffu\n#define UINT64_C( x ) x##ul",
}
HEADERS = ["bv/bv.h", "bvworld/bvworld.h", "bvbuild/bvbuild.h"]
LIBRARIES = {"bv_": "bv", "bvw_": "bvworld", "bvb_": "bvbuild"}
SIMPLE = {
    "double": "c_double", "float": "c_float", "_Bool": "c_bool", "char": "c_char", "int": "c_int",
    "unsigned int": "c_uint", "unsigned": "c_uint", "long": "c_long", "unsigned long": "c_ulong", "size_t": "c_size_t",
    "ptrdiff_t": "c_ssize_t", "int8_t": "c_int8", "uint8_t": "c_uint8", "int16_t": "c_int16", "uint16_t": "c_uint16",
    "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64",
}


def preprocess(include, *options):
    """The text of all headers, as the preprocessor prints it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in STANDARD.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write("#pragma once\n" + text + "\n")
        lines = "".join(f"#include <{header}>\n" for header in HEADERS)
        command = [os.environ.get("CC", "gcc").split()[-1], "-E", "-nostdinc", "-std=c17", "-I", folder, "-I", include, *options, "-"]
        return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout


class Headers:
    """What the headers declare, in their order."""

    def __init__(self, include):
        self.constants = {}  # of macros
        self.numbers = {}  # of enums: name -> value
        self.enums = {}  # name -> [(constant, value)]
        self.structs = {}  # name -> c_ast.Struct or c_ast.Union; None for one that is only declared
        self.functions = {}  # name -> c_ast.FuncDecl
        self.callbacks = {}  # name -> c_ast.FuncDecl
        self.aliases = {}  # name -> c_ast.TypeDecl
        self._read_macros(preprocess(include, "-dM"))
        tree = c_parser.CParser().parse(preprocess(include, "-P"))
        for node in tree.ext:
            if isinstance(node, c_ast.Typedef):
                self._read_typedef(node)
            elif isinstance(node, c_ast.Decl):
                self._read_declaration(node)
        unknown = [name for name in self.functions if self.library_of(name) is None]
        assert not unknown, f"functions of no library: {unknown}"

    @staticmethod
    def library_of(name):
        return next((library for prefix, library in LIBRARIES.items() if name.startswith(prefix)), None)

    def _read_macros(self, text):
        for name, value in re.findall(r"^#define (BV[WB]?_[A-Z0-9_]+) (.+)$", text, re.MULTILINE):
            try:
                self.constants[name] = ast.literal_eval(re.sub(r"(?<=[0-9a-fA-F])[uUlL]+$", "", value))
            except (ValueError, SyntaxError):
                pass  # an expression of other names: no constant

    def _read_typedef(self, node):
        kind = node.type.type if isinstance(node.type, c_ast.TypeDecl) else node.type
        if isinstance(kind, c_ast.Enum):
            self._read_enum(node.name, kind)
        elif isinstance(kind, (c_ast.Struct, c_ast.Union)):
            if kind.decls is not None or node.name not in self.structs:
                self.structs.pop(node.name, None)  # it takes its place where it is complete
                self.structs[node.name] = kind if kind.decls is not None else None
        elif isinstance(kind, c_ast.FuncDecl):
            self.callbacks[node.name] = kind
        elif node.name not in SIMPLE:
            self.aliases[node.name] = node.type

    def _read_enum(self, name, node):
        value = -1
        self.enums[name] = []
        for item in node.values.enumerators:
            value = self.value_of(item.value) if item.value else value + 1
            self.numbers[item.name] = value
            self.enums[name].append((item.name, value))

    def _read_declaration(self, node):
        if isinstance(node.type, c_ast.FuncDecl):
            if node.name.startswith("bv"):
                self.functions[node.name] = node.type
        elif isinstance(node.type, c_ast.Enum):
            self._read_enum(node.type.name or f"constants_{node.type.values.enumerators[0].name}", node.type)
        elif isinstance(node.type, c_ast.Struct):
            self.structs.setdefault(node.type.name, None)

    def value_of(self, node):
        """The value of a constant expression."""
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"), 0)
        if isinstance(node, c_ast.ID):
            return self.numbers[node.name]
        a, b = self.value_of(node.left), self.value_of(node.right)
        return {"+": a + b, "-": a - b, "*": a * b, "<<": a << b, "|": a | b}[node.op]


def is_text(node):
    """Whether a type is const char*."""
    return isinstance(node, c_ast.PtrDecl) and isinstance(node.type, c_ast.TypeDecl) and \
        isinstance(node.type.type, c_ast.IdentifierType) and node.type.type.names == ["char"]


def unnamed_struct(node):
    """The struct without a name that a member is of, or is an array of; otherwise None."""
    while isinstance(node, c_ast.ArrayDecl):
        node = node.type
    kind = node.type if isinstance(node, c_ast.TypeDecl) else None
    return kind if isinstance(kind, (c_ast.Struct, c_ast.Union)) and kind.name is None else None


class Module:
    """Prints the module."""

    def __init__(self, headers):
        self.headers = headers
        self.lines = []

    def type_of(self, node):
        """The ctypes type of a C type, as text; None for void."""
        h = self.headers
        if isinstance(node, (c_ast.Decl, c_ast.Typename)):
            return self.type_of(node.type)
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.type_of(node.type)} * {h.value_of(node.dim)}"
        if isinstance(node, c_ast.PtrDecl):
            return self.pointer_to(node.type)
        if isinstance(node, c_ast.FuncDecl):
            return self.callback_of(node)
        if isinstance(node, (c_ast.Struct, c_ast.Union)):
            return node.name
        if isinstance(node, c_ast.TypeDecl):
            kind = node.type
            if not isinstance(kind, c_ast.IdentifierType):
                return "c_uint" if isinstance(kind, c_ast.Enum) else kind.name
            name = " ".join(kind.names)
            if name == "void":
                return None
            if name in h.aliases:
                return self.type_of(h.aliases[name])
            return "c_uint" if name in h.enums else name if name in h.structs else SIMPLE[name]
        raise TypeError(f"no type in Python for {node}")

    def pointer_to(self, node):
        if isinstance(node, c_ast.FuncDecl):
            return self.callback_of(node)
        if isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType):
            name = " ".join(node.type.names)
            if name in self.headers.callbacks:
                return name
            if name in ("void", "char"):
                return {"void": "c_void_p", "char": "c_char_p"}[name]
        inner = self.type_of(node)
        return f"POINTER({inner})"

    def parameters_of(self, node):
        out = []
        for parameter in node.args.params if node.args else []:
            kind = parameter.type
            if isinstance(kind, c_ast.ArrayDecl):  # decays to a pointer
                out.append(f"POINTER({self.type_of(kind.type)})")
            elif isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.IdentifierType) and kind.type.names[0] in self.headers.callbacks:
                out.append(kind.type.names[0])
            elif self.type_of(kind) is not None:
                out.append(self.type_of(kind))
        return out

    def callback_of(self, node):
        result = self.type_of(node.type)
        if result in self.headers.structs:  # ctypes has no callbacks that return structs
            return "c_void_p"
        return f"CFUNCTYPE({', '.join([str(result)] + self.parameters_of(node))})"

    def print(self, text=""):
        self.lines.append(text)

    def print_struct(self, name, node):
        """Its fields. One with a length beside a text has text that does not end with a zero."""
        names = [d.name for d in node.decls]
        nested = []
        fields = []
        for field in node.decls:
            kind = field.type
            if field.name is None:
                inner = f"{name}_anonymous_{len(nested)}"
                self.print(f"class {inner}({'Union' if isinstance(kind, c_ast.Union) else 'Structure'}):")
                self.print("    pass\n\n")
                self.print_struct(inner, kind)
                fields.append((f"anonymous_{len(nested)}", inner))
                nested.append(fields[-1][0])
            elif is_text(kind) and "length" in names:
                fields.append((field.name, "POINTER(c_char)"))
            elif unnamed_struct(kind) is not None:
                inner = unnamed_struct(kind)
                inner.name = f"{name}_{field.name}"
                self.print(f"class {inner.name}({'Union' if isinstance(inner, c_ast.Union) else 'Structure'}):")
                self.print("    pass\n\n")
                self.print_struct(inner.name, inner)
                fields.append((field.name, self.type_of(kind)))
            else:
                fields.append((field.name, self.type_of(kind)))
        if nested:
            self.print(f"{name}._anonymous_ = {nested!r}")
        self.print(f"{name}._fields_ = [")
        for field in fields:
            self.print(f'    ("{field[0]}", {field[1]}),')
        self.print("]\n")

    def text(self):
        h = self.headers
        self.print('"""The C API for ctypes. Made from the headers by packaging/python/generate.py: do not edit."""\n')
        self.print("# mypy: ignore-errors")
        self.print("from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int8, c_int16,")
        self.print("                    c_int32, c_int64, c_long, c_size_t, c_ssize_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_ulong, c_void_p)")
        self.print()
        for name, value in sorted(h.constants.items()):
            self.print(f"{name} = {value!r}")
        for name, items in h.enums.items():
            if name.startswith("constants_"):
                self.lines += [f"{constant} = {value}" for constant, value in items]
                continue
            self.print(f"\n\nclass {name}:")
            for constant, value in items:
                self.print(f"    {constant} = {value}")
        self.print()
        for name, node in h.structs.items():
            self.print(f"\nclass {name}({'Union' if isinstance(node, c_ast.Union) else 'Structure'}):")
            self.print("    pass\n")
        self.print()
        for name, node in h.callbacks.items():
            self.print(f"{name} = {self.callback_of(node)}")
        self.print()
        for name, node in h.structs.items():
            if node is not None:
                self.print_struct(name, node)
        for library in LIBRARIES.values():
            self.print(f"\ndef functions_of_{library}() -> list:")
            self.print('    """The library\'s functions: name, type of the result, types of the parameters."""')
            self.print("    return [")
            for name, node in h.functions.items():
                if h.library_of(name) == library:
                    result = self.type_of(node.type)
                    self.print(f'        ("{name}", {result}, [{", ".join(self.parameters_of(node))}]),')
            self.print("    ]\n")
        self.print()
        self.print("STRUCTS = {")
        for name, node in h.structs.items():
            if node is not None:
                self.print(f'    "{name}": {name},')
        self.print("}")
        return "\n".join(self.lines) + "\n"


def members_of(node):
    """The names of all members, those of anonymous ones included."""
    for field in node.decls:
        if field.name is None:
            yield from members_of(field.type)
        else:
            yield field.name


def offsets_program(headers):
    """A C program that prints `struct size` and `struct.member offset size` of all structs."""
    lines = ["#include <stddef.h>", "#include <stdio.h>"] + [f"#include <{header}>" for header in HEADERS]
    lines += ["", "int main( void )", "{"]
    for name, node in headers.structs.items():
        if node is not None:
            lines.append(f'\tprintf( "{name} %zu %zu\\n", sizeof( {name} ), _Alignof( {name} ) );')
            for member in members_of(node):
                lines.append(f'\tprintf( "{name}.{member} %zu %zu\\n", offsetof( {name}, {member} ), sizeof( ( ({name}*)0 )->{member} ) );')
    for name, items in headers.enums.items():
        for constant, _ in items:
            lines.append(f'\tprintf( "={constant} %lld\\n", (long long){constant} );')
        if name.startswith("bv"):
            lines.append(f'\tprintf( "{name} %zu %zu\\n", sizeof( {name} ), _Alignof( {name} ) );')
    return "\n".join(lines + ["\treturn 0;", "}"]) + "\n"


def main():
    headers = Headers(sys.argv[2])
    sys.stdout.write(Module(headers).text() if sys.argv[1] == "module" else offsets_program(headers))


if __name__ == "__main__":
    main()

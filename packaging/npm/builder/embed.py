"""Writes the files that HTML reports carry along as C: the assembler for WebAssembly cannot include them.

    embed.py src/offline/report/html/embedded.h > embedded.c
"""

import re
import sys


def literal(data):
    # Three octal digits, so that no digit behind them belongs to the number.
    lines = []
    for start in range(0, len(data), 4096):
        part = data[start:start + 4096]
        lines.append('"%s"' % "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else "\\%03o" % b for b in part))
    return "\n".join(lines) or '""'


def main():
    files = re.findall(r'FILE\( (\w+), "([^"]+)" \)', open(sys.argv[1]).read())
    print('#include "offline/report/html/embedded.h"\n')
    for name, path in files:
        data = open(path, "rb").read()
        print("const char bvhtml_%s[] = %s;" % (name, literal(data)))
        print("const uint64_t bvhtml_%s_size = %d;" % (name, len(data)))
    print("bvhtml_file bvhtml_get_file( uint32_t index )\n{")
    print("\tconst bvhtml_file files[] = {%s};" % ", ".join('{ "%s", bvhtml_%s, %d }' % (n, n, len(open(p, "rb").read())) for n, p in files))
    print("\treturn index < sizeof files / sizeof *files ? files[index] : ( bvhtml_file ){ .name = NULL };\n}")


main()

#!/bin/sh
# Compiles the example in the banner of each public header: the indented lines between // and #pragma once, where they contain
# an #include. An example with a main function is also linked. BUILD names the folder with libbv.a and libbvbuild.a; without the
# libraries nothing is linked. Arguments are headers; the default is all of them.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
CC=${CC:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
test $# != 0 || set -- include/*/*.h
for header in "$@"; do
	awk '/^#pragma once/ { exit } /^\/\/     / { print substr( $0, 8 ); next } /^\/\/$/ { print "" }' "$header" > "$folder/example.c"
	grep -q '^#include' "$folder/example.c" || continue
	lines=$(grep -c . "$folder/example.c")
	test "$lines" -le 20 || { echo "$header: the example has $lines lines, more than 20"; exit 1; }
	$CC -std=c17 -Wall -Wextra -Werror -Iinclude -c "$folder/example.c" -o "$folder/example.o" ||
		{ echo "$header: the example does not compile"; exit 1; }
	if grep -q '^int main' "$folder/example.c" && test -f "$BUILD/libbvbuild.a"; then
		# The C++ driver: libbvbuild.a has objects made from C++.
		c++ "$folder/example.o" -L"$BUILD" -lbvbuild -lbv ${EXAMPLE_LIBS:--lassimp -lqhull_r -lcjson -lpng -lm} -fopenmp -o "$folder/example" ||
			{ echo "$header: the example does not link"; exit 1; }
	fi
done

#!/bin/sh
# Compiles the example in the banner of each public header: the indented lines before #pragma once, if they contain an #include.
# LIBRARIES names a folder with the three libraries: then examples with a main function are also linked and run. They must
# succeed and print what follows "// prints " in them. Arguments are headers; the default is all of them.
set -eu
cd "$(dirname "$0")/.."
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
	if grep -q '^int main' "$folder/example.c" && test -n "${LIBRARIES:-}"; then
		case $header in
		include/bv/*) libraries='-lbv -lm' ;;
		include/bvworld/*) libraries='-lbvworld -lbv -lm' ;;
		*)
			libraries='-lbvbuild -lbv -lassimp -lqhull_r -lcjson -lexpat -lminizip -lpng -lz -lm -fopenmp'
			! ar t "$LIBRARIES/libbvbuild.a" | grep -q draco_decode || libraries="$libraries -ldraco -lstdc++"
			;;
		esac
		# shellcheck disable=SC2086
		$CC "$folder/example.o" -L"$LIBRARIES" $libraries -o "$folder/example" ||
			{ echo "$header: the example does not link"; exit 1; }
		(cd "$folder" && ./example > printed 2> err) || { echo "$header: the example fails"; exit 1; }
		sed -n 's/.*\/\/ prints //p' "$folder/example.c" > "$folder/expected"
		test ! -s "$folder/expected" || diff "$folder/expected" "$folder/printed" ||
			{ echo "$header: the example prints something else"; exit 1; }
	fi
done

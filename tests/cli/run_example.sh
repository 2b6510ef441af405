#!/bin/sh
# Runs the commands of the example in formats/bvh/README.md, in a folder of their own, with the programs in $BUILD.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$root/tests" "$folder/tests"
cd "$folder"
awk '
	/^## Example/ { here = 1 }
	/^<!-- begin example -->/ { here = 0 }
	here && /^```/ { inside = !inside; next }
	here && inside
' "$root/formats/bvh/README.md" > commands
test -s commands
PATH="$BUILD:$PATH" sh -eu commands

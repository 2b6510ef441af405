#!/bin/sh
# Puts what a command printed into README.md, between the lines that name it: fill.sh NAME FILE README.
set -eu
grep -q "^<!-- begin $1 -->\$" "$3" && grep -q "^<!-- end $1 -->\$" "$3"
awk -v name="$1" -v text="$2" '
	$0 == "<!-- end " name " -->" { inside = 0 }
	!inside { print }
	$0 == "<!-- begin " name " -->" { inside = 1; while ( ( getline line < text ) > 0 ) print line }
' "$3" > "$3.new"
mv "$3.new" "$3"

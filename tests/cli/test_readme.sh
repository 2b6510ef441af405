#!/bin/sh
# README.md shows real output: its demo block is what `make demo` prints, shortened at lines of `...`. The lines of the hull are
# not compared, since qhull may round differently on other processors. After a change of what the tools print,
# UPDATE=1 sh tests/cli/test_readme.sh writes the new lines into README.md.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
docs="/usr/bin/python3 $root/tests/cli/run_docs.py"
cd "$scratch" || exit 1
mkdir -p build/demo
"$BUILD/make_samples" build/demo || fail 'make_samples'

# Prints a command as make does, and runs it.
demo()
{
	echo "build/$*"
	program=$1
	shift
	"$BUILD/$program" "$@" 2>&1
}
gear=build/demo/gear
{
	demo bvbuild $gear.obj -o $gear.bvh --report $gear.html
	demo bvinspect $gear.bvh
	demo bvinspect --verify $gear.bvh
} > got
[ -z "${UPDATE:-}" ] || $docs renew "$root/README.md" '^build/bvbuild build/demo/gear.obj' got
sed -n '/^build\/bvbuild build\/demo\/gear.obj/,/^```/p' "$root/README.md" | grep -v '^```' > expected
check 'the README shows something' test "$(wc -l < expected)" -ge 10
check 'the README shows what make demo prints' $docs compare expected got

# So does formats/bvh/README.md: a file byte by byte.
sed -n '/^<!-- begin example -->/,/^<!-- end example -->/p' "$root/formats/bvh/README.md" | grep -v '^<!--\|^```' > expected
sh "$root/tests/cli/run_example.sh" > got
check 'the example shows a whole file' grep -q '^0660 .* slack$' got
check 'formats/bvh/README.md shows the bytes that are written' diff expected got

# Every option of --help=all is one that the parser knows.
for tool in bvbuild bvinspect; do
	"$BUILD/$tool" --help=all > help 2> err || "$BUILD/$tool" --help > help
	check "$tool: --help lists options" test "$(grep -c ' --[a-z]' help)" -ge 9
	for name in $(sed -n 's/^  \(   \|-.,\) --\([a-z-]*\).*/\2/p' help | grep -v '^help$'); do
		"$BUILD/$tool" "--$name=" > out 2> err < /dev/null
		check "$tool knows --$name" test -z "$(grep 'unknown option' err)"
	done
done
finish

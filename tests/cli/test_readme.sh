#!/bin/sh
# README.md shows real output: what `make demo` prints today is what stands there. The lines that tell of the hull are
# left out, since qhull may round otherwise on other processors.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch" || exit 1
mkdir -p build/demo
"$BUILD/make_samples" build/demo || fail 'make_samples'

# Says a command as make does, and runs it.
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
} | grep -v '^    hull \|^  bytes ' > got
sed -n '/^build\/bvbuild build\/demo\/gear.obj/,/^```/p' "$root/README.md" |
	grep -v '^```\|^    hull \|^  bytes ' > expected
check 'the README shows something' test "$(wc -l < expected)" -ge 10
check 'the README shows what make demo prints' diff expected got

# So does formats/bvh/README.md: a file byte by byte.
sed -n '/^<!-- begin example -->/,/^<!-- end example -->/p' "$root/formats/bvh/README.md" | grep -v '^<!--\|^```' > expected
sh "$root/tests/cli/run_example.sh" > got
check 'the example shows a whole file' grep -q '^0660 .* slack$' got
check 'formats/bvh/README.md shows the bytes that are written' diff expected got

# Every option of --help is one that the parser knows, and its text is not empty.
for tool in bvbuild bvinspect; do
	"$BUILD/$tool" --help > help
	check "$tool: --help lists options" test "$(grep -c ' --[a-z]' help)" -ge 9
	for name in $(sed -n 's/^  \(   \|-.,\) --\([a-z-]*\).*/\2/p' help); do
		"$BUILD/$tool" "--$name=" > out 2> err < /dev/null
		check "$tool knows --$name" test -z "$(grep 'unknown option' err)"
	done
done
finish

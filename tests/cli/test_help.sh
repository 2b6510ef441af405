#!/bin/sh
# --help of both tools: its size, an example for every option, aliases and suggestions.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch" || exit 1

# Names of options in a help text, one per line.
names()
{
	sed -nE 's/^  (   |-.,) (--[a-z0-9-]+).*/\2/p' "$1"
}

for tool in bvbuild bvinspect; do
	"$BUILD/$tool" --help > daily
	"$BUILD/$tool" --help=all > all
	check "$tool --help has at most 60 lines" test "$(wc -l < daily)" -le 60
	check "$tool --help has at most 100 columns" test "$(awk 'length > 100' daily | wc -l)" = 0
	check "$tool --help names the exit codes" grep -q '^Exit codes: 0 done, 1 usage' daily
	check "$tool --help says how to see more" grep -q -- '--help=all' daily
	"$BUILD/$tool" -h > out
	check "$tool -h is the same" cmp -s out daily
	"$BUILD/$tool" --help all > out
	check "$tool --help all is --help=all" cmp -s out all

	# What the parser accepts is in the source of the tool: { "name", letter, argument, ...
	files='offline/options/rows.c cli/settings.c'
	[ $tool = bvinspect ] && files=cli/bvinspect.c
	# shellcheck disable=SC2086 # two words
	( cd "$root/src" && sed -nE "s/^	\{ \"([a-z-]+)\", (0|'.'),.*/--\1/p" $files ) | LC_ALL=C sort > accepted
	names all | LC_ALL=C sort > listed
	check "$tool --help=all lists all options that the parser accepts" cmp accepted listed
	names daily | LC_ALL=C sort > few
	check "$tool --help lists some of them" test -z "$(LC_ALL=C comm -23 few listed)"
	for option in --help $(sed -n '1p;$p' listed); do
		"$BUILD/$tool" --help "$option" > text
		"$BUILD/$tool" --help="${option#--}" > out
		check "$tool --help=${option#--} is --help $option" cmp -s out text
	done
	python3 "$root/tests/cli/help_of_options.py" "$BUILD/$tool" listed > out 2>&1
	check "$tool --help OPTION: $(cat out)" test "$(cat out)" = "$(wc -l < listed) options"
done

# Values are explained as well.
run 0 "$bvbuild" --help binned
check 'a builder is explained' grep -q '^  binned  ' out
run 0 "$bvbuild" --help part-triangles
check 'a section is explained' grep -q '^  part-triangles  ' out
run 0 "$bvinspect" --help body
check 'content to export is explained' grep -q '^  body  ' out

# Earlier spellings are accepted and not listed, and their outputs are up to date.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > one.obj
run 0 "$bvbuild" -q one.obj -o old.bvh --optimise 1 --recognise 2% --builder topdown
cp old.bvh new.bvh
run 0 "$bvbuild" one.obj -o new.bvh --optimize 1 --recognize 2% --builder topdown
check 'an output of the old spelling is up to date' grep -q 'new.bvh: up to date$' err
run 0 "$bvbuild" --force -q one.obj -o new.bvh --optimize 1 --recognize 2% --builder topdown
check 'the spelling does not change the file' cmp -s old.bvh new.bvh
echo '{ "options": { "recognise": "2%", "optimise": 1, "builder": "topdown" } }' > old.json
run 0 "$bvbuild" one.obj -o new.bvh --config old.json
check 'a configuration may have the old spelling' grep -q 'new.bvh: up to date$' err
check 'help does not list old spellings' test "$("$bvbuild" --help=all | grep -c -- 'ise ')" = 0
for name in recognise optimise; do
	run 0 "$bvbuild" --help $name
	check "help explains $name under its new name" grep -q -- "^--${name%se}ze " out
done

# Suggestions: the nearest name, and none when nothing is near.
refused 1 'unknown option --optimse (did you mean --optimize?)' one.obj --optimse
refused 1 'unknown option --unit (did you mean --units?)' one.obj --unit mm
refused 1 'unknown option --xyzzy (--help=all lists all)' one.obj --xyzzy
refused 1 "--preset takes fast, balanced or best, not 'fsat' (did you mean 'fast'?)" one.obj --preset fsat
refused 1 "--preset takes fast, balanced or best, not 'quick'" one.obj --preset quick
refused 1 "unknown builder 'bined' (did you mean 'binned'?)" one.obj --builder bined
refused 1 "unknown splitter 'gotschalk' (did you mean 'gottschalk'?)" one.obj --splitter gotschalk
refused 1 "unknown volume 'spere' (did you mean 'sphere'?)" one.obj --volume obb,spere
refused 1 "unknown section 'egdes' (did you mean 'edges'?)" one.obj --sections egdes
refused 1 "unknown section 'egdes' (did you mean 'edges'?)" one.obj --sections=-egdes
refused 1 "unknown method of --box 'optmal' (did you mean 'optimal'?)" one.obj --box optmal
refused 1 "unknown method of --node-box 'refind' (did you mean 'refined'?)" one.obj --node-box refind
refused 1 "unknown decomposer 'plane' (did you mean 'planes'?)" one.obj --decompose --decomposer plane
refused 1 "--positions takes float or quantized, not 'quantised' (did you mean 'quantized'?)" one.obj --positions quantised
refused 1 "--proxies takes use, ignore or drop, not 'ignored' (did you mean 'ignore'?)" one.obj --proxies ignored
echo '{ "options": { "presett": "fast" } }' > wrong.json
refused 1 'wrong.json:1: "presett" is not an option (did you mean "preset"?)' one.obj --config wrong.json
echo '{ "options": { "preset": "fsat" } }' > wrong.json
refused 1 "wrong.json:1: --preset takes fast, balanced or best, not 'fsat' (did you mean 'fast'?)" one.obj --config wrong.json
echo '{ "asets": [] }' > wrong.json
refused 1 'wrong.json:1: "asets" is not a known key (did you mean "assets"?)' one.obj --config wrong.json
run 1 "$bvinspect" --verfy old.bvh
says 'bvinspect: unknown option --verfy (did you mean --verify?)'
run 1 "$bvinspect" old.bvh --export hul,x.obj
says "bvinspect: unknown content for --export 'hul' (did you mean 'hull'?)"
run 1 "$bvbuild" --help optimse
says "bvbuild: unknown option or name 'optimse' (did you mean 'optimize'?)"
run 1 "$bvbuild" --help=xyzzy
says "bvbuild: unknown option or name 'xyzzy' (--help=all lists all)"

finish

#!/bin/sh
# Many inputs in one call: lists, settings by patterns, processes, shards, what is told of them.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# mesh NAME SIZE: a tetrahedron of that size.
mesh()
{
	case $1 in */*) mkdir -p "${1%/*}" ;; esac
	printf 'v 0 0 0\nv %s 0 0\nv 0 %s 0\nv 0 0 %s\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' "$2" "$2" "$2" > "$1"
}
"$BUILD/make_samples" . > /dev/null || fail 'make_samples'
for i in 1 2 3 4 5 6 7; do mesh "m$i.obj" $i; done
printf 'v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > bad.obj

# Response files: what GCC's manual says of @FILE: blanks between, quotes and backslashes keep them, files may name files.
mesh 'a b.obj' 1
mesh "it's.obj" 1
mesh 'back\slash.obj' 1
mesh '@at.obj' 1
printf '%s\n' '-q   "a b.obj"' "it\\'s.obj" '	back\\slash.obj @more' > list
printf "'m1.obj'\r\nm\"2\".obj ''\n" > more
run 2 "$bvbuild" @list -k -o lists/
says 'bvbuild: : No such file or directory'
check 'all of the lists' test "$(ls lists | tr '\n' ' ')" = "a b.bvh back\\slash.bvh it's.bvh m1.bvh m2.bvh "
run 0 "$bvbuild" -q ./@at.obj -o at.bvh
run 0 "$bvbuild" -q -o at.bvh -- @at.obj
run 2 "$bvbuild" @missing -o x.bvh
says 'bvbuild: missing: No such file or directory'
printf "m1.obj 'm2" > open
run 1 "$bvbuild" @open -o x/
says "bvbuild: open: quote ' is not closed"
echo '@self' > self
run 1 "$bvbuild" @self -o x/
says 'bvbuild: self: response files are nested more than 16 deep'
printf 'm1.obj\0m2.obj' > nul
run 2 "$bvbuild" @nul -o x/
says 'bvbuild: nul: binary data, not text'
check 'nothing is made where usage is wrong' test ! -e x
: > nothing
run 1 "$bvbuild" @nothing -o x/
says 'bvbuild: no input (see --help)'
printf '\357\273\277m1.obj\n' > mark
run 0 "$bvbuild" -q @mark -o mark.bvh
printf 'mark.bvh\nat.bvh\n' > mark.list
run 0 "$bvinspect" @mark.list --columns mesh.triangles --csv
check 'bvinspect takes lists, too' test "$(wc -l < out)" = 3

# Any number of processes makes the same files, and says the same in the same order.
ls m?.obj crate.obj stair.obj > meshes
for jobs in 1 2 7 64; do
	run 0 "$bvbuild" @meshes -o jobs$jobs/ --jobs $jobs --log jobs$jobs.log
	sed "s/jobs$jobs/J/; s/ in .* s: / /" err > said$jobs
	sed "s/jobs$jobs/J/; s/\"seconds\":[^,}]*//" jobs$jobs.log > log$jobs
	check "files with $jobs jobs" diff -r jobs1 jobs$jobs
	check "what is said with $jobs jobs" cmp -s said1 said$jobs
	check "what is logged with $jobs jobs" cmp -s log1 log$jobs
done
check 'a line for each and one at the end' test "$(wc -l < said1)" = 10
check 'with their number' grep -qx 'bvbuild: 9 inputs 9 built' said1
run 0 "$bvbuild" m1.obj -o alone.bvh
check 'in company as alone' cmp -s alone.bvh jobs7/m1.bvh
run 0 "$bvbuild" -q @meshes -o quiet/
check 'nothing is said when quiet' test ! -s err

# The log, by a reader of JSON.
run 2 "$bvbuild" -q m1.obj bad.obj m2.obj -o logged/ --keep-going --log bad.log
/usr/bin/python3 - bad.log > log.check << 'END'
import json, sys
lines = [ json.loads( line ) for line in open( sys.argv[1] ) ]
first, bad, third, end = lines
assert [ line["input"] for line in lines[:3] ] == [ "m1.obj", "bad.obj", "m2.obj" ]
assert [ line["output"] for line in lines[:3] ] == [ "logged/m1.bvh", "logged/bad.bvh", "logged/m2.bvh" ]
assert [ line["result"] for line in lines[:3] ] == [ "built", "failed", "built" ]
assert [ line["code"] for line in lines[:3] ] == [ 0, 2, 0 ]
assert first["triangles"] == 4 and first["files"] == 1 and first["error"] is None
import os
assert first["bytes"] == os.path.getsize( "logged/m1.bvh" )
assert bad["error"] == "bad.obj: 1 coordinate is not finite (vertex 1)", bad["error"]
assert bad["bytes"] is None and bad["files"] == 0
assert 0 < first["seconds"] < 60
assert end["summary"]["inputs"] == 3 and end["summary"]["built"] == 2 and end["summary"]["failed"] == 1
assert end["summary"]["code"] == 2
print( "good" )
END
check 'the log' grep -qx good log.check
run 0 "$bvbuild" -q m1.obj m2.obj -o logged/ --log -
check 'or on stdout' test "$(wc -l < out)" = 3
run 4 "$bvbuild" -q m1.obj m2.obj -o unlogged/ --log nowhere/log
says 'bvbuild: nowhere/log: cannot be written: No such file or directory'
check 'before anything is made' test ! -e unlogged
if [ -e /dev/full ]; then
	run 4 "$bvbuild" -q m1.obj m2.obj -o unlogged/ --log /dev/full
	says 'bvbuild: /dev/full: cannot be written: No space left on device'
fi

# The first failure stops the rest, unless that is not wanted.
for jobs in 1 2; do
	run 2 "$bvbuild" bad.obj m1.obj m2.obj m3.obj m4.obj m5.obj m6.obj m7.obj -o stop$jobs/ -j $jobs
	check "the rest is stopped with $jobs" test ! -e stop$jobs/m7.bvh
	check 'and that is said' grep -q "^bvbuild: 8 inputs in .* not begun (--keep-going continues after a failure)$" err
	run 2 "$bvbuild" bad.obj m1.obj m2.obj m3.obj m4.obj m5.obj m6.obj m7.obj -o go$jobs/ -j $jobs -k
	check "all others are there with $jobs" test "$(ls go$jobs | wc -l)" = 7
	check 'and that too' grep -qx 'bvbuild: 8 inputs in .* s: 7 built, 1 failed' err
done
run 3 "$bvbuild" -q -k bad.obj m1.obj meshes -o codes/
check 'a name without extension is refused' grep -qx 'bvbuild: meshes: cannot tell the format: the name has no extension' err

# Shards: each input in one of them.
for i in 1 2 3; do
	run 0 "$bvbuild" -q @meshes -o shards/ --shard $i/3 --log shard$i.log
	check "shard $i" test "$(wc -l < shard$i.log)" = 4
done
check 'shards make the same files' diff -r jobs1 shards
run 0 "$bvbuild" m1.obj m2.obj -o shards/ --shard 3/3
check 'a shard may be empty' test ! -s err
for value in 0/3 4/3 1 1/ /3 1/0 x/3 1/3x -1/3; do
	refused 1 "--shard takes I/N, with I from 1 to N, not '$value'" m1.obj --shard $value
done

# Folders of outputs: made where they are missing, as below --root if that is wanted.
mesh 'src/props/m.obj' 1
mesh 'src/m.obj' 2
mesh 'src/props/deep/m.obj' 3
run 1 "$bvbuild" -q src/m.obj src/props/m.obj -o made/
says 'bvbuild: src/m.obj and src/props/m.obj would both be written to made/m.bvh'
run 0 "$bvbuild" -q src/m.obj src/props/m.obj "$PWD/src/../src/props/deep/m.obj" -o made --root ./src/
check 'below the root' test "$(find made -type f | sort | tr '\n' ' ')" = 'made/m.bvh made/props/deep/m.bvh made/props/m.bvh '
ln -s src link
run 0 "$bvbuild" -q link/props/m.obj -o linked --root src
check 'also by a link' test -s linked/props/m.bvh
run 1 "$bvbuild" -q m1.obj src/m.obj -o made --root src
says 'bvbuild: m1.obj: not below src (--root)'
run 4 "$bvbuild" -q m1.obj m2.obj -o m3.obj/x/
check 'a folder that cannot be made' grep -qx 'bvbuild: m3.obj/x: cannot be created: Not a directory' err
run 1 "$bvbuild" -q m1.obj m2.obj m1.obj -o made/
says 'bvbuild: m1.obj and m1.obj would both be written to made/m1.bvh'

# Settings by patterns. bvinspect tells what a file was made with.
cat > conf.json << 'END'
{ "options": { "positions": "quantized", "normalize": true },
  "assets": [
    { "match": "src/**", "options": { "scale": 2, "box": "dito" } },
    { "match": "src/props/*", "options": { "scale": 0.5, "normalize": false } },
    { "match": [ "m[12].obj", "deep/m.obj", "src/**/deep/*" ], "options": { "preset": "fast", "gate": [ "mesh.closed", "mesh.triangles < 5" ] } } ] }
END
run 0 "$bvbuild" -q src/m.obj src/props/m.obj src/props/deep/m.obj -o conf --root src --config conf.json
check 'general, and the first' written conf/m.bvh ' normalize=1 .* positions=quantized '
check 'general, and the first' written conf/m.bvh ' scale=2 '
check 'the later one counts' written conf/props/m.bvh ' scale=0.5 '
check 'false takes away' written conf/props/m.bvh ' normalize=0 '
check 'a star is no slash' written conf/props/deep/m.bvh ' scale=2 '
check 'two stars are' written conf/props/deep/m.bvh ' volume=aabb '
check 'options win over presets' written conf/props/deep/m.bvh ' box=dito '
run 0 "$bvbuild" -q m1.obj m3.obj -o conf/ --config conf.json --scale 4 --preset best
check 'the command line wins' written conf/m1.bvh ' scale=4 '
check 'also with its preset' written conf/m1.bvh ' optimise=20 '
check 'names without slashes match anywhere' written conf/m1.bvh ' normalize=1 '
check 'what nothing matches has the general settings' written conf/m3.bvh ' normalize=1 '
mkdir elsewhere
(cd elsewhere && "$bvbuild" -q "$scratch/src/props/m.obj" -o m.bvh --config ../conf.json)
check 'patterns count from the file' written elsewhere/m.bvh ' scale=0.5 '
mesh m1.obj 1
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > m2.obj
run 6 "$bvbuild" -q m2.obj -o gated.bvh --config conf.json
check 'gates by patterns' test ! -e gated.bvh -a -s err

# wrong TEXT JSON: the configuration is refused with that text.
wrong()
{
	printf '%s' "$2" > wrong.json
	refused "${3:-1}" "$1" m3.obj --config wrong.json
}
wrong 'wrong.json:1:1: is not JSON: ends too early' '' 2
wrong "wrong.json:2:13: is not JSON: unexpected '}'" '{ "options":
 { "scale": } }' 2
wrong "wrong.json:1:4: is not JSON: unexpected '{'" '{} {}' 2
wrong "wrong.json:1:22: is not JSON: a comma before '}'" '{ "options": { "a":1,} }' 2
wrong "wrong.json:1:23: is not JSON: a comma before ']'" '{ "assets": [ {}, {}, ] }' 2
wrong 'wrong.json:2:2: is not JSON: JSON has no comments' '{ "options": {},
 // none' 2
wrong 'wrong.json:1:3: is not JSON: JSON has no comments' '{ # none' 2
wrong 'wrong.json:1:3: is not JSON: JSON has strings in double quotes only' "{ 'options': {} }" 2
wrong 'wrong.json:1:14: is not JSON: ends too early' '{ "options": ' 2
wrong 'wrong.json:1: is not an object' '[]'
wrong 'wrong.json:1: "option" is not a known key (did you mean "options"?)' '{ "option": {} }'
wrong 'wrong.json:1: "options" is not an object' '{ "options": [] }'
wrong 'wrong.json:1: "options" appears twice' '{ "options": {}, "options": {} }'
wrong 'wrong.json:1: "scale" appears twice' '{ "options": { "scale": 1, "scale": 2 } }'
wrong 'wrong.json:1: "assets" is not an array' '{ "assets": {} }'
wrong 'wrong.json:1: assets[0]: is not an object' '{ "assets": [ 1 ] }'
wrong 'wrong.json:1: assets[0]: "match" is missing' '{ "assets": [ { "options": {} } ] }'
wrong 'wrong.json:1: assets[0]: "match" is missing' '{ "assets": [ { "match": [] } ] }'
wrong 'wrong.json:1: assets[0]: "match" takes a pattern or an array of patterns' '{ "assets": [ { "match": [ 1 ] } ] }'
wrong 'wrong.json:1: assets[1]: "frob" is not an option (bvbuild --help=all lists all)' \
	'{ "assets": [ { "match": "x" }, { "match": "y", "options": { "frob": 1 } } ] }'
wrong 'wrong.json:1: "jobs" applies to the whole run: give it on the command line' '{ "options": { "jobs": 2 } }'
wrong "wrong.json:1: assets[0]: --scale takes a number above 0, not '-1'" '{ "assets": [ { "match": "nothing", "options": { "scale": -1 } } ] }'
wrong 'wrong.json:1: "scale" takes a string or a number' '{ "options": { "scale": true } }'
wrong 'wrong.json:1: "scale" takes a string or a number' '{ "options": { "scale": {} } }'
wrong 'wrong.json:1: "normalize" takes true or false' '{ "options": { "normalize": 1 } }'
wrong 'wrong.json:1: "decompose" takes true, false, a string or a number' '{ "options": { "decompose": {} } }'
wrong 'wrong.json:3: assets[1]: "scale" takes one value, not an array' '{ "assets": [ { "match": "x" },
 { "match": "y", "options": {
 "scale": [ 1, 2 ] } } ] }'
wrong 'wrong.json:1: "volume" takes a string with commas, not an array' '{ "options": { "volume": [ "obb" ] } }'
wrong 'wrong.json:1: assets[0]: "gate" belongs in "options"' '{ "assets": [ { "match": "x", "gate": "mesh.closed" } ] }'
wrong 'wrong.json:1: "scale" belongs in "options"' '{ "scale": 2 }'
wrong 'wrong.json:1: "recognise" appears twice' '{ "options": { "recognize": 1, "recognise": 2 } }'
wrong 'wrong.json:1: "allow-unmatched" takes true or false' '{ "allow-unmatched": "yes" }'
wrong 'wrong.json:1: "allow-unmatched" belongs next to "options", not in it' '{ "options": { "allow-unmatched": true } }'
wrong 'm3.obj: --byte-price needs --collapse' '{ "options": { "degree": 4, "byte-price": 7 } }'
refused 2 'none.json: No such file or directory' m3.obj --config none.json

# Files that a configuration names are found from where it is.
mkdir -p deep
if [ "${BV_THOROUGH:-}" ]; then "$bvinspect" --measure-costs; else costs; fi > deep/costs.txt 2> /dev/null
printf '{ "options": { "cost-matrix": "costs.txt" } }' > deep/costs.json
run 0 "$bvbuild" -q m3.obj -o costs.bvh --config deep/costs.json

# A process that dies takes its input along and nothing else.
if [ -z "$SAN" ]; then
	awk 'BEGIN { n = 700; for ( i = 0; i <= n; ++i ) for ( k = 0; k <= n; ++k ) print "v", i, k, sin( i * k );
		for ( i = 0; i < n; ++i ) for ( k = 0; k < n; ++k ) { a = i * ( n + 1 ) + k + 1; print "f", a, a + 1, a + n + 1 } }' > held.obj
	"$bvbuild" -q -k -j 2 m1.obj m2.obj held.obj m3.obj -o killed/ --preset best --decompose 2> err &
	parent=$!
	worker=
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		sleep 0.2
		for child in $(cat /proc/$parent/task/$parent/children); do
			# Hundredths of seconds of processor time: the one that has taken half a second has the large mesh.
			[ "$(cut -d ' ' -f 14 "/proc/$child/stat")" -lt 50 ] || worker=$child
		done
		[ -z "$worker" ] || break
	done
	kill -SEGV "$worker"
	wait $parent
	check 'a bug has a code of its own' test $? = 70
	says 'bvbuild: held.obj: the worker process died of signal 11 (Segmentation fault)'
	check 'the others are there' test "$(ls killed | tr '\n' ' ')" = 'm1.bvh m2.bvh m3.bvh '
fi

# From outside of the configuration's folder, too.
mkdir -p settings
printf '{ "assets": [ { "match": "../src/**/m.obj", "options": { "scale": 3 } }, { "match": "**/props/*", "options": { "weld": 0.25 } } ] }' > settings/far.json
run 0 "$bvbuild" -q src/props/m.obj m3.obj -o far/ --config settings/far.json
check 'a pattern that leads up' written far/m.bvh ' scale=3 weld=0.25 '
check 'and matches nothing else' written far/m3.bvh ' scale=1 '
mkdir -p else/dir
cp m1.obj else/x.obj
ln -s "$PWD/else/dir" src/away
run 1 "$bvbuild" -q src/away/../x.obj -o made --root src
says 'bvbuild: src/away/../x.obj: not below src (--root)'

# No file that is read is written, nor one file twice.
cp m1.obj mine.obj
cp deep/costs.txt mine.txt
echo 'mine.obj m2.obj' > mine.list
echo '{}' > mine.json
cp mine.obj mine.txt mine.list mine.json made/
for place in --log --depfile --emit-ninja; do
	for file in mine.obj mine.txt mine.list mine.json; do
		run 1 "$bvbuild" @mine.list -o mine/ --config mine.json --cost-matrix mine.txt $place $file
		check "$place $file" grep -Eqx "bvbuild: $file: is both the (log|dependency file|Ninja file) and (an input|a settings file)" err
	done
done
for file in mine.obj mine.txt mine.list mine.json; do
	check "$file stays" cmp -s $file made/$file
done
run 1 "$bvbuild" -q m1.obj -o mine.json --config mine.json
says 'bvbuild: mine.json: is both the output and a settings file'
run 1 "$bvbuild" -q m1.obj -o mine.txt --cost-matrix mine.txt
says 'bvbuild: mine.txt: is both the output and a settings file'
run 1 "$bvbuild" -q m1.obj -o mine.bvh --log x.json --report ./x.json
says 'bvbuild: ./x.json: is both the log and the report'
run 1 "$bvbuild" -q m1.obj -o mine.bvh --log mine.bvh
says 'bvbuild: mine.bvh: is both the log and an output'
printf '%s' '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"buffers":[{"byteLength":36,"uri":"g.bin"}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]}' > g.gltf
printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0' > g.bin
cp g.bin made/g.bin
run 1 "$bvbuild" -q g.gltf -o g.bin --force-output
says 'bvbuild: g.bin: is read with g.gltf and cannot be the output'
run 1 "$bvbuild" -q g.gltf -o g.bvh --depfile g.bin --force-output
says 'bvbuild: g.bin: is both the dependency file and an input'
check 'what a mesh reads stays' cmp -s g.bin made/g.bin

# Children of whoever this process was before are not waited for, and few files suffice for many processes.
began=$(date +%s)
sh -c "sleep 20 & exec '$bvbuild' -q m1.obj m2.obj -j 2 -o own/"
check 'only its own processes are waited for' test $(($(date +%s) - began)) -lt 15
if [ -z "$SAN" ]; then
	(ulimit -n 24 && "$bvbuild" -q @meshes -o few/ -j 64) 2> err
	check 'few open files' test "$(ls few | wc -l)" = 9 -a ! -s err
fi

# JSON has characters, names have bytes.
cp m1.obj "$(printf 'x\377.obj')"
run 0 "$bvbuild" -q "$(printf 'x\377.obj')" -o x.bvh --log bytes.log
check 'a name that is no text' /usr/bin/python3 -c 'import json; assert json.loads( open( "bytes.log" ).readline() )["input"] == "x?.obj"'
run 0 "$bvbuild" m1.obj --list-objects --log objects.log
check 'a log of lists' test "$(wc -l < objects.log)" = 2

# A Ninja file: quoting by the manual's rules, options of each asset, not those of the run.
mesh 'odd/a $b:c.obj' 1
echo 'm1.obj m2.obj' > more
run 0 "$bvbuild" 'odd/a $b:c.obj' @more -k -o 'ninja out/' --preset fast --gate 'mesh.area > 0' \
	--config conf.json --jobs 3 --log x.log --emit-ninja build.ninja
check 'nothing is built' test ! -e 'ninja out' -a ! -e x.log
check 'a path in a Ninja file' grep -qxF "build ninja\$ out/a\$ \$\$b\$:c.bvh: bvh odd/a\$ \$\$b\$:c.obj | $bvbuild" build.ninja
check 'the command' grep -qxF "  command = $bvbuild -q --no-touch --preset=fast --gate='mesh.area > 0' --config=conf.json --threads=1 --allow-unmatched --depfile \$out.d -o \$out -- \$in" build.ninja
mesh '50%.obj' 1
run 1 "$bvbuild" '50%.obj' -o no/ --emit-ninja n
says "bvbuild: n: Make and Ninja cannot both read the name 'no/50%.bvh' in it"
run 1 "$bvbuild" $(awk 'BEGIN { for ( i = 0; i < 6000; ++i ) printf "a/longish/path/%d.obj ", i }') -o no/ --emit-ninja n
says 'bvbuild: n: the command is too long for Ninja: list the inputs in a file and pass @FILE'
run 1 "$bvbuild" m1.obj -o m.bvh --emit-ninja n --report x.json
says 'bvbuild: --emit-ninja and --report exclude each other'
run 0 "$bvbuild" m1.obj -o 'ninja out/' --force --cache 'a cache' --emit-ninja kept.ninja
check 'the cache, and that all is built' grep -qxF "  command = $bvbuild -q --no-touch --force --cache='a cache' --threads=1 --depfile \$out.d -o \$out -- \$in" kept.ninja
run 0 ninja -f kept.ninja
check 'which fills it' test "$(find 'a cache' -name '*.bvh' | wc -l)" = 1
cp build.ninja before
touch -d '2001-01-01' build.ninja
run 0 "$bvbuild" 'odd/a $b:c.obj' @more -k -o 'ninja out/' --preset fast --gate 'mesh.area > 0' \
	--config conf.json --jobs 3 --log x.log --emit-ninja build.ninja
check 'what is the same is left alone' test "$(stat -c %Y build.ninja)" -lt 1000000000
finish

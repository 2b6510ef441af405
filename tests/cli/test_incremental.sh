#!/bin/sh
# Incremental builds: up-to-date outputs are skipped and all others are built. Covers edits, changed options,
# Make, Ninja and the cache.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
"$BUILD/make_samples" . > "$scratch/samples.log" || fail 'make_samples'

# becomes WORD COMMAND...: the log says of its only input that it was built, up to date or cached.
becomes()
{
	word=$1
	shift
	run 0 "$@" -q --log log.json
	if ! sed -n 1p log.json | grep -q "\"result\":\"$word\""; then
		fail "not $word: $*"
		sed -n 1p log.json
	fi
}

# newer A B: A was changed after B.
newer()
{
	[ -n "$(find "$1" -newer "$2")" ]
}

# A triangle whose positions are in a file of their own.
python3 - > t.gltf <<'END'
import json
print(json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "buffers": [{"byteLength": 44, "uri": "box.bin"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]}))
END
buffer()
{
	python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<9f3H2x", 0, 0, 0, 1, 0, 0, 0, 0, float(sys.argv[1]), 0, 1, 2))' "$1"
}
buffer 1 > box.bin

# The same content is up to date whatever the times; other content, options, names and readers are not.
becomes built "$bvbuild" crate.obj -o crate.bvh
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh
run 0 "$bvbuild" crate.obj -o crate.bvh
says 'crate.bvh: up to date'
cp crate.bvh before.bvh
touch crate.obj
becomes 'up to date' "$bvbuild" --no-touch crate.obj -o crate.bvh
check 'left alone' newer crate.obj crate.bvh
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh
check 'made newer' newer crate.bvh crate.obj
touch -d '1 hour' crate.obj
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh
check 'not older than what is in the future' sh -c '! [ -n "$(find crate.obj -newer crate.bvh)" ]'
check 'untouched content' cmp crate.bvh before.bvh

# A build system calls for reasons of its own, such as another bvbuild, until the output is newer than those.
touch crate.obj crate.bvh reason
touch -d '1 hour ago' crate.obj
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh
check 'newer than all, it keeps its time' sh -c '! [ -n "$(find crate.bvh -newer reason)" ]'
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh --depfile crate.d
check 'made newer than what only the build system knows of' newer crate.bvh reason
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh --depfile crate.d --no-touch

costs > costs

# The config counts as well: what is older is made newer, and what is newer keeps its time.
echo '{ "assets": [] }' > touched.json
touch -d '2 hours ago' crate.obj touched.json
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh --config touched.json
touch -d '1 hour ago' crate.bvh
touch -d '1 hour ago' hour
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh --config touched.json
check 'newer than the config, it keeps its time' sh -c '! [ -n "$(find crate.bvh -newer hour -mmin -50)" ]'
touch -d '30 minutes ago' touched.json
becomes 'up to date' "$bvbuild" --no-touch crate.obj -o crate.bvh --config touched.json
check 'older than the config, and left alone' newer touched.json crate.bvh
becomes 'up to date' "$bvbuild" crate.obj -o crate.bvh --config touched.json
check 'made newer than the config' newer crate.bvh touched.json
run 0 "$bvbuild" -q crate.obj -o costly.bvh --cost-matrix costs
echo 'crate.obj -o costly.bvh --cost-matrix costs' > touched.rsp
for file in costs touched.rsp; do
	touch -d '2 hours ago' costs touched.rsp
	touch -d '1 hour ago' costly.bvh
	touch -d '30 minutes ago' $file
	becomes 'up to date' "$bvbuild" @touched.rsp
	check "made newer than $file" newer costly.bvh $file
done

# A dep-file outlives a failure: the old output still depends on what it says.
cp crate.d crate.d.before
echo v > broken.obj
run 2 "$bvbuild" -q broken.obj -o crate.bvh --depfile crate.d
check 'the dep-file of before is left' cmp crate.d crate.d.before
becomes built "$bvbuild" --force crate.obj -o crate.bvh
becomes 'up to date' "$bvbuild" --threads 3 --import-timeout 7 --verbose crate.obj -o crate.bvh
# A tetrahedron is enough to tell that each option counts.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > tiny.obj
becomes built "$bvbuild" tiny.obj -o tiny.bvh
while read -r options; do
	# shellcheck disable=SC2086
	becomes built "$bvbuild" $options tiny.obj -o tiny.bvh
	# shellcheck disable=SC2086
	becomes 'up to date' "$bvbuild" $options tiny.obj -o tiny.bvh
done <<'END'
--scale 2
--weld 0.001
--normalize
--positions quantized
--drop-non-finite
--proxies drop
--sections source
--preset fast
--builder topdown
--builder topdown --splitter median
--builder topdown --seed 5
--volume aabb
--volume obb,aabb --hit-tests 3
--degree 3
--improvement 0.9
--improvement 0.9 --max-degree 4
--improvement 0.9 --min-faces 4
--builder topdown --quality volume
--builder topdown --aggregate max
--cost-matrix costs
--builder topdown --splitter branch-and-bound --search-budget 9
--node-box pca
--box pca-points
--box-objective area
--hausdorff 0.5
--recognise 3%
--decompose
--decompose=2%
--decompose --max-parts 3
--decompose --max-part-vertices 9
--decompose --min-thickness 0.1
--decompose --probe-radius 0.1
--decompose --decompose-mode surface
--decompose --decompose-effort 0
--decompose --time-budget 100
--optimise 1
--refit pca
--collapse 4
--byte-price 5
--leaf-triangles 3
--max-depth 5
END
run 0 "$bvbuild" crate.obj -o crate.bvh -q
echo 'v 0 0 0' >> crate.obj
becomes built "$bvbuild" crate.obj -o crate.bvh
cp crate.obj box.obj
becomes built "$bvbuild" box.obj -o crate.bvh
cp crate.bvh other.bvh
becomes 'up to date' "$bvbuild" box.obj -o other.bvh
mkdir -p far && cp box.obj far
becomes 'up to date' "$bvbuild" far/box.obj -o other.bvh

# An output that is damaged, empty, or of another version is built again.
for damage in 's[300] ^= 1' 's[-1] ^= 1' 's[4] ^= 1' 's = s[:-64]' 's = s[:0]' 's = s.replace(b"bvbuild 0.", b"bvbuild 9.")'; do
	python3 -c "s = bytearray(open('other.bvh', 'rb').read())
$damage
open('other.bvh', 'wb').write(s)"
	becomes built "$bvbuild" box.obj -o other.bvh
done
rm other.bvh
becomes built "$bvbuild" box.obj -o other.bvh
rm other.bvh && ln -s nowhere other.bvh
becomes built "$bvbuild" box.obj -o other.bvh

# What cannot be read is an error, also where an output is there.
chmod 644 box.obj
rm box.obj
run 2 "$bvbuild" box.obj -o other.bvh
says 'bvbuild: box.obj: No such file or directory'

# Reports and conditions are about a build.
run 0 "$bvbuild" crate.obj -o crate.bvh -q
becomes built "$bvbuild" crate.obj -o crate.bvh --report r.json
becomes built "$bvbuild" crate.obj -o crate.bvh --gate 'mesh.triangles > 1'

# Objects: a comma in a pattern is not one between patterns.
printf 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nf 3 2 1\no a,b\nf 2 3 1\nf 1 3 2\n' > objects.obj
becomes built "$bvbuild" objects.obj -o objects.bvh --object a --object b
becomes 'up to date' "$bvbuild" objects.obj -o objects.bvh --object a --object b
becomes built "$bvbuild" objects.obj -o objects.bvh --object a,b
check 'the comma is escaped' written objects.bvh ' objects=a\\\\,b '

# Side files.
becomes built "$bvbuild" t.gltf -o t.bvh
becomes 'up to date' "$bvbuild" t.gltf -o t.bvh
check 'the buffer is written down' written t.bvh ' side-file:box.bin=[0-9a-f]\{32\} '
touch box.bin
becomes 'up to date' "$bvbuild" t.gltf -o t.bvh
check 'newer than the buffer' newer t.bvh box.bin
cp t.bvh one.bvh
buffer 2 > box.bin
becomes built "$bvbuild" t.gltf -o t.bvh
check 'another mesh' sh -c '! cmp -s t.bvh one.bvh'
mv box.bin away
run 2 "$bvbuild" t.gltf -o t.bvh -q
mv away box.bin
becomes 'up to date' "$bvbuild" t.gltf -o t.bvh
printf 'version 1\nnodes\n0 "root" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\nm.bmp\n' > t.smd
printf '0 0 0 0 0 0 1 0 0\n0 1 0 0 0 0 1 0 0\n0 0 1 0 0 0 1 0 0\nend\n' >> t.smd
becomes built "$bvbuild" t.smd -o smd.bvh
becomes 'up to date' "$bvbuild" t.smd -o smd.bvh
echo idle t.smd > t_animation.txt
becomes built "$bvbuild" t.smd -o smd.bvh
becomes 'up to date' "$bvbuild" t.smd -o smd.bvh
mkdir other && cp t.gltf other && buffer 3 > other/box.bin
becomes built "$bvbuild" other/t.gltf -o t.bvh
becomes built "$bvbuild" t.gltf -o t.bvh

# Several inputs, in processes.
mkdir several
run 0 "$bvbuild" -q gear.obj knot.obj t.gltf -o several/ --log log.json
run 0 "$bvbuild" -q gear.obj knot.obj t.gltf -o several/ --log log.json --depfile several/d
check 'nothing to do' [ "$(grep -c '"result":"up to date"' log.json)" = 3 ]
printf 'several/gear.bvh: gear.obj\nseveral/knot.bvh: knot.obj\nseveral/t.bvh: t.gltf box.bin\nbox.bin:\n' > expected
check 'rules of all' cmp several/d expected
touch several/sentinel
echo 'v 0 0 0' >> gear.obj
run 0 "$bvbuild" -q gear.obj knot.obj t.gltf -o several/ --log log.json --no-touch
check 'one to build' [ "$(find several -name '*.bvh' -newer several/sentinel)" = several/gear.bvh ]

# Dep-files: material libraries that are there, and the config; not what is missing.
printf 'mtllib my rock.mtl\nmtllib gone.mtl\n' | cat - knot.obj > 'my rock.obj'
echo > 'my rock.mtl'
echo '{ "assets": [] }' > config.json
run 0 "$bvbuild" -q 'my rock.obj' -o 'my rock.bvh' --depfile d --config config.json
printf 'my\\ rock.bvh: my\\ rock.obj my\\ rock.mtl config.json\nmy\\ rock.mtl:\nconfig.json:\n' > expected
check 'material library and config' cmp d expected
run 0 "$bvbuild" -q 'my rock.obj' -o 'my rock.bvh' --depfile d2 --config config.json
check 'the same when up to date' cmp d2 expected
echo > 'rock.mtl' && echo 'mtllib rock.mtl' >> 'my rock.obj'
run 0 "$bvbuild" -q 'my rock.obj' -o 'my rock.bvh' --depfile d
check 'a new library' grep -q ' rock.mtl$' d
run 0 "$bvbuild" -q crate.obj -o costly.bvh --depfile d --cost-matrix costs
printf 'costly.bvh: crate.obj costs\ncosts:\n' > expected
check 'the table of costs' cmp d expected
run 0 "$bvbuild" -q crate.obj -o costly.bvh --depfile d2 --cost-matrix costs
check 'also when up to date' cmp d2 expected
cp crate.obj 'a*b.obj'
run 1 "$bvbuild" -q 'a*b.obj' -o ab.bvh --depfile d
says "bvbuild: d: Make and Ninja cannot both read the name 'a*b.obj' in it"
check 'known before anything is built' [ ! -e ab.bvh ]
run 1 "$bvbuild" -q crate.obj -o . --split objects --depfile d
run 1 "$bvbuild" -q gear.obj -o gear.bvh --depfile gear.obj
says 'bvbuild: gear.obj: is both the dependency file and an input'
run 1 "$bvbuild" -q gear.obj -o gear.bvh --depfile ./gear.bvh
says 'bvbuild: ./gear.bvh: is both the dependency file and an output'
run 1 "$bvbuild" -q gear.obj -o gear.bvh --config config.json --depfile config.json
run 4 "$bvbuild" -q crate.obj -o crate.bvh --depfile no/folder/d
run 2 "$bvbuild" -q nothing.obj -o nothing.bvh --depfile nothing.d

# rebuilt TOOL WANTED: what the tool runs is exactly the wanted outputs, and then nothing.
rebuilt()
{
	: > ran
	if [ "$1" = make ]; then make -s > tool.log 2>&1; else ninja > tool.log 2>&1; fi || { fail "$1"; cat tool.log; }
	check "$1: builds '$2'" [ "$(sort ran | tr '\n' ' ')" = "$2" ]
	: > ran
	if [ "$1" = make ]; then make -s > tool.log 2>&1; else ninja > tool.log 2>&1; fi || fail "$1 again"
	check "$1: builds nothing twice" [ ! -s ran ]
}
project()
{
	rm -rf "$1" && mkdir "$1" && cd "$1" || exit 1
	cp ../t.gltf ../box.bin ../crate.obj . && echo 'mtllib crate.mtl' >> crate.obj && echo > crate.mtl
	printf '#!/bin/sh\necho "$1" >> ran\nexec "%s" -q "$@"\n' "$bvbuild" > build.sh
}
changes()
{
	rebuilt "$1" 'crate.obj t.gltf '
	touch box.bin
	rebuilt "$1" 't.gltf '
	buffer 5 > box.bin
	rebuilt "$1" 't.gltf '
	touch crate.mtl
	rebuilt "$1" 'crate.obj '
	rm t.bvh
	rebuilt "$1" 't.gltf '
	rm crate.mtl
	rebuilt "$1" 'crate.obj '
}
project under-make
printf 'all: crate.bvh t.bvh\n%%.bvh: %%.obj ; sh build.sh $< -o $@ --depfile $*.d\n%%.bvh: %%.gltf ; sh build.sh $< -o $@ --depfile $*.d\n-include crate.d t.d\n' > Makefile
changes make
cd ..
project under-ninja
printf 'rule bvh\n  command = sh build.sh $in -o $out --depfile $out.d --no-touch\n  depfile = $out.d\n  deps = gcc\n  restat = 1\nbuild crate.bvh: bvh crate.obj\nbuild t.bvh: bvh t.gltf\n' > build.ninja
changes ninja
cd ..

# Arguments that change in a response file, or in one that it names.
project under-responses
echo '--weld 0.001 @more.rsp' > opts.rsp
echo '--scale 2' > more.rsp
printf 'rule bvh\n  command = sh build.sh $in @opts.rsp -o $out --depfile $out.d --no-touch\n  depfile = $out.d\n  deps = gcc\n  restat = 1\nbuild crate.bvh: bvh crate.obj\n' > build.ninja
rebuilt ninja 'crate.obj '
check 'with its options' written crate.bvh ' scale=2 weld=0.001 '
echo '--weld 0.002 @more.rsp' > opts.rsp
rebuilt ninja 'crate.obj '
check 'with others' written crate.bvh ' scale=2 weld=0.002 '
echo '--scale 3' > more.rsp
rebuilt ninja 'crate.obj '
check 'with others of others' written crate.bvh ' scale=3 weld=0.002 '
cd ..

# The cache gives what a build gives.
becomes built "$bvbuild" gear.obj -o built.bvh --cache cache/deep
becomes cached "$bvbuild" gear.obj -o cached.bvh --cache cache/deep
check 'the same bytes' cmp built.bvh cached.bvh
becomes 'up to date' "$bvbuild" gear.obj -o cached.bvh --cache cache/deep
run 0 "$bvbuild" gear.obj -o again.bvh --cache cache/deep
says "again.bvh: $(wc -c < built.bvh) bytes, from the cache"
becomes built "$bvbuild" --force gear.obj -o again.bvh --cache cache/deep
becomes built "$bvbuild" --weld 0.01 gear.obj -o again.bvh --cache cache/deep
becomes cached "$bvbuild" gear.obj -o again.bvh --cache cache/deep
cp gear.obj wheel.obj
becomes built "$bvbuild" wheel.obj -o wheel.bvh --cache cache/deep
for i in 1 2; do
	buffer $i > box.bin
	rm -f t.bvh
	becomes built "$bvbuild" t.gltf -o t.bvh --cache cache/deep
	cp t.bvh t$i.bvh
done
for i in 1 2; do
	buffer $i > box.bin
	becomes cached "$bvbuild" t.gltf -o t.bvh --cache cache/deep --depfile d
	check 'the right buffer' cmp t.bvh t$i.bvh
	check 'a dep-file from the cache' grep -qx 't.bvh: t.gltf box.bin' d
done
check 'no temporaries' [ -z "$(find cache -name '*.bvtmp')" ]
touch -d '100 days ago' $(find cache -type f)
rm again.bvh
becomes cached "$bvbuild" gear.obj -o again.bvh --cache cache/deep
check 'use makes an entry newer' [ "$(find cache -type f -mtime -30 | wc -l)" = 1 ]
run 1 "$bvbuild" gear.obj wheel.obj -o gear.obj --cache cache/deep

# What the time was too short for is not kept, nor what would come without its warning. The last face refers to vertex 9 of 3.
for budget in 1e-9:built 1000:cached; do
	rm -f stair.bvh
	becomes built "$bvbuild" stair.obj -o stair.bvh --cache cache/short --decompose --decompose-effort 0 --time-budget "${budget%:*}"
	rm stair.bvh
	becomes "${budget#*:}" "$bvbuild" stair.obj -o stair.bvh --cache cache/short --decompose --decompose-effort 0 --time-budget "${budget%:*}"
done
for second in 'NORMAL built' 'POSITION cached'; do
	python3 - "${second% *}" > dropped.gltf <<- 'END'
		import base64, json, struct, sys
		data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
		print(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
		    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}, {"attributes": {sys.argv[1]: 0}}]}],
		    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
		    "bufferViews": [{"buffer": 0, "byteLength": 36}],
		    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]}))
	END
	rm -f dropped.bvh
	becomes built "$bvbuild" dropped.gltf -o dropped.bvh --cache cache/short
	rm dropped.bvh
	becomes "${second#* }" "$bvbuild" dropped.gltf -o dropped.bvh --cache cache/short
	rm dropped.bvh
	run 0 "$bvbuild" dropped.gltf -o dropped.bvh --cache cache/short
	check "the warning about ${second% *}" test "$(grep -c 'geometry may be missing' err)" = "$([ "${second% *}" = NORMAL ] && echo 1 || echo 0)"
done

# Entries that are damaged in any way are not used, and are replaced.
rm -rf cache
run 0 "$bvbuild" -q t.gltf -o t.bvh --cache cache --force
for seed in $(seq 20); do
	python3 - "$seed" <<'END'
import os, random, sys
random.seed(int(sys.argv[1]))
files = sorted(os.path.join(f, n) for f, _, names in os.walk("cache") for n in names)
path = random.choice(files)
data = bytearray(open(path, "rb").read())
kind = random.randrange(4)
if kind == 0:
    data = data[:random.randrange(len(data))]
elif kind == 1:
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
elif kind == 2:
    data = bytearray(random.randbytes(random.randrange(3000)))
else:
    data += b"x"
open(path, "wb").write(data)
END
	rm -f got.bvh
	run 0 "$bvbuild" -q t.gltf -o got.bvh --cache cache
	check "damage $seed: the same bytes" cmp got.bvh t.bvh
	rm -f got.bvh
	becomes cached "$bvbuild" t.gltf -o got.bvh --cache cache
	check "damage $seed: mended" cmp got.bvh t.bvh
done

# Eight processes that use one cache at once.
rm -rf cache
for i in 1 2 3 4 5 6 7 8; do
	mkdir "many$i"
	"$bvbuild" -q --jobs 2 gear.obj knot.obj crate.obj t.gltf cup.obj -o "many$i/" --cache cache > "many$i.log" 2>&1 || fail "process $i" &
done
wait
for i in 2 3 4 5 6 7 8; do
	check "process $i: the same bytes" diff -r many1 "many$i"
	check "process $i: not a word" [ ! -s "many$i.log" ]
done
check 'what is in it is sound' "$bvinspect" --verify -q $(find cache -name '*.bvh')
check 'nothing else is in it' [ "$(find cache -type f | wc -l)" = 6 ]

# A cache that cannot be used is one warning.
echo > file
mkdir nowhere
run 0 "$bvbuild" -q --jobs 1 gear.obj knot.obj -o nowhere/ --cache file/cache
check 'one warning' [ "$(wc -l < err)" = 1 ]
check 'that names the cache' grep -q '^bvbuild: file.*no more results are stored in the cache' err
check 'outputs all the same' cmp nowhere/gear.bvh built.bvh
mkdir small
if mount -t tmpfs -o size=64k none small 2> mount.err; then
	run 0 "$bvbuild" -q --force gear.obj -o again.bvh --cache small
	check 'full: one warning' grep -q 'No space left on device (no more results are stored in the cache)$' err
	check 'full: nothing is left' [ -z "$(find small -type f)" ]
	check 'full: the output' cmp again.bvh built.bvh
	mount -o remount,ro small
	run 0 "$bvbuild" -q --force gear.obj -o again.bvh --cache small
	check 'read-only: one warning' grep -q 'Read-only file system (no more results are stored in the cache)$' err
	umount small
	cp -r cache small/cache
	mount --bind small/cache small/cache && mount -o remount,bind,ro small/cache
	rm again.bvh
	becomes cached "$bvbuild" gear.obj -o again.bvh --cache small/cache
	umount small/cache
else
	echo "$script: a full and a read-only cache are not tried: $(cat mount.err)"
fi
finish

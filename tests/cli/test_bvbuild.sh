#!/bin/sh
# bvbuild as a build calls it: exit codes, one-line errors, outputs that are whole or not there.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

"$BUILD/make_samples" . || fail 'make_samples'
printf 'v 1 0 1\nv 1 0 -1\nv -1 0 -1\nf 1 2 3\n' > one.obj

# Every sample builds, verifies, and is silent when asked to be.
for mesh in *.obj; do
	run 0 "$bvbuild" -q "$mesh" -o "${mesh%.obj}.bvh"
	check "$mesh: --quiet prints nothing" test ! -s err
	run 0 "$bvinspect" --verify "${mesh%.obj}.bvh"
	run 0 "$bvbuild" -q --positions=quantized "$mesh" -o "${mesh%.obj}.q.bvh"
	run 0 "$bvinspect" --verify "${mesh%.obj}.q.bvh"
done
check 'quantised files are smaller' test "$(stat -c %s gear.q.bvh)" -lt "$(stat -c %s gear.bvh)"

# What is wrong, in one line.
refused 2 'missing.obj: No such file or directory' missing.obj
mkdir -p folder.obj
refused 2 'folder.obj: is a directory' folder.obj
: > empty.obj
refused 2 'empty.obj: is empty' empty.obj
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22e\nsize 12345\n' > pointer.obj
for format in obj glb fbx; do
	cp pointer.obj "lfs.$format"
	refused 2 "lfs.$format: a Git LFS pointer, not the mesh (run: git lfs pull)" "lfs.$format"
done
long=$(printf '%3000s' x | tr ' ' x)
run 2 "$bvbuild" "$long.obj" -o long.bvh
check 'long names are shortened' test "$(wc -c < err)" -lt 300
run 1 "$bvbuild" one.obj -o long.bvh "--$long"
check 'long options are shortened' test "$(wc -c < err)" -lt 300
iconv -f UTF-8 -t UTF-16 one.obj > wide.obj
refused 2 'wide.obj: is UTF-16 text (convert it: iconv -f UTF-16 -t UTF-8)' wide.obj
tr '\n' '\r' < one.obj > returns.obj
run 0 "$bvbuild" -q returns.obj -o returns.bvh
check 'lines may end with carriage returns alone' test "$("$bvinspect" --json returns.bvh | grep -c '"triangles":	1,')" -gt 0
printf 'v 0 0 nan\nv 1 0 0\nv 0 1 inf\nf 1 2 3\n' > nan.obj
refused 2 'nan.obj: 2 coordinates are not finite (first: vertex 1)' nan.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' > range.obj
refused 2 'range.obj:4: face refers to vertex 9 of 3' range.obj
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' > line.obj
refused 2 'line.obj: no triangle has an area' line.obj
printf 'v 0 0 0\nv 1e37 0 0\nv 0 1 0\nf 1 2 3\n' > huge.obj
refused 5 'huge.obj: a coordinate is larger than 1.3e36 (make it smaller with --scale)' huge.obj
run 0 "$bvbuild" huge.obj --scale 1e-3 -o huge.bvh
cp one.obj thing.xyzzy
refused 3 'thing.xyzzy: no reader for .xyzzy files' thing.xyzzy
printf 'no glTF' > junk.glb
refused 2 'junk.glb: neither JSON nor binary glTF' junk.glb
cp junk.glb junk.ac
refused 2 'junk.ac: the importer rejected the file: File is too small' junk.ac

# A tetrahedron, and a primitive without positions, which has to be skipped: said unless --quiet asks for silence.
printf '%s' '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1},{"attributes":{"NORMAL":0}}]}],
"buffers":[{"byteLength":72,"uri":"data:application/octet-stream;base64,'\
'AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}]}' > dropped.gltf
run 0 "$bvbuild" dropped.gltf -o dropped.bvh
loss='meshes[0].primitives[1] has no POSITION'
check 'what is skipped is said' \
	grep -qxF "bvbuild: dropped.gltf: geometry may be missing: the importer reported 1 warning (first: $loss)" err
run 0 "$bvbuild" --force --verbose dropped.gltf -o dropped.bvh
check 'and among all warnings' grep -qxF "  the importer reported 1 warning (first: $loss)" err
run 0 "$bvbuild" -q --force dropped.gltf -o dropped.bvh
check 'but not with --quiet' test ! -s err
refused 3 'one.bvh: is already a built .bvh file' one.bvh
head -c 3000 /dev/urandom > random.obj
run 2 "$bvbuild" random.obj -o random.bvh
check 'random bytes: no output' test ! -e random.bvh
check 'random bytes: one line of plain text' test "$(LC_ALL=C grep -c '^bvbuild: random.obj[ -~]*$' err)" = 1
mkfifo pipe.obj
refused 2 'pipe.obj: is not a regular file' pipe.obj

# What hangs, crashes or eats memory inside of Assimp ends in its child.
printf 'version 1\nnodes\n0 "a' > hang.smd
refused 2 'hang.smd: the importer exceeded the time limit of 1 s (raise it with --import-timeout)' hang.smd --import-timeout 1
if [ -z "$SAN" ]; then
	printf '*3DSMAX_ASCIIEXPORT 200\n*GEOMOBJECT {\n*MESH {\n*MESH_NUMVERTEX 2000000000\n*MESH_VERTEX_LIST {\n*MESH_VERTEX 0 0 0 0\n' > memory.ase
	refused 2 'memory.ase: the importer ran out of memory (limit 512 MiB)' memory.ase --import-memory 512
fi

# What made Assimp hang or eat memory, before PLY had a reader of its own.
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nprope' > hang.ply
refused 2 'hang.ply:5: the file ends within the header' hang.ply
printf 'ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n' > memory.ply
head -c 100000 /dev/zero >> memory.ply
refused 2 'memory.ply:3: element vertex has 2000000000 entries, too many for the remaining 100000 bytes' memory.ply

# A failing run leaves an older output as it was.
cp one.bvh kept.bvh
run 2 "$bvbuild" nan.obj -o kept.bvh
check 'an older output is kept' cmp -s one.bvh kept.bvh

# Usage.
refused 1 'unknown option --frobnicate (--help=all lists all)' one.obj --frobnicate
refused 1 "--leaf-triangles takes a whole number from 1 to 1048576, not '0'" one.obj --leaf-triangles 0
refused 1 "--max-depth takes a whole number from 0 to 64, not '65'" one.obj --max-depth=65
refused 1 "--threads takes a whole number from 1 to 1024, not 'x'" one.obj --threads x
for value in -1 0 0x10 ' 2' '2 ' 1e400 nan ''; do
	refused 1 "--scale takes a number above 0, not '$value'" one.obj --scale "$value"
done
refused 1 "unknown splitter 'best' (--help=all lists all)" one.obj --splitter best
refused 1 "--preset takes fast, balanced or best, not 'slow'" one.obj --preset slow
refused 1 "unknown method of --box 'dit' (did you mean 'dito'?)" one.obj --box dit
refused 1 "--up takes y, z or y-to-z, not 'Z' (did you mean 'z'?)" one.obj --up Z
refused 1 "unknown method of --node-box '' (--help=all lists all)" one.obj --node-box ''
refused 1 "unknown method of --node-box for --refit 'best' (--help=all lists all)" one.obj --refit best
refused 1 '--refit needs volumes that are fitted in oriented boxes: add obb or rss to --volume' one.obj --refit dito --volume aabb
refused 1 "--hit-tests takes a number of at least 0, not '-1'" one.obj --hit-tests -1
refused 1 "--hit-tests takes at most 1e6, not '1e7'" one.obj --hit-tests 1e7
refused 1 "--byte-price takes a number of at least 0, not '-1'" one.obj --byte-price -1
refused 1 '--byte-price needs --collapse' one.obj --degree 4 --byte-price 7
refused 1 '--seed needs a builder that chooses at random, such as topdown' one.obj --seed 7
refused 1 '--search-budget needs --splitter branch-and-bound or a variant of it' one.obj --splitter kmeans --search-budget 7
refused 1 '--quality and --aggregate need --splitter, --improvement, or several volumes: --volume A,B' one.obj --quality volume
refused 1 '--quality and --aggregate need --splitter, --improvement, or several volumes: --volume A,B' one.obj --aggregate max
refused 1 '--node-box needs volumes that are fitted in oriented boxes: add obb or rss to --volume' one.obj --preset fast --node-box dito
refused 1 '--sections errors needs a tolerance: --hausdorff is 0' one.obj --preset fast --sections errors
refused 1 '--sections primitives needs a tolerance: --recognize is 0' one.obj --recognise 0 --sections primitives
refused 1 '--list-objects excludes --output' one.obj --list-objects
refused 1 "--byte-price takes at most 1e9, not '1e10'" one.obj --byte-price 1e10
refused 1 '--hit-tests needs several types: --volume A,B' one.obj --hit-tests 1 --volume aabb
refused 1 "unknown builder 'top' (did you mean 'topdown'?)" one.obj --builder top
refused 1 "unknown volume 'cube' (--help=all lists all)" one.obj --volume cube
refused 1 "unknown volume '' (--help=all lists all)" one.obj --volume obb,
refused 1 "--degree takes a whole number from 2 to 6, not '7'" one.obj --degree 7
refused 1 "--improvement takes a number above 0, not '0'" one.obj --improvement 0
refused 1 "--improvement takes at most 1, not '1.5'" one.obj --improvement 1.5
refused 1 "--max-degree takes a whole number from 2 to 6, not '1'" one.obj --max-degree 1
refused 1 "--quality takes area, volume, diameter or hausdorff, not 'best'" one.obj --quality best
refused 1 "--aggregate takes mean or max, not 'sum'" one.obj --aggregate sum
refused 1 "--seed takes a whole number from 0 to 4294967295, not '-1'" one.obj --seed -1
refused 1 '--degree and --improvement exclude each other' one.obj --degree 3 --improvement 0.5
refused 1 '--max-degree and --min-faces need --improvement' one.obj --max-degree 3
refused 1 '--max-degree and --min-faces need --improvement' one.obj --min-faces 3
refused 1 '--optimize and --collapse need binary trees: --degree 2' one.obj --optimise 3 --degree 3
refused 1 '--builder ploc builds binary trees: --degree 2; --collapse widens them' one.obj --builder ploc --degree 4
refused 1 '--splitter needs --builder topdown' one.obj --builder ploc --splitter kmeans
refused 1 '--builder boxtree supports only --quality area, volume and diameter' one.obj --builder boxtree --quality hausdorff
refused 1 '--builder boxtree-min fits its own boxes and excludes --node-box' one.obj --builder boxtree-min --node-box pca
refused 1 '--builder quinlan chooses its own degree and excludes --degree, --improvement, --optimize and --collapse' one.obj --builder quinlan --collapse 8
refused 1 '--builder hubbard-octree chooses its own leaves and excludes --leaf-triangles' one.obj --builder hubbard-octree --leaf-triangles 2
refused 1 '--seed needs a builder that chooses at random, such as topdown' one.obj --builder hubbard-octree-plain --seed 2
refused 1 '--collapse takes 0, or a whole number from 2 to 8, not 1' one.obj --collapse 1
refused 2 'no-such-file: No such file or directory' one.obj --cost-matrix no-such-file
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 9\n' > pointer.txt
for option in '--cost-matrix pointer.txt' '--config pointer.txt' @pointer.txt; do
	# shellcheck disable=SC2086
	refused 2 'pointer.txt: a Git LFS pointer, not the file (run: git lfs pull)' one.obj $option
done
refused 1 "--box-objective takes volume, area or diameter, not 'length'" one.obj --box-objective length
for value in -1 1.5 9e-7 nan x '' 10%; do
	refused 1 "--hausdorff takes 0, or a number from 1e-6 to 1, not '$value'" one.obj --hausdorff "$value"
done
for value in -1 -1% nan x '' % '1 %' 1%% inf; do
	refused 1 "--recognize takes a length, or N%, or 0, not '$value'" one.obj --recognise "$value"
done
refused 1 "--recognize takes at most 100%, not '200%'" one.obj --recognise 200%
refused 1 "--positions takes float or quantized, not 'double'" one.obj --positions double
refused 1 '--normalize takes no value' one.obj --normalize=yes
refused 1 '--scale needs a value: S' one.obj --scale
refused 1 "--report takes a file that ends in .json or .html, not 'x.txt'" one.obj --report x.txt
refused 1 "--report takes a file that ends in .json or .html, not '.html'" one.obj --report .html
run 1 "$bvbuild" one.obj
says 'bvbuild: no output (give -o PATH)'
run 1 "$bvbuild" -o x.bvh
says 'bvbuild: no input (see --help)'
run 1 "$bvbuild" one.obj -o one.obj
says 'bvbuild: one.obj: is both the input and the output'
check 'the input is not touched' grep -q '^f 1 2 3$' one.obj
run 0 "$bvbuild" --help=all
check 'help lists every splitter' grep -q '^  gottschalk ' out
check 'and every method of fitting boxes' test "$(grep -cE '^  (pca-hull|dito|refined|optimal|pca) ' out)" -ge 7
check 'and every preset' test "$(grep -cE '^  (fast|balanced|best) .*--hausdorff' out)" = 3
run 0 "$bvbuild" --version
check 'version' grep -q '^bvbuild 0\.' out
check 'versions of the format' grep -q ' \.bvh 1\.0 to 1\.5, ' out
run 0 "$bvbuild" -oafter.bvh -- one.obj
check 'options may stand together with their value' test -s after.bvh
run 0 "$bvbuild" -qvobeside.bvh one.obj
check 'short options may stand together' cmp -s after.bvh beside.bvh
check 'and all of them count' test ! -s err
refused 1 'unknown option -xq (--help=all lists all)' one.obj -qxq
refused 1 '--output needs a value: PATH' one.obj -qo
for value in 0 0.0 00 +0 0e5; do
	run 0 "$bvbuild" -q one.obj -o weld.bvh --weld "$value"
	check "--weld $value is --weld 0" cmp -s after.bvh weld.bvh
done

# Outputs that can't be written.
run 4 "$bvbuild" one.obj -o nowhere/one.bvh
says 'bvbuild: nowhere/one.bvh: cannot be written: No such file or directory'
run 4 "$bvbuild" one.obj -o /dev/full
says 'bvbuild: /dev/full: is not a regular file'
refused 4 'nowhere/x.json: cannot be written: No such file or directory' one.obj --report nowhere/x.json
run 1 "$bvbuild" one.obj -o x.json --report ./x.json
says 'bvbuild: ./x.json: is both the report and an output'
run 1 "$bvbuild" one.obj -o x.bvh --report x.json --report ./x.json
says 'bvbuild: ./x.json: is given as a report twice'
cp one.obj one.json
run 3 "$bvbuild" one.json -o x.bvh --report y.json
run 1 "$bvbuild" one.json -o x.bvh --report one.json
says 'bvbuild: one.json: is both the report and an input'
"$bvbuild" --help > /dev/full 2> err
check 'help that nobody can read' test $? = 4
says 'bvbuild: standard output: No space left on device'
if [ -z "$SAN" ]; then
	(ulimit -v 400000 && "$bvbuild" -q --threads 1000 rock.obj -o threads.bvh) 2> err
	check 'more threads than there can be' cmp -s rock.bvh threads.bvh
fi
(ulimit -f 20 && "$bvbuild" gear.obj -o limit.bvh) 2> err
check 'a limit on the size of files' test $? = 4
says 'bvbuild: limit.bvh: cannot be written: File too large'
check 'and nothing is left' test ! -e limit.bvh -a ! -e limit.bvh.bvtmp

# A folder takes several, and the highest code counts.
mkdir out.d
run 2 "$bvbuild" -q --keep-going one.obj nan.obj crate.obj -o out.d
check 'the good ones are there' test -s out.d/one.bvh -a -s out.d/crate.bvh -a ! -e out.d/nan.bvh
check 'an output in a folder is the same as by itself' cmp -s out.d/crate.bvh crate.bvh
run 1 "$bvbuild" one.obj crate.obj -o x.bvh
says 'bvbuild: x.bvh: is not a folder, and there are several inputs (end it with / to create it)'
mkdir other
cp one.obj other/one.obj
run 1 "$bvbuild" one.obj other/one.obj -o out.d
says 'bvbuild: one.obj and other/one.obj would both be written to out.d/one.bvh'

# Options change what they say they change.
run 0 "$bvbuild" -q gear.obj -o a.bvh --leaf-triangles 2
check '--leaf-triangles 2 makes the tree larger' test "$(stat -c %s a.bvh)" -gt "$(stat -c %s gear.bvh)"
run 0 "$bvbuild" -q gear.obj -o a.bvh --collapse 0 --max-depth 3
run 0 "$bvinspect" a.bvh
check '--max-depth limits the depth' grep -q 'depth 3,' out
run 0 "$bvbuild" -q gear.obj -o a.bvh --normalize --scale 2
run 0 "$bvinspect" a.bvh
check '--normalize and --scale are written down' written a.bvh 'scale=2 weld=0 normalize=1'
check '--normalize: the longest half extent of a flat gear is that of its diagonal' grep -q '^ *from (-0\.[67]' out
run 0 "$bvbuild" -q rock.obj -o a.bvh --scale 10
run 0 "$bvinspect" --json rock.bvh
mv out rock.json
run 0 "$bvinspect" --json a.bvh
check '--scale 10 makes a thousand times the volume' python3 -c '
import json
ratio = json.load(open("out"))["mesh"]["volume"] / json.load(open("rock.json"))["mesh"]["volume"]
assert abs(ratio - 1000) < 1e-3, ratio'

# Any number of threads, any folder, any moment: the same bytes.
for threads in 1 2 3 7; do
	run 0 "$bvbuild" -q --force rock.obj -o t.bvh --threads $threads
	check "$threads threads give the same bytes" cmp -s rock.bvh t.bvh
done
cp rock.obj other/
(cd other && "$bvbuild" -q rock.obj -o rock.bvh)
check 'another folder gives the same bytes' cmp -s rock.bvh other/rock.bvh

# Errors and primitives, or none of them.
run 0 "$bvbuild" -q crate.obj -o a.bvh --hausdorff 0.5 --preset best --recognise 2.5%
run 0 "$bvbuild" -q crate.obj -o b.bvh --recognise 2.5% --preset best --hausdorff 0.5
check 'explicit tolerances win over a preset on both sides' cmp -s a.bvh b.bvh
run 0 "$bvinspect" a.bvh
check 'tolerances are written down' written a.bvh ' hausdorff=0.5 recognise=2.5% '
check 'both sections are there' grep -q ' ERRS [0-9,]*, PRIM 320$' out
run 0 "$bvinspect" --json a.bvh
check 'what they were certified to' python3 -c '
import json
r = json.load(open("out"))
assert r["hierarchy"]["hausdorff"]["tolerance"] == {"relative": 0.5, "floor": 0.05}
lower, upper = (r["bounds"]["aabb"][key] for key in ("lower", "upper"))
diagonal = sum((b - a) ** 2 for a, b in zip(lower, upper)) ** 0.5
assert abs(r["recognised"]["tolerance"] - 0.025 * diagonal) < 1e-9 * diagonal'
run 0 "$bvbuild" -q crate.obj -o a.bvh --recognise 0.125 --hausdorff 0
run 0 "$bvinspect" --json a.bvh
check 'a tolerance in mesh units, and no errors' python3 -c '
import json
r = json.load(open("out"))
assert r["recognised"]["tolerance"] == 0.125
assert r["hierarchy"]["hausdorff"]["solid"]["root"]["upper"] is None
assert [s["name"] for s in r["file"]["sections"]][8:] == ["PRIM"]'
run 0 "$bvbuild" -q crate.obj -o a.bvh --recognise 0
run 0 "$bvinspect" a.bvh
check 'no primitives' test "$(grep -c '^  shape \|PRIM' out)" = 0
check 'but errors' grep -q '^    root     [0-9.e-]* to [0-9.e-]* ([0-9.e-]* %) ' out

# The report.
run 0 "$bvbuild" -q crate.obj -o crate.bvh --report crate.json --report again.json
check 'reports are JSON' python3 -c 'import json; assert json.load(open("crate.json"))["mesh"]["closed"] is True'
check 'both reports are written' cmp -s crate.json again.json

# A temporary that a killed run has left is taken over.
printf 'rubbish' > one.bvh.bvtmp
run 0 "$bvbuild" -q --force one.obj -o one.bvh
check 'no temporary is left' test ! -e one.bvh.bvtmp
printf 'rubbish' > one.bvh.bvtmp
run 0 "$bvbuild" one.obj -o one.bvh
says 'one.bvh: up to date'
check 'nor where there is nothing to write' test ! -e one.bvh.bvtmp
run 0 "$bvinspect" --verify one.bvh

# Presets and boxes, of a solid of which hardly two methods make the same box.
printf '%s\n' 'v 0 0 0' 'v 1 0.1 0' 'v 0.2 1 0' 'v 0 0.3 1' 'v 0.9 1.2 1.1' 'f 1 3 2' 'f 1 2 4' 'f 1 4 3' 'f 2 3 5' \
	'f 2 5 4' 'f 3 4 5' > five.obj
built()
{
	name=$1
	shift
	run 0 "$bvbuild" five.obj -o "$name.bvh" "$@"
}
# The volume of the mesh's box, or another field of the summary.
box_volume()
{
	"$bvinspect" --csv --columns bounds.obb.volume "$1.bvh" | sed -n 's/.*,//; 2p'
}
built default
built balanced --preset balanced
check 'the default preset is balanced' cmp -s default.bvh balanced.bvh
run 0 "$bvinspect" --json default.bvh
check 'the root has the least box of the mesh' python3 -c '
import json
r = json.load(open("out"))
root, obb, aabb = r["hierarchy"]["root"]["volume"], r["bounds"]["obb"]["volume"], r["bounds"]["aabb"]["volume"]
assert root <= obb < aabb, (root, obb, aabb)'
built spelled --builder binned --volume obb --node-box dito-area --collapse 8 --byte-price 200 --leaf-triangles 8 \
	--box optimal --box-objective volume --hausdorff 0.1 --recognise 1%
check 'a preset is a set of options' cmp -s default.bvh spelled.bvh
built fast --preset fast
built fast-spelled --builder binned --volume aabb --collapse 8 --byte-price 500 --box dito --hausdorff 0 --recognise 0
check 'fast is one too' cmp -s fast.bvh fast-spelled.bvh
built first --box optimal --preset fast
built last --preset fast --box optimal
built both --box optimal --builder binned --volume aabb --byte-price 500 --hausdorff 0 --recognise 0
check 'an explicit option wins from the left' cmp -s first.bvh both.bvh
check 'and from the right' cmp -s last.bvh both.bvh
built other --preset fast --splitter kmeans
built other-spelled --splitter kmeans --volume aabb --byte-price 500 --box dito --hausdorff 0 --recognise 0
check 'a splitter brings its builder' cmp -s other.bvh other-spelled.bvh
built wide --preset best --degree 4
built wide-spelled --degree 4 --splitter sah --node-box dito-area --refit refined-area --hausdorff 0.01
check 'a degree leaves out what takes binary trees' cmp -s wide.bvh wide-spelled.bvh
built wide --preset fast --degree 3
built wide-spelled --builder sah --degree 3 --volume aabb --box dito --hausdorff 0 --recognise 0
check 'and a builder of them' cmp -s wide.bvh wide-spelled.bvh
built best --preset best
built best-spelled --splitter sah --node-box dito-area --optimise 20 --collapse 8 --byte-price 40 --refit refined-area --hausdorff 0.01
check 'best is one as well' cmp -s best.bvh best-spelled.bvh
for preset in fast balanced best; do
	text=$("$bvbuild" --help=$preset | sed -n "s/^  $preset *--/--/p" | tr -d ';')
	built parts --preset $preset --decompose
	# shellcheck disable=SC2086 # a list of words
	built told --decompose $text
	check "help says what makes up the preset $preset" cmp -s parts.bvh told.bvh
done
built plain-best --preset best --node-box pca
built plain-best-spelled --preset best --node-box pca --refit none
check 'boxes that are asked for are not fitted again' cmp -s plain-best.bvh plain-best-spelled.bvh
check 'nor do they say so' written plain-best.bvh ' node-box=pca '
check 'nor of refits' not_written plain-best.bvh refit=
check 'but best does' written "best.bvh" " refit=refined-area "
built hit --volume obb,aabb --hit-tests 3.5
check 'tests after a hit are written down' written "hit.bvh" " hit-tests=3.5 "
built priced --collapse 8 --byte-price 2.5
check 'the price of a byte is written down' written "priced.bvh" " byte-price=2.5 "
check 'but not of a tree as it was built' not_written wide.bvh byte-price=
check 'but not of one type' not_written fast.bvh hit-tests=
built aabb-best --preset best --volume aabb
check 'nor a refit of boxes that there are not' not_written aabb-best.bvh refit=
built both-boxes --preset best --refit refined-area --node-box dito-area
# Rectangle swept spheres are fitted in the frame of the node's box.
built rss-pca --volume rss --node-box pca
built rss-dito --volume rss --node-box dito
built rss-refit --volume rss --node-box pca --refit dito
run 0 "$bvinspect" --csv --columns hierarchy.root.volume rss-pca.bvh rss-dito.bvh rss-refit.bvh
check 'rss by the box of the node' test "$(sed -n '2,3s/.*,//p' out | sort -u | wc -l)" = 2
check 'and fitted again' test "$(sed -n '3,4s/.*,//p' out | sort -u | wc -l)" = 1
check 'both can be asked for' cmp -s both-boxes.bvh best.bvh
# All triples of a cube's corners, in both windings: triangles are near and equally far everywhere in its k-DOPs, where searches
# for a distance to 10 % did not end in minutes.
python3 -c '
import itertools
corners = list(itertools.product((-1, 1), repeat=3))
at = 0
for a, b, c in itertools.combinations(corners, 3):
    for triangle in (a, b, c), (a, c, b):
        for p in triangle:
            print("v", *p)
        print("f", at + 1, at + 2, at + 3)
        at += 3' > triples.obj
run 0 timeout 60 "$bvbuild" -q triples.obj -o triples.bvh --splitter median --volume aabb,kdop26 --recognise 0
run 0 "$bvinspect" --verify triples.bvh
for method in optimal refined dito pca-points pca-vertices pca-hull pca-min pca-max pca-all; do
	built "m-$method" --box "$method"
	check "the method $method is written down" written "m-$method.bvh" " box=$method "
	check "no box is smaller than the optimal one ($method)" \
		awk "BEGIN { exit !( $(box_volume m-$method) >= 0.999999 * $(box_volume m-optimal) ) }"
	check "$method proves enclosure" "$bvinspect" --verify "m-$method.bvh"
done
check 'principal axes and the least box differ' test "$(box_volume m-pca-points)" != "$(box_volume m-optimal)"
for what in area diameter; do
	built "o-$what" --box-objective "$what"
	check "the objective $what is written down" written "o-$what.bvh" " box-objective=$what "
done
extents()
{
	e=bounds.obb.half_extents
	"$bvinspect" --csv --columns "$e[0],$e[1],$e[2]" "$1.bvh" | sed -n 's/^[^,]*,//; 2p' | tr , ' '
}
measures()
{
	extents "$1" | awk '{ print $1 * $2 + $2 * $3 + $3 * $1, $1 * $1 + $2 * $2 + $3 * $3 }'
}
check 'the least area is not above that of the least volume' \
	sh -c "echo '$(measures o-area) $(measures default)' | awk '{ exit !( \$1 <= \$3 * 1.00001 ) }'"
check 'nor the least diameter' \
	sh -c "echo '$(measures o-diameter) $(measures default)' | awk '{ exit !( \$2 <= \$4 * 1.00001 ) }'"

finish

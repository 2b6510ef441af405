#!/bin/sh
# Patterns of configurations: what they are relative to, entries that match nothing, and --explain-config.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

mkdir -p meshes/props/deep settings elsewhere .hidden
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > meshes/a.obj
for file in meshes/props/b.obj meshes/props/deep/c.obj elsewhere/e.obj .hidden/h.obj; do cp meshes/a.obj $file; done
ln -s ../elsewhere meshes/link
ln -s . meshes/props/loop

# config FILE PATTERN: a configuration with one entry.
config()
{
	printf '{ "assets": [\n { "match": "%s", "options": { "scale": 2 } } ] }\n' "$2" > "$1"
}

# applies PATTERN [INPUT]: the pattern of settings/c.json matches the input.
applies()
{
	config settings/c.json "$1"
	run 0 "$bvbuild" -q --force "${2:-meshes/props/b.obj}" -o made/ --config settings/c.json
	check "$1 matches" written made/[be].bvh ' scale=2 '
	rm made/*
}

# allowed PATTERN [OPTION...]: it does not match the input, but something that exists.
allowed()
{
	config settings/c.json "$1"
	shift
	run 0 "$bvbuild" -q --force meshes/a.obj -o allowed.bvh --config settings/c.json "$@"
	check 'and does not match' not_written allowed.bvh ' scale=2 '
}

# idle PATTERN TEXT [OPTION...]: the pattern matches nothing.
idle()
{
	pattern=$1
	text=$2
	shift 2
	config settings/c.json "$pattern"
	refused 1 "settings/c.json:2: assets[0]: \"$(printf "%b" "$pattern")\" matches no input and no file ($text --allow-unmatched accepts it)" \
		meshes/a.obj --config settings/c.json "$@"
}
relative='patterns are relative to the folder of the configuration;'

# One rule: the folder of the configuration, whatever --root and the working directory are.
applies '../meshes/props/*'
applies './../meshes/props/*'
applies '../meshes/**'
applies '**/props/*'
applies 'b.obj'
applies '?.obj'
applies '../meshes/[op]*/b.obj'
idle 'props/*' 'did you mean "../meshes/props/*"?' --root meshes -o out/
idle 'meshes/props/*' 'did you mean "../meshes/props/*"?'
idle '/b.obj' "$relative"
(cd meshes && "$bvbuild" -q props/b.obj -o "$scratch/inside.bvh" --config ../settings/c.json --allow-unmatched)
config settings/c.json '../meshes/props/*'
(cd meshes && "$bvbuild" -q --force props/b.obj -o "$scratch/inside.bvh" --config ../settings/c.json)
check 'from another folder' written inside.bvh ' scale=2 '
applies '../meshes/link/*' meshes/link/e.obj
applies '../elsewhere/*' meshes/link/e.obj

# What exists is no error in a run of other inputs.
allowed '../meshes/props/b.obj'
allowed '../meshes/link/e.obj'
allowed 'b.obj'
allowed 'c.obj' --depfile d
allowed '**/deep/c.obj'
(cd settings && "$bvbuild" -q ../meshes/a.obj -o "$scratch/beside/" --root ../meshes --config c.json)
check 'also from elsewhere' test -e beside/a.bvh

# What does not is one, with what may be meant.
idle '../meshes/prop/*' '"../meshes/prop" does not exist beside the configuration;'
idle '../meshes/props' 'did you mean "../meshes/props/**"?'
idle '../meshes/props/' 'did you mean "../meshes/props/**"?'
idle "$scratch/meshes/props/*" 'did you mean "../meshes/props/*"?'
idle '../meshes/Props/*' 'upper and lower case differ from ../meshes/props/b.obj;'
idle 'B.OBJ' 'upper and lower case differ from ../meshes/props/b.obj;'
idle 'aa.obj' 'did you mean "a.obj"?'
idle '*.bvh' "$relative"
idle 'h.obj' 'did you mean "a.obj"?'
idle 'zzzzzz.glb' "$relative"
idle '[' "$relative"
idle '*.{obj,glb}' 'patterns have no {a,b}, an array of patterns does the same;'
config settings/c.json '..\\meshes\\props\\b.obj'
run 1 "$bvbuild" meshes/a.obj -o no.bvh --config settings/c.json
check 'a backslash is no slash' grep -qF 'did you mean "../meshes/props/b.obj"?' err

# All of them are named, before anything is built; other patterns of an entry are warnings.
printf '%s\n' '{ "assets": [ { "match": "none1.stl" },' '{ "match": [ "a.obj", "none2.stl" ] },' '{ "match": [ "none3.stl", "none4.stl" ] } ] }' > c.json
run 1 "$bvbuild" meshes/a.obj -o all.bvh --config c.json
check 'each is named' test "$(sed -n 's/^bvbuild: c.json:\([0-9]\): assets.*"none\([0-9]\).*/\1\2/p' err | tr '\n' ' ')" = '22 11 33 34 '
check 'nothing is built' test ! -e all.bvh
printf '%s\n' '{ "assets": [ { "match": [ "a.obj", "none.stl" ] } ] }' > c.json
run 0 "$bvbuild" meshes/a.obj -o some.bvh --config c.json
check 'a warning' grep -q '^bvbuild: c.json:1: assets\[0\]: "none.stl" matches no input and no file' err
run 0 "$bvbuild" -q meshes/a.obj -o some.bvh --config c.json
check 'which --quiet hides' test ! -s err

# Allowed: on the command line, of all entries, of one. Each allows no more than it says.
config c.json none.stl
run 0 "$bvbuild" -q meshes/a.obj -o some.bvh --config c.json --allow-unmatched
printf '{ "allow-unmatched": true, "assets": [ { "match": "none.stl" } ] }' > c.json
run 0 "$bvbuild" -q meshes/a.obj -o some.bvh --config c.json
printf '{ "assets": [ { "match": "none.stl", "allow-unmatched": true } ] }' > c.json
run 0 "$bvbuild" -q meshes/a.obj -o some.bvh --config c.json
printf '{ "assets": [ { "match": "none.stl", "allow-unmatched": true }, { "match": "gone.stl" } ] }' > c.json
refused 1 "c.json:1: assets[1]: \"gone.stl\" matches no input and no file ($relative --allow-unmatched accepts it)" meshes/a.obj --config c.json
printf '{ "allow-unmatched": false, "assets": [ { "match": "none.stl" } ] }' > c.json
refused 1 "c.json:1: assets[0]: \"none.stl\" matches no input and no file ($relative --allow-unmatched accepts it)" meshes/a.obj --config c.json

refused 1 '--allow-unmatched needs --config' meshes/a.obj --allow-unmatched
refused 1 '--config can be given once' meshes/a.obj --config c.json --config c.json

# Inputs of other shards count, and a Ninja file's commands are for one input of many.
config c.json 'meshes/props/b.obj'
run 0 "$bvbuild" -q meshes/a.obj meshes/props/b.obj -o shard/ --shard 1/2 --config c.json
config c.json 'gone/*'
run 1 "$bvbuild" meshes/a.obj -o out/ --config c.json --emit-ninja n.ninja
check 'no Ninja file' test ! -e n.ninja

# Why an input has which options.
printf '%s\n' '{ "options": { "scale": 3, "weld": 0.1 }, "assets": [' \
	'{ "match": "meshes/**", "options": { "scale": 2, "preset": "fast", "gate": [ "mesh.closed", "file.bytes > 1" ] } },' \
	'{ "match": [ "a.obj", "x.stl" ], "options": {' '"weld": false, "gate": "mesh.triangles > 1" } },' '{ "match": "gone/*" } ] }' > c.json
run 0 "$bvbuild" meshes/a.obj new.obj --config c.json --explain-config --scale 5 --gate 'mesh.area > 0' --decompose
cat > wanted << 'W'
meshes/a.obj
  path from the folder of c.json: meshes/a.obj
  c.json:1: general options: apply to all inputs
  c.json:2: assets[0]: applies
    "meshes/**" matches meshes/a.obj
  c.json:3: assets[1]: applies
    "a.obj" matches a.obj
    "x.stl" does not match a.obj
  c.json:5: assets[2]: does not apply
    "gone/*" does not match meshes/a.obj
  command line: applies last
  OPTION              VALUE                   FROM
  scale               5                       command line
  scale               3                       c.json:1 (replaced)
  scale               2                       c.json:2: assets[0] (replaced)
  weld                unset                   c.json:4: assets[1]
  weld                0.1                     c.json:1 (replaced)
  preset              fast                    c.json:2: assets[0]
  gate                mesh.triangles > 1      c.json:4: assets[1]
  gate                mesh.area > 0           command line
  gate                mesh.closed             c.json:2: assets[0] (replaced)
  gate                file.bytes > 1          c.json:2: assets[0] (replaced)
  decompose           true                    command line
  weld                0                       default
W
head -n 24 out > got
check "what is explained: $(diff wanted got)" cmp -s wanted got
check 'by the preset' grep -qx '  byte-price          500                     --preset fast' out
check 'by other options' grep -qx '  sections            parts                   follows from other options' out
check 'of inputs that are not there' grep -qx 'new.obj (no such file)' out
check 'nothing is built' test "$(find . -name 'a.bvh' -newer wanted | wc -l)" = 0
# What is explained is what is done.
run 0 "$bvbuild" -q meshes/a.obj -o explained.bvh --config c.json --scale 5 --decompose --allow-unmatched
check 'the same options' written explained.bvh ' scale=5 weld=0 .* volume=aabb .* byte-price=500 '
run 1 "$bvbuild" meshes/a.obj --config c.json --explain-config --list-objects
says 'bvbuild: --explain-config excludes --list-objects'
run 0 "$bvbuild" meshes/a.obj --explain-config --preset best
check 'without a configuration' grep -qx '  preset              best                    command line' out
finish

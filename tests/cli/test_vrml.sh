#!/bin/sh
# VRML after the nodes of its standard: the files of make_vrml.py, each with the right exit code, triangles, volume, box and message.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1

mkdir files
check 'the files are written' python3 "$here/make_vrml.py" files
cd files || exit 1
sort expected.tsv > sorted.tsv

# All files of one exit code at once. Messages name the line behind the file's name, where they have one.
for code in 0 2 3 5; do
	# shellcheck disable=SC2046
	run $code "$bvbuild" $(awk -F '\t' -v code=$code '$2 == code { print $1 }' sorted.tsv) -o out/ --keep-going --threads 1
	sed -n 's/^bvbuild: \([^:]*\.\(wrl\|wrz\|vrml\)\): */\1\t/p; s/^bvbuild: \([^:]*\.wrl\):\([0-9]\)/\1\t\2/p' ../err | sort > got
	awk -F '\t' -v OFS='\t' -v code=$code '$2 == code && $7 != "-" { print $1, $7 }' sorted.tsv > wanted
	check "messages with exit code $code: $(diff wanted got)" cmp -s wanted got
done
check 'errors leave no output' test "$(ls out | wc -l)" = "$(awk -F '\t' '$2 == 0' sorted.tsv | wc -l)"

"$bvinspect" --jsonl out/*.bvh > reports.jsonl
cat > compare.py <<'P'
import json
found = {r["source"]["name"]: r for r in map(json.loads, open("reports.jsonl"))}
for line in open("sorted.tsv"):
    name, code, triangles, volume, lower, upper, _ = line.rstrip("\n").split("\t")
    if code != "0":
        continue
    report = found[name]
    box = report["bounds"]["aabb"]
    near = lambda a, b: abs(a - b) <= 1e-6 * (1 + abs(b))
    assert report["mesh"]["triangles"] == int(triangles), (name, report["mesh"]["triangles"])
    assert all(map(near, box["lower"] + box["upper"], map(float, (lower + " " + upper).split()))), (name, box)
    assert volume == "-" or near(report["mesh"]["volume"], float(volume)), (name, report["mesh"]["volume"], volume)
    assert volume == "-" or report["mesh"]["closed"], name
P
check 'triangles, boxes and volumes' python3 compare.py

# Names: the innermost that DEF gives on the way, and the material's.
echo '#VRML V2.0 utf8
DEF robot Group { children [ DEF arm Transform { children [ Shape { geometry Box { } } DEF hand Shape {
appearance Appearance { material DEF steel Material { } } geometry Sphere { } } ] } ] }
Shape { geometry Cone { } }' > names.wrl
run 0 "$bvbuild" --list-objects names.wrl
check 'names of objects' test "$(cut -f 1,3 ../out | tr '\t\n' ' ,')" = 'triangles object,12 arm,960 hand,62 ,'
run 0 "$bvbuild" -q names.wrl -o names.bvh --sections source
check 'the name of a material' grep -q steel names.bvh
head -c 60 packed.wrz > cut.wrz
refused 2 'cut.wrz: is compressed by gzip, and damaged' cut.wrz
finish

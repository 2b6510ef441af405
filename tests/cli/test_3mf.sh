#!/bin/sh
# 3MF after the features of the specification: the files of make_3mf.py, each with the right exit code, triangles, volume, box and
# message.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1

mkdir files
check 'the files are written' python3 "$here/make_3mf.py" files
cd files || exit 1
sort expected.tsv > sorted.tsv

# All files of one exit code at once.
for code in 0 2 3 5; do
	# shellcheck disable=SC2046
	run $code "$bvbuild" $(awk -F '\t' -v code=$code '$2 == code { print $1 }' sorted.tsv) -o out/ --keep-going --threads 1
	sed -n 's/^bvbuild: \([^:]*\.3mf\): /\1\t/p' ../err | grep -v 'inward' | sort > got
	awk -F '\t' -v OFS='\t' -v code=$code '$2 == code && $6 != "-" { print $1, $6 }' sorted.tsv > wanted
	check "messages with exit code $code: $(diff wanted got)" cmp -s wanted got
done
check 'errors leave no output' test "$(ls out | wc -l)" = "$(awk -F '\t' '$2 == 0' sorted.tsv | wc -l)"

"$bvinspect" --jsonl out/*.bvh > reports.jsonl
cat > compare.py <<'P'
import json
reports = [json.loads(line) for line in open("reports.jsonl")]
found = {r["source"]["name"]: r for r in reports}
for line in open("sorted.tsv"):
    name, code, triangles, lower, upper, _ = line.rstrip("\n").split("\t")
    if code != "0":
        continue
    report = found[name]
    box = report["bounds"]["aabb"]
    assert report["mesh"]["triangles"] == int(triangles), name
    assert report["mesh"]["closed"], name
    assert box["lower"] == [float(x) for x in lower.split()], (name, box)
    assert box["upper"] == [float(x) for x in upper.split()], (name, box)
    volume = report["mesh"]["volume"]
    wanted = 48 if name == "nested.3mf" else 0.5 * int(triangles)
    assert abs(volume - wanted) < 1e-9 * wanted, (name, volume)
P
check 'triangles, boxes and volumes' python3 compare.py

# Names of objects and materials.
run 0 "$bvbuild" --list-objects parts.3mf
check 'the name of an object' test "$(cut -f 3 ../out | tr '\n' ,)" = 'object,a & b,a & b,'
run 0 "$bvbuild" --list-objects plain.3mf
check 'the name of an object without one' test "$(cut -f 3 ../out | tr '\n' ,)" = 'object,Object_1,'
run 0 "$bvbuild" -q materials.3mf -o materials.bvh --sections source
check 'the name of a material' grep -q 'blue' materials.bvh

# The memory limit counts what is unpacked and placed.
python3 - << 'P'
import re, zipfile
with zipfile.ZipFile("plain.3mf") as archive, zipfile.ZipFile("large.3mf", "w", zipfile.ZIP_DEFLATED) as out:
    for name in archive.namelist():
        text = archive.read(name).decode()
        out.writestr(name, text.replace("<build>", "<!--" + " " * 2000000 + "--><build>"))
P
run 5 "$bvbuild" -q large.3mf -o small.bvh --import-memory 1
says 'bvbuild: large.3mf: 3D/3dmodel.model is larger than the memory limit (--import-memory)'
run 3 "$bvbuild" -q slices.3mf -o slices.bvh
finish

#!/bin/sh
# glTF after the features of the specification: the files of make_gltf.py, each with the right exit code, triangle count, volume,
# center of mass and message. What bvinspect exports is read back. tests/cli/test_gltf_peers.sh has peers to agree with.

. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1

mkdir files
check 'the files are written' python3 "$here/make_gltf.py" files
cd files || exit 1

# Without a decoder, what is not required has plain data beside it, and the rest is refused.
for decoder in draco:Draco:KHR_draco_mesh meshopt:meshopt:EXT_meshopt; do
	if "$bvbuild" --version | grep -q "^  $(echo "$decoder" | cut -d : -f 2) *not built in"; then
		awk -F '\t' -v OFS='\t' -v name="${decoder%%:*}" -v extension="${decoder##*:}" '
			index( $1, name "-" ) == 1 && !( $2 == 0 && $1 ~ /edgebreaker.gltf|sequential.gltf|not-required/ ) {
				$2 = 3; $3 = $4 = $5 = "-"; $6 = extension "_compression is not supported: built without" }
			{ print }' expected.tsv > changed.tsv && mv changed.tsv expected.tsv
	fi
done

# All files of one exit code at once; those with a message about what was read, alone.
fields()
{
	awk -F '\t' "$1 { print \$1 }" expected.tsv
}
# shellcheck disable=SC2046
for code in 0 2 3 5; do
	run $code "$bvbuild" $(fields "\$2 == $code && (\$2 != 0 || \$6 == \"-\")") -o out/ --keep-going --sections none,mesh,mass
	mv ../err ../err.$code
done
for file in $(fields '$2 == 0 && $6 != "-"'); do
	run 0 "$bvbuild" -v "$file" -o "out/${file%.*}.bvh" --sections none,mesh,mass
	sed "s/^/bvbuild: $file: /" ../err >> ../err.0
done
run 0 "$bvinspect" --jsonl out/*.bvh
cp ../out reports.jsonl
cat > ../compare.py << 'P'
import json
import sys

reports = {}
for line in open("reports.jsonl", encoding="utf-8"):
    report = json.loads(line)
    reports[report["source"]["name"]] = report["mesh"]
said = {code: open(f"../err.{code}", encoding="utf-8").read().split("\n") for code in "0235"}
wrong = 0
count = 0
for line in open("expected.tsv", encoding="utf-8"):
    name, code, triangles, volume, x, says = line.rstrip("\n").split("\t")
    mesh = reports.get(name)
    faults = []
    if (mesh is not None) != (code == "0"):
        faults.append("is read" if mesh else "is not read")
    elif mesh:
        if triangles != "-" and mesh["triangles"] != int(triangles):
            faults.append(f"{mesh['triangles']} triangles instead of {triangles}")
        if volume != "-" and not abs((mesh["volume"] or 0) / float(volume) - 1) < 1e-5:
            faults.append(f"volume {mesh['volume']} instead of {volume}")
        if x != "-" and not abs(mesh["center_of_mass"][0] - float(x)) < 1e-4 * max(1, abs(float(x))):
            faults.append(f"center {mesh['center_of_mass']} instead of {x}")
    if says != "-" and not any(f" {name}: " in f" {line}" and says in line for line in said[code]):
        faults.append(f"does not say {says}")
    for fault in faults:
        print(f"    {name}: {fault}")
    wrong += bool(faults)
    count += 1
if count < 60:
    sys.exit(f"    only {count} files")
sys.exit(wrong > 0)
P
check 'each file is read as the specification says' python3 ../compare.py

# Objects have the names of nodes, or else of meshes.
run 0 "$bvbuild" names.gltf --list-objects
check 'the name of a node' grep -q rock ../out
check 'the name of a mesh' grep -q stone ../out

# Buffers are listed, those that are not needed as well.
run 0 "$bvbuild" -q uri-blank.gltf -o x.bvh --depfile d
check 'a decoded name' grep -qxF 'x.bvh: uri-blank.gltf my\ data.bin' d

# What is exported is read back: the same triangles where numbers are binary32, as nearly all of a mesh are.
cd .. || exit 1
"$BUILD/make_samples" . > /dev/null
for mesh in crate gear knot rock stair terrain; do
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.bvh --sections none,mesh,hull,bounds,parts --decompose=5%
	for what in mesh hull parts bounds; do
		run 0 "$bvinspect" $mesh.bvh --export $what,$mesh-$what.glb --export $what,$mesh-$what.obj
		for type in glb obj; do
			run 0 "$bvbuild" -q $mesh-$what.$type -o $mesh-$what-$type.bvh --sections none,mesh,mass
			"$bvinspect" $mesh-$what-$type.bvh --columns mesh.triangles,mesh.vertices --csv | tail -n 1 | cut -d , -f 2- > $type.counts
		done
		check "$mesh: $what comes back" cmp -s glb.counts obj.counts
	done
	run 0 "$bvbuild" -q $mesh-mesh.glb -o back.bvh --force --sections none,mesh
	run 0 "$bvinspect" back.bvh --export mesh,back.obj
	grep '^[vf] ' back.obj > back
	grep '^[vf] ' $mesh-mesh.obj > there
	check "$mesh: the mesh comes back with the same numbers" cmp -s back there
done
finish

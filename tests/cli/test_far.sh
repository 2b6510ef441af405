#!/bin/sh
# Meshes that are far from the origin: stored, reported, queried, exported and compared as near ones.

. "$(dirname "$0")/lib.sh"

tool=$(cd "$(dirname "$0")" && pwd)/far_meshes.py
"$BUILD/make_samples" "$scratch" > /dev/null
cd "$scratch" || exit 1

# prints PATTERN: the command before printed that.
prints()
{
	check "prints $1" grep -q "$1" out
}

# far NAME X Y Z OPTION...: the sample, and the same one moved, have the same report but for places, and are sound.
far()
{
	name=$1 x=$2 y=$3 z=$4
	shift 4
	python3 "$tool" move "$name.obj" near.obj 0 0 0
	python3 "$tool" move "$name.obj" far.obj "$x" "$y" "$z"
	run 0 "$bvbuild" --quiet near.obj -o near.bvh "$@"
	run 0 "$bvbuild" --quiet far.obj -o far.bvh "$@"
	"$bvinspect" near.bvh --json > near.json
	"$bvinspect" far.bvh --json > far.json
	check "$name at $x $y $z $*: the report" python3 "$tool" same near.json far.json "$x" "$y" "$z"
	run 0 "$bvinspect" far.bvh --verify
}

far crate 1e6 0 0
far stair 1e6 -1e6 1e6 --decompose=0 --max-parts 3 --decompose-effort 0 --density 2
far knot 1e9 1e9 -1e9 --preset fast
far stair 0 1e9 0 --positions quantized --simplify 5% --sections edges,source,adjacency,hull-topology,radius,node-quality,node-faces
far broken -1e6 0 1e6 --volume mixed --collapse 8

# The same pairs, and the same distances, in poses that are as exact there as here.
far gear 1e6 -1e6 1e9
python3 "$tool" poses poses.csv 1e6 -1e6 1e9
run 0 "$bvinspect" near.bvh --collide near.bvh --poses poses.csv
sed 's/,[^,]*$//' out > near.out
check 'some poses collide' test "$(awk -F, 'NR > 1 && $2 > 0' out | wc -l)" -gt 10
run 0 "$bvinspect" far.bvh --collide far.bvh --poses poses.csv.far
sed 's/,[^,]*$//' out > far.out
check 'the same pairs' cmp near.out far.out
run 0 "$bvinspect" near.bvh --distance near.bvh --poses poses.csv
awk -F, 'NR > 1 { print $2 }' out > near.out
run 0 "$bvinspect" far.bvh --distance far.bvh --poses poses.csv.far
awk -F, 'NR > 1 { print $2 }' out > far.out
check 'the same distances' cmp near.out far.out
check 'and not of nothing' test -s far.out

# Points inside are where the mesh is.
printf 'x,y,z\n0,0,0\n1000000,-1000000,1000000000\n' > points.csv
run 0 "$bvinspect" far.bvh --inside points.csv
prints '^0,0,0$'
check 'the middle' grep -q '^1,[01],[01]$' out

# Exports have the places of the source, in every format; what they are built into is the same mesh.
for format in obj ply glb; do
	run 0 "$bvinspect" far.bvh --export "mesh,export.$format"
	run 0 "$bvbuild" --quiet "export.$format" -o again.bvh --force-output
	run 0 "$bvinspect" far.bvh --compare again.bvh
	prints 'meshes *equal'
	run 0 "$bvinspect" near.bvh --compare again.bvh
	check 'moved, they are not equal' test "$(grep -c 'meshes *equal' out)" = 0
done
python3 "$tool" move crate.obj far.obj 1e6 0 0
run 0 "$bvbuild" --quiet far.obj -o body.bvh --density 2
run 0 "$bvinspect" body.bvh --export body,body.urdf
check 'the mass is where the mesh is' grep -q '<origin xyz="1000000' body.urdf

# A box of millimeters, in meters, at the other end of the map.
box_obj 1000000 2000000 0 1000000.001 2000000.002 0.003 > box.obj
run 0 "$bvbuild" box.obj -o box.bvh
run 0 "$bvinspect" box.bvh
prints '12 triangles, 8 vertices'
prints 'offset  *positions are stored relative to (1000000, 2000000, 0)'
prints 'volume 6e-09\|volume 5.9999[0-9]*e-09\|volume 6.0000[0-9]*e-09'
run 0 "$bvbuild" box.obj -o mm.bvh --units mm --scale 1000
run 0 "$bvinspect" mm.bvh --verify

# A triangle without an area at the origin changes nothing about that.
sed 's/^f 4 3 2 1$/v 0 0 0\nv 1 1 1\nf 9 10 9\n&/' box.obj > stray.obj
run 0 "$bvbuild" --quiet stray.obj -o stray.bvh --positions quantized
run 0 "$bvinspect" stray.bvh
prints '12 triangles, 8 vertices'
prints 'relative to (1000000, 2000000, 0)'

# Collision objects are measured there as well.
sed 's/^v /&/; 1s/^/o UCX_box_0\n/' box.obj > ucx.obj
run 0 "$bvbuild" ucx.obj -o ucx.bvh --proxies use
run 0 "$bvinspect" ucx.bvh --verify

# Near meshes have no offset, and older readers read them.
run 0 "$bvinspect" near.bvh
check 'no offset' test "$(grep -c offset out)" = 0
prints 'format 1\.[0-3]'

finish

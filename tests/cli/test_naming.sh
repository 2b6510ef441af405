#!/bin/sh
# Names of collision shapes in engines: what is written is what bvbuild reads as the same shapes, where the source has them.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# In millimeters with z up. Its object has a name with a blank and a quote.
{
	echo 'o iron "ell'
	ell 40 30 10 5
} > ell.obj
run 0 "$bvbuild" -q ell.obj -o ell.bvh --decompose=1%
run 0 "$bvinspect" ell.bvh --columns decomposition.parts
parts=$(sed -n 's/^ell.bvh *//p' out)
check 'the L has two parts or more' test "$parts" -ge 2
run 0 "$bvinspect" ell.bvh --export parts,plain.obj
run 0 "$bvinspect" ell.bvh --export parts,same.obj --naming plain
check 'plain is the default' cmp -s plain.obj same.obj

# names WHAT FILE: the proxies, sorted, as "KIND NAME STANDS-FOR".
names()
{
	"$bvbuild" "$1" --list-objects | tail -n +2 | awk -F '\t' '{ print $2, $3, $4 }'
}

for format in obj glb; do
	for naming in unreal godot unity; do
		run 0 "$bvinspect" ell.bvh --export parts,parts-$naming.$format --naming $naming
		names parts-$naming.$format > listed
		check "$naming.$format: every part is a convex shape of ell" test "$(grep -c '^convex .* ell$' listed)" = "$parts"
		check "$naming.$format: nothing else is there" test "$(wc -l < listed)" = "$parts"
		check "$naming.$format: names differ" test "$(cut -d ' ' -f 2 listed | sort -u | wc -l)" = "$parts"
		run 0 "$bvinspect" ell.bvh --export body=parts,body-$naming.$format --naming $naming
		names body-$naming.$format > listed
		check "$naming.$format: the mesh has its name" grep -q '^none ell $' listed
		check "$naming.$format: and its shapes" test "$(grep -c '^convex .* ell$' listed)" = "$parts"
	done
	run 0 "$bvinspect" ell.bvh --export mesh,mesh.$format --naming unreal
	check "$format: the mesh alone" test "$(names mesh.$format)" = 'none ell '
	run 0 "$bvinspect" ell.bvh --export body=mesh,col.$format --naming godot
	check "$format: triangles for Godot" test "$(names col.$format)" = 'mesh ell-colonly ell'
	run 0 "$bvinspect" ell.bvh --export body=mesh,col.$format --naming unity
	check "$format: triangles for Unity" test "$(names col.$format)" = 'mesh ell_meshcollider ell'
done
check 'UCX_ell_00' grep -q '^o UCX_ell_00$' parts-unreal.obj
check 'ell-convcolonly' grep -q '^o ell-convcolonly$' parts-godot.obj
check 'ell-convcolonly.001' grep -q '^o ell-convcolonly.001$' parts-godot.obj
check 'ell_collider.001' grep -q '^o ell_collider.001$' parts-unity.obj

# Where nothing was scaled or turned, coordinates are the same digits.
for naming in unreal godot unity; do
	check "$naming: the same vertices and faces" test "$(grep '^[vf]' parts-$naming.obj)" = "$(grep '^[vf]' plain.obj)"
done

# Shapes for Unity are children of one object.
check 'children' /usr/bin/python3 - parts-unity.glb "$parts" <<'PY'
import json, struct, sys
data = open(sys.argv[1], "rb").read()
length, = struct.unpack_from("<I", data, 12)
scene = json.loads(data[20:20 + length])
root = scene["nodes"][scene["scenes"][0]["nodes"][0]]
assert len(scene["scenes"][0]["nodes"]) == 1 and root["name"] == "ell" and "mesh" not in root
assert [scene["nodes"][i]["name"] for i in root["children"]] == ["ell_collider"] + ["ell_collider.%03d" % i for i in range(1, int(sys.argv[2]))]
PY

# The parts come back: built from the names, their triangles have the same convex hulls in the same places.
for naming in unreal godot unity; do
	run 0 "$bvbuild" -q body-$naming.obj -o back.bvh
	run 0 "$bvinspect" back.bvh --export mesh,back.obj
	check "$naming: the parts instead of the mesh" /usr/bin/python3 - plain.obj back.obj <<'PY'
import sys
def read(path):
    vertices, faces = [], 0
    for line in open(path):
        word = line.split()
        if word and word[0] == "v":
            vertices.append(tuple(round(float(x), 4) for x in word[1:]))
        faces += bool(word) and word[0] == "f"
    return set(vertices), faces
before, after = read(sys.argv[1]), read(sys.argv[2])
assert before == after, (before, after)
PY
done

# Up, units and scale of the build are undone.
run 0 "$bvbuild" -q ell.obj -o turned.bvh --decompose=1% --units mm --up z --scale 3
for content in parts body=parts; do
	run 0 "$bvinspect" turned.bvh --export $content,turned.obj --naming unreal
	check "$content: in the place of the source" /usr/bin/python3 - ell.obj turned.obj <<'PY'
import sys
def box(path):
    v = [[float(x) for x in line.split()[1:]] for line in open(path) if line.startswith("v ")]
    return [f(axis) for axis in zip(*v) for f in (min, max)]
a, b = box(sys.argv[1]), box(sys.argv[2])
assert all(abs(x - y) < 1e-4 for x, y in zip(a, b)), (a, b)
PY
done
run 0 "$bvbuild" -q ell.obj -o turned.bvh --up y-to-z
run 0 "$bvinspect" turned.bvh --export mesh,turned.obj --naming godot
check 'y-to-z' test "$(grep '^v' turned.obj | sort)" = "$(grep '^v' ell.obj | sort)"
# Far from 0, positions in the file have an offset.
awk '$1 == "v" { $2 += 100000; $4 -= 70000 } { print }' ell.obj > far.obj
run 0 "$bvbuild" -q far.obj -o far.bvh --units in --up z
run 0 "$bvinspect" far.bvh --export mesh,turned.obj --naming unity
check 'far from 0' /usr/bin/python3 - far.obj turned.obj <<'PY'
import sys
def points(path):
    return sorted([float(x) for x in line.split()[1:]] for line in open(path) if line.startswith("v "))
a, b = points(sys.argv[1]), points(sys.argv[2])
assert len(a) == len(b) and all(abs(x - y) < 1e-4 for p, q in zip(a, b) for x, y in zip(p, q)), (a, b)
PY
run 0 "$bvbuild" -q ell.obj -o normal.bvh --normalize
run 2 "$bvinspect" normal.bvh --export mesh,n.obj --naming unreal
says 'bvinspect: normal.bvh: was built with --normalize: where the source has its shapes is not known'

# A single object gives its name, as far as names may have its characters.
run 0 "$bvbuild" -q ell.obj -o named.bvh --decompose=1% --sections source
run 0 "$bvinspect" named.bvh --export body=parts,named.glb --naming godot
check 'the name of the object' test "$(names named.glb | grep -c 'iron__ell$')" = "$parts"

# Long names are cut between characters.
{
	printf 'o '
	for i in 1 2 3 4 5 6 7 8 9 10; do printf 'aäöüßéèêñ'; done
	echo
	ell 40 30 10 5
} > long.obj
run 0 "$bvbuild" -q long.obj -o long.bvh --sections source
run 0 "$bvinspect" long.bvh --export hull,long-hull.obj --naming unreal
check 'a long name' /usr/bin/python3 - long-hull.obj <<'PY'
import sys
name = [line for line in open(sys.argv[1], encoding="utf-8") if line.startswith("o ")][0].split()[1]
assert name.startswith("UCX_aäöüßéèêñaä") and name.endswith("_00") and 90 <= len(name.encode()) - 7 <= 96, name
PY

# Primitives.
printf 'v 0 0 0\nv 2 0 0\nv 0 1 0\nv 2 1 0\nv 0 0 3\nv 2 0 3\nv 0 1 3\nv 2 1 3\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n' > box.obj
run 0 "$bvbuild" -q box.obj -o box.bvh
for content in primitive body; do
	run 0 "$bvinspect" box.bvh --export $content,ubx.obj --naming unreal
	check "$content: a box" grep -q '^o UBX_box_00$' ubx.obj
done
run 0 "$bvbuild" -q ubx.obj -o back.bvh
run 0 "$bvinspect" back.bvh --export primitive,again.obj --naming unreal
check 'a box again' test "$(grep '^v' again.obj | sort)" = "$(grep '^v' ubx.obj | head -8 | sort)"

# What has no names.
run 1 "$bvinspect" ell.bvh --export level=1,x.obj --naming unreal
says 'bvinspect: --naming needs mesh, hull, parts, proxy, primitive or body'
run 1 "$bvinspect" ell.bvh --export bounds,x.obj --naming godot
run 1 "$bvinspect" ell.bvh --export body=mesh,x.obj --naming unreal
says 'bvinspect: unreal has no names for shapes that are not convex'
run 1 "$bvinspect" ell.bvh --naming unreal
says 'bvinspect: --naming needs --export'
run 1 "$bvinspect" ell.bvh --export mesh,x.obj --naming source
says "bvinspect: --naming takes plain, unreal, godot or unity, not 'source'"
run 1 "$bvinspect" ell.bvh --export body,x.urdf --naming godot
says 'bvinspect: --naming does not apply to URDF'
check 'nothing is written' test ! -e x.obj -a ! -e n.obj -a ! -e x.urdf

finish

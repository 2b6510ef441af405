#!/bin/sh
# Scenes: objects listed, picked, split; proxies; where triangles come from; cleaning as it is asked for.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A tetrahedron, a box that stands for it, and two objects of one name; materials and groups.
box()
{
	awk -v x="$1" -v first="$2" 'BEGIN {
		for ( i = 0; i < 8; ++i )
			printf "v %d %d %d\n", x + i % 2, int( i / 2 ) % 2, int( i / 4 )
		n = split( "1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " " )
		for ( i = 1; i <= n; i += 4 )
			printf "f %d %d %d %d\n", first + c[i], first + c[i + 1], first + c[i + 2], first + c[i + 3]
	}'
}
{
	printf 'o Rock\nusemtl stone\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nusemtl moss\ng top\nf 2 3 4\nf 3 1 4\n'
	echo 'o UCX_Rock_01' && box 0 4
	echo 'o Crate' && box 10 12
	echo 'o Größe-col' && box 20 20
} > scene.obj

run 0 "$bvbuild" --list-objects scene.obj
printf 'triangles\tproxy\tobject\tstands for\n4\tnone\tRock\t\n12\tconvex\tUCX_Rock_01\tRock\n12\tnone\tCrate\t\n12\tmesh\tGröße-col\tGröße\n' > expected
check '--list-objects lists all' cmp -s expected out
run 0 "$bvbuild" --list-objects --object 'C*' scene.obj
check '--list-objects with a pattern' test "$(grep -c . out)" = 2

# Prints KEY of the report of FILE.
report()
{
	"$bvinspect" --json "$1" | python3 -c 'import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value[key]
print(value)' "$2"
}
triangles()
{
	report "$1" mesh.triangles
}
run 0 "$bvbuild" -q scene.obj -o a.bvh
check 'the proxy takes the place of the rock' test "$(triangles a.bvh)" = 36
run 0 "$bvbuild" -q scene.obj -o a.bvh --proxies drop
check 'without proxies' test "$(triangles a.bvh)" = 16
run 0 "$bvbuild" -q scene.obj -o a.bvh --proxies ignore
check 'proxies as plain objects' test "$(triangles a.bvh)" = 40
run 0 "$bvbuild" -q scene.obj -o a.bvh --object Rock
check 'an object brings its proxies along' test "$(triangles a.bvh)" = 12
check 'the choice is written down' test "$(report a.bvh tool.parameters.objects)" = Rock
run 0 "$bvbuild" -q scene.obj -o a.bvh --object 'R?ck' --object 'Cr*' --proxies drop
check 'two patterns' test "$(triangles a.bvh)" = 16
refused 2 "scene.obj: no object matches 'Rocks' (--list-objects lists all)" scene.obj --object Rocks
refused 2 "scene.obj: no object matches 'Rocks' (--list-objects lists all)" scene.obj --object Rock --object Rocks

mkdir split
run 0 "$bvbuild" -q scene.obj -o split --split objects
check 'one file for each object' test "$(ls split | tr '\n' ' ')" = 'scene.Crate.bvh scene.Größe.bvh scene.Rock.bvh '
for file in split/*; do
	run 0 "$bvinspect" --verify "$file"
	check "$file has twelve triangles" test "$(triangles "$file")" = 12
done
printf 'o a/b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no a/b \nf 1 3 2\no flat\nf 1 1 2\no ..\nf 1 2 3\n' > odd.obj
rm -rf split && mkdir split
run 2 "$bvbuild" -q odd.obj -o split --split objects
says "bvbuild: odd.obj: object 'flat': no triangle has an area"
check 'names that are no file names' test "$(ls split | tr '\n' ' ')" = 'odd....bvh odd.a_b.bvh '

# Names that are taken.
face()
{
	printf 'o %s\nv 0 0 0\nv %d 0 0\nv 0 1 0\nf -3 -2 -1\n' "$1" "$2"
}
{ face a/b 1; face a_b 2; face a_b.2 3; face z 4; face 'a:b' 5 | sed 's/:/\\/'; } > taken.obj
rm -rf split && mkdir split
run 0 "$bvbuild" -q taken.obj -o split --split objects
check 'a name that is taken is passed over' test "$(ls split | tr '\n' ' ')" = \
	'taken.a_b.2.bvh taken.a_b.3.bvh taken.a_b.4.bvh taken.a_b.bvh taken.z.bvh '
for name in a_b:0.5 a_b.2:1.5 a_b.3:1 a_b.4:2.5 z:2; do
	check "$name is its area" test "$(report "split/taken.${name%:*}.bvh" mesh.area)" = "$(python3 -c "print(${name#*:})")"
done
rm -rf split && mkdir split
run 0 "$bvbuild" -q taken.obj -o split --split objects --object z --object 'a/b'
check 'only what is written counts' test "$(ls split | tr '\n' ' ')" = 'taken.a_b.bvh taken.z.bvh '
face b.x 1 > a.obj
{ face w 3; face x 2; } > a.b.obj
face y 4 > c.obj
rm -rf split && mkdir split
run 1 "$bvbuild" -q -k a.obj a.b.obj c.obj -o split --split objects
says "bvbuild: a.b.obj: object 'x' would be written to split/a.b.x.bvh, as would one of a.obj"
check 'nothing of the second is written' test "$(ls split | tr '\n' ' ')" = 'a.b.x.bvh c.y.bvh '
check 'the first is as it was' test "$(report split/a.b.x.bvh mesh.area)" = 0.5
run 0 "$bvbuild" -q a.obj a.b.obj c.obj -o split --split objects --object '[!x]*'
cp c.obj split/a.b.x.bvh
run 3 "$bvbuild" -q -k a.obj split/a.b.x.bvh -o split --split objects
check 'an input is not written over' grep -q '^bvbuild: split/a.b.x.bvh: is both an input and the output$' err
check 'and is as it was' cmp -s c.obj split/a.b.x.bvh
run 1 "$bvbuild" scene.obj -o x.bvh --split objects
says 'bvbuild: x.bvh: is not a folder, which --split needs (end it with / to create it)'
run 1 "$bvbuild" scene.obj -o split --split objects --report x.json
says 'bvbuild: --report needs a single output'
refused 1 "--split takes objects, not 'parts'" scene.obj --split parts
refused 1 "--proxies takes use, ignore or drop, not 'all'" scene.obj --proxies all
refused 1 "unknown section 'x' (--help=all lists all)" scene.obj --sections edges,x
refused 1 "unknown section '' (--help=all lists all)" scene.obj --sections ''
refused 1 "unknown section '' (--help=all lists all)" scene.obj --sections edges,-
refused 1 "unknown section 'none' (--help=all lists all)" scene.obj --sections=-none
refused 1 "--sections: the section 'errors' needs the section 'tree'" scene.obj --sections none,mesh,errors
refused 1 "--sections: the section 'tree' needs the section 'mesh'" scene.obj --sections none,tree
refused 1 "--sections: the section 'source' needs the section 'mesh'" scene.obj --sections=-mesh,source
for value in far -1 0x1 inf; do
	refused 1 "--weld takes a number of at least 0, not '$value'" scene.obj --weld "$value"
done

# Proxies under the options and limits of plain objects.
{ echo 'o A' && box 0 0; echo 'o B' && box 10 8; printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\n'; } > boxes.obj
for name in UCX_A A-col UBX_A_01 UCP_A; do
	{ cat boxes.obj; printf 'o %s\nf 17 18 19\n' $name; } > line.obj
	refused 2 "line.obj: the collision object '$name' has no triangle with an area" line.obj
	refused 2 "line.obj: the collision object '$name' has no triangle with an area" line.obj --object A
	for use in ignore drop; do
		run 0 "$bvbuild" -q line.obj -o a.bvh --proxies $use
		check "$name, --proxies $use: both boxes" test "$(triangles a.bvh)" = 24
	done
	run 0 "$bvbuild" -q line.obj -o a.bvh --object B
	printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\no %s\nf 1 2 3\n' $name > line.obj
	refused 2 "line.obj: the collision object '$name' has no triangle with an area" line.obj
done
{ echo 'o A' && box 0 0; echo 'o UCX_A'; } > none.obj
refused 2 "none.obj: the collision object 'UCX_A' has no triangle with an area" none.obj
{ echo 'o A' && box 0 0; echo 'o UCX_A' && box 5 8; printf 'v 5 5 nan\nf 9 10 17\n'; } > nan.obj
refused 2 "nan.obj: the collision object 'UCX_A' has a coordinate that is not finite" nan.obj
run 0 "$bvbuild" -q nan.obj -o a.bvh --drop-non-finite
check 'what is not finite is not of the shape' test "$(report a.bvh mesh.volume)" = 1
check 'and is counted' test "$(report a.bvh mesh.removed.non_finite)" = 1
for name in A UCX_A; do
	{ echo "o $name" && box 0 0 | awk '$1 == "v" { $2 *= 1e37; $3 *= 1e37; $4 *= 1e37 } { print }'; } > huge.obj
	refused 5 'huge.obj: a coordinate is larger than 1.3e36 (make it smaller with --scale)' huge.obj
	run 0 "$bvbuild" -q huge.obj -o a.bvh --scale 1e-37
	check "$name is a box" test "$(triangles a.bvh)" = 12
done
for name in USP_A UCP_A; do
	echo "o $name" > size.obj && box 0 0 >> size.obj
	run 0 "$bvbuild" -q size.obj -o one.bvh
	for size in 1e-300 1e-50 1e-45 1e300; do
		awk -v s=$size '$1 == "v" { $2 *= s; $3 *= s; $4 *= s } { print }' size.obj > scaled.obj
		run 0 "$bvbuild" -q scaled.obj -o a.bvh --scale 1e"$(echo "${size#1e}" | sed 's/^/-/; s/^--//')"
		check "$name of size $size" python3 -c '
import sys
a, b = map(float, sys.argv[1:])
assert abs(a / b - 1) < 1e-5, (a, b)' "$(report a.bvh mesh.volume)" "$(report one.bvh mesh.volume)"
	done
	# Far from 0, by numbers that binary64 has. What is dropped does not count.
	for far in 1048576 1073741824 68719476736; do
		awk -v s=$far '$1 == "v" { printf "v %.17g %.17g %.17g\n", $2 + s, $3 - s, $4; next } { print }' size.obj > far.obj
		printf 'o other\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n' >> far.obj
		run 0 "$bvbuild" -q far.obj -o a.bvh --object 'U*'
		check "$name at $far" python3 -c '
import sys
a, b = map(float, sys.argv[1:])
assert -1e-6 < a / b - 1 < 1e-3, (a, b)' "$(report a.bvh mesh.volume)" "$(report one.bvh mesh.volume)"
	done
done

# Opt-in sections and their bytes.
run 0 "$bvbuild" -q scene.obj -o a.bvh --proxies ignore
run 0 "$bvbuild" -q scene.obj -o b.bvh --proxies ignore --sections source,edges
run 0 "$bvinspect" --verify b.bvh
run 0 "$bvinspect" b.bvh
check 'both sections are there' grep -q ' EDGE 80, SRCE ' out
run 0 "$bvinspect" a.bvh
check 'and only when asked for' test "$(grep -c 'EDGE\|SRCE' out)" = 0

# Files of less than is there by default.
sections()
{
	"$bvinspect" "$1" | sed -n '/^  bytes  /,$p' | tr -cd 'A-Z'
}
run 0 "$bvbuild" -q scene.obj -o a.bvh --proxies ignore --sections none,hull
check 'a hull alone' test "$(sections a.bvh)" = ORGNMESHHULL
run 0 "$bvinspect" --verify a.bvh
run 0 "$bvinspect" a.bvh
check 'is all that is shown' test "$(grep -c '^    aabb\|^  hierarchy\|^  shape\|^  solid' out)" = 0
check 'and that is written down' written a.bvh ' sections=-mesh,-tree,-bounds,-mass,-errors,-primitives '
check 'what is not there is null' test "$(report a.bvh hierarchy.nodes)" = None
check 'and below that, too' test "$(report a.bvh hierarchy.hausdorff.solid.max.upper)" = None
check 'as are bounds' test "$(report a.bvh bounds.obb)" = None
run 0 "$bvbuild" -q scene.obj -o c.bvh --proxies ignore --sections=-mesh,-tree,-bounds,-mass,-errors,-primitives
check 'which makes the same file again' cmp a.bvh c.bvh
run 0 "$bvbuild" -q scene.obj -o c.bvh --proxies ignore --sections=-primitives,-mass
check 'without two' test "$(sections c.bvh)" = ORGNMESHPOSNTRISBNDSHULLNODEERRS
run 0 "$bvbuild" -q scene.obj -o c.bvh --proxies ignore --sections=-tree
check 'errors go with the hierarchy' test "$(sections c.bvh)" = ORGNMESHPOSNTRISBNDSHULLMASSPRIM
printf 'r00,r01,r02,r10,r11,r12,r20,r21,r22,tx,ty,tz\n1,0,0,0,1,0,0,0,1,0,0,0\n' > pose.csv
run 2 "$bvinspect" c.bvh --collide b.bvh --poses pose.csv
says 'bvinspect: c.bvh: has no hierarchy'
run 2 "$bvinspect" b.bvh --collide c.bvh --poses pose.csv
says 'bvinspect: c.bvh: has no hierarchy'
printf 'x,y,z\n0,0,0\n' > point.csv
run 0 "$bvinspect" c.bvh --inside point.csv
run 2 "$bvinspect" a.bvh --inside point.csv
says 'bvinspect: a.bvh: has no triangles'

# Cleaning.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1.0001 0 0\nv 1 1 0\nv nan 0 0\nf 1 2 3\nf 4 5 3\nf 1 2 6\nv 9 9 9\n' > soup.obj
refused 2 'soup.obj: 1 coordinate is not finite (vertex 6)' soup.obj
run 0 "$bvbuild" -q soup.obj -o a.bvh --drop-non-finite
check 'dropped and counted' test "$(report a.bvh mesh.removed.non_finite)" = 1
check 'unused vertices are counted' test "$(report a.bvh mesh.removed.unused_vertices)" = 1
check 'not welded: two loose triangles' test "$(report a.bvh mesh.edges_of_kind.boundary)" = 6
run 0 "$bvbuild" -q soup.obj -o a.bvh --drop-non-finite --weld 0.001
check 'welded: they meet' test "$(report a.bvh mesh.edges_of_kind.boundary)" = 4
check 'and lie in one plane' test "$(report a.bvh mesh.edges_of_kind.flat)" = 1
check 'merged vertices are counted' test "$(report a.bvh mesh.removed.merged_vertices)" = 1
refused 2 'soup.obj: no triangle has an area (after --weld 5)' soup.obj --drop-non-finite --weld 5

# Paths in any script.
mkdir -p 'дом/お城'
cp scene.obj 'дом/お城/模型 é.obj'
run 0 "$bvbuild" -q 'дом/お城/模型 é.obj' -o 'дом/お城/模型.bvh'
check 'the name is kept' test "$(report 'дом/お城/模型.bvh' source.name)" = '模型 é.obj'
finish

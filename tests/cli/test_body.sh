#!/bin/sh
# --up, --units, --density and --mass: what the source is in, and what the body weighs. Expected values are closed forms.

. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A block of 2 x 4 x 12 inches with a corner at the origin, its longest side along z, and the same without its lid.
cat > open.obj << 'O'
v 0 0 0
v 2 0 0
v 2 4 0
v 0 4 0
v 0 0 12
v 2 0 12
v 2 4 12
v 0 4 12
f 4 3 2 1
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
O
{ cat open.obj; echo 'f 5 6 7 8'; } > block.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > sheet.obj

# holds FILE EXPRESSION: of the report, as r; near() compares.
cat > holds.py << 'P'
import json, math, subprocess, sys
r = json.loads(subprocess.run([sys.argv[1], "--json", sys.argv[2]], capture_output=True, check=True).stdout)
b = r["body"]
box = r["bounds"]["aabb"] if r["bounds"]["aabb"] else None
def near(x, y, within=1e-6):
    return len(x) == len(y) and all(near(u, v, within) for u, v in zip(x, y)) if isinstance(x, list) else abs(x - y) <= within * (abs(y) + 1e-3)
sys.exit(not eval(sys.argv[3]))
P
holds()
{
	check "$1: $2" python3 holds.py "$bvinspect" "$1" "$2"
}

run 0 "$bvbuild" -q block.obj -o block.bvh --units in --up z --density 7850
holds block.bvh 'near(box["lower"], [0, 0, -4 * 0.0254]) and near(box["upper"], [2 * 0.0254, 12 * 0.0254, 0])'
holds block.bvh 'r["mesh"]["volume"] > 0 and abs(r["mesh"]["volume"] / (96 * 0.0254**3) - 1) < 1e-6'
holds block.bvh 'b["of"] == "solid" and b["given"] == "density" and b["density"] == 7850'
holds block.bvh 'near(b["mass"], 7850 * 96 * 0.0254**3)'
holds block.bvh 'near(b["center_of_mass"], [0.0254, 6 * 0.0254, -2 * 0.0254])'
holds block.bvh 'near(b["inertia"][1][1], b["mass"] / 12 * (4 + 16) * 0.0254**2)'
holds block.bvh 'near(b["principal"]["moments"], sorted(b["inertia"][i][i] for i in range(3)))'
check 'all of it is written down' written block.bvh ' up=z units=in scale=1 .*density=7850'
run 0 "$bvinspect" --verify block.bvh
"$bvinspect" block.bvh > out
check 'the summary says it' grep -q '^  body  *mass 12.3493, density 7850, of the solid$' out
check 'such files are 1.2' grep -q 'format 1.2$' out
run 0 "$bvbuild" --force --verbose block.obj -o block.bvh --units in --up z --density 7850
check 'and so does --verbose' grep -q '^  mass 12.3493, density 7850, of the solid$' err

# There and back again is no turn at all, and up=y is not written down.
run 0 "$bvbuild" -q block.obj -o back.bvh --up y-to-z
holds back.bvh 'box["lower"] == [0, -12, 0] and box["upper"] == [2, 0, 4] and near(r["mesh"]["volume"], 96)'
run 0 "$bvbuild" -q block.obj -o plain.bvh
run 0 "$bvbuild" -q block.obj -o same.bvh --up y
check '--up y changes nothing' cmp plain.bvh same.bvh
check 'neither is anything written down' not_written same.bvh ' \(up\|units\|density\|mass\)='
holds plain.bvh 'set(b.values()) == {None}'
run 0 "$bvbuild" -q block.obj -o metres.bvh --units m
check 'metres stay metres, and are written down' written metres.bvh ' units=m '
run 0 "$bvbuild" -q block.obj -o scaled.bvh --units ft --scale 10 --weld 0.5
holds scaled.bvh 'near(box["upper"], [6.096, 12.192, 36.576])'
run 0 "$bvbuild" -q block.obj -o normal.bvh --units mm --normalize --mass 1
holds normal.bvh 'b["mass"] == 1 and near(math.dist(box["lower"], box["upper"]), 2)'

# An open surface weighs what its hull does, and a flat one can be a sheet.
run 0 "$bvbuild" -q open.obj -o open.bvh --density 2
holds open.bvh 'b["of"] == "hull" and near(b["mass"], 192) and r["mesh"]["volume"] is None'
run 0 "$bvbuild" -q open.obj -o open.bvh --mass 3 --sections none
holds open.bvh 'b["of"] == "hull" and b["mass"] == 3 and near(b["density"], 3 / 96)'
refused 2 'sheet.obj: is flat and has no volume, so a density gives it no mass (use --mass to treat it as a sheet)' sheet.obj --density 1
run 0 "$bvbuild" -q sheet.obj -o sheet.bvh --mass 3
holds sheet.bvh 'b["of"] == "surface" and b["density"] == 6 and near(b["inertia"][2][2], 1 / 3)'
run 0 "$bvinspect" sheet.bvh --gate 'body.mass == 3'

# boxes X1:FLIP:SIZE ...: boxes with a corner at (X, 0, 0), sides of SIZE along x and 1 along y and z; FLIP 1 faces inward.
boxes()
{
	echo "$@" | tr ' ' '\n' | awk -F : '{ for ( i = 0; i < 8; ++i )
			printf "v %.17g %d %d\n", $1 + $3 * ( i % 2 ), int( i / 2 ) % 2, int( i / 4 )
		n = split( "1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " " )
		for ( i = 1; i <= n; i += 4 ) { b = 8 * ( NR - 1 )
			if ( $2 ) print "f", b + c[i + 3], b + c[i + 2], b + c[i + 1], b + c[i]
			else print "f", b + c[i], b + c[i + 1], b + c[i + 2], b + c[i + 3] } }'
}
# cancels NAME: the mass is that of the hull, a box of 4 x 1 x 1, for which it is a closed form; --verify finds the same.
cancels()
{
	for given in '--density 3' '--mass 12'; do
		# shellcheck disable=SC2086 # two words
		run 0 "$bvbuild" -q --force $1.obj -o $1.bvh $given
		holds $1.bvh 'b["of"] == "hull" and near(b["mass"], 12) and near(b["density"], 3) and near(b["center_of_mass"], [2, 0.5, 0.5])'
		holds $1.bvh 'near([b["inertia"][i][i] for i in range(3)], [2, 17, 17])'
		run 0 "$bvinspect" -q --verify $1.bvh
	done
	"$bvinspect" --findings $1.bvh > out
	check "of $1 the reason is said" grep -q 'note       body.hull: .* because the' out
	check "of $1 what is wrong is said" grep -q 'bad        mesh.inside_out: 1 of 2 separate pieces of the mesh faces' out
}
# One box is inside out: as large as the other, smaller by a thousandth, half as large.
boxes 0:0:1 3:1:1 > exact.obj
boxes 0:0:1.001 3:1:1 > part.obj
boxes 0:0:2 3:1:1 > half.obj
for name in exact part half; do cancels $name; done
# By the least difference that a float can have.
boxes 0:0:1 3:1:1 | awk '$1 == "v" && $2 == 1 { $2 = 1.0000001 } { print }' > least.obj
cancels least
# Outward boxes around an inward one: the sum has its center in the box, but more inertia than anything in it.
boxes 0:0:1 1.5:1:1.9 3:0:1 > among.obj
run 0 "$bvbuild" -q among.obj -o among.bvh --density 1
holds among.bvh 'b["of"] == "hull" and near(b["mass"], 4)'
# What is no fault: a cavity, a cavity with a body in it, all of it inside out, pieces that overlap, thousands of pieces.
boxes 0:0:4 | sed 's/^v \([04]\) \([01]\) \([01]\)/v \1 \2e1 \3e1/' > outer.obj
{ cat outer.obj; boxes 1:1:2 | awk '$1 == "v" { print $1, $2, $3 + 4, $4 + 4; next } { print $1, $2 + 8, $3 + 8, $4 + 8, $5 + 8 }'; } > cavity.obj
run 0 "$bvbuild" cavity.obj -o cavity.bvh --density 1
check 'a cavity is no fault' test -z "$(grep inward err)"
holds cavity.bvh 'b["of"] == "solid" and near(b["mass"], 400 - 2)'
boxes 0:1:1 3:1:1 > both.obj
run 0 "$bvbuild" -q both.obj -o both.bvh --density 1
holds both.bvh 'b["of"] == "solid" and near(b["mass"], 2) and near(b["inertia"][1][1], 2 * (1 / 6 + 2.25))'
"$bvinspect" --findings both.bvh > out
check 'all of it is inside out' grep -q 'mesh.inside_out: The surface faces inward' out
boxes 0:0:2 1:0:2 > over.obj
run 0 "$bvbuild" -q over.obj -o over.bvh --density 1
holds over.bvh 'b["of"] == "solid" and near(b["mass"], 4)'

refused 1 '--density and --mass exclude each other' block.obj --density 1 --mass 1
for value in 0 -1 nan inf x; do
	refused 1 "--density takes a number above 0, not '$value'" block.obj --density "$value"
	refused 1 "--mass takes a number above 0, not '$value'" block.obj --mass "$value"
done
refused 5 'block.obj: a mass of 1e+308 exceeds the range of double precision' block.obj --mass 1e308
refused 5 'block.obj: a density of 1e-310 exceeds the range of double precision' block.obj --density 1e-310
refused 1 "--up takes y, z or y-to-z, not 'x'" block.obj --up x
refused 1 "--units takes mm, cm, m, in or ft, not 'km'" block.obj --units km

# A Collada file says what it is in, and its importer makes metres of that, with y up.
cat > said.dae << 'D'
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="cm" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 100 0 0 0 200 300</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
D
run 0 "$bvbuild" -q said.dae -o said.bvh
holds said.bvh 'near(box["lower"], [0, 0, -2]) and near(box["upper"], [1, 3, 0])'
finish

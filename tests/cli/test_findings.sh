#!/bin/sh
# What reports say in sentences: each finding is there for a mesh made to have it, nothing is said of a mesh that has none of it,
# and what README.md lists is all that can be found.
. "$(dirname "$0")/lib.sh"

# findings FILE: "severity key show", a line each.
findings()
{
	"$bvinspect" --json "$1" > "$scratch/report.json"
	sed -n '/"findings":/,$p' "$scratch/report.json" | tr '\t' ' ' | tr -d '",' | awk '
		$1 == "severity:" { severity = $2 } $1 == "key:" { key = $2 } $1 == "show:" { print severity, key, $2 }'
}

# finds "SEVERITY KEY SHOW" MESH [OPTION...]: a file made of it has that finding. SHOW is a pattern.
finds()
{
	wanted=$1
	mesh=$2
	shift 2
	if ! "$bvbuild" -q "$scratch/$mesh" -o "$scratch/file.bvh" "$@" 2> "$scratch/err"; then
		fail "$wanted: $(cat "$scratch/err")"
		return
	fi
	echo "$wanted" | cut -d ' ' -f 2 >> "$scratch/seen"
	findings "$scratch/file.bvh" > "$scratch/found"
	check "$wanted of $mesh: $(tr '\n' ';' < "$scratch/found")" grep -qx "$wanted" "$scratch/found"
}

# finds_only "FINDING..." MESH [OPTION...]: these lines and no others.
finds_only()
{
	wanted=$1
	mesh=$2
	shift 2
	run 0 "$bvbuild" -q "$scratch/$mesh" -o "$scratch/file.bvh" "$@"
	findings "$scratch/file.bvh" > "$scratch/found"
	printf '%b' "$wanted" > "$scratch/wanted"
	check "of $mesh nothing else is said: $(tr '\n' ';' < "$scratch/found")" cmp -s "$scratch/wanted" "$scratch/found"
}

"$BUILD/make_samples" "$scratch" > /dev/null

# A cube, faces outwards, and what can be wrong with one.
cube_corners='v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1'
cube_faces='f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8'
cube()
{
	echo "$cube_corners"
	echo "$cube_faces"
}
cube > "$scratch/cube.obj"
{ echo "$cube_corners"; echo "$cube_faces" | awk '{ print "f", $5, $4, $3, $2 }'; } > "$scratch/inside_out.obj"
{ echo "$cube_corners"; echo "$cube_faces" | head -n 5; } > "$scratch/open.obj"
{ echo "$cube_corners"; echo "$cube_faces" | head -n 5; echo 'f 8 5 1 4'; } > "$scratch/flipped.obj"
{ cube; echo 'v 3 0 0'; echo 'f 2 3 9'; } > "$scratch/fin.obj"
{ cube; echo 'f 4 3 2'; echo 'f 1 1 2'; } > "$scratch/copies.obj"
{ cube; echo 'v 3 0 0'; echo 'v 4 0 0'; echo 'v 3 1 0'; echo 'f 9 10 11'; echo 'f 11 10 9'; } > "$scratch/sheet.obj"
{ cube; echo 'v nan 0 0'; echo 'f 1 2 9'; } > "$scratch/nan.obj"
{ cube; echo "$cube_corners" | awk '{ print "v", $2 + 1, $3 + 1, $4 + 1 }'; echo "$cube_faces" | awk '{ print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8 }'; } \
	> "$scratch/pinched.obj"
# An L of two boxes, one surface.
cat > "$scratch/l.obj" <<'END'
v 0 0 0
v 4 0 0
v 4 1 0
v 1 1 0
v 1 4 0
v 0 4 0
v 0 0 1
v 4 0 1
v 4 1 1
v 1 1 1
v 1 4 1
v 0 4 1
f 6 5 4 3 2 1
f 7 8 9 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
END
# Triangles round one point, each larger than the one before; triangles each half as far as the one before; and a large one above
# a sheet of small ones.
awk 'BEGIN { for ( i = 1; i <= 40; ++i ) { print "v", -i, 0, 0; print "v", i, -i, 0; print "v", 0, i, 0; print "f -3 -2 -1" } }' \
	> "$scratch/rings.obj"
awk 'BEGIN { x = 1; for ( i = 1; i <= 100; ++i ) { print "v", x, 0, 0; print "v", x * 1.1, 0, 0; print "v", x, x * .1, 0;
	print "f -3 -2 -1"; x /= 2 } }' > "$scratch/halves.obj"
awk 'BEGIN { for ( i = 0; i < 40; ++i ) for ( k = 0; k < 40; ++k ) { print "v", i, k, 0; print "v", i + 1, k, 0; print "v", i, k + 1, 0;
	print "f -3 -2 -1" } print "v 0 0 5"; print "v 40 0 5"; print "v 0 40 5"; print "f -3 -2 -1" }' > "$scratch/sheets.obj"

finds_only 'good mesh.sound null\ngood hierarchy.tight null\ngood hull.convex null\ngood shape.recognised null\n' cube.obj
finds_only 'bad mesh.inside_out null\ngood mesh.sound null\ngood hierarchy.tight null\ngood shape.recognised null\n' inside_out.obj
finds_only 'good mesh.sound null\n' l.obj --sections none,mesh
finds 'good mesh.sound null' cube.obj
finds 'good hull.convex null' cube.obj
finds 'good shape.recognised null' cube.obj
finds 'bad mesh.inside_out null' inside_out.obj
finds 'note mesh.open edges:boundary' open.obj
finds 'note mesh.flipped edges:flipped' flipped.obj
finds 'note mesh.non_manifold edges:non_manifold' fin.obj
finds 'note mesh.pinched null' pinched.obj
finds 'note mesh.dropped null' copies.obj
finds 'note mesh.double_sided null' sheet.obj
finds 'bad mesh.not_finite null' nan.obj --drop-non-finite
finds 'note mesh.displaced null' halves.obj --weld 0.01
finds 'note hull.hollow null' l.obj
finds 'bad hierarchy.large_leaf node:[0-9]*' rings.obj
finds 'bad hierarchy.depth_limit level:2' gear.obj --max-depth 2 --collapse 0
finds 'note hierarchy.deep level:[0-9]*' halves.obj --collapse 0 --leaf-triangles 1
finds 'note hierarchy.worst_leaf node:[0-9]*' sheets.obj
finds 'note hierarchy.overlap node:[0-9]*' gear.obj --splitter median --collapse 0
finds 'note hierarchy.loose node:[0-9]*' knot.obj --node-box pca --refit none
finds 'note hierarchy.triangle_tests null' knot.obj --leaf-triangles 16 --collapse 0
finds 'good hierarchy.tight null' knot.obj
finds 'note hierarchy.no_errors null' cube.obj --hausdorff 0
finds 'bad parts.tolerance part:[01]' gear.obj --decompose=0.1% --max-parts 2
finds 'note parts.worst part:[01]' l.obj --decompose=1%
finds 'note parts.out_of_time null' gear.obj --decompose=0.1% --time-budget 0.01
finds 'note file.large null' gear.obj --sections source,adjacency,node-faces,radius,node-quality

readme=$(dirname "$0")/../../formats/report/README.md
sed -n '/^| `findings\[\].key` | is there when/,/^$/p' "$readme" | sed 1,2d | cut -d '|' -f 2 | tr -d '` ' | tr ',' '\n' | grep . | sort \
	> "$scratch/listed"
sort -u "$scratch/seen" > "$scratch/sorted"
check "README.md lists what is tested here: $(diff "$scratch/listed" "$scratch/sorted")" cmp -s "$scratch/listed" "$scratch/sorted"

finish

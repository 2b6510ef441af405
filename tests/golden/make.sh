#!/bin/sh
# Makes the golden files that are missing; never run by tests, which read them for ever (tests/unit/file/test_file_golden.c). Once a version
# is released its files stay as they are; before, those that are to be made anew are removed first.
#
#   sh tests/golden/make.sh [BUILD]      after `make` and `make BUILD/tests/unit_file`; from the project's folder
set -eu
build=${1:-build}
golden=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$build/make_samples" "$scratch" > /dev/null
printf 'v 1 2 3\nv 4 2 3\nv 1 7 3\nf 1 2 3\n' > "$scratch/triangle.obj"

# Two slabs, named, on a bent sheet: objects, groups and materials, edges of several kinds, and one face that is not convex.
cat > "$scratch/parts.obj" << 'OBJ'
o sheet
usemtl paper
v 0 0 0
v 2 0 0.25
v 4 0 0
v 0 3 0
v 2 3 0.25
v 4 3 0
v 1.5 1.5 1
f 1 2 5 4
f 2 3 6 5
f 2 5 7
o slab
g thick
usemtl oak
v 5 0 0
v 7 0 0
v 7 1 0
v 6 0.25 0
v 5 0 2
v 7 0 2
v 7 1 2
v 6 0.25 2
f 11 10 9 8
f 12 13 14 15
f 8 9 13 12
f 9 10 14 13
f 10 11 15 14
f 11 8 12 15
OBJ

# A solid with a notch all along.
cat > "$scratch/notched.obj" << 'OBJ'
v 0 0 0
v 3 0 0
v 3 1 0
v 1 1 0
v 1 2 0
v 0 2 0
v 0 0 1.5
v 3 0 1.5
v 3 1 1.5
v 1 1 1.5
v 1 2 1.5
v 0 2 1.5
f 6 5 4 3 2 1
f 7 8 9 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
OBJ

# add NAME MESH OPTION... into a file of $version
add()
{
	name=$golden/$version-$1
	[ ! -e "$name.bvh" ] || return 0
	mesh=$scratch/$2.obj
	[ -e "$mesh" ] || mesh=$scratch/$2.glb
	shift 2
	"$build/bvbuild" --quiet "$mesh" -o "$name.bvh" "$@"
	"$build/bvinspect" --verify "$name.bvh" > "$scratch/verified"
	"$build/bvinspect" --json "$name.bvh" > "$name.json"
	BV_GOLDEN_FILE="$name.bvh" "$build/tests/unit_file" test_file_golden > "$name.txt"
	size=$(wc -c < "$name.bvh")
	echo "$size bytes: $name.bvh"
	[ "$size" -le 20000 ]
}

version=1.0
everything=edges,source,adjacency,hull-topology,radius,node-quality,node-faces

# Errors are in few files: --verify measures them again, and wants what the program that wrote them found.
add float crate --hausdorff 0
add quantized crate --positions quantized --volume aabb --hausdorff 0.1
add everything parts --volume mixed --collapse 8 --sections $everything --hausdorff 0.1
add mixed crate --volume mixed --hit-tests 5 --quality volume --collapse 8 --leaf-triangles 4 --positions quantized --recognise 0 --hausdorff 0
for volume in sphere rss kdop14 kdop18 kdop26; do
	add $volume broken --volume $volume --collapse 8 --positions quantized --leaf-triangles 4 --hausdorff 0
done
add triangle triangle --sections $everything
add large-leaf crate --volume obb --leaf-triangles 40 --hausdorff 0
add root-leaf crate --volume obb --max-depth 0 --hausdorff 0
add hull parts --sections none,hull
add hull-quantized parts --sections none,hull,hull-topology --positions quantized

# Convex parts came with 1.1: those of a solid, which is an L, and shells.
version=1.1
add parts notched --decompose=0 --max-parts 4 --sections part-triangles --hausdorff 0
add shells parts --decompose=0 --max-parts 3 --max-part-vertices 12 --decompose-mode surface --sections none,mesh,parts,part-triangles --positions quantized

# The body that moves came with 1.2: of a solid with a density, turned and in other units, and of a sheet with a mass.
version=1.2
add body notched --up z --units in --density 7850 --hausdorff 0
add sheet triangle --up y-to-z --mass 2.5 --sections none,mass

# Prisms for nodes came with 1.3.
version=1.3
add prism broken --volume prism --collapse 8 --positions quantized --leaf-triangles 4 --hausdorff 0
add prism-mixed crate --volume prism,obb,kdop14 --leaf-triangles 2 --hausdorff 0.1

# Offsets came with 1.4: far away along all axes, and along one only, with positions that are not exact sums.
awk '$1 == "v" { $2 += 451200; $3 -= 5412000; $4 += 1e9 } { print }' OFMT=%.17g CONVFMT=%.17g "$scratch/notched.obj" > "$scratch/far.obj"
awk '$1 == "v" { $3 += 1e6 / 3 } { print }' OFMT=%.17g CONVFMT=%.17g "$scratch/crate.obj" > "$scratch/aside.obj"
version=1.4
add far far --volume mixed --sections $everything,parts,proxy --decompose=0 --max-parts 3 --density 2 --hausdorff 0
add aside aside --positions quantized --volume aabb,prism --collapse 8 --hausdorff 0.1

# Clips came with 1.5: with segments and frames, and without.
python3 "$golden/../clips/make_clips.py" "$scratch/clips"
cp "$scratch/clips/steps.glb" "$scratch/clips/arm.gltf" "$scratch"
mv "$scratch/arm.gltf" "$scratch/arm.glb"
version=1.5
add clip steps --clip Jump --samples 5 --clip-segments 2 --clip-frames --hausdorff 0
add clip-mixed arm --clip '*' --samples 9 --volume mixed --positions quantized --hausdorff 0

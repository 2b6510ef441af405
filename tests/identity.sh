#!/bin/sh
# identity.sh BUILD OTHER...: the programs of all build folders make the same bytes of the same input, and every number
# of threads does, errors and primitives included.
set -eu
first=$1
shift
others=$*
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$first/make_samples" "$scratch"
shared=${BV_SHARED:-$(cd "$(dirname "$0")/.." && pwd)/../shared}

files=0

# same MESH OPTION...
same()
{
	mesh=$1
	shift
	"$first/bvbuild" -q "$@" --threads 1 "$mesh" -o "$scratch/first.bvh"
	for other in $others; do
		"$other/bvbuild" -q "$@" --threads 3 "$mesh" -o "$scratch/other.bvh"
		if ! cmp "$scratch/first.bvh" "$scratch/other.bvh"; then
			echo "identity: $mesh $*: $first and $other differ"
			exit 1
		fi
		files=$((files + 1))
	done
}

for mesh in "$scratch"/*.obj "$shared"/meshes/*; do
	[ -e "$mesh" ] || continue
	for form in float quantized; do
		same "$mesh" --positions $form --hausdorff 0.05 --recognise 2%
	done
done

# Every way to build a hierarchy, of a small mesh.
names()
{
	"$first/bvbuild" --help | sed -n "/^$1/,/^\$/s/^  \([^ ]*\) .*/\1/p"
}
{
	for name in $(names Splitters); do
		echo "--splitter $name --degree 3"
	done
	for name in $(names Builders); do
		echo "--builder $name --volume kdop18 --optimise 5 --collapse 4 --leaf-triangles 3"
	done
	for name in obb aabb sphere rss kdop14 kdop18 kdop26 mixed; do
		echo "--volume $name --splitter kmeans --improvement 0.6"
	done
	for name in $(names 'Boxes of nodes'); do
		echo "--node-box $name --optimise 5"
	done
	for name in area volume diameter hausdorff; do
		echo "--volume obb,sphere --quality $name --aggregate max --improvement 0.6"
	done
	printf '%s\n' '--preset fast' '--preset best'
} > "$scratch/recipes"
while read -r recipe; do
	same "$scratch/stair.obj" --recognise 0 $recipe
done < "$scratch/recipes"

# Convex parts of some meshes: round, flat-faced, of overlapping solids, open.
for mesh in "$scratch/stair.obj" "$shared"/meshes/eight.off "$shared"/meshes/table.off "$shared"/meshes/SnowFlake.obj \
	"$shared"/meshes/alligator.obj; do
	[ -e "$mesh" ] || continue
	for recipe in '--decompose=1%' '--decompose=0 --max-parts 9 --max-part-vertices 16 --decompose-mode surface' \
		'--decompose=2% --decomposer obb-tree' '--decompose=2% --decomposer box-merge' '--decompose=2% --decomposer notch'; do
		same "$mesh" --hausdorff 0 --recognise 0 $recipe
	done
done
echo "identity: $files passed, 0 failed"

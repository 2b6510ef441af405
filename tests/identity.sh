#!/bin/sh
# identity.sh BUILD OTHER...: the programs of all build folders make the same bytes of the same input, and every number
# of threads does, errors and primitives included.
set -eu
first=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$first/make_samples" "$scratch"
shared=${BV_SHARED:-$(cd "$(dirname "$0")/.." && pwd)/../shared}

files=0
for mesh in "$scratch"/*.obj "$shared"/meshes/*; do
	[ -e "$mesh" ] || continue
	for form in float quantized; do
		"$first/bvbuild" -q --positions $form --hausdorff 0.05 --recognise 2% --threads 1 "$mesh" -o "$scratch/first.bvh"
		for other in "$@"; do
			"$other/bvbuild" -q --positions $form --hausdorff 0.05 --recognise 2% --threads 3 "$mesh" -o "$scratch/other.bvh"
			if ! cmp "$scratch/first.bvh" "$scratch/other.bvh"; then
				echo "identity: $mesh ($form): $first and $other differ"
				exit 1
			fi
			files=$((files + 1))
		done
	done
done
echo "identity: $files passed, 0 failed"

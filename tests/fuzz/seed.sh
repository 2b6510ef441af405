#!/bin/sh
# seed.sh TARGET BUILD: fills the corpus of a fuzz target with small real inputs, where it is still empty.
set -eu
corpus=$2/fuzz/$1.corpus
if [ -n "$(ls -A "$corpus")" ]; then
	exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf 'v 1 0 1\nv 1 0 -1\nv -1 0 -1\nf 1 2 3\n' > "$scratch/one.obj"
printf '# c\no a\nv 0 0 0\nv 1. 0 0 1\nv 1 .5e0 0\nv 0 1 0\nf 1//1 2/2 3/3/3 -1\nl 1 2\np 1\n' > "$scratch/quad.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4 \\\n' > "$scratch/solid.obj"
"$2/make_samples" "$scratch"
case $1 in
fuzz_obj)
	cp "$scratch/one.obj" "$scratch/quad.obj" "$scratch/solid.obj" "$scratch/crate.obj" "$corpus"
	;;
fuzz_bvh)
	for mesh in one quad solid crate broken; do
		"$2/bvbuild" -q "$scratch/$mesh.obj" -o "$corpus/$mesh.bvh"
		"$2/bvbuild" -q --positions quantized --leaf-triangles 4 "$scratch/$mesh.obj" -o "$corpus/$mesh.q.bvh"
	done
	;;
esac

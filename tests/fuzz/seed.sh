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
printf 'OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' > "$scratch/one.off"
printf '# c\nSTCNOFF 4 5 6\n0 0 0 0 0 1 1 0 0 1 0 0\n1 0 0 0 0 1 1 0 0 1 1 0\n1 1. 0 0 0 1 1 0 0 1 1 1\n0 1 0 0 0 1 1 0 0 1 0 1\n3 0 1 2\n4 0 1 2 3 255 0 0 # q\n2 0 1\n1 2 7\n3 2 1 0 .5 .5 .5 1\n' > "$scratch/all.off"
printf '4 2\r\n0 0\r\n0\r\n1e0 0 0\n0 1 0\n-.5 nan inf\n5\n0 1 2\n3 0\n3  3 2 1\n' > "$scratch/split.off"
"$2/make_samples" "$scratch"
case $1 in
fuzz_obj)
	cp "$scratch/one.obj" "$scratch/quad.obj" "$scratch/solid.obj" "$scratch/crate.obj" "$corpus"
	;;
fuzz_off)
	cp "$scratch/one.off" "$scratch/all.off" "$scratch/split.off" "$corpus"
	printf 'OFF BINARY\n\000\000\000\003\000\000\000\001' > "$corpus/binary.off"
	printf 'OFF\n353535235358 6 0\n0 0 0\n' > "$corpus/counts.off"
	;;
fuzz_bvh)
	for mesh in one quad solid crate broken; do
		"$2/bvbuild" -q "$scratch/$mesh.obj" -o "$corpus/$mesh.bvh"
		"$2/bvbuild" -q --positions quantized --leaf-triangles 4 "$scratch/$mesh.obj" -o "$corpus/$mesh.q.bvh"
	done
	;;
esac

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
fuzz_ply)
	xyz='property float x\nproperty float y\nproperty float z\n'
	faces='element face 2\nproperty list uchar int vertex_indices\n'
	{
		printf "ply\nformat ascii 1.0\nelement vertex 4\n$xyz${faces}end_header\n"
		printf '0 0 0\n1 0 .5\n1 1 1e-1\n0 1 0\n3 0 1 2\n4 0 1 2 3\n'
	} > "$corpus/text.ply"
	{
		printf 'ply\nformat ascii 1.0\ncomment c\nelement tristrips 1\nproperty list int int vertex_index\nelement edge 1\n'
		printf "property int a\nelement vertex 3\nproperty uchar r\n${xyz}property list char double l\nend_header\n"
		printf '7 0 1 2 -1 2 1 0\n5\n9 0 0 0 1 8\n9 1 0 0 0\n9 0 nan 0 2 1 2\n'
	} > "$corpus/strips.ply"
	{
		printf "ply\nformat binary_little_endian 1.0\nelement vertex 3\n$xyz${faces}end_header\n"
		printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0'
		printf '\3\0\0\0\0\1\0\0\0\2\0\0\0\3\2\0\0\0\1\0\0\0\0\0\0\0'
	} > "$corpus/little.ply"
	{
		printf 'ply\nformat binary_big_endian 1.0\nelement a 1\nproperty list uint short l\nelement vertex 4\nproperty char x\n'
		printf 'property ushort y\nproperty double z\nelement face 2\nproperty uchar m\nproperty list char ushort vertex_index\nend_header\n'
		printf '\0\0\0\1\0\5\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\1\0\1\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0'
		printf '\7\3\0\0\0\1\0\2\7\4\0\0\0\1\0\2\0\3'
	} > "$corpus/big.ply"
	;;
fuzz_bvh)
	for mesh in one quad solid crate broken; do
		"$2/bvbuild" -q "$scratch/$mesh.obj" -o "$corpus/$mesh.bvh"
		"$2/bvbuild" -q --positions quantized --leaf-triangles 4 "$scratch/$mesh.obj" -o "$corpus/$mesh.q.bvh"
	done
	;;
esac

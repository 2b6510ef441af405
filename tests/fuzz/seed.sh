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
fuzz_stl)
	facet='facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n'
	printf "solid one\n${facet}endsolid one\n" > "$corpus/one.stl"
	printf '\357\273\277 SOLID a b\r\nFacet Normal -1.#IND nan 1.#QNAN0\r\nouter loop\r\nvertex .5 5. +1\r\nvertex -.5e1 1E+2 inf\r\nvertex nan 0 1e999\r\nend loop\r\nend facet\r\nend solid\r\n' > "$corpus/spellings.stl"
	printf "solid\nendsolid\nsolid a b\n${facet}${facet}endsolid\nsolid c\n${facet}endsolid c" > "$corpus/several.stl"
	printf "%-80s\001\000\000\000%-50s" 'solid x' y > "$corpus/binary.stl"
	printf "%-80s\002\000\000\000%-48s\000\000%-48s\000\000\000\000\000\000" x y z > "$corpus/padded.stl"
	printf "%-80s\377\377\377\377%-50s" x y > "$corpus/counts.stl"
	;;
fuzz_bvh)
	for mesh in one quad solid crate broken; do
		"$2/bvbuild" -q "$scratch/$mesh.obj" -o "$corpus/$mesh.bvh"
		"$2/bvbuild" -q --positions quantized --leaf-triangles 4 --sections edges,source,adjacency,hull-topology,radius,node-quality,node-faces "$scratch/$mesh.obj" -o "$corpus/$mesh.q.bvh"
		"$2/bvbuild" -q --sections none,hull,bounds "$scratch/$mesh.obj" -o "$corpus/$mesh.hull.bvh"
		"$2/bvbuild" -q --sections none,mesh,mass "$scratch/$mesh.obj" -o "$corpus/$mesh.mesh.bvh"
	done
	;;
esac

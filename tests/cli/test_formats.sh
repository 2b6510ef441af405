#!/bin/sh
# One mesh in every format that holds triangles: the same vertices, triangles and hierarchy, byte for byte.
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1
"$BUILD/make_samples" . || fail 'make_samples'
shared=${BV_SHARED:-$tests/../../../shared}
meshes='knot.obj gear.obj broken.obj'
if [ -n "${BV_THOROUGH:-}" ] && [ -f "$shared/meshes/stanford-bunny.obj" ]; then
	cp "$shared/meshes/stanford-bunny.obj" . && meshes="$meshes stanford-bunny.obj"
fi

# The sections that hold geometry, cut out of a .bvh file as its specification says.
cat > sections.py <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
for i in range(struct.unpack_from("<I", data, 32)[0]):
    name, version, offset, size, check = struct.unpack_from("<4sIQQQ", data, 64 + 32 * i)
    if name in (b"POSN", b"TRIS", b"BNDS", b"HULL", b"NODE", b"EDGE"):
        sys.stdout.buffer.write(name + data[offset:offset + size])
END
for mesh in $meshes; do
	rm -rf all && mkdir all
	check "$mesh: write all formats" python3 "$tests/write_formats.py" "$mesh" all
	for positions in float quantized; do
		run 0 "$bvbuild" -q --positions $positions --sections edges all/copy.obj -o copy.bvh
		python3 sections.py copy.bvh > expected
		for file in all/*; do
			run 0 "$bvbuild" -q --positions $positions --sections edges "$file" -o other.bvh
			python3 sections.py other.bvh > got
			check "$mesh as $file, $positions: the same bytes" cmp expected got
		done
	done
	check "$mesh: eight formats" test "$(ls all | wc -l)" = 8
done
finish

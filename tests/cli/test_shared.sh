#!/bin/sh
# Real meshes and the peers' pair counts, where they are at hand (BV_SHARED, or ../shared beside the project). All must
# build and verify; with --normalize and float positions all pair counts must be those that PQP and FCL agree on, and all distances
# within 1e-6 of FCL's.
. "$(dirname "$0")/lib.sh"
shared=${BV_SHARED:-$(cd "$(dirname "$0")/../.." && pwd)/../shared}
if [ ! -d "$shared/meshes" ]; then
	echo "$script: 0 passed, 0 failed, 1 skipped"
	exit 0
fi

for mesh in "$shared"/meshes/*; do
	name=$(basename "$mesh")
	run 0 "$bvbuild" -q --normalize "$mesh" -o "$scratch/${name%.*}.bvh"
	run 0 "$bvinspect" --verify -q "$scratch/${name%.*}.bvh"
	# Large ones only as they are collided below, unless all are wanted.
	[ -n "${BV_THOROUGH:-}" ] || [ "$(stat -c %s "$mesh")" -lt 1000000 ] || continue
	run 0 "$bvbuild" -q --positions quantized "$mesh" -o "$scratch/quantized.bvh"
	run 0 "$bvinspect" --verify -q "$scratch/quantized.bvh"
done

# The column triangle_pairs of a pose file against the column pairs of bvinspect's answer, line by line.
column()
{
	awk -F, -v name="$1" 'NR == 1 { for ( i = 1; i <= NF; ++i ) if ( $i == name ) c = i; next } { print $c }' "$2"
}
for poses in "$shared"/peers/poses/*.csv; do
	name=$(basename "$poses" .csv)
	run 0 "$bvinspect" "$scratch/${name%%__*}.bvh" --collide "$scratch/${name#*__}.bvh" --poses "$poses"
	column triangle_pairs "$poses" > "$scratch/expected"
	column pairs "$scratch/out" > "$scratch/got"
	check "$name: 300 poses" test "$(wc -l < "$scratch/got")" = 300
	check "$name: all pair counts equal" cmp -s "$scratch/expected" "$scratch/got"
	run 0 "$bvinspect" "$scratch/${name%%__*}.bvh" --distance "$scratch/${name#*__}.bvh" --poses "$poses"
	column distance "$poses" > "$scratch/expected"
	column distance "$scratch/out" > "$scratch/got"
	check "$name: 300 distances" test "$(wc -l < "$scratch/got")" = 300
	check "$name: all distances right" test "$(paste "$scratch/expected" "$scratch/got" |
		awk '{ d = $1 - $2; if ( d > 1e-6 || d < -1e-6 ) n++ } END { print n + 0 }')" = 0
done
finish

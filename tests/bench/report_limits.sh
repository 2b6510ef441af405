#!/bin/sh
# What the HTML report calls good, usual and poor: percentiles over sample meshes. The table in
# src/offline/report/html/judge.c and in docs/reports.md has these numbers, rounded up to three digits.
#
#     sh tests/bench/report_limits.sh build ../shared/meshes/*
build=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The value that so many of 100 meshes do not exceed, by nearest rank, of column $2 of the file $1, where column $4 is at
# least $5.
percentile()
{
	awk -F, -v column="$2" -v least="$4" -v where="$5" 'NR > 1 && $column != "" && $where >= least { print $column }' "$1" |
		sort -g | awk -v part="$3" '{ value[NR] = $1 } END { at = int( ( NR * part + 99 ) / 100 ); print value[at] }'
}

for preset in balanced fast
do
	"$build/bvbuild" -q "$@" -o "$folder/$preset/" --preset $preset --hausdorff 0.1 || exit
	"$build/bvinspect" "$folder/$preset"/*.bvh --csv --columns "mesh.triangles,file.bytes_per_triangle,\
hierarchy.hausdorff.solid.root.relative.upper,hierarchy.hausdorff.solid.mean.relative.upper,\
hierarchy.cost.yardstick.ratio,bounds.obb.ratio,mesh.closed and mesh.manifold and mesh.oriented,mesh.oriented" > "$folder/$preset.csv" || exit
done
balanced=$folder/balanced.csv
fast=$folder/fast.csv
echo "meshes: $(awk 'END { print NR - 1 }' "$balanced"), closed, manifold and oriented: $(awk -F, '$8 == "true"' "$balanced" | wc -l), oriented: $(awk -F, '$9 == "true"' "$balanced" | wc -l)"
echo "file.bytes_per_triangle, 1,000 triangles or more: best quarter $(percentile "$balanced" 3 25 1000 2), worst tenth $(percentile "$balanced" 3 90 1000 2)"
echo "hierarchy.hausdorff.solid.root.relative.upper: best quarter $(percentile "$balanced" 4 25 0 2), worst tenth $(percentile "$balanced" 4 90 0 2)"
echo "hierarchy.hausdorff.solid.mean.relative.upper: best quarter $(percentile "$balanced" 5 25 0 2), worst tenth $(percentile "$balanced" 5 90 0 2)"
echo "hierarchy.cost.yardstick.ratio: worst tenth $(percentile "$balanced" 6 90 0 2); with --preset fast $(percentile "$fast" 6 90 0 2)"
echo "bounds.obb.ratio: worst tenth $(percentile "$balanced" 7 90 0 2); with --preset fast $(percentile "$fast" 7 90 0 2)"

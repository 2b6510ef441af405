#!/bin/sh
# Every builder that bvbuild knows, on five meshes of 500 to 10,000 triangles, closed and open ones: each makes a file with certified
# distances, which holds every enclosure and every distance once more. Prints a table. On the meshes beside the project (BV_SHARED,
# or ../shared), or on samples.
. "$(dirname "$0")/lib.sh"
shared=${BV_SHARED:-$(cd "$(dirname "$0")/../.." && pwd)/../shared}
folder=$shared/meshes
names='chair.off helix.off building.obj cow.obj alligator.obj'
if [ ! -d "$folder" ]; then
	folder=$scratch
	names='cup.obj gear.obj knot.obj rock.obj terrain.obj'
	"$BUILD/make_samples" "$scratch" > /dev/null
fi

# The first column of a table that --help prints, under this heading.
table()
{
	"$bvbuild" --help=all | awk -v heading="$1" '$0 == heading { inside = 1; next } NF == 0 { inside = 0 } inside { print $1 }'
}

# What a file's report says of its hierarchy: of these keys one line.
row()
{
	"$bvinspect" --json "$1" | python3 -c '
import json, sys
r = json.load( sys.stdin )
h = r["hierarchy"]
root = 100 * h["hausdorff"]["solid"]["root"]["relative"]["upper"]
print( r["tool"]["parameters"]["builder"], "|", r["mesh"]["triangles"], "|", h["nodes"], "|", r["file"]["bytes"], "| %.3g" % root )'
}

table 'Builders (--builder):' > "$scratch/builders"
check 'there are builders' test "$(wc -l < "$scratch/builders")" -ge 15
echo '| mesh | builder | triangles | nodes | bytes | error of the root, % of the diagonal | s |'
echo '| --- | --- | ---: | ---: | ---: | ---: | ---: |'
rows=0
meshes=0
for name in $names; do
	meshes=$((meshes + 1))
	while read -r builder; do
		rm -f "$scratch/out.bvh"
		start=$(date +%s.%N)
		run 0 "$bvbuild" -q "$folder/$name" -o "$scratch/out.bvh" --builder "$builder" --hausdorff 0.1
		end=$(date +%s.%N)
		run 0 "$bvinspect" --verify "$scratch/out.bvh"
		check "$name, $builder: sound" grep -q ': sound; [1-9][0-9]* enclosures proved, [1-9][0-9]* errors measured again$' "$scratch/out"
		text=$(row "$scratch/out.bvh")
		check "$name, $builder: it is that builder's" test "${text%% *}" = "$builder"
		echo "| $name | $text | $(echo "$end $start" | awk '{ printf "%.1f", $1 - $2 }') |"
		check "$name: 500 to 10,000 triangles" test "$(echo "$text" | awk '$3 >= 500 && $3 <= 10000')"
		rows=$((rows + 1))
	done < "$scratch/builders"
done
check 'five meshes, all builders' test "$rows" = $((5 * $(wc -l < "$scratch/builders")))
check 'five meshes' test $meshes = 5
finish

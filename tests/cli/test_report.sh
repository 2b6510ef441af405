#!/bin/sh
# The JSON report of files of all kinds matches its schema and formats/report/README.md, and is the same for
# any number of threads.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")
report=$here/../../formats/report

# python3 may be another one than Debian's, which has the module.
for python in /usr/bin/python3 python3; do
	$python -c 'import jsonschema' 2> /dev/null && break
done

"$BUILD/make_samples" "$scratch" > /dev/null
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$scratch/triangle.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nf 1 2 3\nf 2 4 3\nf 2 5 4\n' > "$scratch/flat.obj"
cp "$scratch/crate.obj" "$scratch/<a href=\"x\">&'.obj"

# made NAME INPUT [OPTION...]: a file, and its report in NAME.json.
made()
{
	name=$1
	input=$2
	shift 2
	run 0 "$bvbuild" -q "$input" -o "$scratch/$name.bvh" "$@"
	run 0 "$bvinspect" --json "$scratch/$name.bvh"
	cp "$scratch/out" "$scratch/$name.json"
}

quick='--preset fast'
made triangle "$scratch/triangle.obj"
made flat "$scratch/flat.obj"
made names "$scratch/<a href=\"x\">&'.obj" $quick
made broken "$scratch/broken.obj" $quick
made none "$scratch/cup.obj" --sections none
made hull "$scratch/cup.obj" --sections none,hull
made bounds "$scratch/crate.obj" --sections none,bounds --density 1000
made sheet "$scratch/flat.obj" --sections none --mass 5
made tree "$scratch/crate.obj" --sections none,mesh,tree
made leaf "$scratch/crate.obj" $quick --max-depth 0
made parts "$scratch/stair.obj" $quick --decompose=2% --sections part-triangles,hull-topology --recognise 1%
made mixed "$scratch/crate.obj" --volume aabb,sphere,rss,kdop14,kdop26,obb --hausdorff 0.5
for volume in aabb sphere rss kdop18; do
	made "$volume" "$scratch/crate.obj" $quick --volume $volume
done
python3 "$here/../clips/make_clips.py" "$scratch/clips"
made clip "$scratch/clips/tube.glb" $quick --clip Bend --samples 9
run 0 "$bvbuild" -q "$scratch/crate.obj" -o "$scratch/built.bvh" $quick --report "$scratch/built.json"

run 0 "$python" "$here/check_report.py" "$report/README.md" "$report/schema.json" "$scratch"/*.json
cat "$scratch/out"

# The yardstick is what the preset costs that is built from the file's triangles.
run 0 "$bvinspect" "$scratch/sphere.bvh" --export "mesh,$scratch/mesh.obj"
made balanced "$scratch/mesh.obj" --preset balanced --hausdorff 0 --recognise 0
cat > "$scratch/yardstick.py" <<'P'
import json, sys
own, balanced = (json.load(open(path))["hierarchy"] for path in sys.argv[1:])
yardstick = own["cost"]["yardstick"]
wanted = balanced["cost"]["measured"]
assert yardstick["preset"] == "balanced" and yardstick["nodes"] == balanced["nodes"]
assert all(yardstick[key] == wanted[key] for key in ("cost", "volume_tests", "triangle_tests")), (yardstick, wanted)
assert yardstick["ratio"] == own["cost"]["measured"]["cost"] / yardstick["cost"] != 1
assert balanced["cost"]["yardstick"]["ratio"] == 1
P
check 'the yardstick is the preset' "$python" "$scratch/yardstick.py" "$scratch/sphere.json" "$scratch/balanced.json"

# Keys of a hierarchy over nothing, over one leaf, and over many nodes.
for threads in 1 2 3; do
	run 0 env OMP_NUM_THREADS=$threads "$bvinspect" --json "$scratch/mixed.bvh"
	check "the report of $threads threads is the same" cmp -s "$scratch/out" "$scratch/mixed.json"
done
finish

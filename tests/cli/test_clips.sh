#!/bin/sh
# Clips of glTF files: poses and boxes against an evaluator in Python that shares no code with the library, at samples and
# between them; what is rejected; the same bytes for any number of threads. Clips of what Assimp imports; more of them is in
# test_formats_assimp_clip.

. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
clips=$here/../clips
cd "$scratch" || exit 1

"${CC:-cc}" -std=c17 -I"$here/../../include" "$clips/dump_clip.c" "$BUILD/libbv.a" -lm -o dump || fail 'dump_clip.c'
torus 24 12 > torus.obj
"$BUILD/make_samples" . > /dev/null
check 'clips are written' python3 "$clips/make_clips.py" files torus.obj cup.obj

# compared FILE CLIP [OPTION...] -- [ARGUMENT...]: built with a clip, verified, and compared with the animation.
compared()
{
	file=$1
	name=$2
	shift 2
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q "files/$file" --clip "$name" --sections source -o compared.bvh --force --hausdorff 0 $options
	run 0 "$bvinspect" --verify compared.bvh
	case $options in
	*--clip-frames*) check 'verify says what it did not check' grep -q '; the clip was not checked between samples$' out ;;
	*) check 'verify says what it checked' grep -q '; the clip was checked at the pose of the mesh only$' out ;;
	esac
	run 0 python3 "$clips/check_clips.py" ./dump "files/$file" "$name" compared.bvh quick "$@"
	cat out
}

compared tube.glb Bend --samples 13 --clip-segments 3 --clip-frames -- times=16
compared tube.glb Wave --samples 7 --volume aabb -- times=10
compared blob.gltf Breathe --samples 9 --clip-segments 2 --volume sphere -- times=10
compared blob.gltf Spline --samples 8 --positions quantized --clip-frames -- times=10
compared arm.gltf Turn --samples 2 -- times=40
compared arm.gltf Turn --samples 33 --clip-segments 8 --scale 2.5 --up z -- times=20 scale=2.5 up=z
compared steps.glb Jump --samples 5 --clip-segments 4 -- times=40
compared splines.gltf Spline --samples 4 --clip-segments 3 -- times=60
compared worm.glb Crawl --samples 9 --clip-segments 2 --volume mixed -- times=12
compared popup.glb Grow --samples 9 -- times=10
compared seam.gltf Part --samples 5 -- times=10
compared shuffle.glb Shuffle --samples 13 --clip-segments 3 -- times=5
compared still.glb 0 --samples 3 -- times=3
compared still.glb Pose -- times=1
compared torus.glb Walk --samples 7 --clip-segments 2 -- times=10

# What is rejected, with its message.
while IFS='	' read -r file clip code text; do
	run "$code" "$bvbuild" "files/$file" --clip "$clip" -o none.bvh
	check "the message of $file: $text" grep -qF -- "$text" err
	check "$file leaves no output" [ ! -e none.bvh ]
done < files/invalid.tsv
refused 2 "files/tube.glb: no clip is named 'Walk' (clips: 0 'Bend', 1 'Wave')" files/tube.glb --clip Walk
refused 2 "files/tube.glb: has 2 clips, so --clip must name one: 0 'Bend', 1 'Wave'" files/tube.glb --clip '*'
refused 2 "files/flipbook.glb: clip 'Flip': no sample has all triangles that have an area at some sample: face 12 of the source has none at sample 0" \
	files/flipbook.glb --clip Flip
refused 2 "files/far.gltf: the collision object 'UCX_Wall_01' is a shape, which cannot follow a clip (use --proxies ignore or drop)" \
	files/far.gltf --clip Open
refused 3 'torus.obj: --clip: .obj files have no clips (clips are read from glTF, and from what Assimp imports, such as FBX and Collada)' \
	torus.obj --clip Walk
refused 1 "--samples takes a whole number from 2 to 4096, not '0'" files/tube.glb --clip Bend --samples 0
refused 1 "--samples takes a whole number from 2 to 4096, not '1'" files/tube.glb --clip Bend --samples 1
refused 1 "--samples takes a whole number from 2 to 4096, not '4097'" files/tube.glb --clip Bend --samples 4097
refused 1 "--samples takes a whole number from 2 to 4096, not '99999999999999999999'" files/tube.glb --clip Bend --samples 99999999999999999999
refused 1 '--samples needs --clip' files/tube.glb --samples 9
refused 1 '--clip-frames needs --clip' files/tube.glb --clip-frames
refused 1 '--clip-segments must be less than --samples (60 by default)' files/tube.glb --clip Bend --samples 8 --clip-segments 8
refused 1 '--clip and --weld exclude each other: only vertices that are equal at all samples are merged' files/tube.glb --clip Bend --weld 0.1
refused 1 '--clip and --drop-non-finite exclude each other' files/tube.glb --clip Bend --drop-non-finite
refused 1 '--clip needs the hierarchy, which --sections removes' files/tube.glb --clip Bend --sections none,hull
refused 1 '--clip takes a name of 1 to 120 bytes, a number or *' files/tube.glb --clip ''
refused 5 'files/cup.glb: the scene needs more than 1 MiB (raise the limit with --import-memory)' files/cup.glb --clip Walk --import-memory 1

# A quad of the material "red", whose node "door" moves by 8 along x within a second, and back to 2 within another one.
cat > door.x << 'END'
xof 0303txt 0032
Material red { 1.0;0.0;0.0;1.0;; 0.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;; }
Frame door {
 FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,3.0,1.0;; }
 Mesh {
  4; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 1.0;1.0;0.0;, 0.0;1.0;0.5;;
  1; 4;0,1,2,3;;
  MeshMaterialList { 1; 1; 0; { red } }
 }
}
AnimTicksPerSecond { 32; }
AnimationSet Open {
 Animation { { door }
  AnimationKey { 2; 3; 0; 3; 0.0,0.0,0.0;;, 32; 3; 8.0,0.0,0.0;;, 64; 3; 2.0,0.0,0.0;;; }
 }
}
END
sed '/^AnimTicks/,$d' door.x > still.x
run 0 "$bvbuild" -q door.x --clip Open --sections source -o door.bvh --samples 9 --clip-segments 2 --clip-frames --hausdorff 0
run 0 "$bvinspect" --verify door.bvh
run 0 "$bvinspect" --columns 'mesh.triangles,clip.name,clip.end,clip.moves,clip.samples' door.bvh
check 'the clip of an X file is there' grep -q '^door.bvh *2 *Open *2 *yes *9' out
./dump door.bvh > door.txt
check 'the door follows its keys' python3 -c '
import sys
rows = [line.split() for line in open(sys.argv[1])]
exact = [8 * t if t < 1 else 14 - 6 * t for t in (i / 4 for i in range(9))]
frames = [[float(x) for x in row[1:]] for row in rows if row[0] == "frame"]
assert len(frames) == 18, len(frames)
for i, frame in enumerate(frames):
    assert abs(min(frame[0::3]) - exact[i % 9]) < 2e-4, (i, frame)
boxes = [[float(x) for x in row[1:]] for row in rows if row[0] == "box"][:3]
ends = [(0, 9), (2, 9), (0, 9)]
assert all(b[0] <= e[0] and b[3] >= e[1] and abs(b[0] - e[0]) + abs(b[3] - e[1]) < 2e-3 for b, e in zip(boxes, ends)), boxes
' door.txt
refused 2 "door.x: no clip is named 'Close' (clips: 0 'Open')" door.x --clip Close
refused 2 'still.x: has no clip: the file has no animations' still.x --clip '*'

# Objects are selected for all samples; a door far away keeps its digits.
run 0 "$bvbuild" -q files/far.gltf --clip Open --proxies ignore --object Door -o far.bvh --samples 5
run 0 "$bvinspect" --verify far.bvh
run 0 "$bvinspect" --columns 'mesh.triangles,mesh.offset[0],clip.moves,clip.samples' far.bvh
check 'the door is far away' grep -q '^far.bvh *12 *100,000 *yes *5' out
run 0 "$bvbuild" -q files/far.gltf --clip Open --proxies drop -o far.bvh --samples 5 --normalize
run 0 "$bvinspect" --verify far.bvh

# The same bytes for any number of threads, and of all builders and volumes that are sound.
for threads in 1 2 3; do
	run 0 "$bvbuild" -q files/cup.glb --clip Walk --samples 5 --clip-segments 2 --clip-frames --threads $threads -o cup$threads.bvh
done
check 'two threads give the same' cmp cup1.bvh cup2.bvh
check 'three threads give the same' cmp cup1.bvh cup3.bvh
for options in '--preset best' '--preset fast' '--builder ploc' '--builder topdown --splitter kmeans' '--volume rss' '--volume kdop18' \
	'--volume prism' '--volume aabb,sphere' '--degree 3 --builder topdown' '--collapse 0'; do
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q files/torus.glb --clip 0 --samples 3 --clip-segments 2 --clip-frames -o options.bvh --force $options
	run 0 "$bvinspect" --verify options.bvh
done
run 0 "$bvbuild" files/still.glb --clip 0 -o still.bvh
check 'a clip that moves nothing is reported' grep -q 'clip.* moves nothing' err
# Boxes that change places: the hierarchy of the start is not the best one, and the sum decides. Half a turn, and the turn back.
run 0 "$bvbuild" -q files/shuffle.glb --clip Shuffle -o shuffle.bvh --samples 13
run 0 "$bvinspect" --json shuffle.bvh
check 'the least sum is chosen' python3 -c '
import json, sys
c = json.load(open(sys.argv[1]))["clip"]
costs = [x["cost"] for x in c["candidates"]]
chosen = [x["chosen"] for x in c["candidates"]]
assert chosen.count(True) == 1 and costs[chosen.index(True)] == min(costs) == c["cost"] < 0.98 * costs[0], c
assert abs(sum(f["cost"] for f in c["frames"]) / c["cost"] - 1) < 1e-12
assert c["to_rebuilt"] == max(f["to_rebuilt"] for f in c["frames"] if f["to_rebuilt"]) > 1.1
' out
run 0 "$bvinspect" --html shuffle.html shuffle.bvh
check 'the page links to each of its sections' python3 -c '
import re, sys
page = open(sys.argv[1], encoding="utf-8").read()
sections = re.findall(r"<section id=\"(\w+)\"", page)
assert "clip" in sections and re.findall(r"<li><a href=\"#(\w+)\"", page) == sections, sections
' shuffle.html
finish

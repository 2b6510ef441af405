#!/bin/sh
# An independent reader: formats/bvh/bvh.ksy, compiled by Kaitai Struct, reads our files with the result of
# `bvinspect --json`, and decodes volumes that enclose their triangles. tests/kaitai/read.js holds what is checked.
# Needs node and npm.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../kaitai/prepare.sh"

# Gives up with a reason that can be told from a finding.
give_up()
{
	echo "test_kaitai: cannot run: $*"
	fail "it could not run"
	finish
}

prepare_parser "$(dirname "$0")/../.." || give_up "$reason"

count=0
: > "$scratch/list"

# reads FILE [WHAT]: the reader will have to take the file, and to say of it what bvinspect says, when read_all comes.
reads()
{
	count=$((count + 1))
	"$bvinspect" --json "$1" > "$scratch/$count.inspected" || fail "bvinspect --json $1"
	printf '%s\t%s\t%s\t%s\n' "$1" "$scratch/$count.inspected" "$scratch/$count.read" "${2-$1}" >> "$scratch/list"
}

# Reads all of them at once: starting node takes longer than a file.
read_all()
{
	node "$kaitai/check.js" "$kaitai" "$scratch/list" > "$scratch/results"
	check 'the reader came to an end' test "$(wc -l < "$scratch/results")" = $((2 * count))
	while read -r result what; do
		if [ "$result" = pass ]; then pass; else fail "$what"; fi
	done < "$scratch/results"
}

# builds MESH OPTION...: what bvbuild makes of it is read.
builds()
{
	made=$scratch/made.$((count + 1)).bvh
	run 0 "$bvbuild" --quiet -o "$made" "$@"
	reads "$made" "a file of $*"
}

# not_read WHAT FILE: the reader refuses the file.
not_read()
{
	if node "$kaitai/read.js" "$kaitai" "$2" > "$scratch/out" 2> "$scratch/err"; then
		fail "the reader takes a file with $1"
	else
		pass
	fi
}

"$BUILD/make_samples" "$scratch" > /dev/null || give_up "there are no samples"
crate=$scratch/crate.obj
everything=edges,source,adjacency,hull-topology,radius,node-quality,node-faces

# Solid and surface, one part and several, with and without a mesh.
for mode in solid surface; do
	builds "$crate" --decompose=0 --max-parts 5 --decompose-effort 0 --decompose-mode $mode --sections part-triangles
	builds "$scratch/stair.obj" --decompose --decompose-effort 0 --max-parts 4 --max-part-vertices 8 --decompose-mode $mode --positions quantized
	builds "$crate" --max-parts 1 --decompose-mode $mode --sections none,parts
done

python3 "$(dirname "$0")/../clips/make_clips.py" "$scratch/clips"
builds "$scratch/clips/tube.glb" --clip Bend --samples 9 --clip-segments 3 --clip-frames
builds "$scratch/clips/worm.glb" --clip "*" --samples 7 --volume mixed
builds "$scratch/clips/still.glb" --clip Pose --preset fast
builds "$crate" --simplify 0
builds "$scratch/broken.obj" --simplify 5% --positions quantized
builds "$scratch/stair.obj" --sections none,proxy

for volume in obb aabb sphere rss kdop14 kdop18 kdop26 mixed prism prism,obb,kdop18; do
	builds "$crate" --volume $volume --sections $everything --hausdorff 0.1
	builds "$scratch/broken.obj" --volume $volume --collapse 8 --leaf-triangles 4 --positions quantized
done
builds "$scratch/stair.obj" --volume mixed --collapse 8 --leaf-triangles 64 --sections $everything
builds "$scratch/terrain.obj" --collapse 8 --leaf-triangles 8 --positions quantized --sections $everything --hausdorff 0
builds "$scratch/knot.obj" --preset fast

# Leaves whose triangles do not fit their kind, and a root that is a leaf.
builds "$crate" --leaf-triangles 40
builds "$crate" --leaf-triangles 1000
printf 'v 1 2 3\nv 4 2 3\nv 1 7 3\nf 1 2 3\n' > "$scratch/triangle.obj"
printf 'v 1 2 3\nv 4 2 3\nv 1 7 3\nv 4 7 3.5\nf 1 2 3\nf 2 4 3\n' > "$scratch/two.obj"
for volume in obb aabb sphere rss kdop14 kdop18 kdop26 prism; do
	builds "$scratch/two.obj" --volume $volume --max-depth 0
done
for mesh in triangle two; do
	builds "$scratch/$mesh.obj"
	builds "$scratch/$mesh.obj" --positions quantized --sections=edges,source,adjacency
done

# Sections left out.
builds "$crate" --sections none
builds "$crate" --sections none,hull
builds "$crate" --sections none,hull --positions quantized
builds "$crate" --sections none,mesh,tree --positions quantized
builds "$crate" --sections none,mass,bounds

# Files that are kept for ever.
for file in "$(dirname "$0")"/../golden/*.bvh; do
	reads "$file"
done

# What a later minor version adds is passed over, unless it is required.
run 0 "$bvbuild" --quiet "$crate" -o "$scratch/crate.bvh" --sections $everything
run 0 node "$kaitai/append.js" "$scratch/crate.bvh" "$scratch/later.bvh"
reads "$scratch/later.bvh"
read_all
check 'a later version says no other' grep -q '"XTRA"' "$scratch/$count.read"
run 0 node "$kaitai/append.js" "$scratch/crate.bvh" "$scratch/required.bvh" required
not_read 'a required section that is not known' "$scratch/required.bvh"
run 3 "$bvinspect" --json "$scratch/required.bvh"

# damaged WHAT OFFSET BYTES: the reader refuses the file with other bytes, as printf writes them, from an offset on.
damaged()
{
	cp "$scratch/crate.bvh" "$scratch/damaged.bvh"
	# shellcheck disable=SC2059
	printf "$3" | dd of="$scratch/damaged.bvh" bs=1 seek="$2" conv=notrunc 2> /dev/null
	not_read "$1" "$scratch/damaged.bvh"
}

damaged 'another magic' 0 '\200'
damaged 'the other byte order' 16 '\001\002\003\004'
damaged 'another major version' 20 '\002'
damaged 'another hash of a section' 88 '\000\001\002'
damaged 'another byte in the last section' $(($(wc -c < "$scratch/crate.bvh") - 1)) '\177'
head -c -1 "$scratch/crate.bvh" > "$scratch/short.bvh"
not_read 'a byte missing' "$scratch/short.bvh"
finish

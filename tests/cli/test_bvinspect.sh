#!/bin/sh
# bvinspect as a person calls it: summary, JSON, verification, collision, damaged files.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

"$BUILD/make_samples" . || fail 'make_samples'
run 0 "$bvbuild" -q crate.obj -o crate.bvh
run 0 "$bvbuild" -q rock.obj -o rock.bvh

run 0 "$bvinspect" crate.bvh
check 'the summary knows the mesh' grep -q 'closed,$' out
check 'and no escape codes when it goes into a file' test -z "$(tr -d '\n -~' < out)"

# What every summary is to be: no longer than a screen, no wider than 80 columns.
screen()
{
	run 0 "$bvinspect" "$1"
	awk '{ gsub( /[\200-\277]/, "" ) } length > 80 { print "line " NR " is wider" } END { if ( NR > 50 ) print NR " lines" }' out > faults
	if [ -s out ] && ! [ -s faults ]; then pass; else fail "the summary of $1 does not fit a screen: $(cat faults)"; fi
}
screen crate.bvh
screen rock.bvh
printf 'v 0 0 0\nv 1e-30 0 0\nv 0 1e-30 0\nf 1 2 3\n' > one.obj
printf 'v 0 0 0\nv -1.2345678e30 0 0\nv 0 1.3456789e30 -3.456789e29\nv 0 0 1e30\nf 1 2 3\nf 1 2 4\nf 1 2 2\nf 1 2 3\nf 2 1 3\n' > large.obj
awk 'BEGIN { for ( i = 0; i < 66; ++i ) { x = 2 ^ ( i - 33 )
	printf "v %.17g 0 0\nv %.17g %.17g 0\nv %.17g 0 %.17g\nf %d %d %d\n", x, x, x / 4, x, x / 4, 3 * i + 1, 3 * i + 2, 3 * i + 3 }
}' > chain.obj
# The crate in 21 parts takes 2 s. The summary of few parts has the same lines.
few='--decompose-effort 0 --max-parts 3'
nasty=torus
if [ "${BV_THOROUGH:-}" ]; then
	few=
	nasty=rock
fi
torus 24 8 > torus.obj
for mesh in one large crate; do
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.all.bvh --decompose --preset fast --hausdorff 0.3 --degree 3 --collapse 0 --leaf-triangles 1 $few \
		--sections edges,source,adjacency,hull-topology,radius,node-quality,node-faces,parts,part-triangles
	screen $mesh.all.bvh
	for sections in none,hull none,mesh none,mesh,tree none,bounds none "none,parts $few"; do
		# shellcheck disable=SC2086
		run 0 "$bvbuild" -q $mesh.obj -o some.bvh --sections $sections
		screen some.bvh
	done
done
# All there can be, of a mesh with defects, as deep as a tree can be, and with numbers as long as they can be.
awk '$1 == "v" { printf "v %.0f %.0f %.0f\n", -1e9 * $2 - 5.5470e8, -1e7 * $3 - 2.34567e9, -3e9 * $4 - 2.279e8; next }
	$1 == "f" && ++n % 50 == 0 { next } $1 == "f" && n % 31 == 0 { print $1, $4, $3, $2; print; next } { print }' $nasty.obj > nasty.obj
run 0 "$bvbuild" -q nasty.obj -o nasty.bvh --positions quantized --volume obb,aabb,sphere,rss,kdop14,kdop18,kdop26 --degree 2 --max-depth 64 \
	--leaf-triangles 1 --collapse 0 --hausdorff 0.5 --weld 1e-3 --decompose --max-parts 4 --decompose-effort 0 \
	--sections edges,source,adjacency,hull-topology,radius,node-quality,node-faces,parts,part-triangles
screen nasty.bvh
check 'options beyond six are counted' grep -q 'and [0-9]* more (see --json)$' out
bytes=$(sed -n '/^  bytes/,$p' out | tr ',' '\n' | sed -n 'H;${x;s/\n//g;p;}' | grep -o '[A-Z0-9]\{4\} [0-9]*' | awk '{ sum += $2 } END { print sum }')
wanted=$("$bvinspect" --json nasty.bvh | python3 -c 'import json, sys; print(sum(s["bytes"] for s in json.load(sys.stdin)["file"]["sections"]))')
check "all bytes are told of: $bytes of $wanted" test "$bytes" = "$wanted"
run 0 "$bvbuild" -q chain.obj -o chain.bvh --builder topdown --splitter kcenter --degree 2 --collapse 0 --leaf-triangles 1
screen chain.bvh
check 'a deep tree hvolume as a bar of few levels' test "$(grep -c '^    [0-9]* .*#$' out)" -ge 5

# The preset and what is otherwise.
run 0 "$bvbuild" -q crate.obj -o made.bvh --preset best --weld 0.01 --refit none
run 0 "$bvinspect" made.bvh
check 'only what a preset does not say' grep -qx '  made by    bvbuild [0-9.]*, preset best, with weld=0.01, without refit' out

# Names may be anything.
hostile=$(printf 'a\033[31m<b>&"\n'"'"'.obj')
long=$(printf 'x%.0s' $(seq 240)).obj
cp crate.obj "$hostile"
cp crate.obj "$long"
run 0 "$bvbuild" -q "$hostile" -o hostile.bvh
screen hostile.bvh
check 'no escape code comes through' test -z "$(tr -d '\n -~\200-\377' < out)"
run 0 "$bvbuild" -q "$long" -o "$long.bvh"
screen "$long.bvh"
cp crate.bvh "$hostile"
run 0 "$bvinspect" "$hostile"
check 'nor of the name of the file itself' test -z "$(tr -d '\n -~' < out)"
odd=$(printf 'a\377b\300\257\303\244.bvh')
cp crate.bvh "$odd"
run 0 "$bvinspect" "$odd"
check 'what is no UTF-8 is a question mark' test "$(head -n 1 out | cut -d : -f 1)" = "$(printf 'a?b??\303\244.bvh')"

# Colours on a terminal, unless NO_COLOR is set.
cat > terminal.py <<'P'
import os, pty, sys
os.environ["TERM"] = "xterm"
stdin = os.open("/dev/null", os.O_RDONLY)
os.dup2(stdin, 0)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
P
run 0 python3 terminal.py "$bvinspect" crate.bvh
check 'colours on a terminal' grep -q "$(printf '\033')\[1mcrate.bvh" out
sed "s/$(printf '\033')\[[0-9]*m//g" out | tr -d '\r' > plain
run 0 "$bvinspect" crate.bvh
check 'and else the same' diff plain out
run 0 env NO_COLOR=1 python3 terminal.py "$bvinspect" crate.bvh
tr -d '\r' < out > uncoloured
check 'no colours where they are not wanted' diff plain uncoloured

# A block of 3 by 4 by 12, which has the diagonal 13, without its lid and with it.
printf 'v %d %d %d\n' 0 0 0 3 0 0 0 4 0 3 4 0 0 0 12 3 0 12 0 4 12 3 4 12 > open.obj
printf 'f %d %d %d %d\n' 1 3 4 2 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6 >> open.obj
{ cat open.obj; printf 'f 5 6 8 7\n'; } > block.obj
run 0 "$bvbuild" -q block.obj -o block.bvh --recognise 0.26
run 0 "$bvinspect" block.bvh
check 'a box is one' grep -q '^  shape      is a box within [0-9.e-]* ([0-9.e-]* % of diagonal)$' out
run 0 "$bvbuild" -q open.obj -o open.bvh --recognise 0.26
run 0 "$bvinspect" open.bvh
check 'without its lid it is not' \
	grep -qx '  shape      no box, sphere, capsule or cylinder within 0.26 (2 % of diagonal)' out
run 0 "$bvinspect" --verify open.bvh

# 28 pairs of seven types, triangles, opening and leaf, after a comment.
run 0 "$bvinspect" --measure-costs
check 'costs of all pairs' test "$(grep -cE '^[a-z0-9]+( [a-z0-9]+)? [0-9]+\.[0-9]$' out)" = 39
check 'costs say what they are' grep -q '^# ' out
cp out costs.txt
run 0 "$bvbuild" -q block.obj -o costly.bvh --volume obb --cost-matrix costs.txt
run 0 "$bvinspect" --json costly.bvh
cat > costs.py <<'P'
import json
lines = [l.split() for l in open("costs.txt") if not l.startswith("#")]
printed = {" ".join(l[:-1]): float(l[-1]) for l in lines}
cost = json.load(open("out"))["hierarchy"]["cost"]
assert min(printed.values()) > 0
assert cost["triangle_test"] == printed["triangles"]
assert cost["opening"] == printed["opening"] and cost["leaf"] == printed["leaf"]
assert cost["volume_test"] == {"obb": {"obb": printed["obb obb"]}}
P
check 'bvbuild goes by the costs that were measured' python3 costs.py
run 1 "$bvinspect" --measure-costs crate.bvh
run 1 "$bvinspect" --measure-costs --repeat 3
says 'bvinspect: --measure-costs excludes all other options'
run 1 "$bvinspect" --measure-costs --first

run 0 "$bvinspect" --json crate.bvh
cp out crate.json
cat > check.py <<'P'
import json
r = json.load(open("crate.json"))
keys = ["schema", "tool", "source", "mesh", "body", "bounds", "hull", "recognised", "decomposition", "proxy", "hierarchy", "clip", "file", "problems", "findings"]
assert list(r) == keys, list(r)
assert r["source"]["name"] == "crate.obj" and len(r["source"]["hash"]) == 32
assert r["decomposition"]["parts"] is None
bounds = r["bounds"]
assert r["hull"]["volume"] <= bounds["kdop"]["volume"] * (1 + 1e-6) <= bounds["aabb"]["volume"] * (1 + 1e-5)
assert r["hull"]["volume"] <= bounds["rss"]["volume"] and bounds["rss"]["volume"] <= bounds["capsule"]["volume"] * (1 + 1e-5)
assert r["hierarchy"]["root"]["volume"] <= bounds["obb"]["volume"]
hausdorff = r["hierarchy"]["hausdorff"]
levels = r["hierarchy"]["levels"]
for name in ("surface", "solid"):
    for which in ("root", "mean", "max"):
        interval = hausdorff[name][which]
        assert 0 <= interval["lower"] <= interval["upper"], interval
    assert hausdorff[name]["mean"]["upper"] <= hausdorff[name]["max"]["upper"]
    assert levels[0]["hausdorff"][name]["max"] == {k: hausdorff[name]["root"][k] for k in ("lower", "upper")}
    for bound in ("lower", "upper"):
        assert max(level["hausdorff"][name]["max"][bound] for level in levels) == hausdorff[name]["max"][bound]
        mean = sum(level["nodes"] * level["hausdorff"][name]["mean"][bound] for level in levels) / r["hierarchy"]["nodes"]
        assert abs(mean - hausdorff[name]["mean"][bound]) <= 1e-9 * mean
assert all(a <= b for a, b in ((hausdorff["surface"][w]["lower"], hausdorff["solid"][w]["upper"]) for w in ("root", "mean", "max")))
assert r["recognised"]["best"] is None or r["recognised"][r["recognised"]["best"]]["error"]["upper"] <= r["recognised"]["tolerance"]
degrees = r["hierarchy"]["degrees"]
assert r["hierarchy"]["leaves"] + sum(degrees.values()) == r["hierarchy"]["nodes"] == 1 + sum(int(d) * n for d, n in degrees.items())
assert sum(level["nodes"] for level in r["hierarchy"]["levels"]) == r["hierarchy"]["nodes"]
assert abs(r["bounds"]["obb"]["volume"] - 8 * __import__("math").prod(r["bounds"]["obb"]["half_extents"])) < 1e-12
P
check 'the JSON has its keys and agrees with itself' python3 check.py

run 0 "$bvinspect" --verify crate.bvh
check 'verify says what it proved' grep -q '^crate.bvh: sound; [0-9]* enclosures proved, [0-9]* errors measured again$' out
run 0 "$bvbuild" -q --preset fast crate.obj -o fast.bvh
run 0 "$bvinspect" --verify fast.bvh
check 'and no more than that' grep -q '^fast.bvh: sound; [0-9]* enclosures proved$' out

# Damage: 2 when inspecting, 6 when verifying.
cp crate.bvh damaged.bvh
printf 'X' | dd of=damaged.bvh bs=1 seek=2000 conv=notrunc 2> /dev/null
run 2 "$bvinspect" damaged.bvh
says 'bvinspect: damaged.bvh: a section does not match its checksum'
run 6 "$bvinspect" --verify damaged.bvh
says 'bvinspect: damaged.bvh: a section does not match its checksum'
head -c 1000 crate.bvh > short.bvh
run 6 "$bvinspect" --verify short.bvh
says 'bvinspect: short.bvh: the file is truncated'
run 2 "$bvinspect" crate.obj
says 'bvinspect: crate.obj: not a .bvh file'
: > empty.bvh
run 2 "$bvinspect" empty.bvh
run 6 "$bvinspect" --verify empty.bvh
says 'bvinspect: empty.bvh: is empty'
run 2 "$bvinspect" --verify missing.bvh
says 'bvinspect: missing.bvh: No such file or directory'
run 2 "$bvinspect" .
says 'bvinspect: .: is a directory'
run 6 "$bvinspect" --verify crate.bvh damaged.bvh missing.bvh
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 9\n' > pointer.bvh
for options in pointer.bvh 'crate.bvh --compare pointer.bvh' 'crate.bvh --collide pointer.bvh'; do
	# shellcheck disable=SC2086
	run 2 "$bvinspect" $options
	says 'bvinspect: pointer.bvh: a Git LFS pointer, not the file (run: git lfs pull)'
done

# Collision. The crate is a cube of side 2 about the origin in its bounding box, whatever its panels do inside.
cat > poses.csv <<'P'
name,tx,ty,tz,r00,r01,r02,r10,r11,r12,r20,r21,r22
far,9,0,0,1,0,0,0,1,0,0,0,1
same,0,0,0,1,0,0,0,1,0,0,0,1
turned,0.1,0.2,0.3,0,-1,0,1,0,0,0,0,1
P
run 0 "$bvinspect" crate.bvh --collide crate.bvh --poses poses.csv
check 'the head line' test "$(head -n 1 out)" = pose,pairs,volume_tests,triangle_tests,microseconds
check 'far apart: no pair, one test' grep -q '^0,0,1,0,' out
check 'in its own place: at least itself' test "$(sed -n 3p out | cut -d, -f2)" -ge 108
run 0 "$bvinspect" crate.bvh --collide crate.bvh --poses poses.csv --first --repeat 3
check 'first ends at the first pair' grep -q '^1,1,' out

# A block with corners at the origin and at (3, 4, 12) and itself, 9 further along x: 6 apart between two sides. In its own
# place, and where the two cross, it meets itself.
run 0 "$bvinspect" block.bvh --distance block.bvh --poses poses.csv --repeat 3
check 'the head line of distances' test "$(head -n 1 out)" = \
	pose,distance,triangle_a,triangle_b,ax,ay,az,bx,by,bz,volume_tests,triangle_tests,microseconds
check 'as far apart as it is' grep -qE '^0,6,[0-9]+,[0-9]+,3,([0-9.]+,[0-9.]+),9,\1,' out
check 'in its own place: 0' grep -q '^1,0,' out
check 'across: 0, at one point' grep -qE '^2,0,[0-9]+,[0-9]+,([^,]+,[^,]+,[^,]+),\1,' out

# Without poses: one row, equal to that of the identity.
for query in --collide --distance; do
	run 0 "$bvinspect" crate.bvh $query crate.bvh --poses poses.csv
	sed -n '1p;3p' out | sed 's/^1,/0,/;s/,[^,]*$//' > placed
	run 0 "$bvinspect" crate.bvh $query crate.bvh
	check "$query without --poses: the identity" test "$(sed 's/,[^,]*$//' out)" = "$(cat placed)"
done
run 0 "$bvinspect" crate.bvh --collide crate.bvh --first --repeat 2
check 'one row' test "$(sed -n '2s/^\(0,1\),.*/\1/p;3p' out)" = 0,1
run 1 "$bvinspect" block.bvh --distance block.bvh --poses poses.csv --first
says 'bvinspect: --first needs --collide'
run 1 "$bvinspect" block.bvh --distance block.bvh --collide block.bvh --poses poses.csv
run 1 "$bvinspect" block.bvh crate.bvh --distance block.bvh --poses poses.csv
says 'bvinspect: --collide, --distance and --contacts take one FILE and one OTHER'
run 2 "$bvinspect" block.bvh --distance missing.bvh --poses poses.csv
run 1 "$bvinspect" crate.bvh --poses poses.csv
says 'bvinspect: --poses needs --collide, --distance or --contacts'
run 1 "$bvinspect" crate.bvh --first
run 1 "$bvinspect" crate.bvh --json --verify
run 1 "$bvinspect"
run 1 "$bvinspect" --wrong
says 'bvinspect: unknown option --wrong (--help=all lists all)'
sed 's/r22/r99/' poses.csv > bad.csv
run 2 "$bvinspect" crate.bvh --collide crate.bvh --poses bad.csv
says 'bvinspect: bad.csv:1: column r22 is missing'
sed 's/0.3/x/' poses.csv > bad.csv
run 2 "$bvinspect" crate.bvh --collide crate.bvh --poses bad.csv
says "bvinspect: bad.csv:4: column 4: tz is not a number: 'x'"
sed 's/,1$/,2/' poses.csv > bad.csv
run 2 "$bvinspect" crate.bvh --collide crate.bvh --poses bad.csv
says 'bvinspect: bad.csv:2: the pose is not rigid'
sed 's/0.3/-1e61/' poses.csv > bad.csv
run 2 "$bvinspect" crate.bvh --collide crate.bvh --poses bad.csv
says 'bvinspect: bad.csv:4: the translation of the pose exceeds 1.6e60'
head -n 1 poses.csv > bad.csv
run 2 "$bvinspect" crate.bvh --collide crate.bvh --poses bad.csv
says 'bvinspect: bad.csv: no poses'

# Points inside and outside of the crate, a cube of side 1. Columns in any order, blank lines, line ends of another
# system.
printf 'z,name,x,y\n0,centre,0,0\n\n0.1, near , -0.2 ,0.3\r\n5,above,0,0\n0,far,-1e300,0\n' > points.csv
printf '0.49,in a corner,0.49,0.49\n0.49,beside it,0.51,0.49\n' >> points.csv
run 0 "$bvinspect" crate.bvh --inside points.csv
cat > expected <<'P'
point,winding,inside
0,1,1
1,1,1
2,0,0
3,0,0
4,1,1
5,0,0
P
check 'inside and outside of a box' diff expected out

# The upper half of an octahedron. From half a side below the middle, its opening is seen as a face of a cube is from
# the centre: it covers a sixth. From within it covers most, from above it is seen from outside and counts negative.
cat > dome.obj <<'P'
v 1 0 0
v 0 1 0
v -1 0 0
v 0 -1 0
v 0 0 1
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
P
run 0 "$bvbuild" -q dome.obj -o dome.bvh
printf 'x,y,z\n0,0,-0.70710678118654752\n0,0,0.25\n0,0,2\n' > points.csv
run 0 "$bvinspect" dome.bvh --inside points.csv
check 'below an open mesh' test "$(sed -n 2p out)" = 0,0.166666667,0
check 'in an open mesh' grep -q '^1,0\.[5-9][0-9]*,1$' out
check 'above an open mesh' grep -q '^2,-0\.0[0-9]*,0$' out

run 1 "$bvinspect" crate.bvh --inside points.csv --json
says 'bvinspect: --json, --findings, --html, --compare, --verify, --export, --collide, --distance, --contacts, --inside, --triangles and tables exclude each other'
run 1 "$bvinspect" crate.bvh rock.bvh --inside points.csv
says 'bvinspect: --inside takes one file'
run 2 "$bvinspect" crate.bvh --inside missing.csv
says 'bvinspect: missing.csv: No such file or directory'
run 2 "$bvinspect" crate.bvh --inside .
says 'bvinspect: .: is a directory'
run 2 "$bvinspect" damaged.bvh --inside points.csv
says 'bvinspect: damaged.bvh: a section does not match its checksum'
for line in 1,2 1,2, 1,2,x '1,2,3 4' 1,2,nan 1,2,1e999; do
	printf 'x,y,z\n0,0,0\n%s\n' "$line" > bad.csv
	run 2 "$bvinspect" crate.bvh --inside bad.csv
	value=$(echo "$line" | cut -d, -f3)
	[ -n "$value" ] && why="is not a number: '$value'" || why='has no value'
	says "bvinspect: bad.csv:3: column 3: z $why"
	check 'nothing is printed' test ! -s out
done
printf 'x,y\n0,0\n' > bad.csv
run 2 "$bvinspect" crate.bvh --inside bad.csv
says 'bvinspect: bad.csv:1: column z is missing'
printf 'x,y,z\n\n' > bad.csv
run 2 "$bvinspect" crate.bvh --inside bad.csv
says 'bvinspect: bad.csv: no points'
: > bad.csv
run 2 "$bvinspect" crate.bvh --inside bad.csv
says 'bvinspect: bad.csv: no points'

# Volumes: each node of a level once, in every format, and a cut by errors between the root and all leaves.
run 0 "$bvinspect" crate.bvh --json
cp out crate.json
run 0 "$bvinspect" crate.bvh --export level=0,root.obj --export level=2,level.obj --export level=2,level.ply \
	--export level=2,level.glb --export cut=10%,cut.obj --export cut=0,leaves.obj --export bounds,bounds.obj
check 'an export prints nothing' test ! -s out -a ! -s err
cat > levels.py <<'P'
import json
def objects(path):
    points, found = [], {}
    for line in open(path):
        kind, *rest = line.split()
        if kind == "o":
            faces = found.setdefault(rest[0], [])
        elif kind == "v":
            points.append([float(x) for x in rest])
        elif kind == "f":
            faces.append([points[int(x) - 1] for x in rest])
    return found
def volume(faces):
    return sum(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
               for a, b, c in faces) / 6
h = json.load(open("crate.json"))["hierarchy"]
root, = objects("root.obj").items()
assert root[0].startswith("node_0_level_0_error_") and abs(volume(root[1]) - h["root"]["volume"]) < 1e-9
upper = h["hausdorff"]["solid"]["root"]["upper"]
assert upper <= float(root[0].split("_")[-1]) < 1.1 * upper
level = {n: volume(f) for n, f in objects("level.obj").items() if "_level_2_" in n}
assert len(level) == h["levels"][2]["nodes"]
assert abs(sum(level.values()) - len(level) * h["levels"][2]["volume"]["mean"]) < 1e-9
assert 1 < len(objects("cut.obj")) < len(objects("leaves.obj")) == h["leaves"]
assert list(objects("bounds.obj")) == ["aabb", "obb", "sphere", "kdop26", "rss", "capsule"]
P
check 'levels and cuts' python3 levels.py
for type in obj ply glb; do
	run 0 "$bvbuild" -q level.$type -o level-$type.bvh --sections none,mesh
	run 0 "$bvinspect" --json level-$type.bvh
	grep -E '"(triangles|volume)":' out | head -n 2 > level-$type.counts
done
check 'the same triangles as PLY and OBJ' cmp -s level-obj.counts level-ply.counts
check 'and as many as glTF' test "$(grep triangles level-obj.counts)" = "$(grep triangles level-glb.counts)"
run 0 "$bvinspect" block.bvh --export primitive,box.ply
run 2 "$bvinspect" open.bvh --export primitive,x.ply
says 'bvinspect: open.bvh: is not a box, sphere, capsule or cylinder within 0.26'
run 2 "$bvinspect" crate.bvh --export level=99,x.ply
says "bvinspect: crate.bvh: has no level 99 (the deepest is $(python3 -c 'import json; print(json.load(open("crate.json"))["hierarchy"]["depth"])'))"
run 2 "$bvinspect" fast.bvh --export cut=1%,x.ply
says 'bvinspect: fast.bvh: has no errors to cut by (bvbuild --hausdorff makes them)'
run 0 "$bvbuild" -q crate.obj -o bare.bvh --sections none,hull
run 2 "$bvinspect" bare.bvh --export level=0,x.glb
says 'bvinspect: bare.bvh: has no hierarchy'
run 2 "$bvinspect" bare.bvh --export bounds,x.glb
says 'bvinspect: bare.bvh: has no bounds'
check 'nothing is left' test ! -e x.ply -a ! -e x.glb
run 1 "$bvinspect" crate.bvh --export level,x.ply
says "bvinspect: level: '' is not a whole number"
run 1 "$bvinspect" crate.bvh --export cut=-5%,x.ply
says "bvinspect: cut: '-5%' is not a length or percentage of 0 or more"
run 1 "$bvinspect" crate.bvh --export mesh=1,x.ply
says "bvinspect: unknown content for --export 'mesh=1' (did you mean 'mesh'?)"

# Standard output that can't be written is an error too.
"$bvinspect" --json crate.bvh > /dev/full 2> err
check 'a full disk behind standard output' test $? = 4

# What is printed about lengths has their unit: that of --units and --scale, and none where it is not known.
cat > unit.obj <<'P'
v 0 0 0
v 1000 0 0
v 0 1000 0
v 0 0 1000
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
P
while IFS='|' read -r unit options; do
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -v unit.obj -o unit.bvh $options --decompose --simplify 1%
	name=${unit:-mesh units}
	check "$options: -v" test "$(grep -cE "(moved by at most|largest stand-off .* to|within) [^ ]+ $name( |;|\$)" err)" = 3
	run 0 "$bvinspect" unit.bvh
	check "$options: headers" test "$(grep -cE "size, all in $name\$|boundary points, $name " out)" = 2
	behind=${unit:+ $unit}
	wanted=null
	[ -z "$unit" ] || wanted="'$unit'"
	tr -s ' \n' ' ' < out > line
	check "$options: lengths" grep -qE "area [^ ,]+${behind:+$behind.2}, vertices moved by at most [^ ,]+$behind from the source solid volume [^ ,]+${behind:+$behind.3}, center of mass \([^)]*\)$behind bounds.* within [^ ,]+$behind \(.* total volume [^ ,]+${behind:+$behind.3} stand-off .* to [^ ,]+$behind \(.*tolerance [^ ,]+$behind, mesh outside by at most [^ ,]+$behind \(.* distance to the mesh [^ ,]+ to [^ ,]+$behind \(" line
	run 0 "$bvinspect" -q unit.bvh --gate "mesh.unit == $wanted"
done <<'P'
|
m|--units mm
mm|--units mm --scale 1000
|--units mm --scale 3
|--units mm --normalize
P
run 0 "$bvbuild" -q unit.obj -o unit_m.bvh --units m
run 0 "$bvinspect" unit.bvh --distance unit_m.bvh
says 'bvinspect: different units of length: unit.bvh has mesh units, unit_m.bvh has m'
run 0 "$bvinspect" -q unit.bvh --distance unit_m.bvh
check 'quiet' test ! -s err
finish

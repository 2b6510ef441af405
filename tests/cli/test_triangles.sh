#!/bin/sh
# bvinspect --triangles: the triangles of places that findings show, and where they come from in the input.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A box of quads without its lid (faces 0 to 4), and a book of three triangles along one edge (faces 5 to 7).
cat > open.obj <<'END'
o tub
v 0 0 0
v 4 0 0
v 4 0 4
v 0 0 4
v 0 3 0
v 4 3 0
v 4 3 4
v 0 3 4
f 1 2 3 4
f 1 5 6 2
f 2 6 7 3
f 3 7 8 4
f 4 8 5 1
o a "book", open
v 9 0 0
v 9 1 0
v 10 0 0
v 9 0 1
v 8 0 0
f 9 10 11
f 9 10 12
f 9 10 13
END
run 0 "$bvbuild" -q open.obj --sections source,part-triangles --decompose=20% --decompose-mode surface --leaf-triangles 1 --collapse 0 -o open.bvh

# faces PLACE: the faces of the input, once each, in order, on one line
faces()
{
	"$bvinspect" open.bvh --triangles "$1" > out 2> err || return 1
	tail -n +2 out | cut -d, -f2 | sort -nu | tr '\n' ' '
}
check 'the rim of the tub and the pages have boundary edges' test "$(faces edges:boundary)" = '1 2 3 4 5 6 7 '
check 'only the pages have a non-manifold edge' test "$(faces edges:non_manifold)" = '5 6 7 '
check 'edges of the bottom are concave inside, convex outside' test "$(faces edges:convex)" = '0 1 2 3 4 '
check 'diagonals of quads are flat' test "$(faces edges:flat)" = '0 1 2 3 4 '
check 'no edge is concave' test "$(faces edges:concave)" = ''
check 'the root has all triangles' test "$(faces node:0)" = '0 1 2 3 4 5 6 7 '
check 'the first level has all triangles' test "$(faces level:1)" = '0 1 2 3 4 5 6 7 '
faces node:0 > /dev/null
check 'each triangle is listed once, in order' test "$(tail -n +2 out | cut -d, -f1 | tr '\n' ' ')" = '0 1 2 3 4 5 6 7 8 9 10 11 12 '
check 'names are quoted as in RFC 4180' test "$(grep -c '^[0-9]*,[567],"a ""book"", open"$' out)" = 3
check 'the header names the columns' test "$(head -n 1 out)" = 'triangle,face,object'

# Leaves have one triangle here, so that the deepest level has as many triangles as nodes; levels above it have more.
"$bvinspect" open.bvh --json > report.json
check 'levels have the triangles of their nodes' python3 - report.json "$bvinspect" <<'END'
import json, subprocess, sys
levels = json.load(open(sys.argv[1]))["hierarchy"]["levels"]
def triangles(level):
    return len(subprocess.run([sys.argv[2], "open.bvh", "--triangles", "level:%d" % level], capture_output=True, text=True).stdout.splitlines()) - 1
counts = [triangles(level) for level in range(len(levels))]
sys.exit(not (counts[-1] == levels[-1]["nodes"] < 13 and counts[0] == 13 and counts == sorted(counts, reverse=True)))
END

# A leaf of one triangle, and its siblings: children of a node have its triangles.
"$bvinspect" open.bvh --json > report.json
all=
for part in 0 1 2 3 4 5 6 7; do
	"$bvinspect" open.bvh --triangles part:$part > out 2> err || break
	all="$all $(tail -n +2 out | cut -d, -f1 | tr '\n' ' ')"
done
check 'parts cover all triangles' test "$(echo $all | tr ' ' '\n' | sort -nu | wc -l | tr -d ' ')" = 13

# Every place that a finding of this file shows has triangles.
"$bvinspect" open.bvh --json | sed -nE 's/.*"show":	"([^"]*)".*/\1/p' | sort -u > places
check 'findings show places' test -s places
while read -r place; do
	"$bvinspect" open.bvh --triangles "$place" > out 2> err || fail "$place"
	check "$place has triangles" test "$(wc -l < out)" -gt 1
done < places

# Without the section `source`, without triangles, and places that are none.
run 0 "$bvbuild" -q open.obj -o plain.bvh
run 0 "$bvinspect" plain.bvh --triangles edges:boundary
check 'without their source triangles have a number only' grep -qx '[0-9]*,,' out
run 2 "$bvinspect" plain.bvh --triangles part:0
says 'bvinspect: plain.bvh: has no part 0, but 0 of them'
run 0 "$bvbuild" -q open.obj --decompose -o parts.bvh
run 2 "$bvinspect" parts.bvh --triangles part:0
says 'bvinspect: parts.bvh: has no triangles of parts (bvbuild --sections part-triangles keeps them)'
run 0 "$bvbuild" -q open.obj --sections none,hull -o hull.bvh
run 2 "$bvinspect" hull.bvh --triangles edges:boundary
says 'bvinspect: hull.bvh: has no triangles'
run 2 "$bvinspect" open.bvh --triangles node:25
says 'bvinspect: open.bvh: has no node 25, but 25 of them'
run 1 "$bvinspect" open.bvh --triangles node:99999999999999999999
for place in node:x node: node:-1 node:0x1; do
	run 1 "$bvinspect" open.bvh --triangles $place
	says "bvinspect: --triangles: '${place#node:}' is not the number of a node"
done
run 1 "$bvinspect" open.bvh --triangles edges:boundry
says "bvinspect: --triangles: unknown kind of edges 'boundry' (did you mean 'boundary'?)"
run 1 "$bvinspect" open.bvh --triangles door:1
says "bvinspect: --triangles: unknown place 'door:1' (places are edges:KIND, node:N, level:N and part:N)"
run 1 "$bvinspect" open.bvh plain.bvh --triangles node:0
says 'bvinspect: --triangles takes one file'
run 1 "$bvinspect" open.bvh --triangles node:0 --json
finish

#!/bin/sh
# bvinspect --compare: what changed between two files, against what can be said of blocks without any program.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A block of 3 by 4 by 12, the same a quarter further along x, and without its lid.
block()
{
	awk -v x="$1" 'BEGIN { for ( i = 0; i < 8; ++i ) print "v", x + 3 * ( i % 2 ), 4 * ( int( i / 2 ) % 2 ), 12 * int( i / 4 ) }'
	printf 'f %d %d %d %d\n' 1 3 4 2 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6
}
block 0 > open.obj
{ block 0; printf 'f 5 6 8 7\n'; } > block.obj
{ block 0.25; printf 'f 5 6 8 7\n'; } > moved.obj
# With its lid cut along one diagonal or the other, and with its faces in another order.
for cut in 'f 5 6 8 f 5 8 7' 'f 5 6 7 f 6 8 7'; do
	{ block 0; echo "$cut" | sed 's/ f/\nf/'; } > "$(echo "$cut" | tr -d ' ').obj"
done
mv f568f587.obj one.obj
mv f567f687.obj other.obj
for mesh in open block moved one other; do
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.bvh
done
awk '/^v/ { print } /^f/ { f[++n] = $0 } END { for ( i = n; i > 0; --i ) print f[i] }' block.obj > turned.obj
run 0 "$bvbuild" -q turned.obj -o turned.bvh --builder topdown --splitter median --collapse 0 --leaf-triangles 1
run 0 "$bvbuild" -q block.obj -o coarse.bvh --max-depth 0 --hausdorff 0.5
run 0 "$bvbuild" -q block.obj -o hull.bvh --sections none,hull
run 0 "$bvbuild" -q block.obj -o parts.bvh --decompose
run 0 "$bvinspect" --measure-costs
sed 's/^triangles .*/triangles 1000/' out > costs.txt
run 0 "$bvbuild" -q block.obj -o costly.bvh --cost-matrix costs.txt

run 0 "$bvinspect" block.bvh --compare block.bvh
check 'itself' test "$(cat out)" = 'from block.bvh to block.bvh: equal, byte by byte'
run 0 "$bvinspect" block.bvh --compare moved.bvh
check 'how far' grep -qE '^  meshes     apart by at most 0.25 to 0.25[0-9]* mesh units' out
check 'the title tells of it' grep -q 'of a mesh up to 1.9[0-9]* %' out
for pair in 'block turned' 'open block' 'block moved' 'block coarse' 'block hull' 'hull block' 'parts block' 'block costly'; do
	run 0 "$bvinspect" "${pair% *}.bvh" --compare "${pair#* }.bvh"
	check "no line of $pair is too wide" test "$(awk 'length > 80' out | wc -l)" = 0
	check "no blanks end lines of $pair" test "$(grep -c ' $' out)" = 0
	check "a screenful of $pair" test "$(wc -l < out)" -le 50
done
run 0 "$bvinspect" block.bvh --compare coarse.bvh
check 'options that differ' grep -q '^  options    max-depth 64 -> 0, hausdorff 0.1 -> 0.5$' out
check 'sections that differ' grep -qE '^  sections   .*NODE [0-9,]+ -> [0-9,]+' out

cat > check.py <<'P'
import json, subprocess, sys
tool = sys.argv[1]
def ask(*options):
    return json.loads(subprocess.run([tool, *options], stdout=subprocess.PIPE, check=True).stdout)
def compare(a, b):
    c = ask("--json", a + ".bvh", "--compare", b + ".bvh")
    before, after = ask("--json", a + ".bvh"), ask("--json", b + ".bvh")
    assert c["schema"] == "bvbuild-compare/1"
    assert c["before"] == before and c["after"] == after
    def walk(b, a, d, path):
        if isinstance(b, dict) and isinstance(a, dict):
            assert list(d) == list(b), path
            for key in b: walk(b[key], a.get(key), d[key], path + "." + key)
        elif isinstance(b, list) and isinstance(a, list):
            assert len(d) == min(len(a), len(b)), path
            for i, item in enumerate(d): walk(b[i], a[i], item, path + "[%d]" % i)
        elif all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b)):
            if a == b: assert d == 0, path
            elif b == 0: assert d is None, path
            else: assert abs(d - (a - b) / abs(b)) <= 1e-12 * abs(d), path
        else: assert d is None, path
    walk(before, after, c["change"], "")
    for m in c["measures"]:
        if "+" in m["path"] or "/" in m["path"]: continue
        for side, report in (("before", before), ("after", after)):
            value = report
            for key in m["path"].split("."): value = value and value.get(key)
            if isinstance(m[side], dict) and value: assert m[side] == {k: value[k] for k in ("lower", "upper")}, m
            elif value is not None and not isinstance(value, dict): assert m[side] == value, m
    names = [p for p in sorted(set(before["tool"]["parameters"]) | set(after["tool"]["parameters"]))
             if before["tool"]["parameters"].get(p) != after["tool"]["parameters"].get(p)]
    assert sorted(c["parameters"]) == names, names
    return c
def holds(interval, value):
    return interval["lower"] <= value * (1 + 1e-6) and value * (1 - 1e-6) <= interval["upper"] <= value * 1.02 + 1e-9
def results(c):
    return {m["name"]: m["result"] for m in c["measures"]}

c = compare("block", "block")
assert c["verdict"] == "equal" and c["distance"]["equal"] is True and set(results(c).values()) == {"same"}
assert not c["parameters"] and not c["sections"] and not c["better"] and not c["worse"]
c = compare("block", "turned")      # other faces first, another tree: the same triangles
assert c["distance"]["equal"] is True and c["distance"]["hausdorff"] == {"lower": 0, "upper": 0}
c = compare("one", "other")         # the same surface of other triangles
assert c["distance"]["equal"] is False and c["distance"]["hausdorff"]["upper"] <= 1e-5
c = compare("block", "moved")       # a face at x = 0 is a quarter from the one at x = 1/4, and no point is farther away
assert c["distance"]["equal"] is False
assert all(holds(c["distance"][way], 0.25) for way in ("from_before", "from_after", "hausdorff"))
assert holds(c["distance"]["relative"], 0.25 / (3.25 ** 2 + 16 + 144) ** 0.5)
c = compare("open", "block")        # the middle of the lid is 1.5 from the walls
assert c["distance"]["from_before"]["upper"] <= 1e-4
assert holds(c["distance"]["from_after"], 1.5) and holds(c["distance"]["hausdorff"], 1.5)
r = results(c)
assert r["open edges"] == "better" and r["volume"] == "new" and r["triangles"] == "different"
c = compare("block", "open")
r = results(c)
assert r["open edges"] == "worse" and "open edges" in c["worse"] and r["volume"] == "gone"
c = compare("block", "coarse")      # nothing but a root is left: less in the file, worse to query
r = results(c)
assert r["expected cost"] == "worse" and r["file size"] == "better" and c["verdict"] == "mixed"
assert r["root error, all points"] == "uncertain" or r["root error, all points"] == "same"
assert c["parameters"]["max-depth"] == {"before": "64", "after": "0"}
c = compare("coarse", "block")
assert results(c)["expected cost"] == "better"
c = compare("block", "costly")      # costs in other units say nothing
assert results(c)["expected cost"] in ("different", "same")
c = compare("block", "hull")
assert c["distance"] == {"equal": None, **{k: {"lower": None, "upper": None} for k in ("from_before", "from_after", "hausdorff", "relative")}}
assert results(c)["nodes"] == "gone"
c = compare("hull", "parts")
assert results(c)["nodes"] == "new" and results(c)["parts"] == "new"
P
check 'what is said is so' python3 check.py "$bvinspect"

run 0 "$bvinspect" -q block.bvh --compare moved.bvh --gate 'change.mesh.volume < 1e-9 and distance.hausdorff.upper < 0.26'
check 'nothing more is said' test ! -s out
run 6 "$bvinspect" -q block.bvh --compare coarse.bvh --gate 'change.hierarchy.cost.expected <= 5%' --gate 'distance.equal'
check 'by how much' grep -qE '^bvinspect: coarse.bvh: change.hierarchy.cost.expected <= 5% does not hold: it is [0-9.]+$' err
check 'and no more' test "$(wc -l < err)" = 1
run 6 "$bvinspect" block.bvh --compare moved.bvh --gate "verdict == 'equal'"
check 'both are told' grep -q '^from block.bvh to moved.bvh' out
run 6 "$bvinspect" -q block.bvh --compare hull.bvh --gate 'change.hierarchy.cost.expected <= 5%'
says 'bvinspect: hull.bvh: change.hierarchy.cost.expected <= 5% does not hold: change.hierarchy.cost.expected is null'
run 0 "$bvinspect" -q block.bvh --compare coarse.bvh --gate 'after.hierarchy.nodes == 1 and before.hierarchy.nodes > 1'

run 2 "$bvinspect" block.bvh --compare missing.bvh
says 'bvinspect: missing.bvh: No such file or directory'
run 2 "$bvinspect" block.bvh --compare block.obj
run 1 "$bvinspect" block.bvh moved.bvh --compare open.bvh
says 'bvinspect: --compare takes one file and another'
run 1 "$bvinspect" block.bvh --compare open.bvh --verify
run 1 "$bvinspect" block.bvh --compare open.bvh --csv
finish

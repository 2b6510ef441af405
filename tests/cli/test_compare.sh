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
heap > heap.obj
run 0 "$bvbuild" -q heap.obj -o heap.bvh
run 0 "$bvbuild" -q heap.obj -o heap2.bvh --leaf-triangles 64 --collapse 0 --splitter median
costs > measured.txt
sed 's/^triangles .*/triangles 1000/' measured.txt > costs.txt
run 0 "$bvbuild" -q block.obj -o costly.bvh --cost-matrix costs.txt
sed 's/^opening .*/opening 1000/' measured.txt > costs.txt
run 0 "$bvbuild" -q block.obj -o measured.bvh --cost-matrix measured.txt
run 0 "$bvbuild" -q block.obj -o opening.bvh --cost-matrix costs.txt

printf 'v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nv 0 4 0\nv 0 0 1\nv 4 0 1\nv 4 1 1\nv 1 1 1\nv 1 4 1\nv 0 4 1
f 1 6 5 4\nf 1 4 3 2\nf 7 8 9 10\nf 7 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n' > corner.obj
# A mesh that is not convex as it is built by default, by halves, and not at all; and in more or fewer parts.
cp corner.obj mesh.obj
if [ "${BV_THOROUGH:-}" ]; then
	"$BUILD/make_samples" . || fail 'make_samples'
	cp rock.obj mesh.obj
fi
run 0 "$bvbuild" -q mesh.obj -o default.bvh --hausdorff 0.01
run 0 "$bvbuild" -q mesh.obj -o halves.bvh --splitter median --collapse 0 --hausdorff 0.01
run 0 "$bvbuild" -q mesh.obj -o root.bvh --max-depth 0 --hausdorff 0.01
run 0 "$bvbuild" -q corner.obj -o two.bvh --decompose --max-parts 8
run 0 "$bvbuild" -q corner.obj -o single.bvh --decompose --max-parts 1
printf 'v 0 0 0\nv 3 0 0\nv 0 4 0\nv 0 0 12\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > tetrahedron.obj
{ block 0; printf 'f 7 8 6 5\n'; } > flipped.obj
sed '/^f/s/f \(.*\) \(.*\) \(.*\) \(.*\)/f \4 \3 \2 \1/' block.obj > inside.obj
cp block.obj a_block_by_a_very_much_longer_name_than_that_of_the_other_one_which_is_short.obj
# The block without a corner of 0.95 % or 1.05 % of its volume: the box around it stays.
for cut in below:2.052 above:2.268; do
	{ block 0 | grep '^v'; printf 'v 2 0 0\nv 0 2 0\nv 0 0 %s\n' "${cut#*:}"
	printf 'f 10 3 4 2 9\nf 9 2 6 5 11\nf 11 5 7 3 10\nf 10 9 11\nf 3 7 8 4\nf 2 4 8 6\nf 5 6 8 7\n'; } > "${cut%:*}.obj"
done
for mesh in tetrahedron flipped inside below above; do
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.bvh
done
run 0 "$bvbuild" -q a_block*.obj -o long.bvh
# Boxes with everything left out but the mesh: one open edge more is all there is to say.
for pair in block:closed flipped:hole; do
	run 0 "$bvbuild" -q "${pair%:*}.obj" -o "${pair#*:}.bvh" --sections none,mesh
done
awk '/^v/ { $4 *= 1.1 } { print }' block.obj > longer.obj
run 0 "$bvbuild" -q longer.obj -o hull2.bvh --sections none,hull

run 0 "$bvinspect" block.bvh --compare block.bvh
check 'itself' test "$(cat out)" = 'from block.bvh to block.bvh: equal, byte for byte'
for pair in 'block turned' 'open block' 'block moved' 'block coarse' 'block hull' 'hull block' 'parts block' 'block costly'; do
	run 0 "$bvinspect" "${pair% *}.bvh" --compare "${pair#* }.bvh"
	cp out "said $pair"
	awk 'length > 80 { print "line " NR " is too wide" } / $/ { print "blanks end line " NR } END { if ( NR > 50 ) print NR " lines" }' \
		out > faults
	check "$pair: $(cat faults)" test ! -s faults -a -s out
done
check 'how far' grep -qE '^  meshes     largest distance 0.2(49|5) to 0.25[0-9]* mesh units' 'said block moved'
check 'the title tells of it' grep -q 'up to 1.9[0-9]* %' 'said block moved'
check 'options that differ' grep -q '^  options    max-depth 64 -> 0, hausdorff 0.1 -> 0.5$' 'said block coarse'
check 'sections that differ' grep -qE '^  sections   .*NODE [0-9,]+ -> [0-9,]+' 'said block coarse'

# Ends of intervals are rounded outwards; a mesh a thousandth of the diagonal away is no longer the same one.
cat > ends.py <<'P'
import json, re, subprocess, sys
tool, before, *shifts = sys.argv[1:]
number = r"([-+.e0-9]+)"
for shift, said in (item.split(":") for item in shifts):
    ask = lambda *more: subprocess.run([tool, before, "--compare", shift + ".bvh", *more], stdout=subprocess.PIPE, check=True, text=True).stdout
    c, text = json.loads(ask("--json")), " ".join(ask().split())
    apart = re.search(f"largest distance {number} to {number} mesh units \\({number} % of the diagonal\\): from before to after {number} to {number}, "
                      f"from after to before {number} to {number}", text)
    lower, upper, part, *ways = map(float, apart.groups())
    pairs = [(c["distance"]["hausdorff"], lower, upper), (c["distance"]["from_before"], *ways[:2]), (c["distance"]["from_after"], *ways[2:])]
    for m in c["measures"]:
        row = re.search(re.escape(m["name"]) + f" {number} to {number}", text)
        if row and isinstance(m["before"], dict): pairs.append((m["before"], *map(float, row.groups())))
    assert len(pairs) > 3, pairs
    for interval, low, high in pairs:
        assert low <= interval["lower"] <= low * 1.011 and high * 0.989 <= interval["upper"] <= high, (shift, interval, low, high)
    assert 0 <= part - 100 * c["distance"]["relative"]["upper"] <= 0.011 * part, shift
    assert ("but the meshes are up to" in text) == (said == "yes"), (shift, text)
P
run 0 "$bvbuild" -q block.obj -o finer.bvh --hausdorff 0.02
for shift in 0.0373 0.0137 0.0119; do
	{ block $shift; printf 'f 5 6 8 7\n'; } > $shift.obj
	run 0 "$bvbuild" -q $shift.obj -o $shift.bvh
done
check 'what is said of meshes so far apart' python3 ends.py "$bvinspect" finer.bvh 0.0373:yes 0.0137:yes 0.0119:no

cat > check.py <<'P'
import functools, json, subprocess, sys
tool = sys.argv[1]
@functools.cache
def ask(*options):
    return json.loads(subprocess.run([tool, *options], stdout=subprocess.PIPE, check=True).stdout)
def at(report, path):
    for key in path.split("."): report = report.get(key) if report is not None else None
    return report
def number(path): return lambda r: at(r, path)
def interval(path):
    def get(r):
        v = at(r, path)
        return None if v is None or v["upper"] is None else (v["lower"], v["upper"])
    return get
def content(r): return sum(s["bytes"] for s in r["file"]["sections"] if s["name"] != "ORGN")
def ratio(a, b): return None if a is None or not b else a / b
# What the names mean, and of which less is better, by hand.
meaning = {
    "content size": content,
    "content per triangle": lambda r: ratio(content(r), r["mesh"]["triangles"]),
    "triangles": number("mesh.triangles"), "vertices": number("mesh.vertices"), "components": number("mesh.components"),
    "open edges": number("mesh.edges_of_kind.boundary"), "flipped edges": number("mesh.edges_of_kind.flipped"),
    "non-manifold edges": number("mesh.edges_of_kind.non_manifold"),
    "dropped triangles": lambda r: sum(at(r, "mesh.removed." + k) for k in ("degenerate", "duplicate", "non_finite")),
    "largest vertex displacement": number("mesh.largest_displacement"), "area": number("mesh.area"), "volume": number("mesh.volume"),
    "hull volume": number("hull.volume"), "hull vertices": number("hull.vertices"),
    "box volume / hull volume": lambda r: ratio(at(r, "bounds.obb.volume"), at(r, "hull.volume")),
    "nodes": number("hierarchy.nodes"), "depth": number("hierarchy.depth"),
    "expected cost": number("hierarchy.cost.expected"), "measured cost": number("hierarchy.cost.measured.cost"),
    "abandoned queries": number("hierarchy.cost.measured.given_up"),
    "surface area cost": number("hierarchy.sah.cost"), "sibling overlap": number("hierarchy.overlap.mean"),
    "volume / optimum": number("hierarchy.fit.volume.mean"),
    "root error, all points": interval("hierarchy.hausdorff.solid.root"), "root error, boundary": interval("hierarchy.hausdorff.surface.root"),
    "mean error, all points": interval("hierarchy.hausdorff.solid.mean"), "mean error, boundary": interval("hierarchy.hausdorff.surface.mean"),
    "worst error, all points": interval("hierarchy.hausdorff.solid.max"), "worst error, boundary": interval("hierarchy.hausdorff.surface.max"),
    "parts": number("decomposition.parts"), "vertices of parts": number("decomposition.vertices"),
    "volume of parts": number("decomposition.volume"), "stand-off of parts": interval("decomposition.concavity"),
    "uncovered distance": number("decomposition.uncovered"),
}
calculated = ("content per triangle", "box volume / hull volume")
less = set("content size;content per triangle;open edges;flipped edges;non-manifold edges;box volume / hull volume;expected cost;"
           "measured cost;abandoned queries;surface area cost;sibling overlap;volume / optimum;root error, all points;root error, boundary;"
           "mean error, all points;mean error, boundary;worst error, all points;worst error, boundary;parts;vertices of parts;"
           "stand-off of parts".split(";"))
def all_queries(before, after):
    ends = [r["hierarchy"]["cost"]["measured"] for r in (before, after)]
    return all(e["given_up"] == 0 for e in ends) and ends[0]["draws"] == ends[1]["draws"]
def result(name, b, a, comparable, same_queries):
    if b is None or a is None: return "new" if b is None else "gone"
    if a == b: return "same"
    if name not in less or (name.endswith(" cost") and name != "surface area cost" and not comparable): return "different"
    if name == "measured cost" and not same_queries: return "different"
    (bl, bu), (al, au) = [v if isinstance(v, tuple) else (v, v) for v in (b, a)]
    return "better" if au < bl else "worse" if al > bu else "uncertain"
@functools.cache
def compare(a, b, comparable=True):
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
    seen = set()
    for m in c["measures"]:
        name = m["name"]
        seen.add(name)
        values = [meaning[name](report) for report in (before, after)]
        for side, value in zip(("before", "after"), values):
            given = m[side]
            if isinstance(given, dict): given = (given["lower"], given["upper"])
            if given == (None, None): given = None
            if name in calculated and value is not None: assert abs(given - value) <= 1e-12 * abs(value), (m, value)
            else: assert given == value, (m, value)
        assert m["result"] == result(name, *values, comparable, all_queries(before, after)), (m, comparable)
        assert m["matters"] == (m["result"] in ("better", "worse") and (m["change"] is None or abs(m["change"]) >= 0.01)), m
    assert all(meaning[n](before) is None and meaning[n](after) is None for n in set(meaning) - seen), seen
    for way in ("better", "worse"):
        listed = [m for m in c["measures"] if m["matters"] and m["result"] == way]
        listed.sort(key=lambda m: -abs(m["change"]) if m["change"] is not None else float("-inf"))
        assert c[way] == [m["name"] for m in listed], (way, c[way])
    found = [{(f["key"], f["severity"]) for f in r["findings"]} for r in (before, after)]
    assert {(f["key"], f["severity"]) for f in c["findings"]["new"]} == found[1] - found[0]
    assert {(f["key"], f["severity"]) for f in c["findings"]["gone"]} == found[0] - found[1]
    names = [p for p in sorted(set(before["tool"]["parameters"]) | set(after["tool"]["parameters"]))
             if before["tool"]["parameters"].get(p) != after["tool"]["parameters"].get(p)]
    assert sorted(c["parameters"]) == names, names
    assert c["verdict"] != "better" or "gone" not in [m["result"] for m in c["measures"]]
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
assert r["expected cost"] == "worse" and r["content size"] == "better" and c["verdict"] == "mixed"
assert r["root error, all points"] == "uncertain" or r["root error, all points"] == "same"
assert c["parameters"]["max-depth"] == {"before": "64", "after": "0"}
c = compare("coarse", "block")
assert results(c)["expected cost"] == "better"
for base, costs in (("block", "costly"), ("measured", "opening")):  # costs in other units say nothing
    c = compare(base, costs, False)
    assert results(c)["expected cost"] == results(c)["measured cost"] == "different", costs
    assert not {"expected cost", "measured cost"} & set(c["better"] + c["worse"])
# Queries of a heap take too long in any tree, and of other ones the mean is another one.
c = compare("heap", "heap2")
m = {m["name"]: m for m in c["measures"]}
assert 0 < m["abandoned queries"]["before"] < m["abandoned queries"]["after"] and "abandoned queries" in c["worse"], m["abandoned queries"]
assert m["measured cost"]["result"] == "different" and "measured cost" not in c["better"] + c["worse"]
assert results(compare("heap2", "heap"))["abandoned queries"] == "better"
# What is lost makes nothing better, though the file is smaller.
c = compare("block", "hull")
assert c["better"] == ["content size", "content per triangle"] and not c["worse"] and c["verdict"] == "different", c["better"]
# Halves are worse than what costs were weighed for, and one node is worse than a tree.
for good, bad, names in (("default", "halves", ("expected cost", "surface area cost")),
                         ("default", "root", ("mean error, all points", "mean error, boundary")),
                         ("block", "tetrahedron", ("box volume / hull volume",)), ("block", "flipped", ("flipped edges",)),
                         ("single", "two", ("parts", "vertices of parts")), ("two", "single", ("stand-off of parts",))):
    there, back = compare(good, bad), compare(bad, good)
    for name in names:
        assert results(there)[name] == "worse" and name in there["worse"], (good, bad, name, there["worse"])
        assert results(back)[name] == "better" and name in back["better"], (good, bad, name)
assert not compare("default", "halves")["better"] or compare("default", "halves")["verdict"] == "mixed"
# Only what less is better of: a fold of four edges.
c = compare("block", "flipped")
assert c["verdict"] in ("worse", "mixed") and {m["name"]: m["after"] for m in c["measures"]}["flipped edges"] == 4
# The box around the block is the block; no box around a tetrahedron has less than three times its volume.
m = {m["name"]: m for m in compare("block", "tetrahedron")["measures"]}["box volume / hull volume"]
assert abs(m["before"] - 1) < 1e-6 and m["after"] > 3 - 1e-6, m
for cut, share, matters in (("below", 0.0095, False), ("above", 0.0105, True)):
    c = compare("block", cut)
    m = {m["name"]: m for m in c["measures"]}["box volume / hull volume"]
    assert abs(m["change"] - (1 / (1 - share) - 1)) < 1e-6 and m["result"] == "worse" and m["matters"] is matters, m
    assert (m["name"] in c["worse"]) is matters
# A name is no content.
c = compare("block", "long")
assert c["verdict"] == "same" and not c["better"] and not c["worse"] and list(c["sections"]) == ["ORGN"]
# Turned inside out, every number that has a direction is what it was.
c = compare("block", "inside")
assert c["verdict"] in ("worse", "mixed") and ("mesh.inside_out", "bad") in {(f["key"], f["severity"]) for f in c["findings"]["new"]}
c = compare("inside", "block")
assert c["verdict"] in ("better", "mixed") and "mesh.inside_out" in [f["key"] for f in c["findings"]["gone"]]
# A tenth more is not the same.
c = compare("hull", "hull2")
assert c["verdict"] == "different" and results(c)["hull volume"] == "different" and not c["better"] and not c["worse"]
# Verdicts of pairs of which nothing else can be said.
for a, b, verdict in (("closed", "hole", "worse"), ("hole", "closed", "better")):
    assert compare(a, b)["verdict"] == verdict, (a, b, compare(a, b)["verdict"])
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

run 0 "$bvinspect" block.bvh --compare inside.bvh
check 'what was found' grep -qE '^  new +mesh.inside_out \(bad\)' out
run 0 "$bvinspect" -q block.bvh --compare moved.bvh --gate 'sections.HULL == null'
run 0 "$bvinspect" -q block.bvh --compare hull.bvh --gate 'sections.NODE.after == null and sections.NODE.before > 0'
run 6 "$bvinspect" -q block.bvh --compare moved.bvh --gate 'sections.HULL.after > 0'
run 1 "$bvinspect" block.bvh --compare open.bvh --compare moved.bvh
says 'bvinspect: --compare can be given once'
run 2 "$bvinspect" block.bvh --compare missing.bvh
says 'bvinspect: missing.bvh: No such file or directory'
run 2 "$bvinspect" block.bvh --compare block.obj
run 1 "$bvinspect" block.bvh moved.bvh --compare open.bvh
says 'bvinspect: --compare takes one FILE and one AFTER'
run 1 "$bvinspect" block.bvh --compare open.bvh --verify
run 1 "$bvinspect" block.bvh --compare open.bvh --csv
# What files were made of and how their coordinates are meant is told, and lengths in other units are not compared.
run 0 "$bvbuild" -q block.obj -o mm.bvh --units mm
run 0 "$bvbuild" -q block.obj -o cm.bvh --units cm
run 0 "$bvbuild" -q block.obj -o meters.bvh --units m
run 0 "$bvbuild" -q block.obj -o scaled.bvh --scale 2
run 0 "$bvbuild" -q block.obj -o up.bvh --up z
run 0 "$bvbuild" -q block.obj -o grid.bvh --positions quantized
mkdir later
cp moved.obj later/block.obj
run 0 "$bvbuild" -q later/block.obj -o later.bvh
while IFS='|' read -r before after told; do
	run 0 "$bvinspect" $before.bvh --compare $after.bvh
	check "$before $after: $(sed -n '/unlike/p' out)" test "$(sed -n '/^  unlike/,/^  meshes/p' out | sed '$d' | tr -s ' \n' ' ' | sed 's/ $//')" = "$told"
done <<'P'
block|moved| unlike different sources, block.obj and moved.obj
block|later| unlike the content of block.obj changed
block|mm| unlike different units of length, the source's units and m
block|scaled| unlike different units of length, the source's units and the source's units times 2
mm|cm| unlike different units in the sources, mm and cm
block|up| unlike different up axes, y and z
block|grid| unlike different forms of positions, float and quantized
block|block|
P
run 0 "$bvinspect" block.bvh --compare mm.bvh
check 'a distance in two units' grep -q '^  meshes     not compared, and neither are lengths: different units$' out
check 'no worse lengths' test "$(grep -cE 'error.*(better|worse)' out)" = 0
for key in distance.equal distance.relative.upper change.mesh.area change.bounds.obb.volume change.hull.volume \
	change.mesh.center_of_mass[0] 'change.hierarchy.levels[0].volume.mean' change.hierarchy.hausdorff.solid.mean.upper; do
	run 0 "$bvinspect" -q block.bvh --compare mm.bvh --gate "$key == null"
	run 6 "$bvinspect" -q mm.bvh --compare cm.bvh --gate "$key == null"
done
run 0 "$bvinspect" -q block.bvh --compare mm.bvh --gate 'not comparable_lengths and change.mesh.triangles == 0' \
	--gate 'abs(change.bounds.obb.ratio) < 0.1 and change.hierarchy.fit.volume.mean != null' \
	--gate 'change.hierarchy.cost.expected != null and change.hierarchy.hausdorff.solid.mean.relative.upper != null'
run 0 "$bvinspect" -q block.bvh --compare meters.bvh --gate 'comparable_lengths and distance.equal and count(unlike[]) == 1'
# Better in what both have, but without something: not a file that is neither.
run 0 "$bvbuild" -q block.obj -o without.bvh --sections=-hull
run 0 "$bvinspect" block.bvh --compare without.bvh
check 'something is gone' grep -q 'better in some measures, without others that were there before$' out
run 0 "$bvinspect" hull.bvh --compare hull2.bvh
check 'different' grep -q 'different, and nothing is certainly better or worse by 1 %$' out

finish

#!/bin/sh
# The HTML report from the command line: output paths, rejected options, and validity according to other
# parsers.
. "$(dirname "$0")/lib.sh"
DOCS=$(cd "$(dirname "$0")/../../docs" && pwd)
cd "$scratch" || exit 1

"$BUILD/make_samples" . || fail 'make_samples'
name='a <b>&"c'"'"'.obj'
cp broken.obj "$name"
# Decomposing the crate into 21 parts takes 2 s; 4 parts have rows in the same tables.
parts='--decompose-effort 0 --max-parts 4'
[ -z "${BV_THOROUGH:-}" ] || parts=
# shellcheck disable=SC2086
run 0 "$bvbuild" -q crate.obj -o crate.bvh --sections parts $parts --simplify 5% --report crate.html --report crate.json
run 0 "$bvbuild" -q "$name" -o odd.bvh --preset fast
run 0 "$bvbuild" -q stair.obj -o stair.bvh --preset fast --hausdorff 0.1 --decompose=5% --max-parts 6 --sections parts \
  --report stair.html --report stair.json
run 0 "$bvinspect" --html odd.html odd.bvh
check 'nothing is said' test ! -s out -a ! -s err
run 0 "$bvinspect" --json odd.bvh
cp out odd.json
run 0 "$bvbuild" -q crate.obj -o hull.bvh --sections none,hull
run 0 "$bvinspect" --html hull.html hull.bvh
run 0 "$bvinspect" --json hull.bvh
cp out hull.json

# As XML without scripts and style, every figure in a table that has an exact value beside it is in the JSON report, what
# links lead to is there, and nothing comes from elsewhere.
cat > page.py <<'P'
import base64, decimal, hashlib, json, re, sys, xml.etree.ElementTree as tree
name, title, picture, timed = sys.argv[1:5]
page = open(name + ".html", encoding="utf-8").read()
assert page.startswith("<!DOCTYPE html>\n")
bare = re.sub(r"(?s)(<(script|style)\b[^>]*>).*?</\2>", r"\1</\2>", page[len("<!DOCTYPE html>\n"):])
root = tree.fromstring(bare)
ids = [e.get("id") for e in root.iter() if e.get("id")]
assert len(ids) == len(set(ids))
for element in root.iter():
    assert element.get("href", "#main")[1:] in ids, element.get("href")
    assert element.get("src", "data:image/png;").startswith("data:image/png;")
    assert element.tag not in ("iframe", "object", "embed", "base") and element.get("action") is None, element.tag
assert root.find("body/header/h1/bdi").text == title
policies = [e.get("content") for e in root.iter("meta") if e.get("http-equiv") == "Content-Security-Policy"]
assert len(policies) == 1 and policies[0].startswith("default-src 'none';") and "http" not in policies[0]
scripts = re.findall(r"(?s)<script>(.*?)</script>", page)
digests = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
assert re.search(r"script-src ([^;]*);", policies[0])[1] == (" ".join(f"'sha256-{d}'" for d in digests) or "'none'")
assert (root.find(".//figure[@id='picture']/img") is not None) == (picture == "yes")
assert len(list(root.iter("table"))) > 2 and all(t.find("caption") is not None for t in root.iter("table"))
assert all(h.get("scope") for h in root.iter("th"))
assert all(i.get("alt") for i in root.iter("img"))

numbers = set()
def collect(item):
    if isinstance(item, dict):
        item = list(item.values())
    if isinstance(item, list):
        [collect(i) for i in item]
    elif isinstance(item, (int, float)) and not isinstance(item, bool):
        numbers.add(float(item))
report = json.load(open(name + ".json"))
collect(report)
values = [float(e.get("value")) for e in root.iter("data")]
assert len(values) > 20 and all(v in numbers for v in values), [v for v in values if v not in numbers][:3]
# Each cell of a table holds what its row and column say: by caption, where a row's numbers are and what each column shows
# of them. Keys joined by "to" are an interval; a % before a key is a share without its exact value, rounded here once more.
def at(item, path):
    for key in filter(None, path.split(".")):
        item = None if item is None else item[int(key)] if isinstance(item, list) else item.get(key)
    return item
def share(value, up):
    if value is None:
        return "\u2013"
    with decimal.localcontext() as context:
        context.prec, context.rounding = 3, decimal.ROUND_CEILING if up else decimal.ROUND_HALF_EVEN
        return f"{+(100 * decimal.Decimal(value)):f}"
def expect(cell, item, keys, where):
    text = "".join(cell.itertext())
    if keys.startswith("%"):
        wanted = share(at(item, keys[1:]), keys.endswith("upper"))
        got = text.replace(",", "").removesuffix(" %")
        assert got == wanted or "\u00d7" in got or float(got) == float(wanted), (where, got, wanted)
        return
    wanted = [at(item, key) for key in keys.split(" to ")]
    got = [float(e.get("value")) for e in cell.iter("data")]
    assert got == [w for w in wanted if w is not None], (where, got, wanted)
def interval(key):
    return f"{key}.lower to {key}.upper"
errors = {f"{word} {measure} error": interval(f"{measure}.{key}") for measure in ("surface", "solid")
          for word, key in (("Mean", "mean"), ("Largest", "max"))}
rows_of = {"Root": "root", "Mean over all nodes": "mean", "Largest over all nodes": "max"}
tables = {
    "Certified errors": (lambda row: {m: report["hierarchy"]["hausdorff"][m][rows_of[row]] for m in ("surface", "solid")}, {
        "Surface": interval("surface"), "Surface, upper bound": "%surface.relative.upper",
        "Solid": interval("solid"), "Solid, upper bound": "%solid.relative.upper"}),
    "Certified intervals of the nodes": (lambda row: report["hierarchy"]["levels"][int(row)]["hausdorff"], errors),
    "Certified intervals of each cut": (lambda row: report["hierarchy"]["levels"][int(row)]["cut"], errors),
    "Levels": (lambda row: report["hierarchy"]["levels"][int(row)], {
        "Nodes": "nodes", "Leaves": "leaves", "Triangles": "triangles", "Mean overlap": "%overlap.mean",
        "Mean area / optimum": "fit.area.mean"}),
    "Size of the volumes": (lambda row: report["hierarchy"]["levels"][int(row)], {
        f"{word} {size}": f"{size}.{key}" for size in ("volume", "area", "diameter")
        for word, key in (("Mean", "mean"), ("Largest", "max"))}),
    "Parts": (lambda row: report["decomposition"]["hulls"][int(row.removeprefix("part "))], {
        "Stand-off, mesh units": interval("concavity"), "Volume": "volume", "Vertices": "vertices", "Faces": "faces",
        "Neighbors": "neighbors", "Triangles": "triangles"}),
    "Certified largest distances of the proxy mesh": (lambda row: report["proxy"][
        {"Proxy mesh to mesh": "from_proxy", "Mesh to proxy mesh": "from_mesh"}[row]], {
        "Interval, mesh units": "lower to upper"}),
    "Primitives": (lambda row: report["recognised"][row], {
        "Mesh to primitive": interval("from_mesh"), "Primitive to mesh": interval("from_surface"),
        "Larger distance": interval("error")}),
    "Mean steps per query": (lambda row: report["hierarchy"]["cost"]["measured"] if row == "all" else next(
        o for o in report["hierarchy"]["cost"]["measured"]["offsets"]
        if f"{abs(100 * o['offset']):g} % {'deep' if o['offset'] < 0 else 'apart'}" == row), {
        "Poses": "poses", "Cost": "cost", "Volume tests": "volume_tests", "Nodes opened": "openings",
        "Leaf pairs": "leaf_pairs", "Triangle tests": "triangle_tests", "Pairs found": "pairs"}),
    "Sections by size": (lambda row: next(s for s in report["file"]["sections"] if s["name"] == row), {"Bytes": "bytes"}),
}
seen = set()
for table in root.iter("table"):
    caption = "".join(table.find("caption").itertext())
    known = [k for k in tables if caption.startswith(k)]
    if not known and caption.startswith("The 100 parts of"):
        known = ["Parts"]
    if not known:
        continue
    base, columns = tables[known[0]]
    seen.add(known[0])
    heads = ["".join(h.itertext()) for h in table.find("thead/tr")]
    for row in table.iter("tr"):
        if row.find("td") is None:
            continue
        cells = list(row)
        assert len(cells) == len(heads)
        name_of_row = "".join(cells[0].itertext())
        for head, cell in list(zip(heads, cells))[1:]:
            if head in columns:
                expect(cell, base(name_of_row), columns[head], (caption, name_of_row, head))
            else:
                assert head in ("Percent of the diagonal", "Size and position", "Content", "Share"), (caption, head)
wanted = {"Sections by size"}
if report["hierarchy"]["nodes"]:
    wanted |= {"Levels", "Size of the volumes"}
if at(report, "hierarchy.hausdorff.solid.root.upper") is not None:
    wanted |= {"Certified errors", "Certified intervals of the nodes", "Certified intervals of each cut"}
if report["decomposition"]["parts"]:
    wanted |= {"Parts"}
if report["proxy"]["triangles"]:
    wanted |= {"Certified largest distances of the proxy mesh"}
assert seen >= wanted, wanted - seen

# So does each tile: the large figure, then those in the line below it.
tiles = {
    "Triangles": ("mesh.triangles",),
    "File": (None, "file.bytes_per_triangle"),
    "Nodes": ("hierarchy.nodes", "hierarchy.leaves", "hierarchy.depth"),
    "Error of the root": ("%hierarchy.hausdorff.solid.root.relative.upper", "hierarchy.hausdorff.solid.root.upper"),
    "Mean error of nodes": ("%hierarchy.hausdorff.solid.mean.relative.upper", "hierarchy.hausdorff.solid.mean.upper"),
    "Cost near contact": ("hierarchy.cost.yardstick.ratio",),
    "Expected cost": ("hierarchy.cost.expected",),
    "Convex parts": ("decomposition.parts", "decomposition.concavity.upper"),
    "Oriented box": ("bounds.obb.ratio", "bounds.sphere.ratio"),
    "Proxy mesh": ("proxy.triangles", "proxy.%s.upper" % max(
        ("from_proxy", "from_mesh"), key=lambda k: at(report, f"proxy.{k}.upper") or 0)),
    "Shape": (None, f"recognised.{at(report, 'recognised.best')}.error.upper"),
}
for tile in root.findall(".//ul[@class='tiles']/li"):
    title = tile.find("span").text
    large, *below = tiles[title]
    if large:
        expect(tile.find("b"), report, large, title)
    got = [float(e.get("value")) for e in tile.findall("span/data")]
    assert got == [w for w in (at(report, key) for key in below) if w is not None], (title, got)

# What a tile says about its number, by the limits that docs/reports.md lists, and by what the mesh and its tolerances are.
def rank(value, good, poor):
    return None if value is None else "good" if value <= good else "poor" if value > poor else "usual"
mesh, parts, proxy = report["mesh"], report["decomposition"], report["proxy"]
sound = mesh["closed"] and mesh["manifold"] and mesh["oriented"]
judged = {"Triangles": "good" if sound else "usual" if mesh["oriented"] else "poor", "Shape": "good"}
if parts["tolerance"]:
    judged["Convex parts"] = ("good" if parts["concavity"]["upper"] <= parts["tolerance"] else
                              "poor" if parts["concavity"]["lower"] > parts["tolerance"] else "usual")
if proxy["triangles"]:
    judged["Proxy mesh"] = "good" if proxy["enclosed"] == mesh["triangles"] else "usual"
documented = re.findall(r"(?m)^\| `([a-z_.]+)`.* \| ([0-9.]+) \| ([0-9.]+) \|$", open(sys.argv[5], encoding="utf-8").read())
assert len(documented) == 5, documented
for key, good, poor in documented:
    title = next(t for t, keys in tiles.items() if key in [k and k.removeprefix("%") for k in keys])
    if key != "file.bytes_per_triangle" or mesh["triangles"] >= 1000 and not report["tool"]["parameters"].get("sections"):
        judged[title] = rank(at(report, key), float(good), float(poor))
for tile in root.findall(".//ul[@class='tiles']/li"):
    said = [e for e in tile.findall("span") if e.get("class", "").startswith("judge ")]
    wanted = judged.get(tile.find("span").text)
    assert [e.text for e in said] == ([wanted] if wanted else []), (tile.find("span").text, wanted, [e.text for e in said])
    assert all(e.get("class") == "judge " + e.text and e.get("title").startswith(e.text + ": ") for e in said)

# Each advice has a command, and a finding without advice has none.
for item in root.findall(".//ul[@class='findings']/li"):
    commands = item.findall(".//div[@class='command']")
    assert len(commands) == (item.find(".//p[@class='advice']") is not None), "".join(item.itertext())
    assert all(c.find("code").text.startswith("bvbuild ") and c.find("button").get("class") == "copy" for c in commands)
# The sentence about queries: how many were passed and given up stands where there are such.
queries = [e for e in root.iter("p") if "".join(e.itertext()).startswith("Measured:")]
measured = report["hierarchy"]["cost"]["measured"]
assert len(queries) == (measured["cost"] is not None), queries
for e in queries:
    told = [float(v.get("value")) for v in e.iter("data")]
    wanted = [measured[k] for k in ("cost", "poses", "draws")] + [measured[k] for k in ("passed", "given_up") if measured[k] > 0]
    assert told == wanted, (told, wanted)
    text = "".join(e.itertext())
    assert ("it missed the mesh" in text) == (measured["passed"] > 0) and ("were abandoned" in text) == (measured["given_up"] > 0), text
# And the sentence about what a preset would give.
about = [e for e in root.iter("p") if "".join(e.itertext()).startswith("For comparison")]
assert len(about) == (at(report, "hierarchy.cost.yardstick.cost") is not None), about
for e in about:
    got = [float(v.get("value")) for v in e.iter("data")]
    yardstick = report["hierarchy"]["cost"]["yardstick"]
    assert got == [yardstick[k] for k in ("nodes", "cost", "volume_tests", "triangle_tests", "ratio") if yardstick[k] is not None], got
assert ("Time and memory of the build" in bare) == (timed == "yes") == ("time" in report)
P
check 'a page of a build' python3 page.py crate crate.obj yes yes "$DOCS/reports.md"
check 'a page of a mesh with levels and parts of several sizes' python3 page.py stair stair.obj yes yes "$DOCS/reports.md"
check 'a page of a file with an odd name' python3 page.py odd "$name" yes no "$DOCS/reports.md"
check 'a page of a hull alone' python3 page.py hull crate.obj yes no "$DOCS/reports.md"
heap > heap.obj
run 0 "$bvbuild" -q heap.obj -o heap.bvh --report heap.html --report heap.json
python3 -c "import json; m = json.load(open('heap.json'))['hierarchy']['cost']['measured']; assert m['passed'] and m['given_up'] and m['draws']" || fail 'the heap has no such queries'
check 'a page of a heap' python3 page.py heap heap.obj yes yes "$DOCS/reports.md"
check 'defects lead into the view' grep -q 'data-show="edges:boundary"' odd.html
cp odd.html again.html
run 0 "$bvinspect" --html again.html odd.bvh
check 'the same page again' cmp -s odd.html again.html
check 'under 400 kB but for the view' test "$(sed '/<script/,/<\/script>/d' crate.html | wc -c)" -lt 400000


# Commands of findings: a shell runs what the page has. The command names the source, has the options of the build, and removes
# the finding if the advice is an option. A gate fails as long as the source is as it was.
cat > commands.py <<'P'
import re, sys, xml.etree.ElementTree as tree
page = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(re.sub(r"(?s)(<(script|style)\b[^>]*>).*?</\2>", r"\1</\2>", page[len("<!DOCTYPE html>\n"):]))
for code in root.findall(".//div[@class='command']/code"):
    print(code.text)
P
# follow PAGE ADVISED STATUS [KEPT]: runs the page's command with an advised option; KEPT is one of the build's.
follow()
{
	python3 commands.py "$1" | grep -F -e "$2" | head -n 1 > command
	check "$1 has a command with $2" test -s command
	check "$(cat command) has ${4:-bvbuild}" grep -q -F -e "${4:-bvbuild}" command
	(cd followed && PATH="$(dirname "$bvbuild"):$PATH" sh ../command > ../out 2> ../err)
	code=$?
	check "$(cat command) exits with $3, not $code" test "$code" -eq "$3"
}
mkdir followed
cp ./*.obj followed
run 0 "$bvbuild" -q rock.obj -o rock.bvh --report rock.html --report rock.json
check 'a page of a file that is judged by its size' python3 page.py rock rock.obj yes yes "$DOCS/reports.md"
follow odd.html '--gate mesh.closed' 6 '.obj'"'"' -o '
run 0 "$bvbuild" -q knot.obj -o dear.bvh --builder topdown --splitter median --collapse 0 --units cm --report dear.html \
  --report dear.json
follow dear.html '--preset balanced' 0 '--units cm'
run 0 "$bvinspect" --json followed/knot.bvh
check 'the finding is gone' sh -c 'grep -q hierarchy.cost dear.json && ! grep -q "\"hierarchy.cost\"" out'
run 0 "$bvbuild" -q cup.obj -o hollow.bvh --preset fast --report hollow.html
follow hollow.html '--hausdorff 0.1' 0 '--preset fast'
run 0 "$bvbuild" -q stair.obj -o few.bvh --preset fast --decompose=1% --max-parts 2 --report few.html
follow few.html '--max-parts 128' 0 '--decompose=1%'
run 0 "$bvbuild" -q rock.obj -o full.bvh --leaf-triangles 64 --collapse 0 --report full.html
follow full.html '--leaf-triangles 17' 0 '--collapse 0'
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 1 2 0' 'v 0 2 0' 'v 0 0 3' 'v 1 0 3' 'v 1 2 3' 'v 0 2 3' 'f 4 3 2 1' 'f 5 6 7 8' \
  'f 1 2 6 5' 'f 2 3 7 6' 'f 3 4 8 7' 'f 4 1 5 8' > box.obj
cp box.obj followed
run 0 "$bvbuild" -q box.obj -o box.bvh --report box.html
follow box.html '--sections none,primitives' 0
follow box.html '--sections none,hull' 0

# Every gate that a command can have is a condition.
sed -n '/^} gates\[\] = {/,/^};/s/^\t{ "[a-z_.]*", "\(.*\)" },$/\1/p' "$DOCS/../src/offline/report/html/command.c" > gates
check 'gates of commands' test "$(wc -l < gates)" -ge 10
while read -r gate
do
	"$bvinspect" box.bvh --gate "$gate" > out 2> err
	code=$?
	check "$gate is a condition" test "$code" -eq 0 -o "$code" -eq 6
done < gates

# Lengths are in meters if the source's unit was given and positions are not normalized.
check 'meters' grep -q 'Lengths are in meters' dear.html
check 'square meters' grep -q ' m²' dear.html
check 'mesh units' grep -q 'Lengths are in mesh units' crate.html
run 0 "$bvbuild" -q knot.obj -o unit.bvh --preset fast --units cm --normalize --report unit.html
check 'no unit of normalized positions' grep -q 'Lengths are in mesh units' unit.html

run 1 "$bvinspect" --html odd.bvh odd.bvh
says 'bvinspect: odd.bvh: is both the input and the output'
run 1 "$bvinspect" --html '' odd.bvh
says 'bvinspect: --html needs a name'
run 1 "$bvinspect" --html x.html --json odd.bvh
run 4 "$bvinspect" --html nowhere/x.html odd.bvh
run 2 "$bvinspect" --html x.html crate.obj
check 'no page is left of failures' test ! -e x.html
run 1 "$bvbuild" -q crate.obj -o crate2.bvh --report x.htm
says "bvbuild: --report takes a file that ends in .json or .html, not 'x.htm'"
check 'refused before the build' test ! -e crate2.bvh
run 1 "$bvbuild" -q crate.obj -o crate2.bvh --report a.html --report a.html
says 'bvbuild: a.html: is given as a report twice'

# Several files: a page each, which is that of the file alone, and an index. Names that are equal get numbers, and a file
# that cannot be read has a row without a link.
mkdir sub
cp hull.bvh sub/odd.bvh
cp hull.bvh index.bvh
cp hull.bvh '50% #1?.bvh'
head -c 500 odd.bvh > damaged.bvh
run 2 "$bvinspect" odd.bvh sub/odd.bvh index.bvh damaged.bvh '50% #1?.bvh' missing.bvh --html pages/
says 'bvinspect: damaged.bvh: the file is truncated
bvinspect: missing.bvh: No such file or directory'
check 'nothing is printed' test ! -s out
check 'the pages' test "$(ls pages | tr '\n' '|')" = '50% #1?.html|index.2.html|index.html|odd.2.html|odd.html|'
check 'a page is that of its file' cmp -s odd.html pages/odd.html
check 'the one of equal name too' cmp -s pages/odd.2.html pages/index.2.html
cat > index.py <<'P'
import os, sys, urllib.parse, xml.etree.ElementTree as tree
path, *expected = sys.argv[1:]
page = tree.parse(path).getroot()
rows = [[cell for cell in row] for row in page.iter("tr")][1:]
width = len(next(page.iter("tr")))
said = []
for row in rows:
    links = list(row[0].iter("a"))
    for link in links:
        at = os.path.join(os.path.dirname(path), urllib.parse.unquote(link.get("href")))
        assert open(at, encoding="utf-8").read().startswith("<!DOCTYPE html>"), at
    assert sum(int(cell.get("colspan", 1)) for cell in row) == width
    said.append("".join(row[0].itertext()) + ("" if links else ": " + "".join(row[1].itertext())))
    if links and said[-1] == "inside.bvh":
        assert row[1].text == "108" and row[2].text == "yes" and "faces inward" in row[-1].text, [cell.text for cell in row]
assert said == expected, said
P
check 'the index' python3 index.py pages/index.html odd.bvh sub/odd.bvh index.bvh \
  'damaged.bvh: damaged.bvh: the file is truncated' '50% #1?.bvh' \
  'missing.bvh: missing.bvh: No such file or directory'
awk '/^f/ { line = "f"; for ( i = NF; i > 1; --i ) line = line " " $i; print line; next } { print }' crate.obj > inside.obj
run 0 "$bvbuild" -q inside.obj -o inside.bvh --preset fast
run 0 "$bvinspect" odd.bvh inside.bvh --html all.html
check 'pages beside an index' test "$(ls all_pages | tr '\n' '|')" = 'inside.html|odd.html|'
check 'which it leads to' python3 index.py all.html odd.bvh inside.bvh
run 0 "$bvinspect" odd.bvh --html pages
check 'one file into a folder' python3 index.py pages/index.html odd.bvh
# Only pages are replaced, and nothing is written where the index cannot be.
echo mine > all_pages/odd.html
run 1 "$bvinspect" odd.bvh hull.bvh --html all.html
says 'bvinspect: all_pages/odd.html: exists and is not a page of bvbuild, so it is not replaced (--force-output replaces it)'
check 'it is still there' test "$(cat all_pages/odd.html)" = mine
check 'and the index says so' python3 index.py all.html 'odd.bvh: all_pages/odd.html: exists and is not a page of bvbuild, so it is not replaced (--force-output replaces it)' hull.bvh
rm all_pages/hull.html
echo mine > all.html
run 1 "$bvinspect" odd.bvh hull.bvh --html all.html
check 'no page without an index' test ! -e all_pages/hull.html -a "$(cat all.html)" = mine
run 0 "$bvinspect" odd.bvh hull.bvh --html all.html --force-output
cp odd.bvh all.html
run 1 "$bvinspect" all.html hull.bvh --html all.html --force-output
says 'bvinspect: all.html: is both an input and an output'
check 'the input is still there' cmp -s odd.bvh all.html
run 4 "$bvinspect" odd.bvh hull.bvh --html odd.bvh/
says 'bvinspect: odd.bvh/: is not a directory'
run 6 "$bvinspect" odd.bvh hull.bvh --html gated/ --gate 'mesh.triangles < 0'
check 'with gates' test -e gated/odd.html -a -e gated/index.html
finish

#!/bin/sh
# The HTML report as a person asks for it: where it is written, what is refused, and what other parsers make of it.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

"$BUILD/make_samples" . || fail 'make_samples'
name='a <b>&"c'"'"'.obj'
cp broken.obj "$name"
run 0 "$bvbuild" -q crate.obj -o crate.bvh --sections parts --report crate.html --report crate.json
run 0 "$bvbuild" -q "$name" -o odd.bvh --preset fast
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
import base64, hashlib, json, re, sys, xml.etree.ElementTree as tree
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
assert ("How long the build took" in bare) == (timed == "yes") == ("time" in report)
P
check 'a page of a build' python3 page.py crate crate.obj yes yes
check 'a page of a file with an odd name' python3 page.py odd "$name" yes no
check 'a page of a hull alone' python3 page.py hull crate.obj yes no
check 'defects lead into the view' grep -q 'data-show="edges:boundary"' odd.html
cp odd.html again.html
run 0 "$bvinspect" --html again.html odd.bvh
check 'the same page again' cmp -s odd.html again.html
check 'under 400 kB but for the view' test "$(sed '/<script/,/<\/script>/d' crate.html | wc -c)" -lt 400000

run 1 "$bvinspect" --html odd.bvh odd.bvh
says 'bvinspect: odd.bvh: is the input and the output'
run 1 "$bvinspect" --html '' odd.bvh
says 'bvinspect: --html needs a name'
run 1 "$bvinspect" --html x.html odd.bvh hull.bvh
says 'bvinspect: --html takes one file'
run 1 "$bvinspect" --html x.html --json odd.bvh
run 4 "$bvinspect" --html nowhere/x.html odd.bvh
run 2 "$bvinspect" --html x.html crate.obj
check 'no page is left of failures' test ! -e x.html
run 1 "$bvbuild" -q crate.obj -o crate2.bvh --report x.htm
says "bvbuild: --report takes a file that ends in .json or .html, not 'x.htm'"
check 'refused before the build' test ! -e crate2.bvh
run 1 "$bvbuild" -q crate.obj -o crate2.bvh --report a.html --report a.html
says 'bvbuild: a.html: is given as a report twice'
finish

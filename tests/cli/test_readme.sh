#!/bin/sh
# README.md shows real output: what `make demo` prints today is what stands there. The lines that tell of the hull are
# left out, since qhull may round otherwise on other processors.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch" || exit 1
mkdir -p build/demo
"$BUILD/make_samples" build/demo || fail 'make_samples'

# Says a command as make does, and runs it.
demo()
{
	echo "build/$*"
	program=$1
	shift
	"$BUILD/$program" "$@" 2>&1
}
gear=build/demo/gear
{
	demo bvbuild $gear.obj -o $gear.bvh --report $gear.json
	demo bvinspect $gear.bvh
	demo bvinspect --verify $gear.bvh
} | grep -v '^    hull \|^  bytes ' > got
sed -n '/^build\/bvbuild build\/demo\/gear.obj/,/^```/p' "$root/README.md" |
	grep -v '^```\|^    hull \|^  bytes ' > expected
check 'the README shows something' test "$(wc -l < expected)" -ge 10
check 'the README shows what make demo prints' diff expected got

# So does formats/bvh/README.md: a file byte by byte.
sed -n '/^<!-- begin example -->/,/^<!-- end example -->/p' "$root/formats/bvh/README.md" | grep -v '^<!--\|^```' > expected
sh "$root/tests/cli/run_example.sh" > got
check 'the example shows a whole file' grep -q '^0660 .* slack$' got
check 'formats/bvh/README.md shows the bytes that are written' diff expected got

# The report's keys are those that formats/report/README.md lists, all of them. Braces stand for one of what is in them,
# and a name that begins with a point hangs where the one before it did.
cat > keys.py <<'P'
import json, re, sys

# The keys in the first columns of the tables. The headings of the sections say what they are part of.
parts = ("mesh", "bounds", "hull", "recognised", "decomposition", "hierarchy", "hierarchy.hausdorff", "file")
listed = set()
prefix = ""
is_about_keys = True
for line in open(sys.argv[1]):
    if line.startswith("## ") and listed:
        break  # what follows is about other documents
    heading = re.match(r"### (.*)", line)
    if heading:
        name = re.search("`(.*?)`", heading[1])[1]
        prefix = name + "." if name in parts else ""
        is_about_keys = name != "findings"  # whose table lists values
    if not is_about_keys:
        continue
    cell = re.match(r"\| (`.*?) \|", line)
    last = ""
    for key in re.findall("`(.*?)`", cell[1]) if cell else []:
        key = last.rpartition(".")[0] + key if key.startswith(".") else key
        last = key
        key = prefix + key.replace("[]", "")
        options = [key]
        while any("{" in o for o in options):
            options = [o.replace(found[0], one, 1) for o in options for found in [re.search("{(.*?)}", o)]
                       for one in found[1].split(",")]
        listed.update(options)

# What stands in objects whose keys are data, or that are said to be as others, is not listed by itself.
def paths(value, path):
    if path == "findings":
        return
    if isinstance(value, list):
        for item in value:
            yield from paths(item, path)
    elif isinstance(value, dict) and path not in ("tool.parameters", "hierarchy.degrees", "hierarchy.types", "hierarchy.cost.volume_test"):
        for key, item in value.items():
            yield from paths(item, (path + "." if path else "") + key)
    else:
        yield path

alike = [("hierarchy.root", "bounds.obb"), ("hierarchy.root", "bounds.aabb"),
         ("recognised.box", "bounds.obb"), ("recognised.sphere", "bounds.sphere"),
         ("recognised.capsule", "bounds.capsule"), ("hull.principal", "mesh.principal"),
         ("mesh.surface.principal", "mesh.principal")]
written = {path for name in sys.argv[2:] for path in paths(json.load(open(name)), "")}
def is_listed(path):
    names = [path] + [other + path[len(name):] for name, other in alike if path.startswith(name + ".")]
    return any(name in listed for name in names)
def is_written(key):
    return any(path == key or path.startswith(key + ".") for path in written)
wrong = [path + " is not listed" for path in sorted(written) if not is_listed(path)]
wrong += [key + " is listed but not written" for key in sorted(listed) if not is_written(key)]
print("\n".join(wrong))
sys.exit(bool(wrong) or len(listed) < 100)
P
run 0 "$bvbuild" -q $gear.obj -o parts.bvh --decompose --max-parts 3 --sections part-triangles --report parts.json
check 'formats/report/README.md lists all keys' python3 keys.py "$root/formats/report/README.md" $gear.json parts.json

# Every option of --help is one that the parser knows, and its text is not empty.
for tool in bvbuild bvinspect; do
	"$BUILD/$tool" --help > help
	check "$tool: --help lists options" test "$(grep -c ' --[a-z]' help)" -ge 9
	for name in $(sed -n 's/^  \(   \|-.,\) --\([a-z-]*\).*/\2/p' help); do
		"$BUILD/$tool" "--$name=" > out 2> err < /dev/null
		check "$tool knows --$name" test -z "$(grep 'unknown option' err)"
	done
done
finish

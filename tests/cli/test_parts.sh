#!/bin/sh
# Convex parts from the command line: options, errors, reports, and exports that other programs read.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# On small meshes threads do little but wait; what is said of threads below names its number of them.
OMP_NUM_THREADS=1
export OMP_NUM_THREADS

"$BUILD/make_samples" . || fail 'make_samples'
printf 'v 1 0 1\nv 1 0 -1\nv -1 0 -1\nf 1 2 3\n' > one.obj
# An L of two boxes, whose parts take 0.05 s. Those of the crate take 0.7 s.
ell 4 4 1 1 > l.obj
shape=l.obj
effort='--decompose-effort 0'
if [ "${BV_THOROUGH:-}" ]; then
	shape=crate.obj
	effort=
fi

# What is refused.
for option in '--decomposer planes' '--decompose-mode solid' '--decompose-effort 2' '--max-parts 3' '--max-part-vertices 8' \
	'--min-thickness 1' '--probe-radius 1' '--time-budget 5'; do
	# shellcheck disable=SC2086
	refused 1 "${option%% *} needs --decompose" one.obj $option
done
for value in -1 -1% nan x % '1 %' inf; do
	refused 1 "--decompose takes a length, or N%, or 0, not '$value'" one.obj --decompose="$value"
done
refused 1 "--decompose takes at most 100%, not '101%'" one.obj --decompose=101%
refused 1 "unknown decomposer 'best' (--help=all lists all)" one.obj --decompose --decomposer best
refused 1 "--decompose-mode takes automatic, solid or surface, not 'shell'" one.obj --decompose --decompose-mode shell
refused 1 "--decompose-effort takes a whole number from 0 to 2, not '3'" one.obj --decompose --decompose-effort 3
refused 1 "--max-parts takes a whole number from 1 to 4096, not '0'" one.obj --decompose --max-parts 0
refused 1 "--max-parts takes a whole number from 1 to 4096, not '4097'" one.obj --decompose --max-parts 4097
refused 1 "--max-part-vertices takes a whole number from 4 to 255, not '3'" one.obj --decompose --max-part-vertices 3
refused 1 "--max-part-vertices takes a whole number from 4 to 255, not '256'" one.obj --decompose --max-part-vertices 256
refused 1 "--min-thickness takes a number of at least 0, not '-1'" one.obj --decompose --min-thickness -1
refused 1 "--probe-radius takes a number of at least 0, not '1%'" one.obj --decompose --probe-radius 1%
refused 1 "--time-budget takes a number of at least 0, not 'x'" one.obj --decompose --time-budget x
refused 1 '--time-budget takes at most 1000000 seconds' one.obj --decompose --time-budget 1e7
refused 1 "--progress takes auto, always or never, not 'no'" one.obj --decompose --progress no
refused 1 '--decompose adds the section that --sections -parts removes' one.obj --decompose --sections -parts
refused 1 "--sections: the section 'part-triangles' needs the section 'parts'" one.obj --sections part-triangles
refused 1 "--sections: the section 'part-triangles' needs the section 'mesh'" one.obj --sections none,parts,part-triangles

# A value stands behind an equals sign, or behind a blank if it is an amount and no file.
refused 2 '0.5: No such file or directory' 0.5 --decompose
run 0 "$bvbuild" -q one.obj -o equals.bvh --decompose=5%
run 0 "$bvbuild" -q one.obj -o blank.bvh --decompose 5%
check 'both are the same' cmp -s equals.bvh blank.bvh
run 0 "$bvbuild" -q --decompose 5% one.obj -o before.bvh
check 'also before the input' cmp -s equals.bvh before.bvh
refused 1 "--decompose takes a length, or N%, or 0, not '-5%'" one.obj --decompose -5%
touch 7
refused 1 "$scratch/refused.bvh: is not a folder, and there are several inputs (end it with / to create it)" one.obj --decompose 7
rm 7
mkdir folder
run 2 "$bvbuild" -q --decompose missing.obj one.obj -o folder
check 'what follows --decompose is an input if it is no amount' grep -qxF 'bvbuild: missing.obj: No such file or directory' err

# has SECTIONS FILE: the file has them, and of PART and PTRI no other.
has()
{
	"$bvinspect" --json "$2" > has.json
	check "$2 has the parts '$1'" python3 -c '
import json, sys
names = [s["name"] for s in json.load(open("has.json"))["file"]["sections"]]
assert [n for n in names if n in ("PART", "PTRI")] == sys.argv[1].split(), names' "$1"
}

# Parts are there when they are asked for, by the option or by the section's name. How good they are is of no account here.
least='--decompose-effort 0'
run 0 "$bvbuild" -q crate.obj -o none.bvh
has '' none.bvh
check 'nor are their options written down' sh -c "! '$bvinspect' none.bvh | grep -q 'decompose\|max-parts'"
run 0 "$bvbuild" -q $shape -o plain.bvh --decompose $least
has PART plain.bvh
run 0 "$bvbuild" -q $shape -o percent.bvh --decompose=1% $least
check 'the default is one percent' cmp -s plain.bvh percent.bvh
run 0 "$bvbuild" -q $shape -o named.bvh --sections parts $least
check 'as by the name of the section' cmp -s plain.bvh named.bvh
run 0 "$bvbuild" -q $shape -o lists.bvh --sections part-triangles --decompose $least
has 'PART PTRI' lists.bvh
run 0 "$bvbuild" -q $shape -o bare.bvh --sections none,parts $least
has PART bare.bvh
run 0 "$bvbuild" -q $shape -o few.bvh --decompose --sections none,mesh --max-parts 2 $least
has PART few.bvh
for file in plain lists bare few; do
	run 0 "$bvinspect" --verify "$file.bvh"
done

# What was asked for is written down.
run 0 "$bvbuild" -q crate.obj -o told.bvh --time-budget 900 --max-parts 7 --min-thickness 0.125 --decompose=0.25 --probe-radius 0.5 \
	--max-part-vertices 20 --decompose-mode surface --decompose-effort 0 --decomposer planes
run 0 "$bvinspect" told.bvh
"$bvinspect" --json told.bvh | tr -d '\n\t"' > line
check 'options are written down' grep -q ",decompose:0.25,max-parts:7,max-part-vertices:20,min-thickness:0.125,probe-radius:0.5,\
decompose-mode:surface,decomposer:planes,decompose-effort:0,time-budget:900," line
check 'the summary tells of parts' grep -qE '^  parts      [0-9]+ surface convex parts?, [0-9,]+ vertices, [0-9,]+ faces,( total volume |$)' out
check 'and how far they are off' grep -qE '(^ +|, )tolerance 0.25,$|(^ +|, )tolerance 0.25, mesh outside' out
for preset in fast:0 balanced:1 best:2; do
	run 0 "$bvbuild" -q one.obj -o preset.bvh --preset "${preset%:*}" --decompose
	check "the effort of $preset" sh -c "'$bvinspect' --json preset.bvh | grep -q '\"decompose-effort\":.\"${preset#*:}\"'"
done
run 0 "$bvbuild" -q one.obj -o preset.bvh --decompose-effort 0 --preset best --decompose
check 'an explicit effort wins' sh -c "'$bvinspect' --json preset.bvh | grep -q '\"decompose-effort\":.\"0\"'"

# Caps, modes and tolerances on several shapes, and what the report says of them.
cat > report.py <<'P'
import json, sys
parts, corners, mode, tolerance = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
r = json.load(open("out"))
d = r["decomposition"]
hulls = d["hulls"]
assert 1 <= d["parts"] == len(hulls) <= parts, d["parts"]
assert all(4 <= h["vertices"] <= corners and h["faces"] == 2 * h["vertices"] - 4 for h in hulls)
assert d["vertices"] == sum(h["vertices"] for h in hulls) and d["faces"] == sum(h["faces"] for h in hulls)
assert d["concavity"] == {bound: max(h["concavity"][bound] for h in hulls) for bound in ("lower", "upper")}
assert 0 <= d["concavity"]["lower"] <= d["concavity"]["upper"] and d["uncovered"] >= 0
assert d["mode"] == mode and d["out_of_time"] is False
assert abs(d["volume"] - sum(h["volume"] for h in hulls)) <= 1e-9 * d["volume"]
lower, upper = (r["bounds"]["aabb"][key] for key in ("lower", "upper"))
diagonal = sum((b - a) ** 2 for a, b in zip(lower, upper)) ** 0.5
assert abs(d["tolerance"] - tolerance * diagonal) <= 1e-9 * diagonal, d["tolerance"]
P
# Each cap with each mesh and each mode, but not all three at once.
if [ "${BV_THOROUGH:-}" ]; then
	combinations=$(for mesh in crate stair; do for caps in 1:8 3:255 5:16; do echo $mesh:$caps:solid $mesh:$caps:surface; done; done)
else
	combinations='crate:1:8:solid crate:3:255:surface crate:5:16:solid stair:1:8:surface stair:3:255:solid stair:5:16:surface'
fi
for combination in $combinations; do
	mode=${combination##*:}
	mesh=${combination%%:*}
	caps=${combination#*:}
	caps=${caps%:*}
	run 0 "$bvbuild" -q "$mesh.obj" -o caps.bvh --decompose=2% --max-parts "${caps%:*}" --max-part-vertices "${caps#*:}" \
		--decompose-mode $mode --decompose-effort 0
	run 0 "$bvinspect" --json caps.bvh
	check "$mesh: at most $caps $mode" python3 report.py "${caps%:*}" "${caps#*:}" $mode 0.02
	run 0 "$bvinspect" --verify caps.bvh
done
run 0 "$bvbuild" -q stair.obj -o cut.bvh --decompose=0 --max-parts 4 $effort
run 0 "$bvinspect" --verify cut.bvh
run 0 "$bvinspect" --json cut.bvh
check 'a tolerance of 0 leaves it to the number' python3 report.py 4 64 solid 0

# Any number of threads: the same bytes.
for threads in 1 2 3; do
	run 0 "$bvbuild" -q stair.obj -o "t$threads.bvh" --decompose --max-parts 6 $effort --threads $threads --sections part-triangles
	check "$threads threads give the same bytes" cmp -s t1.bvh "t$threads.bvh"
done

# Progress goes to standard error, and not into a file unless it is asked for.
run 0 "$bvbuild" stair.obj -o told.bvh --decompose --max-parts 3 $effort
check 'no progress but on a terminal' test "$(grep -vc 'above the tolerance of' err)" = 1
check 'a tolerance that is missed is told of' grep -q '^bvbuild: stair.obj: Part [0-9]* has a stand-off of ' err
run 0 "$bvbuild" -q --force stair.obj -o told.bvh --decompose --max-parts 3 $effort --progress always
check 'progress that is asked for' test "$(wc -l < err)" -ge 1
grep 'building convex parts: ' err > parts
check 'is tenths that grow' sh -c "grep -vxE 'bvbuild: stair.obj: building convex parts: (100|[1-9]0) %' parts | grep -q . && exit 1
	sed 's/.*: \([0-9]*\) %/\1/' parts | sort -nuc"
run 0 "$bvbuild" -q --force stair.obj -o told.bvh --decompose --max-parts 3 $effort --progress never
check 'and none that is not' test ! -s err

# OBJ: an object for each part, numbered through, closed, with the volume that the report has.
run 0 "$bvbuild" -q stair.obj -o parts.bvh --decompose --max-parts 4 $effort
run 0 "$bvinspect" parts.bvh --export parts,parts.obj --export hull,hull.OBJ --export mesh,mesh.obj
check 'an export prints nothing' test ! -s out -a ! -s err
run 0 "$bvinspect" --json parts.bvh
mv out parts.json
cat > parts.py <<'P'
import json
hulls = json.load(open("parts.json"))["decomposition"]["hulls"]
points, objects = [], []
for line in open("parts.obj"):
    kind, *rest = line.split()
    if kind == "o":
        objects.append((rest[0], len(points), []))
    elif kind == "v":
        points.append([float(x) for x in rest])
    elif kind == "f":
        objects[-1][2].append([int(x) - 1 for x in rest])
assert [name for name, first, faces in objects] == [f"part_{i}" for i in range(len(hulls))]
ends = [first for name, first, faces in objects][1:] + [len(points)]
for (name, first, faces), end, hull in zip(objects, ends, hulls):
    assert len(faces) == hull["faces"] and end - first == hull["vertices"]
    assert {corner for face in faces for corner in face} == set(range(first, end))
    sides = {(f[k], f[(k + 1) % 3]) for f in faces for k in range(3)}
    assert len(sides) == 3 * len(faces) and all((b, a) in sides for a, b in sides)
    volume = 0
    for f in faces:
        a, b, c = ([points[i][k] - points[first][k] for k in range(3)] for i in f)
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    assert abs(volume - hull["volume"]) <= 1e-6 * hull["volume"], (volume, hull["volume"])
P
check 'parts as OBJ' python3 parts.py
run 0 "$bvbuild" parts.obj --list-objects
check 'are objects to bvbuild' test "$(grep -c 'part_[0-9]' out)" = "$(grep -c '^o ' parts.obj)"
run 0 "$bvbuild" -q hull.OBJ -o hull.bvh
run 0 "$bvinspect" --json hull.bvh
check 'the hull is one' python3 -c '
import json
a, b = (json.load(open(name)) for name in ("out", "parts.json"))
assert a["mesh"]["closed"] and abs(a["mesh"]["volume"] - b["hull"]["volume"]) <= 1e-9 * b["hull"]["volume"]
assert a["mesh"]["triangles"] == b["hull"]["faces"]'

# What is written reads back equal, in both forms of positions.
for form in float quantized; do
	run 0 "$bvbuild" -q gear.obj -o first.bvh --sections none,mesh --positions $form --scale 0.7
	run 0 "$bvinspect" first.bvh --export mesh,first.obj
	run 0 "$bvbuild" -q first.obj -o second.bvh --sections none,mesh --positions $form
	run 0 "$bvinspect" second.bvh --export mesh,second.obj
	check "a mesh of $form positions comes back" cmp -s first.obj second.obj
done

# glTF: the container and the JSON in it by the specification, and the same parts in it as in the OBJ file.
run 0 "$bvinspect" parts.bvh --export parts,parts.glb
cat > glb.py <<'P'
import json, struct
data = open("parts.glb", "rb").read()
magic, version, length = struct.unpack_from("<4sII", data)
assert magic == b"glTF" and version == 2 and length == len(data) and length % 4 == 0
json_bytes, kind = struct.unpack_from("<I4s", data, 12)
assert kind == b"JSON" and json_bytes % 4 == 0
g = json.loads(data[20:20 + json_bytes])
size, kind = struct.unpack_from("<I4s", data, 20 + json_bytes)
assert kind == b"BIN\0" and 28 + json_bytes + size == length
buffer = data[28 + json_bytes:]
assert g["asset"]["version"] == "2.0" and g["buffers"] == [{"byteLength": size}]
assert g["scenes"][g["scene"]]["nodes"] == list(range(len(g["nodes"])))
assert len({tuple(m["pbrMetallicRoughness"]["baseColorFactor"]) for m in g["materials"]}) == len(g["nodes"])
assert all(0 <= c <= 1 for m in g["materials"] for c in m["pbrMetallicRoughness"]["baseColorFactor"])
used = 0
def read(index, form, width, kind, target):
    global used
    accessor = g["accessors"][index]
    view = g["bufferViews"][accessor["bufferView"]]
    assert accessor["type"] == kind and view["buffer"] == 0 and view["target"] == target
    count = accessor["count"] * (3 if kind == "VEC3" else 1)
    assert view["byteLength"] == count * width and view["byteOffset"] % 4 == 0
    used = max(used, view["byteOffset"] + view["byteLength"])
    return struct.unpack_from(f"<{count}{form}", buffer, view["byteOffset"]), accessor
lines = []
first = 0
for node in g["nodes"]:
    primitive, = g["meshes"][node["mesh"]]["primitives"]
    values, accessor = read(primitive["attributes"]["POSITION"], "f", 4, "VEC3", 34962)
    assert accessor["componentType"] == 5126
    points = [values[i:i + 3] for i in range(0, len(values), 3)]
    for bound, pick in ("min", min), ("max", max):
        exact = [struct.unpack("<f", struct.pack("<f", x))[0] for x in accessor[bound]]
        assert exact == [pick(p[k] for p in points) for k in range(3)]
    corners, accessor = read(primitive["indices"], "H", 2, "SCALAR", 34963)
    assert accessor["componentType"] == 5123 and max(corners) < len(points)
    lines.append(("o", node["name"]))
    lines += [("v", *p) for p in points]
    lines += [("f", *(first + 1 + c for c in corners[i:i + 3])) for i in range(0, len(corners), 3)]
    first += len(points)
assert (used + 3) // 4 * 4 == size
single = lambda x: struct.unpack("<f", struct.pack("<f", float(x)))[0]
read_as = {"o": str, "v": single, "f": int}
expected = [tuple([w[0]] + [read_as[w[0]](x) for x in w[1:]]) for w in map(str.split, open("parts.obj")) if w[0] != "#"]
assert lines == expected
P
check 'parts as glTF' python3 glb.py
run 0 "$bvbuild" parts.glb --list-objects
check 'which Assimp reads' test "$(grep -c 'part_[0-9]' out)" = "$(grep -c '^o ' parts.obj)"
run 0 "$bvinspect" parts.bvh --export mesh,mesh.glb --export hull,hull.glb
run 0 "$bvbuild" -q mesh.glb -o mesh.bvh --sections none,mesh
run 0 "$bvinspect" mesh.bvh
check 'a mesh as glTF is closed' grep -q 'closed, manifold' out

# A mesh of more vertices than indices of two bytes can name.
awk 'BEGIN {
	for ( i = 0; i < 70000; ++i ) print "v", int( i / 2 ), i % 2, i % 3
	for ( i = 1; i < 69998; i += 2 ) print "f", i, i + 1, i + 2
}' > many.obj
run 0 "$bvbuild" -q many.obj -o many.bvh --sections none,mesh
run 0 "$bvinspect" many.bvh --export mesh,many.glb
run 0 "$bvbuild" -q many.glb -o back.bvh --sections none,mesh
run 0 "$bvinspect" --json back.bvh
check 'indices of four bytes' grep -q '"triangles":	34999,' out

# Flat hulls are polygons, others may have no face at all.
printf 'v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 3 0\nv 0 1 0\nf 1 2 3 4 5\n' > flat.obj
run 0 "$bvbuild" -q flat.obj -o flat.bvh
run 0 "$bvinspect" flat.bvh --export hull,flat-hull.obj
check 'a flat hull is a fan' test "$(grep -c '^f 1 ' flat-hull.obj)" = 3

# What can't be exported.
run 2 "$bvinspect" none.bvh --export parts,x.obj
says 'bvinspect: none.bvh: has no convex parts (bvbuild --decompose makes them)'
run 2 "$bvinspect" bare.bvh --export mesh,x.obj
says 'bvinspect: bare.bvh: has no triangles'
run 2 "$bvinspect" bare.bvh --export hull,x.glb
says 'bvinspect: bare.bvh: has no hull'
check 'nothing is left' test ! -e x.obj -a ! -e x.glb -a ! -e x.obj.bvtmp
run 1 "$bvinspect" parts.bvh --export part,x.obj
says "bvinspect: unknown content for --export 'part' (did you mean 'parts'?)"
run 1 "$bvinspect" parts.bvh --export parts
says "bvinspect: --export takes WHAT,PATH, not 'parts'"
run 1 "$bvinspect" parts.bvh --export parts,
run 3 "$bvinspect" parts.bvh --export parts,x.stl
says 'bvinspect: x.stl: the extension is not that of a supported format (--help=all lists them)'
run 3 "$bvinspect" parts.bvh --export parts,folder.obj/x
run 4 "$bvinspect" parts.bvh --export parts,nowhere/x.obj
says 'bvinspect: nowhere/x.obj: cannot be written: No such file or directory'
cp parts.bvh parts-file.obj
run 1 "$bvinspect" parts-file.obj --export parts,./parts-file.obj
says 'bvinspect: parts-file.obj: is both the input and the output'
check 'and is as it was' cmp -s parts.bvh parts-file.obj
run 1 "$bvinspect" parts.bvh none.bvh --export mesh,x.obj
says 'bvinspect: --export takes one file'
run 1 "$bvinspect" parts.bvh --json --export mesh,x.obj
says 'bvinspect: --json, --findings, --html, --compare, --verify, --export, --collide, --distance, --contacts, --inside, --triangles and tables exclude each other'
run 1 "$bvinspect" --measure-costs --export mesh,x.obj
cp parts.bvh damaged.bvh
printf 'X' | dd of=damaged.bvh bs=1 seek=2000 conv=notrunc 2> /dev/null
run 2 "$bvinspect" damaged.bvh --export parts,x.obj
says 'bvinspect: damaged.bvh: a section does not match its checksum'
run 0 "$bvinspect" --help=all
check 'help lists what can be exported' test "$(grep -cE '^  (mesh|hull|parts|proxy|level=N|cut=LENGTH|cut=N%|bounds|primitive|obj|ply|glb)  ' out)" = 12

finish

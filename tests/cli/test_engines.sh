#!/bin/sh
# Exported bodies: glTF with physics and URDF, read by tests/cli/read_bodies.py, by Debian's check_urdf and by Khronos' glTF
# validator, which npm fetches once.

. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

# python3 may be another one than Debian's, which has scipy.
for python in /usr/bin/python3 python3; do
	$python -c 'import scipy' 2> /dev/null && break
done
validator=$BUILD/gltf
mkdir -p "$validator"
package=gltf-validator@2.0.0-dev.3.10
if [ ! -d "$validator/node_modules/gltf-validator" ]; then
	timeout 300 npm install --prefix "$validator" --no-audit --no-fund --ignore-scripts "$package" > "$scratch/npm" 2>&1 ||
		{ sed 's/^/    /' "$scratch/npm"; fail "npm could not install $package"; finish; }
fi
export NODE_PATH="$validator/node_modules"
cat > "$scratch/validate.js" << 'J'
const { validateBytes } = require("gltf-validator"), fs = require("fs");
// That it does not know the extensions, nor what only they refer to, is no fault.
const known = ["UNSUPPORTED_EXTENSION", "UNUSED_OBJECT"];
(async () => {
	let wrong = 0;
	for (const name of process.argv.slice(2)) {
		const report = await validateBytes(new Uint8Array(fs.readFileSync(name)));
		for (const m of report.issues.messages.filter(m => !known.includes(m.code))) {
			console.log(name, m.code, m.message, m.pointer);
			++wrong;
		}
	}
	process.exitCode = wrong ? 1 : 0;
})();
J
cd "$scratch" || exit 1
"$BUILD/make_samples" . > /dev/null

# body SHAPE WHAT NAME [AS]: NAME.bvh is exported as WHAT to AS.glb and AS.urdf. That it collides as SHAPE is checked below, of all
# bodies at once.
: > bodies
body()
{
	as=${4:-$3}
	run 0 "$bvinspect" "$3.bvh" --export "$2,$as.glb" --export "$2,$as.urdf"
	[ -e "$3.json" ] || "$bvinspect" --json "$3.bvh" > "$3.json"
	echo "$3.json $1 $as.glb $as.urdf" >> bodies
	run 0 check_urdf "$as.urdf"
}

# Primitives, however they lie. No body depends on the hierarchy, whose report takes up to 1 s each.
sections='--sections none,mesh,hull,primitives'
# Parts of the surface are found in a third of the time that solid ones take.
mode='--decompose-mode surface'
if [ "${BV_THOROUGH:-}" ]; then
	sections=
	mode=
fi
"$python" "$here/make_solids.py" . > solids
check 'there are solids' test "$(wc -l < solids)" = 22
while read -r name shape; do
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q --preset fast --recognise 1% "$name.obj" -o "$name.bvh" --density 2.5 $sections
	body "$shape" body "$name"
done < solids

# Parts, the hull, the mesh; with a mass and without one; by what the file has.
# shellcheck disable=SC2086
run 0 "$bvbuild" -q --preset fast cup.obj -o cup.bvh --decompose=5% --max-parts 12 $mode --mass 0.4 --up z --units cm
body parts body cup
body hull body=hull cup cup_hull
body mesh body=mesh cup cup_mesh
run 0 "$bvbuild" -q --preset fast gear.obj -o gear.bvh --positions quantized
body hull body gear
run 0 "$bvbuild" -q --preset fast --recognise 1% capsule_far.obj -o bare.bvh --sections none,primitives --density 1
body capsule body bare
check 'there are bodies' test "$(wc -l < bodies)" = 27
# shellcheck disable=SC2046
check 'bodies collide as what they are' "$python" "$here/read_bodies.py" $(cat bodies)
check 'a primitive alone is text only' test "$(od -An -tu4 -j12 -N4 bare.glb | tr -d ' ')" = $(($(wc -c < bare.glb) - 20))
check 'the glTF files are valid' node validate.js ./*.glb

# Formats without bodies get what collides.
run 0 "$bvinspect" cup.bvh --export body,body.obj --export parts,parts.obj
check 'as OBJ a body is its parts' cmp body.obj parts.obj

# The names of files and robots can be anything that XML can hold.
run 0 "$bvinspect" cup.bvh --export 'body,<a & "b">é.urdf'
check 'a name is escaped' grep -qF '<robot name="&lt;a &amp; &quot;b&quot;&gt;é">' '<a & "b">é.urdf'
check 'and that of its files' grep -qF '<mesh filename="&lt;a &amp; &quot;b&quot;&gt;é_part_0.obj"/>' '<a & "b">é.urdf'
check 'which are there' test -s '<a & "b">é_part_0.obj'
run 0 check_urdf '<a & "b">é.urdf'
mkdir folder.d
run 0 "$bvinspect" cup.bvh --export body,folder.d/cup.URDF
check 'files are beside the robot' cmp folder.d/cup_part_3.obj cup_part_3.obj
check 'which names them without the folder' grep -q '"cup_part_3.obj"' folder.d/cup.URDF
run 1 "$bvinspect" cup.bvh --export body,"$(printf 'a\001.urdf')"
says "bvinspect: a?.urdf: the file name has characters that XML cannot represent"

# All files or none.
mkdir none.d
mkdir none.d/cup_part_5.obj
run 4 "$bvinspect" cup.bvh --export body,none.d/cup.urdf
says 'bvinspect: none.d/cup_part_5.obj: is a directory'
check 'nothing else is written' test "$(ls none.d)" = cup_part_5.obj
rmdir none.d/cup_part_5.obj
mkdir none.d/cup_part_7.obj.bvtmp
run 4 "$bvinspect" cup.bvh --export body,none.d/cup.urdf
check 'nothing is left behind' test "$(ls none.d)" = cup_part_7.obj.bvtmp

run 1 "$bvinspect" cup.bvh --export parts,x.urdf
says 'bvinspect: x.urdf: URDF can store bodies only (--export body,PATH)'
run 1 "$bvinspect" cup.bvh --export body=x,x.glb
says "bvinspect: body: 'x' is not one of primitive, parts, hull, mesh"
run 2 "$bvinspect" gear.bvh --export body=parts,x.glb
says 'bvinspect: gear.bvh: has no convex parts (bvbuild --decompose makes them)'
run 2 "$bvinspect" cup.bvh --export body=primitive,x.glb
run 0 "$bvbuild" -q cup.obj -o empty.bvh --sections none
run 2 "$bvinspect" empty.bvh --export body,x.glb
says 'bvinspect: empty.bvh: has no triangles'
check 'no file is left' test ! -e x.glb -a ! -e x.urdf
finish

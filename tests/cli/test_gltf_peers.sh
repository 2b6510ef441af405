#!/bin/sh
# glTF against others: Khronos' validator finds the same files of make_gltf.py invalid, and what gltfpack and draco_encoder make of
# meshes is read as the same triangles. npm fetches the first two once.

. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

# python3 may be another one than Debian's, which has scipy.
for python in /usr/bin/python3 python3; do
	$python -c 'import scipy' 2> /dev/null && break
done
peers=$BUILD/gltf-peers
mkdir -p "$peers"
for package in gltf-validator@2.0.0-dev.3.10 gltfpack@1.3.0; do
	if [ ! -d "$peers/node_modules/${package%@*}" ]; then
		timeout 300 npm install --prefix "$peers" --no-audit --no-fund --ignore-scripts "$package" > "$scratch/npm" 2>&1 ||
			{ sed 's/^/    /' "$scratch/npm"; fail "npm could not install $package"; finish; }
	fi
done
export NODE_PATH="$peers/node_modules"
cd "$scratch" || exit 1

mkdir files
check 'the files are written' python3 "$here/make_gltf.py" files
cat > validate.js << 'J'
const { validateBytes } = require("gltf-validator"), fs = require("fs");
process.chdir("files");
const read = async uri => new Uint8Array(fs.readFileSync(decodeURIComponent(uri)));
(async () => {
	let wrong = 0;
	for (const list of ["valid", "invalid"]) {
		for (const name of fs.readFileSync(list + ".txt", "utf8").trim().split("\n")) {
			let errors = [{ code: "thrown" }];
			try {
				const report = await validateBytes(new Uint8Array(fs.readFileSync(name)), { externalResourceFunction: read });
				errors = report.issues.messages.filter(m => m.severity === 0);
			} catch (e) {} // a broken container
			if ((errors.length > 0) !== (list === "invalid")) {
				console.log(`    ${name} is ${list}, the validator says: ${errors.map(m => m.code)}`);
				++wrong;
			}
		}
	}
	process.exitCode = wrong ? 1 : 0;
})();
J
check 'the validator agrees' node validate.js

# same A.obj B.obj STEP: as many triangles, each within STEP, in parts of the size, of one of the other.
cat > same.py << 'P'
import sys

import numpy
from scipy.spatial import cKDTree


def triangles(path):
    points, corners = [], []
    for line in open(path, encoding="utf-8"):
        word, *rest = line.split()
        if word == "v":
            points.append([float(v) for v in rest])
        elif word == "f":
            corners.append([int(v) - 1 for v in rest])
    points = numpy.array(points)
    return points, points[numpy.array(corners)]


def normals(faces):
    return numpy.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])


(points, first), (_, second) = (triangles(path) for path in sys.argv[1:3])
size = (points.max(axis=0) - points.min(axis=0)).max()
step = float(sys.argv[3]) * size
if len(first) != len(second):
    sys.exit(f"    {len(first)} and {len(second)} triangles")
distance, other = cKDTree(second.mean(axis=1)).query(first.mean(axis=1))
if distance.max() > step:
    sys.exit(f"    {distance.max() / size:.3g} of the size apart, not at most {step / size:.3g}")
if len(set(other)) < 0.99 * len(first):
    sys.exit("    triangles are not the same")
# Of triangles that the step does not turn, all face the same way.
a, b = normals(first), normals(second[other])
large = (numpy.linalg.norm(a, axis=1) > 100 * step * numpy.sqrt(numpy.linalg.norm(a, axis=1)) + 100 * step * step)
if (numpy.einsum("ij,ij->i", a, b)[large] <= 0).any():
    sys.exit("    a triangle faces the other way")
P

"$BUILD/make_samples" . > /dev/null
packed=0
for mesh in crate gear stair; do
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.bvh --sections none,mesh
	run 0 "$bvinspect" $mesh.bvh --export mesh,$mesh.glb --export mesh,there.obj
	while read -r step options; do
		# shellcheck disable=SC2086
		check "gltfpack $options" node "$peers/node_modules/gltfpack/cli.js" -i $mesh.glb -o packed.glb $options
		run 0 "$bvbuild" -q packed.glb -o packed.bvh --force --sections none,mesh
		run 0 "$bvinspect" packed.bvh --export mesh,here.obj
		check "$mesh, gltfpack $options: the same triangles" $python same.py there.obj here.obj "$step"
		packed=$((packed + 1))
	done <<- 'END'
		1e-6 -noq
		6.2e-5
		1e-3 -vp 10
		3.1e-5 -vp 15
		6.2e-5 -vpn
		6.2e-5 -vpi
		6.2e-5 -vpf
		6.2e-5 -c
		6.2e-5 -cc
		1e-3 -cc -vp 10
		6.2e-5 -c -vpf
		6.2e-5 -c -kn -km
		6.2e-5 -c -mi
	END
	while read -r step options; do
		# shellcheck disable=SC2086
		check "draco_encoder $options" draco_encoder -i there.obj -o packed.drc $options > /dev/null
		python3 - packed.drc > packed.gltf <<- 'P'
			import base64, json, re, sys
			data = open(sys.argv[1], "rb").read()
			obj = open("there.obj", encoding="utf-8").read()
			counts = [len(re.findall(f"^{word} ", obj, re.M)) for word in "vf"]
			print(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
			    "extensionsUsed": ["KHR_draco_mesh_compression"], "extensionsRequired": ["KHR_draco_mesh_compression"],
			    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "extensions": {
			        "KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}}]}],
			    "accessors": [{"componentType": 5126, "type": "VEC3", "count": counts[0]},
			                  {"componentType": 5125, "type": "SCALAR", "count": 3 * counts[1]}],
			    "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
			    "buffers": [{"byteLength": len(data),
			                 "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}))
		P
		run 0 "$bvbuild" -q packed.gltf -o packed.bvh --force --sections none,mesh
		run 0 "$bvinspect" packed.bvh --export mesh,here.obj
		check "$mesh, draco_encoder $options: the same triangles" $python same.py there.obj here.obj "$step"
		packed=$((packed + 1))
	done <<- 'END'
		5e-4 -cl 7
		6.2e-5 -qp 14 -cl 10
		6.2e-5 -qp 14 -cl 0
		1e-6 -qp 24 -cl 5
	END
done
check 'all were packed' test $packed = 51

# Instances: gltfpack makes EXT_mesh_gpu_instancing of nodes with one mesh.
python3 - << 'P'
import json
import struct
import sys
data = open("crate.glb", "rb").read()
length, = struct.unpack_from("<I", data, 12)
document = json.loads(data[20:20 + length])
rest = data[20 + length:]
document["nodes"] = [{"mesh": 0, "translation": [9 * i, i % 3, 0], "scale": [1 + i / 10] * 3} for i in range(12)]
document["scenes"] = [{"nodes": list(range(12))}]
text = json.dumps(document).encode()
text += b" " * (-len(text) % 4)
with open("many.glb", "wb") as out:
    out.write(struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest)
P
run 0 "$bvbuild" -q many.glb -o many.bvh --sections none,mesh
run 0 "$bvinspect" many.bvh --export mesh,there.obj
check 'gltfpack -mi' node "$peers/node_modules/gltfpack/cli.js" -i many.glb -o packed.glb -noq -mi
check 'gltfpack makes instances' grep -aq EXT_mesh_gpu_instancing packed.glb
run 0 "$bvbuild" -q packed.glb -o packed.bvh --force --sections none,mesh
run 0 "$bvinspect" packed.bvh --export mesh,here.obj
check 'instances: the same triangles' $python same.py there.obj here.obj 1e-5
finish

#!/bin/sh
# Godot takes what bvinspect exports with its names for shapes: a convex one per part, and a mesh for a mesh. Godot 3.2 of Debian's
# godot3-server, without a window. It runs its own decomposition over each convex shape, so that corners differ; Godot 4 does not.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch" || exit 1
export HOME="$scratch"

"$BUILD/make_samples" . > made
mkdir project
printf 'config_version=4\n\n[application]\n\nconfig/name="shapes"\n' > project/project.godot
cp "$root/tests/engines/shapes.gd" project

for mesh in gear cup knot; do
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.bvh --decompose=3% --units mm
	run 0 "$bvinspect" $mesh.bvh --export parts,project/$mesh.glb --naming godot
	run 0 "$bvinspect" $mesh.bvh --export parts,$mesh.obj --force-output
done
run 0 "$bvinspect" cup.bvh --export body=mesh,project/whole.glb --naming godot
run 0 "$bvinspect" cup.bvh --export mesh,whole.obj
timeout 120 godot3-server --path project --editor --quit > import.log 2>&1
for mesh in gear cup knot whole; do
	timeout 60 godot3-server --path project -s shapes.gd res://$mesh.glb 2> /dev/null | sed -n 's/^shape //p' > $mesh.shapes
	# Files are in meters, exports with names in the unit of the source.
	python3 "$root/tests/engines/check_shapes.py" $mesh.shapes $mesh.obj 1000 0.05 > said 2>&1
	check "$mesh: $(cat said)" grep -q '^equal' said
	echo "$mesh: $(cat said)"
done
finish

#!/bin/sh
# The short forms of docs/pipelines.md, sections "Build systems" and "Many machines", each as it is there, completed by as little as
# possible.
. "$(dirname "$0")/lib.sh"
use_installed
needs make ninja cmake meson parallel
cd "$scratch" || exit 1
mkdir meshes
"$BUILD/make_samples" meshes > "$scratch/made"
cp meshes/crate.obj meshes/gate.obj
cp "$root/samples/make/meshes/"lamp.* meshes
sed 's/^{$/{ "allow-unmatched": true,/' "$root/samples/make/collision.json" > collision.json
printf 'meshes/rock.obj\nmeshes/gate.obj\nmeshes/lamp.gltf\n' > assets.txt

# block LANGUAGE SECTION: the lines of all examples in that language in a section.
block()
{
	awk -v language="$1" -v section="$2" '/^## / { inside = $0 == "## " section } /^```/ { shown = inside && $0 == "```" language; next } shown' \
		"$root/docs/pipelines.md"
}

# made FOLDER NAME...: these files are there and sound.
made()
{
	folder=$1
	shift
	for name in "$@"; do
		check "$folder/$name.bvh is sound" bvinspect --verify -q "$folder/$name.bvh"
	done
}

{
	echo 'all: collision/rock.bvh collision/gate.bvh'
	block make 'Build systems'
} > Makefile
run 0 make
made collision rock gate
run 0 make -q
touch meshes/rock.obj
run 0 make
check 'Make calls bvbuild for the rock' test "$(grep -c 'bvbuild -q.*rock' "$scratch/out")" = 1
run 0 make -q
rm -r collision

{
	block ninja 'Build systems'
	echo 'build collision/rock.bvh: bvh meshes/rock.obj'
	echo 'build collision/lamp.bvh: bvh meshes/lamp.gltf'
} > build.ninja
run 0 ninja
made collision rock lamp
touch meshes/lamp.bin
run 0 ninja
check 'Ninja calls bvbuild for the lamp' grep -q '\[1/1\]' "$scratch/out"
run 0 ninja
check 'and then has nothing to do' grep -q 'no work to do' "$scratch/out"
rm -r collision
run 0 sh -c "$(block sh 'Build systems')"
run 0 ninja -f assets.ninja
made collision rock gate lamp
rm -r collision

bvbuild -q meshes/gate.obj -o gate.bvh
bvinspect gate.bvh --export mesh,meshes/gate.glb > "$scratch/made"
echo 'int main( void ) { return 0; }' > game.c
{
	printf 'cmake_minimum_required(VERSION 3.20)\nproject(game LANGUAGES C)\nadd_executable(game game.c)\n'
	block cmake 'Build systems'
} > CMakeLists.txt
run 0 cmake -S . -B cmake -G Ninja
run 0 cmake --build cmake
made cmake/collision rock gate

{
	echo "project('game')"
	block meson 'Build systems'
} > meson.build
run 0 meson setup meson
run 0 ninja -C meson
made meson rock
run 0 ninja -C meson
check 'Meson has nothing to do' grep -q 'no work to do' "$scratch/out"

# A cluster of one task at a time.
for task in 1 2 3 200; do
	run 0 env SLURM_ARRAY_TASK_ID=$task sh -c "$(block sh 'Many machines' | sed -n 1p)"
done
made collision rock gate lamp
rm -r collision
run 0 sh -c "$(block sh 'Many machines' | sed -n 2p)"
made collision rock gate lamp
finish

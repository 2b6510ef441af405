#!/bin/sh
# samples/cmake from its README's line, by Ninja, and by Makefiles: what has to be made again after each kind of change, the game's
# files among it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/incremental.sh"
use_installed
needs cmake ninja make
cp -R "$usr" "$scratch/prefix"
all='lamp,old well,steps'
outputs=build/collision
build()
{
	cmake --build build
}
ran()
{
	sed -n 's|.*Building collision data collision/\(.*\)\.bvh.*|\1|p' "$scratch/said"
}

# rows GENERATOR: from a tree that is built.
rows()
{
	check "$1: three files" test "$(look | wc -l)" = 3
	check "$1: they are sound" sound build/collision/*.bvh
	run 0 build/game build/collision/*.bvh
	check "$1: the game reads them" grep -qx 'build/collision/steps.bvh: 20 triangles, 2 parts' "$scratch/out"
	idle "$1: nothing"
	#   what is changed                               bvbuild is called for  what is written anew
	row "$1: a mesh is touched"                       steps                  ''              touch meshes/steps.obj
	row "$1: a mesh is edited"                        steps                  steps           widen_steps
	row "$1: a mesh with a blank is edited"           'old well'             'old well'      replace 's/^0.5 /0.6 /' 'meshes/old well.ply'
	row "$1: a file that shapes nothing is edited"    steps                  ''              replace 's/0.6/0.7/' meshes/steps.mtl
	row "$1: a file that a mesh is in is edited"      lamp                   lamp            widen_lamp
	row "$1: settings of one mesh"                    "$all"                 lamp            replace 's/"fast"/"fast", "positions": "quantized"/' collision.json
	row "$1: settings are laid out otherwise"         "$all"                 ''              replace 's/{ "/{  "/' collision.json
	row "$1: an output is removed"                    lamp                   lamp            rm build/collision/lamp.bvh
	row "$1: other options"                           "$all"                 "$all"          replace 's/--weld 0/--scale 2/' CMakeLists.txt
	row "$1: something else in CMakeLists.txt"        ''                     ''              replace 's/^# A game/# The game/' CMakeLists.txt
	row "$1: bvbuild is another"                      "$all"                 ''              touch "$scratch/prefix/bin/bvbuild"
	refuses "$1: a file that a mesh is in is gone" lamp.bvh mv meshes/lamp.bin lamp.bin
	row "$1: and is there again"                      lamp                   ''              sh -c 'mv lamp.bin meshes/; touch meshes/lamp.bin'
	row "$1: a mesh has another name"                 stairs                 stairs          sh -c 'mv meshes/steps.obj meshes/stairs.obj; sed -i s/steps/stairs/ CMakeLists.txt'
}

CMAKE_PREFIX_PATH=$scratch/prefix
LD_LIBRARY_PATH=$scratch/prefix/lib
recipe cmake
run 0 sh -c "$(first_command cmake)"
rows Ninja

cd "$scratch" && rm -rf "a cmake" && recipe cmake
run 0 sh -c "$(first_command cmake | sed "s/-G Ninja/-G 'Unix Makefiles'/")"
rows Makefiles
finish

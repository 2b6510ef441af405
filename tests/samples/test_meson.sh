#!/bin/sh
# samples/meson from its README's line, and what Meson's Ninja file has to do after each kind of change: as in test_ninja.sh, but
# outputs that are up to date become newer, since Meson has no restat for them.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/incremental.sh"
use_installed
needs meson ninja
cp "$usr/bin/bvbuild" "$scratch/bin/bvbuild"
all='lamp,old well,steps'
outputs=build
# What `meson compile` does, without its second of Python each time.
build()
{
	ninja -C build -v
}
ran()
{
	sed -n "s|.* -o '*\([^']*\)\.bvh'* -- .*|\1|p" "$scratch/said"
}
recipe meson
run 0 sh -c "$(first_command meson)"
check 'three files' test "$(look | wc -l)" = 3
check 'they are sound' sound build/*.bvh
run 0 build/game build/*.bvh
check 'the game reads them' grep -qx 'build/steps.bvh: 20 triangles, 2 parts' "$scratch/out"
idle 'nothing'
#   what is changed                           bvbuild is called for  what is written anew
row 'a mesh is touched'                       steps                  ''              touch meshes/steps.obj
row 'a mesh is edited'                        steps                  steps           widen_steps
row 'a mesh with a blank is edited'           'old well'             'old well'      replace 's/^0.5 /0.6 /' 'meshes/old well.ply'
row 'a file that shapes nothing is edited'    steps                  ''              replace 's/0.6/0.7/' meshes/steps.mtl
row 'a file that a mesh is in is edited'      lamp                   lamp            widen_lamp
row 'settings of one mesh'                    "$all"                 lamp            replace 's/"fast"/"fast", "positions": "quantized"/' collision.json
row 'settings are laid out otherwise'         "$all"                 ''              replace 's/{ "/{  "/' collision.json
row 'an output is removed'                    lamp                   lamp            rm build/lamp.bvh
row 'other options'                           "$all"                 "$all"          replace "s/'--weld', '0'/'--scale', '2'/" meson.build
row 'something else in meson.build'           ''                     ''              replace 's/^# A game/# The game/' meson.build
row 'bvbuild is another'                      "$all"                 ''              touch "$scratch/bin/bvbuild"
refuses 'a file that a mesh is in is gone' lamp.bvh mv meshes/lamp.bin lamp.bin
row 'and is there again'                      lamp                   ''              sh -c 'mv lamp.bin meshes/; touch meshes/lamp.bin'
row 'a mesh has another name'                 stairs                 stairs          sh -c 'mv meshes/steps.obj meshes/stairs.obj; sed -i s/steps/stairs/g meson.build'
finish

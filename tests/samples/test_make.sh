#!/bin/sh
# samples/make from its README's line, and what Make has to do after each kind of change: GNU Make calls bvbuild for each target
# that is older than a prerequisite or missing; bvbuild then builds what would be another file, and makes the others newer.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/incremental.sh"
use_installed
needs make
recipe make
# A program of our own, to be touched.
cp "$usr/bin/bvbuild" "$scratch/bin/bvbuild"
outputs=collision
all='lamp,old well,steps'
options=
build()
{
	# shellcheck disable=SC2086
	make $options
}
ran()
{
	sed -n 's|.* -o "collision/\(.*\)\.bvh" -- .*|\1|p' "$scratch/said"
}

run 0 sh -c "$(first_command make)"
check 'three files' test "$(look | wc -l)" = 3
check 'they are sound' sound collision/*.bvh
check 'the settings count for some' sh -c "bvinspect --json collision/steps.bvh | grep -q '\"parts\":.2,'"
idle 'nothing'

#   what is changed                           bvbuild is called for  what is written anew
row 'a mesh is touched'                       steps                  ''                     touch meshes/steps.obj
row 'a mesh is edited'                        steps                  steps                  widen_steps
row 'a mesh whose name has a blank is touched' 'old well'            ''                     touch 'meshes/old well.ply'
row 'a mesh whose name has a blank is edited' 'old well'             'old well'             replace 's/^0.5 /0.6 /' 'meshes/old well.ply'
row 'a file that shapes nothing is edited'    steps                  ''                     replace 's/0.6/0.7/' meshes/steps.mtl
row 'a file that a mesh is in is touched'     lamp                   ''                     touch meshes/lamp.bin
row 'a file that a mesh is in is edited'      lamp                   lamp                   widen_lamp
row 'settings of one mesh'                    "$all"                 lamp                   replace 's/"fast"/"fast", "positions": "quantized"/' collision.json
row 'settings are laid out otherwise'         "$all"                 ''                     replace 's/{ "/{  "/' collision.json
row 'an output is removed'                    lamp                   lamp                   rm collision/lamp.bvh
row 'a folder is removed'                     "$all"                 "$all"                 rm -r collision
row 'bvbuild is another'                      "$all"                 ''                     touch "$scratch/bin/bvbuild"
options='OPTIONS=--scale=2'
row 'other options'                           "$all"                 "$all"                 true
options=
row 'the options of before'                   "$all"                 "$all"                 true

# Make looks at times only. What is damaged is made again as soon as bvbuild is called for it.
row 'an output is damaged'                    ''                     ''                     damage collision/lamp.bvh
row 'and its mesh is touched'                 lamp                   lamp                   touch meshes/lamp.gltf
damage collision/steps.bvh
options=--always-make
build > "$scratch/said" 2>&1
options=
check 'a damaged output is found by --always-make' sound collision/*.bvh

refuses 'a file that a mesh is in is gone' lamp.bvh mv meshes/lamp.bin lamp.bin
row 'and is there again'                      lamp                   ''                     sh -c 'mv lamp.bin meshes/; touch meshes/lamp.bin'
refuses 'a mesh is no mesh' steps.bvh sh -c 'mv meshes/steps.obj .; echo v > meshes/steps.obj'
row 'and is one again'                        steps                  ''                     sh -c 'mv steps.obj meshes/; touch meshes/steps.obj'
row 'a file that shapes nothing is gone'      steps                  ''                     rm meshes/steps.mtl

row 'a mesh is new, in a folder'              props/box              props/box              sh -c 'mkdir meshes/props; cp meshes/steps.obj meshes/props/box.obj'
row 'a mesh has another name'                 stairs                 stairs                 mv meshes/steps.obj meshes/stairs.obj
check 'what it was is left' test -e collision/steps.bvh
run 0 make prune
check 'until it is pruned' test ! -e collision/steps.bvh
check 'and nothing else' test "$(look | wc -l)" = 4
idle 'after that'

# The same from anywhere: what Make was told is what one call makes.
mkdir "$scratch/plain"
run 0 bvbuild -q --config collision.json --root meshes -o "$scratch/plain/" meshes/stairs.obj meshes/lamp.gltf \
	'meshes/old well.ply' meshes/props/box.obj
for file in lamp 'old well' stairs props/box; do
	check "$file is what one call makes" cmp -s "collision/$file.bvh" "$scratch/plain/$file.bvh"
done
finish

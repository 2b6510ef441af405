#!/bin/sh
# samples/ninja from its README's lines, and what Ninja has to do after each kind of change: it runs a command whose output is
# missing or older than an input, or that is another command than last time; where that leaves an output's time as it was
# (restat), nothing has happened. Both for the file written by hand and for one by bvbuild --emit-ninja.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/incremental.sh"
use_installed
needs ninja
recipe ninja
# A program of our own, to be touched.
cp "$usr/bin/bvbuild" "$scratch/bin/bvbuild"
outputs=collision
all='lamp,old well,steps'
ran()
{
	sed -n "s|.*\] bvbuild '*collision/\([^']*\)\.bvh'*\$|\1|p" "$scratch/said"
}

# What both have in common, from a tree that is built. $1 is the Ninja file.
common_rows()
{
	idle 'nothing'
	#   what is changed                           bvbuild is called for  what is written anew
	row 'a mesh is touched'                       steps                  ''                 touch meshes/steps.obj
	row 'a mesh is edited'                        steps                  steps              widen_steps
	row 'a mesh whose name has a blank is touched' 'old well'            ''                 touch 'meshes/old well.ply'
	row 'a mesh whose name has a blank is edited' 'old well'             'old well'         replace 's/^0.5 /0.6 /' 'meshes/old well.ply'
	row 'a file that shapes nothing is edited'    steps                  ''                 replace 's/0.6/0.7/' meshes/steps.mtl
	row 'a file that a mesh is in is touched'     lamp                   ''                 touch meshes/lamp.bin
	row 'a file that a mesh is in is edited'      lamp                   lamp               widen_lamp
	row 'settings of one mesh'                    "$all"                 lamp               replace 's/"fast"/"fast", "positions": "quantized"/' collision.json
	row 'settings are laid out otherwise'         "$all"                 ''                 replace 's/{ "/{  "/' collision.json
	row 'an output is removed'                    lamp                   lamp               rm collision/lamp.bvh
	row 'a folder is removed'                     "$all"                 "$all"             rm -r collision
	row 'other options'                           "$all"                 "$all"             replace 's/ --threads/ --scale 2 --threads/' "$1"
	row 'the options of before'                   "$all"                 "$all"             replace 's/ --scale 2//' "$1"
	row 'options that mean the same'              "$all"                 ''                 replace 's/ --threads/ --weld 0 --threads/' "$1"
	row 'and not'                                 "$all"                 ''                 replace 's/ --weld 0//' "$1"

	# Ninja remembers the time that the output had when its dependencies were read. Of damage that does not show in it it knows nothing,
	# but bvbuild does, once it is called.
	row 'an output is overwritten'                lamp                   lamp               damage collision/lamp.bvh
	row 'an output is damaged'                    ''                     ''                 damage_secretly collision/lamp.bvh
	row 'and its mesh is touched'                 lamp                   lamp               touch meshes/lamp.gltf

	refuses 'a file that a mesh is in is gone' lamp.bvh mv meshes/lamp.bin lamp.bin
	row 'and is there again'                      lamp                   ''                 sh -c 'mv lamp.bin meshes/; touch meshes/lamp.bin'
	refuses 'a mesh is no mesh' steps.bvh sh -c 'mv meshes/steps.obj .; echo v > meshes/steps.obj'
	row 'and is one again'                        steps                  ''                 sh -c 'mv steps.obj meshes/; touch meshes/steps.obj'
	row 'a file that shapes nothing is gone'      steps                  ''                 rm meshes/steps.mtl
	check 'all of it is sound' sound collision/*.bvh
}

# By hand.
build()
{
	ninja
}
run 0 sh -c "$(first_command ninja)"
check 'three files' test "$(look | wc -l)" = 3
cp -R collision "$scratch/by_hand"
common_rows build.ninja
row 'a mesh has another name'                 stairs                 stairs             sh -c 'mv meshes/steps.obj meshes/stairs.obj; sed -i s/steps/stairs/g build.ninja'
check 'what it was is left' test -e collision/steps.bvh
run 0 ninja -t cleandead
check 'until what is dead is removed' test ! -e collision/steps.bvh
check 'and nothing else' test "$(look | wc -l)" = 3
idle 'after that'

# By bvbuild.
cd "$scratch" && rm -rf "a ninja" && recipe ninja
build()
{
	ninja -f assets.ninja
}
run 0 sh -c "$(sed -n 's/^    \(bvbuild .*\)/\1/p' README.md)"
for file in lamp 'old well' steps; do
	check "$file is what the file by hand makes" cmp -s "collision/$file.bvh" "$scratch/by_hand/$file.bvh"
done
common_rows assets.ninja
row 'bvbuild is another'                      "$all"                 ''                 touch "$scratch/bin/bvbuild"
cp meshes/steps.obj meshes/new.obj
row 'a mesh is new in the list'               new                    new                sh -c 'echo meshes/new.obj >> assets.txt'
row 'a mesh has another name'                 stairs                 stairs             sh -c 'mv meshes/steps.obj meshes/stairs.obj; sed -i s/steps/stairs/ assets.txt'
run 0 ninja -f assets.ninja -t cleandead
check 'what it was is removed' test ! -e collision/steps.bvh
check 'and nothing else' test "$(look | wc -l)" = 4
idle 'after that'
finish

#!/bin/sh
# Builds samples/scene with the command in its README. check_scene.py reads the animation and the page with code of its own, compares
# them with what geometry says, and looks at the page in Chromium. Invalid scenes get one line and leave no output.
. "$(dirname "$0")/lib.sh"
use_installed
needs make cc pkg-config chromedriver
here=$(cd "$(dirname "$0")" && pwd)
check_scene=$here/check_scene.py
recipe scene
cp -R "$root/samples/moving" ../moving
run 0 sh -c "$(first_command scene)"
grep -v '^\(cc\|bvbuild\|sed\|touch\|\./\)' "$scratch/out" > got
timeless()
{
	sed 's/^\(milliseconds per frame\).*/\1/'
}
shown scene | timeless > expected
timeless < got > got.timeless
check 'the README shows what it prints' diff expected got.timeless
run 0 /usr/bin/python3 "$check_scene" out
run 0 /usr/bin/python3 "$check_scene" out --browser
./scene scene.json -o again > again.txt
check 'the same animation again' cmp out.glb again.glb
check 'the same page again' cmp out.html again.html

# changed EDIT: the example after an edit.
changed()
{
	sed "$1" scene.json > changed.json
	rm -f changed.glb changed.html
}
# All methods give the same results.
for method in all-pairs sort sweep tree uniform; do
	changed "s/\"rate\"/\"method\": \"$method\", \"rate\"/"
	run 0 ./scene changed.json -o changed
	check "method $method" cmp out.glb changed.glb
done
# Less than a difficult pair needs: it is undecided and stops.
changed 's/"tests": 3600/"tests": 300/'
run 0 ./scene changed.json -o changed
check 'frames are undecided' grep -q '^frames undecided  *[1-9][0-9]' "$scratch/out"
check 'groups take turns' grep -q '^frames undecided  *[0-9]*  *[1-9][0-9.]* groups held back' "$scratch/out"
run 0 /usr/bin/python3 "$check_scene" changed --undecided
changed 's/"tests": 3600/"ms": 8/; s/480/60/'
run 0 ./scene changed.json -o changed
check 'the overrun is reported' grep -q '^frames 1 % over budget' "$scratch/out"
for mode in end sampled mixed; do
	changed "s/\"rate\"/\"mode\": \"$mode\", \"rate\"/"
	run 0 ./scene changed.json -o changed
done
changed 's/"rate"/"rule": "all", "separation": 0.01, "ignore-touching": true, "rate"/'
run 0 ./scene changed.json -o changed

# rejected CODE MESSAGE: the changed example ends with that code and that line, and there is no output.
rejected()
{
	run "$1" ./scene changed.json -o changed
	says "scene: $2"
	check "no output: $2" test ! -e changed.glb -a ! -e changed.html
}
changed 's/"rate"/"rates"/'
rejected 2 'changed.json: rates: unknown member'
changed 's/"rate": 60/"rate": "60"/'
rejected 2 'changed.json: rate: expected a number from 1e-6 to 1e6'
changed 's/"frames": 480,//'
rejected 2 'changed.json: frames: missing'
changed 's/"rate": 60/"frames": 60/'
rejected 2 'changed.json: frames: duplicate member'
changed 's/"rate": 60/"method": "trees"/'
run 2 ./scene changed.json -o changed
check 'methods are listed' grep -q '^scene: changed.json: method: expected one of default, .*tree' "$scratch/err"
changed 's/{ "tests": 3600 }/{ "tests": 3600, "ms": 8 }/'
rejected 2 'changed.json: budget: expected either tests or ms'
changed 's/"mirror": true/"mirrored": true/'
rejected 2 'changed.json: objects[16].mirrored: unknown member'
changed 's/"position": \[5, 4, 0\]/"position": [5, 4]/'
rejected 2 'changed.json: objects[11].position: expected three numbers from -1e9 to 1e9'
changed 's/"parent": "turntable", "position": \[1.4/"parent": "table", "position": [1.4/'
rejected 2 'changed.json: objects[1].parent: expected the name of an object before this one'
changed 's/"name": "post"/"name": "turntable"/'
rejected 2 'changed.json: objects[1].name: expected a name that no other object has'
changed 's/"time": 2.5/"time": 0/'
rejected 2 'changed.json: objects[3].keys[1].time: expected times that ascend from 0'
changed 's/"bounce" }/"bounces" }/'
rejected 2 'changed.json: objects[6].at-contact: expected one of stop, turn, bounce'
changed 's/"file": "frame.bvh"/"file": "no.bvh"/'
rejected 2 'changed.json: objects[5].file: no.bvh: cannot be read'
changed 's/"rate"/rate/'
rejected 2 'changed.json:3: not valid JSON'
rm changed.json
run 2 ./scene . -o changed
says 'scene: .: cannot be read'
rejected 2 'changed.json: cannot be read'
head -c 3000 stone.bvh > cut.bvh
changed 's/"first of the chain", "file": "stone.bvh"/"first of the chain", "file": "cut.bvh"/'
run 2 ./scene changed.json -o changed
check 'a damaged file is named' grep -q '^scene: changed.json: objects\[12\].file: cut.bvh: ' "$scratch/err"
check 'no output of a damaged file' test ! -e changed.glb -a ! -e changed.html
run 4 ./scene scene.json -o none/out
check 'one line' test "$(wc -l < "$scratch/err")" = 1
run 1 ./scene scene.json

# A small crowd, in a folder of its own.
mkdir meshes
cp stone.bvh frame.bvh meshes
run 0 ./scene --crowd 20 --meshes meshes -o crowd.json
sed -i 's/"ms": 8/"tests": 20000/; s/480/60/' crowd.json
run 0 ./scene crowd.json -o crowd
check '20 objects' grep -q '^crowd.json: 20 objects, 60 frames' "$scratch/out"
check 'they touch' grep -q '^frames with contacts  *[1-9]' "$scratch/out"
run 2 ./scene --crowd 20 --meshes none -o none.json
says 'scene: none: cannot be read'
run 1 ./scene --crowd 0 --meshes meshes -o none.json
check 'no scene' test ! -e none.json
finish

#!/bin/sh
# Builds samples/rocks with the command in its README, with fewer rocks. check_rocks.py looks at the animation with arithmetic of its
# own, and at the page in Chromium.
. "$(dirname "$0")/lib.sh"
use_installed
needs make cc base64 chromedriver
here=$(cd "$(dirname "$0")" && pwd)
recipe rocks
cp -R "$root/samples/moving" ../moving
run 0 sh -c "$(first_command rocks) ROCKS=600 STEPS=150"
grep -v '^\(cc\|bvbuild\|sed\|base64\|touch\|\./\)' "$scratch/out" > got
words()
{
	sed 's/[0-9][0-9.,]*/N/g'
}
shown rocks | words > expected
words < got > got.words
check 'the README shows what it prints' diff expected got.words
run 0 /usr/bin/python3 "$here/check_rocks.py" rocks.glb
# With the pillars elsewhere the rocks fall through them.
run 1 /usr/bin/python3 "$here/check_rocks.py" rocks.glb --shift 1.3
check 'a pillar elsewhere is noticed' grep -q 'the center of rock [0-9]* is in a pillar' "$scratch/err"
run 0 /usr/bin/python3 "$here/check_rocks.py" rocks.glb --page rocks.html
cp rocks.glb first.glb
run 0 ./rocks 600 150
check 'the same again' cmp first.glb rocks.glb
run 1 ./rocks 600
says 'usage: rocks [ROCKS STEPS]'
run 1 ./rocks 0 10
rm pillar.bvh
run 1 ./rocks 10 10
says 'rocks: pillar.bvh: cannot be read'
finish

#!/bin/sh
# Builds samples/moving with the command in its README. Times of contact are compared with those of moving_reference.c, which
# shares no code with the library, and with closed forms; the animations are checked by check_glb.py.
. "$(dirname "$0")/lib.sh"
use_installed
needs make cc python3
here=$(cd "$(dirname "$0")" && pwd)
reference=$here/moving_reference.c glb=$here/check_glb.py
recipe moving
run 0 sh -c "$(first_command moving)"
grep 'distance' "$scratch/out" > got
timeless()
{
	sed 's/ *[0-9.]* ms$//'
}
timeless < got > got.timeless
shown moving | timeless > expected
check 'the README shows what it prints' diff expected got.timeless
check 'nothing is in doubt' test "$(grep -c 'uncertain\|incomplete' got)" = 0

# answer NUMBER: lower and upper of that line, or "free".
answer()
{
	sed -n "$1p" got | sed -n 's/.*is free until 1\.0*  .*/free/p; s/.*touches in \[\([0-9.]*\), \([0-9.]*\)\].*/\1 \2/p'
}
# contains TIME SLACK: the interval on standard input is at most 1e-6 wide and holds the time; nine decimals are printed.
contains()
{
	awk -v t="$1" -v slack="$2" '{ found = NF == 2 && t != "inf" && $2 - $1 <= 1.001e-6 && $1 - slack <= t && t <= $2 + slack }
		END { exit !found }'
}
for line in 1 4 7; do
	check "line $line is free" test "$(answer $line)" = free
done

# The meshes of record, and brute force on them.
for name in bolt nut rod plate pinion wheel; do
	run 0 bvinspect "$name.bvh" --export "mesh,stored-$name.obj"
done
run 0 cc -std=c17 -O2 "$reference" -lm -o reference
# at LINE SLACK ARGUMENT...: the line's interval holds what the reference finds.
at()
{
	line=$1
	shift
	run 0 ./reference "$@"
	expected=$(cat "$scratch/out")
	answer "$line" > interval
	check "line $line holds $expected and not $(cat interval)" contains "$expected" 1.1e-9 < interval
}
# In closed form the play of 0.3 is used up at 0.3 / 0.75 of the time, less what the corners of 24 sides stand out along the axis:
# half of 5.1 * ( 1 - cos( pi / 24 ) ), and 0.003 for each body because sides are not helicoids. So it is not before 0.36.
at 3 screw 0.1 stored-bolt.obj stored-nut.obj contact 0.36 0.4 67
at 5 slit 0 stored-rod.obj stored-plate.obj within 0.05 0 1 4000
at 6 slit 0.03 stored-rod.obj stored-plate.obj contact 0 1 10000
at 8 gears 0 stored-pinion.obj stored-wheel.obj within 0.0945 0 0.002 10
# The backlash of 0.1 is used up at 0.1 / 30 / ( 4 / 3 * pi * 0.002 ) = 0.3979 of the time. Chords of involutes are inside of teeth, so
# it is not before.
at 9 gears 0.002 stored-pinion.obj stored-wheel.obj contact 0.3978 0.41 122
run 0 ./reference slit 0 stored-rod.obj stored-plate.obj contact 0 1 10000
check 'the rod passes' test "$(cat "$scratch/out")" = inf

# The crest of the bolt, at 4.9, is nearest to the middle of a side of the nut, at 5.1 * cos( pi / 24 ). Files store 24 bits.
python3 -c 'from math import pi, cos, acos
print( "%.12f" % ( ( pi / 24 - acos( ( 5.1 * cos( pi / 24 ) - 0.16 ) / 4.9 ) ) / ( 10 * pi ) ) )' > crest
answer 2 > interval
check "line 2 holds $(cat crest) and not $(cat interval)" contains "$(cat crest)" 5e-8 < interval

# As near as the least distance and no nearer: by the reference it is 0.034711 at the slit.
run 0 ./reference slit 0 stored-rod.obj stored-plate.obj least 0.4 0.6 4000
least=$(cat "$scratch/out")
check "least distance $least" awk -v d="$least" 'BEGIN { exit !( d > 0.0347 && d < 0.0348 ) }'
run 0 ./moving slit 0 "$(awk -v d="$least" 'BEGIN { print d - 0.00001 }')"
check 'free just below the least distance' grep -q 'is free until 1\.0*  *[0-9.]* ms$' "$scratch/out"
run 0 ./moving slit 0 "$(awk -v d="$least" 'BEGIN { print d + 0.00001 }')"
check 'touches just above the least distance' grep -q 'touches in .*\]  *[0-9.]* ms$' "$scratch/out"

# Animations: times of contact in seconds of the animation.
for case in screw:3:16 slit:6:8 gears:9:16; do
	name=${case%%:*} rest=${case#*:}
	end=$(answer "${rest%:*}" | awk -v s="${rest#*:}" '{ print s * $1 }')
	run 0 python3 "$glb" "$name.glb" "$end"
	head -c 3000 "$name.glb" > cut.glb
	run 1 python3 "$glb" cut.glb "$end"
done

run 1 ./moving levers 0 0
says 'usage: moving [screw|slit|gears CHANGE DISTANCE]'
rm nut.bvh
run 1 ./moving screw 0 0
says 'moving: nut.bvh: cannot be mapped'
finish

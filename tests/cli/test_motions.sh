#!/bin/sh
# bvinspect --collide --motions: times of contact by closed forms, and files that are wrong.
# shellcheck disable=SC2154

. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A box of 1 x 1 x 1 with a corner at the origin, and half of it: a prism whose cross-section is a right triangle.
box_obj 0 0 0 1 1 1 > box.obj
cat > prism.obj <<'P'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
v 1 0 1
v 0 1 1
f 3 2 1
f 4 5 6
f 1 2 5 4
f 2 3 6 5
f 3 1 4 6
P
run 0 "$bvbuild" -q box.obj prism.obj -o .
run 0 "$bvbuild" -q prism.obj -o heavy.bvh --density 7850
run 0 "$bvbuild" -q prism.obj -o bare.bvh --sections=-mass

# evaluate EXPRESSION: its value, as awk computes it.
evaluate()
{
	awk "function acos( x ) { return atan2( sqrt( 1 - x * x ), x ) } BEGIN { pi = atan2( 0, -1 ); printf \"%.17g\", $1 }"
}

# hits ROW TIME: the row of the last table has a contact, and the interval contains the time and is at most 1e-6 wide.
hits()
{
	check "$label: row $1 hits at $2" test "$(awk -F, -v row="$1" -v t="$2" \
		'$1 == row { print $2 == "1" && $3 <= t + 1e-12 && t <= $4 + 1e-12 && $4 - $3 <= 1.001e-6 }' out)" = 1
}

# is ROW COLUMNS TEXT: columns of a row, as cut names them.
is()
{
	real=$(sed -n "$(($1 + 2))p" out | cut -d, -f"$2")
	check "$label: row $1 has $real and not $3" test "$real" = "$3"
}

# Translations. A gap of 3.1 is closed by 4.1 in time 1. Boxes that overlap at time 0; boxes that never meet.
cat > along.csv <<'P'
name,start_tx,start_ty,start_tz,end_tx,end_ty,end_tz
face,4.1,0.25,0.125,0,0.25,0.125
inside,0.5,0.51,0.53,4,0,0
past,4,0,0,4,9,0
even,4,0.25,0.125,0,0.25,0.125
P
label=along
run 0 "$bvinspect" box.bvh --collide box.bvh --motions along.csv
check 'no messages' test ! -s err
check 'the head line' test "$(head -n 1 out)" = \
	motion,hit,t_lower,t_upper,kind,triangle_a,feature_a,triangle_b,feature_b,x,y,z,nx,ny,nz,volume_tests,feature_tests,microseconds
check 'one row per motion' test "$(wc -l < out)" = 5
check '18 columns in each' test "$(awk -F, '{ print NF }' out | uniq)" = 18
hits 0 0.75609756097560976
is 0 10 1
is 0 13-15 1,0,0
check 'kind and features agree' test "$(awk -F, '
	function type( name ) { sub( / .*/, "", name ); return name == "corner" ? "vertex" : name }
	$1 == 0 { print $5 == type( $7 ) "-" type( $9 ) }' out)" = 1
sed -n '2s/^/row,/p' out > row
hits 1 0
is 1 3-5 0,0,overlap
is 2 2-15 0,,,,,,,,,,,,,
# A contact at a time like 3/4 may be a touch at the end of an interval that was searched: then it is not proven.
check 'a contact at 3/4' test "$(awk -F, '$1 == 3 { print $2 != 0 && $3 <= 0.75 && 0.75 - $3 <= 1.001e-6 &&
	( $2 == 1 ? $4 >= 0.75 && $4 - $3 <= 1.001e-6 : $2 == "unproven" && $4 == "" ) }' out)" = 1
cut -d, -f1-17 out > once
run 0 "$bvinspect" box.bvh --export mesh,exported.obj
check 'the features are on the faces that meet: x = 1 of FILE, x = 0 of OTHER' test "$(tr ' ' , < exported.obj | cat - row | awk -F, '
	$1 == "v" { x[++vertices] = $2 }
	$1 == "f" { for ( i = 0; i < 3; ++i ) corner[faces, i] = $( i + 2 ); ++faces }
	function lies( triangle, feature, at,    words, i, first, count, all ) {
		split( feature, words, " " )
		first = words[1] == "face" ? 0 : words[2]
		count = words[1] == "face" ? 3 : words[1] == "edge" ? 2 : 1
		all = 1
		for ( i = first; i < first + count; ++i )
			all = all && x[corner[triangle, i % 3]] == at
		return all
	}
	$1 == "row" { print lies( $7, $8, 1 ) && lies( $9, $10, 0 ) }' )" = 1
run 0 "$bvinspect" box.bvh --collide box.bvh --motions along.csv --repeat 3
check '--repeat changes times only' test "$(cut -d, -f1-17 out)" = "$(cat once)"

# Both move: the same gap, closed by both. The contact is where FILE is then, at 1 + 2 * 31 / 41. Columns in another order, and a
# matrix for one of four rotations.
cat > both.csv <<'P'
a_end_tx,a_end_ty,a_end_tz,a_start_tx,a_start_ty,a_start_tz,start.x,start.y,start.z,END_M03,END_M13,END_M23,end_m00,end_m01,end_m02,end_m10,end_m11,end_m12,end_m20,end_m21,end_m22
2,0,0,0,0,0,4.1,0.25,0.125,2,0.25,0.125,1,0,0,0,1,0,0,0,1
P
label=both
run 0 "$bvinspect" box.bvh --collide box.bvh --motions both.csv
hits 0 0.75609756097560976
check 'the contact has moved with FILE' test "$(awk -F, '$1 == 0 { d = $10 - 2.5121951219512195; print ( d > -4e-6 && d < 1e-12 ) }' out)" = 1

# A box turns by 90 degrees about its center, 0.6 from the plane x = 1. An edge, sqrt( 1/2 ) from the center, meets the plane
# where sqrt( 1/2 ) cos( 45 degrees - angle ) = 0.6. With k = tan( angle / 2 ) and s = sqrt( 1/2 ), nlerp is there at
# k / ( s + k - k s ).
h=0.70710678118654752
cat > turn.csv <<P
start_tx,start_ty,start_tz,start_qx,start_qy,start_qz,start_qw,end_tx,end_ty,end_tz,end_qx,end_qy,end_qz,end_qw
1.1,0,0.25,0,0,0,1,2.1,0,0.25,0,0,$h,$h
P
angle='( pi / 4 - acos( 0.6 / sqrt( 0.5 ) ) )'
k="( sin( $angle / 2 ) / cos( $angle / 2 ) )"
label=turn
run 0 "$bvinspect" box.bvh --collide box.bvh --motions turn.csv
hits 0 "$(evaluate "$angle / ( pi / 2 )")"
cut -d, -f1-17 out > slerp
run 0 "$bvinspect" box.bvh --collide box.bvh --motions turn.csv --motion-of slerp
check 'slerp is the default' test "$(cut -d, -f1-17 out)" = "$(cat slerp)"
label=nlerp
run 0 "$bvinspect" box.bvh --collide box.bvh --motions turn.csv --motion-of nlerp
hits 0 "$(evaluate "$k / ( sqrt( 0.5 ) + $k - $k * sqrt( 0.5 ) )")"

# A quarter of a circle around FILE, 1.6 from its center: the screw stays outside of all that FILE reaches, which is sqrt( 1/2 ).
# The chord does not: in the middle, OTHER is 1.6 sqrt( 1/2 ) - 1/2 away from the center, with a face toward an edge of FILE.
cat > around.csv <<P
a_start_tx,a_start_ty,a_start_tz,a_end_tx,a_end_ty,a_end_tz,start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,end_qx,end_qy,end_qz,end_qw
-0.5,-0.5,0,-0.5,-0.5,0,1.1,-0.5,0.25,0.5,1.1,0.25,0,0,$h,$h
P
label=around
run 0 "$bvinspect" box.bvh --collide box.bvh --motions around.csv
is 0 2 1
check 'slerp meets FILE before the middle' test "$(awk -F, '$1 == 0 { print ( $3 > 0.2 && $4 < 0.5 ) }' out)" = 1
run 0 "$bvinspect" box.bvh --collide box.bvh --motions around.csv --motion-of screw
is 0 2-5 0,,,

# The pivot. The prism turns by 90 degrees, 0.7 left of the plane x = 0: in row 0 about its center of mass, which is 1/3 from two
# faces, in row 1 about the center of its bounds, which is 1/2 from them. The edge at (1, 0) meets the plane.
awk 'BEGIN { print "start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,end_qx,end_qy,end_qz,end_qw"
	for ( c = 1 / 3; c < 0.6; c += 1 / 6 )
		printf "%.17g,%.17g,0.25,%.17g,%.17g,0.25,0,0,'$h','$h'\n", -0.7 - c, 0.5 - c, -0.7 + c, 0.5 - c }' > pivot.csv
at_mass=$(evaluate '( atan2( 1, 2 ) - acos( 0.7 / ( sqrt( 5 ) / 3 ) ) ) / ( pi / 2 )')
at_bounds=$(evaluate '( pi / 4 - acos( 0.7 / sqrt( 0.5 ) ) ) / ( pi / 2 )')
for file in prism heavy; do
	label="pivot of $file"
	run 0 "$bvinspect" box.bvh --collide $file.bvh --motions pivot.csv
	hits 0 "$at_mass"
done
label='pivot without a mass'
run 0 "$bvinspect" box.bvh --collide bare.bvh --motions pivot.csv
hits 1 "$at_bounds"

# wrong NAME MESSAGE, with the file on stdin: an error with this message and without output.
wrong()
{
	cat > "$1"
	run 2 "$bvinspect" box.bvh --collide box.bvh --motions "$1"
	says "bvinspect: $1$2"
	check "$1: no output" test ! -s out
}

wrong missing.csv ':1: column end_tz is missing' <<P
start_tx,start_ty,start_tz,end_tx,end_ty
4,0,0,0,0
P
wrong half.csv ':1: column a_end_tx is missing' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,a_start_tx,a_start_ty,a_start_tz
4,0,0,0,0,0,0,0,0
P
wrong poses.csv ":1: column 'tx' is not known; a rotation is start_qx, start_qy, start_qz, start_qw or start_r00 ... start_r22" <<P
tx,ty,tz
4,0,0
P
wrong some.csv ':1: column end_qw is missing' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,end_qx,end_qy,end_qz
4,0,0,0,0,0,0,0,0
P
wrong two.csv ':1: columns of a quaternion and of a matrix of the end pose' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,end_qx,end_r00
4,0,0,0,0,0,0,0
P
wrong headless.csv ':1: no header; motions need one that names the columns' <<P
4,0,0,0,0,0
P
wrong nan.csv ":3: column 4: end_tx is not a number: 'nan'" <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz
4,0,0,0,0,0
4,0,0,nan,0,0
P
wrong far.csv ':2: the translation of the end pose exceeds 1.6e60' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz
4,0,0,1e61,0,0
P
wrong range.csv ':3: the motion is out of range' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz
4,0,0,0,0,0
1.6e60,0,0,-1.6e60,0,0
P
wrong apart.csv ':2: the files are too far apart' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,a_start_tx,a_start_ty,a_start_tz,a_end_tx,a_end_ty,a_end_tz
1.6e60,0,0,1.6e60,0,0,-1.6e60,0,0,-1.6e60,0,0
P
wrong long.csv ':2: the quaternion of the end pose has the length 2; within 1 % of 1 it is normalized' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,end_qx,end_qy,end_qz,end_qw
4,0,0,0,0,0,0,0,0,2
P
wrong stretched.csv ':2: the start pose of FILE is not rigid' <<P
start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,a_start_tx,a_start_ty,a_start_tz,a_end_tx,a_end_ty,a_end_tz,a_start_r00,a_start_r01,a_start_r02,a_start_r10,a_start_r11,a_start_r12,a_start_r20,a_start_r21,a_start_r22
4,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,1,0,0,0,1
P
printf 'start_tx,start_ty,start_tz,end_tx,end_ty,end_tz,end_qx,end_qy,end_qz,end_qw,speed\n4,0,0,4,1,0,0,0,0,1,9\n' > more.csv
run 2 "$bvinspect" box.bvh --collide box.bvh --motions more.csv
says "bvinspect: more.csv:1: column 'speed' is not known; a rotation is start_qx, start_qy, start_qz, start_qw or start_r00 ... start_r22"

run 2 "$bvinspect" box.bvh --collide box.bvh --motions none.csv
check 'a file that is missing is named' grep -q '^bvinspect: none.csv: ' err
run 0 "$bvbuild" -q box.obj -o only.bvh --sections none,hull
run 2 "$bvinspect" box.bvh --collide only.bvh --motions along.csv
says 'bvinspect: only.bvh: has no hierarchy'

# Options that do not go together.
run 1 "$bvinspect" box.bvh --motions along.csv
says 'bvinspect: --motions needs --collide'
run 1 "$bvinspect" box.bvh --distance box.bvh --motions along.csv
says 'bvinspect: --motions needs --collide'
run 1 "$bvinspect" box.bvh --collide box.bvh --motions along.csv --poses poses.csv
says 'bvinspect: --motions and --poses exclude each other'
run 1 "$bvinspect" box.bvh --collide box.bvh --motions along.csv --first
says 'bvinspect: --motions and --first exclude each other'
run 1 "$bvinspect" box.bvh --collide box.bvh --motion-of screw
says 'bvinspect: --motion-of needs --motions'
run 1 "$bvinspect" box.bvh --collide box.bvh --motions along.csv --motion-of lerp
says "bvinspect: --motion-of takes slerp, nlerp or screw, not 'lerp' (did you mean 'slerp'?)"
run 1 "$bvinspect" --measure-costs --motions along.csv
says 'bvinspect: --measure-costs excludes all other options'
finish

#!/bin/sh
# Builds samples/bullet with the command in its README. Bodies loaded from .bvh files must come to rest in
# Bullet at heights known in closed form, and a box that slides on our contacts where friction stops it.
. "$(dirname "$0")/lib.sh"
use_installed
needs make g++ pkg-config
recipe bullet
run 0 sh -c "$(first_command bullet)"
grep 'at rest' "$scratch/out" > got
shown bullet > expected
check 'the README shows what it prints' diff expected got

# of BY COLUMN: a figure of `contacts`.
of()
{
	awk -F'|' -v by="$1" -v column="$2" '{ sub( / +$/, "", $1 ) } $1 == by { print $column + 0 }' table
}

# Friction of 0.5 * 0.5 slows 6 m/s by 2.4525 m/s^2, and a step of 1/120 s moves by the speed at its end: 36 / 4.905 - 6 / 240.
cp "$scratch/out" table
check 'our contacts stop the box where friction does' awk -v at="$(of libbv 9)" 'BEGIN { exit !( at > 7.304 && at < 7.324 ) }'
check 'our contacts have no ghosts' [ "$(of libbv 8)" = 0 ]
check 'the box keeps its height and its line' awk -v z="$(of libbv 6)" -v y="$(of libbv 7)" 'BEGIN { exit !( z < 1 && y < 1 ) }'
check 'stones rest on our contacts' awk -v way="$(of libbv 3)" -v depth="$(of libbv 2)" 'BEGIN { exit !( way < 5 && depth < 2 ) }'
# The track has edges that other contacts find: otherwise it shows nothing.
check 'the track has ghosts for Bullet' [ "$(of Bullet 8)" -gt 0 ]
run 2 ./contacts stone.bvh
run 2 ./contacts nowhere.bvh track.bvh
says 'contacts: nowhere.bvh: cannot be read'
bvbuild -q --sections none,mesh stone.obj -o bare.bvh
run 2 ./contacts bare.bvh track.bvh
says 'contacts: bare.bvh: has no hull, or the track has no mesh'

# at HEIGHT OPTION... FILE: it comes to rest there, by what the program says of Bullet's body.
at()
{
	height=$1
	shift
	run 0 ./drop "$@"
	check "$* rests at $height" awk -v height="$height" '{ sub( /.*at height /, "" ); d = $1 - height; exit !( d < 0.002 && d > -0.002 ) }' \
		"$scratch/out"
}

# A profile of x and z as numbers, extruded by 1 m along y.
prism()
{
	awk -v profile="$1" 'BEGIN { n = split( profile, p, " " ) / 2
		for ( y = 0; y < 2; ++y ) for ( i = 1; i <= n; ++i ) print "v", p[2 * i - 1], y, p[2 * i]
		printf "f"; for ( i = 1; i <= n; ++i ) printf " %d", i; print ""
		printf "f"; for ( i = 2 * n; i > n; --i ) printf " %d", i; print ""
		for ( i = 1; i <= n; ++i ) { k = i % n + 1; print "f", k, i, i + n, k + n } }'
}

# An L of 3 m and 1 m: its center of mass is ( 3 * 0.5 + 2 * 2 ) / 5 above the ground. So it is with the hull alone, which lies on the
# same face; 2 mm are Bullet's margin.
at 1.102 beam.bvh
bvbuild -q beam.obj -o hull.bvh
at 1.102 hull.bvh
check 'five cubic metres' grep -q 'mass 5,' "$scratch/out"
bvbuild -q --mass 70 --decompose beam.obj -o beam.bvh
at 1.102 beam.bvh
check '70 kg' grep -q 'mass 70,' "$scratch/out"

# In another unit the same body.
bvbuild -q --units cm --scale 100 --mass 70 beam.obj -o cm.bvh
at 1.102 cm.bvh

# A brick on end, 1 : 1 : 3, and a wedge whose center of mass is at a third of its height.
prism '0 0 1 0 1 3 0 3' > brick.obj
bvbuild -q brick.obj -o brick.bvh
at 1.502 brick.bvh
prism '0 0 3 0 0 1.5' > wedge.obj
bvbuild -q wedge.obj -o wedge.bvh
at 0.502 wedge.bvh
# It can't stay on its edge: of 2 m, lying on a side of 1 : 3 the half of it is 0.5.
prism '0 0 0.2 0 0.2 3 0 3' > pillar.obj
bvbuild -q pillar.obj -o pillar.bvh
at 0.102 pillar.bvh

# A ball rolls down to the floor of the bowl, at height 0.
at 0.4 --ball 0.4 bowl.bvh
at 0.25 --ball 0.25 bowl.bvh
# A ramp ends where a ball falls for ever.
printf 'v -1 -1 0\nv 1 -1 -2\nv 1 1 -2\nv -1 1 0\nf 1 2 3 4\n' > ramp.obj
bvbuild -q ramp.obj -o ramp.bvh
run 1 ./drop --ball 0.2 ramp.bvh

# A file without what it takes, and none.
bvbuild -q --sections none,mesh beam.obj -o bare.bvh
run 2 ./drop bare.bvh
says 'drop: bare.bvh: has neither convex parts nor a hull with a mass'
run 2 ./drop nowhere.bvh
says 'drop: nowhere.bvh: cannot be read'
run 2 ./drop beam.obj
says 'drop: beam.obj: not a .bvh file'
run 2 ./drop
finish

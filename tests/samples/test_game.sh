#!/bin/sh
# samples/game from its README's line: the program has less than 60 lines, links with libbv and libm alone, and the figure
# is where its level's geometry puts it.
. "$(dirname "$0")/lib.sh"
use_installed
recipe game
check 'less than 60 lines' test "$(wc -l < game.c)" -lt 60
run 0 sh -c "$(first_command game)"
grep '^ *[0-9]* s:' "$scratch/out" > got
shown game > expected
check 'the README shows what it prints' diff expected got

# In closed form, for a step of (2, -4) m/s and a ball of 0.3 m at the feet: on a slope of 1 : 4 it keeps the part of the step along
# it, and hovers above the slope by 0.3 m times 1 / cos - 1. What it is off by, a millimetre a contact and two decimals.
awk '{ gsub( /[^0-9.]+/, " " ); x[$1] = $2; z[$1] = $3 }
	function off( a, b ) { return a - b > 0.012 || b - a > 0.012 }
	END {
		c = 4 / sqrt( 17 ); s = 1 / sqrt( 17 )
		wrong = off( x[1], 2 ) || off( z[1], 0 ) || off( x[4] - x[3], ( 2 * c - 4 * s ) * c ) ||
			off( z[5], ( x[5] - 4 ) / 4 + 0.3 * ( 1 / c - 1 ) ) || off( z[8], 1 ) || off( x[10], 13 - 0.3 ) || off( z[10], 1 )
		exit wrong
	}' got
check 'the figure is where the geometry puts it' test $? = 0

run 1 ./game
says 'game: LEVEL.bvh: cannot be mapped'
run 1 ./game level.obj
says 'game: level.obj: not a .bvh file'
: > empty.bvh
run 1 ./game empty.bvh
says 'game: empty.bvh: cannot be mapped'
# Damaged anywhere, it is not walked through.
head -c 2000 level.bvh > cut.bvh
run 1 ./game cut.bvh
finish

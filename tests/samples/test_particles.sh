#!/bin/sh
# samples/particles from its README's line: it prints what is shown, and draws all balls. Overlaps of the first step are counted
# again by brute force, in awk, from the same random numbers.
. "$(dirname "$0")/lib.sh"
use_installed
needs cc python3
recipe particles
run 0 sh -c "$(first_command particles)"
grep '^step' "$scratch/out" > got
shown particles > expected
check 'the README shows what it prints' diff expected got
check 'it comes to rest' awk '/step 1000/ { a = $NF } /step 1500/ { b = $NF } END { exit !( a == b && b > 5 && b < 20 ) }' got

# The picture is XML with two circles per ball.
python3 -c 'import sys, xml.etree.ElementTree as tree
circles = [c for c in tree.parse( "particles.svg" ).getroot() if c.tag.endswith( "circle" )]
sys.exit( len( circles ) != 2 * 1500 )'
check 'the picture has all balls' test $? = 0

# The same generator and the same definition in exact arithmetic of Python.
python3 -c 'from fractions import Fraction
state = 1
def draw():
    global state
    state = ( state * 6364136223846793005 + 1442695040888963407 ) % 2**64
    return ( state >> 33 ) / 2147483648.0
balls = []
for i in range( 200 ):
    radius = 0.4 + 0.6 * draw()
    x = 14.0 * draw()
    y = 14.0 * draw()
    z = 1 + 200 / 25.0 * draw()
    balls.append( [Fraction( v ) for v in ( x, y, z, radius )] )
print( sum( sum( ( p[k] - q[k] )**2 for k in range( 3 ) ) <= ( p[3] + q[3] )**2 for i, p in enumerate( balls ) for q in balls[:i] ) )' > count
run 0 ./particles 200 1
check "$(cat count) overlaps" grep -q "^step    1: *$(cat count) overlaps" "$scratch/out"

run 1 ./particles 0
says 'usage: particles [BALLS [STEPS]]'
finish

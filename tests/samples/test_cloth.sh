#!/bin/sh
# samples/cloth from its README's lines: it prints what is shown, and writes all frames. The page is made with fewer of a smaller sheet;
# check_cloth.py compares these and the page with geometry, and looks at it in Chromium.
. "$(dirname "$0")/lib.sh"
use_installed
needs cc chromedriver
here=$(cd "$(dirname "$0")" && pwd)
recipe cloth
run 0 sh -c "$(first_command cloth)"
grep '^step' "$scratch/out" > got
shown cloth > expected
check 'the README shows what it prints' diff expected got

# 41 * 41 vertices, 100 frames.
check 'the output has all frames' test "$(wc -c < frames)" -eq $(( 8 + 41 * 41 * 12 * 100 ))
run 0 ./cloth drop sheet.bvh ball.bvh some 10 5
check 'steps can be left out' test "$(wc -c < some)" -eq $(( 8 + 41 * 41 * 12 * 5 ))

# The second line, with a sheet of 800 triangles.
./cloth sheet 20 > small.obj
bvbuild -q small.obj -o small.bvh
run 0 sh -c "$(sed -n 's/^    \(.*\)/\1/p' README.md | sed -n 2p | sed 's/sheet\.bvh/small.bvh/g; s/ 0 400 / 140 76 /')"
grep '^[0-9]* frames' "$scratch/out" > got
echo '76 frames of 800 triangles: 0 pairs intersect, 0 contacts in the steps between' > expected
check 'nothing gets through' diff expected got
run 0 /usr/bin/python3 "$here/check_cloth.py" fall cloth.html 4 20
run 0 ./show small.bvh ball.bvh fall page.html again.html 4
check 'the same page again' cmp cloth.html again.html

# Two vertices change places in the last of three frames: as many pairs of triangles intersect as brute force counts, and there are contacts
# on the way.
/usr/bin/python3 -c 'import numpy
frames = numpy.fromfile( "fall", numpy.float32, offset = 8 ).reshape( 76, -1, 3 )[[0, 1, 1]]
frames[2, [150, 290]] = frames[2, [290, 150]]
with open( "crossed", "wb" ) as file:
    file.write( numpy.array( [frames.shape[1], 3], numpy.uint32 ).tobytes() + frames.tobytes() )'
run 0 ./show small.bvh ball.bvh crossed page.html crossed.html
pairs=$(/usr/bin/python3 "$here/check_cloth.py" crossed crossed.html --pairs)
check "$pairs pairs intersect" grep -q "^3 frames of 800 triangles: $pairs pairs intersect, [1-9]" "$scratch/out"
check 'at least ten' test "$pairs" -ge 10

# A tetrahedron, 2 by 1 by 4, that is to stand at the origin.
printf 'v 5 5 5\nv 7 5 5\nv 5 6 5\nv 5 5 9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' > tall.obj
bvbuild -q tall.obj -o tall.bvh
run 0 ./cloth stand tall.bvh
grep '^v' "$scratch/out" | awk '{ printf "%.4f %.4f %.4f\n", $2, $3, $4 }' | sort > got
printf '%s\n' '-0.2000 -0.1000 0.0000' '-0.2000 -0.1000 0.8000' '-0.2000 0.1000 0.0000' '0.2000 -0.1000 0.0000' | sort > expected
check 'it stands' diff expected got
check 'all faces' test "$(grep -c '^f' "$scratch/out")" = 4

run 2 ./show
says 'usage: show SHEET BODY FRAMES TEMPLATE PAGE [EVERY]'
run 2 ./show small.bvh ball.bvh fall page.html none.html 0
run 1 ./show sheet.bvh ball.bvh fall page.html none.html
says 'show: fall: has no frames of this sheet'
run 1 ./show small.bvh ball.bvh fall cloth.c none.html
says 'show: cloth.c: is not the template of the page'
run 1 ./show small.bvh ball.bvh crossed page.html none/none.html
says 'show: none/none.html: cannot be written'
check 'no page' test ! -e none.html
run 2 ./cloth
check 'usage' grep -q '^usage: cloth sheet SQUARES$' "$scratch/err"
run 1 ./cloth drop sheet.obj ball.bvh frames
says 'cloth: sheet.obj: cannot be read'
finish

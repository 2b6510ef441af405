#!/bin/sh
# samples/cloth from its README's line: it prints what is shown, and writes all frames.
. "$(dirname "$0")/lib.sh"
use_installed
needs cc
recipe cloth
run 0 sh -c "$(first_command cloth)"
grep '^step' "$scratch/out" > got
shown cloth > expected
check 'the README shows what it prints' diff expected got

# 41 * 41 vertices, 100 frames.
check 'the output has all frames' test "$(wc -c < frames)" -eq $(( 8 + 41 * 41 * 12 * 100 ))
run 0 ./cloth drop sheet.bvh ball.bvh some 10 5
check 'steps can be left out' test "$(wc -c < some)" -eq $(( 8 + 41 * 41 * 12 * 5 ))

run 2 ./cloth
says 'usage: cloth sheet SQUARES'
run 1 ./cloth drop sheet.obj ball.bvh frames
says 'cloth: sheet.obj: cannot be read'
finish

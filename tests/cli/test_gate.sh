#!/bin/sh
# --gate of both tools: exit codes, messages, and what becomes of the output.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A block of 3 by 4 by 12: 12 triangles, volume 144. Without its lid it has no volume.
printf 'v %d %d %d\n' 0 0 0 3 0 0 0 4 0 3 4 0 0 0 12 3 0 12 0 4 12 3 4 12 > open.obj
printf 'f %d %d %d %d\n' 1 3 4 2 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6 >> open.obj
{ cat open.obj; printf 'f 5 6 8 7\n'; } > block.obj
run 0 "$bvbuild" -q block.obj -o block.bvh
run 0 "$bvbuild" -q open.obj -o open.bvh

run 0 "$bvinspect" block.bvh --gate 'mesh.closed and mesh.triangles == 12'
check 'what holds is said' grep -qx 'block.bvh: 1 condition holds' out
run 0 "$bvinspect" -q block.bvh --gate mesh.closed
check 'or not' test ! -s out
run 0 "$bvinspect" block.bvh --gate mesh.closed --gate 'abs(mesh.volume - 144) < 1e-9'
check 'several hold' grep -qx 'block.bvh: 2 conditions hold' out
run 6 "$bvinspect" block.bvh --gate 'mesh.triangles < 12'
says 'bvinspect: block.bvh: mesh.triangles < 12 does not hold: it is 12'
check 'nothing is printed' test ! -s out
run 6 "$bvinspect" open.bvh --gate 'mesh.volume > 1'
says 'bvinspect: open.bvh: mesh.volume > 1 does not hold: mesh.volume is null'
run 6 "$bvinspect" block.bvh --gate 'mesh.triangles < 12' --gate 'mesh.closed' --gate 'hull.vertices != 8'
says 'bvinspect: block.bvh: mesh.triangles < 12 does not hold: it is 12
bvinspect: block.bvh: hull.vertices != 8 does not hold: it is 8'
# The worst condition decides in any order.
run 6 "$bvinspect" block.bvh --gate 'mesh.triangles < 12' --gate mesh.closed
run 6 "$bvinspect" block.bvh --gate mesh.closed --gate 'mesh.triangles < 12'
run 6 "$bvinspect" block.bvh --gate 'mesh.triangles < 12' --gate 'hull.corners < 3'
run 6 "$bvbuild" block.obj -o late.bvh --gate 'mesh.triangles < 12' --gate mesh.closed
check 'no output after a condition that holds' test ! -e late.bvh
run 1 "$bvinspect" block.bvh --gate 'hull.corners < 3'
says "bvinspect: block.bvh: --gate 'hull.corners < 3': at character 6: hull has no key 'corners' (it has vertices, faces, volume, \
polygons, edges, center_of_mass, inertia, principal)"
run 1 "$bvinspect" block.bvh --gate 'time.total < 3'
run 1 "$bvinspect" missing.bvh --gate 'hull.vertices <'
says "bvinspect: --gate 'hull.vertices <': at character 16: a value is missing at the end"
run 6 "$bvinspect" block.bvh --gate 'hull.corners < 3' --gate 'mesh.triangles < 12'
run 6 "$bvinspect" block.bvh open.bvh missing.bvh --gate mesh.closed
says 'bvinspect: open.bvh: mesh.closed does not hold: mesh.closed is false
bvinspect: missing.bvh: No such file or directory'
run 6 "$bvinspect" --json open.bvh --gate mesh.closed
check 'the report is printed all the same' test "$(head -c 1 out)" = '{'
run 6 "$bvinspect" --verify open.bvh --gate mesh.closed
check 'and what is proved' grep -q '^open.bvh: sound' out
run 1 "$bvinspect" --measure-costs --gate mesh.closed

# Of an output for which a condition does not hold nothing is left, or what was there before; the report tells why.
run 6 "$bvbuild" open.obj -o new.bvh --report new.json --gate mesh.closed
says 'bvbuild: new.bvh: mesh.closed does not hold: mesh.closed is false'
check 'no output' test ! -e new.bvh
check 'a report' grep -q '"closed":	false' new.json
cp block.bvh old.bvh
run 6 "$bvbuild" open.obj -o old.bvh --gate mesh.closed
check 'the old output is as it was' cmp block.bvh old.bvh
run 0 "$bvbuild" -q block.obj -o old.bvh --gate mesh.closed --gate 'time.total < 1000 and memory.peak > 1e5'
check 'a gate changes no bytes' cmp block.bvh old.bvh
mkdir folder
run 6 "$bvbuild" -q open.obj block.obj -o folder --gate mesh.closed
check 'only what passes is written' test "$(ls folder)" = block.bvh
run 6 "$bvbuild" -q open.obj -o folder --split objects --gate mesh.closed
check 'also of objects' test "$(ls folder)" = block.bvh
run 1 "$bvbuild" -q block.obj -o none.bvh --gate 'mesh.nothing == 1'
check 'nor what is not known to pass' test ! -e none.bvh
run 1 "$bvbuild" -q missing.obj -o none.bvh --gate '('
says "bvbuild: --gate '(': at character 2: a value is missing at the end"

# Operators of other languages.
run 1 "$bvinspect" block.bvh --gate 'mesh.closed && mesh.manifold'
says "bvinspect: --gate 'mesh.closed && mesh.manifold': at character 13: write 'and'"
run 1 "$bvinspect" block.bvh --gate 'mesh.closed || mesh.manifold'
says "bvinspect: --gate 'mesh.closed || mesh.manifold': at character 13: write 'or'"
run 1 "$bvinspect" block.bvh --gate 'mesh.closed and !mesh.manifold'
says "bvinspect: --gate 'mesh.closed and !mesh.manifold': at character 17: write 'not'"

# As many as there may be, and one more.
set --
for i in $(seq 256); do set -- "$@" --gate "mesh.triangles < $i + 12"; done
run 0 "$bvinspect" block.bvh "$@"
run 1 "$bvinspect" block.bvh "$@" --gate true
says 'bvinspect: --gate can be given 256 times'
# Long conditions and options, also with blanks, are not repeated in full.
long=$(printf 'mesh.triangles < 0 or %.0s' $(seq 40))false
run 6 "$bvinspect" block.bvh --gate "$long"
check 'a long condition is shortened' test "$(wc -c < err)" -lt 1300 -a "$(grep -o '< 0 or' err | wc -l)" -lt 12
run 1 "$bvinspect" block.bvh "--$long"
check 'a long option is shortened' test "$(wc -c < err)" -lt 300
finish

#!/bin/sh
# bvinspect --contacts --of hull and --of parts: a row per contact point, by closed forms. Contacts themselves are tested by
# tests/unit/convex and tests/unit/compound.
# shellcheck disable=SC2154

. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

write_u_and_box
run 0 "$bvbuild" -q --decompose=0.1% u.obj box.obj -o .
run 0 "$bvinspect" -q u.bvh --gate 'decomposition.parts == 3 and decomposition.concavity.upper < 1e-6'

# On the top of both arms; on the floor between them; on the floor and in the left arm; 1/16 above the floor; far away.
cat > poses.csv <<'P'
tx,ty,tz
1.25,2.875,0.25
1.25,0.875,0.25
0.9375,0.875,0.25
1.25,1.0625,0.25
5,5,5
P

# points FROM: positions, normals and separations of the rows whose pose is FROM, sorted; the columns begin with the first of x.
points()
{
	awk -F, -v pose="$1" -v skip="$2" 'NR > 1 && $1 == pose { printf "%g %g %g, %g %g %g, %g\n", $(skip), $(skip + 1), $(skip + 2),
		$(skip + 3), $(skip + 4), $(skip + 5), $(skip + 6) }' out | sort
}

# is WHAT POSE COLUMN: the points are those in the file `expected`.
is()
{
	points "$2" "$3" > got
	check "$1" diff expected got
}

run 0 "$bvinspect" -q u.bvh --contacts box.bvh --of hull --poses poses.csv
check 'columns of hulls' test "$(head -n 1 out)" = pose,contact,x,y,z,nx,ny,nz,separation,feature_a,feature_b,identity,microseconds
cat > expected <<'P'
1.25 2.9375 0.25, 0 1 0, -0.125
1.25 2.9375 0.75, 0 1 0, -0.125
1.75 2.9375 0.25, 0 1 0, -0.125
1.75 2.9375 0.75, 0 1 0, -0.125
P
is 'hulls: four points at the top' 0 3
check 'hulls: a face and corners' test "$(cut -d, -f1,10,11 out | grep -c '^0,face,vertex$')" = 4
check 'hulls: identities differ' test "$(cut -d, -f1,12 out | grep '^0,0x' | sort -u | wc -l)" = 4
check 'hulls: no rows without contacts' test "$(cut -d, -f1 out | sort -u | tr '\n' ' ')" = '0 1 2 3 pose '

run 0 "$bvinspect" u.bvh --contacts box.bvh --of parts --poses poses.csv
says 'bvinspect: no contacts in 3 of 5 poses, which have no rows'
check 'columns of parts' test "$(head -n 1 out)" = pose,part_a,part_b,contact,x,y,z,nx,ny,nz,separation,feature_a,feature_b,identity,microseconds
cat > expected <<'P'
1.25 0.9375 0.25, 0 1 0, -0.125
1.25 0.9375 0.75, 0 1 0, -0.125
1.75 0.9375 0.25, 0 1 0, -0.125
1.75 0.9375 0.75, 0 1 0, -0.125
P
is 'parts: four points on the floor' 1 5
check 'parts: one part of each' test "$(cut -d, -f1-3 out | grep -c '^1,[0-2],0$')" = 4
# Of the arm, at 1/16, and of the floor, which ends at the arm or goes on below it.
check 'parts: the arm has four' test "$(awk -F, '$1 == 2 && $8 == 1 && $11 == -0.0625' out | wc -l)" = 4
check 'parts: the floor has four' test "$(awk -F, '$1 == 2 && $9 == 1 && $11 == -0.125' out | wc -l)" = 4

run 0 "$bvinspect" u.bvh --contacts box.bvh --of parts --poses poses.csv --speculative 0.07 --repeat 3
says 'bvinspect: no contacts in 2 of 5 poses, which have no rows'
sed 's/0.9375/1.03125/; s/-0.125/0.0625/' expected > above && mv above expected
is 'four points above the floor' 3 5

# Of meshes, 1/64 deep on the floor, on the floor and in the left arm, above the floor; and 3/2 deep, as far as its corners are inside.
cat > shallow.csv <<'P'
tx,ty,tz
1.25,0.984375,0.25
0.984375,0.984375,0.25
1.25,1.0625,0.25
1.25,0.75,0.25
P
run 0 "$bvinspect" u.bvh --contacts box.bvh --poses shallow.csv
says 'bvinspect: no contacts in 1 of 4 poses, which have no rows'
check 'columns of meshes' test "$(head -n 1 out)" = pose,manifold,triangle_a,triangle_b,contact,x,y,z,nx,ny,nz,separation,feature_a,feature_b,identity,microseconds
cat > expected <<'P'
1.25 0.992188 0.25, 0 1 0, -0.015625
1.25 0.992188 0.75, 0 1 0, -0.015625
1.75 0.992188 0.25, 0 1 0, -0.015625
1.75 0.992188 0.75, 0 1 0, -0.015625
P
is 'meshes: four points on the floor' 0 6
check 'meshes: the arm and the floor' test "$(awk -F, '$1 == 1 { print $2, $9, $10, $12 }' out | sort | uniq -c | awk '{ print $1, $3, $4, $5 }' | sort | tr '\n' ';')" \
	= '4 0 1 -0.015625;4 1 0 -0.015625;'
run 0 "$bvinspect" -q u.bvh --contacts box.bvh --of mesh --poses shallow.csv --speculative 0.07
sed 's/0.992188/1.03125/; s/-0.015625/0.0625/' expected > above && mv above expected
is 'meshes: four points above the floor' 2 6
check 'meshes: quiet' test ! -s err

# A rod through the floor leaves it sideways, over its edges.
sed 's/0\.5/0.25/g; s/^v \([0-9.]*\) 0.25/v \1 4/' box.obj > rod.obj
run 0 "$bvbuild" -q rod.obj -o rod.bvh
printf 'tx,ty,tz\n1.375,-1.5,0.5\n' > through.csv
run 0 "$bvinspect" u.bvh --contacts rod.bvh --poses through.csv
check 'a rod: four pairs of edges' test "$(awk -F, '$8 == 0.75 && $11 == 1 && $12 == -0.5 && $13 == "edge" && $14 == "edge"' out | wc -l)" = 4
check 'a rod: nothing else' test "$(wc -l < out)" = 5
check 'a rod: no message' test ! -s err

# Without poses there is one. Units that differ are said.
run 0 "$bvinspect" u.bvh --contacts u.bvh --of hull
check 'the identity' test "$(tail -n +2 out | cut -d, -f1 | sort -u)" = 0
run 0 "$bvbuild" -q box.obj --scale 10 -o large.bvh
run 0 "$bvinspect" -q box.bvh --contacts large.bvh --of hull
check 'quiet says nothing' test ! -s err

# What is missing, and what applies to nothing.
run 0 "$bvbuild" -q u.obj -o plain.bvh
run 2 "$bvinspect" u.bvh --contacts plain.bvh --of parts
says 'bvinspect: plain.bvh: has no convex parts (bvbuild --decompose)'
run 2 "$bvinspect" u.bvh --contacts none.bvh --of parts
run 1 "$bvinspect" u.bvh --contacts box.bvh --of hull --method gjk
says 'bvinspect: --method needs --distance with --of hull or --of parts'
run 1 "$bvinspect" u.bvh --distance box.bvh --of hull --speculative 1
says 'bvinspect: --speculative needs --contacts'
run 1 "$bvinspect" u.bvh --contacts box.bvh --of hull --speculative -1
says "bvinspect: --speculative takes a number of at least 0, not '-1'"
run 1 "$bvinspect" u.bvh --contacts box.bvh --of hull --first
says 'bvinspect: --first needs --collide'
run 1 "$bvinspect" u.bvh --contacts box.bvh --of hull --motions poses.csv
says 'bvinspect: --motions needs --collide'
run 1 "$bvinspect" u.bvh box.bvh --contacts box.bvh --of hull
says 'bvinspect: --collide, --distance and --contacts take one FILE and one OTHER'
run 1 "$bvinspect" u.bvh --contacts box.bvh --of hull --distance box.bvh
says 'bvinspect: --json, --findings, --html, --compare, --verify, --export, --collide, --distance, --contacts, --inside, --triangles and tables exclude each other'
run 1 "$bvinspect" --measure-costs --contacts box.bvh
says 'bvinspect: --measure-costs excludes all other options'
printf 'tx,ty,tz\n0,0,x\n' > bad.csv
run 2 "$bvinspect" u.bvh --contacts box.bvh --of parts --poses bad.csv
says "bvinspect: bad.csv:2: column 3: tz is not a number: 'x'"
check 'no output for poses that are wrong' test ! -s out
finish

#!/bin/sh
# bvinspect --distance --of hull and --of parts: signed distances by closed forms, with each method. The search over parts is tested
# by tests/unit/compound/test_compound_parts.c, and all numbers are compared with CGAL's by make pairs-cgal.
# shellcheck disable=SC2154

. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

write_u_and_box
run 0 "$bvbuild" -q --decompose=0.1% --sections hull-topology u.obj box.obj -o .
run 0 "$bvinspect" -q u.bvh --gate 'decomposition.concavity.upper < 1e-6'

# Between the arms, 1/4 from each; 1/4 deep in the left one; above the right one; at the right side, touching, turned by 90 degrees
# about z.
cat > poses.csv <<'P'
tx,ty,tz,qx,qy,qz,qw
1.25,1.625,0.5,0,0,0,1
0.75,1.625,0.5,0,0,0,1
2.25,3.5,0.25,0,0,0,1
3.5,1,0.25,0,0,0.70710678118654752,0.70710678118654752
P
# What is inside the hull leaves it by the shortest way: 1/2 along z.
hull='-0.5 -0.5 0.5 0'
parts='0.25 -0.25 0.5 0'

# contains DISTANCE...: the intervals of the last table contain these distances to rounding.
contains()
{
	echo "$*" | tr ' ' '\n' > expected
	check "$label: one row per pose" test "$(wc -l < out)" = 5
	check "$label: intervals contain $*" test "$(tail -n +2 out | cut -d, -f2,3 | paste -d, - expected |
		awk -F, '{ if ( $1 <= $3 + 1e-15 && $3 <= $2 + 1e-15 ) n++ } END { print n + 0 }')" = 4
}

# narrow: they are at most 1e-5 wide.
narrow()
{
	check "$label: intervals are narrow" test "$(tail -n +2 out | cut -d, -f2,3 |
		awk -F, '{ if ( $2 - $1 <= 1e-5 ) n++ } END { print n + 0 }')" = 4
}

label=hull
run 0 "$bvinspect" -q u.bvh --distance box.bvh --of hull --poses poses.csv
check 'the head line of hulls' test "$(head -n 1 out)" = pose,lower,upper,ax,ay,az,bx,by,bz,nx,ny,nz,supports,microseconds
# shellcheck disable=SC2086
contains $hull
narrow
check 'the normal out of the hull' test "$(sed -n 2p out | cut -d, -f10-12)" = 0,0,1
label=parts
run 0 "$bvinspect" -q u.bvh --distance box.bvh --of parts --poses poses.csv
check 'the head line of parts' test "$(head -n 1 out)" = \
	pose,lower,upper,part_a,part_b,ax,ay,az,bx,by,bz,nx,ny,nz,volume_tests,pair_tests,microseconds
# shellcheck disable=SC2086
contains $parts
narrow
check 'the normal out of the left arm' test "$(sed -n 3p out | cut -d, -f12-14)" = 1,0,0
check 'the normal out of the top' test "$(sed -n 4p out | cut -d, -f12-14)" = 0,1,0
check 'the point on the top' test "$(sed -n 4p out | cut -d, -f7)" = 3
check 'the point below the box' test "$(sed -n 4p out | cut -d, -f10)" = 3.5
cut -d, -f1-16 out > default

# The mesh has no inside, so a box in the U is as far away as from its parts.
run 0 "$bvinspect" -q u.bvh --distance box.bvh --poses poses.csv
cut -d, -f1-12 out > plain
check 'the box between the arms' test "$(sed -n 2p out | cut -d, -f2)" = 0.25
run 0 "$bvinspect" -q u.bvh --distance box.bvh --of mesh --poses poses.csv
check '--of mesh is the default' test "$(cut -d, -f1-12 out)" = "$(cat plain)"
run 0 "$bvinspect" -q u.bvh --distance box.bvh --of parts --poses poses.csv --method default --repeat 3
check '--method default is the default' test "$(cut -d, -f1-16 out)" = "$(cat default)"

# Without poses: one row, where both are. The box is in the corner of the U.
run 0 "$bvinspect" u.bvh --distance box.bvh --of hull
check 'one row' test "$(wc -l < out)" = 2
check 'in the corner' test "$(sed -n 2p out | awk -F, '{ print ( $2 <= -0.5 && -0.5 <= $3 && $3 - $2 < 1e-5 ) }')" = 1

# Each method that the library has answers or says that it does not. mpr and chung_wang have wide intervals.
run 0 "$bvinspect" --help=all
sed -n '/^Methods (--method):/,/^$/s/^  \([a-z_]*\) .*/\1/p' out > methods
check 'nine methods' test "$(wc -l < methods)" = 9
while read -r method; do
	for of in hull parts; do
		label="$method of $of"
		if [ "$method" = closed ]; then
			run 3 "$bvinspect" -q u.bvh --distance box.bvh --of $of --poses poses.csv --method closed
			[ $of = hull ] && shapes=hulls || shapes=parts
			says "bvinspect: u.bvh and box.bvh: --method closed does not compare these $shapes"
			check "$label: no output" test ! -s out
			continue
		fi
		run 0 "$bvinspect" -q u.bvh --distance box.bvh --of $of --poses poses.csv --method "$method"
		[ $of = hull ] && expected=$hull || expected=$parts
		# shellcheck disable=SC2086
		contains $expected
		case $method in default | gjk | vclip) narrow ;; esac
	done
done < methods
run 0 "$bvbuild" -q u.obj -o plain.bvh
for method in sat vclip; do
	run 3 "$bvinspect" -q u.bvh --distance plain.bvh --of hull --method $method
	says "bvinspect: u.bvh and plain.bvh: --method $method does not compare these hulls without their faces (bvbuild --sections hull-topology)"
	check "$method: no output" test ! -s out
done

# What is missing, and what applies to nothing.
run 2 "$bvinspect" u.bvh --distance plain.bvh --of parts
says 'bvinspect: plain.bvh: has no convex parts (bvbuild --decompose)'
run 2 "$bvinspect" plain.bvh --distance u.bvh --of parts
says 'bvinspect: plain.bvh: has no convex parts (bvbuild --decompose)'
run 0 "$bvbuild" -q u.obj -o bare.bvh --sections=-hull
run 2 "$bvinspect" bare.bvh --distance u.bvh --of hull
says 'bvinspect: bare.bvh: has no hull'
run 0 "$bvbuild" -q u.obj -o only.bvh --sections none,hull
run 0 "$bvinspect" only.bvh --distance u.bvh --of hull
run 2 "$bvinspect" only.bvh --distance u.bvh
says 'bvinspect: only.bvh: has no hierarchy'
run 1 "$bvinspect" u.bvh --of hull
says 'bvinspect: --of needs --distance or --contacts'
run 1 "$bvinspect" u.bvh --collide u.bvh --of hull
says 'bvinspect: --of needs --distance or --contacts'
run 1 "$bvinspect" u.bvh --distance u.bvh --method gjk
says 'bvinspect: --method needs --distance with --of hull or --of parts'
run 1 "$bvinspect" u.bvh --distance u.bvh --of mesh --method gjk
says 'bvinspect: --method needs --distance with --of hull or --of parts'
run 1 "$bvinspect" u.bvh --distance u.bvh --of hulls
says "bvinspect: --of takes mesh, hull or parts, not 'hulls' (did you mean 'hull'?)"
run 1 "$bvinspect" u.bvh --distance u.bvh --of hull --method gkj
says "bvinspect: unknown method 'gkj' (did you mean 'gjk'?)"
run 1 "$bvinspect" --measure-costs --of hull
says 'bvinspect: --measure-costs excludes all other options'
sed 's/3.5,0.25/3.5,x/' poses.csv > bad.csv
run 2 "$bvinspect" u.bvh --distance box.bvh --of parts --poses bad.csv
says "bvinspect: bad.csv:4: column 3: tz is not a number: 'x'"
check 'no output for poses that are wrong' test ! -s out
finish

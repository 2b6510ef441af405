#!/bin/sh
# The documentation is true: every command of README.md and docs/*.md runs, in the order in which it stands; outputs are real, programs
# compile, links lead somewhere, and docs/cli.md names every option. tests/cli/run_docs.py has the conventions for pages and the
# list of commands that cannot be run here, with reasons.
#
# UPDATE=1 sh tests/cli/test_docs.sh writes real output into the pages after a change of what the tools print. PAGES=docs/cli.md runs
# one page only.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
docs="/usr/bin/python3 $root/tests/cli/run_docs.py"
cd "$scratch" || exit 1

# Sample meshes under the names that the pages use. See samples/make_samples.c for the first eight.
#
#   rock, crate, gear, cup, knot, stair, terrain, broken (.obj)
#   part.stl      the gear: millimeters, z up       cart.glb    the crate
#   scan.ply      the terrain, which is open        level.obj   two walls, a crate and its collision mesh UCX_Crate_00
#   meshes/       rock.obj, props/crate.obj         assets.txt  a list of these
#   walk.glb      the cup, bent by the clip Walk    door.glb    two boxes, moved by the only clip
#   poses.csv     three poses                       points.csv  two points
samples=$scratch/samples
mkdir -p "$samples/meshes/props"

# Python as docs/python.md has it, with the package that make has built.
export PYTHONPATH="$BUILD/python/package" BVBUILD_LIBRARIES="$BUILD/python/libraries" PYTHONDONTWRITEBYTECODE=1
"$BUILD/make_samples" "$samples" > made || fail 'make_samples'

# box NAME X WIDTH HEIGHT FIRST: an object that begins at that vertex.
box()
{
	awk -v name="$1" -v x="$2" -v w="$3" -v h="$4" -v first="$5" 'BEGIN {
		print "o " name
		for ( i = 0; i < 8; ++i )
			printf "v %g %g %g\n", x + w * ( i % 2 ), h * ( int( i / 2 ) % 2 ), w * int( i / 4 )
		n = split( "1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " " )
		for ( i = 1; i <= n; i += 4 )
			printf "f %d %d %d %d\n", first + c[i] - 1, first + c[i + 1] - 1, first + c[i + 2] - 1, first + c[i + 3] - 1
	}'
}
{ box Wall_01 0 4 3 1; box Wall_02 5 4 3 9; box Crate 10 1 1 17; box UCX_Crate_00 10 1 1 25; } > "$samples/level.obj"
cp "$samples/rock.obj" "$samples/meshes"
cp "$samples/crate.obj" "$samples/meshes/props"
printf 'meshes/rock.obj\nmeshes/props/crate.obj\n' > "$samples/assets.txt"
awk 'BEGIN { print "solid part" }
	function corner( i ) { print "vertex", x[i], y[i], z[i] }
	$1 == "v" { ++n; x[n] = $2; y[n] = $3; z[n] = $4 }
	$1 == "f" { for ( k = 3; k < NF; ++k ) { split( $2 " " $k " " $( k + 1 ), c, " " ); print "facet normal 0 0 0\nouter loop"
		for ( i = 1; i <= 3; ++i ) { sub( /\/.*/, "", c[i] ); corner( c[i] ) } print "endloop\nendfacet" } }
	END { print "endsolid part" }' "$samples/gear.obj" > "$samples/part.stl"
printf 'r00,r01,r02,r10,r11,r12,r20,r21,r22,tx,ty,tz\n1,0,0,0,1,0,0,0,1,0,0,0\n1,0,0,0,1,0,0,0,1,1.5,0,0\n1,0,0,0,1,0,0,0,1,4,0,0\n' > "$samples/poses.csv"
printf 'x,y,z\n0,0,0\n3,0,0\n' > "$samples/points.csv"
for pair in terrain:scan.ply crate:cart.glb; do
	"$bvbuild" -q "$samples/${pair%:*}.obj" --sections none,mesh -o mesh.bvh
	"$bvinspect" mesh.bvh --export "mesh,$samples/${pair#*:}" > made || fail "export of ${pair#*:}"
done

python3 "$root/tests/clips/make_clips.py" clips "$samples/cup.obj" || fail 'make_clips.py'
cp clips/cup.glb "$samples/walk.glb"
cp clips/steps.glb "$samples/door.glb"

# The script notices what it is for: a page with each mistake fails, the same page without them does not.
page()
{
	printf '# One\n\n```sh\nbvbuild -q %s crate.obj -o crate.bvh\nbvinspect crate.bvh --gate mesh.closed\n```\n\n```text\n%s\n```\n\n[one](#%s)\n' \
		"$1" "$2" "$3" > page.md
}
run 0 $docs --help
page --force 'crate.bvh: 1 condition holds' one
run 0 $docs run "$samples" page.md
run 0 $docs links page.md
page --frobnicate 'crate.bvh: 1 condition holds' one
run 1 $docs run "$samples" page.md
check 'an unknown option is noticed' grep -q 'page.md:4: exit code 1: bvbuild -q --frobnicate' out
page --force 'crate.bvh: 2 conditions hold' two
run 1 $docs run "$samples" page.md
check 'another output is noticed' grep -q 'page.md:9: the output is another one' out
run 1 $docs links page.md
check 'a broken link is noticed' grep -q 'there is no heading for the link: #two' out
printf '```sh\ngit --version; bvbuild --frobnicate\n```\n' > page.md
run 1 $docs run "$samples" page.md
check 'a command behind one that is not run is noticed' grep -q 'page.md:2: a command that is not run hides another one' out
printf '```sh\nmake no-such-target\n```\n\n```\nbvbuild crate.obj\n```\n\n```c\nint main( void ) { return none; }\n```\n\n[x](no/file.md)\n' > page.md
run 1 $docs run "$samples" page.md
check 'a missing target is noticed' grep -q "page.md:2: make has no target 'no-such-target'" out
check 'a command that is not run is noticed' grep -q 'page.md:6: a command outside' out
check 'a program with an error is noticed' grep -q 'page.md:10: the program does not compile' out
run 1 $docs links page.md

# The pages. Under sanitizers one of them is enough, since other tests use every option there.
cd "$root" || exit 1
pages=${PAGES:-README.md docs/*.md}
[ -z "${SAN:-}" ] || pages=README.md
if [ -n "${UPDATE:-}" ]; then
	$docs update "$samples" $pages
fi
$docs run "$samples" $pages || fail 'what the pages show is not what happens'
$docs links ./*.md $(find docs -name '*.md') || fail 'links are broken'
$docs options docs/cli.md "$bvbuild" "$bvinspect" || fail 'docs/cli.md does not name every option'
check 'README.md is at most 8 KB' test "$(wc -c < README.md)" -le 8192
finish

#!/bin/sh
# Runs the programs of samples/javascript as its README.md says, in $BUILD/javascript, where npm installs the packages once. Bodies of known
# shapes must come to rest in Jolt and Rapier where geometry says, and the pages must show what the programs print: figures of engines and of
# JavaScript's functions may differ a little, times are not compared.
. "$(dirname "$0")/lib.sh"
use_installed
needs node npm chromedriver
here=$(cd "$(dirname "$0")" && pwd)

# The folder has the place in its project that package.json expects.
project=$BUILD/javascript
mkdir -p "$project/samples/javascript" "$project/build"
ln -sfn "$BUILD/npm" "$project/build/npm"
cd "$project/samples/javascript" || finish
find "$root/samples/javascript" -maxdepth 1 -type f -exec cp '{}' . ';'
if ! cmp -s package.json installed; then
	timeout 300 npm install --no-audit --no-fund --ignore-scripts > npm.log 2>&1 || { sed 's/^/    /' npm.log; fail 'npm could not install the packages'; finish; }
	cp package.json installed
fi
check 'no lock file is left in the folder' test ! -e package-lock.json

# same PAGE OUTPUT: the page shows this output. Numbers may differ by a tenth or by 0.02, and what is behind a bar by anything.
same()
{
	sed -n '/^```$/,/^```$/p' "$1" | sed '1d' | sed '/^```$/,$d' > "$scratch/shown"
	if awk '
		function texts( line ) { gsub( /[-+]?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/, "#", line ); gsub( / +/, " ", line ); return line }
		NR == FNR { shown[FNR] = $0; lines = FNR; next }
		texts( $0 ) != texts( shown[FNR] ) { print "shown: " shown[FNR] "\n  is: " $0; bad = 1; next }
		{
			a = $0; b = shown[FNR]; sub( /\|.*/, "", a ); sub( /\|.*/, "", b )
			while ( match( a, /[-+]?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/ ) ) {
				x = substr( a, RSTART, RLENGTH ) + 0; a = substr( a, RSTART + RLENGTH )
				match( b, /[-+]?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/ )
				y = substr( b, RSTART, RLENGTH ) + 0; b = substr( b, RSTART + RLENGTH )
				d = x > y ? x - y : y - x; size = y > 0 ? y : -y
				if ( d > 0.1 * size + 0.02 ) { print "shown: " shown[FNR] "\n  is: " $0; bad = 1; break }
			}
		}
		END { exit bad || FNR != lines || lines == 0 }' "$scratch/shown" "$2" > "$scratch/differences"; then
		pass
	else
		fail "$1 shows something else than the program prints"
		sed 's/^/    /' "$scratch/differences"
	fi
}

# at HEIGHTS WITHIN: the body rests, and its center of mass is at one of these heights, by what the last program says.
at()
{
	check "at rest at $1, not: $(grep 'center of mass at height' "$scratch/out")" awk -v heights="$1" -v within="$2" '/^at rest after/ {
		sub( /.* at height /, "" )
		for ( i = split( heights, height, "," ); i > 0; --i ) { d = $1 - height[i]; good = good || ( d <= within && d >= -within ) }
		} END { exit !good }' "$scratch/out"
}

# The same results, without a second of optimizing the modules of the engines.
quick='node --liftoff-only'

# What the README says. The horseshoe lies flat: half of its 0.15 m. 36 quadrilaterals of 270 degrees, 0.3 to 0.5 m, times 0.15 m, 7200 kg/m3.
mass=$(awk 'BEGIN { printf "%.3f", 36 * ( 0.25 - 0.09 ) / 2 * sin( 1.5 * atan2( 0, -1 ) / 36 ) * 0.15 * 7200 }')
for engine in jolt rapier; do
	run 0 npm run -s "$engine"
	same "$engine.md" "$scratch/out"
	at 0.075 0.002
	check "the mass in $engine is $mass kg" grep -q "^mass $mass kg, " "$scratch/out"
	check "rays in $engine" grep -q '^1000 rays: [1-9][0-9]* hit .* 0 have another answer$' "$scratch/out"
	check "all is good in $engine" grep -qx good "$scratch/out"
done
run 0 npm run -s facts
same facts.md "$scratch/out"
run 0 npm run -s three
same three.md "$scratch/out"
run 0 node "$here/check_bvmesh.mjs" horseshoe.bvh
run 0 /usr/bin/python3 "$here/check_page.py" .

# Primitives, wherever they are in their files, come to rest on a plane at half of an extent or at their radius, and so does a brick as one
# hull. An L of 3 and 1 m stands on a leg, with the center of mass ( 3 * 0.5 + 2 * 2 ) / 5 above the ground.
printf 'v %s\n' '-60 0 -60' '-60 0 60' '60 0 60' '60 0 -60' > flat.obj
echo 'f 1 2 3 4' >> flat.obj
bvbuild -q flat.obj -o flat.bvh
/usr/bin/python3 "$here/../cli/make_solids.py" "$scratch" > solids
check 'there are solids' test "$(wc -l < solids)" = 22
box_obj 0 0 0 1 0.5 2 > brick.obj
ell 3 3 1 1 > ell.obj
for body in "brick.obj 0.25 --recognize 1%" "brick.obj 0.25 --recognize 0" "ell.obj 1.1 --decompose" \
	"$scratch/ball.obj 1.25 --recognize 1%" "$scratch/box_askew.obj 1,2,3 --recognize 1%" "$scratch/cylinder_x.obj 0.7 --recognize 1%" \
	"$scratch/capsule_askew.obj 0.8 --recognize 1%"; do
	# shellcheck disable=SC2086
	set -- $body
	mesh=$1
	height=$2
	shift 2
	bvbuild -q --density 700 "$@" "$mesh" -o body.bvh || fail "$mesh is not built"
	for engine in jolt rapier; do
		run 0 $quick "$engine.mjs" body.bvh flat.bvh
		at "$height" 0.003
	done
done

# What is wrong is named.
printf 'v %s\n' '-1 0 -1' '-1 -1 1' '1 -1 1' '1 0 -1' > slope.obj
echo 'f 1 2 3 4' >> slope.obj
bvbuild -q slope.obj -o slope.bvh
bvbuild -q --sections none,mesh brick.obj -o bare.bvh
head -c 3000 horseshoe.bvh > cut.bvh
for engine in jolt rapier; do
	run 1 $quick "$engine.mjs" body.bvh slope.bvh
	check 'it falls off' grep -qx 'wrong: motion, depth' "$scratch/out"
	run 2 $quick "$engine.mjs" bare.bvh yard.bvh
	says "$engine.mjs: bare.bvh: has no mass (bvbuild --density or --mass)"
	run 2 $quick "$engine.mjs" nowhere.bvh yard.bvh
	says "$engine.mjs: nowhere.bvh: cannot be read"
	run 2 $quick "$engine.mjs" brick.obj yard.bvh
	says "$engine.mjs: brick.obj: not a .bvh file: damaged file"
	run 2 $quick "$engine.mjs" horseshoe.bvh cut.bvh
	says "$engine.mjs: cut.bvh: the file is truncated: damaged file"
	run 2 $quick "$engine.mjs"
	says "$engine.mjs: usage: node $engine.mjs BODY.bvh GROUND.bvh"
done
bvbuild -q --sections none,hull brick.obj -o hull.bvh
run 2 node three.mjs hull.bvh
says 'three.mjs: hull.bvh: has no mesh'
run 2 node three.mjs
says 'three.mjs: usage: node three.mjs FILE.bvh...'
finish

# What the scripts here share: a scratch folder, and checks that count.
# shellcheck shell=sh

set -u
# Debian's Python has the packages; one by a version manager takes half a second to start.
PATH=/usr/bin:$PATH
bvbuild=$BUILD/bvbuild
bvinspect=$BUILD/bvinspect
script=$(basename "$0" .sh)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

pass()
{
	passed=$((passed + 1))
}

fail()
{
	failed=$((failed + 1))
	echo "$script: FAILED: $*"
}

# check WHAT COMMAND...: the command succeeds.
check()
{
	what=$1
	shift
	if "$@"; then pass; else fail "$what"; fi
}

# run CODE COMMAND...: the command ends with that exit code; its output is in $scratch/out and $scratch/err.
run()
{
	code=$1
	shift
	"$@" > "$scratch/out" 2> "$scratch/err"
	got=$?
	if [ $got = "$code" ]; then
		pass
	else
		fail "exit code $got and not $code: $*"
		sed 's/^/    /' "$scratch/err"
	fi
}

# ell WIDTH HEIGHT THICKNESS DEPTH: an L of two boxes, one surface, with a corner at 0, as OBJ.
ell()
{
	for z in 0 "$4"; do
		printf 'v %s %s %s\n' 0 0 "$z" "$1" 0 "$z" "$1" "$3" "$z" "$3" "$3" "$z" "$3" "$2" "$z" 0 "$2" "$z"
	done
	printf 'f %s\n' '6 5 4 3 2 1' '7 8 9 10 11 12' '1 2 8 7' '2 3 9 8' '3 4 10 9' '4 5 11 10' '5 6 12 11' '6 1 7 12'
}

# says TEXT: the last command's standard error is exactly this line. Reading it here takes no process.
says()
{
	said=
	while IFS= read -r line || [ "$line" ]; do
		said="$said$line
"
	done < "$scratch/err"
	if [ "$said" = "$1
" ]; then
		pass
	else
		fail "the message is not: $1"
		sed 's/^/    /' "$scratch/err"
	fi
}

# refused CODE TEXT INPUT [OPTION...]: bvbuild refuses the input with that code and that one line, and leaves no output.
refused()
{
	code=$1
	text=$2
	input=$3
	shift 3
	[ ! -e "$scratch/refused.bvh" ] || rm "$scratch/refused.bvh"
	run "$code" "$bvbuild" "$input" -o "$scratch/refused.bvh" "$@"
	says "bvbuild: $text"
	if [ -e "$scratch/refused.bvh" ] || [ -e "$scratch/refused.bvh.bvtmp" ]; then
		fail "an output is left behind: $input"
	fi
}

# written FILE TEXT: the options of a .bvh file, one after another with blanks around them, have this text.
written()
{
	"$bvinspect" --json "$1" | awk -F '"' '/"parameters"/ { inside = 1; next } /}/ { inside = 0 } inside { line = line " " $2 "=" $4 }
		END { print line " " }' | grep -q -- "$2"
}
not_written()
{
	! written "$@"
}

# Prints a mesh as OBJ: a needle beside a heap of triangles that are all but the same. Some queries near contact pass it by, others
# never come out of it: 650 triangles are 650^2 pairs, more than the limit of 400000 tests. Each query that is abandoned takes some
# 0.05 s, so the needle is 12 times as long as the heap and most queries end at it; with BV_THOROUGH most of them end in the heap.
heap()
{
	set -- 650 '0.02 0 0.2' '0 0.02 12'
	[ -z "${BV_THOROUGH:-}" ] || set -- 1200 '0.3 0 0.2' '0 0.3 1'
	awk -v n="$1" -v side="$2" -v tip="$3" 'BEGIN { for ( i = 0; i < n; ++i ) { z = i * 1e-5; print "v", 0, 0, z; print "v", 1, 0, z
		print "v", 0, 1, z; print "f -3 -2 -1" }
		print "v 0 0 0.1"; print "v", side; print "v", tip; print "f -3 -2 -1" }'
}

# torus N M: prints a torus of 2 N M triangles as OBJ.
torus()
{
	awk -v n="$1" -v m="$2" 'BEGIN {
		turn = 2 * atan2( 0, -1 )
		for ( i = 0; i < n; ++i ) for ( k = 0; k < m; ++k ) { a = turn * i / n; b = turn * k / m; r = 3 + cos( b )
			print "v", r * cos( a ), r * sin( a ), sin( b ) }
		for ( i = 0; i < n; ++i ) for ( k = 0; k < m; ++k ) { j = ( i + 1 ) % n; l = ( k + 1 ) % m
			print "f", i * m + k + 1, j * m + k + 1, j * m + l + 1, i * m + l + 1 } }'
}

# Prints costs as bvinspect --measure-costs might; which they are does not matter. Measuring them takes 7 s.
costs()
{
	awk 'BEGIN {
		n = split( "obb aabb sphere rss kdop14 kdop18 kdop26 prism", type, " " )
		for ( i = 1; i <= n; ++i ) for ( k = i; k <= n; ++k ) print type[i], type[k], 20 + i + k ".5"
		print "triangles 61.5\nopening 12.5\nleaf 17.5"
	}'
}

# Prints the closing line and ends with the verdict.
finish()
{
	echo "$script: $passed passed, $failed failed"
	[ $failed = 0 ]
	exit
}

# box_obj X0 Y0 Z0 X1 Y1 Z1: prints a closed box between two corners, faces outward, as OBJ.
box_obj()
{
	printf 'v %s %s %s\n' "$1" "$2" "$3" "$4" "$2" "$3" "$4" "$5" "$3" "$1" "$5" "$3" "$1" "$2" "$6" "$4" "$2" "$6" "$4" "$5" "$6" "$1" "$5" "$6"
	printf 'f %s\n' '4 3 2 1' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8'
}

# write_u_and_box: writes u.obj, a U of 3 x 3 x 1, open upwards, with arms and a floor of width 1; and box.obj, a box of 1/2 x 1/2 x 1/2 with
# a corner at the origin. All coordinates and distances are binary64 numbers.
write_u_and_box()
{
	cat > u.obj <<'P'
v 0 0 0
v 3 0 0
v 3 3 0
v 2 3 0
v 2 1 0
v 1 1 0
v 1 3 0
v 0 3 0
v 0 0 1
v 3 0 1
v 3 3 1
v 2 3 1
v 2 1 1
v 1 1 1
v 1 3 1
v 0 3 1
f 8 7 6 5 4 3 2 1
f 9 10 11 12 13 14 15 16
f 1 2 10 9
f 2 3 11 10
f 3 4 12 11
f 4 5 13 12
f 5 6 14 13
f 6 7 15 14
f 7 8 16 15
f 8 1 9 16
P
	box_obj 0 0 0 0.5 0.5 0.5 > box.obj
}

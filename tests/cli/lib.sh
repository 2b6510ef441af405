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

# says TEXT: the last command's standard error is exactly this line.
says()
{
	if [ "$(cat "$scratch/err")" = "$1" ]; then
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
	rm -f "$scratch/refused.bvh"
	run "$code" "$bvbuild" "$input" -o "$scratch/refused.bvh" "$@"
	says "bvbuild: $text"
	if [ -e "$scratch/refused.bvh" ] || [ -e "$scratch/refused.bvh.bvtmp" ]; then
		fail "an output is left behind: $input"
	fi
}

# written FILE TEXT: the options of a .bvh file, one after another with blanks around them, have this text.
written()
{
	"$bvinspect" --json "$1" | sed -n '/"parameters"/,/}/s/.*"\([^"]*\)":.*"\([^"]*\)".*/ \1=\2/p' | tr -d '\n' |
		sed 's/$/ /' | grep -q -- "$2"
}
not_written()
{
	! written "$@"
}

# Prints a mesh as OBJ: a needle beside a heap of triangles that are all but the same. Some queries near contact pass it by, others
# never come out of it.
heap()
{
	awk 'BEGIN { for ( i = 0; i < 1200; ++i ) { z = i * 1e-5; print "v", 0, 0, z; print "v", 1, 0, z; print "v", 0, 1, z; print "f -3 -2 -1" }
		print "v 0 0 0.1"; print "v 0.3 0 0.2"; print "v 0 0.3 1"; print "f -3 -2 -1" }'
}

# Prints the closing line and ends with the verdict.
finish()
{
	echo "$script: $passed passed, $failed failed"
	[ $failed = 0 ]
	exit
}

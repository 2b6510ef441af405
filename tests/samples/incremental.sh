# What a build has to make again: rows of a table, each a change to the sources and what must follow from it. A test has to define
#
#   build    runs the build system once
#   ran      prints for which files bvbuild was called, by what the build system said in $scratch/said
#
# and says in $outputs where the files are.
# shellcheck shell=sh

# Prints name, inode, time and hash of each output. A file that is written anew has another inode, since bvbuild renames; one that is
# only touched has another time.
look()
{
	(cd "$outputs" 2> "$scratch/gone" && find . -name '*.bvh' -printf '%P|%i|%T+\n' -exec md5sum {} +) | LC_ALL=C awk -F'|' '
		NF == 3 { place[$1] = $0; next }
		{ hash[substr( $0, 37 )] = substr( $0, 1, 32 ) }
		END { for ( file in place ) print place[file] "|" hash[file] }' | LC_ALL=C sort
}

# written_anew BEFORE AFTER: names of the outputs that are other files now, without their ends.
written_anew()
{
	awk -F'|' 'FILENAME == ARGV[1] { inode[$1] = $2; hash[$1] = $4; next } inode[$1] != $2 || hash[$1] != $4 { sub( /\.bvh$/, "", $1 ); print $1 }' "$1" "$2"
}

# gathered: lines on stdin as one, with commas between.
gathered()
{
	LC_ALL=C sort -u | paste -sd, -
}

# row CHANGE RUNS WRITES COMMAND...: after the command, a build has to call bvbuild for the outputs named by RUNS, and those of WRITES
# have to be written anew, of names with commas between; others stay the same file. A second build has to do nothing.
row()
{
	what=$1
	runs=$2
	writes=$3
	shift 3
	# Later than all that was made before, whatever steps the clock has.
	sleep 0.02
	look > "$scratch/before"
	"$@" > "$scratch/changed" 2>&1 || fail "$what: $*"
	look > "$scratch/before"
	if ! build > "$scratch/said" 2>&1; then
		fail "$what: the build fails"
		sed 's/^/    /' "$scratch/said"
	fi
	got=$(ran | gathered)
	check "$what: bvbuild is called for '$got' and not '$runs'" test "$got" = "$runs"
	look > "$scratch/after"
	got=$(written_anew "$scratch/before" "$scratch/after" | gathered)
	check "$what: '$got' is written anew and not '$writes'" test "$got" = "$writes"
	still "$what"
}

# idle WHAT: a build calls nothing and leaves all outputs and their times alone.
idle()
{
	look > "$scratch/after"
	still "$1"
}

# still WHAT: the same after outputs were looked at.
still()
{
	mv "$scratch/after" "$scratch/before"
	build > "$scratch/said" 2>&1 || fail "$1: the second build fails"
	look > "$scratch/after"
	check "$1: the second build calls bvbuild for '$(ran | gathered)'" test -z "$(ran)"
	check "$1: the second build leaves all alone" cmp -s "$scratch/before" "$scratch/after"
}

# refuses CHANGE OUTPUT COMMAND...: after the command the build fails, and the output is the file that it was.
refuses()
{
	what=$1
	output=$2
	shift 2
	sleep 0.02
	look > "$scratch/before"
	"$@"
	if build > "$scratch/said" 2>&1; then fail "$what: the build succeeds"; else pass; fi
	look > "$scratch/after"
	check "$what: $output stays as it was" cmp -s "$scratch/before" "$scratch/after"
}

# Changes that all of them try.
replace()
{
	sed "$1" "$2" > "$scratch/replaced" && cmp -s "$scratch/replaced" "$2" && return 1
	cat "$scratch/replaced" > "$2"
}
widen_steps()
{
	replace 's/^v 2 \([01]\)/v 2.5 \1/' meshes/steps.obj
}
# The first coordinate of lamp.bin, a binary32: 1 becomes 1.5.
widen_lamp()
{
	printf '\0\0\300\77' | dd of=meshes/lamp.bin conv=notrunc status=none
}
damage()
{
	printf 'X' | dd of="$1" bs=1 seek=600 conv=notrunc status=none
}
damage_secretly()
{
	touch -r "$1" "$scratch/time"
	damage "$1"
	touch -r "$scratch/time" "$1"
}

# sound FILE...: bvinspect proves each to be.
sound()
{
	bvinspect --verify -q "$@"
}

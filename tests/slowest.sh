#!/bin/sh
# Runs a command made of calls of make, and prints its 15 slowest parts at the end, whether it succeeded or not:
#
#   slowest.sh FOLDER COMMAND...    FOLDER gets a record of each recipe (tests/timed.sh), and is emptied before
#
# Inside another such call it only runs the command.
set -u
folder=$1
shift
if [ -n "${TIMES:-}" ]; then
	exec "$@"
fi
rm -rf "$folder"
mkdir -p "$folder"
TIMES=$(cd "$folder" && pwd)
export TIMES
began=$(date +%s)
"$@"
code=$?
ended=$(date +%s)
find "$TIMES" -type f -exec cat {} + | awk -v wall=$((ended - began)) '
	# Minutes and seconds, as in 1m2.5s.
	function seconds( text, part ) { split( text, part, /[ms]/ ); return part[1] * 60 + part[2] }
	function kind_of( target ) {
		if ( target ~ /\.o$/ ) return "compiling"
		if ( target ~ /\.(a|so[.0-9]*)$/ || target ~ /\/(bench|tests|fuzz)\/[a-z0-9_]+$/ || target ~ /\/(bvbuild|bvinspect)$/ ) return "linking"
		return target
	}
	NF == 3 { what = kind_of( $1 ); elapsed[what] += $3 - $2; runs[what]++; next }
	# The first line is the time of the shell itself, the second that of what it ran.
	NF == 2 { used[what] += seconds( $1 ) + seconds( $2 ); total += seconds( $1 ) + seconds( $2 ) }
	END {
		print "\nslowest parts: wall s, processor s, part"
		command = "sort -k2,2 -rn | head -n 15"
		for ( what in used )
			printf( "%8.1f %8.1f  %s%s\n", elapsed[what], used[what], what, ( runs[what] > 1 ? " (" runs[what] " recipes)" : "" ) ) | command
		close( command )
		printf "all: %d s of wall clock, %.0f s of processor time\n", wall, total
	}'
exit $code

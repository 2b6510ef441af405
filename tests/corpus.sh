#!/bin/sh
# corpus.sh BUILD [FOLDER...]: converts every file in Debian's packages of test models, or in the folders,
# regardless of its type. Each run must exit with 0, 2, 3 or, over a limit, 5. After 0 the output must verify;
# after any other code no output may remain. No run may exceed its time limit. Prints the number of files per
# extension and exit code.
set -eu

packages='assimp-testmodels libcgal-demo occt-misc flightgear-data-models'
build=$(cd "$1" && pwd)
timeout=20

# One file: its extension, exit code, verdict, seconds and message, with tabs between.
one()
{
	scratch=$(mktemp -d)
	start=$(date +%s.%N)
	code=0
	"$build/bvbuild" -q --import-timeout $timeout "$1" -o "$scratch/out.bvh" 2> "$scratch/err" || code=$?
	seconds=$(echo "$(date +%s.%N) $start" | awk '{ printf "%.2f", $1 - $2 }')
	lines=$(wc -l < "$scratch/err")
	verdict=good
	case $code in
	0) "$build/bvinspect" --verify -q "$scratch/out.bvh" 2>> "$scratch/err" && [ "$lines" = 0 ] || verdict=BAD ;;
	2 | 3 | 5) [ "$lines" = 1 ] && [ "$(ls "$scratch")" = err ] || verdict=BAD ;;
	*) verdict=BAD ;;
	esac
	name=$(basename "$1")
	case $name in
	*.*) extension=$(echo "${name##*.}" | tr '[:upper:]' '[:lower:]') ;;
	*) extension='(none)' ;;
	esac
	printf '%s\t%s\t%s\t%s\t%s\n' "$extension" $code $verdict "$seconds" "$(tr '\t\n' '  ' < "$scratch/err")"
	rm -rf "$scratch"
}

if [ "${2-}" = --one ]; then
	one "$3"
	exit
fi
shift
if [ $# = 0 ]; then
	mkdir -p "$build/corpus"
	for package in $packages; do
		if [ ! -d "$build/corpus/$package" ]; then
			rm -rf "$build/corpus/new"
			mkdir "$build/corpus/new"
			(cd "$build/corpus/new" && apt-get download -qq "$package" 2> /dev/null && dpkg-deb -x ./*.deb . && rm ./*.deb)
			find "$build/corpus/new" -name '*.tar.gz' -execdir tar xzf '{}' \; -delete
			find "$build/corpus/new" -name '*.gz' -exec gunzip -f '{}' +
			mv "$build/corpus/new" "$build/corpus/$package"
		fi
	done
	set -- "$build/corpus"
fi

results=$build/corpus.tsv
find "$@" -type f -print0 | sort -z | xargs -0 -P "$(nproc)" -n 1 sh "$0" "$build" --one > "$results"
sort "$results" | awk -F '\t' -v limit=$timeout '
	{
		if ( !all[$1]++ ) name[++names] = $1
		sum["all"]++
		if ( $2 == 0 || $2 == 2 || $2 == 3 || $2 == 5 ) { n[$1, $2]++; sum[$2]++ } else { n[$1, "x"]++; sum["x"]++ }
		if ( $3 != "good" ) { bad[$1]++; sum["bad"]++ }
		if ( $4 > slow[$1] ) slow[$1] = $4
		if ( $4 > 2 * limit ) { late++ }
	}
	function row( first, a, b, c, d, e, f, g, h ) { printf "%-12s %6d %6d %6d %6d %6d %6d %6d %9s\n", first, a, b, c, d, e, f, g, h }
	END {
		printf "%-12s %6s %6s %6s %6s %6s %6s %6s %9s\n", "extension", "files", "0", "2", "3", "5", "other", "bad", "slowest s"
		for ( i = 1; i <= names; i++ ) {
			e = name[i]
			if ( n[e, 0] + n[e, 2] + n[e, 5] + n[e, "x"] + bad[e] > 0 )
				row( e, all[e], n[e, 0], n[e, 2], n[e, 3], n[e, 5], n[e, "x"], bad[e], slow[e] )
			else
				rest += all[e]
		}
		row( "no reader", rest, 0, 0, rest, 0, 0, 0, "" )
		row( "all", sum["all"], sum[0], sum[2], sum[3], sum[5], sum["x"], sum["bad"], "" )
		exit sum["bad"] + sum["x"] + late > 0
	}'

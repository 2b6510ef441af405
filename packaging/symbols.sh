#!/bin/sh
# The functions that public headers declare, as the compiler finds them: symbols.sh bv|bvworld|bvbuild prints those of a library, sorted;
# symbols.sh add puts those that no version of lib*.map names yet into the newest one.
set -eu
cd "$(dirname "$0")/.."

# Of the compilers gcc can list declarations.
declared()
{
	list=$(mktemp)
	echo "#include \"$1/$1.h\"" | gcc -x c -std=c17 -Iinclude -aux-info "$list" -fsyntax-only -
	sed -n "s@^/\* include/$1/[^*]*\*/ extern [^(]*[ *]\(bv[bw]\{0,1\}_[a-z0-9_]*\) (.*@\1@p" "$list" | LC_ALL=C sort -u
	rm "$list"
}

if [ "$1" != add ]; then
	declared "$1"
	exit
fi
for library in bv bvworld bvbuild; do
	map=packaging/lib$library.map
	declared $library | LC_ALL=C awk '
		FNR == NR { line[++lines] = $0; if ( $0 == "global:" ) newest = lines; sub( /^\t/, "" ); named[$0] = 1; next }
		!( $0 ";" in named ) { added[++count] = "\t" $0 ";" }
		END {
			k = 1
			for ( i = 1; i <= lines; ++i )
			{
				for ( ; k <= count && i > newest && newest && ( line[i] > added[k] || line[i] == "local:" ); ++k )
					print added[k]
				if ( line[i] == "local:" )
					newest = 0
				print line[i]
			}
		}' "$map" - > "$map.new"
	mv "$map.new" "$map"
done

#!/bin/sh
# Plain technical English: reports phrases that must not come back in texts that people read, British spelling, and commit
# subjects that are not "area: Verb object". Without arguments it checks the whole tree; with files, those files only.
#
# What is read: Markdown except code; all comments of public headers; of other C files and of scripts the comment at the head,
# and of C files outside of tests the string literals with a blank in them (one without a blank is a key or a name); the
# HTML of the report page. Keys of JSON, names in the file format and hidden aliases of options keep their spelling.
set -eu
cd "$(dirname "$0")/.."

# The last commit before the rule for subjects.
first_commit=8cce8fc

findings=$(mktemp)
# One extended regular expression per line, matched without regard to case; after a tab, what to write instead.
phrases='
is none	is invalid, is out of range
are none	are invalid, are out of range
(is|are|be) no (number|numbers|folder|file|mesh|path|condition|name|json|list|option|table)	is not a ...
no number	NaN, not a number
(^|[^a-z])but for 	except for
what is below (it|them)	the subtree
below it(self)?( |$|[.,;:])	the subtree, its descendants
(bytes|ns|us|times|nodes|tests|microseconds) a (triangle|node|leaf|leaf|vertex|asset|query|part|face)	per triangle
(triangles|vertices|faces|children|units) a (leaf|node|part)	per leaf
a row a |a file a |a bit a |a line a 	one row per
(^| |:)of (several|those|these|them) (with|that|which|the)	subject first
builds that come again	incremental builds
come(s)? again	repeat, recur
what comes	the input
(is|are) left alone	is skipped
tells? (of|people|programs|whether|what)	report, describe
says? of 	describes
takes? .{0,30} for nothing	ignores
in (their|its) places	resolved
(is|are) held against	is compared with
count(s)? most	takes precedence
stands? (beside|in place|on the command)	
all that there is	everything
nothing but 	only
as (they|it) (are|is) written	unchanged
what (is|was) (refused|dropped|left)	rejected input
refuse(s|d)?([^a-z]|$)	rejects
mend(s|ed|ing)?([^a-z]|$)	fix
are of one	have the same
no more than so many	at most
so many (mesh )?units	a length in mesh units
so (far|long|many) (apart|away)	
whatever (it|they|its|their)	for any
the least (box|ball|sphere|volume|rectangle|cost)	the smallest
least (box|ball|sphere) 	smallest
in the mean([^a-z]|$)	on average
of which (the|none|each|there)	
'

# British forms; words with the same letters in American English (precise, exercise, otherwise) are not among them.
british='(cent(re|red|res|ring)|colour|neighbour|behaviour|favour|honour|metres?|millimetres?|centimetres?|grey|licence|artefact|modelled|modelling|labelled|levelled|travell(ed|ing)|cancell(ed|ing)|analys(e|ed|ing)|catalogue|(recogn|optim|minim|maxim|normal|quant|summar|initial|organ|general|serial|vector|parallel|real|special|discret|regular|penal|factor|util|visual|synchron|random|local|character|prioriti|emphas|standard|final|rasteri|token|triangular)is(e|es|ed|er|ers|ing|ation|ations))'

# Prints FILE:LINE:TEXT of what people read in the files.
text_of()
{
	awk '
	function out( text ) { print FILENAME ":" FNR ":" text }
	FNR == 1 {
		head = 1
		code = 0
		kind = FILENAME ~ /\.md$/ ? "page" : FILENAME ~ /^include\/.*\.h$/ ? "header" : FILENAME ~ /\.html$/ ? "html" : FILENAME ~ /\.1\.in$/ ? "text" : FILENAME ~ /\.(py|sh|awk|mk)$|Makefile$/ ? "script" : "c"
		tests = FILENAME ~ /^tests\//
	}
	kind == "page" && /^ *```/ { code = !code; next }
	kind == "page" { if ( !code && !/^    / ) { gsub( /`[^`]*`/, "" ); gsub( /\]\([^)]*\)/, "]" ); out( $0 ) } next }
	kind == "header" { p = index( $0, "//" ); if ( p ) out( substr( $0, p ) ); next }
	kind == "html" { gsub( /<[^>]*>/, " " ); out( $0 ); next }
	kind == "text" { out( $0 ); next }
	kind == "script" { if ( head && /^#/ ) { if ( !/^#!/ ) out( $0 ) } else head = 0; next }
	head && /^\/\// { out( $0 ); next }
	{ head = 0 }
	tests { next }
	{
		line = $0
		sub( /[ \t]*\/\/.*$/, "", line )
		if ( line ~ /^#/ ) next
		while ( match( line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|`[^`]*`/ ) )
		{
			literal = substr( line, RSTART + 1, RLENGTH - 2 )
			if ( literal ~ /[A-Za-z] [A-Za-z]/ ) out( literal )
			line = substr( line, RSTART + RLENGTH )
		}
	}' "$@"
}

if [ $# = 0 ]; then
	set -- $(git ls-files 2> /dev/null || find . -type f | sed 's@^\./@@')
	whole=1
else
	whole=
fi
text=$(mktemp)
trap 'rm -f "$findings" "$text" "$text.files"' EXIT
for file in "$@"; do
	case "$file" in
	tests/prose.sh | tests/seeded-faults* | tests/golden/* | LICENSE | packaging/debian/*) ;;
	*.md | *.[ch] | *.cpp | *.html | *.js | *.1.in | *.sh | *.py | *.awk | *.mk | Makefile) test ! -f "$file" || echo "$file" ;;
	esac
done > "$text.files"
if [ -s "$text.files" ]; then
	# shellcheck disable=SC2046
	text_of $(cat "$text.files") > "$text"
fi

echo "$phrases" | while IFS='	' read -r phrase instead; do
	test -z "$phrase" || grep -iE -- "^[^:]*:[0-9]+:.*($phrase)" "$text" | sed "s@\$@   <- $phrase${instead:+ (write: $instead)}@" || true
done > "$findings"
grep -iE -- "^[^:]*:[0-9]+:.*(^|[^a-z-])$british([^a-z]|\$)" "$text" | sed 's@$@   <- British spelling@' >> "$findings" || true

# Commit subjects, if the history reaches back to the first commit with this rule.
if [ -n "$whole" ] && ! git merge-base --is-ancestor $first_commit HEAD 2> /dev/null; then
	echo 'prose: commit subjects are not checked: the history is too short'
elif [ -n "$whole" ]; then
	git log --no-merges --format='%h %s' $first_commit..HEAD |
		grep -vE '^[0-9a-f]+ [a-z0-9/_.,+-]+( [a-z0-9/_.,+-]+)*: [A-Z][a-z]+ .+' | sed 's@$@   <- commit subject (area: Verb object)@' >> "$findings" || true
	git log --no-merges --format='%h %s' $first_commit..HEAD |
		awk 'length( $0 ) - length( $1 ) - 1 > 72 { print $0 "   <- commit subject is longer than 72 characters" }' >> "$findings" || true
fi

sort -u "$findings"
count=$(sort -u "$findings" | wc -l)
echo "prose: $count findings"
[ "$count" = 0 ]

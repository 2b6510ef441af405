#!/bin/sh
# Plain technical English: reports phrases that must not come back in texts that people read, British spelling, and commit
# subjects that are not "area: Verb object". Without arguments it checks the whole tree; with files, those files only.
#
# What is read: Markdown as it stands, except code blocks; of public headers every line; of other C files the comment at
# the head and, except in tests, the string literals that have a blank in them (a literal without one is a key or a name); of the report page its
# HTML and scripts' literals. Keys of JSON, names in the file format and hidden aliases of options keep their spelling.
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
(^| )of (several|those|these|them) (with|that|which|the)	subject first
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

# Prints FILE:LINE:TEXT of what people read in a file.
text_of()
{
	case "$1" in
	*.md | *.txt) awk -v f="$1" '/^ *```/ { code = !code; next } !code && !/^    / { gsub( /`[^`]*`/, "" ); gsub( /\]\([^)]*\)/, "]" ); print f ":" FNR ":" $0 }' "$1" ;;
	include/*.h) awk -v f="$1" '{ p = index( $0, "//" ); if ( p ) print f ":" FNR ":" substr( $0, p ) }' "$1" ;;
	*.html) awk -v f="$1" '{ gsub( /<[^>]*>/, " " ); print f ":" FNR ":" $0 }' "$1" ;;
	*.1.in) awk -v f="$1" '{ print f ":" FNR ":" $0 }' "$1" ;;
	*.py | *.sh | *.awk | *.mk | Makefile) awk -v f="$1" '/^#!/ { next } /^#/ { print f ":" FNR ":" $0; next } FNR > 1 && !/^#/ { exit }' "$1" ;;
	*) awk -v f="$1" -v only_head="$(case "$1" in tests/*) echo 1 ;; esac)" '
		FNR == 1 { head = 1 }
		head && /^\/\// { print f ":" FNR ":" $0; next }
		only_head { exit }
		{ head = 0
		  line = $0
		  sub( /[ \t]*\/\/.*$/, "", line )
		  if ( line ~ /^#/ ) next
		  while ( match( line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|`[^`]*`/ ) )
		  {
			  literal = substr( line, RSTART + 1, RLENGTH - 2 )
			  if ( literal ~ /[A-Za-z] [A-Za-z]/ ) print f ":" FNR ":" literal
			  line = substr( line, RSTART + RLENGTH )
		  } }' "$1" ;;
	esac
}

if [ $# = 0 ]; then
	set -- $(git ls-files 2> /dev/null || find . -type f | sed 's@^\./@@')
	whole=1
else
	whole=
fi
text=$(mktemp)
trap 'rm -f "$findings" "$text"' EXIT
for file in "$@"; do
	case "$file" in
	tests/prose.sh | tests/seeded-faults* | tests/golden/* | LICENSE | docs/experiments/*.csv | packaging/debian/*) continue ;;
	*.md | *.[ch] | *.cpp | *.html | *.js | *.1.in) test ! -f "$file" || text_of "$file" ;;
	esac
done > "$text"

echo "$phrases" | while IFS='	' read -r phrase instead; do
	test -z "$phrase" || grep -iE -- "^[^:]*:[0-9]+:.*($phrase)" "$text" | sed "s@\$@   <- $phrase${instead:+ (write: $instead)}@" || true
done > "$findings"
grep -iE -- "^[^:]*:[0-9]+:.*(^|[^a-z-])$british([^a-z]|\$)" "$text" | sed 's@$@   <- British spelling@' >> "$findings" || true

# Commit subjects, where there is a history that reaches back so far.
if [ -n "$whole" ] && git merge-base --is-ancestor $first_commit HEAD 2> /dev/null; then
	git log --no-merges --format='%h %s' $first_commit..HEAD |
		grep -vE '^[0-9a-f]+ [a-z0-9/_.,+-]+( [a-z0-9/_.,+-]+)*: [A-Z][a-z]+ .+' | sed 's@$@   <- commit subject (area: Verb object)@' >> "$findings" || true
	git log --no-merges --format='%h %s' $first_commit..HEAD |
		awk 'length( $0 ) > 72 + 8 { print $0 "   <- commit subject is longer than 72 characters" }' >> "$findings" || true
fi

sort -u "$findings"
count=$(sort -u "$findings" | wc -l)
echo "prose: $count findings"
[ "$count" = 0 ]

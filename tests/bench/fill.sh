#!/bin/sh
# Copies what a command printed into a page, between the markers of its name: fill.sh NAME FILE PAGE.
#
# Tables of more than 25 rows become CSV files NAME.csv, NAME-2.csv, ... beside the page, and the page gets a link instead. Tables
# with the same header that only blank lines and other tables separate count as one. Code marks and bold type are dropped there.
set -eu
grep -q "^<!-- begin $1 -->\$" "$3" && grep -q "^<!-- end $1 -->\$" "$3"
folder=$(dirname "$3")
rm -f "$folder/$1.csv" "$folder/$1"-[0-9]*.csv

# First pass over FILE: the number of the table that each line belongs to, and the rows of each table. Second pass: the text.
awk -v name="$1" -v folder="$folder" '
	function csv( line,    n, cells, i, cell, text )
	{
		sub( /^\| */, "", line )
		sub( / *\|$/, "", line )
		n = split( line, cells, / *\| */ )
		for ( i = 1; i <= n; ++i )
		{
			cell = cells[i]
			gsub( /[`*]/, "", cell )
			if ( cell ~ /[",]/ )
			{
				gsub( /"/, "\"\"", cell )
				cell = "\"" cell "\""
			}
			text = text ( i > 1 ? "," : "" ) cell
		}
		return text
	}
	{ line[NR] = $0 }
	/^\|/ && !within { within = 1; head = $0; if ( !( head in table ) ) table[head] = ++tables; header[NR] = 1 }
	/^\|/ { of[NR] = table[head]; if ( !header[NR] && !( /^\| *-/ ) ) ++rows[table[head]] }
	!/^\|/ { within = 0 }
	/[^ ]/ && !/^\|/ { for ( key in table ) delete table[key] }
	END {
		for ( i = 1; i <= NR; ++i )
		{
			t = of[i]
			if ( t == "" || rows[t] <= 25 )
			{
				if ( line[i] != "" || !blank ) print line[i]
				blank = line[i] == ""
				continue
			}
			if ( header[i] && !( t in file ) )
			{
				file[t] = name ( files++ ? "-" files : "" ) ".csv"
				print csv( line[i] ) > ( folder "/" file[t] )
				columns = line[i]
				sub( /^\| */, "", columns )
				sub( / *\|$/, "", columns )
				gsub( / *\| */, "; ", columns )
				print "[" file[t] "](" file[t] "), " rows[t] " rows. Columns: " columns "."
				blank = 0
			}
			else if ( !header[i] && !( line[i] ~ /^\| *-/ ) ) print csv( line[i] ) > ( folder "/" file[t] )
		}
	}' "$2" > "$3.text"
awk -v name="$1" -v text="$3.text" '
	$0 == "<!-- end " name " -->" { inside = 0 }
	!inside { print }
	$0 == "<!-- begin " name " -->" { inside = 1; while ( ( getline line < text ) > 0 ) print line }
' "$3" > "$3.new"
rm "$3.text"
mv "$3.new" "$3"

# A man page, with help.awk behind this file: the template with its lines @OPTIONS@ and @NAMES@ made of what the tool prints as help.
# The template follows the help text as the second file; `version` is the program's.

# Of the template nothing is for help.awk.
FNR == 1 { ++files }
files == 2 {
	page[++lines] = $0
	next
}

END {
	for ( line = 1; line <= lines; ++line )
	{
		if ( page[line] == "@OPTIONS@" )
			print_options()
		else if ( page[line] == "@NAMES@" )
			print_names()
		else
		{
			gsub( /@VERSION@/, version, page[line] )
			print page[line]
		}
	}
}

function print_options( i, form )
{
	for ( i = 1; i <= count; ++i )
	{
		if ( group[i] != "" )
			print ".SS " roff( group[i] )
		form = argument[i] == "" ? "" : optional[i] ? "\\fR[=\\fI" roff( argument[i] ) "\\fR]" : " \\fI" roff( argument[i] )
		print ".TP"
		print "\\fB" ( short[i] == "" ? "" : roff( short[i] ) "\\fR, \\fB" ) roff( long[i] ) form "\\fR"
		print roff( text[i] )
	}
}

function print_names( k, n, all )
{
	for ( k = 1; k <= lists; ++k )
	{
		print ".SS " roff( heading[k] )
		all = ""
		for ( n = begin[k]; n <= end[k]; ++n )
		{
			if ( meaning[n] != "" )
				print ".TP\n\\fB" roff( entry[n] ) "\\fR\n" roff( meaning[n] )
			else
				all = all ( all == "" ? "" : ", " ) "\\fB" roff( entry[n] ) "\\fR"
		}
		if ( all != "" )
			print all
	}
}

# Letters that mean something to roff, or that it sets as others.
function roff( line )
{
	gsub( /\\/, "\\(rs", line )
	gsub( /-/, "\\-", line )
	gsub( /'/, "\\(aq", line )
	gsub( /`/, "\\(ga", line )
	gsub( /\^/, "\\(ha", line )
	gsub( /~/, "\\(ti", line )
	return line ~ /^\./ ? "\\&" line : line
}

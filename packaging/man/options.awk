# Writes a man page; help.awk follows this file. Files: the output of --help=all, the template, and the output of --help. In the
# template, the lines @DAILY@, @OPTIONS@, @NAMES@ and @FILES@ are replaced by lists; @VERSION@ is the value of `version`.

# help.awk sees only the first file.
FNR == 1 { ++files }
files == 2 {
	page[++lines] = $0
	next
}
files == 3 {
	if ( /^[A-Z].*:$/ )
		daily[++days] = ".SS " roff( substr( $0, 1, length( $0 ) - 1 ) )
	else if ( /^  (-.,|   ) --/ )
	{
		sub( /^ +(-., )?/, "" )
		match( $0, /^--[a-z0-9-]+/ )
		daily[++days] = substr( $0, 1, RLENGTH )
	}
	next
}

END {
	for ( line = 1; line <= lines; ++line )
	{
		if ( page[line] == "@DAILY@" )
			print_daily()
		else if ( page[line] == "@OPTIONS@" )
			print_options()
		else if ( page[line] == "@NAMES@" )
			print_names()
		else if ( page[line] == "@FILES@" )
			print_files()
		else
		{
			gsub( /@VERSION@/, version, page[line] )
			print page[line]
		}
	}
}

# The daily options by task, each with the first sentence of its text.
function print_daily( d, i )
{
	for ( d = 1; d <= days; ++d )
	{
		if ( daily[d] ~ /^\.SS/ )
			print daily[d]
		for ( i = 1; i <= count; ++i )
			if ( long[i] == daily[d] )
				print_option( i, first[i] )
	}
}

function print_options( i )
{
	for ( i = 1; i <= count; ++i )
	{
		if ( group[i] != "" )
			print ".SS " roff( group[i] )
		print_option( i, text[i] )
	}
}

function print_option( i, what, form )
{
	form = argument[i] == "" ? "" : optional[i] ? "\\fR[=\\fI" roff( argument[i] ) "\\fR]" : " \\fI" roff( argument[i] )
	print ".TP"
	print "\\fB" ( short[i] == "" ? "" : roff( short[i] ) "\\fR, \\fB" ) roff( long[i] ) form "\\fR"
	print roff( what )
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

# The documentation that packaging/install.sh installs.
function print_files( i, count, part, item )
{
	print "These are below the prefix of the installation, such as /usr:"
	count = split( "index.md:the table of contents of the manual;cli.md:both tools by task, with all options;" \
		"gates.md:the language of conditions of --gate;report-keys.md:the keys of reports;" \
		"bvh-format.md:the specification of .bvh files", item, ";" )
	for ( i = 1; i <= count; ++i )
	{
		split( item[i], part, ":" )
		print ".TP\n.I " roff( "share/doc/bvbuild/" part[1] )
		print roff( part[2] )
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

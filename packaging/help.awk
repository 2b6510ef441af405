# Reads what a tool prints as help into tables, which the program behind this one writes as something else at its END.
#
#   count           options, in the order of the table that the parser walks
#   long[i]         name with its dashes
#   short[i]        letter with its dash, or empty
#   argument[i]     what it is called in the text, or empty when the option takes none
#   optional[i]     whether the value may be left out, and else follows an equals sign
#   text[i]         what it does, in one line
#   group[i]        the heading above it, if it is the first below one
#   heading[k]      of the lists of names below the options; lists of them
#   begin[k], end[k]  its first and its last name; entry[n] and meaning[n] are a name and what it stands for
#   values[NAME]    what an option's value can be, blanks between; empty where nothing is listed
#
# A heading tells which options take its names, as in "Builders (--builder):". In an argument such as float|quantized words are
# values themselves, those in capitals stand for others.

/^  (-.,|   ) --/ {
	group[++count] = pending
	pending = ""
	short[count] = substr( $0, 3, 1 ) == "-" ? substr( $0, 3, 2 ) : ""
	rest = substr( $0, 7 )
	match( rest, /^--[a-z0-9-]+/ )
	long[count] = substr( rest, 1, RLENGTH )
	rest = substr( rest, RLENGTH + 1 )
	optional[count] = sub( /^\[=/, "", rest )
	if ( optional[count] )
		match( rest, /^[^]]*/ )
	else if ( !match( rest, /^ [^ ]+/ ) )
		RLENGTH = 0
	argument[count] = substr( rest, 1, RLENGTH )
	rest = substr( rest, RLENGTH + 1 + optional[count] )
	sub( /^ /, "", argument[count] )
	sub( /^ +/, "", rest )
	text[count] = first[count] = rest
	add_words( long[count], argument[count] )
	next
}

# What is written below the first line's text goes on.
/^                                   [^ ]/ && pending == "" && !lists {
	sub( /^ +/, "" )
	if ( text[count] == "" )
		first[count] = $0
	text[count] = text[count] ( text[count] == "" ? "" : " " ) $0
	next
}

# Of more options, or of a list.
/^[A-Z].*:$/ && count {
	pending = substr( $0, 1, length( $0 ) - 1 )
	next
}

# A name with what it means behind it, or several names alone.
/^  [^ ]/ && ( pending != "" || lists ) {
	if ( pending != "" )
		begin_list()
	if ( $0 ~ /^  [^ ]+  / || length( $1 ) >= 32 )
	{
		entry[++entries] = $1
		meaning[entries] = substr( $0, 3 + length( $1 ) )
		sub( /^ +/, "", meaning[entries] )
	}
	else
		for ( i = 1; i <= NF; ++i )
			entry[++entries] = $i
	for ( n = end[lists] + 1; n <= entries; ++n )
		add_value( takers, entry[n] )
	end[lists] = entries
	next
}

function begin_list()
{
	heading[++lists] = pending
	begin[lists] = entries + 1
	end[lists] = entries
	takers = pending
	if ( !sub( /^[^(]*\(/, "", takers ) )
		takers = ""
	sub( /[;)].*/, "", takers )
	gsub( /,/, "", takers )
	pending = ""
}

# Words of an argument that are in small letters are values.
function add_words( option, form, word, n, k )
{
	if ( form ~ /^[a-z0-9:-]+$/ )
		values[option] = form
	else if ( index( form, "|" ) )
	{
		n = split( form, word, "|" )
		for ( k = 1; k <= n; ++k )
			if ( word[k] ~ /^[a-z0-9:-]+$/ )
				values[option] = values[option] ( values[option] == "" ? "" : " " ) word[k]
	}
}

# What is in capitals in a name, as in level=N, is for people to fill in.
function add_value( options, value, option, n, k )
{
	sub( /[A-Z].*/, "", value )
	n = split( options, option, " " )
	for ( k = 1; k <= n; ++k )
		if ( index( " " values[option[k]] " ", " " value " " ) == 0 )
			values[option[k]] = values[option[k]] ( values[option[k]] == "" ? "" : " " ) value
}

# What kind of value an option takes: "list" of values with commas, "values", "files" with or without an extension, "folders",
# "then files" behind a value and a comma, or "" for what nobody can know.
function kind_of( i )
{
	if ( argument[i] ~ /,PATH$/ )
		return "then files"
	if ( values[long[i]] != "" )
		return argument[i] ~ /,\.\.\.$/ ? "list" : "values"
	if ( argument[i] ~ /^(FOLDER|DIR)\/?$/ )
		return "folders"
	return argument[i] ~ /^(FILE|PATH|OUT|AFTER|OTHER)(\.[a-z]+)?$/ ? "files" : ""
}

# As in FILE.json: "json".
function extension_of( form )
{
	return match( form, /\.[a-z]+/ ) ? substr( form, RSTART + 1, RLENGTH - 1 ) : ""
}

# Completion for zsh, behind help.awk. `tool` is the program's name, `inputs` the extension of its inputs, or empty for any file.

END {
	print "#compdef " tool
	print "# Completion of " tool " for zsh, generated from " tool " --help=all.\n"
	print "_arguments -s -S \\"
	for ( i = 1; i <= count; ++i )
	{
		names = short[i] == "" ? "" : "(" short[i] " " long[i] ")"
		if ( text[i] ~ /[Rr]epeatable/ )
			names = "*"
		form = argument[i] == "" ? "" : optional[i] ? "=-" : "="
		value = ""
		if ( argument[i] != "" )
			value = ( optional[i] ? "::" : ":" ) plain( argument[i] ) ":" action( i )
		if ( short[i] == "" )
			printf "  '%s%s%s[%s]%s' \\\n", names, long[i], form, plain( first[i] ), value
		else
			printf "  '%s'{%s%s,%s%s}'[%s]%s' \\\n", names, short[i], ( argument[i] == "" ? "" : "+" ), long[i], form, plain( first[i] ), value
	}
	print "  '*:input:_files" ( inputs == "" ? "" : " -g \"*." inputs "(-.)\"" ) "'"
}

function action( i, kind )
{
	kind = kind_of( i )
	if ( kind == "values" )
		return "(" plain( values[long[i]] ) ")"
	if ( kind == "list" )
		return "_sequence compadd - " values[long[i]]
	if ( kind == "then files" )
		return "compadd -S \"\" - " values[long[i]]
	if ( kind == "folders" )
		return "_files -/"
	if ( kind == "files" )
		return "_files" ( extension_of( argument[i] ) == "" ? "" : " -g \"*." extension_of( argument[i] ) "(-.)\"" )
	return " "
}

# Text between brackets and colons.
function plain( line )
{
	gsub( /\\/, "\\\\", line )
	gsub( /\[/, "\\[", line )
	gsub( /\]/, "\\]", line )
	gsub( /:/, "\\:", line )
	gsub( /'/, "'\\''", line )
	return line
}

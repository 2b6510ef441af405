# Completion for fish, behind help.awk. `tool` is the program's name, `inputs` the extension of its inputs, or empty for any file.

END {
	print "# Completion of " tool " for fish, generated from " tool " --help=all.\n"
	if ( inputs != "" )
		print "complete -c " tool " -k -x -a '(__fish_complete_suffix ." inputs ")'"
	for ( i = 1; i <= count; ++i )
	{
		kind = kind_of( i )
		printf "complete -c %s -l %s", tool, substr( long[i], 3 )
		if ( short[i] != "" )
			printf " -s %s", substr( short[i], 2 )
		# What may be left out is no argument of its own.
		if ( argument[i] != "" && !optional[i] )
			printf " -%s", ( kind == "files" && extension_of( argument[i] ) == "" ? "rF" : "x" )
		printf " -d '%s'", quoted( first[i] )
		if ( kind == "values" )
			printf " -a '%s'", values[long[i]]
		else if ( kind == "list" || kind == "then files" )
			printf " -a '(__fish_complete_list , \"string split \\\\\" \\\\\" \\\\\"%s\\\\\"\")'", values[long[i]]
		else if ( kind == "folders" )
			printf " -a '(__fish_complete_directories)'"
		else if ( kind == "files" && extension_of( argument[i] ) != "" )
			printf " -k -a '(__fish_complete_suffix .%s)'", extension_of( argument[i] )
		print ""
	}
}

function quoted( line )
{
	gsub( /\\/, "\\\\", line )
	gsub( /'/, "\\'", line )
	return line
}

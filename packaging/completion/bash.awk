# Completion for bash, behind help.awk. `tool` is the program's name, `inputs` the extension of its inputs, or empty for any file.
#
# Of --option=value bash makes three words, unless someone has told it otherwise.

END {
	print "# Completion of " tool " for bash, generated from " tool " --help=all.\n"
	print "_" tool "()\n{"
	print "	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}"
	print "	local option= before= words= separator= pattern= word"
	print "	COMPREPLY=()"
	print "	for word in \"${COMP_WORDS[@]:1:COMP_CWORD - 1}\"; do"
	print "		[[ $word == -- ]] && option=--"
	print "	done"
	print "	if [[ $option == -- ]]; then"
	print "		:"
	print "	elif [[ $current == --*=* ]]; then"
	print "		option=${current%%=*}= before=${current%%=*}= current=${current#*=}"
	print "	elif [[ $current == = ]]; then"
	print "		option=$previous= current="
	print "	elif [[ $previous == = ]]; then"
	print "		option=${COMP_WORDS[COMP_CWORD - 2]}="
	print "	elif [[ $current == -* ]]; then"
	print "		option=-"
	print "	else"
	print "		option=$previous"
	print "	fi"
	print "	case $option in"
	printf "	-) words='"
	for ( i = 1; i <= count; ++i )
		printf "%s%s%s", ( i > 1 ? " " : "" ), short[i] == "" ? "" : short[i] " ", long[i]
	print "' ;;"
	for ( i = 1; i <= count; ++i )
		if ( argument[i] != "" )
			print_case( i )
	print "	*) pattern='" glob( inputs ) "' ;;"
	print "	esac"
	print "	if [[ $separator && $current == *,* ]]; then"
	print "		before=$before${current%,*}, current=${current##*,}"
	print "		[[ $pattern ]] && words="
	print "	fi"
	print "	if [[ $words ]]; then"
	print "		[[ $separator ]] && compopt -o nospace 2> /dev/null"
	print "		mapfile -t COMPREPLY < <( compgen -P \"$before\" -W \"$words\" -- \"$current\" )"
	print "	elif [[ $pattern ]]; then"
	print "		compopt -o filenames 2> /dev/null"
	print "		mapfile -t COMPREPLY < <( compgen -P \"$before\" -f -X \"!$pattern\" -- \"$current\""
	print "			[[ $pattern != '*' ]] && compgen -P \"$before\" -d -- \"$current\" )"
	print "	fi"
	print "}"
	print "complete -F _" tool " " tool
}

# What an option may be followed by. A value that may be left out only follows an equals sign.
function print_case( i, kind )
{
	kind = kind_of( i )
	printf "	%s%s%s)", optional[i] ? "" : long[i] " | ", long[i] "=", short[i] == "" ? "" : " | " short[i]
	if ( kind ~ /values|list|then/ )
		printf " words='%s'", values[long[i]]
	if ( kind == "list" || kind == "then files" )
		printf " separator=,"
	if ( kind == "then files" )
		printf " pattern='*'"
	else if ( kind == "files" )
		printf " pattern='%s'", glob( extension_of( argument[i] ) )
	else if ( kind == "folders" )
		printf " pattern='*/'"
	print " ;;"
}

function glob( extension )
{
	return extension == "" ? "*" : "*." extension
}

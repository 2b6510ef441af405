#!/bin/sh
# Prints the main function of a program of several unit tests: unit_main.sh NAME... The program runs the test it is given the name
# of. Each is the main of its file, compiled under that name.
cat <<'C'
#include <stdio.h>
#include <string.h>
C
printf 'int %s( void );\n' "$@"
cat <<'C'

int main( int count, char** arguments )
{
	const struct { const char* name; int ( *run )( void ); } tests[] = {
C
for name in "$@"; do
	printf '\t\t{ "%s", %s },\n' "$name" "$name"
done
cat <<'C'
	};
	for ( size_t i = 0; count == 2 && i < sizeof( tests ) / sizeof( *tests ); ++i )
	{
		if ( strcmp( arguments[1], tests[i].name ) == 0 )
		{
			return tests[i].run();
		}
	}
	fprintf( stderr, "usage: %s TEST, one of\n", arguments[0] );
	for ( size_t i = 0; i < sizeof( tests ) / sizeof( *tests ); ++i )
	{
		fprintf( stderr, "  %s\n", tests[i].name );
	}
	return 1;
}
C

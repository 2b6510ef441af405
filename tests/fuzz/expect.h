// What must be true in a fuzz target: a failure names the line and ends the program.

#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define expect( good ) expect_at( good, __FILE__, __LINE__, #good )

static inline void expect_at( bool good, const char* file, int line, const char* what )
{
	if ( !good )
	{
		fprintf( stderr, "%s:%d: %s\n", file, line, what );
		abort();
	}
}

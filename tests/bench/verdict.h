// Rows of tables of verdicts: what a source says, its figure, ours, and whether that confirms it. Programs collect rows and print
// them last, after the tables that they come from.

#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum
{
	most_verdicts = 32,
	verdict_length = 160,
};

typedef struct verdict
{
	const char* source; // section, table or page
	const char* claim;
	const char* printed;
	char ours[verdict_length];
	const char* word;
} verdict;

typedef struct verdicts
{
	verdict of[most_verdicts];
	int count;
	int missed; // bars of this project
	FILE* csv;  // null for none
} verdicts;

// @param word  "confirmed", "refuted", or why it is not comparable
// @param ours  a format of printf
__attribute__( ( format( printf, 6, 7 ) ) ) static inline void
add_verdict( verdicts* v, const char* source, const char* claim, const char* printed, const char* word,
             const char* ours, ... )
{
	if ( v->count < most_verdicts )
	{
		verdict* to = v->of + v->count++;
		*to = ( verdict ){ .source = source, .claim = claim, .printed = printed, .word = word };
		va_list arguments;
		va_start( arguments, ours );
		vsnprintf( to->ours, sizeof to->ours, ours, arguments );
		va_end( arguments );
	}
}

static inline const char* confirmed_if( bool holds )
{
	return holds ? "confirmed" : "refuted";
}

// What this project requires. Reports a bar that is missed on stderr.
static inline void require( verdicts* v, bool met, const char* what )
{
	if ( !met )
	{
		fprintf( stderr, "missed: %s\n", what );
		v->missed += 1;
	}
}

// @return the exit code
static inline int print_verdicts( const verdicts* v )
{
	printf( "\n| source | claim | printed | here | verdict |\n| --- | --- | --- | --- | --- |\n" );
	for ( int i = 0; i < v->count; ++i )
	{
		const verdict* of = v->of + i;
		printf( "| %s | %s | %s | %s | %s |\n", of->source, of->claim, of->printed, of->ours, of->word );
	}
	return v->missed > 0;
}

// A figure that a table is made of.
static inline void write_figure( const verdicts* v, const char* what, const char* of, double at,
                                 double value )
{
	if ( v->csv )
	{
		fprintf( v->csv, "\"%s\",\"%s\",%.6g,%.9g\n", what, of, at, value );
	}
}

// Reads [--quick] [-o CSV].
// @return false, with a line on stderr, if the file cannot be written
static inline bool begin_verdicts( verdicts* v, int count, char** arguments, bool* quick )
{
	const char* path = NULL;
	*quick = false;
	for ( int i = 1; i < count; ++i )
	{
		*quick |= strcmp( arguments[i], "--quick" ) == 0;
		path = strcmp( arguments[i], "-o" ) == 0 && i + 1 < count ? arguments[++i] : path;
	}
	v->csv = path ? fopen( path, "w" ) : NULL;
	if ( path && !v->csv )
	{
		fprintf( stderr, "%s: cannot be written\n", path );
		return false;
	}
	if ( v->csv )
	{
		fputs( "what,of,at,value\n", v->csv );
	}
	return true;
}

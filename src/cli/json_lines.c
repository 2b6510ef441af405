// JSON with lines. See json_lines.h.

#include "cli/json_lines.h"

#include "offline/base/error.h"

#include <stdio.h>
#include <string.h>

static bool is_blank( char c )
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// What is wrong with JSON at a place.
static void explain_json( const char* text, const char* at, char out[64] )
{
	const char* before = at;
	while ( before > text && is_blank( before[-1] ) )
	{
		before -= 1;
	}
	if ( *at == 0 )
	{
		strcpy( out, "ends too early" );
	}
	else if ( before > text && before[-1] == ',' && ( *at == '}' || *at == ']' ) )
	{
		snprintf( out, 64, "a comma before '%c'", *at );
	}
	else if ( *at == '#' || ( *at == '/' && ( at[1] == '/' || at[1] == '*' ) ) )
	{
		strcpy( out, "JSON has no comments" );
	}
	else if ( *at == '\'' )
	{
		strcpy( out, "JSON has strings in double quotes only" );
	}
	else
	{
		snprintf( out, 64, "unexpected '%c'", *at );
	}
}

// @param end  where the parser gave up
static bv_status fail_json( const char* path, const char* text, const char* end, bvb_error* error )
{
	char what[64];
	int line = 1;
	int column = 1;
	// Where there is no key, the parser has gone one character too far.
	const char* before = end - 1;
	while ( before > text && is_blank( before[-1] ) )
	{
		before -= 1;
	}
	bool key = before > text && ( before[-1] == '{' || before[-1] == ',' );
	end -= key && strchr( "}]/'#", end[-1] ) != NULL;
	while ( is_blank( *end ) )
	{
		end += 1;
	}
	for ( const char* c = text; c < end; ++c )
	{
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	explain_json( text, end, what );
	return bvbase_fail( error, bv_error_input, "%s:%d:%d: is not JSON: %s", path, line, column, what );
}

// A place in a valid text.
typedef struct json_place
{
	const char* at;
	int line;
} json_place;

static void skip_blanks( json_place* p )
{
	for ( ; is_blank( *p->at ); ++p->at )
	{
		p->line += *p->at == '\n';
	}
}

// A string has no line breaks.
static void skip_string( json_place* p )
{
	for ( ++p->at; *p->at && *p->at != '"'; ++p->at )
	{
		p->at += *p->at == '\\' && p->at[1];
	}
	p->at += *p->at == '"';
}

// Goes behind the beginning of the next value: of an array or object its bracket.
// @return the line that it begins in
static int next_value( json_place* p )
{
	for ( ;; )
	{
		skip_blanks( p );
		while ( *p->at && strchr( ",:]}", *p->at ) )
		{
			p->at += 1;
			skip_blanks( p );
		}
		int line = p->line;
		if ( *p->at != '"' )
		{
			p->at += *p->at == '{' || *p->at == '[' ? 1 : strcspn( p->at, ",]} \t\r\n" );
			return line;
		}
		skip_string( p );
		skip_blanks( p );
		if ( *p->at != ':' ) // behind a key
		{
			return line;
		}
	}
}

// Children follow their parents in the text as in the tree, whose depth cJSON limits.
static void number_lines( cJSON* item, json_place* p )
{
	item->valueint = next_value( p );
	for ( cJSON* child = item->child; child; child = child->next )
	{
		number_lines( child, p );
	}
}

bv_status parse_json( const char* path, const char* text, cJSON** out, bvb_error* error )
{
	const char* end = text;
	*out = cJSON_ParseWithOpts( text, &end, true );
	if ( !*out )
	{
		return fail_json( path, text, end, error );
	}
	number_lines( *out, &( json_place ){ text, 1 } );
	return bv_ok;
}

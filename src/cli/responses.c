// Response files. See responses.h.

#include "cli/responses.h"

#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/base/text_file.h"

#include <stdlib.h>
#include <string.h>

enum
{
	deepest = 16,
	most_arguments = 1 << 28,
};

// Arguments so far.
typedef struct responses_expansion
{
	bvb_arena* arena;
	char** arguments;
	int count;
	int capacity;
	bool options_end; // -- was among them
	name_list* files; // that were read
} responses_expansion;

static bv_status add_argument( responses_expansion* e, char* argument, bvb_error* error )
{
	if ( e->count == e->capacity )
	{
		if ( e->capacity >= most_arguments )
		{
			return bvbase_fail( error, bv_error_limit, "more than %d arguments", most_arguments );
		}
		int capacity = e->capacity ? 2 * e->capacity : 64;
		char** grown = bvb_arena_allocate( e->arena, (size_t)capacity, sizeof *grown );
		if ( !grown )
		{
			return bvbase_fail_memory( error );
		}
		for ( int i = 0; i < e->count; ++i )
		{
			grown[i] = e->arguments[i];
		}
		e->arguments = grown;
		e->capacity = capacity;
	}
	e->options_end = e->options_end || strcmp( argument, "--" ) == 0;
	e->arguments[e->count++] = argument;
	return bv_ok;
}

static bool is_blank( char c )
{
	return c == ' ' || ( c >= '\t' && c <= '\r' );
}

// Takes one argument off a text, without its quotes, in place.
// Returns null when there is none, or with `open` set to a quote that does not end.
static char* take_argument( char** cursor, char* open )
{
	char* from = *cursor;
	while ( is_blank( *from ) )
	{
		from += 1;
	}
	*open = 0;
	if ( *from == 0 )
	{
		return NULL;
	}
	char* argument = from;
	char* to = from;
	while ( *from && ( *open || !is_blank( *from ) ) )
	{
		char c = *from++;
		if ( c == '\\' && *open != '\'' && *from && ( *from == '"' || !bvbase_path_has_backslashes() ) )
		{
			*to++ = *from++;
		}
		else if ( *open ? c == *open : c == '"' || c == '\'' )
		{
			*open = *open ? 0 : c;
		}
		else
		{
			*to++ = c;
		}
	}
	*cursor = *from ? from + 1 : from;
	*to = 0;
	return *open ? NULL : argument;
}

static bv_status expand( responses_expansion* e, char* argument, int depth, bvb_error* error );

static bv_status expand_file( responses_expansion* e, char* path, int depth, bvb_error* error )
{
	char* text;
	if ( depth == deepest )
	{
		return bvbase_fail( error, bv_error_argument, "%s: response files are nested more than %d deep", path,
		                    deepest );
	}
	bv_status status = bvbase_read_text_file( bvbase_path_use_slashes( path ), e->arena, &text, error );
	status = status == bv_ok ? add_name( e->files, path, error ) : status;
	while ( status == bv_ok )
	{
		char open;
		char* argument = take_argument( &text, &open );
		if ( !argument )
		{
			return open ? bvbase_fail( error, bv_error_argument, "%s: quote %c is not closed", path, open )
			            : bv_ok;
		}
		status = expand( e, argument, depth + 1, error );
	}
	return status;
}

static bv_status expand( responses_expansion* e, char* argument, int depth, bvb_error* error )
{
	return argument[0] == '@' && argument[1] && !e->options_end ? expand_file( e, argument + 1, depth, error )
	                                                            : add_argument( e, argument, error );
}

bv_status expand_responses( invocation* call, bvb_arena* arena, bvb_error* error )
{
	responses_expansion e = { .arena = arena, .files = &call->responses };
	bv_status status = bv_ok;
	for ( int i = 0; i < call->given.count && status == bv_ok; ++i )
	{
		status = expand( &e, call->given.arguments[i], 0, error );
	}
	call->all = ( argument_list ){ e.arguments, e.count, NULL };
	return status;
}

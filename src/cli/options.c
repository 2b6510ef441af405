// Command lines as tables. See options.h.

#include "cli/options.h"

#include "offline/base/error.h"
#include "offline/base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int exit_code( bv_status status )
{
	switch ( status )
	{
	case bv_ok: return exit_done;
	case bv_error_argument: return exit_usage;
	case bv_error_input: return exit_input;
	case bv_error_unsupported: return exit_unsupported;
	case bv_error_output: return exit_output;
	case bv_error_memory: return exit_memory;
	case bv_error_limit: return exit_memory;
	case bv_error_damaged: return exit_input;
	case bv_error_internal: return exit_bug;
	}
	return exit_bug;
}

const option* get_option( const command_line* line, int index )
{
	int rest = index - line->run_option_count;
	return rest < 0 ? line->run_options + index : line->options[rest].name ? line->options + rest : NULL;
}

static bool is_called( const char* known, const char* name, size_t length )
{
	return known && strlen( known ) == length && memcmp( known, name, length ) == 0;
}

static const option* find_long( const command_line* line, const char* name, size_t length )
{
	const option* o;
	for ( int i = 0; ( o = get_option( line, i ) ) != NULL; ++i )
	{
		if ( is_called( o->name, name, length ) || is_called( o->old_name, name, length ) )
		{
			return o;
		}
	}
	return NULL;
}

static const option* find_short( const command_line* line, char letter )
{
	const option* o;
	for ( int i = 0; ( o = get_option( line, i ) ) != NULL; ++i )
	{
		if ( o->letter == letter )
		{
			return o;
		}
	}
	return NULL;
}

bool is_run_option( const command_line* line, const option* o )
{
	bool found = false;
	for ( int i = 0; i < line->run_option_count; ++i )
	{
		found = found || o == line->run_options + i;
	}
	return found;
}

// Finds the option that --NAME or --NAME=VALUE names, and its value if there is one.
static bv_status recognize_long( const command_line* line, const char* argument, const option** found,
                                 const char** value, bvb_error* error )
{
	size_t length = strcspn( argument + 2, "=" );
	*found = find_long( line, argument + 2, length );
	*value = argument[2 + length] ? argument + 3 + length : NULL;
	if ( !*found )
	{
		bvbase_suggestion s = bvbase_suggestion_for( argument + 2, length );
		suggest_options( &s, line );
		const char* near = bvbase_get_suggestion( &s );
		return bvbase_fail( error, bv_error_argument, "unknown option %.200s (%s%s%s)", argument,
		                    near ? "did you mean --" : "--help=all lists all", near ? near : "",
		                    near ? "?" : "" );
	}
	if ( *value && !bvopt_takes_value( *found ) )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes no value", ( *found )->name );
	}
	return bv_ok;
}

const option* find_option( const command_line* line, const char* name )
{
	return find_long( line, name, strlen( name ) );
}

static bv_status apply( const command_line* line, const option* o, void* settings, const char* value,
                        bvb_error* error )
{
	return line->of_build && !is_run_option( line, o ) ? bvopt_apply( o, settings, value, error )
	                                                   : bvopt_store_value( o, settings, value, error );
}

// Where parsing is, and who is told.
typedef struct arguments_left
{
	char** next;
	char** end;
	option_visitor* visit;
	bv_status ( *positional )( void* context, char* argument, bvb_error* error );
	void* context;
} arguments_left;

// A number or a percentage, which no file is called.
static bool is_amount( const char* text )
{
	char* end;
	strtod( text, &end );
	return end != text && ( !*end || strcmp( end, "%" ) == 0 ) && !bvbase_path_exists( text );
}

// The value of an option that may lack one: the next argument, if that is an amount.
static const char* take_amount( const option* o, arguments_left* left )
{
	bool there = o->argument && *o->argument == '[' && left->next < left->end && is_amount( *left->next );
	return there ? *left->next++ : NULL;
}

// Whether the value is a path, or ends in one.
static bool takes_path( const option* o )
{
	static const char* const words[] = { "FILE", "PATH", "DIR", "OUT", "OTHER", ".bvh" };
	bool found = false;
	for ( size_t i = 0; o->argument && i < sizeof words / sizeof *words; ++i )
	{
		found = found || strstr( o->argument, words[i] );
	}
	return found;
}

// With the value written together with the option, or else the next argument, unless there need be none.
static bv_status visit_with_value( const option* o, const char* value, arguments_left* left,
                                   bvb_error* error )
{
	if ( !bvopt_may_lack_value( o ) && !value )
	{
		if ( left->next == left->end )
		{
			char argument[bvasset_option_argument_bytes];
			bvopt_get_argument( o, argument, sizeof argument );
			return bvbase_fail( error, bv_error_argument, "--%s needs a value: %s", o->name, argument );
		}
		value = *left->next++;
	}
	if ( value && takes_path( o ) )
	{
		bvbase_path_use_slashes( (char*)value );
	}
	return left->visit( left->context, o, value, error );
}

// Letters of options without a value may stand together; what follows one that takes a value is that.
static bv_status parse_letters( const command_line* line, const char* letters, arguments_left* left,
                                bvb_error* error )
{
	bv_status status = bv_ok;
	for ( bool more = true; more && status == bv_ok; ++letters )
	{
		const option* o = find_short( line, *letters );
		if ( !o )
		{
			return bvbase_fail( error, bv_error_argument, "unknown option -%.200s (--help=all lists all)",
			                    letters );
		}
		const char* rest = letters[1] ? letters + 1 : NULL;
		more = rest && bvopt_may_lack_value( o );
		status = visit_with_value( o, bvopt_may_lack_value( o ) ? NULL : rest, left, error );
	}
	return status;
}

// Where shells leave patterns alone, they stand for the files that match.
static bv_status take_positional( const arguments_left* left, char* argument, bvb_error* error )
{
	char** names;
	size_t count = bvbase_path_expand( bvbase_path_use_slashes( argument ), &names );
	bv_status status = bv_ok;
	for ( size_t i = 0; i < count && status == bv_ok; ++i )
	{
		status = left->positional( left->context, names[i], error ); // kept until the program ends
	}
	free( names );
	return count > 0 ? status : left->positional( left->context, argument, error );
}

static bv_status parse_arguments( const command_line* line, arguments_left* left, bvb_error* error )
{
	bool options_end = false;
	bv_status status = bv_ok;
	while ( left->next < left->end && status == bv_ok )
	{
		char* argument = *left->next++;
		if ( options_end || argument[0] != '-' || argument[1] == 0 )
		{
			status = left->positional ? take_positional( left, argument, error ) : bv_ok;
		}
		else if ( strcmp( argument, "--" ) == 0 )
		{
			options_end = true;
		}
		else if ( argument[1] != '-' )
		{
			status = parse_letters( line, argument + 1, left, error );
		}
		else
		{
			const option* found;
			const char* value;
			status = recognize_long( line, argument, &found, &value, error );
			value = status == bv_ok && !value ? take_amount( found, left ) : value;
			status = status == bv_ok ? visit_with_value( found, value, left, error ) : status;
		}
	}
	return status;
}

// Applies one of the two kinds of options.
typedef struct applier
{
	const command_line* line;
	void* settings;
	bool first; // that which comes first, else all others
} applier;

static bv_status apply_one( void* context, const option* o, const char* value, bvb_error* error )
{
	applier* a = context;
	bool is_first = a->line->first && strcmp( o->name, a->line->first ) == 0;
	return is_first == a->first ? apply( a->line, o, a->settings, value, error ) : bv_ok;
}

static bv_status pass_on( void* context, char* argument, bvb_error* error )
{
	applier* a = context;
	return a->first ? bv_ok : a->line->positional( a->settings, argument, error );
}

static bv_status apply_list( applier* a, const argument_list* list, bvb_error* error )
{
	arguments_left left = { list->arguments, list->arguments + list->count, apply_one, pass_on, a };
	bv_status status = parse_arguments( a->line, &left, error );
	if ( status != bv_ok && list->origin )
	{
		bvb_error inner = *error;
		bvbase_fail( error, status, "%s: %s", list->origin, inner.message );
	}
	return status;
}

bv_status apply_arguments( const command_line* line, const argument_list* lists, int list_count,
                           void* settings, bvb_error* error )
{
	bv_status status = bv_ok;
	for ( int pass = 0; pass < 2; ++pass )
	{
		applier a = { line, settings, pass == 0 };
		for ( int i = 0; i < list_count && status == bv_ok; ++i )
		{
			status = apply_list( &a, lists + i, error );
		}
	}
	return status;
}

bv_status visit_options( const command_line* line, const argument_list* list, option_visitor* visit,
                         void* context, bvb_error* error )
{
	arguments_left left = { list->arguments, list->arguments + list->count, visit, NULL, context };
	return parse_arguments( line, &left, error );
}

bv_status add_name( name_list* list, char* name, bvb_error* error )
{
	if ( list->count == list->capacity )
	{
		int capacity = list->capacity ? 2 * list->capacity : 64;
		char** grown = realloc( list->names, (size_t)capacity * sizeof *grown );
		if ( !grown )
		{
			return bvbase_fail_memory( error );
		}
		list->names = grown;
		list->capacity = capacity;
	}
	list->names[list->count++] = name;
	return bv_ok;
}

void suggest_options( bvbase_suggestion* s, const command_line* line )
{
	const option* o;
	for ( int i = 0; ( o = get_option( line, i ) ) != NULL; ++i )
	{
		bvbase_suggest( s, o->name );
	}
}

// Command lines as tables. See options.h.

#include "cli/options.h"

#include "base/offline/error.h"

#include <errno.h>
#include <math.h>
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

static const option* find_long( const command_line* line, const char* name, size_t length )
{
	for ( int i = 0; i < line->option_count; ++i )
	{
		const option* o = line->options + i;
		if ( strlen( o->name ) == length && memcmp( o->name, name, length ) == 0 )
		{
			return o;
		}
	}
	return NULL;
}

static const option* find_short( const command_line* line, char letter )
{
	for ( int i = 0; i < line->option_count; ++i )
	{
		if ( line->options[i].letter == letter )
		{
			return line->options + i;
		}
	}
	return NULL;
}

// Finds the option that `argument` names, and the value written together with it, if any.
static bv_status recognise( const command_line* line, const char* argument, const option** found,
                            const char** value, bvb_error* error )
{
	*value = NULL;
	if ( argument[1] == '-' )
	{
		size_t length = strcspn( argument + 2, "=" );
		*found = find_long( line, argument + 2, length );
		*value = argument[2 + length] ? argument + 3 + length : NULL;
	}
	else
	{
		*found = find_short( line, argument[1] );
		*value = argument[2] ? argument + 2 : NULL;
	}
	if ( !*found )
	{
		return bvb_fail( error, bv_error_argument, "unknown option %s (--help lists all)", argument );
	}
	if ( *value && !( *found )->argument )
	{
		return bvb_fail( error, bv_error_argument, "--%s takes no value", ( *found )->name );
	}
	return bv_ok;
}

static bv_status apply( const option* o, void* settings, const char* value, bvb_error* error )
{
	if ( o->apply )
	{
		return o->apply( settings, value, error );
	}
	*(bool*)( (char*)settings + o->flag ) = true;
	return bv_ok;
}

static bv_status parse_command_line( const command_line* line, int count, char** arguments, bvb_error* error )
{
	bool options_end = false;
	for ( int i = 1; i < count; ++i )
	{
		char* argument = arguments[i];
		if ( options_end || argument[0] != '-' || argument[1] == 0 )
		{
			line->positional( line->settings, argument );
			continue;
		}
		if ( strcmp( argument, "--" ) == 0 )
		{
			options_end = true;
			continue;
		}
		const option* found;
		const char* value;
		bv_status status = recognise( line, argument, &found, &value, error );
		if ( status == bv_ok && found->argument && !value )
		{
			if ( i + 1 == count )
			{
				return bvb_fail( error, bv_error_argument, "--%s needs a value: %s", found->name,
				                 found->argument );
			}
			value = arguments[++i];
		}
		status = status == bv_ok ? apply( found, line->settings, value, error ) : status;
		if ( status != bv_ok )
		{
			return status;
		}
	}
	return bv_ok;
}

void print_options( const option* options, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		const option* o = options + i;
		char head[64];
		char letter[8] = "   ";
		if ( o->letter )
		{
			snprintf( letter, sizeof letter, "-%c,", o->letter );
		}
		snprintf( head, sizeof head, "%s --%s%s%s", letter, o->name, o->argument ? " " : "",
		          o->argument ? o->argument : "" );

		// Further lines stand below the first one's text.
		const char* text = o->help;
		for ( const char* start = head;; start = "" )
		{
			int length = (int)strcspn( text, "\n" );
			printf( "  %-32s %.*s\n", start, length, text );
			if ( text[length] == 0 )
			{
				break;
			}
			text += length + 1;
		}
	}
}

int complain( const tool* t, const bvb_error* error, int code )
{
	fprintf( stderr, "%s: %s\n", t->name, error->message );
	return code;
}

int run_tool( const tool* t, int count, char** arguments )
{
	bvb_error error;
	int code = exit_done;
	bv_status status = parse_command_line( &t->line, count, arguments, &error );
	if ( status != bv_ok )
	{
		code = complain( t, &error, exit_code( status ) );
	}
	else if ( *t->help )
	{
		t->print_help();
	}
	else if ( *t->version )
	{
		printf( "%s %s\n", t->name, BV_VERSION );
	}
	else
	{
		code = t->run( t->line.settings );
	}
	if ( fflush( stdout ) != 0 || ferror( stdout ) )
	{
		bvb_fail( &error, bv_error_output, "standard output: %s", strerror( errno ) );
		code = complain( t, &error, code > exit_output ? code : exit_output );
	}
	return code;
}

bv_status parse_integer( const char* name, const char* text, uint32_t least, uint32_t most, uint32_t* out,
                         bvb_error* error )
{
	uint64_t value = 0;
	bool good = *text != 0;
	for ( const char* c = text; *c && good; ++c )
	{
		value = 10 * value + (uint64_t)( *c - '0' );
		good = *c >= '0' && *c <= '9' && value <= most;
	}
	if ( !good || value < least )
	{
		return bvb_fail( error, bv_error_argument, "--%s takes a whole number from %u to %u, not '%s'", name,
		                 least, most, text );
	}
	*out = (uint32_t)value;
	return bv_ok;
}

bv_status parse_positive( const char* name, const char* text, double* out, bvb_error* error )
{
	char* end;
	double value = strtod( text, &end );
	if ( end == text || *end || !isfinite( value ) || value <= 0 )
	{
		return bvb_fail( error, bv_error_argument, "--%s takes a number above 0, not '%s'", name, text );
	}
	*out = value;
	return bv_ok;
}

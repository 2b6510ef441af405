// Help made of the tables of options and names. See help.h.

#include "cli/help.h"

#include "offline/base/error.h"
#include "offline/base/suggest.h"

#include <stdio.h>
#include <string.h>

enum
{
	text_column = 32,
};

// In the order in which --help prints them.
static const char* const group_titles[bvasset_help_groups] = {
	[bvasset_help_input] = "Input and output",
	[bvasset_help_content] = "What is in the file",
	[bvasset_help_quality] = "Speed and quality",
	[bvasset_help_parts] = "Convex parts and proxy meshes",
	[bvasset_help_show] = "Show and export",
	[bvasset_help_check] = "Reports and checks",
	[bvasset_help_query] = "Queries",
	[bvasset_help_many] = "Many files, and incremental builds",
	[bvasset_help_general] = "General",
};

static void print_head( const option* o, char* head, size_t size )
{
	char letter[8] = "   ";
	char argument[bvasset_option_argument_bytes];
	bvopt_get_argument( o, argument, sizeof argument );
	if ( o->letter )
	{
		snprintf( letter, sizeof letter, "-%c,", o->letter );
	}
	snprintf( head, size, "%s --%s%s%s", letter, o->name, bvopt_may_lack_value( o ) ? "" : " ", argument );
}

// Further lines stand below the first one's text, and the text below a head that leaves it no room.
static void print_option( const option* o, bool whole )
{
	char head[96];
	print_head( o, head, sizeof head );
	bool fits = strlen( head ) <= text_column;
	if ( !fits )
	{
		printf( "  %s\n", head );
	}
	const char* text = o->help;
	for ( const char* start = fits ? head : "";; start = "" )
	{
		int length = (int)strcspn( text, "\n" );
		printf( "  %-*s %.*s\n", text_column, start, length, text );
		if ( text[length] == 0 || !whole )
		{
			break;
		}
		text += length + 1;
	}
}

// Of the whole run, or of each input.
static void print_options( const command_line* line, bool of_run )
{
	const option* o;
	for ( int i = 0; ( o = get_option( line, i ) ) != NULL; ++i )
	{
		if ( is_run_option( line, o ) == of_run )
		{
			print_option( o, true );
		}
	}
}

static void print_daily( const command_line* line, const help_text* text )
{
	printf( "%s", text->begin );
	for ( int group = bvasset_help_rarely + 1; group < bvasset_help_groups; ++group )
	{
		bool any = false;
		const option* o;
		for ( int i = 0; ( o = get_option( line, i ) ) != NULL; ++i )
		{
			if ( o->group == (bvasset_help_group)group )
			{
				if ( !any )
				{
					printf( "\n%s:\n", group_titles[group] );
				}
				any = true;
				print_option( o, false );
			}
		}
	}
	printf( "\n--help=all lists all options and names; --help NAME explains one, with an example.\n"
	        "Manual: man %s, and cli.md in share/doc/bvbuild of the installation.\n%s",
	        text->tool, text->end );
}

// Those of options, then those of the text.
static bool get_table( const command_line* line, const help_text* text, int index, name_table* out )
{
	const option* o;
	for ( int i = 0; ( o = get_option( line, i ) ) != NULL; ++i )
	{
		if ( o->title && index-- == 0 )
		{
			*out = ( name_table ){ o->title, o->name, o->names };
			return true;
		}
	}
	if ( index >= text->table_count )
	{
		return false;
	}
	*out = text->tables[index];
	return true;
}

static void print_all( const command_line* line, const help_text* text )
{
	printf( "%s\n", text->begin );
	print_options( line, true );
	if ( text->asset_title )
	{
		printf( "\n%s:\n", text->asset_title );
	}
	print_options( line, false );
	name_table t;
	for ( int i = 0; get_table( line, text, i, &t ); ++i )
	{
		const char* summary;
		printf( "\n%s:\n", t.title );
		for ( uint32_t k = 0; t.get_name( k, &summary ); ++k )
		{
			printf( "  %-*s %s\n", text_column, t.get_name( k, NULL ), summary );
		}
	}
	printf( "\n%s%s", text->more ? text->more : "", text->end );
}

// The values of an option that have a table.
static void print_values( const command_line* line, const help_text* text, const char* name )
{
	name_table t;
	for ( int i = 0; get_table( line, text, i, &t ); ++i )
	{
		const char* summary;
		for ( uint32_t k = 0; strcmp( t.option, name ) == 0 && t.get_name( k, &summary ); ++k )
		{
			printf( k == 0 ? "\nValues:\n" : "" );
			printf( "  %-*s %s\n", text_column, t.get_name( k, NULL ), summary );
		}
	}
}

static void explain( const command_line* line, const help_text* text, const option* o )
{
	char head[96];
	print_head( o, head, sizeof head );
	printf( "%s\n\n", head + strspn( head, " " ) );
	for ( const char* rest = o->help; *rest; )
	{
		int length = (int)strcspn( rest, "\n" );
		printf( "  %.*s\n", length, rest );
		rest += length + ( rest[length] != 0 );
	}
	print_values( line, text, o->name );
	if ( o->see )
	{
		printf( "\nGoes with:\n  %s\n", o->see );
	}
	printf( "\nExample:\n  %s\n", o->example );
}

// A name that options take as a value, as in `--help binned`.
static bool explain_value( const command_line* line, const help_text* text, const char* name )
{
	bool found = false;
	name_table t;
	for ( int i = 0; get_table( line, text, i, &t ); ++i )
	{
		const char* summary;
		for ( uint32_t k = 0; t.get_name( k, &summary ); ++k )
		{
			if ( strcmp( t.get_name( k, NULL ), name ) == 0 )
			{
				printf( "%s\n  %-*s %s\n", t.title, text_column, name, summary );
				found = true;
			}
		}
	}
	return found;
}

bv_status print_help( const command_line* line, const help_text* text, const char* topic, bvb_error* error )
{
	if ( !topic )
	{
		print_daily( line, text );
		return bv_ok;
	}
	if ( strcmp( topic, "all" ) == 0 )
	{
		print_all( line, text );
		return bv_ok;
	}
	const char* name = topic + strspn( topic, "-" );
	const option* o = find_option( line, name );
	if ( o )
	{
		explain( line, text, o );
		return bv_ok;
	}
	if ( explain_value( line, text, name ) )
	{
		return bv_ok;
	}
	bvbase_suggestion s = bvbase_suggestion_for( name, strlen( name ) );
	suggest_options( &s, line );
	name_table t;
	for ( int i = 0; get_table( line, text, i, &t ); ++i )
	{
		for ( uint32_t k = 0; t.get_name( k, NULL ); ++k )
		{
			bvbase_suggest( &s, t.get_name( k, NULL ) );
		}
	}
	return bvopt_fail_unknown( error, "option or name", name, (int)strlen( name ), &s );
}

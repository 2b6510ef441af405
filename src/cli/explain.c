// The options of an input, and where each comes from. See explain.h.

#include "cli/explain.h"

#include "cli/outputs.h"
#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/base/system.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A source of option values.
typedef struct explained_use
{
	const option* what;
	const char* value;  // null without one
	const char* origin; // null for the command line
	bool taken_away;    // by false or null
	bool replaced;      // something later counts
} explained_use;

// The sources of an input's options, in the order in which they apply.
typedef struct explanation
{
	explained_use* uses;
	int count;
	int room; // for so many
	bvb_arena* arena;
	bvb_error* error;
} explanation;

static bv_status add_use( explanation* e, explained_use use )
{
	if ( e->count == e->room )
	{
		int room = e->room ? 2 * e->room : 64;
		explained_use* grown = bvb_arena_allocate( e->arena, (size_t)room, sizeof *grown );
		if ( !grown )
		{
			return bvbase_fail_memory( e->error );
		}
		if ( e->count > 0 )
		{
			memcpy( grown, e->uses, (size_t)e->count * sizeof *grown );
		}
		e->uses = grown;
		e->room = room;
	}
	e->uses[e->count++] = use;
	return bv_ok;
}

// Values of options that repeat add up. Otherwise the command line replaces earlier values.
static bv_status add_given( void* context, const option* o, const char* value, bvb_error* error )
{
	(void)error;
	explanation* e = context;
	if ( is_run_option( &asset_line, o ) )
	{
		return bv_ok;
	}
	for ( int i = 0; i < e->count; ++i )
	{
		explained_use* before = e->uses + i;
		before->replaced = before->replaced || ( before->what == o && ( !o->repeats || before->taken_away ) );
	}
	return add_use( e, ( explained_use ){ .what = o, .value = value } );
}

static const char* value_of( const char* argument )
{
	const char* sign = strchr( argument, '=' );
	return sign ? sign + 1 : NULL;
}

static bv_status add_setting( explanation* e, const config_setting* s, bool replaced )
{
	bv_status status = bv_ok;
	explained_use use = { .what = s->what, .origin = s->origin, .replaced = replaced };
	for ( int i = 0; i < s->count && status == bv_ok; ++i )
	{
		use.value = value_of( s->arguments[i] );
		status = add_use( e, use );
	}
	use.taken_away = true;
	return s->count == 0 ? add_use( e, use ) : status;
}

static bv_status add_entry( explanation* e, const config* c, const bool* matches, int index )
{
	const config_entry* from = index < 0 ? &c->general : c->entries + index;
	bv_status status = bv_ok;
	for ( int i = 0; i < from->setting_count && status == bv_ok; ++i )
	{
		const config_setting* s = from->settings + i;
		status = add_setting( e, s, is_setting_replaced( c, matches, index, s->what ) );
	}
	return status;
}

// Without the control characters that a name may have.
__attribute__( ( format( printf, 1, 2 ) ) ) static void print_line( const char* format, ... )
{
	char text[2048];
	bvb_error line;
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	bvbase_fail( &line, bv_ok, "%s", text );
	printf( "%s\n", line.message );
}

static void print_pattern( const config_entry* e, int index, const config_path* path )
{
	const char* pattern = e->patterns[index];
	const char* with = strchr( pattern, '/' ) ? path->real : bvbase_path_name( path->real );
	bool match = config_path_matches( pattern, path );
	print_line( "    \"%s\" %s %s%s%s", pattern, match ? "matches" : "does not match", with,
	            path->written && strchr( pattern, '/' ) ? " or " : "",
	            path->written && strchr( pattern, '/' ) ? path->written : "" );
}

static void print_entries( const config* c, const bool* matches, const config_path* path )
{
	print_line( "  %s:%d: general options: apply to all inputs", c->path, c->general.line );
	for ( int i = 0; i < c->entry_count; ++i )
	{
		const config_entry* e = c->entries + i;
		print_line( "  %s:%d: %s: %s", c->path, e->line, e->name, matches[i] ? "applies" : "does not apply" );
		for ( int k = 0; k < e->pattern_count; ++k )
		{
			print_pattern( e, k, path );
		}
	}
	print_line( "  command line: applies last" );
}

static void print_row( const char* name, const char* value, const char* from )
{
	print_line( "  %-18s  %-22s  %s", name, value, from );
}

// All values given for an option: the one in effect, then those that it replaces.
static void print_option( const explanation* e, const option* o )
{
	for ( int replaced = 0; replaced < 2; ++replaced )
	{
		for ( int i = 0; i < e->count; ++i )
		{
			const explained_use* u = e->uses + i;
			if ( u->what == o && u->replaced == replaced )
			{
				char from[1200];
				snprintf( from, sizeof from, "%s%s", u->origin ? u->origin : "command line",
				          replaced ? " (replaced)" : "" );
				print_row( o->name, u->taken_away ? "unset" : u->value ? u->value : "true", from );
			}
		}
	}
}

static void print_uses( const explanation* e )
{
	for ( int i = 0; i < e->count; ++i )
	{
		bool first = true;
		for ( int k = 0; k < i; ++k )
		{
			first = first && e->uses[k].what != e->uses[i].what;
		}
		if ( first )
		{
			print_option( e, e->uses[i].what );
		}
	}
}

static bool is_called( const option* o, bv_text name )
{
	const char* known = o->recorded_as ? o->recorded_as : o->name;
	return strlen( known ) == name.length && memcmp( known, name.data, name.length ) == 0;
}

static bool is_said( const explanation* e, bv_text name )
{
	bool said = false;
	for ( int i = 0; i < e->count; ++i )
	{
		said =
			said || ( !e->uses[i].taken_away && !e->uses[i].replaced && is_called( e->uses[i].what, name ) );
	}
	return said;
}

// What a parameter of a file is called on the command line.
static void find_name( bv_text name, char out[64] )
{
	const option* o;
	snprintf( out, 64, "%.*s", (int)name.length, name.data );
	for ( int i = 0; ( o = get_option( &build_line, i ) ) != NULL; ++i )
	{
		if ( o->record && is_called( o, name ) )
		{
			snprintf( out, 64, "%s", o->name );
		}
	}
}

static bool has_value( bv_text parameters, bv_text name, bv_text value )
{
	bv_text other;
	return bvb_find_parameter( parameters, name, &other ) && other.length == value.length &&
	       memcmp( other.data, value.data, value.length ) == 0;
}

// Options that count only for what is in the file are as by default then, too.
static bv_status list_parameters( bvb_asset_options options, const bvb_asset_options* own, bvb_arena* arena,
                                  bv_text* out )
{
	options.sections = own->sections;
	return bvb_asset_parameters( &options, arena, out );
}

// All others that shape a file: by the preset, by other options, or as they are by default.
static bv_status print_rest( const settings* s, const explanation* e )
{
	bvb_asset_options defaults = bvb_asset_options_default();
	bvb_asset_options preset = defaults;
	const char* preset_name = bvopt_get_given( &s->build, &s->build.preset );
	bv_text all;
	bv_text of_preset;
	bv_text by_default;
	bv_text name;
	bv_text value;
	if ( preset_name )
	{
		bvb_preset_options( preset_name, &preset );
	}
	if ( bvb_asset_parameters( &s->build.asset, e->arena, &all ) != bv_ok ||
	     list_parameters( preset, &s->build.asset, e->arena, &of_preset ) != bv_ok ||
	     list_parameters( defaults, &s->build.asset, e->arena, &by_default ) != bv_ok )
	{
		return bvbase_fail_memory( e->error );
	}
	char from[64];
	snprintf( from, sizeof from, "--preset %s", preset_name ? preset_name : "" );
	while ( bvb_next_parameter( &all, &name, &value ) )
	{
		char option_name[64];
		char text[300];
		find_name( name, option_name );
		bool follows = strcmp( option_name, "sections" ) == 0 && s->build.asset.sections != defaults.sections;
		snprintf( text, sizeof text, "%.*s", (int)value.length, value.data );
		if ( !is_said( e, name ) )
		{
			print_row( option_name, text,
			           !follows && has_value( by_default, name, value )  ? "default"
			           : !follows && has_value( of_preset, name, value ) ? from
			                                                             : "follows from other options" );
		}
	}
	return bv_ok;
}

static bv_status explain_config( const char* input, config* c, explanation* e, bvb_arena* arena,
                                 bvb_error* error )
{
	config_path path;
	bool* matches = bvb_arena_allocate( arena, (size_t)c->entry_count, sizeof *matches );
	bv_status status =
		matches ? find_config_path( c, input, arena, &path, error ) : bvbase_fail_memory( error );
	status = status == bv_ok ? match_entries( c, input, arena, matches, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	print_line( "  path from the folder of %s: %s", c->path, path.real );
	print_entries( c, matches, &path );
	for ( int i = -1; i < c->entry_count && status == bv_ok; ++i )
	{
		status = i < 0 || matches[i] ? add_entry( e, c, matches, i ) : bv_ok;
	}
	return status;
}

static bv_status explain( const planned* asset, config* c, const argument_list* arguments, bvb_arena* arena,
                          bvb_error* error )
{
	explanation e = { .arena = arena, .error = error };
	print_line( "%s%s", asset->input, bvbase_path_exists( asset->input ) ? "" : " (no such file)" );
	bv_status status = c ? explain_config( asset->input, c, &e, arena, error ) : bv_ok;
	status = status == bv_ok ? visit_options( &build_line, arguments, add_given, &e, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	print_row( "OPTION", "VALUE", "FROM" );
	print_uses( &e );
	return print_rest( asset->s, &e );
}

bv_status explain_plan( const plan* p, const argument_list* arguments, bvb_arena* arena, bvb_error* error )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < p->count && status == bv_ok; ++i )
	{
		printf( "%s", i > 0 ? "\n" : "" );
		status = explain( p->assets + i, p->config, arguments, arena, error );
	}
	return status;
}

// Settings by patterns. See config.h.

#include "cli/config.h"

#include "cli/json_lines.h"
#include "cli/outputs.h"
#include "cli/paths.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/system.h"
#include "offline/base/text_file.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is being read, and where what is made of it goes.
typedef struct config_reading
{
	config* to;
	bvb_arena* arena;
	bvb_error* error;
} config_reading;

// The key of an entry, and of the file for all of them.
#define allow_unmatched "allow-unmatched"

// @param line  where the key is
static bv_status fail_at( const config_reading* r, const config_entry* at, int line, const char* key,
                          const char* what )
{
	return bvbase_fail( r->error, bv_error_argument, "%s:%d: %s%s\"%s\" %s", r->to->path, line, at->name,
	                    *at->name ? ": " : "", key, what );
}

// With the nearest known name, if one is near.
static bv_status fail_near( const config_reading* r, const config_entry* at, const cJSON* item,
                            const char* what, const bvbase_suggestion* near )
{
	char text[128];
	const char* name = bvbase_get_suggestion( near );
	snprintf( text, sizeof text, "%s%s%s%s", what, name ? " (did you mean \"" : "", name ? name : "",
	          name ? "\"?)" : "" );
	return fail_at( r, at, item->valueint, item->string, text );
}

// Rejects members that an object must not have. `known` ends with null.
static bv_status check_keys( const config_reading* r, const config_entry* at, const cJSON* object,
                             const char* const known[] )
{
	for ( const cJSON* item = object->child; item; item = item->next )
	{
		bool found = false;
		bvbase_suggestion near = bvbase_suggestion_for( item->string, strlen( item->string ) );
		for ( int i = 0; known[i]; ++i )
		{
			found = found || strcmp( known[i], item->string ) == 0;
			bvbase_suggest( &near, known[i] );
		}
		if ( !found && find_option( r->to->line, item->string ) )
		{
			return fail_at( r, at, item->valueint, item->string, "belongs in \"options\"" );
		}
		if ( !found )
		{
			return fail_near( r, at, item, "is not a known key", &near );
		}
		if ( cJSON_GetObjectItemCaseSensitive( object, item->string ) != item )
		{
			return fail_at( r, at, item->valueint, item->string, "appears twice" );
		}
	}
	return bv_ok;
}

// Files that a value names are found from where the configuration is.
static char* name_file( const config_reading* r, const char* value )
{
	size_t size = strlen( r->to->folder ) + strlen( value ) + 2;
	char* path = bvb_arena_allocate( r->arena, size, 1 );
	if ( path )
	{
		snprintf( path, size, "%s/%s", r->to->folder, value );
	}
	return path;
}

// --NAME=VALUE, or --NAME of a value that is true.
static bv_status take_value( const config_reading* r, const config_entry* at, const option* o,
                             const cJSON* value, char** out )
{
	char number[BVBASE_NUMBER_BYTES];
	const char* text = cJSON_IsString( value ) ? value->valuestring : number;
	if ( cJSON_IsNumber( value ) && isfinite( value->valuedouble ) && bvopt_takes_value( o ) )
	{
		bvbase_print_number( number, value->valuedouble );
	}
	else if ( cJSON_IsTrue( value ) && bvopt_may_lack_value( o ) )
	{
		text = NULL;
	}
	else if ( !cJSON_IsString( value ) || !bvopt_takes_value( o ) )
	{
		const char* what = !bvopt_takes_value( o )     ? "takes true or false"
		                   : bvopt_may_lack_value( o ) ? "takes true, false, a string or a number"
		                                               : "takes a string or a number";
		return fail_at( r, at, value->valueint, o->name, what );
	}
	bool is_path =
		text && o->argument && strcmp( o->argument, "FILE" ) == 0 && !bvbase_path_is_absolute( text );
	text = is_path ? name_file( r, text ) : text;
	size_t size = strlen( o->name ) + ( text ? strlen( text ) : 0 ) + sizeof "--=";
	*out = is_path && !text ? NULL : bvb_arena_allocate( r->arena, size, 1 );
	if ( !*out )
	{
		return bvbase_fail_memory( r->error );
	}
	snprintf( *out, size, "--%s%s%s", o->name, text ? "=" : "", text ? text : "" );
	return bv_ok;
}

static char* make_origin( const config_reading* r, const config_entry* at, int line )
{
	size_t size = strlen( r->to->path ) + strlen( at->name ) + 16;
	char* origin = bvb_arena_allocate( r->arena, size, 1 );
	if ( origin )
	{
		snprintf( origin, size, "%s:%d%s%s", r->to->path, line, *at->name ? ": " : "", at->name );
	}
	return origin;
}

// Of values that do not add up, all but the last would be lost.
static bv_status check_array( const config_reading* r, const config_entry* at, const option* o,
                              const cJSON* item )
{
	bool listed = o->argument && strstr( o->argument, ",..." );
	return !cJSON_IsArray( item ) || o->repeats ? bv_ok
	       : listed ? fail_at( r, at, item->valueint, o->name, "takes a string with commas, not an array" )
	                : fail_at( r, at, item->valueint, o->name, "takes one value, not an array" );
}

static bv_status take_setting( const config_reading* r, const config_entry* at, const cJSON* item,
                               config_setting* out )
{
	const option* o = find_option( r->to->line, item->string );
	if ( !o )
	{
		bvbase_suggestion near = bvbase_suggestion_for( item->string, strlen( item->string ) );
		suggest_options( &near, r->to->line );
		return bvbase_get_suggestion( &near ) ? fail_near( r, at, item, "is not an option", &near )
		                                      : fail_at( r, at, item->valueint, item->string,
		                                                 "is not an option (bvbuild --help=all lists all)" );
	}
	if ( strcmp( o->name, allow_unmatched ) == 0 )
	{
		return fail_at( r, at, item->valueint, item->string, "belongs next to \"options\", not in it" );
	}
	if ( is_run_option( r->to->line, o ) )
	{
		return fail_at( r, at, item->valueint, item->string,
		                "applies to the whole run: give it on the command line" );
	}
	int count = cJSON_IsArray( item ) ? cJSON_GetArraySize( item ) : 1;
	*out = ( config_setting ){ o, bvb_arena_allocate( r->arena, (size_t)count, sizeof *out->arguments ), 0,
		                       make_origin( r, at, item->valueint ) };
	if ( !out->arguments || !out->origin )
	{
		return bvbase_fail_memory( r->error );
	}
	bv_status status = check_array( r, at, o, item );
	const cJSON* value = cJSON_IsArray( item ) ? item->child : item;
	for ( ; value && status == bv_ok; value = cJSON_IsArray( item ) ? value->next : NULL )
	{
		bool taken_away = value == item && ( cJSON_IsFalse( value ) || cJSON_IsNull( value ) );
		if ( !taken_away )
		{
			status = take_value( r, at, o, value, &out->arguments[out->count++] );
		}
	}
	return status;
}

static bv_status take_options( const config_reading* r, config_entry* at, const cJSON* options )
{
	if ( !options )
	{
		return bv_ok;
	}
	if ( !cJSON_IsObject( options ) )
	{
		return fail_at( r, at, options->valueint, "options", "is not an object" );
	}
	at->settings =
		bvb_arena_allocate( r->arena, (size_t)cJSON_GetArraySize( options ), sizeof *at->settings );
	if ( !at->settings )
	{
		return bvbase_fail_memory( r->error );
	}
	bv_status status = bv_ok;
	for ( const cJSON* item = options->child; item && status == bv_ok; item = item->next )
	{
		for ( int i = 0; i < at->setting_count; ++i )
		{
			if ( at->settings[i].what == find_option( r->to->line, item->string ) )
			{
				return fail_at( r, at, item->valueint, item->string, "appears twice" );
			}
		}
		status = take_setting( r, at, item, &at->settings[at->setting_count++] );
	}
	return status;
}

// Without what does not change where a pattern leads: "./" at its beginning, which makes it one with a slash.
static char* copy_pattern( const char* text, bvb_arena* arena )
{
	const char* rest = text;
	while ( rest[0] == '.' && rest[1] == '/' )
	{
		rest += 2 + strspn( rest + 2, "/" );
	}
	size_t size = strlen( rest ) + 2;
	char* copy = bvb_arena_allocate( arena, size, 1 );
	if ( copy )
	{
		snprintf( copy, size, "%s%s", rest > text ? "/" : "", rest );
	}
	return copy;
}

static bv_status take_patterns( const config_reading* r, config_entry* at, const cJSON* match )
{
	bool many = cJSON_IsArray( match );
	int count = many ? cJSON_GetArraySize( match ) : 1;
	at->patterns = bvb_arena_allocate( r->arena, (size_t)count, sizeof *at->patterns );
	at->used = bvb_arena_allocate( r->arena, (size_t)count, sizeof *at->used );
	if ( !at->patterns || !at->used )
	{
		return bvbase_fail_memory( r->error );
	}
	for ( const cJSON* item = many ? match->child : match; item; item = many ? item->next : NULL )
	{
		if ( !cJSON_IsString( item ) || !*item->valuestring )
		{
			return fail_at( r, at, item->valueint, "match", "takes a pattern or an array of patterns" );
		}
		at->patterns[at->pattern_count] = copy_pattern( item->valuestring, r->arena );
		if ( !at->patterns[at->pattern_count++] )
		{
			return bvbase_fail_memory( r->error );
		}
	}
	return count > 0 ? bv_ok : fail_at( r, at, match->valueint, "match", "is missing" );
}

static bv_status take_allowance( const config_reading* r, config_entry* at, const cJSON* object )
{
	const cJSON* item = cJSON_GetObjectItemCaseSensitive( object, allow_unmatched );
	at->may_be_idle = cJSON_IsTrue( item );
	return !item || cJSON_IsBool( item )
	           ? bv_ok
	           : fail_at( r, at, item->valueint, item->string, "takes true or false" );
}

static bv_status take_entry( const config_reading* r, const cJSON* item, int index, config_entry* out )
{
	static const char* const keys[] = { "match", "options", allow_unmatched, NULL };
	enum
	{
		name_bytes = 24,
	};
	char* name = bvb_arena_allocate( r->arena, name_bytes, 1 );
	if ( !name )
	{
		return bvbase_fail_memory( r->error );
	}
	snprintf( name, name_bytes, "assets[%d]", index );
	out->name = name;
	out->line = item->valueint;
	if ( !cJSON_IsObject( item ) )
	{
		return bvbase_fail( r->error, bv_error_argument, "%s:%d: %s: is not an object", r->to->path,
		                    out->line, name );
	}
	const cJSON* match = cJSON_GetObjectItemCaseSensitive( item, "match" );
	bv_status status = check_keys( r, out, item, keys );
	if ( status == bv_ok && !match )
	{
		status = fail_at( r, out, item->valueint, "match", "is missing" );
	}
	status = status == bv_ok ? take_allowance( r, out, item ) : status;
	status = status == bv_ok ? take_patterns( r, out, match ) : status;
	return status == bv_ok ? take_options( r, out, cJSON_GetObjectItemCaseSensitive( item, "options" ) )
	                       : status;
}

static bv_status take_entries( const config_reading* r, const cJSON* assets )
{
	config* c = r->to;
	if ( !cJSON_IsArray( assets ) )
	{
		return fail_at( r, &c->general, assets->valueint, "assets", "is not an array" );
	}
	c->entries = bvb_arena_allocate( r->arena, (size_t)cJSON_GetArraySize( assets ), sizeof *c->entries );
	if ( !c->entries )
	{
		return bvbase_fail_memory( r->error );
	}
	bv_status status = bv_ok;
	for ( const cJSON* item = assets->child; item && status == bv_ok; item = item->next )
	{
		status = take_entry( r, item, c->entry_count, &c->entries[c->entry_count] );
		c->entry_count += 1;
	}
	return status;
}

static bv_status take_document( const config_reading* r, const cJSON* document )
{
	static const char* const keys[] = { "$schema", "options", "assets", allow_unmatched, NULL };
	config* c = r->to;
	c->general.name = "";
	c->general.line = document->valueint;
	if ( !cJSON_IsObject( document ) )
	{
		return bvbase_fail( r->error, bv_error_argument, "%s:%d: is not an object", c->path,
		                    c->general.line );
	}
	const cJSON* assets = cJSON_GetObjectItemCaseSensitive( document, "assets" );
	bv_status status = check_keys( r, &c->general, document, keys );
	status = status == bv_ok ? take_allowance( r, &c->general, document ) : status;
	if ( status == bv_ok )
	{
		status = take_options( r, &c->general, cJSON_GetObjectItemCaseSensitive( document, "options" ) );
	}
	return status == bv_ok && assets ? take_entries( r, assets ) : status;
}

static bv_status parse( const config_reading* r, const char* text )
{
	cJSON* document;
	bv_status status = parse_json( r->to->path, text, &document, r->error );
	status = status == bv_ok ? take_document( r, document ) : status;
	cJSON_Delete( document );
	return status;
}

// Values are wrong whether anything matches or not.
static bv_status try_entry( const config_reading* r, const config_entry* tried, const void* defaults,
                            size_t size )
{
	void* settings = bvb_arena_allocate( r->arena, size, 1 );
	if ( !settings )
	{
		return bvbase_fail_memory( r->error );
	}
	memcpy( settings, defaults, size );
	bv_status status = bv_ok;
	for ( int i = 0; i < tried->setting_count && status == bv_ok; ++i )
	{
		const config_setting* s = tried->settings + i;
		argument_list list = { s->arguments, s->count, s->origin };
		status = apply_arguments( r->to->line, &list, 1, settings, r->error );
	}
	return status;
}

bv_status read_config( const char* path, const command_line* line, const void* defaults, size_t size,
                       bvb_arena* arena, config** out, bvb_error* error )
{
	char* text;
	char* folder;
	char* written;
	config* c = bvb_arena_allocate( arena, 1, sizeof *c );
	bv_status status = c ? bvbase_read_text_file( path, arena, &text, error ) : bvbase_fail_memory( error );
	status = status == bv_ok ? make_absolute( path, arena, &folder, error ) : status;
	status = status == bv_ok ? make_absolute_as_written( path, arena, &written, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	cut_last_part( folder );
	cut_last_part( written );
	c->path = path;
	c->folder = folder;
	c->written = written;
	c->line = line;
	config_reading r = { c, arena, error };
	status = parse( &r, text );
	status = status == bv_ok ? try_entry( &r, &c->general, defaults, size ) : status;
	for ( int i = 0; i < c->entry_count && status == bv_ok; ++i )
	{
		status = try_entry( &r, c->entries + i, defaults, size );
	}
	*out = c;
	return status;
}

bv_status find_config_path( const config* c, const char* input, bvb_arena* arena, config_path* out,
                            bvb_error* error )
{
	char* real;
	char* written;
	bv_status status = make_absolute( input, arena, &real, error );
	status = status == bv_ok ? make_absolute_as_written( input, arena, &written, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	// "LINK/../x" is written like "x", but is beside what the link leads to.
	bool same = strcmp( real, written ) == 0 && strcmp( c->folder, c->written ) == 0;
	bool meant = !same && is_same_file( written, input );
	*out = ( config_path ){ make_relative( c->folder, real, arena ),
		                    meant ? make_relative( c->written, written, arena ) : NULL };
	return out->real && ( out->written || !meant ) ? bv_ok : bvbase_fail_memory( error );
}

bool config_path_matches( const char* pattern, const config_path* path )
{
	return path_matches( pattern, path->real ) || ( path->written && path_matches( pattern, path->written ) );
}

bv_status match_entries( config* c, const char* input, bvb_arena* arena, bool* matches, bvb_error* error )
{
	config_path path;
	bv_status status = find_config_path( c, input, arena, &path, error );
	for ( int i = 0; i < c->entry_count && status == bv_ok; ++i )
	{
		config_entry* tried = c->entries + i;
		matches[i] = false;
		for ( int k = 0; k < tried->pattern_count; ++k )
		{
			bool match = config_path_matches( tried->patterns[k], &path );
			tried->used[k] = tried->used[k] || match;
			matches[i] = matches[i] || match;
		}
	}
	return status;
}

bool is_setting_replaced( const config* c, const bool* matches, int entry, const option* what )
{
	for ( int i = entry + 1; i < c->entry_count; ++i )
	{
		for ( int k = 0; matches[i] && k < c->entries[i].setting_count; ++k )
		{
			if ( c->entries[i].settings[k].what == what )
			{
				return true;
			}
		}
	}
	return false;
}

bv_status gather_config( const config* c, const bool* matches, bvb_arena* arena, argument_list** lists,
                         int* count, bvb_error* error )
{
	int most = c->general.setting_count;
	for ( int i = 0; i < c->entry_count; ++i )
	{
		most += matches[i] ? c->entries[i].setting_count : 0;
	}
	*count = 0;
	*lists = bvb_arena_allocate( arena, (size_t)most + 1, sizeof **lists );
	if ( !*lists )
	{
		return bvbase_fail_memory( error );
	}
	for ( int i = -1; i < c->entry_count; ++i )
	{
		const config_entry* from = i < 0 ? &c->general : c->entries + i;
		for ( int k = 0; ( i < 0 || matches[i] ) && k < from->setting_count; ++k )
		{
			const config_setting* s = from->settings + k;
			if ( !is_setting_replaced( c, matches, i, s->what ) )
			{
				( *lists )[( *count )++] = ( argument_list ){ s->arguments, s->count, s->origin };
			}
		}
	}
	return bv_ok;
}

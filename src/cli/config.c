// Settings by patterns. See config.h.

#include "cli/config.h"

#include "cli/outputs.h"
#include "cli/paths.h"
#include "cli/text_file.h"
#include "offline/base/error.h"
#include "offline/base/number.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// An option with its value.
typedef struct setting
{
	const option* what;
	char** arguments; // one each; none takes the option away
	int count;
} setting;

// Settings of the inputs that match one of the patterns.
typedef struct config_rule
{
	const char* origin;    // as in "assets.json: assets[0]"
	const char** patterns; // none: all inputs
	int pattern_count;
	setting* settings;
	int setting_count;
} config_rule;

struct config
{
	const char* path;
	const char* folder; // absolute
	const command_line* line;
	config_rule general;
	config_rule* rules;
	int rule_count;
};

// What is being read, and where what is made of it goes.
typedef struct config_reading
{
	config* to;
	bvb_arena* arena;
	bvb_error* error;
} config_reading;

static char* copy_text( const char* text, bvb_arena* arena )
{
	size_t size = strlen( text ) + 1;
	char* copy = bvb_arena_allocate( arena, size, 1 );
	return copy ? memcpy( copy, text, size ) : NULL;
}

static bv_status fail_at( const config_reading* r, const config_rule* at, const char* key, const char* what )
{
	return bvbase_fail( r->error, bv_error_argument, "%s: \"%s\" %s", at->origin, key, what );
}

// With the nearest known name, if one is near.
static bv_status fail_near( const config_reading* r, const config_rule* at, const char* key, const char* what,
                            const suggestion* near )
{
	char text[128];
	const char* name = get_suggestion( near );
	snprintf( text, sizeof text, "%s%s%s%s", what, name ? " (did you mean \"" : "", name ? name : "",
	          name ? "\"?)" : "" );
	return fail_at( r, at, key, text );
}

// Rejects members that an object must not have. `known` ends with null.
static bv_status check_keys( const config_reading* r, const config_rule* at, const cJSON* object,
                             const char* const known[] )
{
	for ( const cJSON* item = object->child; item; item = item->next )
	{
		bool found = false;
		suggestion near = suggestion_for( item->string, strlen( item->string ) );
		for ( int i = 0; known[i]; ++i )
		{
			found = found || strcmp( known[i], item->string ) == 0;
			suggest( &near, known[i] );
		}
		if ( !found )
		{
			return fail_near( r, at, item->string, "is not a known key", &near );
		}
		if ( cJSON_GetObjectItemCaseSensitive( object, item->string ) != item )
		{
			return fail_at( r, at, item->string, "appears twice" );
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
static bv_status take_value( const config_reading* r, const config_rule* at, const option* o,
                             const cJSON* value, char** out )
{
	char number[BVBASE_NUMBER_BYTES];
	const char* text = cJSON_IsString( value ) ? value->valuestring : number;
	if ( cJSON_IsNumber( value ) && isfinite( value->valuedouble ) && takes_value( o ) )
	{
		bvbase_print_number( number, value->valuedouble );
	}
	else if ( cJSON_IsTrue( value ) && may_lack_value( o ) )
	{
		text = NULL;
	}
	else if ( !cJSON_IsString( value ) || !takes_value( o ) )
	{
		const char* what = !takes_value( o )     ? "takes true or false"
		                   : may_lack_value( o ) ? "takes true, false, a string or a number"
		                                         : "takes a string or a number";
		return fail_at( r, at, o->name, what );
	}
	bool is_path = text && o->argument && strcmp( o->argument, "FILE" ) == 0 && *text != '/';
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

static bv_status take_setting( const config_reading* r, const config_rule* at, const cJSON* item,
                               setting* out )
{
	const option* o = find_option( r->to->line, item->string );
	if ( !o )
	{
		suggestion near = suggestion_for( item->string, strlen( item->string ) );
		suggest_options( &near, r->to->line );
		return get_suggestion( &near )
		           ? fail_near( r, at, item->string, "is not an option", &near )
		           : fail_at( r, at, item->string, "is not an option (bvbuild --help=all lists all)" );
	}
	if ( is_run_option( r->to->line, o ) )
	{
		return fail_at( r, at, item->string, "applies to the whole run: give it on the command line" );
	}
	int count = cJSON_IsArray( item ) ? cJSON_GetArraySize( item ) : 1;
	*out = ( setting ){ o, bvb_arena_allocate( r->arena, (size_t)count, sizeof *out->arguments ), 0 };
	if ( !out->arguments )
	{
		return bvbase_fail_memory( r->error );
	}
	bv_status status = bv_ok;
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

static bv_status take_options( const config_reading* r, config_rule* at, const cJSON* options )
{
	if ( !options )
	{
		return bv_ok;
	}
	if ( !cJSON_IsObject( options ) )
	{
		return fail_at( r, at, "options", "is not an object" );
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
			if ( strcmp( at->settings[i].what->name, item->string ) == 0 )
			{
				return fail_at( r, at, item->string, "appears twice" );
			}
		}
		status = take_setting( r, at, item, &at->settings[at->setting_count++] );
	}
	return status;
}

static bv_status take_patterns( const config_reading* r, config_rule* at, const cJSON* match )
{
	bool many = cJSON_IsArray( match );
	int count = many ? cJSON_GetArraySize( match ) : 1;
	at->patterns = bvb_arena_allocate( r->arena, (size_t)count, sizeof *at->patterns );
	if ( !at->patterns )
	{
		return bvbase_fail_memory( r->error );
	}
	for ( const cJSON* item = many ? match->child : match; item; item = many ? item->next : NULL )
	{
		if ( !cJSON_IsString( item ) || !*item->valuestring )
		{
			return fail_at( r, at, "match", "takes a pattern or an array of patterns" );
		}
		at->patterns[at->pattern_count] = copy_text( item->valuestring, r->arena );
		if ( !at->patterns[at->pattern_count++] )
		{
			return bvbase_fail_memory( r->error );
		}
	}
	return count > 0 && match ? bv_ok : fail_at( r, at, "match", "is missing" );
}

static bv_status take_rule( const config_reading* r, const cJSON* item, int index, config_rule* out )
{
	static const char* const keys[] = { "match", "options", NULL };
	size_t size = strlen( r->to->path ) + 32;
	char* origin = bvb_arena_allocate( r->arena, size, 1 );
	if ( !origin )
	{
		return bvbase_fail_memory( r->error );
	}
	snprintf( origin, size, "%s: assets[%d]", r->to->path, index );
	out->origin = origin;
	if ( !cJSON_IsObject( item ) )
	{
		return bvbase_fail( r->error, bv_error_argument, "%s: is not an object", origin );
	}
	const cJSON* match = cJSON_GetObjectItemCaseSensitive( item, "match" );
	bv_status status = check_keys( r, out, item, keys );
	if ( status == bv_ok && !match )
	{
		status = fail_at( r, out, "match", "is missing" );
	}
	status = status == bv_ok ? take_patterns( r, out, match ) : status;
	return status == bv_ok ? take_options( r, out, cJSON_GetObjectItemCaseSensitive( item, "options" ) )
	                       : status;
}

static bv_status take_document( const config_reading* r, const cJSON* document )
{
	static const char* const keys[] = { "$schema", "options", "assets", NULL };
	config* c = r->to;
	c->general.origin = c->path;
	if ( !cJSON_IsObject( document ) )
	{
		return bvbase_fail( r->error, bv_error_argument, "%s: is not an object", c->path );
	}
	const cJSON* assets = cJSON_GetObjectItemCaseSensitive( document, "assets" );
	bv_status status = check_keys( r, &c->general, document, keys );
	if ( status == bv_ok )
	{
		status = take_options( r, &c->general, cJSON_GetObjectItemCaseSensitive( document, "options" ) );
	}
	if ( status != bv_ok || !assets )
	{
		return status;
	}
	if ( !cJSON_IsArray( assets ) )
	{
		return fail_at( r, &c->general, "assets", "is not an array" );
	}
	c->rules = bvb_arena_allocate( r->arena, (size_t)cJSON_GetArraySize( assets ), sizeof *c->rules );
	if ( !c->rules )
	{
		return bvbase_fail_memory( r->error );
	}
	for ( const cJSON* item = assets->child; item && status == bv_ok; item = item->next )
	{
		status = take_rule( r, item, c->rule_count, &c->rules[c->rule_count] );
		c->rule_count += 1;
	}
	return status;
}

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
static bv_status fail_json( const config_reading* r, const char* text, const char* end )
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
	return bvbase_fail( r->error, bv_error_input, "%s:%d:%d: is not JSON: %s", r->to->path, line, column,
	                    what );
}

static bv_status parse( const config_reading* r, const char* text )
{
	const char* end = text;
	cJSON* document = cJSON_ParseWithOpts( text, &end, true );
	if ( !document )
	{
		return fail_json( r, text, end );
	}
	bv_status status = take_document( r, document );
	cJSON_Delete( document );
	return status;
}

// Values are wrong whether anything matches or not.
static bv_status try_rule( const config_reading* r, const config_rule* tried, const void* defaults,
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
		argument_list list = { tried->settings[i].arguments, tried->settings[i].count, tried->origin };
		status = apply_arguments( r->to->line, &list, 1, settings, r->error );
	}
	return status;
}

bv_status read_config( const char* path, const command_line* line, const void* defaults, size_t size,
                       bvb_arena* arena, const config** out, bvb_error* error )
{
	char* text;
	char* folder;
	config* c = bvb_arena_allocate( arena, 1, sizeof *c );
	bv_status status = c ? read_text_file( path, arena, &text, error ) : bvbase_fail_memory( error );
	status = status == bv_ok ? make_absolute( path, arena, &folder, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	char* slash = strrchr( folder, '/' );
	slash[slash == folder] = 0;
	c->path = path;
	c->folder = folder;
	c->line = line;
	config_reading r = { c, arena, error };
	status = parse( &r, text );
	status = status == bv_ok ? try_rule( &r, &c->general, defaults, size ) : status;
	for ( int i = 0; i < c->rule_count && status == bv_ok; ++i )
	{
		status = try_rule( &r, c->rules + i, defaults, size );
	}
	*out = c;
	return status;
}

int count_rules( const config* c )
{
	return c->rule_count;
}

bv_status match_rules( const config* c, const char* input, bvb_arena* arena, bool* matches, bvb_error* error )
{
	char* path;
	bv_status status = make_absolute( input, arena, &path, error );
	if ( status != bv_ok )
	{
		return status;
	}
	const char* relative = make_relative( c->folder, path, arena );
	if ( !relative )
	{
		return bvbase_fail_memory( error );
	}
	for ( int i = 0; i < c->rule_count; ++i )
	{
		const config_rule* tried = c->rules + i;
		matches[i] = false;
		for ( int k = 0; k < tried->pattern_count && !matches[i]; ++k )
		{
			matches[i] = path_matches( tried->patterns[k], relative );
		}
	}
	return bv_ok;
}

// Whether a later rule says something else of an option.
static bool is_replaced( const config* c, const bool* matches, int rule_index, const option* what )
{
	for ( int i = rule_index + 1; i < c->rule_count; ++i )
	{
		for ( int k = 0; matches[i] && k < c->rules[i].setting_count; ++k )
		{
			if ( c->rules[i].settings[k].what == what )
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
	for ( int i = 0; i < c->rule_count; ++i )
	{
		most += matches[i] ? c->rules[i].setting_count : 0;
	}
	*count = 0;
	*lists = bvb_arena_allocate( arena, (size_t)most + 1, sizeof **lists );
	if ( !*lists )
	{
		return bvbase_fail_memory( error );
	}
	for ( int i = -1; i < c->rule_count; ++i )
	{
		const config_rule* from = i < 0 ? &c->general : c->rules + i;
		for ( int k = 0; ( i < 0 || matches[i] ) && k < from->setting_count; ++k )
		{
			const setting* s = from->settings + k;
			if ( !is_replaced( c, matches, i, s->what ) )
			{
				( *lists )[( *count )++] = ( argument_list ){ s->arguments, s->count, from->origin };
			}
		}
	}
	return bv_ok;
}

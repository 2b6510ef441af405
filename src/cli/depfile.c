// Dep-files. See depfile.h.
//
// Make (GNU Make manual, "Rule Syntax" and "Using Wildcard Characters in File Names") takes a blank, #, : for
// itself behind a backslash and $ doubled, and so does Ninja (depfile_parser.in.cc). Backslashes before them
// are where they part: 2n + 1 and a blank are n and a blank for both; before #, :, $ and = they do not agree.
// A % makes a pattern of a target, an = makes a variable of a line, and neither has an escape that Ninja
// knows.

#include "cli/depfile.h"

#include "cli/fresh.h"
#include "cli/outputs.h"
#include "offline/base/error.h"
#include "offline/base/system.h"

#include <string.h>

bv_status add_depfile_rule( depfile_rules* rules, const depfile_rule* rule, bvb_arena* arena,
                            bvb_error* error )
{
	if ( rules->count == rules->room )
	{
		uint32_t room = rules->room ? 2 * rules->room : 16;
		depfile_rule* larger = bvb_arena_allocate( arena, room, sizeof *larger );
		if ( !larger )
		{
			return bvbase_fail_memory( error );
		}
		for ( uint32_t i = 0; i < rules->count; ++i )
		{
			larger[i] = rules->rules[i];
		}
		rules->rules = larger;
		rules->room = room;
	}
	rules->rules[rules->count++] = *rule;
	return bv_ok;
}

// Whether there is something that Ninja ends a name at, or Make. Ninja 1.11 does so at ? " ' & as well: it
// then builds again each time.
static bool has_separator( const char* path )
{
	for ( const char* c = path; *c; ++c )
	{
		if ( (unsigned char)*c < ' ' || strchr( "\x7f*;<>^`|", *c ) )
		{
			return true;
		}
	}
	return false;
}

// Brackets that match another file, in whose place Make would take that.
static bool matches_others( const char* path )
{
	return strchr( path, '[' ) && bvbase_path_matches_others( path );
}

// Make takes a tilde for a home, and what begins like = or += for the rest of an assignment.
static bool has_bad_beginning( const char* path )
{
	return *path == 0 || strchr( "~=", *path ) || ( strchr( "+?!:", *path ) && path[1] == '=' );
}

// Make takes a name with a parenthesis at its end for the member of an archive, and drops blanks at the end
// of a line.
static bool has_bad_end( const char* path )
{
	return strchr( "\\:) ", path[strlen( path ) - 1] );
}

static bool has_bad_backslash( const char* path )
{
	return strstr( path, "\\#" ) || strstr( path, "\\:" ) || strstr( path, "\\=" ) || strstr( path, "\\$" );
}

bool is_depfile_name( const char* path )
{
	return !has_separator( path ) && !has_bad_beginning( path ) && !has_bad_end( path ) &&
	       !has_bad_backslash( path ) && !matches_others( path );
}

// Names on the left of a colon, alone on their lines.
static bool is_target( const char* path )
{
	size_t length = strlen( path );
	return is_depfile_name( path ) && !strpbrk( path, "%=" ) && path[length - 1] != '&';
}

static char* put( char* to, const char* text )
{
	size_t length = strlen( text );
	memcpy( to, text, length );
	return to + length;
}

// At most twice as long.
static char* put_path( char* to, const char* path )
{
	size_t backslashes = 0;
	for ( const char* c = path; *c; ++c )
	{
		if ( *c == ' ' )
		{
			memset( to, '\\', backslashes + 1 );
			to += backslashes + 1;
		}
		else if ( *c == '#' || *c == ':' )
		{
			*to++ = '\\';
		}
		else if ( *c == '$' )
		{
			*to++ = '$';
		}
		*to++ = *c;
		backslashes = *c == '\\' ? backslashes + 1 : 0;
	}
	return to;
}

// A line like out: a=b sets a variable for out, unless another name comes first.
static uint32_t find_first( const depfile_rule* rule )
{
	uint32_t first = 0;
	while ( first < rule->count && strchr( rule->dependencies[first], '=' ) )
	{
		++first;
	}
	return first;
}

static char* put_rule( char* to, const depfile_rule* rule )
{
	uint32_t first = find_first( rule );
	to = put( put_path( to, rule->output ), ":" );
	for ( uint32_t i = 0; i < rule->count; ++i )
	{
		// The first one that may stand there, then all others in their order.
		uint32_t k = i == 0 ? first : i <= first ? i - 1 : i;
		to = put_path( put( to, " " ), rule->dependencies[k] );
	}
	to = put( to, "\n" );
	for ( uint32_t i = 1; i < rule->count; ++i )
	{
		if ( is_target( rule->dependencies[i] ) )
		{
			to = put( put_path( to, rule->dependencies[i] ), ":\n" );
		}
	}
	return to;
}

static bv_status fail_name( const char* path, const char* name, bvb_error* error )
{
	return bvbase_fail( error, bv_error_argument, "%s: Make and Ninja cannot both read the name '%s' in it",
	                    path, name );
}

static bv_status check_rule( const char* path, const depfile_rule* rule, bvb_error* error )
{
	if ( !is_target( rule->output ) )
	{
		return fail_name( path, rule->output, error );
	}
	for ( uint32_t i = 0; i < rule->count; ++i )
	{
		if ( !is_depfile_name( rule->dependencies[i] ) )
		{
			return fail_name( path, rule->dependencies[i], error );
		}
	}
	return rule->count == 0 || find_first( rule ) < rule->count
	           ? bv_ok
	           : fail_name( path, rule->dependencies[0], error );
}

bv_status write_depfile( const char* path, const depfile_rules* rules, bvb_arena* arena, bvb_error* error )
{
	size_t size = 1;
	for ( uint32_t i = 0; i < rules->count; ++i )
	{
		const depfile_rule* rule = &rules->rules[i];
		bv_status status = check_rule( path, rule, error );
		if ( status != bv_ok )
		{
			return status;
		}
		size += 2 * strlen( rule->output ) + 2;
		for ( uint32_t k = 0; k < rule->count; ++k )
		{
			size += 4 * strlen( rule->dependencies[k] ) + 3;
		}
	}
	char* text = bvb_arena_allocate( arena, size, 1 );
	if ( !text )
	{
		return bvbase_fail_memory( error );
	}
	char* to = text;
	for ( uint32_t i = 0; i < rules->count; ++i )
	{
		to = put_rule( to, &rules->rules[i] );
	}
	return bvb_write_file( path, text, (size_t)( to - text ), error );
}

// Adds the files that settings come from.
static bool add_settings( depfile_rule* rule, const settings* s, bvb_arena* arena )
{
	int count = 0;
	while ( get_settings_file( s, count ) )
	{
		count += 1;
	}
	const char** all = bvb_arena_allocate( arena, rule->count + (size_t)count, sizeof *all );
	for ( uint32_t i = 0; all && i < rule->count; ++i )
	{
		all[i] = rule->dependencies[i];
	}
	for ( int i = 0; all && i < count; ++i )
	{
		all[rule->count++] = get_settings_file( s, i );
	}
	rule->dependencies = all;
	return all;
}

bv_status check_depfile_rule( const char* path, const planned* asset, bvb_arena* arena, bvb_error* error )
{
	const char* input = asset->input;
	depfile_rule rule = { asset->output, &input, 1 };
	return add_settings( &rule, asset->s, arena ) ? check_rule( path, &rule, error )
	                                              : bvbase_fail_memory( error );
}

static bv_status read_dependencies( const char* input, const char* output, bvb_arena* arena,
                                    dependencies* out, bvb_error* error )
{
	const bv_file* file;
	bvb_arena* own = bvb_arena_create();
	bv_status status = own ? bvb_file_read( output, own, &file, error ) : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		status = list_dependencies( input, bv_file_get_origin( file ).parameters, arena, out );
		status = status == bv_ok ? bv_ok : bvbase_fail( error, status, "%s: names no side files", output );
	}
	bvb_arena_destroy( own );
	return status;
}

// What shapes nothing is left out if its name cannot be written.
static bv_status add_output( depfile_rules* rules, const planned* asset, bvb_arena* arena, bvb_error* error )
{
	dependencies d;
	bv_status status = read_dependencies( asset->input, asset->output, arena, &d, error );
	if ( status != bv_ok )
	{
		return status;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < d.count; ++i )
	{
		if ( i < d.needed || is_depfile_name( d.paths[i] ) )
		{
			d.paths[count++] = d.paths[i];
		}
	}
	depfile_rule rule = { asset->output, d.paths, count };
	return add_settings( &rule, asset->s, arena ) ? add_depfile_rule( rules, &rule, arena, error )
	                                              : bvbase_fail_memory( error );
}

// Which other files are read is known only now.
static bv_status check_place( const char* path, const depfile_rule* rule, bvb_error* error )
{
	for ( uint32_t i = 0; i < rule->count; ++i )
	{
		if ( is_same_file( path, rule->dependencies[i] ) )
		{
			return bvbase_fail( error, bv_error_argument, "%s: is both the dependency file and an input",
			                    path );
		}
	}
	return bv_ok;
}

bv_status write_depfile_of( const char* path, const plan* p, const bool* made, bvb_arena* arena,
                            bvb_error* error )
{
	depfile_rules rules = { 0 };
	bv_status status = bv_ok;
	for ( int i = 0; i < p->count && status == bv_ok; ++i )
	{
		if ( made[i] )
		{
			status = add_output( &rules, p->assets + i, arena, error );
			status = status == bv_ok ? check_place( path, rules.rules + rules.count - 1, error ) : status;
		}
	}
	return status == bv_ok ? write_depfile( path, &rules, arena, error ) : status;
}

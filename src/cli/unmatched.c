// Entries of a configuration that match nothing. See unmatched.h.

#include "cli/unmatched.h"

#include "cli/outputs.h"
#include "cli/paths.h"
#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/base/system.h"

#include <stdio.h>
#include <string.h>

enum
{
	most_visited = 200000, // files and folders, which takes about 1 s
	most_levels = 64,
	most_places = 64,
};

// Where patterns are looked for, and what of them is found.
typedef struct file_search
{
	const char* folder;    // that paths are relative to, absolute
	const char** patterns; // null for those that are found
	int count;             // length of patterns
	int left;              // of patterns
	int visited;           // so far
	bool any_case;         // upper and lower case are the same
	bvb_arena* arena;
	const char* found;            // the last path
	char path[bvbase_path_bytes]; // of what is being looked at
} file_search;

// A folder that is being searched, and those above it.
typedef struct search_level
{
	uint64_t device;
	uint64_t number;
	const struct search_level* above;
} search_level;

static void make_lower( char* text )
{
	for ( ; *text; ++text )
	{
		*text = (char)( *text >= 'A' && *text <= 'Z' ? *text + ( 'a' - 'A' ) : *text );
	}
}

static char* copy_text( const char* text, bvb_arena* arena )
{
	size_t size = strlen( text ) + 1;
	char* copy = bvb_arena_allocate( arena, size, 1 );
	return copy ? memcpy( copy, text, size ) : NULL;
}

static bool matches_in_any_case( const char* pattern, const char* path, bvb_arena* arena )
{
	char* a = copy_text( pattern, arena );
	char* b = copy_text( path, arena );
	if ( !a || !b )
	{
		return false;
	}
	make_lower( a );
	make_lower( b );
	return path_matches( a, b );
}

// What bvbuild writes is no input, whatever its folder is.
static bool may_be_input( const char* name )
{
	return strchr( name, '.' ) && !has_extension( name, ".bvh" );
}

static void try_file( file_search* s )
{
	const char* below = path_below( s->folder, s->path );
	const char* relative = below ? below : make_relative( s->folder, s->path, s->arena );
	for ( int i = 0; relative && i < s->count; ++i )
	{
		if ( s->patterns[i] && ( s->any_case ? matches_in_any_case( s->patterns[i], relative, s->arena )
		                                     : path_matches( s->patterns[i], relative ) ) )
		{
			s->patterns[i] = NULL;
			s->left -= 1;
			s->found = copy_text( relative, s->arena );
		}
	}
}

static bool is_above( const search_level* level, const bvbase_file_state* state )
{
	for ( ; level; level = level->above )
	{
		if ( level->device == state->device && level->number == state->number )
		{
			return true;
		}
	}
	return false;
}

// Searches the folder that s->path is. Hidden folders, such as those of version control, have no inputs.
static void search_below( file_search* s, int levels, const search_level* above )
{
	bvbase_file_state state;
	size_t length = strlen( s->path );
	bvbase_folder* opened = s->left > 0 ? bvbase_folder_open( s->path ) : NULL;
	const char* name;
	if ( !opened )
	{
		return;
	}
	while ( s->left > 0 && s->visited < most_visited && ( name = bvbase_folder_next( opened ) ) != NULL )
	{
		size_t room = sizeof s->path - length;
		int added = snprintf( s->path + length, room, "%s%s", length > 1 ? "/" : "", name );
		s->visited += 1;
		if ( name[0] == '.' || added >= (int)room || !bvbase_path_get_state( s->path, &state ) )
		{
			continue;
		}
		if ( state.kind != bvbase_file_folder )
		{
			if ( may_be_input( name ) )
			{
				try_file( s );
			}
		}
		else if ( levels > 0 && !is_above( above, &state ) )
		{
			search_below( s, levels - 1, &( search_level ){ state.device, state.number, above } );
		}
	}
	s->path[length] = 0;
	bvbase_folder_close( opened );
}

static bool is_anywhere( const char* pattern )
{
	return !strchr( pattern, '/' ) || strncmp( pattern, "**/", 3 ) == 0;
}

static void search_folder( file_search* s, const char* folder, int levels )
{
	if ( snprintf( s->path, sizeof s->path, "%s", folder ) < (int)sizeof s->path )
	{
		search_below( s, levels, NULL );
	}
}

// Below the folders that begin a pattern, no deeper than it can match.
static void search_anchored( file_search* s, const char* pattern )
{
	const char* begin = pattern + ( *pattern == '/' );
	const char* rest = begin;
	const char* slash;
	int levels = 0;
	while ( ( slash = strchr( rest, '/' ) ) != NULL && strcspn( rest, "*?[\\" ) > (size_t)( slash - rest ) )
	{
		rest = slash + 1;
	}
	for ( const char* c = rest; *c; ++c )
	{
		levels += *c == '/';
	}
	bvb_error ignored;
	char* clean;
	size_t size = strlen( s->folder ) + (size_t)( rest - begin ) + 2;
	char* folder = bvb_arena_allocate( s->arena, size, 1 );
	if ( folder )
	{
		snprintf( folder, size, "%s/%.*s", s->folder, (int)( rest - begin ), begin );
	}
	if ( folder && make_absolute_as_written( folder, s->arena, &clean, &ignored ) == bv_ok )
	{
		search_folder( s, clean, strstr( pattern, "**" ) ? most_levels : levels );
	}
}

// Folders in which patterns without a folder of their own are looked for.
typedef struct search_places
{
	const char* folders[most_places];
	int count;
} search_places;

static void add_place( search_places* p, const char* folder )
{
	for ( int i = 0; i < p->count; ++i )
	{
		if ( strcmp( p->folders[i], folder ) == 0 || path_below( p->folders[i], folder ) )
		{
			return;
		}
	}
	if ( p->count < most_places )
	{
		p->folders[p->count++] = folder;
	}
}

// The whole check.
typedef struct unmatched_check
{
	const settings* s;
	const config* c;
	const char* root;
	const char* here; // working directory
	search_places places;
	const config_path* inputs; // made where a message needs them
	int visited;
	bvb_arena* arena;
	bvb_error* error;
} unmatched_check;

static bv_status find_places( unmatched_check* u )
{
	char* here;
	bv_status status = make_absolute( "./x", u->arena, &here, u->error );
	if ( status != bv_ok )
	{
		return status;
	}
	cut_last_part( here );
	u->here = here;
	add_place( &u->places, u->c->folder );
	add_place( &u->places, here );
	if ( u->root )
	{
		add_place( &u->places, u->root );
	}
	for ( int i = 0; i < u->s->inputs.count && u->places.count < most_places; ++i )
	{
		char* folder;
		status = make_absolute( u->s->inputs.names[i], u->arena, &folder, u->error );
		if ( status != bv_ok )
		{
			return status;
		}
		cut_last_part( folder );
		add_place( &u->places, folder );
	}
	return bv_ok;
}

// Looks for files that patterns match; sets those that are found to null.
// @return a path that was found, or null
static const char* search_files( unmatched_check* u, const char** patterns, int count, bool any_case )
{
	const char* folders[] = { u->c->folder, u->c->written };
	file_search s = { .patterns = patterns, .count = count, .any_case = any_case, .arena = u->arena };
	for ( int i = 0; i < count; ++i )
	{
		s.left += patterns[i] != NULL;
	}
	for ( int k = 0; k < 1 + ( strcmp( folders[0], folders[1] ) != 0 ); ++k )
	{
		s.folder = folders[k];
		bool anywhere = false;
		for ( int i = 0; i < count; ++i )
		{
			bool anchored = patterns[i] && !any_case && !is_anywhere( patterns[i] );
			anywhere = anywhere || ( patterns[i] && !anchored );
			if ( anchored )
			{
				search_anchored( &s, patterns[i] );
			}
		}
		for ( int i = 0; anywhere && i < u->places.count; ++i )
		{
			search_folder( &s, u->places.folders[i], most_levels );
		}
	}
	u->visited += s.visited;
	return s.found;
}

static bool is_allowed( const unmatched_check* u, const config_entry* e )
{
	return u->s->allow_unmatched || u->c->general.may_be_idle || e->may_be_idle;
}

// Whether an input or a file has a pattern.
static bool exists( unmatched_check* u, const char* pattern )
{
	const char* one[] = { pattern };
	for ( int i = 0; u->inputs && i < u->s->inputs.count; ++i )
	{
		if ( config_path_matches( pattern, u->inputs + i ) )
		{
			return true;
		}
	}
	return search_files( u, one, 1, false ) != NULL;
}

static const char* join( const char* a, const char* between, const char* b, bvb_arena* arena )
{
	size_t size = strlen( a ) + strlen( between ) + strlen( b ) + 1;
	char* out = bvb_arena_allocate( arena, size, 1 );
	if ( out )
	{
		snprintf( out, size, "%s%s%s", a, between, b );
	}
	return out;
}

// What a pattern is when it is relative to another folder.
static const char* move_pattern( const unmatched_check* u, const char* folder, const char* pattern )
{
	bvb_error ignored;
	char* absolute;
	const char* whole = *pattern == '/' && !folder ? pattern : join( folder, "/", pattern, u->arena );
	return whole && make_absolute_as_written( whole, u->arena, &absolute, &ignored ) == bv_ok
	           ? make_relative( u->c->folder, absolute, u->arena )
	           : NULL;
}

static const char* use_slashes( const char* pattern, bvb_arena* arena )
{
	char* out = copy_text( pattern, arena );
	for ( char* c = out; c && *c; ++c )
	{
		*c = *c == '\\' ? '/' : *c;
	}
	return out;
}

// "props/" and "props" of a folder.
static const char* go_inside( const char* pattern, bvb_arena* arena )
{
	size_t length = strlen( pattern );
	return join( pattern, length > 0 && pattern[length - 1] == '/' ? "**" : "/**", "", arena );
}

static void find_input_paths( unmatched_check* u )
{
	int count = u->s->inputs.count;
	bvb_error ignored;
	config_path* paths = bvb_arena_allocate( u->arena, (size_t)count, sizeof *paths );
	for ( int i = 0; paths && i < count; ++i )
	{
		if ( find_config_path( u->c, u->s->inputs.names[i], u->arena, paths + i, &ignored ) != bv_ok )
		{
			return;
		}
	}
	u->inputs = paths;
}

// The input whose path, or name, is nearest to a pattern.
static const char* nearest_input( const unmatched_check* u, const char* pattern )
{
	bvbase_suggestion near = bvbase_suggestion_for( pattern, strlen( pattern ) );
	for ( int i = 0; u->inputs && i < u->s->inputs.count; ++i )
	{
		const char* path = u->inputs[i].real;
		bvbase_suggest( &near, strchr( pattern, '/' ) ? path : bvbase_path_name( path ) );
	}
	return bvbase_get_suggestion( &near );
}

// What may be meant by a pattern that matches nothing: the first that matches something; null for none.
static const char* find_meant( unmatched_check* u, const char* pattern )
{
	const char* inside = *pattern ? go_inside( pattern, u->arena ) : NULL;
	const char* slashes = strchr( pattern, '\\' ) ? use_slashes( pattern, u->arena ) : NULL;
	const char* tried[] = {
		slashes,
		inside,
		slashes ? go_inside( slashes, u->arena ) : NULL,
		*pattern == '/' ? move_pattern( u, NULL, pattern ) : NULL,
		u->root ? move_pattern( u, u->root, pattern ) : NULL,
		move_pattern( u, u->here, pattern ),
		*pattern != '/' && strchr( pattern, '/' ) ? join( "**/", pattern, "", u->arena ) : NULL,
	};
	for ( size_t i = 0; i < sizeof tried / sizeof *tried; ++i )
	{
		if ( tried[i] && strcmp( tried[i], pattern ) != 0 && exists( u, tried[i] ) )
		{
			return tried[i];
		}
	}
	return NULL;
}

// The first folder of a pattern that is not there, without its end.
// @return its length, with those that it is in; 0 for none
static int find_missing_folder( const unmatched_check* u, const char* pattern )
{
	char folder[bvbase_path_bytes];
	for ( const char* slash = pattern; ( slash = strchr( slash + 1, '/' ) ) != NULL; )
	{
		int length = (int)( slash - pattern );
		snprintf( folder, sizeof folder, "%s/%.*s", u->c->written, length, pattern );
		if ( (int)strcspn( pattern, "*?[\\" ) < length )
		{
			return 0;
		}
		if ( !is_folder( folder ) )
		{
			return length;
		}
	}
	return 0;
}

static bv_status tell( unmatched_check* u, const config_entry* e, const char* pattern, bv_status status )
{
	const char* one[] = { pattern };
	const char* meant = find_meant( u, pattern );
	const char* other_case = meant ? NULL : search_files( u, one, 1, true );
	int missing = find_missing_folder( u, pattern );
	meant =
		meant || other_case || missing > 0 || strchr( pattern, '{' ) ? meant : nearest_input( u, pattern );
	char hint[400];
	if ( meant )
	{
		snprintf( hint, sizeof hint, "did you mean \"%.300s\"?", meant );
	}
	else if ( other_case )
	{
		snprintf( hint, sizeof hint, "upper and lower case differ from %.300s;", other_case );
	}
	else if ( strchr( pattern, '{' ) )
	{
		snprintf( hint, sizeof hint, "patterns have no {a,b}, an array of patterns does the same;" );
	}
	else if ( missing > 0 )
	{
		snprintf( hint, sizeof hint, "\"%.*s\" does not exist beside the configuration;", missing, pattern );
	}
	else
	{
		snprintf( hint, sizeof hint, "patterns are relative to the folder of the configuration;" );
	}
	return bvbase_fail( u->error, status,
	                    "%s:%d: %s: \"%.200s\" matches no input and no file (%s --allow-unmatched accepts "
	                    "it)",
	                    u->c->path, e->line, e->name, pattern, hint );
}

// Patterns that match no input are looked for among files, all at once.
static bv_status search_entries( unmatched_check* u )
{
	int count = 0;
	for ( int i = 0; i < u->c->entry_count; ++i )
	{
		count += u->c->entries[i].pattern_count;
	}
	const char** patterns = bvb_arena_allocate( u->arena, (size_t)count, sizeof *patterns );
	if ( !patterns )
	{
		return bvbase_fail_memory( u->error );
	}
	for ( int pass = 0; pass < 2; ++pass )
	{
		int at = 0;
		for ( int i = 0; i < u->c->entry_count; ++i )
		{
			const config_entry* e = u->c->entries + i;
			for ( int k = 0; k < e->pattern_count; ++k, ++at )
			{
				if ( pass == 0 )
				{
					patterns[at] = e->used[k] || is_allowed( u, e ) ? NULL : e->patterns[k];
				}
				else
				{
					e->used[k] = !patterns[at];
				}
			}
		}
		if ( pass == 0 )
		{
			search_files( u, patterns, count, false );
		}
	}
	return bv_ok;
}

static bool is_idle( const config_entry* e )
{
	bool used = false;
	for ( int k = 0; k < e->pattern_count; ++k )
	{
		used = used || e->used[k];
	}
	return !used;
}

static bool has_unused( const config* c )
{
	bool unused = false;
	for ( int i = 0; i < c->entry_count; ++i )
	{
		for ( int k = 0; k < c->entries[i].pattern_count; ++k )
		{
			unused = unused || !c->entries[i].used[k];
		}
	}
	return unused;
}

// Patterns of entries that are idle, or of others.
static bv_status tell_of( unmatched_check* u, bool idle )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < u->c->entry_count; ++i )
	{
		const config_entry* e = u->c->entries + i;
		for ( int k = 0; is_idle( e ) == idle && k < e->pattern_count; ++k )
		{
			if ( !e->used[k] )
			{
				if ( status != bv_ok )
				{
					complain( u->s->tool, u->error, exit_usage ); // the last one is returned
				}
				status = tell( u, e, e->patterns[k], idle ? bv_error_argument : bv_ok );
				if ( !idle )
				{
					complain( u->s->tool, u->error, exit_done );
				}
			}
		}
	}
	return status;
}

bv_status check_unmatched( const settings* s, const config* c, const char* root, bvb_arena* arena,
                           bvb_error* error )
{
	unmatched_check u = { .s = s, .c = c, .root = root, .arena = arena, .error = error };
	if ( !has_unused( c ) )
	{
		return bv_ok;
	}
	bv_status status = find_places( &u );
	status = status == bv_ok ? search_entries( &u ) : status;
	if ( status != bv_ok || !has_unused( c ) )
	{
		return status;
	}
	if ( u.visited >= most_visited )
	{
		bvbase_fail( error, bv_ok, "%s: too many files to see whether each entry matches one", c->path );
		if ( !s->quiet )
		{
			complain( s->tool, error, exit_done );
		}
		return bv_ok;
	}
	find_input_paths( &u );
	if ( !s->quiet )
	{
		tell_of( &u, false );
	}
	return tell_of( &u, true );
}

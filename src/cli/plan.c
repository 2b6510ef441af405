// Inputs, outputs and settings. See plan.h.

#include "cli/plan.h"

#include "cli/config.h"
#include "cli/outputs.h"
#include "cli/paths.h"
#include "cli/places.h"
#include "cli/standard_input.h"
#include "cli/unmatched.h"
#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Settings that inputs share which the same entries of the configuration match.
typedef struct shared_settings
{
	settings own;
	const bool* matches;
	struct shared_settings* next;
} shared_settings;

// A plan in the making.
typedef struct making
{
	settings* s;
	const argument_list* arguments;
	bvb_arena* arena;
	bvb_error* error;
	const char* folder;    // the output, without slashes at its end; null where it is a file
	config* config;        // null for none
	shared_settings* made; // so far
	const char* root;      // absolute; null for none
} making;

static bv_status find_output_folder( making* m )
{
	const char* output = m->s->output;
	size_t length = output ? strlen( output ) : 0;
	if ( length == 0 || !( m->s->root || output[length - 1] == '/' || is_folder( output ) ) )
	{
		return bv_ok;
	}
	char* folder = bvb_arena_allocate( m->arena, length + 1, 1 );
	if ( !folder )
	{
		return bvbase_fail_memory( m->error );
	}
	memcpy( folder, output, length );
	while ( length > 1 && folder[length - 1] == '/' )
	{
		folder[--length] = 0;
	}
	m->folder = folder;
	return bv_ok;
}

// What does not go with a mesh from stdin: what names files after inputs, or looks at an input more than once.
// @return null if there is nothing
static const char* find_wrong_stdin( const making* m )
{
	const settings* s = m->s;
	bool is_input = false;
	for ( int i = 0; i < s->inputs.count; ++i )
	{
		is_input = is_input || is_stdin( s->inputs.names[i] );
	}
	if ( !is_input )
	{
		return s->format ? "--format needs - as the input" : NULL;
	}
	return s->inputs.count > 1 ? "- must be the only input"
	       : !s->format        ? "- needs --format"
	       : !bvb_import_is_own( s->format )
	           ? "--format takes obj, stl, ply, off, gltf, glb, 3mf, wrl, wrz or vrml"
	       : s->depfile || s->ninja || s->cache || s->config || s->root || s->shards
	           ? "- excludes --depfile, --emit-ninja, --cache, --config, --root and --shard"
	       : m->folder               ? "- needs a file as the output, or -"
	       : bvbase_terminal_is( 0 ) ? "a mesh is not read from a terminal (redirect stdin)"
	                                 : NULL;
}

// What goes together does so whatever the inputs are.
static bv_status check_usage( const making* m )
{
	const settings* s = m->s;
	bool several = s->inputs.count > 1;
	const char* wrong = find_wrong_stdin( m );
	if ( s->inputs.count == 0 )
	{
		wrong = "no input (see --help)";
	}
	else if ( wrong )
	{
		return bvbase_fail( m->error, bv_error_argument, "%s", wrong );
	}
	else if ( s->allow_unmatched && !s->config )
	{
		wrong = "--allow-unmatched needs --config";
	}
	else if ( s->explain )
	{
		wrong = s->list_objects ? "--explain-config excludes --list-objects"
		        : s->ninja      ? "--explain-config excludes --emit-ninja"
		                        : NULL;
	}
	else if ( s->list_objects )
	{
		wrong = s->output  ? "--list-objects excludes --output"
		        : s->ninja ? "--list-objects excludes --emit-ninja"
		                   : NULL;
	}
	else if ( !s->output )
	{
		wrong = "no output (give -o PATH)";
	}
	else if ( ( several || s->split ) && !m->folder )
	{
		return bvbase_fail( m->error, bv_error_argument,
		                    "%s: is not a folder, %s (end it with / to create it)", s->output,
		                    s->split ? "which --split needs" : "and there are several inputs" );
	}
	else if ( ( s->depfile && is_stdout( s->depfile ) ) || ( s->ninja && is_stdout( s->ninja ) ) )
	{
		wrong = "--depfile and --emit-ninja need a file: - is not one";
	}
	else if ( is_stdout( s->output ) && ( s->depfile || s->ninja || s->cache ) )
	{
		wrong = "-o - excludes --depfile, --emit-ninja and --cache";
	}
	else if ( is_stdout( s->output ) && bvbase_terminal_is( 1 ) )
	{
		wrong = "a .bvh file is not written to a terminal (redirect stdout)";
	}
	else if ( s->report_count > 0 && ( several || s->split ) )
	{
		wrong = "--report needs a single output";
	}
	else if ( s->depfile && s->split )
	{
		wrong = "--depfile and --split exclude each other";
	}
	else if ( s->ninja && s->split )
	{
		wrong = "--emit-ninja and --split exclude each other";
	}
	else if ( s->ninja && s->report_count > 0 )
	{
		wrong = "--emit-ninja and --report exclude each other";
	}
	return wrong ? bvbase_fail( m->error, bv_error_argument, "%s", wrong ) : bv_ok;
}

// The settings that count for an input: made anew only when no earlier one has the same.
static bv_status find_settings( making* m, const char* input, const settings** out )
{
	if ( !m->config )
	{
		*out = m->s;
		return bv_ok;
	}
	size_t rules = (size_t)m->config->entry_count;
	bool* matches = bvb_arena_allocate( m->arena, rules, sizeof *matches );
	bv_status status = matches ? match_entries( m->config, input, m->arena, matches, m->error )
	                           : bvbase_fail_memory( m->error );
	for ( shared_settings* made = m->made; made && status == bv_ok; made = made->next )
	{
		if ( memcmp( made->matches, matches, rules * sizeof *matches ) == 0 )
		{
			*out = &made->own;
			return bv_ok;
		}
	}
	argument_list* lists;
	int count;
	shared_settings* made = bvb_arena_allocate( m->arena, 1, sizeof *made );
	status = status == bv_ok && !made ? bvbase_fail_memory( m->error ) : status;
	status =
		status == bv_ok ? gather_config( m->config, matches, m->arena, &lists, &count, m->error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	lists[count++] = *m->arguments;
	*made = ( shared_settings ){ settings_default( m->s->tool ), matches, m->made };
	m->made = made;
	made->own.responses = m->s->responses;
	*out = &made->own;
	status = apply_arguments( &asset_line, lists, count, &made->own, m->error );
	status = status == bv_ok ? bvopt_settle( &made->own.build, m->error ) : status;
	if ( status != bv_ok )
	{
		bvb_error inner = *m->error;
		bvbase_fail( m->error, status, "%s: %s", input, inner.message );
	}
	return status;
}

// The folder that an input's output goes to: with --root that of the input, moved.
static bv_status find_folder( const making* m, const char* input, const char** out )
{
	char* path;
	*out = m->folder;
	if ( !m->root )
	{
		return bv_ok;
	}
	bv_status status = make_absolute( input, m->arena, &path, m->error );
	if ( status != bv_ok )
	{
		return status;
	}
	const char* below = path_below( m->root, path );
	if ( !below )
	{
		return bvbase_fail( m->error, bv_error_argument, "%s: not below %s (--root)", input, m->s->root );
	}
	size_t size = strlen( *out ) + strlen( below ) + 2;
	char* folder = bvb_arena_allocate( m->arena, size, 1 );
	if ( !folder )
	{
		return bvbase_fail_memory( m->error );
	}
	int length = (int)( bvbase_path_name( below ) - below );
	snprintf( folder, size, "%s%s%.*s", *out, length ? "/" : "", length ? length - 1 : 0, below );
	*out = folder;
	return bv_ok;
}

// Absolute, with links followed to its end: what is in it has that path.
static bv_status find_root( making* m )
{
	char inside[bvbase_path_bytes];
	char* root;
	snprintf( inside, sizeof inside, "%s/x", m->s->root ); // the last part is not looked at
	bv_status status = make_absolute( inside, m->arena, &root, m->error );
	if ( status == bv_ok )
	{
		char* slash = strrchr( root, '/' );
		slash[slash == root] = 0;
		m->root = root;
	}
	return status;
}

static bv_status name_output( const making* m, bool full, planned* asset )
{
	if ( m->s->list_objects || m->s->explain || !m->folder )
	{
		asset->output = m->s->output;
		return bv_ok;
	}
	const char* folder;
	bv_status status = find_folder( m, asset->input, &folder );
	if ( status == bv_ok )
	{
		asset->output = m->s->split ? folder : output_in_folder( folder, asset->input, NULL, full, m->arena );
		status = asset->output ? bv_ok : bvbase_fail_memory( m->error );
	}
	return status;
}

static int compare_outputs( const void* a, const void* b )
{
	const planned* x = *(const planned* const*)a;
	const planned* y = *(const planned* const*)b;
	int order = strcmp( x->output, y->output );
	return order ? order : ( x > y ) - ( x < y );
}

// @param sorted  receives all assets, those with equal outputs one after another
static void sort_by_output( const plan* p, planned** sorted )
{
	for ( int i = 0; i < p->count; ++i )
	{
		sorted[i] = p->assets + i;
	}
	qsort( sorted, (size_t)p->count, sizeof *sorted, compare_outputs );
}

// Gives inputs whose outputs would be one file their full names.
static bv_status tell_apart( const making* m, planned** sorted, int count )
{
	bv_status status = bv_ok;
	for ( int first = 0, end; first < count && status == bv_ok; first = end )
	{
		const char* output = sorted[first]->output;
		for ( end = first + 1; end < count && strcmp( sorted[end]->output, output ) == 0; ++end )
		{
		}
		for ( int i = first; end > first + 1 && i < end && status == bv_ok; ++i )
		{
			status = name_output( m, true, sorted[i] );
		}
	}
	return status;
}

static bv_status check_outputs( const making* m, const plan* p )
{
	planned** sorted = bvb_arena_allocate( m->arena, (size_t)p->count, sizeof *sorted );
	if ( !sorted )
	{
		return bvbase_fail_memory( m->error );
	}
	sort_by_output( p, sorted );
	if ( m->s->keep_going && m->folder )
	{
		bv_status status = tell_apart( m, sorted, p->count );
		if ( status != bv_ok )
		{
			return status;
		}
		sort_by_output( p, sorted );
	}
	for ( int i = 1; i < p->count; ++i )
	{
		if ( strcmp( sorted[i]->output, sorted[i - 1]->output ) == 0 )
		{
			const char* a = sorted[i - 1]->input;
			const char* b = sorted[i]->input;
			return bvbase_fail( m->error, bv_error_argument, "%s and %s would both be written to %s%s", a, b,
			                    sorted[i]->output,
			                    strcmp( bvbase_path_name( a ), bvbase_path_name( b ) ) != 0
			                        ? " (--names full keeps their extensions)"
			                        : "" );
		}
	}
	return bv_ok;
}

// FOLDER/A.X.bvh and FOLDER/B.Y.bvh can be one file only if A and B are equal, or one is the other with a dot
// behind it.
static bool may_share_files( const plan* p, bvb_arena* arena )
{
	char** names = bvb_arena_allocate( arena, (size_t)p->count, sizeof *names );
	for ( int i = 0; names && i < p->count; ++i )
	{
		names[i] = output_in_folder( p->assets[i].output, p->assets[i].input, NULL, false, arena );
		if ( !names[i] )
		{
			return true;
		}
		*strrchr( names[i], '.' ) = 0;
	}
	for ( int i = 0; names && i < p->count; ++i )
	{
		for ( int k = 0; k < p->count; ++k )
		{
			size_t length = strlen( names[i] );
			if ( i != k && strncmp( names[i], names[k], length ) == 0 &&
			     ( names[k][length] == 0 || names[k][length] == '.' ) )
			{
				return true;
			}
		}
	}
	return !names;
}

static int compare_names( const void* a, const void* b )
{
	return strcmp( bvbase_path_name( *(const char* const*)a ), bvbase_path_name( *(const char* const*)b ) );
}

static bv_status plan_assets( making* m, plan* out )
{
	const name_list* inputs = &m->s->inputs;
	*out = ( plan ){
		.assets = bvb_arena_allocate( m->arena, (size_t)inputs->count, sizeof *out->assets ),
		.count = inputs->count,
		.inputs = bvb_arena_allocate( m->arena, (size_t)inputs->count, sizeof *out->inputs ),
		.input_count = inputs->count,
		.folders = m->folder != NULL,
	};
	if ( !out->assets || !out->inputs )
	{
		return bvbase_fail_memory( m->error );
	}
	bv_status status = bv_ok;
	for ( int i = 0; i < inputs->count && status == bv_ok; ++i )
	{
		planned* asset = out->assets + i;
		asset->input = out->inputs[i] = inputs->names[i];
		status = find_settings( m, asset->input, &asset->s );
		status = status == bv_ok ? name_output( m, m->s->full_names, asset ) : status;
	}
	if ( status == bv_ok )
	{
		// No file is the one on stdin.
		out->input_count = is_stdin( inputs->names[0] ) ? 0 : out->input_count;
		qsort( out->inputs, (size_t)out->input_count, sizeof *out->inputs, compare_names );
	}
	return status;
}

static void take_shard( const settings* s, plan* p )
{
	int count = 0;
	for ( uint32_t i = s->shard - 1; s->shards && i < (uint32_t)p->count; i += s->shards )
	{
		p->assets[count++] = p->assets[i];
	}
	p->count = s->shards ? count : p->count;
}

bv_status make_plan( settings* s, const argument_list* arguments, bvb_arena* arena, plan* out,
                     bvb_error* error )
{
	making m = { .s = s, .arguments = arguments, .arena = arena, .error = error };
	bv_status status = bvopt_settle( &s->build, error );
	status = status == bv_ok ? find_output_folder( &m ) : status;
	status = status == bv_ok ? check_usage( &m ) : status;
	if ( status == bv_ok && s->config )
	{
		settings defaults = settings_default( s->tool );
		status = read_config( s->config, &asset_line, &defaults, sizeof defaults, arena, &m.config, error );
	}
	status = status == bv_ok && s->root ? find_root( &m ) : status;
	status = status == bv_ok ? plan_assets( &m, out ) : status;
	out->config = m.config;
	if ( status != bv_ok || s->explain )
	{
		return status;
	}
	status = m.config ? check_unmatched( s, m.config, m.root, arena, error ) : bv_ok;
	if ( status == bv_ok && !s->list_objects )
	{
		status = s->split ? bv_ok : check_outputs( &m, out );
		out->one_by_one = s->split && may_share_files( out, arena );
	}
	status = status == bv_ok ? check_places( s, out, error ) : status;
	if ( status == bv_ok )
	{
		take_shard( s, out );
	}
	return status;
}

const char* find_input( const plan* p, const char* path )
{
	const char** found =
		bsearch( &path, p->inputs, (size_t)p->input_count, sizeof *p->inputs, compare_names );
	for ( const char** i = found; i && i >= p->inputs && compare_names( i, &path ) == 0; --i )
	{
		if ( is_same_file( *i, path ) )
		{
			return *i;
		}
	}
	for ( const char** i = found; i && i < p->inputs + p->input_count && compare_names( i, &path ) == 0; ++i )
	{
		if ( is_same_file( *i, path ) )
		{
			return *i;
		}
	}
	return NULL;
}

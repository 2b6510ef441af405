// Files that are read and written. See places.h.

#include "cli/places.h"

#include "cli/outputs.h"
#include "cli/paths.h"
#include "cli/replace.h"
#include "offline/base/error.h"
#include "offline/base/system.h"

#include <errno.h>
#include <string.h>

// A file with what it is, as in "log".
typedef struct cli_place
{
	const char* path;
	const char* what;
	written_kind kind;
} cli_place;

enum
{
	most_written = max_reports + 3,
};

// Lists all files that are written except outputs. Returns how many.
static int list_written( const settings* s, cli_place out[most_written] )
{
	int count = 0;
	const cli_place single[] = {
		{ s->log && strcmp( s->log, "-" ) != 0 ? s->log : NULL, "log", written_log },
		{ s->depfile, "dependency file", written_depfile },
		{ s->ninja, "Ninja file", written_ninja },
	};
	for ( size_t i = 0; i < sizeof single / sizeof *single; ++i )
	{
		if ( single[i].path )
		{
			out[count++] = single[i];
		}
	}
	for ( int i = 0; i < s->report_count; ++i )
	{
		bool page = has_extension( s->reports[i], ".html" );
		out[count++] = ( cli_place ){ s->reports[i], "report", page ? written_page : written_json_report };
	}
	return count;
}

static bv_status refuse( const char* path, const char* a, const char* b, bvb_error* error )
{
	return bvbase_fail( error, bv_error_argument, "%s: is both the %s and %s", path, a, b );
}

static bv_status check_written( const cli_place* written, int index, const settings* s, const plan* p,
                                bvb_error* error )
{
	const cli_place* w = written + index;
	const char* file;
	for ( int i = 0; i < index; ++i )
	{
		if ( is_same_place( w->path, written[i].path ) )
		{
			return strcmp( w->what, written[i].what ) == 0
			           ? bvbase_fail( error, bv_error_argument, "%s: is given as a %s twice", w->path,
			                          w->what )
			           : bvbase_fail( error, bv_error_argument, "%s: is both the %s and the %s", w->path,
			                          written[i].what, w->what );
		}
	}
	for ( int i = 0; i < p->input_count; ++i )
	{
		if ( is_same_place( w->path, p->inputs[i] ) )
		{
			return refuse( w->path, w->what, "an input", error );
		}
	}
	for ( int i = 0; ( file = get_settings_file( s, i ) ) != NULL; ++i )
	{
		if ( is_same_place( w->path, file ) )
		{
			return refuse( w->path, w->what, "a settings file", error );
		}
	}
	for ( int i = 0; i < p->count && !s->split && !s->list_objects; ++i )
	{
		if ( is_same_place( w->path, p->assets[i].output ) )
		{
			return refuse( w->path, w->what, "an output", error );
		}
	}
	return bv_ok;
}

// Known to fail later, it is better to fail now, with nothing written.
static bv_status check_target( const cli_place* written, bool forced, bvb_error* error )
{
	char folder[bvbase_path_bytes];
	bool is_there = is_folder( written->path );
	if ( is_there || !bvbase_path_is_writable( get_folder( written->path, folder ) ) )
	{
		int reason = is_there ? EISDIR : errno;
		return bvbase_fail( error, bv_error_output, "%s: cannot be written: %s", written->path,
		                    strerror( reason ) );
	}
	return check_replaced( written->path, written->kind, forced, error );
}

// Not a regular file: it is refused when it is written.
static bool is_special( const char* path )
{
	bvbase_file_state state;
	return bvbase_path_get_state( path, &state ) && state.kind != bvbase_file_regular;
}

static bv_status check_output( const planned* asset, bvb_error* error )
{
	const char* file;
	for ( int i = 0; ( file = get_settings_file( asset->s, i ) ) != NULL; ++i )
	{
		if ( is_same_place( asset->output, file ) )
		{
			return refuse( file, "output", "a settings file", error );
		}
	}
	bool named =
		asset->s->force_output || is_stdout( asset->output ) || has_extension( asset->output, ".bvh" );
	return named || is_special( asset->output ) || is_same_place( asset->output, asset->input )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument,
	                          "%s: an output ends in .bvh, or in / if it is a folder (--force-output takes "
	                          "any name)",
	                          asset->output );
}

bv_status check_places( const settings* s, const plan* p, bvb_error* error )
{
	cli_place written[most_written];
	int count = list_written( s, written );
	bv_status status = bv_ok;
	for ( int i = 0; i < count && status == bv_ok; ++i )
	{
		status = check_written( written, i, s, p, error );
		status = status == bv_ok ? check_target( written + i, s->force_output, error ) : status;
	}
	for ( int i = 0; i < p->count && status == bv_ok && !s->split && !s->list_objects; ++i )
	{
		status = check_output( p->assets + i, error );
	}
	return status;
}

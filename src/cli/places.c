// Files that are read and written. See places.h.

#include "cli/places.h"

#include "cli/outputs.h"
#include "cli/paths.h"
#include "offline/base/error.h"

#include <string.h>

// A file with what it is, as in "log".
typedef struct cli_place
{
	const char* path;
	const char* what;
} cli_place;

enum
{
	most_written = max_reports + 3,
};

// All that is written but for outputs. Returns how many.
static int list_written( const settings* s, cli_place out[most_written] )
{
	int count = 0;
	const cli_place single[] = {
		{ s->log && strcmp( s->log, "-" ) != 0 ? s->log : NULL, "log" },
		{ s->depfile, "dependency file" },
		{ s->ninja, "Ninja file" },
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
		out[count++] = ( cli_place ){ s->reports[i], "report" };
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
	return bv_ok;
}

bv_status check_places( const settings* s, const plan* p, bvb_error* error )
{
	cli_place written[most_written];
	int count = list_written( s, written );
	bv_status status = bv_ok;
	for ( int i = 0; i < count && status == bv_ok; ++i )
	{
		status = check_written( written, i, s, p, error );
	}
	for ( int i = 0; i < p->count && status == bv_ok && !s->split && !s->list_objects; ++i )
	{
		status = check_output( p->assets + i, error );
	}
	return status;
}

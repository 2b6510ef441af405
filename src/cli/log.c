// What became of the inputs. See log.h.

#include "cli/log.h"

#include "cli/terminal.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/report/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct run_log
{
	const settings* s;
	FILE* file; // null for none
	double start;
	int counts[outcome_count];
	int code;
	bool failed; // a line could not be made
};

static const char* const outcome_words[outcome_count] = {
	[outcome_not_begun] = "not begun", [outcome_failed] = "failed", [outcome_built] = "built",
	[outcome_fresh] = "up to date",    [outcome_cached] = "cached",
};

static int count_all( const run_log* log )
{
	int all = 0;
	for ( int i = 0; i < outcome_count; ++i )
	{
		all += log->counts[i];
	}
	return all;
}

bv_status begin_log( const settings* s, bvb_arena* arena, run_log** out, bvb_error* error )
{
	run_log* log = bvb_arena_allocate( arena, 1, sizeof *log );
	*out = log;
	if ( !log )
	{
		return bvbase_fail_memory( error );
	}
	*log = ( run_log ){ .s = s, .start = bvbase_clock() };
	if ( s->log )
	{
		log->file = strcmp( s->log, "-" ) == 0 ? stdout : bvbase_stream_open( s->log, "w" );
	}
	return !s->log || log->file ? bv_ok
	                            : bvbase_fail( error, bv_error_output, "%s: cannot be written: %s", s->log,
	                                           strerror( errno ) );
}

// One line, at once: who reads along sees it, and what is written stays whatever happens.
static void put_line( run_log* log, bvreport_json_writer* w, cJSON* line )
{
	char* text = w->failed ? NULL : cJSON_PrintUnformatted( line );
	cJSON_Delete( line );
	log->failed = log->failed || !text;
	if ( text )
	{
		fprintf( log->file, "%s\n", text );
		fflush( log->file );
		cJSON_free( text );
	}
}

// Names may have any bytes; JSON has characters.
static void put_clean( bvreport_json_writer* w, cJSON* line, const char* key, const char* text )
{
	size_t size = text ? strlen( text ) + 1 : 1;
	char* clean = w->failed ? NULL : bvb_arena_allocate( w->arena, size, 1 );
	w->failed = w->failed || !clean;
	if ( clean && text )
	{
		memcpy( clean, text, size );
		clean_text( clean );
	}
	bvreport_json_put_string_or_null( w, line, key, text ? clean : NULL );
}

static void put_input( run_log* log, const planned* asset, const asset_result* r )
{
	bvb_arena* arena = bvb_arena_create();
	bvreport_json_writer w = { .arena = arena, .failed = !arena };
	cJSON* line = bvreport_json_checked( &w, cJSON_CreateObject() );
	bool done = r->what == outcome_built || r->what == outcome_fresh || r->what == outcome_cached;
	put_clean( &w, line, "input", asset->input );
	put_clean( &w, line, "output", asset->output );
	bvreport_json_put_string( &w, line, "result", outcome_words[r->what] );
	bvreport_json_put_count( &w, line, "code", (uint64_t)r->code );
	put_clean( &w, line, "error", *r->error.message ? r->error.message : NULL );
	bvreport_json_put_number( &w, line, "seconds", r->seconds );
	bvreport_json_put_count( &w, line, "files", r->files );
	bvreport_json_put_count_or_null( &w, line, "bytes", done, r->bytes );
	bvreport_json_put_count_or_null( &w, line, "triangles", done && r->triangles > 0, r->triangles );
	put_line( log, &w, line );
	bvb_arena_destroy( arena );
}

void log_input( run_log* log, const planned* asset, const asset_result* result )
{
	log->counts[result->what] += 1;
	log->code = result->code > log->code ? result->code : log->code;
	if ( log->file )
	{
		put_input( log, asset, result );
	}
}

static void put_summary( run_log* log, double seconds )
{
	bvb_arena* arena = bvb_arena_create();
	bvreport_json_writer w = { .arena = arena, .failed = !arena };
	cJSON* line = bvreport_json_checked( &w, cJSON_CreateObject() );
	cJSON* summary = bvreport_json_put_object( &w, line, "summary" );
	bvreport_json_put_count( &w, summary, "inputs", (uint64_t)count_all( log ) );
	for ( int i = 0; i < outcome_count; ++i )
	{
		bvreport_json_put_count( &w, summary, outcome_words[i], (uint64_t)log->counts[i] );
	}
	bvreport_json_put_count( &w, summary, "code", (uint64_t)log->code );
	bvreport_json_put_number( &w, summary, "seconds", seconds );
	put_line( log, &w, line );
	bvb_arena_destroy( arena );
}

// Only what there is of.
static void print_summary( const run_log* log, double seconds )
{
	static const outcome order[] = { outcome_built, outcome_cached, outcome_fresh, outcome_failed,
		                             outcome_not_begun };
	char text[256] = "";
	for ( size_t i = 0; i < sizeof order / sizeof *order; ++i )
	{
		size_t length = strlen( text );
		if ( log->counts[order[i]] > 0 )
		{
			snprintf( text + length, sizeof text - length, "%s%d %s", length ? ", " : "",
			          log->counts[order[i]], outcome_words[order[i]] );
		}
	}
	const char* hint = log->counts[outcome_not_begun] > 0 ? " (--keep-going continues after a failure)" : "";
	fprintf( stderr, "%s: %d inputs in %.1f s: %s%s\n", log->s->tool->name, count_all( log ), seconds, text,
	         hint );
}

static bv_status close_log( run_log* log, bvb_error* error )
{
	bool bad = log->failed || ferror( log->file );
	int reason = errno;
	if ( log->file != stdout && fclose( log->file ) != 0 && !bad )
	{
		bad = true;
		reason = errno;
	}
	log->file = NULL;
	return !bad          ? bv_ok
	       : log->failed ? bvbase_fail_memory( error )
	                     : bvbase_fail( error, bv_error_output, "%s: cannot be written: %s", log->s->log,
	                                    strerror( reason ) );
}

bv_status end_log( run_log* log, bvb_error* error )
{
	double seconds = bvbase_clock() - log->start;
	if ( count_all( log ) > 1 && !log->s->quiet && !log->s->list_objects )
	{
		print_summary( log, seconds );
	}
	if ( !log->file )
	{
		return bv_ok;
	}
	put_summary( log, seconds );
	return close_log( log, error );
}

int log_code( const run_log* log )
{
	return log->code;
}

void abandon_log( run_log* log )
{
	bvb_error ignored;
	if ( log && log->file )
	{
		close_log( log, &ignored );
	}
}

// Long work that is told of. See progress.h.
//
// Stages do not know of time, and some not even how far they are. So the worker only leaves word of where it
// is, which costs next to nothing, and a thread of our own looks ten times a second.

#include "cli/progress.h"

#include "cli/terminal.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/base/system.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct progress
{
	const char* tool;
	bool at_once;  // also of short work
	bool terminal; // one line, drawn again and again
	int count;     // of inputs
	pthread_t thread;
	pthread_mutex_t lock; // of all below
	pthread_cond_t wake;
	bool ended;
	bool drawn; // something stands on the terminal's line
	const char* input;
	int index;
	double begin;    // of the input
	bvb_stage stage; // bvb_stages: none
	double done;     // of the stage; below 0 where that is not known
	int finished;    // inputs, where several are worked on at a time, else below 0
	int failed;      // of these
	int told;        // tenths of the stage that were told of, where there is no terminal
};

enum
{
	standard_error = 2,
	longest_name = 28,
	bar_width = 20,
};

// What people call the stages.
static const char* const stage_words[bvb_stages] = {
	[bvb_stage_import] = "reading",
	[bvb_stage_record] = "cleaning",
	[bvb_stage_hierarchy] = "building the hierarchy",
	[bvb_stage_topology] = "finding edges",
	[bvb_stage_hull] = "building the hull",
	[bvb_stage_mass] = "computing mass",
	[bvb_stage_fit] = "fitting bounds",
	[bvb_stage_hausdorff] = "measuring errors",
	[bvb_stage_recognize] = "recognizing shapes",
	[bvb_stage_decompose] = "building convex parts",
	[bvb_stage_simplify] = "building the proxy",
	[bvb_stage_write] = "writing",
};

// One write each, past stdio: this thread must never hold a lock that a child of the other one inherits.
static void put( const char* text )
{
	int64_t written = bvbase_file_write( standard_error, text, strlen( text ) );
	(void)written; // there is nobody left to tell
}

static int columns( void )
{
	int known = bvbase_terminal_get_columns( standard_error );
	return known > 0 ? known : terminal_width;
}

static void clear( progress* p )
{
	if ( p->drawn )
	{
		put( "\r\033[K" );
		p->drawn = false;
	}
}

static void draw( progress* p )
{
	char name[4 * longest_name + 1];
	char number[48] = "";
	char bar[64] = "";
	char rest[256];
	char out[512];
	double elapsed = bvbase_clock() - p->begin;
	if ( p->count > 1 )
	{
		snprintf( number, sizeof number, "%d of %d, ", p->index + 1, p->count );
	}
	if ( p->done >= 0 )
	{
		char marks[bar_width + 1];
		int filled = (int)( bar_width * fmin( p->done, 1 ) );
		memset( marks, '-', bar_width );
		memset( marks, '#', (size_t)filled );
		marks[bar_width] = 0;
		snprintf( bar, sizeof bar, " [%s] %d %%", marks, (int)( 100 * fmin( p->done, 1 ) ) );
	}
	snprintf( rest, sizeof rest, ": %s%s, %.0f s", stage_words[p->stage], bar, elapsed );

	// The name gets what is left of the line, and nothing is shown where that is too short for the rest.
	int room = columns() - 1 - text_columns( p->tool ) - 2 - text_columns( number ) - text_columns( rest );
	if ( room < 8 )
	{
		return;
	}
	fit_name( bvbase_path_name( p->input ), room < longest_name ? room : longest_name, name, sizeof name );
	snprintf( out, sizeof out, "\r%s: %s%s%s\033[K", p->tool, number, name, rest );
	put( out );
	p->drawn = true;
}

// Of several inputs at a time no stage is told of.
static void draw_count( progress* p )
{
	char bar[bar_width + 1];
	char failed[48] = "";
	char out[256];
	int filled = (int)( (double)bar_width * p->finished / p->count );
	memset( bar, '-', bar_width );
	memset( bar, '#', (size_t)filled );
	bar[bar_width] = 0;
	if ( p->failed > 0 )
	{
		snprintf( failed, sizeof failed, ", %d failed", p->failed );
	}
	snprintf( out, sizeof out, "\r%s: [%s] %d of %d done%s, %.0f s\033[K", p->tool, bar, p->finished,
	          p->count, failed, bvbase_clock() - p->begin );
	if ( text_columns( out + 1 ) - 3 < columns() )
	{
		put( out );
		p->drawn = true;
	}
}

static void* look( void* context )
{
	progress* p = context;
	pthread_mutex_lock( &p->lock );
	while ( !p->ended )
	{
		if ( p->finished >= 0 && ( p->at_once || bvbase_clock() - p->begin > 0.5 ) )
		{
			draw_count( p );
		}
		else if ( p->stage < bvb_stages && ( p->at_once || bvbase_clock() - p->begin > 0.5 ) )
		{
			draw( p );
		}
		bvbase_condition_wait( &p->wake, &p->lock, 0.1 );
	}
	pthread_mutex_unlock( &p->lock );
	return NULL;
}

// Signals are for the thread that writes files: it knows when not to be ended.
static bool start( progress* p )
{
	pthread_mutex_init( &p->lock, NULL );
	bvbase_condition_begin( &p->wake );
	return !p->terminal || bvbase_thread_start_deaf( &p->thread, look, p );
}

progress* begin_progress( const settings* s, int count )
{
	bool terminal = bvbase_terminal_is( standard_error );
	bool wanted = s->progress == progress_always || ( s->progress == progress_auto && terminal && !s->quiet );
	progress* p = wanted ? calloc( 1, sizeof *p ) : NULL;
	if ( !p )
	{
		return NULL;
	}
	p->tool = s->tool->name;
	p->at_once = s->progress == progress_always;
	p->terminal = terminal;
	p->count = count;
	p->finished = -1;
	p->begin = bvbase_clock();
	p->stage = bvb_stages;
	if ( !start( p ) )
	{
		free( p );
		return NULL;
	}
	return p;
}

void tell_input( progress* p, const char* input, int index )
{
	if ( p )
	{
		pthread_mutex_lock( &p->lock );
		clear( p );
		p->input = input;
		p->index = index;
		p->begin = bvbase_clock();
		p->stage = bvb_stages;
		pthread_mutex_unlock( &p->lock );
	}
}

void tell_count( progress* p, int done, int failed )
{
	if ( !p )
	{
		return;
	}
	pthread_mutex_lock( &p->lock );
	int tenths = 10 * done / p->count;
	if ( !p->terminal && p->finished >= 0 && tenths > 10 * p->finished / p->count )
	{
		fprintf( stderr, "%s: %d of %d done, %d failed\n", p->tool, done, p->count, failed );
	}
	p->finished = done;
	p->failed = failed;
	pthread_mutex_unlock( &p->lock );
}

// Where there is no terminal: a line when a stage begins, and one each tenth.
static void print_line( progress* p )
{
	int tenths = p->done < 0 ? -1 : (int)( 10 * p->done );
	if ( tenths <= p->told && p->told != -2 )
	{
		return;
	}
	bvb_error line; // a file name may hold line breaks and escapes, which a message never does
	char percent[32] = "";
	char number[48] = "";
	if ( tenths > 0 )
	{
		snprintf( percent, sizeof percent, ": %d %%", 10 * tenths );
	}
	if ( p->count > 1 )
	{
		snprintf( number, sizeof number, "%d of %d, ", p->index + 1, p->count );
	}
	bvbase_fail( &line, bv_ok, "%s%s: %s%s", number, p->input, stage_words[p->stage], percent );
	fprintf( stderr, "%s: %s\n", p->tool, line.message );
	p->told = tenths > 0 ? tenths : 0;
}

void tell_stage( void* context, bvb_stage stage, double done )
{
	progress* p = context;
	if ( !p )
	{
		return;
	}
	pthread_mutex_lock( &p->lock );
	if ( p->stage != stage )
	{
		p->told = -2;
	}
	p->stage = stage;
	p->done = done;
	if ( !p->terminal )
	{
		print_line( p );
	}
	pthread_mutex_unlock( &p->lock );
}

void hide_progress( progress* p )
{
	if ( p )
	{
		pthread_mutex_lock( &p->lock );
		clear( p );
		p->stage = bvb_stages;
		pthread_mutex_unlock( &p->lock );
	}
}

void end_progress( progress* p )
{
	if ( !p )
	{
		return;
	}
	pthread_mutex_lock( &p->lock );
	clear( p );
	p->ended = true;
	pthread_cond_signal( &p->wake );
	pthread_mutex_unlock( &p->lock );
	if ( p->terminal )
	{
		pthread_join( p->thread, NULL );
	}
	pthread_cond_destroy( &p->wake );
	pthread_mutex_destroy( &p->lock );
	free( p );
}

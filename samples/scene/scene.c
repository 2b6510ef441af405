// Runs a scene of .bvh files within a budget per frame, and writes an animation and a page that plays it.
//
//     scene SCENE.json -o OUT                        writes OUT.glb and OUT.html
//     scene --crowd COUNT --meshes FOLDER -o FILE    writes a scene of as many objects made of the .bvh files in a folder
//
// README.md describes the members of a scene, and the exit codes.

#include "scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail( int code, const char* format, ... )
{
	va_list list;
	va_start( list, format );
	fputs( "scene: ", stderr );
	vfprintf( stderr, format, list );
	fputc( '\n', stderr );
	va_end( list );
	exit( code );
}

void* allocate( size_t count, size_t size )
{
	void* memory = calloc( count ? count : 1, size );
	if ( !memory )
	{
		fail( exit_memory, "there is not enough memory" );
	}
	return memory;
}

void* append( void* array, uint32_t count, size_t size )
{
	if ( count & ( count - 1 ) )
	{
		return array;
	}
	void* memory = realloc( array, ( count ? 2 * (size_t)count : 1 ) * size );
	if ( !memory )
	{
		fail( exit_memory, "there is not enough memory" );
	}
	return memory;
}

// Sums over all frames.
typedef struct totals
{
	uint32_t with_contacts, undecided, late, late_processor;
	uint64_t contacts, pairs, swept, held, gaps;
	double mean, tests, most_tests, ms, most_ms, most_processor, lower, upper;
} totals;

static void add_frame( totals* t, const scene* s, const frame* f )
{
	t->with_contacts += f->contact_count > 0;
	t->undecided += f->is_undecided;
	t->late += s->budget_ms > 0 && f->ms > 1.01 * s->budget_ms;
	t->late_processor += s->budget_ms > 0 && f->processor_ms > 1.01 * s->budget_ms;
	t->most_processor = fmax( t->most_processor, f->processor_ms );
	t->contacts += f->contact_count;
	t->pairs += f->pair_count;
	t->swept += f->swept;
	t->held += f->held;
	t->mean += f->mean;
	t->tests += (double)f->tests;
	t->most_tests = fmax( t->most_tests, (double)f->tests );
	t->ms += f->ms;
	t->most_ms = fmax( t->most_ms, f->ms );
	for ( uint32_t i = 0; i < f->pair_count; ++i )
	{
		if ( f->pairs[i].state == state_undecided )
		{
			++t->gaps;
			t->lower += f->pairs[i].lower;
			t->upper += f->pairs[i].upper;
		}
	}
}

static void print( const scene* s, const run* r )
{
	totals t = { .gaps = 0 };
	for ( uint32_t i = 0; i < s->frames; ++i )
	{
		add_frame( &t, s, r->frames + i );
	}
	double each = 1.0 / s->frames;
	printf( "%s: %u objects, %u frames at %g per second, budget %g %s per frame\n", s->path, s->object_count,
	        s->frames, s->rate, s->budget_ms > 0 ? s->budget_ms : (double)s->budget_tests,
	        s->budget_ms > 0 ? "ms" : "tests" );
	printf( "frames with contacts     %8u   %llu contacts\n", t.with_contacts,
	        (unsigned long long)t.contacts );
	printf( "frames undecided         %8u   %.1f groups held back per frame\n", t.undecided,
	        each * (double)t.held );
	printf( "way that groups went     %8.1f   percent of what they were to go\n", 100 * each * t.mean );
	printf( "pairs per frame          %8.1f   near each other; %.1f were searched\n", each * (double)t.pairs,
	        each * (double)t.swept );
	printf( "tests per frame          %8.0f   at most %.0f\n", each * t.tests, t.most_tests );
	printf( "milliseconds per frame   %8.2f   at most %.2f, in processor time %.2f\n", each * t.ms, t.most_ms,
	        t.most_processor );
	if ( s->budget_ms > 0 )
	{
		printf( "frames 1 %% over budget   %8u   in processor time %u\n", t.late, t.late_processor );
	}
	if ( t.gaps > 0 )
	{
		printf( "mean gap when undecided  %8.4f   to %.4f, of %llu pairs\n", t.lower / (double)t.gaps,
		        t.upper / (double)t.gaps, (unsigned long long)t.gaps );
	}
}

static void free_all( scene* s, run* r )
{
	for ( uint32_t i = 0; i < s->frames; ++i )
	{
		free( r->frames[i].pairs );
		free( r->frames[i].contacts );
	}
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		free( s->objects[i].name );
		free( s->objects[i].keys );
	}
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		free( s->file_names[i] );
		free( (void*)s->files[i] );
	}
	for ( uint32_t i = 0; i < s->group_count; ++i )
	{
		free( s->groups[i] );
	}
	free( r->frames );
	free( r->places );
	free( s->objects );
	free( s->files );
	free( s->file_names );
	free( s->groups );
}

int main( int count, char** arguments )
{
	if ( count == 4 && !strcmp( arguments[2], "-o" ) && arguments[1][0] != '-' )
	{
		scene s;
		run r;
		scene_read( arguments[1], &s );
		scene_run( &s, &r );
		show( &s, &r, arguments[3] );
		print( &s, &r );
		free_all( &s, &r );
		return 0;
	}
	char* end = NULL;
	unsigned long objects =
		count == 7 && !strcmp( arguments[1], "--crowd" ) ? strtoul( arguments[2], &end, 10 ) : 0;
	if ( objects < 1 || objects > 100000 || *end || strcmp( arguments[3], "--meshes" ) ||
	     strcmp( arguments[5], "-o" ) )
	{
		fprintf( stderr, "usage: scene SCENE.json -o OUT\n"
		                 "       scene --crowd COUNT --meshes FOLDER -o FILE\n" );
		return exit_usage;
	}
	crowd( (uint32_t)objects, arguments[4], arguments[6] );
	return 0;
}

// Local searches from several starts. See multi_start.h.

#include "offline/fit/multi_start.h"

#include <string.h>

static double cost_of( const void* solution )
{
	double cost;
	memcpy( &cost, solution, sizeof cost );
	return cost;
}

// Sorted by insertion, the best first, behind those that are as good.
static void make_starts( const bvfit_multi_start* search, const void* context, char* sorted, void* made )
{
	size_t size = search->size;
	for ( int i = 0; i < search->count; ++i )
	{
		search->start( context, i, made );
		int place = i;
		while ( place > 0 && cost_of( sorted + size * (size_t)( place - 1 ) ) > cost_of( made ) )
		{
			--place;
		}
		char* at = sorted + size * (size_t)place;
		memmove( at + size, at, size * (size_t)( i - place ) );
		memcpy( at, made, size );
	}
}

void bvfit_search_from_starts( const bvfit_multi_start* search, const void* context, void* work, void* best )
{
	size_t size = search->size;
	char* sorted = work;
	char* found = sorted + size * (size_t)search->count;
	make_starts( search, context, sorted, found );
	memcpy( best, sorted, size );
	for ( int i = 0; i < bvfit_best_starts; ++i )
	{
		search->descend( context, sorted + size * (size_t)i, found );
		if ( cost_of( found ) < cost_of( best ) )
		{
			memcpy( best, found, size );
		}
	}

	// A simplex may have shrunk too early: a fresh one goes on.
	search->finish( context, best, found );
	memcpy( best, found, size );
}

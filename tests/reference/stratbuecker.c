// See stratbuecker.h.

#include "tests/reference/stratbuecker.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum
{
	none = -1,
};

static double low_of( const stratbuecker* s, uint32_t i )
{
	return s->at[3 * (size_t)i] - s->radii[i];
}

static double up_of( const stratbuecker* s, uint32_t i )
{
	return s->at[3 * (size_t)i] + s->radii[i];
}

// Sorts `count` numbers; `room` is as long.
static void try_merge_sort( stratbuecker* s, uint32_t* list, uint32_t count, uint32_t* room, uint32_t depth )
{
	s->depth = depth > s->depth ? depth : s->depth;
	bool is_sorted = true;
	for ( uint32_t i = 1; i < count && is_sorted; ++i )
	{
		++s->comparisons;
		is_sorted = low_of( s, list[i - 1] ) <= low_of( s, list[i] );
	}
	if ( is_sorted )
	{
		return;
	}
	uint32_t even = ( count + 1 ) / 2;
	for ( uint32_t i = 0; i < count; ++i )
	{
		room[i % 2 ? even + i / 2 : i / 2] = list[i];
	}
	try_merge_sort( s, room, even, list, depth + 1 );
	try_merge_sort( s, room + even, count - even, list + even, depth + 1 );
	uint32_t a = 0;
	uint32_t b = even;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool has_both = a < even && b < count;
		s->comparisons += has_both;
		bool takes_a = has_both ? low_of( s, room[a] ) <= low_of( s, room[b] ) : a < even;
		list[i] = room[takes_a ? a++ : b++];
	}
}

void stratbuecker_sort( stratbuecker* s )
{
	uint32_t* room = malloc( ( (size_t)s->count + 1 ) * sizeof *room );
	s->depth = 0;
	try_merge_sort( s, s->order, s->count, room, 1 );
	free( room );
}

// The grid, over all centers.
typedef struct printed_grid
{
	double lower[2];
	int64_t cells[2];
	int64_t* head; // of each cell
} printed_grid;

static int64_t cell_along( const stratbuecker* s, const printed_grid* g, int axis, double x )
{
	int64_t cell = (int64_t)floor( ( x - g->lower[axis] ) / s->cell );
	return cell < 0 ? 0 : cell >= g->cells[axis] ? g->cells[axis] - 1 : cell;
}

static printed_grid grid_of( const stratbuecker* s, double shift )
{
	printed_grid g;
	for ( int k = 0; k < 2; ++k )
	{
		double lower = INFINITY, upper = -INFINITY;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			double x = s->at[3 * (size_t)i + 1 + (size_t)k];
			lower = x < lower ? x : lower;
			upper = x > upper ? x : upper;
		}
		// A cell more on either side, which discs may reach.
		g.lower[k] = lower - s->cell - shift;
		g.cells[k] = (int64_t)( ( upper - g.lower[k] ) / s->cell ) + 2;
	}
	size_t cells = (size_t)( g.cells[0] * g.cells[1] );
	g.head = malloc( cells * sizeof *g.head );
	for ( size_t i = 0; i < cells; ++i )
	{
		g.head[i] = none;
	}
	return g;
}

// Those behind a particle in a list, up to the first that begins behind its end.
static void look_along( stratbuecker* s, const int64_t* next, uint32_t k, int64_t first )
{
	for ( int64_t l = first; l != none; l = next[l] )
	{
		uint32_t other = (uint32_t)l;
		++s->comparisons;
		if ( !( up_of( s, k ) > low_of( s, other ) ) )
		{
			return;
		}
		++s->comparisons;
		++s->tests;
		const double* p = s->at + 3 * (size_t)k;
		const double* q = s->at + 3 * (size_t)other;
		double square = ( p[0] - q[0] ) * ( p[0] - q[0] ) + ( p[1] - q[1] ) * ( p[1] - q[1] ) +
		                ( p[2] - q[2] ) * ( p[2] - q[2] );
		double reach = s->radii[k] + s->radii[other];
		if ( square < reach * reach )
		{
			uint32_t a = k < other ? k : other;
			if ( s->found < s->most )
			{
				s->pairs[s->found] = (uint64_t)a << 32 | ( k + other - a );
			}
			++s->found;
		}
	}
}

void stratbuecker_pass( stratbuecker* s, double shift )
{
	if ( s->count == 0 )
	{
		return;
	}
	printed_grid g = grid_of( s, shift );
	int64_t* next = malloc( s->count * sizeof *next );
	// From the last particle to the first, so that what is in the lists comes later; section 4.2.
	for ( uint32_t r = s->count; r > 0; --r )
	{
		uint32_t k = s->order[r - 1];
		double y = s->at[3 * (size_t)k + 1];
		double z = s->at[3 * (size_t)k + 2];
		double radius = s->radii[k];
		int64_t own = cell_along( s, &g, 0, y ) * g.cells[1] + cell_along( s, &g, 1, z );
		next[k] = g.head[own];
		g.head[own] = k;
		look_along( s, next, k, next[k] );
		for ( int64_t u = cell_along( s, &g, 0, y - radius ); u <= cell_along( s, &g, 0, y + radius ); ++u )
		{
			for ( int64_t v = cell_along( s, &g, 1, z - radius ); v <= cell_along( s, &g, 1, z + radius );
			      ++v )
			{
				int64_t cell = u * g.cells[1] + v;
				if ( cell != own )
				{
					look_along( s, next, k, g.head[cell] );
				}
			}
		}
	}
	free( next );
	free( g.head );
}

// Groups of patches made better, in the manner of R. Wang and others, "Variational sphere set approximation for solid objects", The
// Visual Computer 22, 2006: in turn each patch goes to the sphere that must protrude least to hold it, and each sphere is fitted
// anew to its patches. Where that comes to rest, two groups are merged that can be at small cost, and one that protrudes much is
// divided ("teleportation" there, after D. Cohen-Steiner, P. Alliez, M. Desbrun, "Variational shape approximation", 2004). That is kept
// where, after some turns, the sum of the fourth powers of how far the spheres protrude is less than before: it goes by the greatest
// mostly, and by all.

#include "spheres/regroup.h"

#include "base/core/vec.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	first_turns = 12,
	turns = 4,    // after groups were merged and divided
	worst = 8,    // groups that are tried for division
	cheapest = 8, // pairs that are tried for merging
	most_trials = 200,
};

// A sum must be less by this part of it.
static const double least_gain = 1e-6;

typedef struct division
{
	uint32_t* group;    // of each patch
	bvb_patch* sphere;  // of each group
	uint32_t* division; // of each group
	uint32_t* size;     // patches of each group; 0: there is no sphere
	bool* stale;        // of each group: whether it is to be fitted
	double cost;
} division;

typedef struct pair
{
	uint32_t a;
	uint32_t b;
	double cost;
} pair;

static double cost_of( double error )
{
	double square = error > 0 ? error * error : 0;
	return square * square;
}

static uint32_t division_of( const bvb_groups* g, uint32_t patch )
{
	return g->division ? g->division[patch] : 0;
}

static void fit_group( const bvb_groups* g, bvb_depth_probe* probe, division* d, uint32_t group )
{
	static const bv_vec3 no_normal;
	bv_vec3 start = d->sphere[group].center;
	bvb_patch sum;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		if ( d->group[i] == group && count++ == 0 )
		{
			sum = *g->patch[i];
			d->division[group] = division_of( g, i );
		}
		else if ( d->group[i] == group )
		{
			bvb_patch_append( g->surface, &sum, g->patch[i] );
		}
	}
	d->size[group] = count;
	if ( count > 0 )
	{
		bvb_patch_enclose( g->surface, probe, &sum, &start, 1, no_normal );
		d->sphere[group] = sum;
	}
}

static void fit_stale( const bvb_groups* g, division* d )
{
	int64_t count = g->group_count;
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( g->team ) if ( g->team > 1 )
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( d->stale[i] )
		{
			fit_group( g, g->probes + omp_get_thread_num(), d, (uint32_t)i );
		}
		d->stale[i] = false;
	}
	d->cost = 0;
	for ( uint32_t i = 0; i < g->group_count; ++i )
	{
		d->cost += d->size[i] > 0 ? cost_of( bvb_patch_error( d->sphere + i ) ) : 0;
	}
}

static uint32_t best_group( const bvb_groups* g, const division* d, uint32_t patch )
{
	uint32_t best = d->group[patch];
	const bvb_patch* p = g->patch[patch];
	uint32_t own = division_of( g, patch );
	double least = bvb_patch_need( g->surface, p, d->sphere[best].center, d->sphere[best].depth, INFINITY );
	for ( uint32_t k = 0; k < g->group_count; ++k )
	{
		if ( d->size[k] > 0 && d->division[k] == own )
		{
			double need = bvb_patch_need( g->surface, p, d->sphere[k].center, d->sphere[k].depth, least );
			best = need < least ? k : best;
			least = bv_min( least, need );
		}
	}
	return best;
}

static void take_turns( const bvb_groups* g, division* d, int count )
{
	bool moved = true;
	for ( int turn = 0; turn < count && moved; ++turn )
	{
		moved = false;
		for ( uint32_t i = 0; i < g->patch_count; ++i )
		{
			uint32_t from = d->group[i];
			uint32_t to = best_group( g, d, i );
			d->stale[from] = d->stale[from] || to != from;
			d->stale[to] = d->stale[to] || to != from;
			moved = moved || to != from;
			d->group[i] = to;
		}
		fit_stale( g, d );
	}
}

static double square_between( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

static uint32_t farthest_of_group( const bvb_groups* g, const division* d, uint32_t group, bv_vec3 from )
{
	uint32_t farthest = UINT32_MAX;
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		if ( d->group[i] == group &&
		     ( farthest == UINT32_MAX || square_between( from, g->patch[i]->center ) >
		                                     square_between( from, g->patch[farthest]->center ) ) )
		{
			farthest = i;
		}
	}
	return farthest;
}

// Half of a group becomes another, that is empty.
static void divide( const bvb_groups* g, division* d, uint32_t group, uint32_t empty )
{
	uint32_t one = farthest_of_group( g, d, group, d->sphere[group].center );
	uint32_t other = farthest_of_group( g, d, group, g->patch[one]->center );
	d->sphere[empty].center = g->patch[other]->center;
	d->sphere[group].center = g->patch[one]->center;
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		bool over =
			d->group[i] == group && square_between( g->patch[i]->center, d->sphere[empty].center ) <
										square_between( g->patch[i]->center, d->sphere[group].center );
		d->group[i] = over ? empty : d->group[i];
	}
	d->stale[group] = d->stale[empty] = true;
}

static void merge( const bvb_groups* g, division* d, const pair* p )
{
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		d->group[i] = d->group[i] == p->b ? p->a : d->group[i];
	}
	d->stale[p->a] = d->stale[p->b] = true;
}

// The groups that protrude most, the farthest first.
static uint32_t find_worst( const bvb_groups* g, const division* d, uint32_t out[worst] )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < g->group_count; ++i )
	{
		uint32_t at = count;
		for ( ; d->size[i] > 1 && at > 0 &&
		        bvb_patch_error( d->sphere + out[at - 1] ) < bvb_patch_error( d->sphere + i );
		      --at )
		{
			if ( at < worst )
			{
				out[at] = out[at - 1];
			}
		}
		if ( d->size[i] > 1 && at < worst )
		{
			out[at] = i;
			count += count < worst;
		}
	}
	return count;
}

// The pairs of groups, without one, that are merged at least cost. Where a group is empty it alone.
static uint32_t find_cheapest( const bvb_groups* g, const division* d, uint32_t without, pair out[cheapest] )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < g->group_count; ++a )
	{
		if ( d->size[a] == 0 )
		{
			out[0] = ( pair ){ a, a, 0 };
			return 1;
		}
		for ( uint32_t b = a + 1; b < g->group_count && a != without; ++b )
		{
			if ( b == without || d->size[b] == 0 || d->division[a] != d->division[b] )
			{
				continue;
			}
			double error = bvb_patch_cost( g->surface, g->probes, d->sphere + a, d->sphere + b, INFINITY );
			double cost = cost_of( error ) - cost_of( bvb_patch_error( d->sphere + a ) ) -
			              cost_of( bvb_patch_error( d->sphere + b ) );
			uint32_t at = count;
			for ( ; at > 0 && out[at - 1].cost > cost; --at )
			{
				if ( at < cheapest )
				{
					out[at] = out[at - 1];
				}
			}
			if ( at < cheapest )
			{
				out[at] = ( pair ){ a, b, cost };
				count += count < cheapest;
			}
		}
	}
	return count;
}

static bool make_division( const bvb_groups* g, bvb_arena* arena, division* d )
{
	*d = ( division ){
		.group = bvb_arena_allocate( arena, g->patch_count, sizeof *d->group ),
		.sphere = bvb_arena_allocate( arena, g->group_count, sizeof *d->sphere ),
		.division = bvb_arena_allocate( arena, g->group_count, sizeof *d->division ),
		.size = bvb_arena_allocate( arena, g->group_count, sizeof *d->size ),
		.stale = bvb_arena_allocate( arena, g->group_count, sizeof *d->stale ),
	};
	return d->group && d->sphere && d->division && d->size && d->stale;
}

static void copy( const bvb_groups* g, const division* from, division* to )
{
	memcpy( to->group, from->group, g->patch_count * sizeof *to->group );
	memcpy( to->sphere, from->sphere, g->group_count * sizeof *to->sphere );
	memcpy( to->division, from->division, g->group_count * sizeof *to->division );
	memcpy( to->size, from->size, g->group_count * sizeof *to->size );
	memcpy( to->stale, from->stale, g->group_count * sizeof *to->stale );
	to->cost = from->cost;
}

static bool keep_if_better( division* best, division* trial )
{
	bool better = trial->cost < best->cost * ( 1 - least_gain );
	if ( better )
	{
		division other = *best;
		*best = *trial;
		*trial = other;
	}
	return better;
}

// @return whether it became better
static bool try_pairs( const bvb_groups* g, uint32_t group, division* best, division* trial, int* trials )
{
	pair pairs[cheapest];
	uint32_t count = find_cheapest( g, best, group, pairs );
	for ( uint32_t k = 0; k<count&& * trials> 0; ++k, --*trials )
	{
		copy( g, best, trial );
		merge( g, trial, pairs + k );
		divide( g, trial, group, pairs[k].b );
		fit_stale( g, trial );
		take_turns( g, trial, turns );
		if ( keep_if_better( best, trial ) )
		{
			return true;
		}
	}
	return false;
}

bool bvb_regroup( bvb_groups* groups, bvb_arena* arena )
{
	const bvb_groups* g = groups;
	division best;
	division trial;
	if ( !make_division( g, arena, &best ) || !make_division( g, arena, &trial ) )
	{
		return false;
	}
	memcpy( best.group, g->group, g->patch_count * sizeof *g->group );
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		best.sphere[best.group[i]].center = g->patch[i]->center;
		best.stale[best.group[i]] = true;
	}
	fit_stale( g, &best );
	copy( g, &best, &trial );
	take_turns( g, &trial, first_turns );
	keep_if_better( &best, &trial );
	int trials = most_trials;
	for ( bool better = true; better && trials > 0; )
	{
		uint32_t groups_to_try[worst];
		uint32_t count = find_worst( g, &best, groups_to_try );
		better = false;
		for ( uint32_t k = 0; k < count && !better; ++k )
		{
			better = try_pairs( g, groups_to_try[k], &best, &trial, &trials );
		}
	}
	memcpy( groups->group, best.group, g->patch_count * sizeof *g->group );
	return true;
}

typedef struct matching
{
	double cost[bvb_most_matched][bvb_most_matched]; // of pairs, and of single ones
	uint32_t count;
	uint32_t partner[bvb_most_matched];
	uint32_t best[bvb_most_matched];
	double least;
} matching;

static void match_rest( matching* m, uint32_t matched, bool single, double cost )
{
	uint32_t first = 0;
	while ( first < m->count && matched >> first & 1 )
	{
		++first;
	}
	if ( cost >= m->least )
	{
		return;
	}
	if ( first == m->count )
	{
		m->least = cost;
		memcpy( m->best, m->partner, sizeof m->best );
		return;
	}
	for ( uint32_t k = first + !single; k < m->count; ++k )
	{
		if ( !( matched >> k & 1 ) )
		{
			m->partner[first] = k;
			m->partner[k] = first;
			match_rest( m, matched | 1u << first | 1u << k, single && k != first, cost + m->cost[first][k] );
		}
	}
}

void bvb_match( const bvb_surface* surface, bvb_depth_probe* probe, const bvb_patch* const* patch,
                uint32_t count, uint32_t* partner )
{
	matching m = { .count = count, .least = INFINITY };
	for ( uint32_t a = 0; a < count; ++a )
	{
		m.best[a] = a;
		m.cost[a][a] = cost_of( bvb_patch_error( patch[a] ) );
		for ( uint32_t b = a + 1; b < count; ++b )
		{
			m.cost[a][b] = cost_of( bvb_patch_cost( surface, probe, patch[a], patch[b], INFINITY ) );
		}
	}
	match_rest( &m, 0, count % 2 == 1, 0 );
	memcpy( partner, m.best, count * sizeof *partner );
}

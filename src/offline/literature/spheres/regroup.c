// Groups of patches made better, in the manner of R. Wang and others, "Variational sphere set approximation
// for solid objects", The Visual Computer 22, 2006: in turn each patch goes to the sphere that must protrude
// least to hold it, and each sphere is fitted anew to its patches. Where that comes to rest, two groups are
// merged that can be at small cost, and one that protrudes much is divided ("teleportation" there, after D.
// Cohen-Steiner, P. Alliez, M. Desbrun, "Variational shape approximation", 2004). Some pairs are tried side
// by side, and the best is kept where, after some turns, the sum of the fourth powers of how far the spheres
// protrude is less than before: it goes by the greatest mostly, and by all.

#include "offline/literature/spheres/regroup.h"

#include "runtime/math/vec.h"

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

// What one thread works with.
typedef struct regroup_worker
{
	const bvlit_groups* groups;
	bvlit_leaf_surface surface; // with links of its own
	bvlit_known_sides* sides;
} regroup_worker;

typedef struct regroup_division
{
	uint32_t* group;     // of each patch
	bvlit_patch* sphere; // of each group
	uint32_t* division;  // of each group
	uint32_t* size;      // patches of each group; 0: there is no sphere
	bool* stale;         // of each group: whether it is to be fitted
	bool* fresh;         // of each group: whether it was fitted after patches last chose
	double cost;
} regroup_division;

typedef struct regroup_pair
{
	uint32_t a;
	uint32_t b;
	double cost;
} regroup_pair;

static double cost_of( double error )
{
	double square = error > 0 ? error * error : 0;
	return square * square;
}

static uint32_t division_of( const bvlit_groups* g, uint32_t patch )
{
	return g->division ? g->division[patch] : 0;
}

static void fit_group( const regroup_worker* w, regroup_division* d, uint32_t group )
{
	const bvlit_groups* g = w->groups;
	static const bv_vec3 no_normal;
	bv_vec3 start = d->sphere[group].center;
	bvlit_patch sum;
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
			bvlit_patch_append( &w->surface, &sum, g->patch[i] );
		}
	}
	d->size[group] = count;
	d->stale[group] = false;
	d->fresh[group] = true;
	if ( count > 0 )
	{
		bvlit_patch_enclose( &w->surface, w->sides, &sum, &start, 1, no_normal );
		d->sphere[group] = sum;
	}
}

// @param team  how many workers there are
static void fit_stale( const regroup_worker* workers, int team, regroup_division* d )
{
	const bvlit_groups* g = workers->groups;
	int64_t count = g->group_count;
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( team ) if ( team > 1 )
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( d->stale[i] )
		{
			fit_group( workers + omp_get_thread_num(), d, (uint32_t)i );
		}
	}
	d->cost = 0;
	for ( uint32_t i = 0; i < g->group_count; ++i )
	{
		d->cost += d->size[i] > 0 ? cost_of( bvlit_patch_error( d->sphere + i ) ) : 0;
	}
}

// A patch is in the best group of those that were not fitted since it chose, unless its own was.
static uint32_t best_group( const bvlit_groups* g, const regroup_division* d, uint32_t patch )
{
	uint32_t best = d->group[patch];
	const bvlit_patch* p = g->patch[patch];
	uint32_t own = division_of( g, patch );
	bool all = d->fresh[best];
	double least = bvlit_patch_need( g->surface, p, d->sphere[best].center, d->sphere[best].depth, INFINITY );
	for ( uint32_t k = 0; k < g->group_count; ++k )
	{
		if ( ( all || d->fresh[k] ) && d->size[k] > 0 && d->division[k] == own )
		{
			double need = bvlit_patch_need( g->surface, p, d->sphere[k].center, d->sphere[k].depth, least );
			best = need < least ? k : best;
			least = bvmath_min( least, need );
		}
	}
	return best;
}

// @param team  how many workers there are
static void take_turns( const regroup_worker* workers, int team, regroup_division* d, int count )
{
	const bvlit_groups* g = workers->groups;
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
		memset( d->fresh, 0, g->group_count * sizeof *d->fresh );
		fit_stale( workers, team, d );
	}
}

static double square_between( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

static uint32_t farthest_of_group( const bvlit_groups* g, const regroup_division* d, uint32_t group,
                                   bv_vec3 from )
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
static void divide( const bvlit_groups* g, regroup_division* d, uint32_t group, uint32_t empty )
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

static void merge( const bvlit_groups* g, regroup_division* d, const regroup_pair* p )
{
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		d->group[i] = d->group[i] == p->b ? p->a : d->group[i];
	}
	d->stale[p->a] = d->stale[p->b] = true;
}

// The groups that protrude most, the farthest first.
static uint32_t find_worst( const bvlit_groups* g, const regroup_division* d, uint32_t out[worst] )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < g->group_count; ++i )
	{
		uint32_t at = count;
		for ( ; d->size[i] > 1 && at > 0 &&
		        bvlit_patch_error( d->sphere + out[at - 1] ) < bvlit_patch_error( d->sphere + i );
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
static uint32_t find_cheapest( const bvlit_groups* g, const regroup_division* d, uint32_t without,
                               regroup_pair out[cheapest] )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < g->group_count; ++a )
	{
		if ( d->size[a] == 0 )
		{
			out[0] = ( regroup_pair ){ a, a, 0 };
			return 1;
		}
		for ( uint32_t b = a + 1; b < g->group_count && a != without; ++b )
		{
			if ( b == without || d->size[b] == 0 || d->division[a] != d->division[b] )
			{
				continue;
			}
			double now =
				cost_of( bvlit_patch_error( d->sphere + a ) ) + cost_of( bvlit_patch_error( d->sphere + b ) );
			double most =
				count < cheapest ? INFINITY : sqrt( sqrt( bvmath_max( out[count - 1].cost + now, 0 ) ) );
			double error = bvlit_patch_cost( g->surface, g->sides, d->sphere + a, d->sphere + b, most );
			double cost = cost_of( error ) - now;
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
				out[at] = ( regroup_pair ){ a, b, cost };
				count += count < cheapest;
			}
		}
	}
	return count;
}

static bool make_division( const bvlit_groups* g, bvb_arena* arena, regroup_division* d )
{
	*d = ( regroup_division ){
		.group = bvb_arena_allocate( arena, g->patch_count, sizeof *d->group ),
		.sphere = bvb_arena_allocate( arena, g->group_count, sizeof *d->sphere ),
		.division = bvb_arena_allocate( arena, g->group_count, sizeof *d->division ),
		.size = bvb_arena_allocate( arena, g->group_count, sizeof *d->size ),
		.stale = bvb_arena_allocate( arena, g->group_count, sizeof *d->stale ),
		.fresh = bvb_arena_allocate( arena, g->group_count, sizeof *d->fresh ),
	};
	return d->group && d->sphere && d->division && d->size && d->stale && d->fresh;
}

static void copy( const bvlit_groups* g, const regroup_division* from, regroup_division* to )
{
	memcpy( to->group, from->group, g->patch_count * sizeof *to->group );
	memcpy( to->sphere, from->sphere, g->group_count * sizeof *to->sphere );
	memcpy( to->division, from->division, g->group_count * sizeof *to->division );
	memcpy( to->size, from->size, g->group_count * sizeof *to->size );
	memcpy( to->stale, from->stale, g->group_count * sizeof *to->stale );
	memcpy( to->fresh, from->fresh, g->group_count * sizeof *to->fresh );
	to->cost = from->cost;
}

static bool keep_if_better( regroup_division* best, regroup_division* trial )
{
	bool better = trial->cost < best->cost * ( 1 - least_gain );
	if ( better )
	{
		regroup_division other = *best;
		*best = *trial;
		*trial = other;
	}
	return better;
}

// Tries all pairs side by side.
// @return whether the best of them is better
static bool try_pairs( const regroup_worker* workers, uint32_t group, regroup_division* best,
                       regroup_division trial[cheapest], int* trials )
{
	const bvlit_groups* g = workers->groups;
	regroup_pair pairs[cheapest];
	int count = (int)find_cheapest( g, best, group, pairs );
	count = count < *trials ? count : *trials;
	*trials -= count;
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( g->team ) if ( g->team > 1 )
	for ( int i = 0; i < count; ++i )
	{
		const regroup_worker* own = workers + omp_get_thread_num();
		copy( g, best, trial + i );
		merge( g, trial + i, pairs + i );
		divide( g, trial + i, group, pairs[i].b );
		fit_stale( own, 1, trial + i );
		take_turns( own, 1, trial + i, turns );
	}
	bool better = false;
	for ( int i = 0; i < count; ++i )
	{
		better = keep_if_better( best, trial + i ) || better;
	}
	return better;
}

static regroup_worker* make_workers( const bvlit_groups* g, bvb_arena* arena )
{
	regroup_worker* workers = bvb_arena_allocate( arena, (size_t)g->team, sizeof *workers );
	for ( int i = 0; workers && i < g->team; ++i )
	{
		regroup_worker* w = workers + i;
		*w = ( regroup_worker ){ g, *g->surface, g->sides + i };
		w->surface.next = bvb_arena_allocate( arena, g->surface->leaf_count, sizeof *w->surface.next );
		if ( !w->surface.next )
		{
			return NULL;
		}
		memcpy( w->surface.next, g->surface->next, g->surface->leaf_count * sizeof *w->surface.next );
	}
	return workers;
}

bool bvlit_regroup( bvlit_groups* groups, bvb_arena* arena )
{
	const bvlit_groups* g = groups;
	const regroup_worker* workers = make_workers( g, arena );
	regroup_division best;
	regroup_division trial[cheapest];
	bool good = workers && make_division( g, arena, &best );
	for ( int i = 0; i < cheapest; ++i )
	{
		good = good && make_division( g, arena, trial + i );
	}
	if ( !good )
	{
		return false;
	}
	memcpy( best.group, g->group, g->patch_count * sizeof *g->group );
	for ( uint32_t i = 0; i < g->patch_count; ++i )
	{
		best.sphere[best.group[i]].center = g->patch[i]->center;
		best.stale[best.group[i]] = true;
	}
	fit_stale( workers, g->team, &best );
	copy( g, &best, trial );
	take_turns( workers, g->team, trial, first_turns );
	keep_if_better( &best, trial );
	int trials = most_trials;
	for ( bool better = true; better && trials > 0; )
	{
		uint32_t groups_to_try[worst];
		uint32_t count = find_worst( g, &best, groups_to_try );
		better = false;
		for ( uint32_t k = 0; k < count && !better; ++k )
		{
			better = try_pairs( workers, groups_to_try[k], &best, trial, &trials );
		}
	}
	memcpy( groups->group, best.group, g->patch_count * sizeof *g->group );
	return true;
}

typedef struct matching
{
	double cost[bvlit_most_matched][bvlit_most_matched]; // of pairs, and of single ones
	uint32_t count;
	uint32_t partner[bvlit_most_matched];
	uint32_t best[bvlit_most_matched];
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

void bvlit_match( const bvlit_leaf_surface* surface, bvlit_known_sides* sides,
                  const bvlit_patch* const* patch, uint32_t count, uint32_t* partner )
{
	matching m = { .count = count, .least = INFINITY };
	for ( uint32_t a = 0; a < count; ++a )
	{
		m.best[a] = a;
		m.cost[a][a] = cost_of( bvlit_patch_error( patch[a] ) );
		for ( uint32_t b = a + 1; b < count; ++b )
		{
			m.cost[a][b] = cost_of( bvlit_patch_cost( surface, sides, patch[a], patch[b], INFINITY ) );
		}
	}
	match_rest( &m, 0, count % 2 == 1, 0 );
	memcpy( partner, m.best, count * sizeof *partner );
}

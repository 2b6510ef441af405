// The search: cut top-down, merge bottom-up, then improve by cutting pairs of neighbors anew, and by cutting
// the worst parts and merging the cheapest ones again.

#include "offline/decompose/search.h"

#include "offline/base/arena.h"
#include "offline/decompose/cap.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	most_looked_into = 8,
	few_parts = 24,
};

// Parts whose boxes are farther apart are not worth merging.
static const double near = 0.005;

// Nothing is gained by less.
static const double least_gain = 1e-11;

// While parts are cut, volume has a price that leads the search where a single cut closes no gap: through
// rings, and along what is hollow. Later it only tells between equals. By experiment.
static const double price_of_cutting = 0.1;
static const double price_of_merging = 0.002;

// Of the time of the search, before the whole mesh takes the place of its sketch.
static const double share_before_mesh = 0.95;

// The divisions as they were, to go back to.
typedef struct snapshot
{
	bvdecomp_cut_node* nodes;
	bvdecomp_leaf* leaves;
	bvdecomp_search_part* parts;
	uint32_t node_count;
	uint32_t leaf_count;
	uint32_t part_count;
	uint32_t live;
} snapshot;

static void* copy_of( bvb_arena* arena, const void* array, uint32_t count, size_t size )
{
	void* copy = bvb_arena_allocate( arena, count, size );
	return copy ? memcpy( copy, array, count * size ) : NULL;
}

static bool keep( const bvdecomp_search* s, bvb_arena* arena, snapshot* out )
{
	*out = ( snapshot ){
		.nodes = copy_of( arena, s->nodes, s->node_count, sizeof *s->nodes ),
		.leaves = copy_of( arena, s->leaves, s->leaf_count, sizeof *s->leaves ),
		.parts = copy_of( arena, s->parts, s->part_count, sizeof *s->parts ),
		.node_count = s->node_count,
		.leaf_count = s->leaf_count,
		.part_count = s->part_count,
		.live = s->live,
	};
	return out->nodes && out->leaves && out->parts;
}

static void go_back( bvdecomp_search* s, const snapshot* from )
{
	memcpy( s->nodes, from->nodes, from->node_count * sizeof *s->nodes );
	memcpy( s->leaves, from->leaves, from->leaf_count * sizeof *s->leaves );
	memcpy( s->parts, from->parts, from->part_count * sizeof *s->parts );
	s->node_count = from->node_count;
	s->leaf_count = from->leaf_count;
	s->part_count = from->part_count;
	s->live = from->live;
}

// Tells how far the search is, and looks at the clock. Of a search that is to end `stopped` becomes true.
// @param done  0 .. 1
static bool goes_on( bvdecomp_search* s, double done )
{
	s->done = bvmath_max( s->done, done );
	s->stopped = s->stopped || !bvdecomp_schedule_search( s->schedule, s->done );
	return !s->stopped;
}

static bool is_part( const bvdecomp_search* s, uint32_t part )
{
	return s->parts[part].leaf != BVDECOMP_NONE;
}

static double total( const bvdecomp_search* s )
{
	double sum = 0;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		sum += is_part( s, i ) ? bvdecomp_cost_total( s, &s->parts[i].cost ) : 0;
	}
	return sum;
}

static double total_gap( const bvdecomp_search* s )
{
	double sum = 0;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		sum += is_part( s, i ) ? s->parts[i].cost.gap : 0;
	}
	return sum;
}

// A part that is near enough everywhere, or is next to convex.
static bool is_done( const bvdecomp_search* s, const bvdecomp_search_part* p )
{
	return p->cost.gap < least_gain || p->cost.farthest <= s->aim || p->certified <= s->tolerance;
}

static uint32_t worst_part( const bvdecomp_search* s )
{
	uint32_t worst = BVDECOMP_NONE;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		const bvdecomp_search_part* p = s->parts + i;
		if ( is_part( s, i ) && !p->final && !is_done( s, p ) &&
		     ( worst == BVDECOMP_NONE || p->cost.gap > s->parts[worst].cost.gap ) )
		{
			worst = i;
		}
	}
	return worst;
}

// What the best cuts of both halves would leave of a part that was cut.
static bv_status look_into( bvdecomp_search* s, uint32_t part, bvdecomp_candidate* c )
{
	bvb_arena* before = s->arena;
	bvb_arena* scratch = bvbase_arena_create_scratch( before );
	snapshot kept;
	if ( !scratch || !keep( s, scratch, &kept ) )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	s->arena = scratch;
	bool done = false;
	bv_status status = bvdecomp_cut_part( s, part, &c->plane, &done );
	double sum = 0;
	for ( int k = 0; k < 2 && status == bv_ok && done; ++k )
	{
		uint32_t half = k == 0 ? part : s->part_count - 1;
		bvdecomp_candidate best;
		uint32_t count;
		status = bvdecomp_find_cuts( s, half, &s->effort->ahead, INFINITY, 1, &best, &count );
		double uncut = bvdecomp_cost_total( s, &s->parts[half].cost );
		sum += status == bv_ok && count > 0 ? bvmath_min( best.total, uncut ) : uncut;
	}
	c->total = done ? sum : INFINITY;
	go_back( s, &kept );
	s->arena = before;
	bvb_arena_destroy( scratch );
	return status;
}

// The best plane, or the one that makes the next cuts best where no single one closes much of the gap. Where
// these gain nothing either, as through several rings, the halves are to be small.
static bv_status choose_cut( bvdecomp_search* s, uint32_t part, bvdecomp_candidate* out )
{
	static const double much = 0.4;
	static const double little = 0.03;
	bvdecomp_candidate best[most_looked_into];
	uint32_t count;
	uint32_t wanted = s->effort->looked_into > 0 ? most_looked_into : 1;
	bv_status status = bvdecomp_find_cuts( s, part, &s->effort->cut, INFINITY, wanted, best, &count );
	*out = count > 0 ? best[0] : ( bvdecomp_candidate ){ .total = INFINITY };
	double left = out->cost[0].gap + out->cost[1].gap;
	if ( status != bv_ok || count < 2 || left < ( 1 - much ) * s->parts[part].cost.gap )
	{
		return status;
	}
	uint32_t even = 0;
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		even = bvdecomp_larger_half( s, best + i ) < bvdecomp_larger_half( s, best + even ) ? i : even;
		if ( i < s->effort->looked_into )
		{
			status = look_into( s, part, best + i );
			*out = i == 0 || best[i].total < out->total ? best[i] : *out;
		}
	}
	double uncut = bvdecomp_cost_total( s, &s->parts[part].cost );
	*out = out->total > ( 1 - little ) * uncut ? best[even] : *out;
	return status;
}

// Cuts a part by the best plane that is found.
// @param cut  receives whether there was one
// @return bv_ok; bv_error_memory
static bv_status cut_further( bvdecomp_search* s, uint32_t part, bool* cut )
{
	bvdecomp_candidate best;
	*cut = false;
	bv_status status = choose_cut( s, part, &best );
	return status == bv_ok && best.total < INFINITY ? bvdecomp_cut_part( s, part, &best.plane, cut ) : status;
}

// How many more cuts there may be, if halves of a part stand off half as far.
static double count_missing( const bvdecomp_search* s )
{
	double missing = 0;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		const bvdecomp_search_part* p = s->parts + i;
		if ( is_part( s, i ) && !p->final && !is_done( s, p ) )
		{
			missing += bvmath_max( p->cost.farthest / s->aim - 1, 1 );
		}
	}
	return missing;
}

// How much of the time of cutting has passed. Each time that all parts of the whole are halved takes as long. Of the
// whole more cuts are missing than its stand-off says, unless gaps close quickly; by experiment.
// @param gap  total_gap before the first cut
static double share_of_cuts( const bvdecomp_search* s, uint32_t first, uint32_t wanted, double gap )
{
	double cuts = s->live - first;
	double missing = count_missing( s );
	missing *= first == 1 ? sqrt( s->live * total_gap( s ) / bvmath_max( gap, least_gain ) ) : 1;
	double all = cuts + bvmath_min( missing, wanted - s->live ) + 0.5;
	return first == 1 ? log( 1 + cuts ) / log( 1 + all ) : cuts / all;
}

static bv_status cut_down( bvdecomp_search* s, uint32_t wanted, double done, double share )
{
	bv_status status = bv_ok;
	uint32_t first = s->live;
	double gap = total_gap( s );
	while ( s->live < wanted && status == bv_ok &&
	        goes_on( s, done + share * share_of_cuts( s, first, wanted, gap ) ) )
	{
		uint32_t part = worst_part( s );
		if ( part == BVDECOMP_NONE )
		{
			break;
		}
		bool cut;
		status = cut_further( s, part, &cut );
		s->parts[part].final = s->parts[part].final || !cut;
	}
	return status;
}

// Two parts and what merging them costs.
typedef struct search_pair
{
	uint32_t a;
	uint32_t b;
	double rise; // NaN while it is not known
	double farthest;
	bool is_new; // weighed for the first time
	bvdecomp_cost cost;
} search_pair;

static double box_gap( const bvdecomp_search_part* a, const bvdecomp_search_part* b )
{
	double x = bvmath_max( a->low.x - b->high.x, b->low.x - a->high.x );
	double y = bvmath_max( a->low.y - b->high.y, b->low.y - a->high.y );
	double z = bvmath_max( a->low.z - b->high.z, b->low.z - a->high.z );
	return bvmath_max( x, bvmath_max( y, z ) );
}

// Whether merging may be forbidden by the number of corners.
static bool keeps_to_cap( const bvdecomp_search* s )
{
	return s->keeps_to_cap && s->live <= s->max_parts;
}

static bv_status list_pairs( const bvdecomp_search* s, double reach, bvb_arena* arena, search_pair** out,
                             uint32_t* count )
{
	*count = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		uint32_t found = 0;
		for ( uint32_t a = 0; a < s->part_count; ++a )
		{
			for ( uint32_t b = a + 1; b < s->part_count && is_part( s, a ); ++b )
			{
				if ( is_part( s, b ) && box_gap( s->parts + a, s->parts + b ) < reach &&
				     ( !keeps_to_cap( s ) || bvdecomp_cap_may_allow( s, a, b ) ) )
				{
					if ( pass == 1 )
					{
						( *out )[found] = ( search_pair ){ .a = a, .b = b, .rise = NAN };
					}
					++found;
				}
			}
		}
		if ( pass == 0 )
		{
			*out = bvb_arena_allocate( arena, found, sizeof **out );
			if ( !*out )
			{
				return bv_error_memory;
			}
		}
		*count = found;
	}
	return bv_ok;
}

static bool weigh_pairs( bvdecomp_search* s, search_pair* pairs, uint32_t count )
{
#pragma omp parallel for num_threads( s->team ) schedule( dynamic )
	for ( uint32_t i = 0; i < count; ++i )
	{
		search_pair* p = pairs + i;
		p->is_new = false;
		if ( isnan( p->rise ) )
		{
			const bvdecomp_search_part* a = s->parts + p->a;
			const bvdecomp_search_part* b = s->parts + p->b;
			const bvdecomp_memo_entry* known = bvdecomp_memo_find( &s->merges, a->version, b->version );
			p->is_new = !known;
			p->cost = known ? ( bvdecomp_cost ){ known->value[0], known->value[1], known->value[2] }
			                : bvdecomp_try_merge( s, s->workers + omp_get_thread_num(), p->a, p->b );
			p->rise = bvdecomp_cost_total( s, &p->cost ) - bvdecomp_cost_total( s, &a->cost ) -
			          bvdecomp_cost_total( s, &b->cost );
			p->farthest = p->cost.farthest;
		}
	}
	bool good = true;
	for ( int i = 0; i < s->team; ++i )
	{
		good = good && !s->workers[i].failed;
	}
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		const search_pair* p = pairs + i;
		const double value[3] = { p->cost.gap, p->cost.volume, p->cost.farthest };
		good = !p->is_new || bvdecomp_memo_keep( &s->merges, s->lasting, s->parts[p->a].version,
		                                         s->parts[p->b].version, value );
	}
	return good;
}

// Pairs of what is now part of `a` become pairs with it, each once, to be weighed again.
static uint32_t join_pairs( search_pair* pairs, uint32_t count, uint32_t a, uint32_t b )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		search_pair p = pairs[i];
		p.a = p.a == b ? a : p.a;
		p.b = p.b == b ? a : p.b;
		bool again = p.a == p.b;
		if ( p.a == a || p.b == a )
		{
			p.rise = NAN;
			for ( uint32_t k = 0; k < kept && !again; ++k )
			{
				again =
					( pairs[k].a == p.a && pairs[k].b == p.b ) || ( pairs[k].a == p.b && pairs[k].b == p.a );
			}
		}
		if ( !again )
		{
			pairs[kept++] = p;
		}
	}
	return kept;
}

// Above the number wanted the cheapest pair is merged whatever it costs; below it those that stay near
// enough, or cost nothing.
static uint32_t choose_pair( const bvdecomp_search* s, const search_pair* pairs, uint32_t count )
{
	uint32_t best = BVDECOMP_NONE;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool may = s->live > s->max_parts || pairs[i].rise <= least_gain || pairs[i].farthest <= s->aim;
		best = may && ( best == BVDECOMP_NONE || pairs[i].rise < pairs[best].rise ) ? i : best;
	}
	return best;
}

// Merges a pair unless its hull would need more corners than it may have. Then it is not chosen again, as
// long as neither of the two changes.
static bv_status merge_pair( bvdecomp_search* s, search_pair* pair, bool* merged )
{
	double capped = BVDECOMP_NOT_ESTIMATED;
	bv_status status = bv_ok;
	*merged = true;
	if ( keeps_to_cap( s ) )
	{
		*merged = bvdecomp_cap_may_allow( s, pair->a, pair->b );
		status = *merged ? bvdecomp_cap_of_merged( s, pair->a, pair->b, &capped ) : bv_ok;
		*merged = *merged && capped <= s->aim;
	}
	if ( status == bv_ok && *merged )
	{
		status = bvdecomp_merge_parts( s, pair->a, pair->b );
		s->parts[pair->a].capped = capped;
	}
	pair->rise = *merged ? pair->rise : INFINITY;
	pair->farthest = *merged ? pair->farthest : INFINITY;
	return status;
}

static bv_status merge_within( bvdecomp_search* s, double reach )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	search_pair* pairs = NULL;
	uint32_t count = 0;
	bv_status status = scratch ? list_pairs( s, reach, scratch, &pairs, &count ) : bv_error_memory;
	while ( status == bv_ok && s->live > 1 )
	{
		status = weigh_pairs( s, pairs, count ) ? bv_ok : bv_error_memory;
		uint32_t best = status == bv_ok ? choose_pair( s, pairs, count ) : BVDECOMP_NONE;
		if ( best == BVDECOMP_NONE )
		{
			break;
		}
		uint32_t a = pairs[best].a;
		uint32_t b = pairs[best].b;
		bool merged;
		status = merge_pair( s, pairs + best, &merged );
		count = merged ? join_pairs( pairs, count, a, b ) : count;
	}
	bvb_arena_destroy( scratch );
	return status;
}

// Where too many parts are not near any other, farther ones are merged.
static bv_status merge_up( bvdecomp_search* s )
{
	bv_status status = merge_within( s, near );
	for ( double reach = 8 * near; status == bv_ok && s->live > s->max_parts; reach *= 8 )
	{
		status = merge_within( s, reach );
	}
	return status;
}

static bv_status recut_pair( bvdecomp_search* s, uint32_t a, uint32_t b )
{
	double before = bvdecomp_cost_total( s, &s->parts[a].cost ) + bvdecomp_cost_total( s, &s->parts[b].cost );
	double gap = s->parts[a].cost.gap + s->parts[b].cost.gap;
	uint64_t version[2] = { s->parts[a].version, s->parts[b].version };
	if ( bvdecomp_memo_find( &s->recuts, version[0], version[1] ) )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	snapshot kept;
	if ( !scratch || !keep( s, scratch, &kept ) )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	bv_status status = bvdecomp_merge_parts( s, a, b );
	bvdecomp_candidate best;
	uint32_t count = 0;

	// Of few parts there are few pairs, and each counts.
	double enough = s->live < few_parts ? INFINITY : before;
	status = status == bv_ok ? bvdecomp_find_cuts( s, a, &s->effort->cut, enough, 1, &best, &count ) : status;
	bool done = false;
	if ( status == bv_ok && count > 0 && best.total < before - bvmath_max( 1e-3 * gap, least_gain ) )
	{
		status = bvdecomp_cut_part( s, a, &best.plane, &done );
	}
	if ( status == bv_ok && !done )
	{
		go_back( s, &kept );
		status = bvdecomp_memo_keep( &s->recuts, s->lasting, version[0], version[1], ( double[3] ){ 0 } )
		             ? bv_ok
		             : bv_error_memory;
	}
	bvb_arena_destroy( scratch );
	return status;
}

// How much of the time of trying all pairs has passed: there are as many after part `a` as there are parts after it.
static double share_of_pairs( uint32_t a, uint32_t count )
{
	double left = 1 - (double)a / count;
	return 1 - left * left;
}

// Tries each pair of neighbors that has a gap to speak of, once: what pairs of small gaps could gain changes
// little.
static bv_status recut_pairs( bvdecomp_search* s, double done, double share )
{
	double least = 0.3 * total_gap( s ) / s->live;
	bv_status status = bv_ok;
	uint32_t count = s->part_count;
	for ( uint32_t a = 0; a < count && status == bv_ok; ++a )
	{
		for ( uint32_t b = a + 1; b < count && is_part( s, a ) && status == bv_ok; ++b )
		{
			uint32_t before = s->part_count;
			if ( is_part( s, b ) && box_gap( s->parts + a, s->parts + b ) < near &&
			     s->parts[a].cost.gap + s->parts[b].cost.gap > least &&
			     goes_on( s, done + share * share_of_pairs( a, count ) ) )
			{
				status = recut_pair( s, a, b );
			}
			if ( s->part_count != before )
			{
				break;
			}
		}
	}
	return status;
}

// Cuts the worst parts, merges the cheapest ones, and takes that back if it is no better.
static bv_status cut_and_merge( bvdecomp_search* s, uint32_t cuts, double done, double share )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	snapshot kept;
	if ( !scratch || !keep( s, scratch, &kept ) )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	double before = total( s );
	bv_status status = cut_down( s, s->live + cuts, done, share );
	status = status == bv_ok ? merge_up( s ) : status;
	if ( status == bv_ok && ( s->live > kept.live || ( s->live == kept.live && !( total( s ) < before ) ) ) )
	{
		go_back( s, &kept );
	}
	bvb_arena_destroy( scratch );
	return status;
}

static bv_status improve( bvdecomp_search* s, uint32_t cuts, double done, double share )
{
	static const double share_of_recuts = 0.75; // of the time, by experiment
	double recuts = share_of_recuts * share;
	bv_status status = recut_pairs( s, done, recuts );
	return status == bv_ok && !s->stopped ? cut_and_merge( s, cuts, done + recuts, share - recuts ) : status;
}

// Parts that stand off much more than others.
static uint32_t count_outliers( const bvdecomp_search* s )
{
	static const double much = 4;
	double mean = total_gap( s ) / s->live;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		count += is_part( s, i ) && s->parts[i].cost.gap > much * mean;
	}
	return count;
}

bv_status bvdecomp_improve_parts( bvdecomp_search* s )
{
	s->price = price_of_merging;
	return improve( s, 2 + count_outliers( s ), share_before_mesh, 1 - share_before_mesh );
}

static bool all_done( const bvdecomp_search* s )
{
	bool done = s->live <= s->max_parts;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		done = done && ( !is_part( s, i ) || is_done( s, s->parts + i ) );
	}
	return done;
}

// What is made of few flat faces is cut along these until nothing stands off any more, if that is soon.
static bv_status search_creases( bvdecomp_search* s, bool* found )
{
	enum
	{
		few_planes = 24,
	};
	static const bvdecomp_search_effort along_creases = { .cut = { .creases = few_planes,
		                                                           .finalists = few_planes } };
	*found = false;
	uint32_t planes = bvdecomp_count_crease_planes( s, 0 );
	if ( planes == 0 || planes > few_planes )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	snapshot kept;
	if ( !scratch || !keep( s, scratch, &kept ) )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	const bvdecomp_search_effort* effort = s->effort;
	s->effort = &along_creases;
	s->price = price_of_cutting;
	bv_status status = cut_down( s, 4 * s->max_parts + few_planes, 0, 0 );
	s->price = price_of_merging;
	status = status == bv_ok ? merge_up( s ) : status;
	s->effort = effort;
	*found = status == bv_ok && all_done( s );
	if ( status == bv_ok && !*found )
	{
		go_back( s, &kept );
	}
	bvb_arena_destroy( scratch );
	return status;
}

bv_status bvdecomp_search_parts( bvdecomp_search* s )
{
	static const double share_of_cutting = 0.57;
	bool found;
	bv_status status = search_creases( s, &found );
	if ( status != bv_ok || found )
	{
		return status;
	}
	s->price = price_of_cutting;
	status = cut_down( s, 6 + (uint32_t)ceil( s->effort->overcut * s->max_parts ), 0, share_of_cutting );
	s->price = price_of_merging;
	status = status == bv_ok ? merge_up( s ) : status;
	for ( uint32_t i = 0; i < s->rounds && status == bv_ok && !s->stopped; ++i )
	{
		double share = ( share_before_mesh - share_of_cutting ) / s->rounds;
		status = improve( s, 6 + s->live / 4, share_of_cutting + i * share, share );
	}
	return status;
}

// What fails because it has few corners rather than because its hull stands off.
static bool fails_for_cap( const bvdecomp_search* s, const bvdecomp_search_part* p )
{
	static const double share = 0.1; // of the tolerance, that is not worth a thought
	return p->certified > s->tolerance && p->excess > p->cost.farthest && p->excess > share * s->tolerance;
}

// How many more cuts there may be until all parts have enough corners, if halves of a part miss them half as much.
static double count_capped( const bvdecomp_search* s )
{
	double missing = 0;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		const bvdecomp_search_part* p = s->parts + i;
		missing += is_part( s, i ) && !p->final && p->capped > s->aim ? p->capped / s->aim : 0;
	}
	return bvmath_min( missing, s->max_parts - s->live );
}

static uint32_t worst_capped( const bvdecomp_search* s )
{
	uint32_t worst = BVDECOMP_NONE;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		const bvdecomp_search_part* p = s->parts + i;
		if ( is_part( s, i ) && !p->final && p->capped > s->aim &&
		     ( worst == BVDECOMP_NONE || p->capped > s->parts[worst].capped ) )
		{
			worst = i;
		}
	}
	return worst;
}

// Cuts parts that fail for having few corners, the worst ones first, until the halves are likely to keep to
// the tolerance.
static bv_status cut_capped( bvdecomp_search* s, bool* again )
{
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		bvdecomp_search_part* p = s->parts + i;
		p->capped = fails_for_cap( s, p )          ? p->certified
		            : p->certified <= s->tolerance ? bvmath_min( p->capped, s->aim )
		                                           : p->capped;
	}
	bv_status status = bv_ok;
	for ( double cuts = 0; status == bv_ok && s->live < s->max_parts; ++cuts )
	{
		if ( !goes_on( s, sqrt( cuts / ( cuts + count_capped( s ) + 0.5 ) ) ) )
		{
			break;
		}
		uint32_t part = worst_capped( s );
		if ( part == BVDECOMP_NONE )
		{
			break;
		}
		bvdecomp_plane plane;
		double capped[2];
		bool cut = false;
		status = bvdecomp_find_cap_cut( s, part, &plane, capped, &cut );
		status = status == bv_ok && cut ? bvdecomp_cut_part( s, part, &plane, &cut ) : status;
		s->parts[part].final = !cut;
		if ( status == bv_ok && cut )
		{
			s->parts[part].capped = capped[0];
			s->parts[s->part_count - 1].capped = capped[1];
			*again = true;
		}
	}
	return status;
}

// A part of which so little is known that measuring it was given up, as happens next to many open edges. If it
// looks as if it were within the tolerance, cutting it would not make more known.
static bool is_unsure( const bvdecomp_search* s, const bvdecomp_search_part* p )
{
	return p->farther <= s->tolerance && p->certified > BVDECOMP_WIDE * p->farther &&
	       p->cost.farthest <= s->aim;
}

// Whether a part is to be cut for what is known of its stand-off.
static bool is_failing( const bvdecomp_search* s, uint32_t part )
{
	const bvdecomp_search_part* p = s->parts + part;
	return is_part( s, part ) && p->certified > s->tolerance && !is_unsure( s, p ) && !fails_for_cap( s, p );
}

bv_status bvdecomp_cut_failing( bvdecomp_search* s, bool* again )
{
	// Then there is more to a part than samples see, and only cutting it helps.
	static const uint32_t most_failures = 4;
	static const double share_of_failing = 0.8; // of the time
	bv_status status = bv_ok;
	double seen = INFINITY;
	s->done = 0;
	*again = false;
	uint32_t count = s->part_count;
	bvdecomp_outlook known = { .parts = s->live, .room = (double)s->max_parts - s->live };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvdecomp_search_part* p = s->parts + i;
		known.failing += is_failing( s, i );
		known.capped += is_part( s, i ) && fails_for_cap( s, p ) ? p->certified / s->tolerance : 0;
	}
	bvdecomp_schedule_begin_cutting( s->schedule, &known );
	double looked_at = 0;
	for ( uint32_t i = 0; i < count && status == bv_ok && s->live < s->max_parts; ++i )
	{
		if ( is_failing( s, i ) && goes_on( s, share_of_failing * looked_at / known.failing ) )
		{
			bool cut = false;
			double farthest = s->parts[i].cost.farthest;
			status = cut_further( s, i, &cut );
			seen = cut ? bvmath_min( seen, farthest ) : seen;
			*again = *again || cut;
			looked_at += 1;
		}
	}
	status = status == bv_ok ? cut_capped( s, again ) : status;
	if ( status != bv_ok || !*again || ++s->failures > most_failures )
	{
		return status;
	}
	s->keeps_to_cap = true;

	// So that these are not merged again.
	s->aim = bvmath_max( 0.5 * s->aim, bvmath_min( s->aim, 0.99 * seen ) );
	status = cut_down( s, s->max_parts, s->done, 0 );
	return status == bv_ok ? merge_up( s ) : status;
}

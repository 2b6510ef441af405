// Searches of callers. See bv/search.h.

#include "bv/search.h"

#include "runtime/tree/collide.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/pair_search.h"
#include "runtime/tree/place.h"
#include "runtime/tree/search.h"

#include <math.h>

// A search for collisions in the order of bv_mesh_collide is a query of that kind. It takes half as long as a search with a heap.
typedef struct collide_search
{
	bvtree_collide_query query;
	bv_collide_result result;
	bvtree_upper upper;
} collide_search;

// Another search. Pairs of nodes follow the struct.
typedef struct heap_search
{
	bvtree_pair_search search;
	bvtree_leaf_pairs leaves;
} heap_search;

struct bv_search
{
	bv_search_goal goal;
	bool has_heap;
	bv_vec3 offset; // of a
	union
	{
		collide_search collide;
		heap_search heap;
	};
};

enum
{
	search_bytes = 12288, // the same on all machines: the number of pairs decides on the order of the search
	least_pairs = 64,
};

_Static_assert( sizeof( bv_search ) <= search_bytes, "pairs follow the struct" );
_Static_assert( search_bytes + least_pairs * bvtree_node_pair_bytes <= BV_SEARCH_LEAST,
                "there is room for pairs" );

bv_search_options bv_search_options_default( void )
{
	return ( bv_search_options ){ 0 };
}

static bool are_valid( const bv_search_options* o )
{
	bool is_distance = o->goal == bv_search_distance;
	return (unsigned)o->goal < bv_search_goals && (unsigned)o->order < bv_search_orders &&
	       ( is_distance || ( o->limit == 0 && o->relative == 0 && o->absolute == 0 ) );
}

static bv_status begin_collide( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                const bv_transform* b_in_a, const uint32_t* last, collide_search* out )
{
	static const bvtree_approach still = { .until = 1 };
	bv_collide_result found = { .pairs = last != NULL };
	if ( last )
	{
		found.triangles[0] = last[0];
		found.triangles[1] = last[1];
	}
	const bv_collide_options options = { .first = true, .last = &found };
	bv_status status =
		bvtree_collide_begin( lanes, a, b, b_in_a, &still, &options, &out->result, &out->query );
	if ( status == bv_ok )
	{
		bvtree_collide_query* q = &out->query;
		q->options.last = NULL;
		bvtree_upper_begin( &q->a.view, &q->b.view, &q->b.to_other, &out->upper );
		q->upper = &out->upper;
	}
	return status;
}

bv_status bvtree_search_begin_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                  const bv_transform* b_in_a, const bv_search_options* options, void* memory,
                                  size_t bytes, bv_search** out )
{
	bv_search_options o = options ? *options : bv_search_options_default();
	if ( !memory || (uintptr_t)memory % 8 != 0 || !out || !are_valid( &o ) )
	{
		return bv_error_argument;
	}
	if ( bytes < BV_SEARCH_LEAST )
	{
		return bv_error_memory;
	}
	bool collides = o.goal == bv_search_collision;
	o.order = o.order != bv_search_order_default ? o.order : collides ? bv_search_last_in : bv_search_by_gap;
	bv_transform storage;
	bv_search* s = memory;
	size_t pairs = ( bytes - search_bytes ) / bvtree_node_pair_bytes;
	const bvtree_search_setup setup = {
		.lanes = lanes,
		.a = a,
		.b = b,
		.b_in_a = bvtree_place( a, b, b_in_a, &storage ),
		.goal = o.goal,
		.order = o.order,
		.limit = o.limit,
		.relative = o.relative,
		.absolute = o.absolute,
		.last = o.last,
		.pairs = (bvtree_node_pair*)( (char*)memory + search_bytes ),
		.room = pairs > bvtree_search_most_room ? bvtree_search_most_room : (uint32_t)pairs - 1,
		.leaves = collides ? &s->heap.leaves : NULL,
	};
	s->goal = o.goal;
	s->has_heap = !collides || o.order != bv_search_last_in;
	bv_status status = s->has_heap ? bvtree_search_begin( &setup, &s->heap.search )
	                               : begin_collide( lanes, a, b, setup.b_in_a, o.last, &s->collide );
	if ( status == bv_ok )
	{
		s->offset = bvfile_with_offset( ( bv_vec3 ){ 0, 0, 0 }, bvtree_offset_of( a ) );
		*out = s;
	}
	return status;
}

bv_status bv_search_begin( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                           const bv_search_options* options, void* memory, size_t bytes, bv_search** out )
{
	return bvtree_search_begin_in( bvtree_lanes_best(), a, b, b_in_a, options, memory, bytes, out );
}

static bvtree_search_state state_of_collide( collide_search* c )
{
	const bv_collide_result* r = &c->result;
	if ( !c->query.is_over )
	{
		bvtree_upper_improve( &c->upper );
	}
	return ( bvtree_search_state ){ .done = c->query.is_over,
		                            .found = r->pairs > 0,
		                            .triangle = { r->triangles[0], r->triangles[1] },
		                            .volume_tests = r->volume_tests,
		                            .triangle_tests = r->triangle_tests,
		                            .upper = &c->upper };
}

static bvtree_search_state state_of_heap( bvtree_pair_search* s )
{
	bvtree_search_bound( s );
	return ( bvtree_search_state ){ .done = s->phase == bvtree_search_done,
		                            .found = s->found,
		                            .distance = s->best,
		                            .lower = bvtree_search_lower( s ),
		                            .triangle = { s->triangle[0], s->triangle[1] },
		                            .volume_tests = s->volume_tests,
		                            .triangle_tests = s->triangle_tests,
		                            .upper = &s->upper };
}

bvtree_search_state bvtree_search_state_of( bv_search* search )
{
	bvtree_search_state out =
		search->has_heap ? state_of_heap( &search->heap.search ) : state_of_collide( &search->collide );
	out.offset = search->offset;
	return out;
}

static bv_search_verdict verdict_of( const bvtree_search_state* s, bv_search_goal goal )
{
	if ( s->found && s->distance == 0 )
	{
		return bv_search_meets;
	}
	return s->lower > 0 || ( s->done && goal == bv_search_collision ) ? bv_search_apart : bv_search_open;
}

bv_status bv_search_look( bv_search* search, bv_search_answer* answer )
{
	if ( !search || !answer )
	{
		return bv_error_argument;
	}
	bvtree_search_state s = bvtree_search_state_of( search );
	*answer =
		( bv_search_answer ){ .verdict = verdict_of( &s, search->goal ),
		                      .done = s.done,
		                      .lower = s.lower,
		                      .upper = s.found ? bvmath_min( s.distance, s.upper->bound ) : s.upper->bound,
		                      .found = s.found,
		                      .triangle = { s.triangle[0], s.triangle[1] },
		                      .node = { s.upper->node[0], s.upper->node[1] },
		                      .volume_tests = s.volume_tests,
		                      .triangle_tests = s.triangle_tests };
	for ( int i = 0; i < 2 && s.found && search->goal == bv_search_distance; ++i )
	{
		answer->point[i] = bv_add( search->heap.search.gap.point[i], s.offset );
	}
	return bv_ok;
}

bv_status bv_search_run( bv_search* search, const bv_budget* budget, bv_search_answer* answer )
{
	if ( !search || ( budget && budget->now && isnan( budget->until ) ) )
	{
		return bv_error_argument;
	}
	if ( search->has_heap )
	{
		bvtree_search_run( &search->heap.search, budget );
	}
	else
	{
		bvtree_collide_run( &search->collide.query, budget );
	}
	return answer ? bv_search_look( search, answer ) : bv_ok;
}

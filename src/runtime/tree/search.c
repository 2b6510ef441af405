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

bvtree_search_state bvtree_search_state_of( bv_search* search )
{
	bvtree_search_state out = { .offset = search->offset };
	if ( search->has_heap )
	{
		bvtree_pair_search* s = &search->heap.search;
		bvtree_search_bound( s );
		out.upper = &s->upper;
		out.found = s->found;
		out.triangle[0] = s->triangle[0];
		out.triangle[1] = s->triangle[1];
		return out;
	}
	collide_search* c = &search->collide;
	if ( !c->query.is_over )
	{
		bvtree_upper_improve( &c->upper );
	}
	out.upper = &c->upper;
	out.found = c->result.pairs > 0;
	out.triangle[0] = c->result.triangles[0];
	out.triangle[1] = c->result.triangles[1];
	return out;
}

static void look_at_collide( collide_search* c, bv_search_answer* out )
{
	if ( !c->query.is_over )
	{
		bvtree_upper_improve( &c->upper );
	}
	const bv_collide_result* r = &c->result;
	out->done = c->query.is_over;
	out->found = r->pairs > 0;
	out->verdict = out->found ? bv_search_meets : out->done ? bv_search_apart : bv_search_open;
	out->upper = out->found ? 0 : c->upper.bound;
	out->triangle[0] = r->triangles[0];
	out->triangle[1] = r->triangles[1];
	out->node[0] = c->upper.node[0];
	out->node[1] = c->upper.node[1];
	out->volume_tests = r->volume_tests;
	out->triangle_tests = r->triangle_tests;
}

static void look_at_heap( bvtree_pair_search* s, bv_search_answer* out )
{
	bvtree_search_bound( s );
	bool collides = s->goal == bv_search_collision;
	out->done = s->phase == bvtree_search_is_over;
	out->found = s->found;
	out->lower = collides ? 0 : bvtree_search_lower( s );
	out->upper = s->found ? bvmath_min( s->best, s->upper.bound ) : s->upper.bound;
	if ( s->found && s->best == 0 )
	{
		out->verdict = bv_search_meets;
	}
	else if ( out->lower > 0 || ( out->done && collides ) )
	{
		out->verdict = bv_search_apart;
	}
	for ( int i = 0; i < 2; ++i )
	{
		out->triangle[i] = s->triangle[i];
		out->node[i] = s->upper.node[i];
		out->point[i] = s->found && !collides ? s->gap.point[i] : out->point[i];
	}
	out->volume_tests = s->volume_tests;
	out->triangle_tests = s->triangle_tests;
}

bv_status bv_search_look( bv_search* search, bv_search_answer* answer )
{
	if ( !search || !answer )
	{
		return bv_error_argument;
	}
	*answer = ( bv_search_answer ){ .verdict = bv_search_open };
	if ( !search->has_heap )
	{
		look_at_collide( &search->collide, answer );
		return bv_ok;
	}
	look_at_heap( &search->heap.search, answer );
	for ( int i = 0; i < 2 && answer->found && search->goal == bv_search_distance; ++i )
	{
		answer->point[i] = bv_add( answer->point[i], search->offset );
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

// The signed distance between the leaves of two compounds. See bv/compound.h.
//
// Depth-first branch and bound over pairs of nodes of both trees, with the nearest pair first. A shape inside
// another one has no smaller signed distance to any shape: a translation that separates the outer shapes separates the inner
// ones. So the signed distance of two boxes bounds that of all leaves in them, also if they overlap.

#include "runtime/compound/compound.h"

#include "runtime/simd/bits.h"

#include <math.h>

// A pair of subtrees that waits to be searched.
typedef struct distance_waiting
{
	double bound; // no pair of their leaves has a smaller signed distance
	bvcomp_at at[2];
} distance_waiting;

// A search, in memory of the caller.
typedef struct distance_search
{
	bvcomp_side side[2];
	bv_convex_options options;
	bv_compound_distance_result found;
	bv_convex shape[2];     // of the pair that is measured
	bv_transform placement; // of its second shape in coordinates of the first
	bv_transform first;     // of the first shape in coordinates of a
	bv_convex_result measured;
	bool is_moved; // the first shape has other coordinates than a
} distance_search;

// Each step replaces a pair by two that are one level deeper in one of the trees. These have fewer levels than leaves.
static uint64_t bytes_of( uint64_t leaves )
{
	return sizeof( distance_search ) + ( leaves + 1 ) * sizeof( distance_waiting );
}

size_t bv_compound_distance_bytes( const bv_compound* a, const bv_compound* b )
{
	uint64_t bytes =
		a && b && a->leaves > 0 && b->leaves > 0 ? bytes_of( (uint64_t)a->leaves + b->leaves ) : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// The transform from coordinates of a subtree of b to those of a subtree of a.
BVSIMD_NOINLINE void place( distance_search* s, const bvcomp_at at[2] )
{
	bool has_item[2];
	for ( int i = 0; i < 2; ++i )
	{
		has_item[i] = at[i].item != BVCOMP_NONE && !s->side[i].items[at[i].item].is_identity;
	}
	s->placement = has_item[1] ? bvcomp_placement_of( s->side + 1, s->side[1].items + at[1].item )
	                           : s->side[1].placement;
	s->is_moved = has_item[0];
	if ( s->is_moved )
	{
		s->first = s->side[0].items[at[0].item].placement;
		s->placement = bv_transform_between( &s->first, &s->placement );
	}
}

// The box of a subtree, larger by more than it is rounded.
static bv_convex box_of( const bvcomp_side* side, bvcomp_at at )
{
	bvvol_rounded box;
	bvcomp_own_box( side, at, &box );
	double more = box.radius + box.slack;
	const double* half = box.half_extents;
	return bv_convex_box( box.center, bv_vec3_make( half[0] + more, half[1] + more, half[2] + more ) );
}

static bool is_unbounded( const bvcomp_side* side, bvcomp_at at )
{
	return at.item != BVCOMP_NONE && side->items[at.item].is_unbounded;
}

BVSIMD_NOINLINE void set_boxes( distance_search* s, const bvcomp_at at[2] )
{
	place( s, at );
	for ( int i = 0; i < 2; ++i )
	{
		s->shape[i] = box_of( s->side + i, at[i] );
	}
}

static bv_status bound( distance_search* s, distance_waiting* pair )
{
	s->found.volume_tests += 1;
	pair->bound = -INFINITY;
	if ( is_unbounded( s->side, pair->at[0] ) || is_unbounded( s->side + 1, pair->at[1] ) )
	{
		return bv_ok;
	}
	set_boxes( s, pair->at );
	bv_status status = bv_convex_distance( s->shape, s->shape + 1, &s->placement, NULL, &s->measured );
	// Boxes of unions that have unbounded members are invalid, and bound nothing.
	bool is_placed = bv_transform_is_valid( &s->placement );
	if ( status == bv_ok )
	{
		pair->bound =
			s->is_moved ? bvcomp_scaled_down( s->first.scale, s->measured.lower ) : s->measured.lower;
	}
	return is_placed ? bv_ok : bv_error_argument;
}

BVSIMD_NOINLINE void set_leaves( distance_search* s, const bvcomp_at at[2] )
{
	place( s, at );
	for ( int i = 0; i < 2; ++i )
	{
		s->shape[i] = bvcomp_shape_of( s->side[i].items + at[i].item, bvcomp_leaf_of( s->side + i, at[i] ) );
	}
}

// To coordinates of a.
BVSIMD_NOINLINE void move( distance_search* s )
{
	bv_convex_result* r = &s->measured;
	double scale = s->first.scale;
	r->lower = bvcomp_scaled_down( scale, r->lower );
	r->upper = bvcomp_scaled_up( scale, r->upper );
	r->normal = bv_transform_direction( &s->first, r->normal );
	for ( int i = 0; i < 2; ++i )
	{
		r->point[i] = bv_transform_point( &s->first, r->point[i] );
	}
}

static void keep( distance_search* s, const bvcomp_at at[2] )
{
	bv_convex_result* best = &s->found.nearest;
	const bv_convex_result* r = &s->measured;
	double lower = bvmath_min( best->lower, r->lower );
	uint32_t supports = best->supports + r->supports;
	if ( s->found.pair_tests == 0 || r->upper < best->upper )
	{
		*best = *r;
		s->found.leaf[0] = bvcomp_leaf_of( s->side, at[0] );
		s->found.leaf[1] = bvcomp_leaf_of( s->side + 1, at[1] );
	}
	best->lower = lower;
	best->supports = supports;
	s->found.pair_tests += 1;
}

static bv_status measure( distance_search* s, const bvcomp_at at[2] )
{
	set_leaves( s, at );
	bv_status status = bv_convex_distance( s->shape, s->shape + 1, &s->placement, &s->options, &s->measured );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( s->is_moved )
	{
		move( s );
	}
	keep( s, at );
	return bv_ok;
}

// How long a subtree is, in coordinates of a.
static double size_of( const bvcomp_side* side, bvcomp_at at )
{
	bvvol_rounded box;
	bvcomp_own_box( side, at, &box );
	const double* half = box.half_extents;
	double scale =
		at.item == BVCOMP_NONE ? side->placed.scale : bvcomp_scale_of( side, side->items + at.item );
	return scale * bvmath_max( bvmath_max( half[0], half[1] ), half[2] );
}

// Of the larger node, unless it is a leaf.
BVSIMD_NOINLINE void list_children( const distance_search* s, const bvcomp_at at[2],
                                    distance_waiting pair[2] )
{
	bool first = bvcomp_is_leaf( s->side + 1, at[1] ) ||
	             ( !bvcomp_is_leaf( s->side, at[0] ) &&
	               !( size_of( s->side, at[0] ) < size_of( s->side + 1, at[1] ) ) );
	int which = first ? 0 : 1;
	bvcomp_at child[2];
	bvcomp_open( s->side + which, at[which], child );
	for ( int i = 0; i < 2; ++i )
	{
		pair[i].at[0] = at[0];
		pair[i].at[1] = at[1];
		pair[i].at[which] = child[i];
	}
}

// The nearer one of the children is put on top.
static bv_status open( distance_search* s, const bvcomp_at at[2], distance_waiting** top )
{
	distance_waiting* pair = *top;
	list_children( s, at, pair );
	bv_status status = bound( s, pair );
	status = status == bv_ok ? bound( s, pair + 1 ) : status;
	if ( pair[0].bound <= pair[1].bound )
	{
		distance_waiting nearer = pair[0];
		pair[0] = pair[1];
		pair[1] = nearer;
	}
	*top += 2;
	return status;
}

static bv_status search( distance_search* s, distance_waiting* waiting )
{
	distance_waiting* top = waiting;
	*top++ = ( distance_waiting ){
		.bound = -INFINITY,
		.at = { bvcomp_at_node( s->side, 0 ), bvcomp_at_node( s->side + 1, 0 ) },
	};
	bv_status status = bv_ok;
	while ( top > waiting && status == bv_ok )
	{
		distance_waiting next = *--top;
		if ( s->found.pair_tests > 0 && next.bound >= s->found.nearest.upper )
		{
			continue;
		}
		bool both = bvcomp_is_leaf( s->side, next.at[0] ) && bvcomp_is_leaf( s->side + 1, next.at[1] );
		status = both ? measure( s, next.at ) : open( s, next.at, &top );
	}
	return status;
}

// Not inlined: nothing of it is on the stack while distances are found.
BVSIMD_NOINLINE bool begin( distance_search* s, const bv_compound* a, const bv_compound* b,
                            const bv_transform* b_in_a, const bv_convex_options* options )
{
	s->options = options ? *options : bv_convex_options_default();
	s->found = ( bv_compound_distance_result ){
		.nearest = { .lower = INFINITY, .upper = INFINITY },
	};
	return bvcomp_side_begin( a, NULL, s->side ) && bvcomp_side_begin( b, b_in_a, s->side + 1 );
}

bv_status bv_compound_distance( const bv_compound* a, const bv_compound* b, const bv_transform* b_in_a,
                                const bv_convex_options* options, void* memory, size_t bytes,
                                bv_compound_distance_result* result )
{
	size_t needed = bv_compound_distance_bytes( a, b );
	if ( needed == 0 || !memory || !result || (uintptr_t)memory % 8 != 0 || ( options && options->cache ) )
	{
		return bv_error_argument;
	}
	if ( bytes < needed )
	{
		return bv_error_memory;
	}
	distance_search* s = memory;
	if ( !begin( s, a, b, b_in_a, options ) )
	{
		return bv_error_argument;
	}
	bv_status status = search( s, (distance_waiting*)( s + 1 ) );
	if ( status == bv_ok )
	{
		*result = s->found;
	}
	return status;
}

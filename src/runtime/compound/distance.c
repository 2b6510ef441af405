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
	bool is_moved;         // the first shape has other coordinates than a
	distance_waiting next; // the pair of subtrees that is looked at
	distance_waiting* top; // behind the last that waits
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

// Prepares the boxes of a pair of subtrees.
// @return false if there is nothing to measure
BVSIMD_NOINLINE bool begin_bound( distance_search* s, distance_waiting* pair )
{
	s->found.volume_tests += 1;
	pair->bound = -INFINITY;
	if ( is_unbounded( s->side, pair->at[0] ) || is_unbounded( s->side + 1, pair->at[1] ) )
	{
		return false;
	}
	set_boxes( s, pair->at );
	return true;
}

static void end_bound( const distance_search* s, distance_waiting* pair )
{
	pair->bound = s->is_moved ? bvcomp_scaled_down( s->first.scale, s->measured.lower ) : s->measured.lower;
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

BVSIMD_NOINLINE void keep( distance_search* s )
{
	if ( s->is_moved )
	{
		move( s );
	}
	bv_convex_result* best = &s->found.nearest;
	const bv_convex_result* r = &s->measured;
	double lower = bvmath_min( best->lower, r->lower );
	uint32_t supports = best->supports + r->supports;
	if ( s->found.pair_tests == 0 || r->upper < best->upper )
	{
		*best = *r;
		s->found.leaf[0] = bvcomp_leaf_of( s->side, s->next.at[0] );
		s->found.leaf[1] = bvcomp_leaf_of( s->side + 1, s->next.at[1] );
	}
	best->lower = lower;
	best->supports = supports;
	s->found.pair_tests += 1;
}

// Inline, because convex queries need nearly all of the stack that a query may take.
BVSIMD_INLINE bv_status measure( distance_search* s )
{
	set_leaves( s, s->next.at );
	bv_status status = bv_convex_distance( s->shape, s->shape + 1, &s->placement, &s->options, &s->measured );
	if ( status == bv_ok )
	{
		keep( s );
	}
	return status;
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

// Puts those of the larger node on top, unless it is a leaf.
BVSIMD_NOINLINE void put_children( distance_search* s )
{
	const bvcomp_at* at = s->next.at;
	bool first = bvcomp_is_leaf( s->side + 1, at[1] ) ||
	             ( !bvcomp_is_leaf( s->side, at[0] ) &&
	               !( size_of( s->side, at[0] ) < size_of( s->side + 1, at[1] ) ) );
	int which = first ? 0 : 1;
	bvcomp_at child[2];
	bvcomp_open( s->side + which, at[which], child );
	for ( int i = 0; i < 2; ++i )
	{
		s->top->at[0] = at[0];
		s->top->at[1] = at[1];
		s->top++->at[which] = child[i];
	}
}

// The nearer one of both is on top.
BVSIMD_NOINLINE void order_children( distance_search* s )
{
	distance_waiting* pair = s->top - 2;
	if ( pair[0].bound <= pair[1].bound )
	{
		distance_waiting nearer = pair[0];
		pair[0] = pair[1];
		pair[1] = nearer;
	}
}

BVSIMD_INLINE bv_status open( distance_search* s )
{
	bv_status status = bv_ok;
	put_children( s );
	for ( int i = 1; i <= 2 && status == bv_ok; ++i )
	{
		if ( begin_bound( s, s->top - i ) )
		{
			// Boxes of unions that have unbounded members are invalid, and bound nothing.
			bool is_bounded =
				bv_convex_distance( s->shape, s->shape + 1, &s->placement, NULL, &s->measured ) == bv_ok;
			if ( is_bounded )
			{
				end_bound( s, s->top - i );
			}
			status = is_bounded || bv_transform_is_valid( &s->placement ) ? bv_ok : bv_error_argument;
		}
	}
	order_children( s );
	return status;
}

BVSIMD_NOINLINE void begin_search( distance_search* s )
{
	s->top = (distance_waiting*)( s + 1 );
	*s->top++ = ( distance_waiting ){
		.bound = -INFINITY,
		.at = { bvcomp_at_node( s->side, 0 ), bvcomp_at_node( s->side + 1, 0 ) },
	};
}

// @return false behind the last pair that is not too far apart
BVSIMD_NOINLINE bool next_pair( distance_search* s )
{
	bool found = false;
	while ( s->top > (distance_waiting*)( s + 1 ) && !found )
	{
		s->next = *--s->top;
		found = s->found.pair_tests == 0 || s->next.bound < s->found.nearest.upper;
	}
	return found;
}

static bool is_pair_of_leaves( const distance_search* s )
{
	return bvcomp_is_leaf( s->side, s->next.at[0] ) && bvcomp_is_leaf( s->side + 1, s->next.at[1] );
}

BVSIMD_INLINE bv_status search( distance_search* s )
{
	bv_status status = bv_ok;
	begin_search( s );
	while ( status == bv_ok && next_pair( s ) )
	{
		status = is_pair_of_leaves( s ) ? measure( s ) : open( s );
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
	bv_status status = search( s );
	if ( status == bv_ok )
	{
		*result = s->found;
	}
	return status;
}

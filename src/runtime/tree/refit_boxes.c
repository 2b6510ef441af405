// Axis-aligned boxes of nodes that are refitted, from the leaves up, and the grid that follows from that of the root. See refit.h.

#include "runtime/file/snap.h"
#include "runtime/math/vec.h"
#include "runtime/simd/floats.h"
#include "runtime/tree/refit.h"

#include <math.h>

enum
{
	// Steps of the grid that stay free, so that its origin is a multiple of a sixteenth of its range and seldom changes.
	grid_spare = 4095,
};

typedef struct box_lanes
{
	bvsimd_floats lower;
	bvsimd_floats upper;
} box_lanes;

BVSIMD_INLINE void grow( box_lanes* box, const float* position )
{
	bvsimd_floats p = bvsimd_floats_load( position );
	box->lower = bvsimd_floats_min( box->lower, p );
	box->upper = bvsimd_floats_max( box->upper, p );
}

static void grow_by_leaf( box_lanes* box, const bvtree_refit* r, uint32_t leaf, float ( *positions )[3] )
{
	for ( uint32_t i = r->leaf_begin[leaf]; i < r->leaf_begin[leaf + 1]; i += 2 )
	{
		grow( box, positions[r->vertices[i]] );
		grow( box, positions[r->vertices[i + 1]] );
	}
}

static box_lanes nowhere( void )
{
	return ( box_lanes ){ bvsimd_floats_all( INFINITY ), bvsimd_floats_all( -INFINITY ) };
}

// The fourth numbers are of other vertices: bytes that do not depend on what is known are easier to compare.
static void store( bvtree_refit_box* to, const box_lanes* box )
{
	bvsimd_floats_mask used =
		bvsimd_floats_below( bvsimd_floats_of( 0, 0, 0, 1 ), bvsimd_floats_of( 1, 1, 1, 0 ) );
	bvsimd_floats_store( to->lower, bvsimd_floats_where( used, box->lower ) );
	bvsimd_floats_store( to->upper, bvsimd_floats_where( used, box->upper ) );
}

void bvtree_refit_leaf_box( const bvtree_refit* r, uint32_t number )
{
	box_lanes box = nowhere();
	uint32_t leaf = r->first_leaf[number];
	grow_by_leaf( &box, r, leaf, r->positions );
	if ( r->later )
	{
		grow_by_leaf( &box, r, leaf, r->later );
	}
	store( r->boxes + number, &box );
}

void bvtree_refit_join_boxes( const bvtree_refit* r, uint32_t index )
{
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	box_lanes box = nowhere();
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		const bvtree_refit_box* child = r->boxes + node->first_child + i;
		box.lower = bvsimd_floats_min( box.lower, bvsimd_floats_load( child->lower ) );
		box.upper = bvsimd_floats_max( box.upper, bvsimd_floats_load( child->upper ) );
	}
	store( r->boxes + r->inner[index].number, &box );
}

void bvtree_refit_grid( const bvtree_refit* r, bvfile_node_grid* grid, int* finest )
{
	const bvtree_refit_box* box = r->boxes;
	bvfile_snap_range all;
	for ( int i = 0; i < 3; ++i )
	{
		all.lower[i] = box->lower[i];
		all.upper[i] = box->upper[i];
	}
	*finest = bvfile_snap_finest( &all, r->sums );

	// The center of an oriented box can be outside of the axis-aligned one. Let a_k be the absolute coordinates of its axes along one of
	// the three directions and h_k its half extents, with a_1 h_1 >= a_2 h_2 >= a_3 h_3. The vertex that is farthest along the first axis
	// is at most a_2 h_2 + a_3 h_3 - a_1 h_1 <= a_3 h_3 short of the center. The least a_k is at most 1 / sqrt( 3 ), and h_k at most half
	// the diagonal of the axis-aligned box. So the center is beyond that by at most half its longest side.
	double size = bvmath_max( bvmath_max( all.upper[0] - all.lower[0], all.upper[1] - all.lower[1] ),
	                          all.upper[2] - all.lower[2] );
	for ( int i = 0; i < 3; ++i )
	{
		all.lower[i] -= size / 2;
		all.upper[i] += size / 2;
	}
	*grid = bvfile_snap_grid( &all, *finest, grid_spare );
}

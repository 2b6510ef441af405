// Upper bounds of the distance of two meshes by pairs of their nodes. See upper.h.
//
// A point of a volume is no farther from the triangles of its node than the node's solid error. If p and q are points of both
// volumes, the surfaces are no farther apart than |p - q| plus both errors. For volumes that overlap, p and q are the same up to
// rounding: that is the bound of Eckstein 1998, section 8.1. p and q come from alternating projections (W. Cheney, A. A. Goldstein,
// 1959).
//
// Without errors, and for volumes of which only a box around them is known here, another bound holds: all triangles are in the box,
// so that none of their points is farther from p than the center is, plus the box's extents.

#include "runtime/tree/upper.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/volume/bound.h"

#include <math.h>

enum
{
	projections = 3,
};

static uint32_t number_of( const bvfile_view* view, const bvtree_spot* spot )
{
	return spot->lane == BVTREE_ROOT_LANE ? 0
	                                      : bvfile_node_at( view, spot->parent )->first_child + spot->lane;
}

static double unit_of( const bvtree_upper* u, int side )
{
	return side == 0 ? 1 : u->to_a->scale;
}

// @return the solid error in coordinates of a; infinity if it is unknown
static double error_of( const bvtree_upper* u, const bvtree_spot* spot, int side, const bv_volume* volume )
{
	if ( !u->errors[side] )
	{
		return INFINITY;
	}
	uint8_t code = u->errors[side][number_of( u->view[side], spot )][1];
	return unit_of( u, side ) * bvfile_error_value( code, bvfile_size_of( volume ) );
}

double bvtree_upper_errors( const bvtree_upper* u, const bvtree_spot* a, const bvtree_spot* b )
{
	double sum = 0;
	for ( int i = 0; i < 2; ++i )
	{
		bv_volume volume;
		const bvtree_spot* spot = i == 0 ? a : b;
		bvtree_spot_volume( u->view[i], spot, &volume );
		sum += u->errors[i] ? error_of( u, spot, i, &volume ) : unit_of( u, i ) * bvfile_size_of( &volume );
	}
	return sum;
}

// A box in coordinates of a, and what is known of its triangles.
typedef struct upper_side
{
	bvvol_rounded box;
	double error; // of each point of the box
} upper_side;

static void see( const bvtree_upper* u, const bvtree_spot* spot, int side, upper_side* out )
{
	bv_volume volume;
	bvvol_bound bound;
	bvtree_spot_volume( u->view[side], spot, &volume );
	bvvol_bound_of( &volume, &bound );
	out->box = bound.box;
	if ( side == 1 )
	{
		bvvol_similarity_move( u->to_a, &bound.box, &out->box );
	}
	bool is_box = !bound.kdop && !bound.box.tapered;
	out->error = is_box ? error_of( u, spot, side, &volume ) : INFINITY;
}

// @return a point of the box, to rounding: the one that is nearest to `to`
static bv_vec3 nearest_in( const bvvol_rounded* box, bv_vec3 to )
{
	bv_vec3 offset = bv_sub( to, box->center );
	bv_vec3 core = box->center;
	for ( int i = 0; i < 3; ++i )
	{
		double at = bv_dot( offset, box->axis[i] );
		double half = box->half_extents[i];
		core = bv_add( core, bv_scale( at < -half ? -half : at > half ? half : at, box->axis[i] ) );
	}
	bv_vec3 rest = bv_sub( to, core );
	double length = bvmath_length( rest );
	return length <= box->radius ? to : bv_add( core, bv_scale( box->radius / length, rest ) );
}

// @return an upper bound of the distance of a point of the box from the triangles, without rounding
static double reach_of( const upper_side* side, bv_vec3 point )
{
	double far = bvmath_length( bv_sub( point, side->box.center ) ) + bvvol_rounded_extent( &side->box );
	return bvmath_min( side->error, far );
}

void bvtree_upper_improve_by( bvtree_upper* u, const bvtree_spot* a, const bvtree_spot* b )
{
	upper_side of_a;
	upper_side of_b;
	see( u, a, 0, &of_a );
	see( u, b, 1, &of_b );
	bv_vec3 q = of_b.box.center;
	bv_vec3 p = nearest_in( &of_a.box, q );
	for ( int i = 0; i < projections; ++i )
	{
		q = nearest_in( &of_b.box, p );
		p = nearest_in( &of_a.box, q );
	}
	double sum = ( bvmath_length( bv_sub( p, q ) ) + reach_of( &of_a, p ) ) + reach_of( &of_b, q );
	// The slack bounds what rounding moves a point by, and the skew what is not rigid of the placement.
	double rounding = 4 * ( of_a.box.slack + of_b.box.slack ) +
	                  bvmath_skew_of_extent( u->to_a->skew, bvvol_rounded_extent( &of_b.box ) ) +
	                  0x1p-40 * sum;
	if ( sum + rounding < u->bound )
	{
		u->bound = sum + rounding;
		for ( int i = 0; i < 2; ++i )
		{
			const bvtree_spot* spot = i == 0 ? a : b;
			u->node[i] = number_of( u->view[i], spot );
			u->best_parent[i] = spot->parent;
			u->best_lane[i] = spot->lane;
		}
	}
}

void bvtree_upper_improve( bvtree_upper* u )
{
	const bvtree_spot a = { .parent = u->parent[0], .lane = u->lane[0] };
	const bvtree_spot b = { .parent = u->parent[1], .lane = u->lane[1] };
	if ( !u->has_roots )
	{
		const bvtree_spot root = { .lane = BVTREE_ROOT_LANE };
		u->has_roots = true;
		bvtree_upper_improve_by( u, &root, &root );
	}
	if ( u->is_new )
	{
		u->is_new = false;
		bvtree_upper_improve_by( u, &a, &b );
	}
}

static void begin_side( const bvfile_view* view, int side, bvtree_upper* out )
{
	const char* errors = bvfile_find( view->header, bvfile_section_errors );
	out->view[side] = view;
	out->errors[side] = errors ? bvfile_errors_view_of( errors ).nodes : NULL;
}

void bvtree_upper_begin( const bvfile_view* a, const bvfile_view* b, const bvvol_similarity* to_a,
                         bvtree_upper* out )
{
	*out = ( bvtree_upper ){
		.bound = INFINITY, .best_lane = { BVTREE_ROOT_LANE, BVTREE_ROOT_LANE }, .to_a = to_a, .size = INFINITY
	};
	out->scale = to_a->scale * to_a->scale * to_a->scale;
	begin_side( a, 0, out );
	begin_side( b, 1, out );
}

// How far two meshes move relative to each other in a span of time, for descents that look for what may touch.
//
// At the placement of a query, a point x of the second mesh is at a displacement of f * ( velocity + cross( spin, x - center ) ) + r
// relative to the first one, where f is the same unknown number from -1 to `until` for all points, and r is any vector that is no
// longer than `rest`. Where the displacement is known, a moving box is a box that moves along a line: "A" of Eckstein 1998,
// section 4.2.1, with a bound of what arcs depart from it. Otherwise it is a box that is larger on all sides: "B".

#pragma once

#include "runtime/math/matrix.h"
#include "runtime/tree/spot.h"

/// In coordinates of the first mesh. All of it is for one span of time, so velocities are displacements.
typedef struct bvtree_approach
{
	double reach; ///< points that touch in the span are at most this far apart at the placement of the query
	double rest;  ///< bound of the length of r, without rounding errors of the displacement
	bool
		is_directed; ///< the displacement is known. Otherwise `rest` equals `reach`, and the vectors are zero
	double until;    ///< end of the range of f, above -1 and at most 1; a callback of a query may lower it
	bv_vec3 center;  ///< any point near the meshes
	bv_vec3 velocity; ///< displacement of the center at f = 1
	bv_vec3 spin;     ///< axis of the turn at f = 1, of the length of its angle in radians
} bvtree_approach;

/// @return what is known of motions that have only a reach
static inline bvtree_approach bvtree_approach_within( double reach )
{
	return ( bvtree_approach ){ .reach = reach, .rest = reach, .until = 1 };
}

/// @param from  takes other coordinates to those of the approach; its rotation is orthonormal to rounding
/// @return the same in the other coordinates. Rounding errors are below 2^-48 of each vector
static inline bvtree_approach bvtree_approach_in( const bvtree_approach* approach, const bv_transform* from )
{
	bvtree_approach out = *approach;
	double inverse = 1 / from->scale;
	out.reach *= inverse;
	out.rest *= inverse;
	if ( out.is_directed )
	{
		bv_vec3 way = bv_sub( approach->center, from->pose.translation );
		out.center = bv_scale( inverse, bvmath_rotate_back( &from->pose, way ) );
		out.velocity = bv_scale( inverse, bvmath_rotate_back( &from->pose, approach->velocity ) );
		out.spin = bvmath_rotate_back( &from->pose, approach->spin );
		if ( from->mirror )
		{
			out.center.x = -out.center.x;
			out.velocity.x = -out.velocity.x;
			out.spin.y = -out.spin.y;
			out.spin.z = -out.spin.z;
		}
	}
	return out;
}

/// @param b_in_a  takes coordinates of the second mesh to those of the first one
/// @return the same of the first mesh relative to the second one, in coordinates of that
static inline bvtree_approach bvtree_approach_reversed( const bvtree_approach* approach,
                                                        const bv_transform* b_in_a )
{
	bvtree_approach out = bvtree_approach_in( approach, b_in_a );
	out.velocity = bv_negate( out.velocity );
	out.spin = bv_negate( out.spin );
	return out;
}

/// @return the displacement at a point
static inline bv_vec3 bvtree_approach_at( const bvtree_approach* approach, bv_vec3 point )
{
	return bv_add( approach->velocity, bv_cross( approach->spin, bv_sub( point, approach->center ) ) );
}

/// @param point   the displacement was computed here
/// @param radius  of a ball around it
/// @return how far displacements of points of the ball differ from it at most: r, the turn and rounding errors
static inline double bvtree_approach_rest( const bvtree_approach* approach, bv_vec3 point, double radius )
{
	if ( !approach->is_directed )
	{
		return approach->rest;
	}
	double spin = bvmath_norm1( approach->spin );
	double size = bvmath_norm1( approach->velocity ) +
	              spin * ( bvmath_norm1( point ) + bvmath_norm1( approach->center ) );
	return ( approach->rest + bvmath_length_up( approach->spin ) * radius ) * ( 1 + 0x1p-40 ) +
	       0x1p-46 * size;
}

/// Prepares a moved box for kernels of moving boxes: the box is put into the middle of its way, and its slack becomes larger by the
/// rest.
/// @param until  end of the range of f
static inline void bvtree_approach_box( const bvtree_approach* approach, double until, bvtree_moved_box* box )
{
	const float* half = box->lane.half;
	double square = (double)half[0] * half[0] + (double)half[1] * half[1] + (double)half[2] * half[2];
	double radius = sqrt( square ) * ( 1 + 0x1p-20 ) + box->slack;
	bv_vec3 way = bvtree_approach_at( approach, box->center );
	double rest = bvtree_approach_rest( approach, box->center, radius );
	box->center = bv_add( box->center, bv_scale( 0.5 * ( until - 1 ), way ) );
	bvtree_lane_axis( bv_scale( 0.5 * ( until + 1 ), way ), box->lane.way );
	// The way is rounded to binary32, and the center is a rounded sum.
	box->slack += rest + 0x1p-23 * bvmath_norm1( way ) + 0x1p-50 * bvmath_norm1( box->center );
}

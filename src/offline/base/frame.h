// Directions: unit vectors along a given vector and perpendicular to one, and points on the sides of a cube.

#pragma once

#include "runtime/math/vec.h"

#include <math.h>

/// @return v divided by its length, which is not 0
static inline bv_vec3 bvbase_unit( bv_vec3 v )
{
	return bv_scale( 1 / sqrt( bv_dot( v, v ) ), v );
}

/// Any unit vector at right angles to a unit vector.
static inline bv_vec3 bvbase_perpendicular( bv_vec3 v )
{
	// Crossed with the coordinate axis it is farthest from, so that the product is not small.
	double x = fabs( v.x );
	double y = fabs( v.y );
	double z = fabs( v.z );
	bv_vec3 axis = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
	return bvbase_unit( bv_cross( v, axis ) );
}

/// A point on a side of the cube from -1 to 1.
/// @param side  its axis, plus 3 for the side at -1
/// @param u     coordinate along the axis after that
/// @param v     coordinate along the third axis
static inline bv_vec3 bvbase_point_on_cube( int side, double u, double v )
{
	double w = side < 3 ? 1 : -1;
	return side % 3 == 0   ? ( bv_vec3 ){ w, u, v }
	       : side % 3 == 1 ? ( bv_vec3 ){ v, w, u }
	                       : ( bv_vec3 ){ u, v, w };
}

// Unit vectors: along a given vector, and perpendicular to a given unit vector.

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

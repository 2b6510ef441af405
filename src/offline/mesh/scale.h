// Scaling by powers of two. It does not round, and keeps products of lengths from overflow and underflow.

#pragma once

#include "runtime/math/vec.h"

#include <math.h>

/// @return v times 2^exponent
static inline bv_vec3 bvmesh_shift_exponent( bv_vec3 v, int exponent )
{
	return ( bv_vec3 ){ ldexp( v.x, exponent ), ldexp( v.y, exponent ), ldexp( v.z, exponent ) };
}

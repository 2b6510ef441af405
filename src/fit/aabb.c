// The least axis-aligned box whose sides are binary32 numbers.

#include "base/core/round.h"
#include "bvbuild/fit.h"

bv_aabb bvb_fit_aabb( const bv_vec3* points, uint32_t count )
{
	if ( count == 0 )
	{
		return ( bv_aabb ){ 0 };
	}
	bv_vec3 lower = points[0];
	bv_vec3 upper = points[0];
	for ( uint32_t i = 1; i < count; ++i )
	{
		bv_vec3 p = points[i];
		lower.x = p.x < lower.x ? p.x : lower.x;
		lower.y = p.y < lower.y ? p.y : lower.y;
		lower.z = p.z < lower.z ? p.z : lower.z;
		upper.x = p.x > upper.x ? p.x : upper.x;
		upper.y = p.y > upper.y ? p.y : upper.y;
		upper.z = p.z > upper.z ? p.z : upper.z;
	}

	// Adding +0 turns -0 into +0, so that equal boxes have equal bytes.
	return ( bv_aabb ){
		.lower = { bv_float_down( lower.x ) + 0.0f, bv_float_down( lower.y ) + 0.0f,
		           bv_float_down( lower.z ) + 0.0f },
		.upper = { bv_float_up( upper.x ) + 0.0f, bv_float_up( upper.y ) + 0.0f,
		           bv_float_up( upper.z ) + 0.0f },
	};
}

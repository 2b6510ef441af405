// The least axis-aligned box whose sides are binary32 numbers.

#include "bvbuild/fit.h"
#include "runtime/math/box.h"
#include "runtime/math/round.h"

bv_aabb bvb_fit_aabb( const bv_vec3* points, uint32_t count )
{
	if ( count == 0 )
	{
		return ( bv_aabb ){ 0 };
	}
	bv_aabb box = bvmath_box_of_points( points, count );

	// Adding +0 turns -0 into +0, so that equal boxes have equal bytes.
	return ( bv_aabb ){
		.lower = { bvmath_float_down( box.lower.x ) + 0.0f, bvmath_float_down( box.lower.y ) + 0.0f,
		           bvmath_float_down( box.lower.z ) + 0.0f },
		.upper = { bvmath_float_up( box.upper.x ) + 0.0f, bvmath_float_up( box.upper.y ) + 0.0f,
		           bvmath_float_up( box.upper.z ) + 0.0f },
	};
}

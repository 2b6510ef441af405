// Upper bounds of distances. See reach.h.

#include "base/core/reach.h"

#include "base/core/vec.h"

#include <math.h>

// Differences, squares, two sums and the root err by a factor of less than 1 + 4 * 2^-53. Where squares vanish the sum of
// the coordinates, which is never below the length, takes their place.
double bv_distance_bound( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	double squared = bv_dot( d, d );
	return ( squared > 0x1p-900 ? sqrt( squared ) : bv_norm1( d ) ) * ( 1 + 0x1p-50 );
}

// With u = 2^-53, the difference, the product and the two sums of one projection each err by a factor of at most
// 1 + u, which makes at most 4u + O(u^2) times sum |axis_k| |d_k|, and |axis_k| <= 1 + 4u. The bound below is twice
// that.
bv_vec3 bv_obb_reach( const bv_obb* box, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, box->center );
	double error = 0x1p-50 * bv_norm1( d );
	return ( bv_vec3 ){ fabs( bv_dot( box->axis[0], d ) ) + error, fabs( bv_dot( box->axis[1], d ) ) + error,
		                fabs( bv_dot( box->axis[2], d ) ) + error };
}

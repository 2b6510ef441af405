// The mean and the principal axes of a surface of triangles. See surface.h.

#include "offline/fit/surface.h"

#include "runtime/math/eigen.h"

#include <math.h>

bvfit_face bvfit_face_of( const bv_vec3 corner[3] )
{
	bv_vec3 u = bv_sub( corner[1], corner[0] );
	bv_vec3 v = bv_sub( corner[2], corner[0] );
	bv_vec3 normal = bv_cross( u, v );

	// The area of a sliver may round to 0; as a weight it must not, or a set of slivers has no mean.
	double longest = bvmath_max( bv_dot( u, u ), bv_dot( v, v ) );
	return ( bvfit_face ){
		.corner = { corner[0], corner[1], corner[2] },
		// Relative to a corner, so that the mean of far away corners keeps its digits.
		.midpoint = bv_add( corner[0], bv_scale( 1.0 / 3, bv_add( u, v ) ) ),
		.area = bvmath_max( sqrt( bv_dot( normal, normal ) ) / 2, 0x1p-60 * longest ),
	};
}

void bvfit_surface_axes( const bvfit_surface* s, bv_vec3 axis[3] )
{
	const double* m = s->moments;
	double covariance[3][3] = { { m[0], m[1], m[2] }, { m[1], m[3], m[4] }, { m[2], m[4], m[5] } };
	bvmath_eigen_symmetric( covariance, axis );
}

// A small enclosing ball in few passes: T. Larsson, "Fast and tight fitting bounding spheres", 2008,
// algorithm EPOS-14, whose second pass is that of J. Ritter, "An efficient bounding sphere", 1990. A third
// measures the radius round the rounded center, which is less than what the second has accumulated.

#include "bvbuild/fit.h"
#include "offline/fit/directions.h"
#include "offline/fit/sphere.h"
#include "runtime/math/vec.h"

#include <math.h>

bv_sphere bvb_fit_sphere_fast( const bv_vec3* points, uint32_t count )
{
	if ( count == 0 )
	{
		return ( bv_sphere ){ 0 };
	}
	uint32_t index[bvfit_extremal_most];
	uint32_t extremal_count = bvfit_extremal_points_14( points, count, index );
	bv_vec3 extremal[bvfit_extremal_most];
	for ( uint32_t i = 0; i < extremal_count; ++i )
	{
		extremal[i] = points[index[i]];
	}
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( extremal, extremal_count, &ball );

	bv_vec3 center = bv_add( ball.origin, ball.center );
	double radius = ball.radius;
	double squared_radius = radius * radius;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], center );
		double squared = bv_dot( d, d );
		if ( squared > squared_radius )
		{
			// The least ball that contains the one so far and the point.
			double distance = sqrt( squared );
			center = bv_add( center, bv_scale( ( distance - radius ) / ( 2 * distance ), d ) );
			radius = ( radius + distance ) / 2;
			squared_radius = radius * radius;
		}
	}
	return bvfit_sphere_around( points, count, center );
}

// Watertight intersection of rays and triangles. See ray.h.

#include "runtime/triangle/ray.h"

#include "runtime/math/vec.h"

#include <math.h>

// Swapped where the ray runs backwards, so that corners keep their sense.
void bvtri_ray_begin( bv_vec3 origin, bv_vec3 direction, bvtri_ray_frame* out )
{
	double size[3] = { fabs( direction.x ), fabs( direction.y ), fabs( direction.z ) };
	int last = size[1] > size[0] ? 1 : 0;
	last = size[2] > size[last] ? 2 : last;
	double length = bvmath_component( direction, last );
	int first = ( last + 1 ) % 3;
	int second = ( last + 2 ) % 3;
	out->axis[0] = length < 0 ? second : first;
	out->axis[1] = length < 0 ? first : second;
	out->axis[2] = last;
	for ( int i = 0; i < 3; ++i )
	{
		out->origin[i] = bvmath_component( origin, out->axis[i] );
	}
	out->length = length;
	out->shear_x = bvmath_component( direction, out->axis[0] ) / length;
	out->shear_y = bvmath_component( direction, out->axis[1] ) / length;
}

// Watertight intersection of rays and triangles. See ray_triangle.h.

#include "base/core/ray_triangle.h"

#include "base/core/vec.h"

#include <math.h>

// Swapped where the ray runs backwards, so that corners keep their sense.
void bv_ray_begin( bv_vec3 origin, bv_vec3 direction, bv_ray_frame* out )
{
	double size[3] = { fabs( direction.x ), fabs( direction.y ), fabs( direction.z ) };
	int last = size[1] > size[0] ? 1 : 0;
	last = size[2] > size[last] ? 2 : last;
	double length = bv_component( direction, last );
	int first = ( last + 1 ) % 3;
	int second = ( last + 2 ) % 3;
	out->origin = origin;
	out->axis[0] = length < 0 ? second : first;
	out->axis[1] = length < 0 ? first : second;
	out->axis[2] = last;
	out->length = length;
	out->shear_x = bv_component( direction, out->axis[0] ) / length;
	out->shear_y = bv_component( direction, out->axis[1] ) / length;
}

bool bv_ray_meets_triangle( const bv_ray_frame* ray, const bv_vec3 corner[3], bv_ray_triangle* out )
{
	double x[3];
	double y[3];
	double z[3];
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 d = bv_sub( corner[k], ray->origin );
		z[k] = bv_component( d, ray->axis[2] );
		x[k] = bv_component( d, ray->axis[0] ) - ray->shear_x * z[k];
		y[k] = bv_component( d, ray->axis[1] ) - ray->shear_y * z[k];
	}
	double u = x[2] * y[1] - y[2] * x[1];
	double v = x[0] * y[2] - y[0] * x[2];
	double w = x[1] * y[0] - y[1] * x[0];
	if ( ( u < 0 || v < 0 || w < 0 ) && ( u > 0 || v > 0 || w > 0 ) )
	{
		return false;
	}
	double sum = ( u + v ) + w;
	if ( !( sum != 0 ) )
	{
		return false;
	}
	out->weight[0] = u / sum;
	out->weight[1] = v / sum;
	out->weight[2] = w / sum;
	double depth = ( out->weight[0] * z[0] + out->weight[1] * z[1] ) + out->weight[2] * z[2];
	out->time = depth / ray->length;
	out->back = sum < 0;
	return true;
}

// Intersection of a ray and a triangle.
//
// S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle intersection", 2013: corners are sheared so that the
// ray runs along one axis through the origin, and the signs of three edge functions decide. Two triangles
// with a common side compute its edge function from the same numbers. Rounding is monotonic, so the function
// has the right sign or is 0. Therefore no ray passes between the two triangles. An edge function of 0 counts
// as a hit. The paper computes in binary32 and evaluates functions that are 0 again in binary64. Here all
// computations are in binary64.

#pragma once

#include "bv/base.h"
#include "runtime/math/vec.h"

/// A ray, ready for many triangles.
typedef struct bvtri_ray_frame
{
	double origin[3]; ///< where it starts, in the order of `axis`
	int axis[3];      ///< which coordinates take the place of x, y and z: along the last it is longest
	double shear_x;   ///< its slope over the last
	double shear_y;   ///< its slope over the last
	double length;    ///< its coordinate along the last, not 0
} bvtri_ray_frame;

/// @param direction  finite and not null; its length is the unit of times
void bvtri_ray_begin( bv_vec3 origin, bv_vec3 direction, bvtri_ray_frame* out );

/// Where a ray meets a triangle.
typedef struct bvtri_ray_triangle
{
	double time;      ///< the point is at origin + time * direction; may be negative
	double weight[3]; ///< of the corners in it: barycentric coordinates, none negative
	bool back;        ///< it comes from behind: the corners run clockwise as it sees them
} bvtri_ray_triangle;

/// @param corner  coordinates in the order of ray->axis; a triangle without area, or one that the ray runs
///                along, is not met
/// @return whether the line of the ray meets the closed triangle; `out` is filled only then
static inline bool bvtri_ray_meets_turned( const bvtri_ray_frame* ray, const double corner[9],
                                           bvtri_ray_triangle* out )
{
	double x[3];
	double y[3];
	double z[3];
	for ( int k = 0; k < 3; ++k )
	{
		z[k] = corner[3 * k + 2] - ray->origin[2];
		x[k] = ( corner[3 * k] - ray->origin[0] ) - ray->shear_x * z[k];
		y[k] = ( corner[3 * k + 1] - ray->origin[1] ) - ray->shear_y * z[k];
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

/// The same for corners as they are.
static inline bool bvtri_ray_meets_triangle( const bvtri_ray_frame* ray, const bv_vec3 corner[3],
                                             bvtri_ray_triangle* out )
{
	double turned[9];
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < 3; ++i )
		{
			turned[3 * k + i] = bvmath_component( corner[k], ray->axis[i] );
		}
	}
	return bvtri_ray_meets_turned( ray, turned, out );
}

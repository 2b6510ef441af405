// Distance of the convex hull of some points from a triangle, and the time of first contact of a moving hull.
//
// The distance is that of gjk.h. The result is an interval with a certain lower bound, because each support
// point gives a slab between the two objects.
//
// Moving hulls: for motion along a line, the distance is a convex function of time, and a slab is a tangent
// of it. Newton's method therefore approaches the first contact from earlier times and never passes it. Based
// on the ray cast of van den Bergen 2004, section 4, and on conservative advancement (Mirtich 1996).

#pragma once

#include "bv/base.h"
#include "runtime/convex/gjk.h"

/// The convex hull of points, which may be anywhere in it, too, or any convex shape by its support function.
typedef struct bvconvex_hull
{
	const bv_vec3* points; ///< count of them
	uint32_t count;        ///< at least 1
	bv_vec3 offset;        ///< is added to each of them

	bvconvex_support_function* support; ///< null for points, which the rest is not used for
	const void* shape;                  ///< what the function is given
	bv_vec3 center;                     ///< of a box around the shape, before the offset
	double extent;                      ///< the sum of that box's half extents
} bvconvex_hull;

/// The distance of a hull and a triangle lies in [lower, upper].
typedef struct bvconvex_hull_gap
{
	double lower; ///< certain; 0 where they may touch
	double upper; ///< of `point`, to rounding

	/// unit vector from the hull to the triangle, normal to a slab `lower` wide; null where lower is 0
	bv_vec3 along;

	bv_vec3 point[2]; ///< of the hull and of the triangle
	double weight[3]; ///< of the triangle's corners in it: barycentric coordinates
} bvconvex_hull_gap;

/// @param enough    only whether the distance is above this, and how much, is of interest
/// @param relative  the search ends with upper <= enough, or with lower > enough and upper - lower <=
///                  relative * ( upper - enough ): 1 for the decision alone, 0 for the distance to rounding
void bvconvex_hull_triangle_gap( const bvconvex_hull* hull, const bv_vec3 corner[3], double enough,
                                 double relative, bvconvex_hull_gap* out );

/// Where a moving hull first meets a triangle.
typedef struct bvconvex_hull_cast
{
	double time; ///< not later than the first contact but for rounding

	/// At that time. If they touch then, or nearly so, `along` is what it was before, and null only at the start.
	bvconvex_hull_gap gap;
} bvconvex_hull_cast;

/// Moves the hull by time * motion, for times from 0 to `limit`.
/// @param radius     the hull's points count with all that is no farther from them
/// @param tolerance  what passes no farther away than this may count as met; where all of it is that near, it
///                   is met at that time. At least 2^-44 of what hull, radius and triangle measure together
///                   is taken
/// @return false if the triangle is certainly not met; true if it comes as near as the tolerance; `out` is
///         filled then
bool bvconvex_hull_meets_triangle( const bvconvex_hull* hull, double radius, bv_vec3 motion, double limit,
                                   double tolerance, const bv_vec3 corner[3], bvconvex_hull_cast* out );

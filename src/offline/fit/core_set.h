// A few points that stand for all in a search: what is fitted to them is nearly what fits all, and points
// that are left outside join them for the next round. After M. Badoiu, S. Har-Peled, P. Indyk, "Approximate
// clustering via core-sets", 2002, for other volumes than balls.

#pragma once

#include "offline/base/lanes.h"
#include "runtime/math/vec.h"

enum
{
	bvfit_core_most = 128, ///< points; sets that are not larger stand for themselves
	bvfit_core_rounds = 8, ///< of joining
};

/// The chosen points.
typedef struct bvfit_core_set
{
	bv_vec3 origin;                 ///< a point of the set
	bv_vec3 point[bvfit_core_most]; ///< relative to the origin
	bvbase_double2 pair[bvfit_core_most / 2]
					   [3]; ///< the same, two at a time by coordinate; an odd last one twice
	uint32_t count;         ///< of points
	double grain; ///< what rounding to binary32 may add to a radius: a search that makes much of less is idle
} bvfit_core_set;

/// All points, or those that are extremal along the directions of the 26-DOP.
/// @param points  at least one
void bvfit_core_begin( bvfit_core_set* core, const bv_vec3* points, uint32_t count );

/// Distance of a point, relative to the origin, from what was fitted, as a vector that ends in the point.
typedef bv_vec3 bvfit_core_offset( const void* fitted, bv_vec3 point );

/// Adds points that are outside of what was fitted to the core set: in each octant of the offset, the
/// farthest.
/// @param radius  points at a larger distance are outside
/// @return whether one was added
bool bvfit_core_join( bvfit_core_set* core, const bv_vec3* points, uint32_t count, bvfit_core_offset* offset,
                      const void* fitted, double radius );

/// Principal axes of the points as points, an orthonormal right-handed frame.
void bvfit_core_axes( const bvfit_core_set* core, bv_vec3 axis[3] );

/// @return the unit direction of the two points of the core set that are farthest apart; any where all
///         coincide
bv_vec3 bvfit_core_diameter( const bvfit_core_set* core );

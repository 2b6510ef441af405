// Finds triangles that pass through a region. If no triangle does, one point decides whether the whole region
// is inside a closed mesh. This also holds for an open mesh whose open edges are far enough away
// (bvb_winding_bound_slope).

#pragma once

#include "offline/hausdorff/region.h"

/// What triangles do to a region.
typedef enum bvhaus_crossing
{
	bvhaus_crossing_none,    ///< no triangle passes through its inside
	bvhaus_crossing_known,   ///< one does, on a known plane
	bvhaus_crossing_unknown, ///< there are too many to look at
} bvhaus_crossing;

/// Looks for a triangle that passes through a region.
/// @param axis   the region's extents are taken along these
/// @param slack  what is no deeper only touches
/// @param out    receives the triangle's plane, if one is known
bvhaus_crossing bvhaus_region_find_crossing( const bvhaus_region* region, const bvhaus_index* index,
                                             const bv_vec3 axis[3], double slack, bvhaus_plane* out );

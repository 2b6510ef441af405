// Faces brought into the lanes of fit/box_lanes.h, some that follow each other to a lane.

#pragma once

#include "bvbuild/mesh.h"
#include "hierarchy/fit_sums.h"

/// Faces that follow each other.
typedef struct bvb_face_range
{
	uint32_t first; ///< of the mesh's triangles
	uint32_t count; ///< from 1 to bvb_box_faces
} bvb_face_range;

/// Fills all lanes. Of a lane with fewer faces than another the first one follows again.
/// @param out    receives the sets
/// @param lanes  receives where they come from
void bvb_fit_sets_put( const bvb_mesh* mesh, const bvb_face_range of[bvb_box_lanes], bvb_box_sets* out,
                       bvb_fit_lane lanes[bvb_box_lanes] );

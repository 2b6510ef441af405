// Faces brought into the lanes of fit/box_lanes.h, some that follow each other to a lane.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/hierarchy/fit_sums.h"

/// Faces that follow each other.
typedef struct bvhier_face_range
{
	uint32_t first; ///< of the mesh's triangles
	uint32_t count; ///< from 1 to bvfit_box_faces
} bvhier_face_range;

/// Fills all lanes. Of a lane with fewer faces than another the first one follows again.
/// @param out    receives the sets
/// @param lanes  receives where they come from
void bvhier_fit_sets_put( const bvb_mesh* mesh, const bvhier_face_range of[bvfit_box_lanes],
                          bvfit_box_sets* out, bvhier_fit_lane lanes[bvfit_box_lanes] );

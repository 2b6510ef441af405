// Where to start fitting a primitive from.

#pragma once

#include "offline/recognize/cloud.h"
#include "offline/recognize/shape.h"

enum
{
	bvrecog_starts_most = 12,
};

/// Primitives near which the best one may be. Boxes: in frames of the coordinate axes, of the cloud's
/// principal axes and of the directions that most of the hull faces. The least ball. Capsules and cylinders:
/// along coordinate axes, principal axes and those of the surface's normals.
/// @param mesh  what the cloud was chosen from
/// @param hull  of its vertices
/// @param out   receives them
/// @return how many, at least 1
int bvrecog_start_shapes( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                          bv_primitive_kind kind, bvrecog_shape out[bvrecog_starts_most] );

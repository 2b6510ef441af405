// Whether triangles are near a mesh, all of them.

#pragma once

#include "offline/hausdorff/index.h"

/// A mesh and how far from it is near.
typedef struct bvsimplify_near
{
	const bvhaus_index* index; ///< of the mesh's triangles, framed
	double tolerance;          ///< what is no farther is near
	double least;              ///< parts of this size are not parted any more: they are far
} bvsimplify_near;

/// @return whether a point is near
bool bvsimplify_is_point_near( const bvsimplify_near* near, bv_vec3 point );

/// @return whether all of a triangle is near, up to rounding; false also where that takes too small parts to
///         see
bool bvsimplify_is_triangle_near( const bvsimplify_near* near, const bv_vec3 corner[3] );

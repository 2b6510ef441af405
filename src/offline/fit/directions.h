// Points that are extremal along the directions of the k-DOPs.

#pragma once

#include "bv/shape.h"
#include "runtime/volume/project.h"

enum
{
	bvfit_extremal_most = 2 * BV_KDOP_DIRECTIONS,
};

/// Points that are extremal along the first seven directions of the k-DOPs, each once.
/// @param points  at least one
/// @param out     receives their indices, at most 14, ascending
/// @return how many
uint32_t bvfit_extremal_points_14( const bv_vec3* points, uint32_t count, uint32_t out[bvfit_extremal_most] );

/// The same along all directions: at most 26.
uint32_t bvfit_extremal_points_26( const bv_vec3* points, uint32_t count, uint32_t out[bvfit_extremal_most] );

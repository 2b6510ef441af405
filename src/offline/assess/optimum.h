// The smallest volume of a type around points.

#pragma once

#include "bv/shape.h"
#include "bvbuild/base.h"
#include "bvbuild/hull.h"

/// What a node's volume could be at the least.
typedef struct bvassess_optimum
{
	double volume; ///< the least volume
	double area;   ///< the least surface area, that of both sides of a flat one
	bool flat;     ///< the volume of the least is nothing but rounding
} bvassess_optimum;

/// Fits a volume of a type so that it is least in volume, and in area.
/// @param points   at least one
/// @param hull     theirs; null for types that need none
/// @param scratch  for the work
/// @return bv_ok; bv_error_memory
bv_status bvassess_find_optimum( bv_volume_type type, const bv_vec3* points, uint32_t count,
                                 const bvb_hull* hull, bvb_arena* scratch, bvassess_optimum* out );

/// @return whether volumes of the type are found sooner by the hull's corners than by all points
bool bvassess_optimum_takes_hull( bv_volume_type type );

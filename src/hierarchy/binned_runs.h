// Triangles along a space-filling curve, and runs of neighbours there. See binned_runs.c.

#pragma once

#include "hierarchy/binned.h"

/// The triangles of a mesh along the curve, and in runs.
typedef struct bvb_binned_curve
{
	bvb_binned_item* items; ///< of the triangles, along the curve
	bvb_binned_item* runs;  ///< of neighbours there; as much room again as for twice `room`
	uint32_t run_count;     ///< how many there are
	uint32_t room;          ///< for as many runs as there may be once they are divided
} bvb_binned_curve;

/// @param run_most  triangles of a run, 1 .. bvb_binned_run
/// @param out       lives in build->scratch
/// @return false when out of memory
bool bvb_binned_curve_make( const bvb_build* build, uint32_t run_most, bvb_binned_curve* out );

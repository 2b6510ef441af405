// Triangles along a space-filling curve, and runs of neighbors there. See binned_runs.c.

#pragma once

#include "hierarchy/binned.h"

/// The triangles of a mesh along the curve, and in runs.
typedef struct bvb_binned_curve
{
	bvb_binned_item* items; ///< of the triangles, along the curve
	bvb_binned_item* runs;  ///< of neighbors there; in front of room for twice `most` of them
	uint32_t run_count;     ///< how many there are
	uint32_t most;          ///< how many there may be once they are divided
} bvb_binned_curve;

/// Bytes a triangle of the room in which the curve is made.
#define BVB_BINNED_CURVE_BYTES ( 2 * sizeof( bvb_binned_item ) )

/// @param run_most  triangles of a run, 1 .. bvb_binned_run
/// @param room      of BVB_BINNED_CURVE_BYTES a triangle, 16-byte aligned; from the beginning on receives the runs and their room, the
///                  rest is free again
/// @param out       its items live in build->scratch
/// @return false when out of memory
bool bvb_binned_curve_make( const bvb_build* build, uint32_t run_most, void* room, bvb_binned_curve* out );

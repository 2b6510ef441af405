// Triangles along a space-filling curve, and runs of neighbors there. See binned_runs.c.

#pragma once

#include "offline/hierarchy/binned.h"

/// The triangles of a mesh along the curve, and in runs.
typedef struct bvhier_binned_curve
{
	bvhier_binned_item* items; ///< of the triangles, along the curve
	bvhier_binned_item* runs;  ///< of neighbors there; in front of room for twice `most` of them
	uint32_t run_count;        ///< how many there are
	uint32_t most;             ///< how many there may be once they are divided
} bvhier_binned_curve;

/// Bytes a triangle of the room in which the curve is made.
#define BVHIER_BINNED_CURVE_BYTES ( 2 * sizeof( bvhier_binned_item ) )

/// @param run_most  triangles of a run, 1 .. bvhier_binned_run
/// @param room      of BVHIER_BINNED_CURVE_BYTES a triangle, 16-byte aligned; from the beginning on receives
///                  the runs and their room, the rest is free again
/// @param out       its items live in build->scratch
/// @return false when out of memory
bool bvhier_binned_curve_make( const bvhier_build* build, uint32_t run_most, void* room,
                               bvhier_binned_curve* out );

// How far the meshes of two files are from each other.

#pragma once

#include "bvbuild/report.h"

/// Certified distances between two meshes, mesh units.
typedef struct bvreport_mesh_distance
{
	bool known; ///< both files have triangles
	bool equal; ///< the same triangles at the same places, in any order; all distances are 0 then
	bv_interval from_before; ///< how far a point of the mesh before can be from the one after
	bv_interval from_after;  ///< and the other way round
	bv_interval hausdorff;   ///< the greater of both
	double diagonal;         ///< of the box round both
} bvreport_mesh_distance;

/// Measures them.
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status bvreport_measure_mesh_distance( const bv_file* before, const bv_file* after,
                                          const bvb_compare_options* options, bvb_arena* arena,
                                          bvreport_mesh_distance* out, bvb_error* error );

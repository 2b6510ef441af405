// The offset of a mesh: the point that its positions are stored relative to.

#pragma once

#include "bvbuild/mesh.h"

/// An axis-aligned box.
typedef struct bvmesh_extent
{
	bv_vec3 lower; ///< mesh units
	bv_vec3 upper; ///< mesh units
} bvmesh_extent;

/// @param mesh  has triangles; vertices that none of them uses do not count
/// @return the box around its triangles
bvmesh_extent bvmesh_extent_of( const bvb_mesh* mesh );

/// Chooses the offset. A coordinate of it is 0 unless the mesh is far from 0 along that axis; then it is a
/// round number near the middle of the mesh. Positions minus the offset are exact in binary64.
/// @param extent  of the mesh
/// @return the offset, mesh units
bv_vec3 bvmesh_choose_offset( const bvmesh_extent* extent );

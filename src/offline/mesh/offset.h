// The offset of a mesh: the point that its positions are stored relative to.

#pragma once

#include "bvbuild/mesh.h"

/// @param mesh  has triangles; vertices that none of them uses do not count
/// @return the box around its triangles
bv_aabb bvmesh_box_of_triangles( const bvb_mesh* mesh );

/// Chooses the offset. A coordinate of it is 0 unless the mesh is far from 0 along that axis; then it is a
/// round number near the middle of the mesh. Positions minus the offset are exact in binary64.
/// @param box  around the triangles of the mesh
/// @return the offset, mesh units
bv_vec3 bvmesh_choose_offset( const bv_aabb* box );

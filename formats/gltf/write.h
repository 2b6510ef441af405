// Binary glTF 2.0: a writer of meshes.

#pragma once

#include "bvbuild/export.h"

/// Writes each mesh as a node of its own, with a material of its color. What else is known of it is in the
/// node's extras: `node`, `level`, `triangles`, `volume`, `surface_upper` and `solid_upper` of nodes of the
/// hierarchy, `standoff` of these and of round volumes. A body becomes one node, with the mesh to look at,
/// whose children are its colliders, by KHR_physics_rigid_bodies and KHR_implicit_shapes. Coordinates are
/// rounded to binary32 and keep their up axis. The offset of the file is the translation of the nodes. There are no
/// normals, so viewers show faces flat.
/// @return bv_ok; bv_error_limit above 4 GB; bv_error_memory
bv_status bvgltf_write_glb( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                            bvb_error* error );

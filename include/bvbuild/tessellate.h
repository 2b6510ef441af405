// Bounding volumes as triangles, to be drawn or read by other programs.
//
// Boxes and k-DOPs are represented exactly, except for the rounding of their corners to binary64. Round volumes become enclosing
// polyhedra with a known stand-off. All meshes are closed, face outwards and share their vertices. A flat volume becomes one
// two-sided polygon; a volume without area has vertices only.

#pragma once

#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sides that the eighth of a ball has along each of its three edges, unless another number is wanted: 512 triangles a ball, which
/// stand off by 1.56 % of its radius at most.
#define BVB_TESSELLATION_SIDES 8

/// No more sides are possible.
#define BVB_TESSELLATION_MAX_SIDES 128

/// A volume as a mesh.
typedef struct bvb_tessellation
{
	bvb_mesh mesh;   ///< lives in the arena it was made in
	double standoff; ///< no point of the mesh is farther from the volume, mesh units; 0 for boxes and k-DOPs
} bvb_tessellation;

/// Makes a mesh of a volume. Of balls and rectangle swept spheres it encloses them, as binary64 numbers.
/// @param volume  with numbers up to BVB_MAX_COORDINATE
/// @param sides   of round volumes, 1 to BVB_TESSELLATION_MAX_SIDES: a ball has 8 * sides^2 triangles; 0 means
///                BVB_TESSELLATION_SIDES
/// @return bv_ok; bv_error_argument for more sides or another type; bv_error_memory
bv_status bvb_tessellate( const bv_volume* volume, uint32_t sides, bvb_arena* arena, bvb_tessellation* out,
                          bvb_error* error );

/// The same of a capsule, which the mesh encloses.
bv_status bvb_tessellate_capsule( const bv_capsule* capsule, uint32_t sides, bvb_arena* arena,
                                  bvb_tessellation* out, bvb_error* error );

/// The same of a cylinder, which the mesh encloses.
bv_status bvb_tessellate_cylinder( const bv_cylinder* cylinder, uint32_t sides, bvb_arena* arena,
                                   bvb_tessellation* out, bvb_error* error );

#ifdef __cplusplus
}
#endif

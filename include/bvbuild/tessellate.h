// Converts bounding volumes to triangle meshes, for drawing or export.
//
//     #include <bvbuild/tessellate.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_volume ball = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 1 } };
//         bvb_arena* arena = bvb_arena_create();
//         bvb_tessellation result;
//         if ( bvb_tessellate( &ball, 0, arena, &result, NULL ) == bv_ok )
//             printf( "%u triangles, at most %g from the ball\n",
//                     (unsigned)result.mesh.triangle_count, result.standoff );   // 512 triangles
//         bvb_arena_destroy( arena );
//         return 0;
//     }
//
// Boxes and k-DOPs are reproduced exactly, except for the rounding of their corners to binary64. Round
// volumes become enclosing polyhedra with a known stand-off. All meshes are closed, face outward and share
// vertices. A flat volume becomes a polygon with two sides. A volume without area becomes vertices without
// triangles.

#pragma once

#include "bv/shape.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The default number of subdivisions along each edge of an octant of a sphere. A sphere then has 512
/// triangles, which stand off by at most 1.56 % of its radius.
#define BVB_TESSELLATION_SIDES 8

/// The maximum number of subdivisions.
#define BVB_TESSELLATION_MAX_SIDES 128

/// A tessellated volume.
typedef struct bvb_tessellation
{
	bvb_mesh mesh;   ///< lives in the arena of the function that made it
	double standoff; ///< maximum distance from the mesh to the volume, mesh units; 0 for boxes and k-DOPs
} bvb_tessellation;

/// Tessellates a volume. The mesh of a sphere or of a rectangle swept sphere encloses it, with binary64
/// positions.
/// @param volume  numbers up to BVB_MAX_COORDINATE
/// @param sides   subdivisions of round volumes, 1 to BVB_TESSELLATION_MAX_SIDES: a sphere has 8 * sides^2
///                triangles; 0 for BVB_TESSELLATION_SIDES
/// @param arena   the result lives here
/// @return bv_ok; bv_error_argument if `sides` or the type is out of range; bv_error_memory
bv_status bvb_tessellate( const bv_volume* volume, uint32_t sides, bvb_arena* arena, bvb_tessellation* out,
                          bvb_error* error );

/// Tessellates a capsule. The mesh encloses it. Parameters and errors are as for bvb_tessellate.
bv_status bvb_tessellate_capsule( const bv_capsule* capsule, uint32_t sides, bvb_arena* arena,
                                  bvb_tessellation* out, bvb_error* error );

/// Tessellates a cylinder. The mesh encloses it. Parameters and errors are as for bvb_tessellate.
bv_status bvb_tessellate_cylinder( const bv_cylinder* cylinder, uint32_t sides, bvb_arena* arena,
                                   bvb_tessellation* out, bvb_error* error );

#ifdef __cplusplus
}
#endif

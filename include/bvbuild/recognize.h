// Recognizes meshes that are boxes, spheres, capsules or cylinders. Physics engines test such primitives
// faster than any hierarchy.
//
//     #include <bvbuild/recognize.h>
//     #include <stdio.h>
//
//     // Prints the primitive that a mesh of record resembles to within 0.01 mesh units.
//     bv_status print_kind( const bvb_mesh* mesh, bvb_arena* arena, bvb_error* error )
//     {
//         bvb_hull hull;
//         bv_primitive fits[bv_primitive_kinds];
//         bv_primitive_kind best = bv_primitive_kinds;
//         bv_status status = bvb_hull_compute( mesh->positions, mesh->vertex_count, arena, &hull, error );
//         if ( status == bv_ok )
//             status = bvb_recognize( mesh, &hull, NULL, 0.01, NULL, NULL, arena, fits, &best, error );
//         if ( status == bv_ok && best != bv_primitive_kinds )
//             printf( "%s, error at most %g\n", bvb_primitive_name( best ), fits[best].error.upper );
//         return status;
//     }

#pragma once

#include "bv/file.h"
#include "bv/shape.h"
#include "bvbuild/base.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @return "box", "sphere", "capsule" or "cylinder"
const char* bvb_primitive_name( bv_primitive_kind kind );

/// Fits one primitive of each kind and certifies its Hausdorff distance from the mesh.
///
/// The best kind is the one with the smallest error, among those whose error is certainly not above the
/// tolerance. Errors that differ by at most a tenth of the tolerance are considered equal, and then the first
/// kind in the order of the enumeration is chosen: a sphere rather than a capsule of length 0.
/// @param mesh       without degenerate triangles and unused vertices
/// @param hull       hull of all its vertices
/// @param target     target made from the mesh; null to create it if needed. It is not needed for a closed
///                   mesh with few rough places, nor for a mesh that is far from every primitive.
/// @param tolerance  mesh units, positive. Smaller errors are certified to a tenth of it. For errors above
///                   it only that fact is certified.
/// @param stop       when this returns true, searches of a primitive's surface end with a wider interval; null for
///                   never, as 2^20 regions limit each of them to some seconds
/// @param context    passed to `stop`
/// @param scratch    scratch memory
/// @param out        receives one primitive of each kind, in the order of the enumeration; their numbers are
///                   binary32 numbers
/// @param best       receives the best kind; bv_primitive_kinds if no kind is within the tolerance
/// @return bv_ok; bv_error_argument if the tolerance is not positive or the mesh has no triangles;
/// bv_error_memory
bv_status bvb_recognize( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bool ( *stop )( void* context ), void* context, bvb_arena* scratch,
                         bv_primitive out[bv_primitive_kinds], bv_primitive_kind* best, bvb_error* error );

#ifdef __cplusplus
}
#endif

// Is a mesh a box, a sphere, a capsule or a cylinder? Engines test such primitives faster than any hierarchy and would
// rather have them.

#pragma once

#include "bv/file.h"
#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @return "box", "sphere", "capsule" or "cylinder"
const char* bvb_primitive_name( bv_primitive_kind kind );

/// Fits one primitive of each kind and certifies how far it is from the mesh.
/// @param mesh       without degenerate triangles and unused vertices
/// @param hull       of all its vertices
/// @param target     of the mesh; null: made when it is needed, which it is not for a closed mesh of few rough places nor for
///                   one that is far from any primitive
/// @param tolerance  mesh units, above 0; smaller errors are certified to a tenth of the tolerance. The measurement of a
///                   kind may stop as soon as its error is certain to exceed the tolerance
/// @param scratch    memory for the fits
/// @param out        receives one of each kind in the order of the enumeration; their numbers are binary32's, as files
///                   hold them
/// @param best       receives the kind with the smallest error among those certified to be within the tolerance;
///                   bv_primitive_kinds if no kind is. Errors that differ by at most a tenth of the tolerance count as equal;
///                   the first kind wins then, such as a sphere over a capsule of length 0
/// @return bv_ok; bv_error_argument if the tolerance is not above 0 or the mesh has no triangles; bv_error_memory
bv_status bvb_recognize( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bvb_arena* scratch, bv_primitive out[bv_primitive_kinds],
                         bv_primitive_kind* best, bvb_error* error );

#ifdef __cplusplus
}
#endif

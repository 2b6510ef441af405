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
/// @param tolerance  mesh units, above 0: errors below it are certified to a tenth of it; of a kind whose error is
///                   certainly above it no more need be known than that
/// @param scratch    memory for the fits
/// @param out        receives one of each kind in the order of the enumeration; their numbers are binary32's, as files
///                   hold them
/// @return the kind of least error among those whose error is certainly not above the tolerance, in `best`;
///         bv_primitive_kinds when there is none. Errors that differ by no more than a tenth of the tolerance count as
///         equal, and of equal ones the first kind is taken: a sphere rather than a capsule of no length. bv_ok;
///         bv_error_argument for a tolerance that is not above 0 or a mesh without triangles; bv_error_memory
bv_status bvb_recognize( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bvb_arena* scratch, bv_primitive out[bv_primitive_kinds],
                         bv_primitive_kind* best, bvb_error* error );

#ifdef __cplusplus
}
#endif

// Is a mesh a box, a sphere, a capsule or a cylinder? Engines test such primitives faster than any hierarchy and would
// rather have them.

#pragma once

#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The shapes that are tried.
typedef enum bvb_primitive_kind
{
	bvb_primitive_box,      ///< an oriented box
	bvb_primitive_sphere,   ///< a ball
	bvb_primitive_capsule,  ///< a segment with a radius
	bvb_primitive_cylinder, ///< with flat ends
	bvb_primitive_kinds,    ///< how many kinds there are
} bvb_primitive_kind;

/// A primitive fitted to a mesh so that the two surfaces are near each other. It need not enclose the mesh.
typedef struct bvb_primitive
{
	bvb_primitive_kind kind; ///< which of the next four holds
	bv_obb box;              ///< mesh units
	bv_sphere sphere;        ///< mesh units
	bv_capsule capsule;      ///< mesh units
	bv_cylinder cylinder;    ///< mesh units
	bvb_interval
		from_surface;       ///< how far a point of the primitive's surface can be from the mesh, mesh units
	bvb_interval from_mesh; ///< how far a point of the mesh can be from the primitive's surface, mesh units
	bvb_interval error;     ///< the greater of the two: the Hausdorff distance of the two surfaces
} bvb_primitive;

/// @return "box", "sphere", "capsule" or "cylinder"
const char* bvb_primitive_name( bvb_primitive_kind kind );

/// Fits one primitive of each kind and certifies how far it is from the mesh.
/// @param mesh       without degenerate triangles
/// @param hull       of all its vertices
/// @param target     of the mesh
/// @param tolerance  mesh units, above 0: errors below it are certified to a tenth of it; of a kind whose error is
///                   certainly above it no more need be known than that
/// @param scratch    memory for the fits
/// @param out        receives one of each kind in the order of the enumeration
/// @return the kind of least error among those whose error is certainly not above the tolerance, in `best`;
///         bvb_primitive_kinds when there is none. bv_ok; bv_error_argument; bv_error_memory
bv_status bvb_recognise( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bvb_arena* scratch, bvb_primitive out[bvb_primitive_kinds],
                         bvb_primitive_kind* best, bvb_error* error );

#ifdef __cplusplus
}
#endif

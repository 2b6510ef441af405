// The shapes that volumes are made into meshes as.

#pragma once

#include "bvbuild/tessellate.h"

/// Allocates a mesh.
/// @return whether there was memory
bool bvfit_tessellation_begin( bvb_tessellation* out, uint32_t vertices, uint32_t triangles,
                               bvb_arena* arena );

/// A body round a box: all points no farther than `radius` from it. Balls, capsules and rectangle swept
/// spheres are such.
typedef struct bvfit_round_box
{
	bv_vec3 center;         ///< mesh units
	bv_vec3 axis[3];        ///< orthonormal, right-handed
	double half_extents[3]; ///< of the box, not negative
	double radius;          ///< above 0
} bvfit_round_box;

/// Makes a mesh that encloses the body.
/// @param sides  at least 1
/// @return whether there was memory
bool bvfit_tessellate_round_box( const bvfit_round_box* body, uint32_t sides, bvb_arena* arena,
                                 bvb_tessellation* out );

/// Makes a k-DOP's mesh.
/// @return whether there was memory
bool bvfit_tessellate_kdop( const bv_kdop* kdop, bvb_arena* arena, bvb_tessellation* out );

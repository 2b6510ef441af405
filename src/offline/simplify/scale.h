// Copies of meshes, scaled by powers of two.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"
#include "runtime/math/vec.h"

#include <math.h>

/// @return the largest absolute value of all coordinates
static inline double bvsimplify_largest_coordinate( const bvb_mesh* mesh )
{
	double largest = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		largest = bvmath_max( largest, bvmath_largest( p ) );
	}
	return largest;
}

/// @return the least exponent such that all coordinates are below 2^exponent
static inline int bvsimplify_exponent_of( const bvb_mesh* mesh )
{
	int exponent;
	frexp( bvsimplify_largest_coordinate( mesh ), &exponent );
	return exponent;
}

/// @return v times 2^exponent
static inline bv_vec3 bvsimplify_shifted( bv_vec3 v, int exponent )
{
	return ( bv_vec3 ){ ldexp( v.x, exponent ), ldexp( v.y, exponent ), ldexp( v.z, exponent ) };
}

/// Copies a mesh with all coordinates times 2^exponent. The triangles are the same ones.
/// @return false when out of memory
static inline bool bvsimplify_copy_scaled( const bvb_mesh* mesh, int exponent, bvb_arena* arena,
                                           bvb_mesh* out )
{
	*out = *mesh;
	out->positions = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *out->positions );
	for ( uint32_t i = 0; out->positions && i < mesh->vertex_count; ++i )
	{
		out->positions[i] = bvsimplify_shifted( mesh->positions[i], exponent );
	}
	return out->positions;
}

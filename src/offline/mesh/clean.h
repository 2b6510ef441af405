// Removes degenerate triangles (without area) and duplicate triangles from a mesh.

#pragma once

#include "bvbuild/mesh.h"
#include "runtime/math/vec.h"

/// @return the power of two that brings `largest` to about 1, as far as binary64 has it
double bvmesh_exponent_scale( double largest );

/// Decides what bvmesh_spans_area leaves open.
/// @param u  from one corner to the second
/// @param v  and to the third
bool bvmesh_spans_area_exactly( bv_vec3 u, bv_vec3 v );

/// @return whether three corners are not on one line, but for the rounding of u and v. Products that round to
///         different numbers are different
static inline bool bvmesh_spans_area( bv_vec3 u, bv_vec3 v )
{
	return u.y * v.z != u.z * v.y || u.z * v.x != u.x * v.z || u.x * v.y != u.y * v.x ||
	       bvmesh_spans_area_exactly( u, v );
}

/// @return whether the corners of a triangle are three vertices that are not on one line
static inline bool bvmesh_has_area( const bv_vec3* positions, const bvb_triangle* triangle )
{
	const uint32_t* c = triangle->corner;
	return c[0] != c[1] && c[1] != c[2] && c[2] != c[0] &&
	       bvmesh_spans_area( bv_sub( positions[c[1]], positions[c[0]] ),
	                          bv_sub( positions[c[2]], positions[c[0]] ) );
}

/// Moves a triangle with its origin.
static inline void bvmesh_keep_triangle( bvb_mesh* mesh, uint32_t from, uint32_t to )
{
	mesh->triangles[to] = mesh->triangles[from];
	mesh->origin[to] = mesh->origin[from];
}

/// Drops each triangle with the vertices and the winding of one before it.
/// @param dropped  grows by their number
/// @return bv_ok; bv_error_memory
bv_status bvmesh_drop_duplicates( bvb_mesh* mesh, bvb_arena* scratch, uint64_t* dropped, bvb_error* error );

// Support points of hulls with neighbors, by hill climbing.

#pragma once

#include "runtime/convex/shape.h"

/// @param index  of a vertex of a file's hull
/// @return the vertex as stored
static inline bv_vec3 bvconvex_hull_point( const bvconvex_prepared* s, uint32_t index )
{
	const bvfile_hull_view* v = &s->file_hull;
	return v->head->own ? bvfile_position_of( s->mesh, v->vertices, index )
	                    : bvfile_position_of( s->mesh, s->positions,
	                                          bvfile_index_at( v->vertices, v->vertex_bytes, index ) );
}

/// @param shape  a file's hull, with or without neighbors
/// @param near   as for bvconvex_support_function
/// @return the index of the vertex that is farthest along a vector
uint32_t bvconvex_climb_hull( const bvconvex_prepared* shape, const bv_vec3* along, uint32_t near );

/// @param shape  a graph
uint32_t bvconvex_climb_graph( const bvconvex_prepared* shape, const bv_vec3* along, uint32_t near );

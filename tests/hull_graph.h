// The convex hull of points as a shape with neighbors.

#pragma once

#include "bv/shape.h"

#include "bvbuild/hull.h"

#include <string.h>

// @param out  receives the hull, with its corners' neighbors counterclockwise, in memory of the arena
// @return false if the points have no polyhedron for a hull, or there is no memory
static inline bool graph_of_hull( bvb_arena* arena, const bv_vec3* points, uint32_t count, bv_convex* out )
{
	bvb_hull hull;
	if ( bvb_hull_compute( points, count, arena, &hull, NULL ) != bv_ok || hull.kind != bv_hull_polyhedron )
	{
		return false;
	}
	uint32_t corners = hull.vertex_count;
	bv_vec3* corner = bvb_arena_allocate( arena, corners, sizeof *corner );
	uint32_t* first = bvb_arena_allocate( arena, (size_t)corners + 1, sizeof *first );
	uint32_t* neighbors = bvb_arena_allocate( arena, 3 * (size_t)hull.face_count, sizeof *neighbors );
	uint32_t* next = bvb_arena_allocate( arena, 3 * (size_t)hull.face_count, sizeof *next );
	uint32_t* begin = bvb_arena_allocate( arena, corners, sizeof *begin );
	if ( !corner || !first || !neighbors || !next || !begin )
	{
		return false;
	}

	// Lists of the sides that start at each corner.
	memset( begin, 0xff, corners * sizeof *begin );
	for ( uint32_t i = 0; i < 3 * hull.face_count; ++i )
	{
		uint32_t v = hull.faces[i / 3].corner[i % 3];
		next[i] = begin[v];
		begin[v] = i;
	}
	uint32_t filled = 0;
	for ( uint32_t v = 0; v < corners; ++v )
	{
		corner[v] = points[hull.vertices[v]];
		first[v] = filled;
		uint32_t at = begin[v];
		do
		{
			// Counterclockwise around v, the side of a face that ends the way to v begins where the next face starts.
			const uint32_t* c = hull.faces[at / 3].corner;
			neighbors[filled++] = c[( at % 3 + 1 ) % 3];
			uint32_t last = c[( at % 3 + 2 ) % 3];
			at = begin[v];
			while ( hull.faces[at / 3].corner[( at % 3 + 1 ) % 3] != last )
			{
				at = next[at];
			}
		} while ( at != begin[v] );
	}
	first[corners] = filled;
	*out = bv_convex_graph( corner, corners, first, neighbors );
	return true;
}

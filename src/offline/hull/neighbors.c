// Neighbors of a hull's vertices. See neighbors.h.
//
// Hill climbing needs a surface that is exactly convex. Where qhull has merged facets and triangulated them
// again it is convex only up to rounding, so the neighbors come from a repaired copy. Vertices that the copy
// lacks are marked as loose, or all of them if the repair fails.

#include "offline/hull/neighbors.h"

#include "offline/hull/convex.h"

#include <string.h>

static bool copy_surface( const bvhull_surface* surface, bvb_arena* arena, bvhull_surface* out )
{
	size_t sides = 3 * (size_t)surface->face_count;
	size_t vertices = (size_t)surface->vertex_count + 1;
	*out = *surface;
	out->face = bvb_arena_allocate( arena, surface->face_count, sizeof *out->face );
	out->twin = bvb_arena_allocate( arena, sides, sizeof *out->twin );
	out->leaving = bvb_arena_allocate( arena, sides, sizeof *out->leaving );
	out->first = bvb_arena_allocate( arena, vertices, sizeof *out->first );
	if ( !out->face || !out->twin || !out->leaving || !out->first )
	{
		return false;
	}
	memcpy( out->face, surface->face, surface->face_count * sizeof *out->face );
	memcpy( out->twin, surface->twin, sides * sizeof *out->twin );
	return true;
}

static bool emit( const bvhull_surface* s, bool convex, const bv_vec3* points, const bvb_hull* hull,
                  bvb_arena* arena, bvb_hull_polygons* out )
{
	uint32_t sides = s->first[s->vertex_count];
	out->vertex_count = s->vertex_count;
	out->reach = s->reach;
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		out->loose_count += !convex || s->first[v] == s->first[v + 1];
	}
	out->positions = bvb_arena_allocate( arena, s->vertex_count, sizeof *out->positions );
	out->first_neighbor =
		bvb_arena_allocate( arena, (size_t)s->vertex_count + 1, sizeof *out->first_neighbor );
	out->neighbors = bvb_arena_allocate( arena, sides, sizeof *out->neighbors );
	out->loose = bvb_arena_allocate( arena, out->loose_count, sizeof *out->loose );
	if ( !out->positions || !out->first_neighbor || !out->neighbors || !out->loose )
	{
		return false;
	}

	uint32_t loose = 0;
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		out->positions[v] = points[hull->vertices[v]];
		out->first_neighbor[v + 1] = s->first[v + 1];
		if ( !convex || s->first[v] == s->first[v + 1] )
		{
			out->loose[loose++] = v;
		}
	}
	for ( uint32_t i = 0; i < sides; ++i )
	{
		out->neighbors[i] = bvhull_side_end( s, s->leaving[i] );
	}
	return true;
}

bool bvhull_connect( const bvhull_surface* surface, const bv_vec3* points, const bvb_hull* hull,
                     bvb_arena* scratch, bvb_arena* arena, bvb_hull_polygons* out )
{
	if ( bvhull_is_convex( surface ) )
	{
		return emit( surface, true, points, hull, arena, out );
	}
	bvhull_surface mended;
	bool convex;
	if ( !copy_surface( surface, scratch, &mended ) || !bvhull_make_convex( &mended, scratch, &convex ) )
	{
		return false;
	}
	return emit( convex ? &mended : surface, convex, points, hull, arena, out );
}

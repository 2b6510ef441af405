// Triangles of a polyhedron with the twins of their sides. See surface.h.

#include "offline/hull/surface.h"

#include "offline/base/error.h"
#include "offline/hull/scale.h"

void bvhull_sort_sides( bvhull_surface* s )
{
	uint32_t count = 3 * s->face_count;
	for ( uint32_t v = 0; v <= s->vertex_count; ++v )
	{
		s->first[v] = 0;
	}
	for ( uint32_t side = 0; side < count; ++side )
	{
		s->first[bvhull_side_origin( s, side ) + 1] += 1;
	}
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		s->first[v + 1] += s->first[v];
	}
	for ( uint32_t side = count; side-- > 0; )
	{
		uint32_t v = bvhull_side_origin( s, side );
		s->leaving[--s->first[v + 1]] = side;
	}

	// Filling from the back has moved each vertex's end to its beginning.
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		s->first[v] = s->first[v + 1];
	}
	s->first[s->vertex_count] = count;
}

static uint32_t degree( const bvhull_surface* s, uint32_t vertex )
{
	return s->first[vertex + 1] - s->first[vertex];
}

// Searching round the end that has fewer sides takes linear time over all edges, because planar graphs have
// few edges between vertices of high degree (Chiba, Nishizeki 1985).
static uint32_t find_twin( const bvhull_surface* s, uint32_t side )
{
	uint32_t from = bvhull_side_origin( s, side );
	uint32_t to = bvhull_side_end( s, side );
	bool at_end = degree( s, to ) < degree( s, from );
	uint32_t hub = at_end ? to : from;
	for ( uint32_t i = s->first[hub]; i < s->first[hub + 1]; ++i )
	{
		uint32_t other = at_end ? s->leaving[i] : bvhull_previous_side( s->leaving[i] );
		if ( bvhull_side_origin( s, other ) == to && bvhull_side_end( s, other ) == from )
		{
			return other;
		}
	}
	return BVHULL_NONE;
}

bool bvhull_find_twins( bvhull_surface* s )
{
	uint32_t count = 3 * s->face_count;
	for ( uint32_t side = 0; side < count; ++side )
	{
		s->twin[side] = BVHULL_NONE;
	}
	for ( uint32_t side = 0; side < count; ++side )
	{
		if ( s->twin[side] == BVHULL_NONE )
		{
			uint32_t other = find_twin( s, side );
			if ( other == BVHULL_NONE || s->twin[other] != BVHULL_NONE )
			{
				return false;
			}
			s->twin[side] = other;
			s->twin[other] = side;
		}
	}
	return true;
}

static bool corners_in_range( const bvhull_surface* s )
{
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		const uint32_t* c = s->face[f].corner;
		if ( c[0] >= s->vertex_count || c[1] >= s->vertex_count || c[2] >= s->vertex_count )
		{
			return false;
		}
	}
	return true;
}

bv_status bvhull_surface_create( const bv_vec3* points, const bvb_hull* hull, bvb_arena* arena,
                                 bvhull_surface* out, bvb_error* error )
{
	*out = ( bvhull_surface ){ .vertex_count = hull->vertex_count, .face_count = hull->face_count };
	if ( hull->kind != bv_hull_polyhedron )
	{
		return bvbase_fail( error, bv_error_argument, "only a hull with volume has polygons" );
	}
	if ( hull->face_count > INT32_MAX / 3 )
	{
		return bvbase_fail( error, bv_error_limit, "a hull of %u triangles is too large", hull->face_count );
	}

	size_t sides = 3 * (size_t)hull->face_count;
	out->at = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->at );
	out->face = bvb_arena_allocate( arena, hull->face_count, sizeof *out->face );
	out->first = bvb_arena_allocate( arena, (size_t)hull->vertex_count + 1, sizeof *out->first );
	out->leaving = bvb_arena_allocate( arena, sides, sizeof *out->leaving );
	out->twin = bvb_arena_allocate( arena, sides, sizeof *out->twin );
	if ( !out->at || !out->face || !out->first || !out->leaving || !out->twin )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		out->at[v] = points[hull->vertices[v]];
		out->reach = bvmath_max( out->reach, bvmath_largest( out->at[v] ) );
	}
	frexp( out->reach, &out->exponent );
	bvhull_scale_points( out->at, hull->vertex_count, out->exponent, out->at );
	for ( uint32_t f = 0; f < hull->face_count; ++f )
	{
		out->face[f] = hull->faces[f];
	}
	if ( corners_in_range( out ) )
	{
		bvhull_sort_sides( out );
		if ( bvhull_find_twins( out ) )
		{
			return bv_ok;
		}
	}
	return bvbase_fail( error, bv_error_argument, "the triangles of the hull do not form a closed surface" );
}

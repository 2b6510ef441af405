// Triangles of a polyhedron with the twins of their sides. See surface.h.

#include "hull/surface.h"

#include "base/offline/error.h"
#include "hull/scale.h"

void bvb_hull_sort_sides( bvb_hull_surface* s )
{
	uint32_t count = 3 * s->face_count;
	for ( uint32_t v = 0; v <= s->vertex_count; ++v )
	{
		s->first[v] = 0;
	}
	for ( uint32_t side = 0; side < count; ++side )
	{
		s->first[bvb_side_origin( s, side ) + 1] += 1;
	}
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		s->first[v + 1] += s->first[v];
	}
	for ( uint32_t side = count; side-- > 0; )
	{
		uint32_t v = bvb_side_origin( s, side );
		s->leaving[--s->first[v + 1]] = side;
	}

	// Filling from the back has moved each vertex's end to its beginning.
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		s->first[v] = s->first[v + 1];
	}
	s->first[s->vertex_count] = count;
}

static uint32_t degree( const bvb_hull_surface* s, uint32_t vertex )
{
	return s->first[vertex + 1] - s->first[vertex];
}

// Searching round the end that has fewer sides takes linear time over all edges, because planar graphs have few edges
// between vertices of high degree (Chiba, Nishizeki 1985).
static uint32_t find_twin( const bvb_hull_surface* s, uint32_t side )
{
	uint32_t from = bvb_side_origin( s, side );
	uint32_t to = bvb_side_end( s, side );
	bool at_end = degree( s, to ) < degree( s, from );
	uint32_t hub = at_end ? to : from;
	for ( uint32_t i = s->first[hub]; i < s->first[hub + 1]; ++i )
	{
		uint32_t other = at_end ? s->leaving[i] : bvb_previous_side( s->leaving[i] );
		if ( bvb_side_origin( s, other ) == to && bvb_side_end( s, other ) == from )
		{
			return other;
		}
	}
	return BVB_HULL_NONE;
}

bool bvb_hull_find_twins( bvb_hull_surface* s )
{
	uint32_t count = 3 * s->face_count;
	for ( uint32_t side = 0; side < count; ++side )
	{
		s->twin[side] = BVB_HULL_NONE;
	}
	for ( uint32_t side = 0; side < count; ++side )
	{
		if ( s->twin[side] == BVB_HULL_NONE )
		{
			uint32_t other = find_twin( s, side );
			if ( other == BVB_HULL_NONE || s->twin[other] != BVB_HULL_NONE )
			{
				return false;
			}
			s->twin[side] = other;
			s->twin[other] = side;
		}
	}
	return true;
}

static bool corners_in_range( const bvb_hull_surface* s )
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

bv_status bvb_hull_surface_create( const bv_vec3* points, const bvb_hull* hull, bvb_arena* arena,
                                   bvb_hull_surface* out, bvb_error* error )
{
	*out = ( bvb_hull_surface ){ .vertex_count = hull->vertex_count, .face_count = hull->face_count };
	if ( hull->kind != bv_hull_polyhedron )
	{
		return bvb_fail( error, bv_error_argument, "only a hull with volume has polygons" );
	}
	if ( hull->face_count > INT32_MAX / 3 )
	{
		return bvb_fail( error, bv_error_limit, "a hull of %u triangles is too large", hull->face_count );
	}

	size_t sides = 3 * (size_t)hull->face_count;
	out->at = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->at );
	out->face = bvb_arena_allocate( arena, hull->face_count, sizeof *out->face );
	out->first = bvb_arena_allocate( arena, (size_t)hull->vertex_count + 1, sizeof *out->first );
	out->leaving = bvb_arena_allocate( arena, sides, sizeof *out->leaving );
	out->twin = bvb_arena_allocate( arena, sides, sizeof *out->twin );
	if ( !out->at || !out->face || !out->first || !out->leaving || !out->twin )
	{
		return bvb_fail_memory( error );
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		out->at[v] = points[hull->vertices[v]];
		out->reach = bv_max( out->reach, bvb_largest_coordinate( out->at[v] ) );
	}
	frexp( out->reach, &out->exponent );
	bvb_scale_points( out->at, hull->vertex_count, out->exponent, out->at );
	for ( uint32_t f = 0; f < hull->face_count; ++f )
	{
		out->face[f] = hull->faces[f];
	}
	if ( corners_in_range( out ) )
	{
		bvb_hull_sort_sides( out );
		if ( bvb_hull_find_twins( out ) )
		{
			return bv_ok;
		}
	}
	return bvb_fail( error, bv_error_argument, "the triangles of the hull do not form a closed surface" );
}

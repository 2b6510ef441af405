// Neighbours of a hull's vertices. See neighbors.h.

#include "hull/neighbors.h"

#include "base/offline/exact.h"

#include <math.h>

// A point inside, if any is: decisions about it are exact, so it may be anywhere.
static bv_vec3 find_centre( const bvb_hull_surface* s )
{
	bv_vec3 sum = { 0 };
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		sum = bv_add( sum, s->at[v] );
	}
	bv_vec3 mean = bv_scale( 1.0 / s->vertex_count, sum );
	double at[3] = { mean.x, mean.y, mean.z };
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = fabs( at[k] ) < 0x1p-280 ? 0 : at[k];
	}
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}

// A closed surface that is seen from inside everywhere, and has no reflex edge, is convex. All signs are exact.
static bool is_convex( const bvb_hull_surface* s )
{
	bv_vec3 centre = find_centre( s );
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		const uint32_t* c = s->face[f].corner;
		if ( bvb_orient3d( s->at[c[0]], s->at[c[1]], s->at[c[2]], centre ) >= 0 )
		{
			return false;
		}
		for ( uint32_t side = 3 * f; side < 3 * f + 3; ++side )
		{
			uint32_t apex = bvb_side_origin( s, bvb_previous_side( s->twin[side] ) );
			if ( side < s->twin[side] &&
			     bvb_orient3d( s->at[c[0]], s->at[c[1]], s->at[c[2]], s->at[apex] ) > 0 )
			{
				return false;
			}
		}
	}
	return true;
}

bool bvb_hull_connect( const bvb_hull_surface* surface, const bv_vec3* points, const bvb_hull* hull,
                       bvb_arena* scratch, bvb_arena* arena, bvb_hull_polygons* out )
{
	(void)scratch;
	uint32_t sides = 3 * surface->face_count;
	out->vertex_count = surface->vertex_count;
	out->reach = surface->reach;
	out->positions = bvb_arena_allocate( arena, surface->vertex_count, sizeof *out->positions );
	out->first_neighbor =
		bvb_arena_allocate( arena, (size_t)surface->vertex_count + 1, sizeof *out->first_neighbor );
	out->neighbors = bvb_arena_allocate( arena, sides, sizeof *out->neighbors );
	out->loose_count = is_convex( surface ) ? 0 : surface->vertex_count;
	out->loose = bvb_arena_allocate( arena, out->loose_count, sizeof *out->loose );
	if ( !out->positions || !out->first_neighbor || !out->neighbors || !out->loose )
	{
		return false;
	}
	for ( uint32_t v = 0; v < surface->vertex_count; ++v )
	{
		out->positions[v] = points[hull->vertices[v]];
		out->first_neighbor[v + 1] = surface->first[v + 1];
	}
	for ( uint32_t i = 0; i < sides; ++i )
	{
		out->neighbors[i] = bvb_side_end( surface, surface->leaving[i] );
	}
	for ( uint32_t i = 0; i < out->loose_count; ++i )
	{
		out->loose[i] = i;
	}
	return true;
}

// Which parts have a point in common: a corner of the one in the other, or no plane of either's faces between
// them and no gap to any face that GJK can prove.

#include "offline/decompose/parts.h"

#include "offline/base/arena.h"
#include "runtime/convex/hull_gap.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <string.h>

static bv_vec3 normal_of( const bvb_part* part, uint32_t face )
{
	const uint32_t* c = part->faces[face].corner;
	bv_vec3 a = part->positions[c[0]];
	return bv_cross( bv_sub( part->positions[c[1]], a ), bv_sub( part->positions[c[2]], a ) );
}

// Whether all of `other` is clearly in front of the plane of a face of `part`.
static bool has_plane_between( const bvb_part* part, const bvb_part* other )
{
	for ( uint32_t f = 0; f < part->face_count; ++f )
	{
		const uint32_t* c = part->faces[f].corner;
		bv_vec3 from = part->positions[c[0]];
		bv_vec3 u = bv_sub( part->positions[c[1]], from );
		bv_vec3 v = bv_sub( part->positions[c[2]], from );
		bv_vec3 normal = bv_cross( u, v );

		// Of slivers rounding is much beside the normal.
		double slack = 0x1p-44 * bvmath_norm1( u ) * bvmath_norm1( v );
		bool all = true;
		for ( uint32_t i = 0; i < other->vertex_count && all; ++i )
		{
			bv_vec3 d = bv_sub( other->positions[i], from );
			all = bv_dot( normal, d ) > slack * bvmath_norm1( d );
		}
		if ( all )
		{
			return true;
		}
	}
	return false;
}

static bool contains( const bvb_part* part, bv_vec3 point )
{
	for ( uint32_t f = 0; f < part->face_count; ++f )
	{
		if ( bv_dot( normal_of( part, f ), bv_sub( point, part->positions[part->faces[f].corner[0]] ) ) > 0 )
		{
			return false;
		}
	}
	return true;
}

static bool contains_any( const bvb_part* part, const bvb_part* other )
{
	for ( uint32_t v = 0; v < other->vertex_count; ++v )
	{
		if ( contains( part, other->positions[v] ) )
		{
			return true;
		}
	}
	return false;
}

static bool meets_face( const bvb_part* a, const bvb_part* b )
{
	bvconvex_hull hull = { .points = a->positions, .count = a->vertex_count };
	for ( uint32_t f = 0; f < b->face_count; ++f )
	{
		bv_vec3 corner[3];
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = b->positions[b->faces[f].corner[k]];
		}
		bvconvex_hull_gap gap;
		bvconvex_hull_triangle_gap( &hull, corner, 0, 1, &gap );
		if ( !( gap.lower > 0 ) )
		{
			return true;
		}
	}
	return false;
}

static bool have_common_point( const bvb_part* a, const bvb_part* b )
{
	return bvmath_boxes_meet( &a->box, &b->box ) && !has_plane_between( a, b ) &&
	       !has_plane_between( b, a ) &&
	       ( contains_any( a, b ) || contains_any( b, a ) || meets_face( a, b ) );
}

static bool add( bvb_arena* arena, bvb_part* part, uint32_t* room, uint32_t neighbor )
{
	if ( part->neighbor_count == *room )
	{
		uint32_t wider = *room ? 2 * *room : 8;
		uint32_t* copy = bvb_arena_allocate( arena, wider, sizeof *copy );
		if ( !copy )
		{
			return false;
		}
		if ( *room > 0 )
		{
			memcpy( copy, part->neighbors, *room * sizeof *copy );
		}
		part->neighbors = copy;
		*room = wider;
	}
	part->neighbors[part->neighbor_count++] = neighbor;
	return true;
}

bv_status bvdecomp_find_neighbors( bvb_arena* arena, bvb_decomposition* d )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	uint32_t* room = scratch ? bvb_arena_allocate( scratch, d->part_count, sizeof *room ) : NULL;
	bool good = room;

	// Each part's lesser neighbors come before its greater ones, so that lists ascend.
	for ( uint32_t b = 1; b < d->part_count && good; ++b )
	{
		for ( uint32_t a = 0; a < b && good; ++a )
		{
			if ( have_common_point( d->parts + a, d->parts + b ) )
			{
				good = add( arena, d->parts + a, &room[a], b ) && add( arena, d->parts + b, &room[b], a );
			}
		}
	}
	bvb_arena_destroy( scratch );
	return good ? bv_ok : bv_error_memory;
}

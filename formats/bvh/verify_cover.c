// That no point of a triangle is farther from all parts than is said. What of it is near a part is cut away, until nothing is left.
//
// The distance from a convex set is a convex function: a polygon is as near a part as the farthest of its corners. The middle of a
// polygon is near some part, or else it is the proof that there is a gap. What of the polygon is near that part is cut off: by
// planes as far in front of its faces as is near, which past edges is too far, and if need be by those of the part itself. What cannot be cut
// off is halved. So what is left gets smaller, and in practice it ends after few cuts.

#include "formats/bvh/verify.h"

#include "base/core/box.h"
#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "formats/bvh/verify_bodies.h"
#include "formats/bvh/verify_team.h"

#include <math.h>

// Of a triangle there are never so many pieces unless parts end all over it just as far away as they may.
static const uint32_t most_pieces = 1 << 16;

enum
{
	chunk = 64, // triangles given to a thread at a time
};

// Two regions of each part: wide ones have all that is near in them, narrow ones nothing else.
typedef struct region_pair
{
	bvh_region* wide;
	bvh_region* narrow;
} region_pair;

// The plane of a sliver may not be known well enough. New corners are to be as certainly in a region as others.
static bool make_region( const bvh_body* body, double distance, bool wide, bvb_arena* arena, bvh_region* out )
{
	double growth = distance / body->radius;
	*out = ( bvh_region ){ .sides = bvb_arena_allocate( arena, body->face_count, sizeof *out->sides ) };
	for ( uint32_t f = 0; f < body->face_count && out->sides; ++f )
	{
		const bvh_body_plane* plane = body->planes + f;
		double offset = plane->offset + ( wide ? distance : growth * plane->depth ) - 2 * plane->error;
		if ( plane->error <= 0x1p-4 * distance )
		{
			out->sides[out->count++] = ( bvh_half_space ){ plane->normal, offset };
		}
	}
	return out->sides;
}

static bv_status make_regions( const bvh_bodies* all, double distance, bvb_arena* arena, region_pair* out,
                               bvb_error* error )
{
	out->wide = bvb_arena_allocate( arena, all->count, sizeof *out->wide );
	out->narrow = bvb_arena_allocate( arena, all->count, sizeof *out->narrow );
	bool good = out->wide && out->narrow;
	for ( uint32_t i = 0; i < all->count && good; ++i )
	{
		const bvh_body* body = all->bodies + i;
		good = make_region( body, distance, true, arena, out->wide + i ) &&
		       make_region( body, distance, false, arena, out->narrow + i );
	}
	return good ? bv_ok : bvb_fail_memory( error );
}

// What a thread looks at.
typedef struct coverage
{
	const bvb_mesh* mesh;
	const bvh_bodies* all;
	const region_pair* regions;
	double distance; // what is so near is covered
	bvh_bench bench;
} coverage;

static bool is_all_near( const coverage* c, const bvh_body* body )
{
	const bvh_outline* polygon = c->bench.polygon;
	for ( uint32_t i = 0; i < polygon->count; ++i )
	{
		if ( !bvh_is_near_body( body, polygon->corners[i], c->distance ) )
		{
			return false;
		}
	}
	return true;
}

// The number of a part that all of the polygon is near, or else of one that its middle is near.
static uint32_t find_near( const coverage* c, bool* all )
{
	bv_aabb box = bvh_box_of_outline( c->bench.polygon );
	box = bvh_grown( &box, c->distance );
	bv_vec3 middle = bvh_middle_of_outline( c->bench.polygon );
	uint32_t near = BVB_NO_PART;
	*all = false;
	for ( uint32_t i = 0; i < c->bench.part_count && !*all; ++i )
	{
		uint32_t part = c->bench.parts[i];
		const bvh_body* body = c->all->bodies + part;
		if ( bv_boxes_meet( &body->box, &box ) && bvh_is_near_body( body, middle, c->distance ) )
		{
			*all = is_all_near( c, body );
			near = *all || near == BVB_NO_PART ? part : near;
		}
	}
	return near;
}

static bool is_small( const coverage* c )
{
	bv_aabb box = bvh_box_of_outline( c->bench.polygon );
	return bv_norm1( bv_sub( box.upper, box.lower ) ) <= 0x1p-42 * c->all->reach;
}

static bool halve( coverage* c )
{
	bvh_bench* b = &c->bench;
	bv_aabb box = bvh_box_of_outline( b->polygon );
	bv_vec3 size = bv_sub( box.upper, box.lower );
	bv_vec3 middle = bv_add( box.lower, bv_scale( 0.5, size ) );
	bv_vec3 axis = { size.x >= size.y && size.x >= size.z, 0, 0 };
	axis.y = axis.x == 0 && size.y >= size.z;
	axis.z = axis.x == 0 && axis.y == 0;
	bvh_cut_outline( b->polygon, axis, bv_dot( axis, middle ), 0, b->below, b->above );
	return ( b->below->count == 0 || bvh_push_outline( b, b->below ) ) &&
	       ( b->above->count == 0 || bvh_push_outline( b, b->above ) );
}

// Cuts off what is near a part, or halves what it can't be cut off from.
static bool cut( coverage* c, uint32_t part )
{
	const bvh_body* body = c->all->bodies + part;
	const bvh_region* tried[2] = { c->regions->wide + part, c->regions->narrow + part };
	for ( int i = 0; i < 2; ++i )
	{
		bool parted;
		if ( !bvh_take_inside( &c->bench, tried[i], 0x1p-50 * c->all->reach, &parted ) )
		{
			return false;
		}
		if ( parted && is_all_near( c, body ) )
		{
			return true;
		}
	}
	return is_small( c ) || halve( c );
}

static bv_status begin( const void* shared, bvb_arena* arena, void* own, bvb_error* error )
{
	coverage* c = own;
	*c = *(const coverage*)shared;
	return bvh_begin_bench( arena, c->all->count, &c->bench, error );
}

static bv_status verify_triangle( void* own, uint32_t triangle, bvb_error* error )
{
	coverage* c = own;
	const bvb_mesh* mesh = c->mesh;
	const uint32_t* corner = mesh->triangles[triangle].corner;
	c->bench.polygon->count = 3;
	for ( int k = 0; k < 3; ++k )
	{
		c->bench.polygon->corners[k] = mesh->positions[corner[k]];
	}
	bv_aabb box = bvh_box_of_outline( c->bench.polygon );
	box = bvh_grown( &box, c->distance );
	bvh_list_parts( c->all->file, &box, &c->bench );
	bool good = bvh_push_outline( &c->bench, c->bench.polygon );
	for ( uint32_t pieces = 0; c->bench.count > 0 && good; ++pieces )
	{
		bvh_pop_outline( &c->bench );
		bool all;
		uint32_t part = find_near( c, &all );
		if ( part == BVB_NO_PART || pieces == most_pieces )
		{
			bvh_clear_bench( &c->bench );
			return bvb_fail( error, bv_error_damaged,
			                 part == BVB_NO_PART ? "parts leave out some of triangle %u"
			                                     : "whether parts cover triangle %u is beyond proof",
			                 triangle );
		}
		good = all || is_small( c ) || cut( c, part );
	}
	return good ? bv_ok : bvb_fail_memory( error );
}

bv_status bvh_verify_cover( const bvh_bodies* bodies, const bvb_mesh* mesh, double distance, bvb_arena* arena,
                            bvb_error* error )
{
	region_pair regions;
	bv_status status = make_regions( bodies, distance, arena, &regions, error );
	if ( status != bv_ok )
	{
		return status;
	}
	coverage all = { .all = bodies, .regions = &regions, .distance = distance, .mesh = mesh };
	static const bvh_verifier verifier = { sizeof( coverage ), begin, verify_triangle };
	return bvh_verify_each( &verifier, &all, mesh->triangle_count, chunk, arena, error );
}

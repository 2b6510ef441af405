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

static double support_of( const bvh_body* body, bv_vec3 normal )
{
	double highest = -INFINITY;
	for ( uint32_t i = 0; i < 3 * body->face_count; ++i )
	{
		highest = bv_max( highest, bv_dot( normal, body->positions[body->faces[i / 3].corner[i % 3]] ) );
	}
	return highest;
}

// New corners are to be as certainly in a region as others. The plane of a sliver may not be known well enough: then that of its
// direction which touches the part will do.
static bool make_region( const bvh_body* body, double distance, double reach, bool wide, bvb_arena* arena,
                         bvh_region* out )
{
	double growth = distance / body->radius;
	double rounding = 0x1p-48 * reach;
	*out = ( bvh_region ){ .sides = bvb_arena_allocate( arena, body->face_count, sizeof *out->sides ) };
	for ( uint32_t f = 0; f < body->face_count && out->sides; ++f )
	{
		const bvh_body_plane* plane = body->planes + f;
		if ( plane->error == INFINITY )
		{
			continue;
		}
		bool known = plane->error <= 0x1p-4 * distance;
		double offset =
			known ? plane->offset - 2 * plane->error : support_of( body, plane->normal ) - 2 * rounding;
		offset += wide ? distance : growth * plane->depth;
		out->sides[out->count++] = ( bvh_half_space ){ plane->normal, offset };
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
		good = make_region( body, distance, all->reach, true, arena, out->wide + i ) &&
		       make_region( body, distance, all->reach, false, arena, out->narrow + i );
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
	uint32_t* near;  // parts, with room for all
	uint32_t near_count;
	bvh_bench bench;
} coverage;

// How many corners of the polygon are near a part.
static uint32_t count_near( const coverage* c, const bvh_body* body )
{
	const bvh_outline* polygon = c->bench.polygon;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < polygon->count; ++i )
	{
		count += bvh_is_near_body( body, polygon->corners[i], c->distance );
	}
	return count;
}

static bool is_all_near( const coverage* c, const bvh_body* body )
{
	return count_near( c, body ) == c->bench.polygon->count;
}

// Lists the parts that corners of the polygon or its middle are near.
// @param all  receives whether all of it is near one of them
// @return whether the middle is near one
static bool find_near( coverage* c, bool* all )
{
	bv_aabb box = bvh_box_of_outline( c->bench.polygon );
	box = bvh_grown( &box, c->distance );
	bv_vec3 middle = bvh_middle_of_outline( c->bench.polygon );
	bool covered = false;
	c->near_count = 0;
	*all = false;
	for ( uint32_t i = 0; i < c->bench.part_count && !*all; ++i )
	{
		uint32_t part = c->bench.parts[i];
		const bvh_body* body = c->all->bodies + part;
		if ( bv_boxes_meet( &body->box, &box ) )
		{
			uint32_t corners = count_near( c, body );
			bool near = bvh_is_near_body( body, middle, c->distance );
			*all = near && corners == c->bench.polygon->count;
			covered = covered || near;
			if ( near || corners > 0 )
			{
				c->near[c->near_count++] = part;
			}
		}
	}
	return covered;
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

// Cuts off what is near one of the parts, or halves what can't be cut off from any: the sliver of a face has no plane to cut along.
static bool cut( coverage* c )
{
	for ( uint32_t i = 0; i < 2 * c->near_count; ++i )
	{
		uint32_t part = c->near[i / 2];
		const bvh_region* tried = ( i % 2 ? c->regions->narrow : c->regions->wide ) + part;
		bool parted;
		if ( !bvh_take_inside( &c->bench, tried, 0x1p-50 * c->all->reach, &parted ) )
		{
			return false;
		}
		if ( parted && is_all_near( c, c->all->bodies + part ) )
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
	c->near = bvb_arena_allocate( arena, c->all->count, sizeof *c->near );
	return c->near ? bvh_begin_bench( arena, c->all->count, &c->bench, error ) : bvb_fail_memory( error );
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
		bool covered = find_near( c, &all );
		if ( !covered || pieces == most_pieces )
		{
			bvh_clear_bench( &c->bench );
			return bvb_fail( error, bv_error_damaged,
			                 !covered ? "the parts do not cover all of triangle %u"
			                          : "cannot prove that the parts cover triangle %u",
			                 triangle );
		}
		good = all || is_small( c ) || cut( c );
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

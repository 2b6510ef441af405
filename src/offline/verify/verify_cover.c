// Proves that no point of a triangle is farther from all parts than stated. Pieces of the triangle that are
// near a part are cut off until none remains.
//
// The distance from a convex set is a convex function, so the largest distance of a polygon from a part is
// that of its farthest corner. The middle of a polygon is near some part; otherwise it is proof of a gap. The
// piece of the polygon near that part is cut off: first by the part's planes moved outwards by the allowed
// distance, which is too far beyond edges, and if need be by the planes themselves. A polygon from which
// nothing can be cut off is halved. The remainder shrinks with each step, and in practice the search ends
// after few cuts.

#include "offline/verify/verify.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/verify/verify_bodies.h"
#include "offline/verify/verify_team.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

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
	bvverify_region* wide;
	bvverify_region* narrow;
} region_pair;

static double support_of( const bvverify_body* body, bv_vec3 normal )
{
	double highest = -INFINITY;
	for ( uint32_t i = 0; i < 3 * body->face_count; ++i )
	{
		highest = bvmath_max( highest, bv_dot( normal, body->positions[body->faces[i / 3].corner[i % 3]] ) );
	}
	return highest;
}

// New corners are to be as certainly in a region as others. The plane of a sliver may not be known well
// enough: then that of its direction which touches the part will do.
static bool make_region( const bvverify_body* body, double distance, double reach, bool wide,
                         bvb_arena* arena, bvverify_region* out )
{
	double growth = distance / body->radius;
	double rounding = 0x1p-48 * reach;
	*out = ( bvverify_region ){ .sides = bvb_arena_allocate( arena, body->face_count, sizeof *out->sides ) };
	for ( uint32_t f = 0; f < body->face_count && out->sides; ++f )
	{
		const bvverify_body_plane* plane = body->planes + f;
		if ( plane->error == INFINITY )
		{
			continue;
		}
		bool known = plane->error <= 0x1p-4 * distance;
		double offset =
			known ? plane->offset - 2 * plane->error : support_of( body, plane->normal ) - 2 * rounding;
		offset += wide ? distance : growth * plane->depth;
		out->sides[out->count++] = ( bvverify_half_space ){ plane->normal, offset };
	}
	return out->sides;
}

static bv_status make_regions( const bvverify_bodies* all, double distance, bvb_arena* arena,
                               region_pair* out, bvb_error* error )
{
	out->wide = bvb_arena_allocate( arena, all->count, sizeof *out->wide );
	out->narrow = bvb_arena_allocate( arena, all->count, sizeof *out->narrow );
	bool good = out->wide && out->narrow;
	for ( uint32_t i = 0; i < all->count && good; ++i )
	{
		const bvverify_body* body = all->bodies + i;
		good = make_region( body, distance, all->reach, true, arena, out->wide + i ) &&
		       make_region( body, distance, all->reach, false, arena, out->narrow + i );
	}
	return good ? bv_ok : bvbase_fail_memory( error );
}

// What a thread looks at.
typedef struct coverage
{
	const bvb_mesh* mesh;
	const bvverify_bodies* all;
	const region_pair* regions;
	double distance; // what is so near is covered
	uint32_t* near;  // parts, with room for all
	uint32_t near_count;
	uint32_t* near_vertex; // of each vertex, a part that it is known to be near, plus 1; 0 for none
	bvverify_bench bench;
} coverage;

// How many corners of the polygon are near a part.
static uint32_t count_near( const coverage* c, const bvverify_body* body )
{
	const bvverify_outline* polygon = c->bench.polygon;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < polygon->count; ++i )
	{
		count += bvverify_is_near_body( body, polygon->corners[i], c->distance );
	}
	return count;
}

static bool is_all_near( const coverage* c, const bvverify_body* body )
{
	return count_near( c, body ) == c->bench.polygon->count;
}

// Lists the parts that corners of the polygon or its middle are near.
// @param all  receives whether all of it is near one of them
// @return whether the middle is near one
static bool find_near( coverage* c, bool* all )
{
	bv_aabb box = bvverify_box_of_outline( c->bench.polygon );
	box = bvverify_grown( &box, c->distance );
	bv_vec3 middle = bvverify_middle_of_outline( c->bench.polygon );
	bool covered = false;
	c->near_count = 0;
	*all = false;
	for ( uint32_t i = 0; i < c->bench.part_count && !*all; ++i )
	{
		uint32_t part = c->bench.parts[i];
		const bvverify_body* body = c->all->bodies + part;
		if ( bvmath_boxes_meet( &body->box, &box ) )
		{
			uint32_t corners = count_near( c, body );
			*all = corners == c->bench.polygon->count;
			bool near = *all || bvverify_is_near_body( body, middle, c->distance );
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
	bv_aabb box = bvverify_box_of_outline( c->bench.polygon );
	return bvmath_norm1( bv_sub( box.upper, box.lower ) ) <= 0x1p-42 * c->all->reach;
}

static bool halve( coverage* c )
{
	bvverify_bench* b = &c->bench;
	bv_aabb box = bvverify_box_of_outline( b->polygon );
	bv_vec3 size = bv_sub( box.upper, box.lower );
	bv_vec3 middle = bv_add( box.lower, bv_scale( 0.5, size ) );
	bv_vec3 axis = { size.x >= size.y && size.x >= size.z, 0, 0 };
	axis.y = axis.x == 0 && size.y >= size.z;
	axis.z = axis.x == 0 && axis.y == 0;
	bvverify_cut_outline( b->polygon, axis, bv_dot( axis, middle ), 0, b->below, b->above );
	return ( b->below->count == 0 || bvverify_push_outline( b, b->below ) ) &&
	       ( b->above->count == 0 || bvverify_push_outline( b, b->above ) );
}

// Cuts off what is near one of the parts, or halves what can't be cut off from any: the sliver of a face has
// no plane to cut along.
static bool cut( coverage* c )
{
	for ( uint32_t i = 0; i < 2 * c->near_count; ++i )
	{
		uint32_t part = c->near[i / 2];
		const bvverify_region* tried = ( i % 2 ? c->regions->narrow : c->regions->wide ) + part;
		bool parted;
		if ( !bvverify_take_inside( &c->bench, tried, 0x1p-50 * c->all->reach, &parted ) )
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
	c->near_vertex = bvb_arena_allocate( arena, c->mesh->vertex_count, sizeof *c->near_vertex );
	return c->near && c->near_vertex ? bvverify_begin_bench( arena, c->all->count, &c->bench, error )
	                                 : bvbase_fail_memory( error );
}

// Whether all corners of a triangle are near one part. Most vertices have been looked at for other triangles.
static bool is_near_one( coverage* c, const uint32_t corner[3] )
{
	bool all = false;
	for ( uint32_t i = 0; i < c->bench.part_count && !all; ++i )
	{
		uint32_t part = c->bench.parts[i];
		all = true;
		for ( int k = 0; k < 3 && all; ++k )
		{
			uint32_t* known = c->near_vertex + corner[k];
			bool near =
				*known == part + 1 ||
				bvverify_is_near_body( c->all->bodies + part, c->mesh->positions[corner[k]], c->distance );
			*known = near ? part + 1 : *known;
			all = near;
		}
	}
	return all;
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
	bv_aabb box = bvverify_box_of_outline( c->bench.polygon );
	box = bvverify_grown( &box, c->distance );
	bvverify_list_parts( c->all->file, &box, &c->bench );
	if ( is_near_one( c, corner ) )
	{
		return bv_ok;
	}
	bool good = bvverify_push_outline( &c->bench, c->bench.polygon );
	for ( uint32_t pieces = 0; c->bench.count > 0 && good; ++pieces )
	{
		bvverify_pop_outline( &c->bench );
		bool all;
		bool covered = find_near( c, &all );
		if ( !covered || pieces == most_pieces )
		{
			bvverify_clear_bench( &c->bench );
			return bvbase_fail( error, bv_error_damaged,
			                    !covered ? "the parts do not cover all of triangle %u"
			                             : "cannot prove that the parts cover triangle %u",
			                    triangle );
		}
		good = all || is_small( c ) || cut( c );
	}
	return good ? bv_ok : bvbase_fail_memory( error );
}

bv_status bvverify_cover( const bvverify_bodies* bodies, const bvb_mesh* mesh, double distance,
                          bvb_arena* arena, bvb_error* error )
{
	region_pair regions;
	bv_status status = make_regions( bodies, distance, arena, &regions, error );
	if ( status != bv_ok )
	{
		return status;
	}
	coverage all = { .all = bodies, .regions = &regions, .distance = distance, .mesh = mesh };
	static const bvverify_verifier verifier = { sizeof( coverage ), begin, verify_triangle };
	return bvverify_each( &verifier, &all, mesh->triangle_count, chunk, arena, error );
}

// Proves that parts omit nothing inside a closed mesh.
//
// Where parts cover all triangles, the winding number is constant on each connected component of the
// uncovered space. Such a component is the exterior, or it is bounded by faces of parts. The test therefore
// computes the winding number on the faces of parts, except where they are inside other parts. Parts are
// first enlarged by the distance that counts as near them, by moving their planes outwards, so that no
// triangle is on their faces. Gaps between parts up to that width close.

#include "offline/verify/verify.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/verify/verify_bodies.h"
#include "offline/verify/verify_team.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <math.h>

// A side of a part is cut into a few pieces for each part beside it.
static const uint32_t most_pieces = 1 << 18;

// Without the planes of slivers a part is larger, by as little as they are wide.
static bool make_region( const bvverify_bodies* all, const bvverify_body* body, double distance,
                         bvb_arena* arena, bvverify_region* out )
{
	*out = ( bvverify_region ){ .sides = bvb_arena_allocate( arena, 6 + (size_t)body->face_count,
		                                                     sizeof *out->sides ) };
	if ( !out->sides )
	{
		return false;
	}
	for ( int k = 0; k < 6; ++k )
	{
		double sign = k < 3 ? 1 : -1;
		bv_vec3 normal = { k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0, k % 3 == 2 ? sign : 0 };
		double offset = bv_dot( normal, k < 3 ? body->box.upper : body->box.lower ) + distance;
		out->sides[out->count++] = ( bvverify_half_space ){ normal, offset };
	}
	for ( uint32_t f = 0; f < body->face_count; ++f )
	{
		const bvverify_body_plane* plane = body->planes + f;
		if ( plane->error <= 0x1p-8 * distance + 0x1p-44 * all->reach )
		{
			out->sides[out->count++] =
				( bvverify_half_space ){ plane->normal, plane->offset + distance + plane->error };
		}
	}
	return true;
}

// What a thread looks at.
typedef struct inside_survey
{
	const bvverify_bodies* all;
	const bvverify_region* regions; // of the enlarged parts
	const bvb_winding* winding;
	double distance; // by which they are larger
	double error;    // what is so near a plane is in it
	bvverify_bench bench;
} inside_survey;

// A side of an enlarged part: a square in its plane, cut by the others.
static bool make_side( inside_survey* s, uint32_t part, uint32_t index )
{
	bvverify_bench* b = &s->bench;
	const bv_aabb* box = &s->all->bodies[part].box;
	const bvverify_region* region = s->regions + part;
	bv_vec3 normal = region->sides[index].normal;
	double offset = region->sides[index].offset;
	bv_vec3 size = bv_sub( box->upper, box->lower );
	double half = 2 * ( bvmath_norm1( size ) + s->distance );
	bv_vec3 middle = bv_add( box->lower, bv_scale( 0.5, size ) );
	middle = bv_sub( middle, bv_scale( bv_dot( normal, middle ) - offset, normal ) );
	bv_vec3 other = { fabs( normal.x ) < 0.6, 0, 0 };
	other.y = other.x == 0;
	bv_vec3 u = bv_cross( normal, other );
	u = bv_scale( half / sqrt( bv_dot( u, u ) ), u );
	bv_vec3 v = bv_cross( normal, u );
	b->polygon->count = 4;
	b->polygon->corners[0] = bv_add( middle, bv_add( u, v ) );
	b->polygon->corners[1] = bv_add( middle, bv_sub( v, u ) );
	b->polygon->corners[2] = bv_sub( middle, bv_add( u, v ) );
	b->polygon->corners[3] = bv_add( middle, bv_sub( u, v ) );
	for ( uint32_t i = 0; i < region->count; ++i )
	{
		if ( i == index )
		{
			continue;
		}

		// Of several faces in one plane the first one stands for all.
		const bvverify_half_space* side = region->sides + i;
		bvverify_cut_outline( b->polygon, side->normal, side->offset, s->error, b->below, b->above );
		bool same = b->above->count == 0 && i < index && bv_dot( side->normal, normal ) > 1 - 0x1p-40 &&
		            fabs( side->offset - offset ) <= s->error;
		if ( b->below->count == 0 || same )
		{
			return false;
		}
		bvverify_outline* kept = b->below;
		b->below = b->polygon;
		b->polygon = kept;
	}
	return true;
}

static bv_status verify_pieces( inside_survey* s, uint32_t part, bvb_error* error )
{
	bvverify_bench* b = &s->bench;
	for ( uint32_t pieces = 0; b->count > 0; ++pieces )
	{
		if ( pieces == most_pieces )
		{
			bvverify_clear_bench( b );
			return bvbase_fail( error, bv_error_damaged,
			                    "cannot prove that the parts cover the interior next to part %u", part );
		}
		bvverify_pop_outline( b );
		bv_aabb box = bvverify_box_of_outline( b->polygon );
		bool parted = false;
		for ( uint32_t i = 0; i < b->part_count && !parted; ++i )
		{
			uint32_t other = b->parts[i];
			bv_aabb enlarged = bvverify_grown( &s->all->bodies[other].box, s->distance );
			if ( other != part && bvmath_boxes_meet( &enlarged, &box ) &&
			     !bvverify_take_inside( b, s->regions + other, s->error, &parted ) )
			{
				return bvbase_fail_memory( error );
			}
		}
		if ( !parted && bvb_winding_number( s->winding, bvverify_middle_of_outline( b->polygon ) ) >= 0.5 )
		{
			bvverify_clear_bench( b );
			return bvbase_fail( error, bv_error_damaged,
			                    "the parts do not cover all of the interior next to part %u", part );
		}
	}
	return bv_ok;
}

static bv_status begin( const void* shared, bvb_arena* arena, void* own, bvb_error* error )
{
	inside_survey* s = own;
	*s = *(const inside_survey*)shared;
	return bvverify_begin_bench( arena, s->all->count, &s->bench, error );
}

static bv_status verify_faces( void* own, uint32_t part, bvb_error* error )
{
	inside_survey* s = own;
	const bvverify_body* body = s->all->bodies + part;
	bv_aabb box = bvverify_grown( &body->box, 2 * s->distance );
	bvverify_list_parts( s->all->file, &box, &s->bench );
	bv_status status = bv_ok;
	for ( uint32_t k = 0; k < s->regions[part].count && status == bv_ok; ++k )
	{
		if ( make_side( s, part, k ) )
		{
			status = bvverify_push_outline( &s->bench, s->bench.polygon ) ? verify_pieces( s, part, error )
			                                                              : bvbase_fail_memory( error );
		}
	}
	return status;
}

bv_status bvverify_inside( const bvverify_bodies* bodies, const bvb_winding* winding, double distance,
                           bvb_arena* arena, bvb_error* error )
{
	bvverify_region* regions = bvb_arena_allocate( arena, bodies->count, sizeof *regions );
	bool good = regions;
	for ( uint32_t i = 0; i < bodies->count && good; ++i )
	{
		good = make_region( bodies, bodies->bodies + i, 2 * distance, arena, regions + i );
	}
	if ( !good )
	{
		return bvbase_fail_memory( error );
	}
	inside_survey all = {
		.all = bodies,
		.regions = regions,
		.winding = winding,
		.distance = 2 * distance,
		.error = 0x1p-46 * bodies->reach,
	};
	static const bvverify_verifier verifier = { sizeof( inside_survey ), begin, verify_faces };
	return bvverify_each( &verifier, &all, bodies->count, 1, arena, error );
}

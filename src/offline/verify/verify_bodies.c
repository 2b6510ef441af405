// See verify_bodies.h.

#include "offline/verify/verify_bodies.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "runtime/file/local.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>
#include <string.h>

// a b - c d to two roundings of the result (Kahan): of a sliver's normal hardly anything would be left
// otherwise.
static double difference_of_products( double a, double b, double c, double d )
{
	double product = c * d;
	return fma( a, b, -product ) + fma( -c, d, product );
}

static bv_vec3 accurate_cross( bv_vec3 u, bv_vec3 v )
{
	return ( bv_vec3 ){ difference_of_products( u.y, v.z, u.z, v.y ),
		                difference_of_products( u.z, v.x, u.x, v.z ),
		                difference_of_products( u.x, v.y, u.y, v.x ) };
}

static bool is_exact( double a, double b, double difference )
{
	return a - difference == b && b + difference == a;
}

// Differences of binary32 numbers are binary64 numbers, unless the one is 2^29 times the other.
static bool are_exact( bv_vec3 a, bv_vec3 b, bv_vec3 difference )
{
	return is_exact( a.x, b.x, difference.x ) && is_exact( a.y, b.y, difference.y ) &&
	       is_exact( a.z, b.z, difference.z );
}

// A normal that is turned counts for as much as what is compared with the plane is away from the face. Of the
// other steps none errs by more than 2^-50 of the coordinates.
static bvverify_body_plane plane_of( const bvverify_body* body, uint32_t face, bv_vec3 center, double reach )
{
	const uint32_t* corner = body->faces[face].corner;
	const bv_vec3* at[3] = { body->positions + corner[0], body->positions + corner[1],
		                     body->positions + corner[2] };
	bv_vec3 u = bv_sub( *at[1], *at[0] );
	bv_vec3 v = bv_sub( *at[2], *at[0] );
	bv_vec3 n = accurate_cross( u, v );
	double length = sqrt( bv_dot( n, n ) );
	bvverify_body_plane plane = { .error = INFINITY };
	if ( length > 0 )
	{
		bool exact = are_exact( *at[1], *at[0], u ) && are_exact( *at[2], *at[0], v );
		double turned = 0x1p-50 * ( 1 + ( exact ? 0 : bvmath_norm1( u ) * bvmath_norm1( v ) / length ) );
		double size = bvmath_norm1( bv_sub( body->box.upper, body->box.lower ) );
		plane.normal = ( bv_vec3 ){ n.x / length, n.y / length, n.z / length };
		plane.offset = bv_dot( plane.normal, *at[0] );
		plane.error = 0x1p-48 * reach + 2 * turned * size;
		plane.depth = bvmath_max( 0, plane.offset - bv_dot( plane.normal, center ) - plane.error );
	}
	return plane;
}

static bool take_body( const bv_file* file, uint32_t index, double reach, bvb_arena* arena,
                       bvverify_body* out )
{
	bv_part info;
	bvfile_local_part( file, index, &info );
	bv_vec3* positions = bvb_arena_allocate( arena, info.vertices, sizeof *positions );
	bvb_triangle* faces = bvb_arena_allocate( arena, info.faces, sizeof *faces );
	bvverify_body_plane* planes = bvb_arena_allocate( arena, info.faces, sizeof *planes );
	*out = ( bvverify_body ){
		.box = info.box, .positions = positions, .faces = faces, .planes = planes, .face_count = info.faces
	};
	if ( !positions || !faces || !planes )
	{
		return false;
	}
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		positions[i] = bvfile_local_part_vertex( file, index, i );
		bv_vec3 d = bv_sub( positions[i], info.mass.center_of_mass );
		out->radius = bvmath_max( out->radius, ( 1 + 0x1p-40 ) * sqrt( bv_dot( d, d ) ) );
	}
	for ( uint32_t i = 0; i < info.faces; ++i )
	{
		bv_file_get_part_triangle( file, index, i, faces[i].corner );
		planes[i] = plane_of( out, i, info.mass.center_of_mass, reach );
	}
	return true;
}

bv_status bvverify_take_bodies( const bv_file* file, const bvb_mesh* mesh, bvb_arena* arena,
                                bvverify_bodies* out, bvb_error* error )
{
	uint32_t count = bv_file_get_decomposition( file ).parts;
	bvverify_body* bodies = bvb_arena_allocate( arena, count, sizeof *bodies );
	*out = ( bvverify_bodies ){ .file = file, .bodies = bodies, .count = count };
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		out->reach = bvmath_max( out->reach, bvmath_largest( mesh->positions[i] ) );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_part info;
		bvfile_local_part( file, i, &info );
		double farther = bvmath_max( bvmath_largest( info.box.lower ), bvmath_largest( info.box.upper ) );
		out->reach = bvmath_max( out->reach, farther );
	}
	bool good = bodies;
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		good = take_body( file, i, out->reach, arena, bodies + i );
	}
	return good ? bv_ok : bvbase_fail_memory( error );
}

static double square_to_face( const bvverify_body* body, uint32_t face, bv_vec3 point )
{
	const uint32_t* corner = body->faces[face].corner;
	bv_vec3 corners[3] = { body->positions[corner[0]], body->positions[corner[1]],
		                   body->positions[corner[2]] };
	bvtri_nearest nearest;
	bvtri_nearest_on_triangle( point, corners, &nearest );
	return nearest.square;
}

static bool is_exactly_below( const bvverify_body* body, uint32_t face, bv_vec3 point )
{
	const uint32_t* corner = body->faces[face].corner;
	return bvbase_orient3d( body->positions[corner[0]], body->positions[corner[1]],
	                        body->positions[corner[2]], point ) <= 0;
}

// A part grown from its center of mass until its farthest corner has moved by the distance is near: its
// planes move by as much as they are away from the center, relative to that corner. What is not in that may
// be near a face.
bool bvverify_is_near_body( const bvverify_body* body, bv_vec3 point, double distance )
{
	bv_aabb box = bvverify_grown( &body->box, distance );
	bv_aabb at = { point, point };
	if ( !bvmath_boxes_meet( &box, &at ) )
	{
		return false;
	}
	double growth = distance / body->radius;
	bool inside = true;
	for ( uint32_t f = 0; f < body->face_count; ++f )
	{
		const bvverify_body_plane* plane = body->planes + f;
		double height = bv_dot( plane->normal, point ) - plane->offset;
		if ( height > distance + plane->error )
		{
			return false;
		}
		inside = inside && ( height + plane->error <= growth * plane->depth ||
		                     ( height <= plane->error && is_exactly_below( body, f, point ) ) );
	}
	for ( uint32_t f = 0; f < body->face_count && !inside; ++f )
	{
		const bvverify_body_plane* plane = body->planes + f;
		inside = bv_dot( plane->normal, point ) - plane->offset >= -plane->error &&
		         square_to_face( body, f, point ) <= distance * distance;
	}
	return inside;
}

// Copies no more than there is.
static void copy_outline( const bvverify_outline* from, bvverify_outline* to )
{
	to->count = from->count;
	memcpy( to->corners, from->corners, from->count * sizeof *from->corners );
}

bv_vec3 bvverify_middle_of_outline( const bvverify_outline* polygon )
{
	bv_vec3 from = polygon->corners[0];
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 1; i < polygon->count; ++i )
	{
		sum = bv_add( sum, bv_sub( polygon->corners[i], from ) );
	}
	return bv_add( from, bv_scale( 1.0 / polygon->count, sum ) );
}

bv_aabb bvverify_box_of_outline( const bvverify_outline* polygon )
{
	return bvmath_box_of_points( polygon->corners, polygon->count );
}

// One that is full is refused where it is kept.
static void add_corner( bvverify_outline* polygon, bv_vec3 corner )
{
	if ( polygon->count < BVVERIFY_OUTLINE_CORNERS )
	{
		polygon->corners[polygon->count++] = corner;
	}
}

void bvverify_cut_outline( const bvverify_outline* polygon, bv_vec3 normal, double offset, double error,
                           bvverify_outline* below, bvverify_outline* above )
{
	below->count = above->count = 0;
	bool any_below = false;
	bool any_above = false;
	bv_vec3 from = polygon->corners[polygon->count - 1];
	double before = bv_dot( normal, from ) - offset;
	for ( uint32_t i = 0; i < polygon->count; ++i )
	{
		bv_vec3 to = polygon->corners[i];
		double height = bv_dot( normal, to ) - offset;
		if ( ( before > error && height < -error ) || ( before < -error && height > error ) )
		{
			bv_vec3 crossing = bv_add( from, bv_scale( before / ( before - height ), bv_sub( to, from ) ) );
			add_corner( below, crossing );
			add_corner( above, crossing );
		}
		if ( height <= error )
		{
			add_corner( below, to );
			any_below = any_below || height < -error;
		}
		if ( height >= -error )
		{
			add_corner( above, to );
			any_above = any_above || height > error;
		}
		from = to;
		before = height;
	}

	// What is all in the plane counts as below it.
	below->count = any_below || !any_above ? below->count : 0;
	above->count = any_above ? above->count : 0;
}

// Rooms double; what they held before stays in the arena until it is destroyed.
static void* widen( bvb_arena* arena, const void* old, size_t count, size_t* room, size_t wanted,
                    size_t size )
{
	size_t wider = *room ? *room : 64;
	while ( wider < wanted )
	{
		wider *= 2;
	}
	void* copy = bvb_arena_allocate( arena, wider, size );
	if ( copy && count > 0 )
	{
		memcpy( copy, old, count * size );
	}
	*room = copy ? wider : *room;
	return copy;
}

bv_status bvverify_begin_bench( bvb_arena* arena, uint32_t parts, bvverify_bench* out, bvb_error* error )
{
	*out = ( bvverify_bench ){
		.arena = arena,
		.polygon = bvb_arena_allocate( arena, 1, sizeof *out->polygon ),
		.below = bvb_arena_allocate( arena, 1, sizeof *out->below ),
		.above = bvb_arena_allocate( arena, 1, sizeof *out->above ),
		.whole = bvb_arena_allocate( arena, 1, sizeof *out->whole ),
		.parts = bvb_arena_allocate( arena, parts, sizeof *out->parts ),
	};
	return out->polygon && out->below && out->above && out->whole && out->parts ? bv_ok
	                                                                            : bvbase_fail_memory( error );
}

bool bvverify_push_outline( bvverify_bench* bench, const bvverify_outline* polygon )
{
	if ( polygon->count == BVVERIFY_OUTLINE_CORNERS )
	{
		return false;
	}
	if ( bench->corner_count + polygon->count > bench->corner_room )
	{
		bv_vec3* corners = widen( bench->arena, bench->corners, bench->corner_count, &bench->corner_room,
		                          bench->corner_count + polygon->count, sizeof *corners );
		if ( !corners )
		{
			return false;
		}
		bench->corners = corners;
	}
	if ( bench->count == bench->room )
	{
		uint32_t* counts = widen( bench->arena, bench->counts, bench->count, &bench->room, bench->count + 1,
		                          sizeof *counts );
		if ( !counts )
		{
			return false;
		}
		bench->counts = counts;
	}
	memcpy( bench->corners + bench->corner_count, polygon->corners, polygon->count * sizeof *bench->corners );
	bench->corner_count += polygon->count;
	bench->counts[bench->count++] = polygon->count;
	return true;
}

void bvverify_pop_outline( bvverify_bench* bench )
{
	bvverify_outline* out = bench->polygon;
	out->count = bench->counts[--bench->count];
	bench->corner_count -= out->count;
	memcpy( out->corners, bench->corners + bench->corner_count, out->count * sizeof *out->corners );
}

void bvverify_clear_bench( bvverify_bench* bench )
{
	bench->count = bench->corner_count = 0;
}

static bool is_apart( const bvverify_outline* polygon, const bvverify_region* region, double error )
{
	for ( uint32_t i = 0; i < region->count; ++i )
	{
		const bvverify_half_space* side = region->sides + i;
		bool all = true;
		for ( uint32_t k = 0; k < polygon->count && all; ++k )
		{
			all = bv_dot( side->normal, polygon->corners[k] ) - side->offset >= -error;
		}
		if ( all )
		{
			return true;
		}
	}
	return false;
}

bool bvverify_take_inside( bvverify_bench* bench, const bvverify_region* region, double error, bool* parted )
{
	*parted = false;
	if ( is_apart( bench->polygon, region, error ) )
	{
		return true;
	}
	size_t count = bench->count;
	size_t corners = bench->corner_count;
	copy_outline( bench->polygon, bench->whole );
	for ( uint32_t i = 0; i < region->count; ++i )
	{
		const bvverify_half_space* side = region->sides + i;
		bvverify_cut_outline( bench->polygon, side->normal, side->offset, error, bench->below, bench->above );
		if ( bench->below->count == 0 )
		{
			// In vain: the pieces are put together again.
			bench->count = count;
			bench->corner_count = corners;
			copy_outline( bench->whole, bench->polygon );
			return true;
		}
		if ( bench->above->count > 0 )
		{
			if ( bench->below->count == BVVERIFY_OUTLINE_CORNERS ||
			     !bvverify_push_outline( bench, bench->above ) )
			{
				return false;
			}
			bvverify_outline* kept = bench->below;
			bench->below = bench->polygon;
			bench->polygon = kept;
		}
	}
	*parted = true;
	return true;
}

static bool add_part( void* context, uint32_t part )
{
	bvverify_bench* bench = context;
	bench->parts[bench->part_count++] = part;
	return true;
}

void bvverify_list_parts( const bv_file* file, const bv_aabb* box, bvverify_bench* bench )
{
	bench->part_count = 0;
	bvfile_local_visit_parts( file, box, add_part, bench );
}

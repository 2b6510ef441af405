// Simplified hulls that enclose. Half-spaces round the hull are chosen (cover.c), their corners rounded to binary32,
// and the planes moved outwards until exact arithmetic finds no vertex of the hull outside of the rounded triangles.
// Should nothing else do, the hull's box encloses it, or a tetrahedron round that.

#include "base/core/round.h"
#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "base/offline/exact.h"
#include "bvbuild/hull.h"
#include "hull/cover.h"
#include "hull/nearest.h"
#include "hull/scale.h"

#include <math.h>

// The hull in coordinates of up to 1.
typedef struct simplifier
{
	bv_vec3* at; // its vertices
	bvb_hull hull;
	bvb_hull_polygons polygons;
	int exponent;  // at is in units of 2^exponent
	uint32_t most; // corners
	bvb_arena* scratch;
	bvb_arena* arena;
	bvb_error* error;
} simplifier;

static bool is_binary32( bv_vec3 p )
{
	return bvb_largest_coordinate( p ) <= BVB_MAX_COORDINATE && p.x == (double)(float)p.x &&
	       p.y == (double)(float)p.y && p.z == (double)(float)p.z;
}

static bv_status keep_all( const bv_vec3* points, const bvb_hull* hull, bvb_arena* arena,
                           bvb_simple_hull* out )
{
	out->points = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->points );
	out->hull = *hull;
	out->hull.vertices = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->hull.vertices );
	out->hull.faces = bvb_arena_allocate( arena, hull->face_count, sizeof *out->hull.faces );
	if ( !out->points || !out->hull.vertices || !out->hull.faces )
	{
		return bv_error_memory;
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		out->points[v] = points[hull->vertices[v]];
		out->hull.vertices[v] = v;
	}
	for ( uint32_t f = 0; f < hull->face_count; ++f )
	{
		out->hull.faces[f] = hull->faces[f];
	}
	return bv_ok;
}

static bv_status begin( const bv_vec3* points, const bvb_hull* hull, simplifier* s )
{
	s->hull = *hull;
	s->at = bvb_arena_allocate( s->scratch, hull->vertex_count, sizeof *s->at );
	s->hull.vertices = bvb_arena_allocate( s->scratch, hull->vertex_count, sizeof *s->hull.vertices );
	if ( !s->at || !s->hull.vertices )
	{
		return bvb_fail_memory( s->error );
	}
	double largest = 0;
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		s->at[v] = points[hull->vertices[v]];
		s->hull.vertices[v] = v;
		largest = bv_max( bvb_largest_coordinate( s->at[v] ), largest );
	}
	if ( !( largest <= BVB_MAX_COORDINATE ) )
	{
		return bvb_fail( s->error, bv_error_argument,
		                 "a hull with coordinates above 2^120 can't be simplified" );
	}
	frexp( largest, &s->exponent );
	bvb_scale_points( s->at, hull->vertex_count, s->exponent, s->at );
	return bvb_hull_merge( s->at, &s->hull, 0, s->scratch, &s->polygons, s->error );
}

// The principal axes, and the extents along them about the centroid.
static bv_status find_frame( simplifier* s, bvb_round_frame* out )
{
	bv_mass mass;
	bv_status status = bvb_hull_mass( s->at, &s->hull, s->scratch, &mass, NULL );
	if ( status == bv_error_argument )
	{
		*out = ( bvb_round_frame ){ .scale = { 0 } };
		return bv_ok;
	}
	if ( status != bv_ok )
	{
		return bvb_fail_memory( s->error );
	}
	double moments[3];
	bvb_principal_axes( &mass, moments, out->axis );
	out->center = mass.center_of_mass;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t far = bvb_hull_support( &s->polygons, out->axis[k], BVB_ANY_VERTEX );
		uint32_t near = bvb_hull_support( &s->polygons, bv_scale( -1, out->axis[k] ), BVB_ANY_VERTEX );
		out->scale[k] = bv_dot( out->axis[k], bv_sub( s->at[far], s->at[near] ) ) / 2;
	}
	return bv_ok;
}

// Whether no vertex is in front of any face of `outer`, exactly. Both are scaled.
static bool encloses( const simplifier* s, const bv_vec3* corner, const bvb_hull* outer )
{
	for ( uint32_t f = 0; f < outer->face_count; ++f )
	{
		bv_vec3 a = corner[outer->vertices[outer->faces[f].corner[0]]];
		bv_vec3 b = corner[outer->vertices[outer->faces[f].corner[1]]];
		bv_vec3 c = corner[outer->vertices[outer->faces[f].corner[2]]];
		bv_vec3 ab = bv_sub( b, a );
		bv_vec3 ac = bv_sub( c, a );
		bv_vec3 normal = bv_cross( ab, ac );

		// Some 16 units of 2^-53 of the product of the three lengths are what rounding may do.
		double doubt = -0x1p-48 * bv_norm1( ab ) * bv_norm1( ac );
		for ( uint32_t v = 0; v < s->hull.vertex_count; ++v )
		{
			bv_vec3 d = bv_sub( s->at[v], a );
			if ( !( bv_dot( normal, d ) < doubt * bv_norm1( d ) ) && bvb_orient3d( a, b, c, s->at[v] ) > 0 )
			{
				return false;
			}
		}
	}
	return true;
}

// Takes corners in mesh units as a result if they enclose.
static bv_status accept( simplifier* s, const bv_vec3* corner, uint32_t count, bvb_simple_hull* out,
                         bool* enclosing )
{
	bvb_hull hull;
	*enclosing = false;
	bv_status status = bvb_hull_compute( corner, count, s->scratch, &hull, NULL );
	bv_vec3* scaled = bvb_arena_allocate( s->scratch, count, sizeof *scaled );
	if ( status != bv_ok || !scaled )
	{
		return status == bv_error_memory || !scaled ? bvb_fail_memory( s->error ) : bv_ok;
	}
	bvb_scale_points( corner, count, s->exponent, scaled );
	if ( hull.kind != bv_hull_polyhedron || hull.vertex_count > s->most || !encloses( s, scaled, &hull ) )
	{
		return bv_ok;
	}
	*enclosing = true;
	double error = 0;
	for ( uint32_t v = 0; v < hull.vertex_count; ++v )
	{
		bvb_nearest nearest = bvb_hull_find_nearest( &s->polygons, scaled[hull.vertices[v]], BVB_ANY_VERTEX );
		error = bv_max( nearest.distance, error );
	}
	error = ldexp( error, s->exponent );
	if ( out->points && out->error <= error )
	{
		return bv_ok;
	}
	out->error = error;
	return keep_all( corner, &hull, s->arena, out ) == bv_ok ? bv_ok : bvb_fail_memory( s->error );
}

// Rounds corners to binary32, to nearest.
// @return false if one is out of range
static bool round_corners( const simplifier* s, const bvb_plane_corner* meet, uint32_t count, bv_vec3* out )
{
	bool in_range = true;
	for ( uint32_t i = 0; i < count && in_range; ++i )
	{
		bv_vec3 p = meet[i].at;
		double at[3] = { p.x, p.y, p.z };
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = ldexp( at[k], s->exponent );
			in_range = in_range && fabs( at[k] ) < 0x1p127;
			at[k] = in_range ? (float)at[k] : 0;
		}
		out[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
	}
	return in_range;
}

// Moves the planes outwards until their rounded corners enclose: by nothing, then by steps that double.
static bv_status enclose( simplifier* s, bvb_half_space* space, uint32_t count, const bvb_round_frame* frame,
                          bvb_simple_hull* out )
{
	enum
	{
		most_steps = 30,
	};
	bool enclosing = false;
	bv_status status = bv_ok;
	double moved = 0;
	for ( int step = 0; step < most_steps && !enclosing && status == bv_ok; ++step )
	{
		bvb_plane_corner* meet;
		uint32_t corners;
		status = bvb_intersect_half_spaces( space, count, frame, s->scratch, &meet, &corners );
		bv_vec3* rounded = bvb_arena_allocate( s->scratch, corners, sizeof *rounded );
		if ( status != bv_ok || !rounded )
		{
			return bvb_fail_memory( s->error );
		}
		if ( corners > 0 && round_corners( s, meet, corners, rounded ) )
		{
			status = accept( s, rounded, corners, out, &enclosing );
		}
		double next = ldexp( 1, step - 26 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			space[i].offset += next - moved;
		}
		moved = next;
	}
	return status;
}

// The box along the axes, or a tetrahedron with three sides of it in common. What qhull finds too flat is made thicker.
static bv_status enclose_box( simplifier* s, bvb_simple_hull* out )
{
	enum
	{
		most_steps = 60,
	};
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t v = 0; v < s->hull.vertex_count; ++v )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double at = ldexp( bv_component( s->at[v], k ), s->exponent );
			lower[k] = bv_min( lower[k], bv_float_down( at ) );
			upper[k] = bv_max( upper[k], bv_float_up( at ) );
		}
	}
	bool box = s->most >= 8;
	bool enclosing = false;
	bv_status status = bv_ok;
	for ( int step = 0; step < most_steps && !enclosing && status == bv_ok; ++step )
	{
		bv_vec3 corner[8];
		for ( uint32_t i = 0; i < ( box ? 8 : 4 ); ++i )
		{
			double at[3];
			for ( uint32_t k = 0; k < 3; ++k )
			{
				// A little more than three times the box, so that rounding does not matter.
				double far = bv_float_up( lower[k] + 3.00001 * ( upper[k] - lower[k] ) );
				at[k] = box ? ( i >> k & 1 ? upper[k] : lower[k] ) : i == k + 1 ? far : lower[k];
			}
			corner[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
		}
		status = accept( s, corner, box ? 8 : 4, out, &enclosing );
		double wider = ldexp( 1, s->exponent + step - most_steps );
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = bv_float_down( lower[k] - wider );
			upper[k] = bv_float_up( upper[k] + wider );
		}
	}
	return status;
}

static bv_status simplify( const bv_vec3* points, const bvb_hull* hull, simplifier* s, bvb_simple_hull* out )
{
	bvb_round_frame frame;
	bv_status status = begin( points, hull, s );
	status = status == bv_ok ? find_frame( s, &frame ) : status;
	status = status == bv_ok ? enclose_box( s, out ) : status;
	if ( status != bv_ok || !( frame.scale[0] > 0 && frame.scale[1] > 0 && frame.scale[2] > 0 ) )
	{
		return status;
	}

	// Of k planes there are 2 k - 4 corners at most.
	uint64_t most = ( (uint64_t)s->most + 4 ) / 2;
	most = most < 2 * (uint64_t)hull->vertex_count ? most : 2 * (uint64_t)hull->vertex_count;
	bvb_half_space* spaces = bvb_arena_allocate( s->scratch, most, sizeof *spaces );
	uint32_t count = 0;
	if ( !spaces || bvb_cover( &s->polygons, &frame, (uint32_t)most, s->scratch, spaces, &count ) != bv_ok )
	{
		return bvb_fail_memory( s->error );
	}
	return count > 0 ? enclose( s, spaces, count, &frame, out ) : bv_ok;
}

bv_status bvb_hull_simplify( const bv_vec3* points, const bvb_hull* hull, uint32_t max_vertices,
                             bvb_arena* arena, bvb_simple_hull* out, bvb_error* error )
{
	*out = ( bvb_simple_hull ){ 0 };
	if ( hull->kind != bv_hull_polyhedron )
	{
		return bvb_fail( error, bv_error_argument, "only the hull of a solid can be simplified" );
	}
	if ( max_vertices < 4 )
	{
		return bvb_fail( error, bv_error_argument, "a simplified hull has at least 4 corners, not %u",
		                 max_vertices );
	}
	bool stored = hull->vertex_count <= max_vertices;
	for ( uint32_t v = 0; v < hull->vertex_count && stored; ++v )
	{
		stored = is_binary32( points[hull->vertices[v]] );
	}
	if ( stored )
	{
		return keep_all( points, hull, arena, out ) == bv_ok ? bv_ok : bvb_fail_memory( error );
	}

	simplifier s = { .most = max_vertices, .arena = arena, .error = error };
	s.scratch = bvb_arena_create_scratch( arena );
	bv_status status = s.scratch ? simplify( points, hull, &s, out ) : bvb_fail_memory( error );
	bvb_arena_destroy( s.scratch );
	if ( status == bv_ok && !out->points )
	{
		status = bvb_fail( error, bv_error_internal, "no hull of %u corners could be found", max_vertices );
	}
	if ( status != bv_ok )
	{
		*out = ( bvb_simple_hull ){ 0 };
	}
	return status;
}

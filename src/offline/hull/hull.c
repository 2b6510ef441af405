// Convex hulls. The dimension of the set is decided exactly. Then a point, a segment, a polygon or a
// polyhedron is computed, each by its own method.
//
// A set is flat if all of its points lie in one plane. The signs of the determinants that decide this are
// computed in exact arithmetic. The polygon of a flat set is found by Andrew's monotone chain (1979) in a
// coordinate plane. All other sets are passed to Quickhull with exact signs, or to qhull, which treats
// everything within rounding as coplanar. Sets that are too flat for qhull to find a closed polyhedron are
// treated as flat.

#include "bvbuild/hull.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "offline/hull/merged.h"
#include "offline/hull/polyhedron.h"
#include "offline/hull/scale.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>

// The largest component is scaled to about 1, so that no square underflows.
static double length( bv_vec3 v )
{
	double largest = fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) );
	if ( largest == 0 )
	{
		return 0;
	}
	int exponent;
	frexp( largest, &exponent );
	bv_vec3 unit = { ldexp( v.x, -exponent ), ldexp( v.y, -exponent ), ldexp( v.z, -exponent ) };
	return ldexp( sqrt( bv_dot( unit, unit ) ), exponent );
}

// A point of a flat set, seen along an axis.
typedef struct flat_point
{
	bvbase_vec2 at;
	uint32_t index;
} flat_point;

static int compare_flat( const void* left, const void* right )
{
	const flat_point* a = left;
	const flat_point* b = right;
	if ( a->at.u != b->at.u )
	{
		return a->at.u < b->at.u ? -1 : 1;
	}
	if ( a->at.v != b->at.v )
	{
		return a->at.v < b->at.v ? -1 : 1;
	}
	return ( a->index > b->index ) - ( a->index < b->index );
}

// Extends a convex chain from `chain[base]` by `p`, which comes after all of it in order.
static uint32_t extend_chain( flat_point* chain, uint32_t base, uint32_t length_of_chain, flat_point p )
{
	while ( length_of_chain >= base + 2 &&
	        bvbase_orient2d( chain[length_of_chain - 2].at, chain[length_of_chain - 1].at, p.at ) <= 0 )
	{
		--length_of_chain;
	}
	chain[length_of_chain] = p;
	return length_of_chain + 1;
}

static bvbase_vec2 seen_along( bv_vec3 p, int axis )
{
	return ( bvbase_vec2 ){ bvmath_component( p, ( axis + 1 ) % 3 ),
		                    bvmath_component( p, ( axis + 2 ) % 3 ) };
}

// The axis along which to look: of those that do not show the plane edge-on, where the normal is longest.
static int viewing_axis( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
	int best = -1;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double area = bvbase_orient2d( seen_along( a, axis ), seen_along( b, axis ), seen_along( c, axis ) );
		if ( area != 0 && ( best < 0 || fabs( bvmath_component( normal, axis ) ) >
		                                    fabs( bvmath_component( normal, best ) ) ) )
		{
			best = axis;
		}
	}
	return best;
}

// Looking along a coordinate axis maps the plane one to one, so the corners seen are the corners.
static bv_status emit_polygon( const bv_vec3* point, uint32_t count, const uint32_t corner[3], int exponent,
                               bvb_arena* scratch, bvb_arena* arena, bvb_hull* out )
{
	flat_point* sorted = bvb_arena_allocate( scratch, count, sizeof *sorted );
	flat_point* chain = bvb_arena_allocate( scratch, (size_t)count + 1, sizeof *chain );
	if ( !sorted || !chain )
	{
		return bv_error_memory;
	}
	int axis = viewing_axis( point[corner[0]], point[corner[1]], point[corner[2]] );
	if ( axis < 0 )
	{
		return bv_error_internal;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		sorted[i] = ( flat_point ){ seen_along( point[i], axis ), i };
	}
	qsort( sorted, count, sizeof *sorted, compare_flat );
	uint32_t distinct = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( distinct == 0 || sorted[i].at.u != sorted[distinct - 1].at.u ||
		     sorted[i].at.v != sorted[distinct - 1].at.v )
		{
			sorted[distinct++] = sorted[i];
		}
	}

	uint32_t corners = 0;
	for ( uint32_t i = 0; i < distinct; ++i )
	{
		corners = extend_chain( chain, 0, corners, sorted[i] );
	}
	uint32_t turning_point = corners - 1;
	for ( uint32_t i = distinct - 1; i-- > 0; )
	{
		corners = extend_chain( chain, turning_point, corners, sorted[i] );
	}
	out->vertex_count = corners - 1;
	out->vertices = bvb_arena_allocate( arena, out->vertex_count, sizeof *out->vertices );
	if ( !out->vertices )
	{
		return bv_error_memory;
	}
	bv_vec3 sum = { 0 };
	bv_vec3 first = point[chain[0].index];
	for ( uint32_t i = 0; i < out->vertex_count; ++i )
	{
		out->vertices[i] = chain[i].index;
		sum = bv_add( sum, bv_cross( bv_sub( point[chain[i].index], first ),
		                             bv_sub( point[chain[i + 1].index], first ) ) );
	}
	out->area = ldexp( length( sum ), 2 * exponent );
	return bv_ok;
}

// The ends of a straight set differ in any coordinate that is not the same for all points.
static bv_status emit_segment( const bv_vec3* point, uint32_t count, uint32_t start, uint32_t other,
                               bvb_arena* arena, bvb_hull* out )
{
	int axis = 0;
	bv_vec3 d = bv_sub( point[other], point[start] );
	for ( int k = 1; k < 3; ++k )
	{
		axis = fabs( bvmath_component( d, k ) ) > fabs( bvmath_component( d, axis ) ) ? k : axis;
	}
	uint32_t least = 0;
	uint32_t greatest = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		double at = bvmath_component( point[i], axis );
		least = at < bvmath_component( point[least], axis ) ? i : least;
		greatest = at > bvmath_component( point[greatest], axis ) ? i : greatest;
	}
	out->vertices = bvb_arena_allocate( arena, 2, sizeof *out->vertices );
	if ( !out->vertices )
	{
		return bv_error_memory;
	}
	out->vertices[0] = least < greatest ? least : greatest;
	out->vertices[1] = least < greatest ? greatest : least;
	out->vertex_count = 2;
	return bv_ok;
}

static bv_status emit_point( bvb_arena* arena, bvb_hull* out )
{
	out->vertices = bvb_arena_allocate( arena, 1, sizeof *out->vertices );
	out->vertex_count = out->vertices != NULL;
	return out->vertices ? bv_ok : bv_error_memory;
}

// Whether three points are on one line, exactly: a line looks straight along every axis.
static bool collinear( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	return viewing_axis( a, b, c ) < 0;
}

// How well `point[i]` extends the affine hull of the `found` corners, up to rounding; only orders candidates.
static double reach( const bv_vec3* point, uint32_t i, const uint32_t* corner, int found )
{
	bv_vec3 d = bv_sub( point[i], point[corner[0]] );
	if ( found == 1 )
	{
		return bvmath_norm1( d );
	}
	bv_vec3 side = bv_sub( point[corner[1]], point[corner[0]] );
	if ( found == 2 )
	{
		return bvmath_norm1( bv_cross( side, d ) );
	}
	return fabs( bv_dot( bv_cross( side, bv_sub( point[corner[2]], point[corner[0]] ) ), d ) );
}

// The same as an exact decision.
static bool extends( const bv_vec3* point, uint32_t i, const uint32_t* corner, int found )
{
	bv_vec3 p = point[i];
	bv_vec3 a = point[corner[0]];
	if ( found == 1 )
	{
		return p.x != a.x || p.y != a.y || p.z != a.z;
	}
	if ( found == 2 )
	{
		return !collinear( a, point[corner[1]], p );
	}
	return bvbase_orient3d( a, point[corner[1]], point[corner[2]], p ) != 0;
}

// @return how many corners a simplex has that spans the points: 1 for a point, 4 for a solid
static int find_simplex( const bv_vec3* point, uint32_t count, uint32_t corner[4] )
{
	corner[0] = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		corner[0] = point[i].x < point[corner[0]].x ? i : corner[0];
	}
	for ( int found = 1; found < 4; ++found )
	{
		uint32_t best = 0;
		double farthest = -1;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double distance = reach( point, i, corner, found );
			if ( distance > farthest )
			{
				farthest = distance;
				best = i;
			}
		}

		// Of a set that is nearly flat the rounded choice may be flat although another point is not.
		for ( uint32_t i = 0; i < count && !extends( point, best, corner, found ); ++i )
		{
			best = i;
		}
		if ( !extends( point, best, corner, found ) )
		{
			return found;
		}
		corner[found] = best;
	}
	return 4;
}

// @return whether all are finite
static bool find_exponent( const bv_vec3* points, uint32_t count, int* exponent )
{
	double largest = 0;
	double defect = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = points[i];
		largest = bvmath_max( bvmath_largest( p ), largest );
		defect += 0 * p.x + 0 * p.y + 0 * p.z;
	}
	*exponent = 0;
	frexp( defect == 0 ? largest : 0, exponent );
	return defect == 0;
}

static bv_status compute( const bv_vec3* points, uint32_t count, bool merged, bvb_arena* scratch,
                          bvb_arena* arena, bvb_hull* out )
{
	int exponent;
	if ( !find_exponent( points, count, &exponent ) )
	{
		return bv_error_argument;
	}
	bv_vec3* point = bvb_arena_allocate( scratch, count, sizeof *point );
	if ( !point )
	{
		return bv_error_memory;
	}
	bvhull_scale_points( points, count, exponent, point );

	uint32_t corner[4];
	switch ( find_simplex( point, count, corner ) )
	{
	case 1: out->kind = bv_hull_point; return emit_point( arena, out );
	case 2:
		out->kind = bv_hull_segment;
		return emit_segment( point, count, corner[0], corner[1], arena, out );
	case 3:
		out->kind = bv_hull_polygon;
		return emit_polygon( point, count, corner, exponent, scratch, arena, out );
	default: break;
	}

	out->kind = bv_hull_polyhedron;
	bv_status status = merged ? bvhull_polyhedron_merged( point, count, scratch, arena, out )
	                          : bvhull_polyhedron( point, count, corner, scratch, arena, out );
	if ( status == bv_error_limit )
	{
		*out = ( bvb_hull ){ .kind = bv_hull_polygon };
		return emit_polygon( point, count, corner, exponent, scratch, arena, out );
	}
	out->area = ldexp( out->area, 2 * exponent );
	out->volume = ldexp( out->volume, 3 * exponent );
	return status;
}

static bv_status compute_either( const bv_vec3* points, uint32_t count, bool merged, bvb_arena* arena,
                                 bvb_hull* out, bvb_error* error )
{
	*out = ( bvb_hull ){ 0 };
	if ( count == 0 )
	{
		return bvbase_fail( error, bv_error_argument, "a hull needs at least one point" );
	}
	if ( count > INT32_MAX )
	{
		return bvbase_fail( error, bv_error_limit, "a hull can have at most 2^31 - 1 points" );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status = scratch ? compute( points, count, merged, scratch, arena, out ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	if ( status != bv_ok )
	{
		*out = ( bvb_hull ){ 0 };
	}
	switch ( status )
	{
	case bv_ok: return bv_ok;
	case bv_error_memory: return bvbase_fail_memory( error );
	case bv_error_argument: return bvbase_fail( error, status, "a point of the hull is not finite" );
	default: return bvbase_fail( error, bv_error_internal, "cannot build the hull of %u points", count );
	}
}

bv_status bvb_hull_compute( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                            bvb_error* error )
{
	return compute_either( points, count, false, arena, out, error );
}

bv_status bvhull_compute_merged( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                                 bvb_error* error )
{
	return compute_either( points, count, true, arena, out, error );
}

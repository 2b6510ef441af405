// Proofs that two moving shapes touch. See touch.h.

#include "runtime/motion/touch.h"

#include "runtime/math/vec.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/sequence.h"

#include <math.h>

// Whether the origin is farther than a distance behind a face of a tetrahedron, as the fourth vertex is.
static bool is_behind( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 fourth, double distance )
{
	bv_vec3 normal = bv_normalize( bv_cross( bv_sub( b, a ), bv_sub( c, a ) ) );
	double height = bv_dot( normal, bv_sub( fourth, a ) );
	double origin = -bv_dot( normal, a );
	return height > 0 ? height > distance && origin > distance : height < -distance && origin < -distance;
}

static bv_vec3 vertex_along( const bvconvex_pair* pair, bv_vec3 along )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	return bvconvex_gjk_support( &pair->search, bv_negate( along ), none ).at;
}

// Whether a ball around the origin, which is on a triangle, is in two tetrahedra on both sides of it.
static bool is_between_two( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, double radius )
{
	bv_vec3 v[3] = { s->vertex[0].at, s->vertex[1].at, s->vertex[2].at };
	bv_vec3 normal = bv_normalize( bv_cross( bv_sub( v[1], v[0] ), bv_sub( v[2], v[0] ) ) );
	for ( int side = -1; side <= 1; side += 2 )
	{
		bv_vec3 top = vertex_along( pair, bv_scale( side, normal ) );
		bool holds = side * bv_dot( normal, bv_sub( top, v[0] ) ) > radius;
		for ( int i = 0; i < 3; ++i )
		{
			holds = holds && is_behind( top, v[i], v[( i + 1 ) % 3], v[( i + 2 ) % 3], radius );
		}
		if ( !holds )
		{
			return false;
		}
	}
	return true;
}

// Whether it, on a segment, is in four tetrahedra around that.
static bool is_between_four( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, double radius )
{
	bv_vec3 v[2] = { s->vertex[0].at, s->vertex[1].at };
	bv_vec3 along = bv_sub( v[1], v[0] );
	bv_vec3 other =
		fabs( along.x ) < 0.5 * bv_length( along ) ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	bv_vec3 u = bv_normalize( bv_cross( along, other ) );
	bv_vec3 w = bv_normalize( bv_cross( along, u ) );
	bv_vec3 ring[4] = { vertex_along( pair, u ), vertex_along( pair, w ),
		                vertex_along( pair, bv_negate( u ) ), vertex_along( pair, bv_negate( w ) ) };
	bool holds = true;
	for ( int i = 0; i < 4 && holds; ++i )
	{
		bv_vec3 p = ring[i];
		bv_vec3 q = ring[( i + 1 ) % 4];
		bv_vec3 across = bv_normalize( bv_cross( along, bv_sub( p, v[0] ) ) );
		holds = bv_dot( across, bv_sub( q, v[0] ) ) > radius && is_behind( v[0], p, q, v[1], radius ) &&
		        is_behind( v[1], p, q, v[0], radius );
	}
	return holds;
}

// Whether a ball around the origin is in the difference of the shapes. Where both are symmetric, the origin is often on a side
// or an edge of the last simplex.
// @param doubt  radius of the ball; more than vertices are off
static bool contains_origin( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, double doubt )
{
	if ( s->count == 4 )
	{
		return bvconvex_gjk_is_inside( doubt, s );
	}
	return s->square <= doubt * doubt && ( ( s->count == 3 && is_between_two( pair, s, 4 * doubt ) ) ||
	                                       ( s->count == 2 && is_between_four( pair, s, 4 * doubt ) ) );
}

bool bvmotion_touches( const bvmotion_moment* m, const bvconvex_gjk_simplex* nearest )
{
	return contains_origin( &m->pair, nearest, m->rounding ) ||
	       sqrt( nearest->square ) + m->rounding <= m->margin * ( 1 - 0x1p-50 );
}

// Three vertices of the difference at a time, and where the origin is seen from their triangle.
typedef struct difference_triangle
{
	double height; // of the vertices above the origin, along the normal
	double inside; // distance of the origin's foot from the nearest side, below 0 outside
	double doubt;
} difference_triangle;

static bv_status look_from( bvmotion_moment* m, double time, uint32_t name[3][2], difference_triangle* out )
{
	bv_vec3 v[3];
	bv_status status = bvmotion_moment_set( m, time );
	if ( status != bv_ok )
	{
		return status;
	}
	for ( int i = 0; i < 3; ++i )
	{
		v[i] = bvconvex_pair_vertex( &m->pair, name[i] ).at;
	}
	bv_vec3 normal = bv_normalize( bv_cross( bv_sub( v[1], v[0] ), bv_sub( v[2], v[0] ) ) );
	out->height = bv_dot( normal, v[0] );
	out->doubt = m->rounding;
	out->inside = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 outward = bv_normalize( bv_cross( bv_sub( v[( i + 1 ) % 3], v[i] ), normal ) );
		out->inside = bvmath_min( out->inside, bv_dot( outward, v[i] ) );
	}
	return bv_ok;
}

// The triangle has the origin on one side at the first time and on the other at the second. No vertex moves by more than a
// distance. When the origin is in the triangle's plane, it is in the triangle: a disc in the triangle around the foot of the
// origin remains at least as large, less twice that distance, and its center is not farther from the origin than the first
// height and that distance.
bv_status bvmotion_passes( bvmotion_moment* m, double from, double to, uint32_t name[3][2], bool* passes )
{
	difference_triangle before;
	difference_triangle after;
	const bvmotion_shapes* shapes = m->shapes;
	double moved = 0;
	double scale = bvmotion_scale( shapes->motion[0] );
	bool passes_joint = false;
	*passes = false;
	bv_status status = look_from( m, from, name, &before );
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		bvmotion_span span;
		const bv_sphere* ball = &shapes->ball[i];
		status = bvmotion_span_begin( shapes->motion[i], from, to, from, &span );
		moved += bvmotion_span_reach( &span, ball->center, ball->radius );
		// What jumps past the other shape does not touch it.
		passes_joint = passes_joint || bvmotion_has_joint( shapes->motion[i], from, to );
	}
	status = status == bv_ok ? look_from( m, to, name, &after ) : status;
	if ( status == bv_ok && !passes_joint )
	{
		double margin = fabs( before.height ) + 6 * moved / scale + 8 * ( before.doubt + after.doubt );
		*passes = before.height * after.height < 0 && fabs( before.height ) > 4 * before.doubt &&
		          fabs( after.height ) > 4 * after.doubt && before.inside > margin;
	}
	return status;
}

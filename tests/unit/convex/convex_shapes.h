// Random convex shapes with known faces, for tests of pairs: boxes, triangles, segments, points, and hulls with their
// neighbors.

#pragma once

#include "support.h"

#include "bv/convex.h"

#include "tests/hull_graph.h"

static inline bool graph_of( fixture* f, const bv_vec3* points, uint32_t count, bv_convex* out )
{
	return graph_of_hull( f->arena, points, count, out );
}

static inline bv_vec3 signed_point( fixture* f )
{
	bv_vec3 p = random_point( f );
	return ( bv_vec3 ){ 2 * p.x - 1, 2 * p.y - 1, 2 * p.z - 1 };
}

// Points of a hull in a ball, on a sphere, or on a small grid, where many are in one plane.
static inline bool random_graph( fixture* f, uint32_t count, bv_convex* out )
{
	bv_vec3 points[200];
	uint64_t kind = random_bits( f ) % 3;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = signed_point( f );
		double length = sqrt( p.x * p.x + p.y * p.y + p.z * p.z ) + 1e-9;
		points[i] = kind == 0   ? p
		            : kind == 1 ? ( bv_vec3 ){ p.x / length, p.y / length, p.z / length }
		                        : ( bv_vec3 ){ rint( 2 * p.x ), rint( 2 * p.y ), rint( 2 * p.z ) };
	}
	return graph_of( f, points, count, out );
}

// Any shape with known faces; every second one has coordinates that are small integers.
static inline bv_convex random_polytope( fixture* f, uint32_t most )
{
	bool grid = random_bits( f ) % 2;
	bv_vec3 p[3];
	for ( int i = 0; i < 3; ++i )
	{
		p[i] = signed_point( f );
		p[i] = grid ? ( bv_vec3 ){ rint( 2 * p[i].x ), rint( 2 * p[i].y ), rint( 2 * p[i].z ) } : p[i];
	}
	bv_convex out;
	switch ( random_bits( f ) % 8 )
	{
	case 0: return bv_convex_point( p[0] );
	case 1: return bv_convex_segment( p[0], p[1] );
	case 2: return bv_convex_triangle( p[0], p[1], p[2] );
	case 3:
	case 4: return bv_convex_box( p[0], ( bv_vec3 ){ fabs( p[1].x ), fabs( p[1].y ), fabs( p[1].z ) } );
	default:
		return random_graph( f, 4 + (uint32_t)( random_bits( f ) % ( most - 3 ) ), &out )
		           ? out
		           : bv_convex_triangle( p[0], p[1], p[2] );
	}
}

// Where the second shape of a pair is: as it is, moved by small integers, or anywhere.
// @return false for null
static inline bool random_placement( fixture* f, bv_transform* out )
{
	bv_vec3 p = signed_point( f );
	uint64_t kind = random_bits( f ) % 4;
	*out = bv_transform_translation( rint( 2 * p.x ), rint( 2 * p.y ), rint( 2 * p.z ) );
	if ( kind > 1 )
	{
		bv_quaternion q = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5, 0.01 };
		double length = sqrt( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
		q = ( bv_quaternion ){ q.x / length, q.y / length, q.z / length, q.w / length };
		double scale = random_bits( f ) % 2 ? 1 : -0.75;
		assert_int_equal( bv_transform_from_trs( p, q, scale, out ), bv_ok );
	}
	return kind > 0;
}

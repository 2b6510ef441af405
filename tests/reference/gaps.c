// Distances by all pairs of features. See gaps.h.

#include "tests/reference/gaps.h"

#include "tests/reference/nearest.h"
#include "tests/reference/quad.h"

#include <math.h>

static double gap_of_corner( bv_vec3 corner, const bv_vec3 triangle[3] )
{
	nearest_face face = nearest_face_of( triangle );
	nearest_faces one = { &face, 1 };
	return nearest_distance_exact( &one, corner );
}

// Of the lines' common perpendicular, where it meets both sides.
static double gap_of_sides( bv_vec3 p, bv_vec3 p_end, bv_vec3 q, bv_vec3 q_end )
{
	quad3 u = quad_difference( p_end, p );
	quad3 v = quad_difference( q_end, q );
	quad3 r = quad_difference( q, p );
	quad3 n = quad_cross( u, v );
	quad nn = quad_dot( n, n );
	quad s = quad_dot( quad_cross( r, v ), n );
	quad t = quad_dot( quad_cross( r, u ), n );
	if ( nn <= 0 || s < 0 || s > nn || t < 0 || t > nn )
	{
		return INFINITY;
	}
	double height = (double)quad_dot( r, n );
	return fabs( height ) / sqrt( (double)nn );
}

static bool pierces( bv_vec3 p, bv_vec3 q, const bv_vec3 t[3] )
{
	quad3 n = quad_cross( quad_difference( t[1], t[0] ), quad_difference( t[2], t[0] ) );
	quad at_p = quad_dot( n, quad_difference( p, t[0] ) );
	quad at_q = quad_dot( n, quad_difference( q, t[0] ) );
	if ( ( at_p >= 0 && at_q >= 0 ) || ( at_p <= 0 && at_q <= 0 ) )
	{
		return false;
	}
	// The volumes that the side's line spans with the triangle's sides have one sign.
	quad3 along = quad_difference( q, p );
	bool positive = true;
	bool negative = true;
	for ( int k = 0; k < 3; ++k )
	{
		quad volume = quad_dot(
			along, quad_cross( quad_difference( t[k], p ), quad_difference( t[( k + 1 ) % 3], p ) ) );
		positive = positive && volume >= 0;
		negative = negative && volume <= 0;
	}
	return positive || negative;
}

double gap_of_triangles( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	double least = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		int next = ( i + 1 ) % 3;
		if ( pierces( a[i], a[next], b ) || pierces( b[i], b[next], a ) )
		{
			return 0;
		}
		least = fmin( least, fmin( gap_of_corner( a[i], b ), gap_of_corner( b[i], a ) ) );
		for ( int j = 0; j < 3; ++j )
		{
			least = fmin( least, gap_of_sides( a[i], a[next], b[j], b[( j + 1 ) % 3] ) );
		}
	}
	return least;
}

static quad volume_of( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	return quad_dot( quad_difference( b, a ),
	                 quad_cross( quad_difference( c, a ), quad_difference( d, a ) ) );
}

static bool is_within( const bv_vec3 t[4], bv_vec3 x )
{
	quad all = volume_of( t[0], t[1], t[2], t[3] );
	quad part[4] = { volume_of( x, t[1], t[2], t[3] ), volume_of( t[0], x, t[2], t[3] ),
		             volume_of( t[0], t[1], x, t[3] ), volume_of( t[0], t[1], t[2], x ) };
	bool inside = all != 0;
	for ( int k = 0; k < 4; ++k )
	{
		inside = inside && ( all > 0 ? part[k] >= 0 : part[k] <= 0 );
	}
	return inside;
}

double gap_of_hull( const bv_vec3* points, uint32_t count, const bv_vec3 triangle[3] )
{
	// With one point thrice, all triangles that some of the points make.
	double least = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t j = i; j < count; ++j )
		{
			for ( uint32_t k = j; k < count; ++k )
			{
				bv_vec3 face[3] = { points[i], points[j], points[k] };
				least = fmin( least, gap_of_triangles( face, triangle ) );
				for ( uint32_t l = k + 1; l < count; ++l )
				{
					bv_vec3 t[4] = { points[i], points[j], points[k], points[l] };
					least = is_within( t, triangle[0] ) ? 0 : least;
				}
			}
		}
	}
	return least;
}

// Edges that meet triangles, compared with integers.
//
// The reference shares nothing with the code: two convex sets meet if and only if the origin is in the convex hull of the
// differences of their corners, and then it is in a simplex of at most four of them whose corners are independent
// (Caratheodory). All sets of four are tried.

#include "runtime/triangle/crossing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

// Coordinates up to 2^27, so that polynomials of degree 4 fit.
typedef struct point
{
	int64_t c[3];
} point;

typedef struct wide_point
{
	wide c[3];
} wide_point;

static point minus( point a, point b )
{
	return ( point ){ { a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2] } };
}

static wide_point cross( point a, point b )
{
	wide_point out;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		out.c[i] = (wide)a.c[j] * b.c[k] - (wide)a.c[k] * b.c[j];
	}
	return out;
}

static wide dot( wide_point a, point b )
{
	return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static wide dot_wide( wide_point a, wide_point b )
{
	return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static bool is_zero( wide_point a )
{
	return a.c[0] == 0 && a.c[1] == 0 && a.c[2] == 0;
}

static wide volume( point a, point b, point c )
{
	return dot( cross( a, b ), c );
}

static bool origin_on_segment( point a, point b )
{
	wide product = (wide)a.c[0] * b.c[0] + (wide)a.c[1] * b.c[1] + (wide)a.c[2] * b.c[2];
	return is_zero( cross( a, b ) ) && product <= 0;
}

static bool origin_in_triangle( const point t[3] )
{
	wide_point normal = cross( minus( t[1], t[0] ), minus( t[2], t[0] ) );
	if ( is_zero( normal ) || volume( t[0], t[1], t[2] ) != 0 )
	{
		return false;
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( dot_wide( normal, cross( t[i], t[( i + 1 ) % 3] ) ) < 0 )
		{
			return false;
		}
	}
	return true;
}

static bool origin_in_tetrahedron( const point t[4] )
{
	wide whole = volume( minus( t[1], t[0] ), minus( t[2], t[0] ), minus( t[3], t[0] ) );
	const wide part[4] = { volume( t[1], t[2], t[3] ), -volume( t[0], t[2], t[3] ),
		                   volume( t[0], t[1], t[3] ), -volume( t[0], t[1], t[2] ) };
	for ( int i = 0; i < 4; ++i )
	{
		if ( whole > 0 ? part[i] < 0 : part[i] > 0 )
		{
			return false;
		}
	}
	return whole != 0;
}

// Subsets of one and two are those with points repeated: a segment is one, whichever two of its points are equal.
static bool hulls_meet( const point* a, int of_a, const point* b, int of_b )
{
	point d[9];
	int count = 0;
	for ( int i = 0; i < of_a * of_b; ++i )
	{
		d[count++] = minus( a[i / of_b], b[i % of_b] );
	}
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = i; j < count; ++j )
		{
			if ( origin_on_segment( d[i], d[j] ) )
			{
				return true;
			}
			for ( int k = j + 1; k < count; ++k )
			{
				const point three[3] = { d[i], d[j], d[k] };
				if ( origin_in_triangle( three ) )
				{
					return true;
				}
				for ( int l = k + 1; l < count; ++l )
				{
					const point four[4] = { d[i], d[j], d[k], d[l] };
					if ( origin_in_tetrahedron( four ) )
					{
						return true;
					}
				}
			}
		}
	}
	return false;
}

static uint32_t random_below( uint32_t limit )
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)( ( state >> 32 ) % limit );
}

static point random_point( uint32_t size )
{
	point p;
	for ( int i = 0; i < 3; ++i )
	{
		p.c[i] = (int64_t)random_below( 2 * size + 1 ) - size;
	}
	return p;
}

static point combine( point a, int64_t s, point b, int64_t t, point c )
{
	point out;
	for ( int i = 0; i < 3; ++i )
	{
		out.c[i] = a.c[i] + s * ( b.c[i] - a.c[i] ) + t * ( c.c[i] - a.c[i] );
	}
	return out;
}

// Pairs of all kinds of position.
static void make_pair( int kind, uint32_t size, point a[3], point b[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		a[k] = random_point( size );
		b[k] = random_point( size );
	}
	int64_t s = (int64_t)random_below( 5 ) - 2;
	int64_t t = (int64_t)random_below( 5 ) - 2;
	switch ( kind % 10 )
	{
	case 1: b[0] = a[0]; break;
	case 2: // an edge in common
		b[0] = a[1];
		b[1] = a[0];
		break;
	case 3: // one plane
		b[0] = combine( a[0], s, a[1], t, a[2] );
		b[1] = combine( a[0], t, a[1], -s, a[2] );
		b[2] = combine( a[0], 1, a[1], s, a[2] );
		break;
	case 4: a[2] = combine( a[0], s, a[1], 0, a[1] ); break; // on a line
	case 5: a[1] = a[2] = a[0]; break;                       // a point
	case 6:                                                  // both on one line
		a[2] = combine( a[0], s, a[1], 0, a[1] );
		b[0] = combine( a[0], 2 * t, a[1], 0, a[1] );
		b[1] = combine( a[0], 2 * t + 1, a[1], 0, a[1] );
		b[2] = combine( a[0], 2 * t - 1, a[1], 0, a[1] );
		break;
	case 7: // a corner in the plane of the other
		b[0] = combine( a[0], s, a[1], t, a[2] );
		break;
	case 8: // a point of the plane, or next to it
		b[0] = b[1] = b[2] = combine( a[0], s, a[1], t, a[2] );
		b[0].c[0] += (int64_t)random_below( 3 ) - 1;
		b[1] = b[2] = b[0];
		break;
	case 9: // parallel planes next to each other, or one plane
		b[0] = combine( a[0], s, a[1], t, a[2] );
		b[1] = combine( a[0], 0, a[1], 1, a[2] );
		b[2] = combine( a[0], 1, a[1], 1, a[2] );
		for ( int k = 0; k < 3 && random_below( 2 ); ++k )
		{
			b[k].c[2] += (int64_t)random_below( 3 ) - 1;
		}
		break;
	default: break;
	}
}

// Exactly, if coordinates times the unit fit.
static void get_corners( const point t[3], double unit, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = ( bv_vec3 ){ unit * (double)t[k].c[0], unit * (double)t[k].c[1], unit * (double)t[k].c[2] };
	}
}

static int check_pair( const point a[3], const point b[3], double unit )
{
	bv_vec3 corners[2][3];
	get_corners( a, unit, corners[0] );
	get_corners( b, unit, corners[1] );
	bvtri_crossing found;
	bvtri_crossing swapped;
	bvtri_triangles_cross( corners[0], corners[1], &found );
	bvtri_triangles_cross( corners[1], corners[0], &swapped );
	assert_true( found.certain && swapped.certain );
	assert_int_equal( found.edges[0], swapped.edges[1] );
	assert_int_equal( found.edges[1], swapped.edges[0] );
	for ( int k = 0; k < 3; ++k )
	{
		const point edge_a[2] = { a[k], a[( k + 1 ) % 3] };
		const point edge_b[2] = { b[k], b[( k + 1 ) % 3] };
		assert_int_equal( found.edges[0] >> k & 1, hulls_meet( edge_a, 2, b, 3 ) );
		assert_int_equal( found.edges[1] >> k & 1, hulls_meet( edge_b, 2, a, 3 ) );
	}
	bool meets = found.edges[0] || found.edges[1];
	assert_int_equal( meets, hulls_meet( a, 3, b, 3 ) );
	return meets;
}

// In coordinates of few values every degenerate position is frequent.
static void small_integers_are_decided_as_by_the_reference( void** state )
{
	(void)state;
	int meetings[10] = { 0 };
	for ( int i = 0; i < 12000; ++i )
	{
		point a[3];
		point b[3];
		make_pair( i, 1 + random_below( 5 ), a, b );
		meetings[i % 10] += check_pair( a, b, 1 );
	}
	for ( int kind = 0; kind < 10; ++kind )
	{
		assert_true( meetings[kind] > 20 );
		assert_true( kind == 1 || kind == 2 || meetings[kind] < 1200 );
	}
}

// Corners that are one unit off a plane: volumes are far below the rounding of binary64.
static void large_integers_are_decided_as_by_the_reference( void** state )
{
	(void)state;
	int meetings = 0;
	for ( int i = 0; i < 6000; ++i )
	{
		point a[3];
		point b[3];
		make_pair( i, 1u << 23, a, b );
		meetings += check_pair( a, b, ldexp( 1, i % 400 - 200 ) );
	}
	assert_true( meetings > 500 && meetings < 5500 );
}

static void numbers_of_very_different_sizes_count_as_meeting( void** state )
{
	(void)state;
	const bv_vec3 a[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	const bv_vec3 tiny[3] = { { 0.25, 0.25, 1e-300 }, { 1e-250, 0.25, -1e-290 }, { 0.25, 1e-280, 1e-270 } };
	bvtri_crossing found;
	bvtri_triangles_cross( a, tiny, &found );
	assert_true( !found.certain && found.edges[0] == 7 && found.edges[1] == 7 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( small_integers_are_decided_as_by_the_reference ),
		cmocka_unit_test( large_integers_are_decided_as_by_the_reference ),
		cmocka_unit_test( numbers_of_very_different_sizes_count_as_meeting ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

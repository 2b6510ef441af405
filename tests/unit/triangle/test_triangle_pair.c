// Triangle against triangle, compared with an exact answer.
//
// Corners are small integers, so that the reference below decides without rounding: two closed triangles
// intersect if and only if a side of one meets the other. Two such triangles that do not intersect are apart
// by far more than binary64 rounds, so that the conservative test has no excuse: its answer must be the exact
// one.

#include "runtime/triangle/pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

// Coordinates up to about 300: every product below stays under 2^60.
typedef struct point
{
	int64_t c[3];
} point;

static point minus( point a, point b )
{
	return ( point ){ { a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2] } };
}

static point cross( point a, point b )
{
	return ( point ){ { a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2],
		                a.c[0] * b.c[1] - a.c[1] * b.c[0] } };
}

static int64_t dot( point a, point b )
{
	return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static point normal_of( const point t[3] )
{
	return cross( minus( t[1], t[0] ), minus( t[2], t[0] ) );
}

static bool has_area( const point t[3] )
{
	point n = normal_of( t );
	return n.c[0] != 0 || n.c[1] != 0 || n.c[2] != 0;
}

// A plane of coordinates u and v in which a triangle has an area.
typedef struct projection
{
	int u;
	int v;
} projection;

static projection projection_of( point normal )
{
	int dropped = normal.c[0] != 0 ? 0 : normal.c[1] != 0 ? 1 : 2;
	return ( projection ){ ( dropped + 1 ) % 3, ( dropped + 2 ) % 3 };
}

// On which side of the line from a to b the point p / weight lies: -1, 0 or 1. The weight is positive.
static int side_of_line( projection f, point a, point b, point p, int64_t weight )
{
	int64_t area = ( b.c[f.u] - a.c[f.u] ) * ( p.c[f.v] - weight * a.c[f.v] ) -
	               ( b.c[f.v] - a.c[f.v] ) * ( p.c[f.u] - weight * a.c[f.u] );
	return ( area > 0 ) - ( area < 0 );
}

static bool point_in_triangle( projection f, const point t[3], point p, int64_t weight )
{
	bool left = false;
	bool right = false;
	for ( int i = 0; i < 3; ++i )
	{
		int side = side_of_line( f, t[i], t[( i + 1 ) % 3], p, weight );
		left |= side > 0;
		right |= side < 0;
	}
	return !( left && right );
}

static bool between( int64_t x, int64_t a, int64_t b )
{
	return ( a <= x && x <= b ) || ( b <= x && x <= a );
}

// Of a point known to be on the line through a and b.
static bool on_segment( projection f, point a, point b, point p )
{
	return between( p.c[f.u], a.c[f.u], b.c[f.u] ) && between( p.c[f.v], a.c[f.v], b.c[f.v] );
}

static bool segments_meet_in_plane( projection f, point a, point b, point p, point q )
{
	int sides[4] = { side_of_line( f, a, b, p, 1 ), side_of_line( f, a, b, q, 1 ),
		             side_of_line( f, p, q, a, 1 ), side_of_line( f, p, q, b, 1 ) };
	if ( sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0 )
	{
		return true;
	}
	return ( sides[0] == 0 && on_segment( f, a, b, p ) ) || ( sides[1] == 0 && on_segment( f, a, b, q ) ) ||
	       ( sides[2] == 0 && on_segment( f, p, q, a ) ) || ( sides[3] == 0 && on_segment( f, p, q, b ) );
}

static bool segment_meets_triangle( point p, point q, const point t[3] )
{
	point normal = normal_of( t );
	projection f = projection_of( normal );
	int64_t height_p = dot( normal, minus( p, t[0] ) );
	int64_t height_q = dot( normal, minus( q, t[0] ) );

	if ( height_p == 0 && height_q == 0 )
	{
		bool meets = point_in_triangle( f, t, p, 1 ) || point_in_triangle( f, t, q, 1 );
		for ( int i = 0; i < 3; ++i )
		{
			meets |= segments_meet_in_plane( f, t[i], t[( i + 1 ) % 3], p, q );
		}
		return meets;
	}
	if ( ( height_p > 0 && height_q > 0 ) || ( height_p < 0 && height_q < 0 ) )
	{
		return false;
	}

	// The crossing is ( |height_p| q + |height_q| p ) / ( |height_p| + |height_q| ).
	int64_t up = height_p < 0 ? -height_p : height_p;
	int64_t uq = height_q < 0 ? -height_q : height_q;
	point crossing;
	for ( int k = 0; k < 3; ++k )
	{
		crossing.c[k] = up * q.c[k] + uq * p.c[k];
	}
	return point_in_triangle( f, t, crossing, up + uq );
}

static bool exactly_intersect( const point a[3], const point b[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( segment_meets_triangle( a[i], a[( i + 1 ) % 3], b ) ||
		     segment_meets_triangle( b[i], b[( i + 1 ) % 3], a ) )
		{
			return true;
		}
	}
	return false;
}

// x -> factor * ( x + offset ), exact in binary64 for powers of two and small integers.
typedef struct frame
{
	double factor;
	double offset[3];
} frame;

static const frame plain = { 1, { 0, 0, 0 } };

static bool answer_in( const frame* f, const point a[3], const point b[3] )
{
	bv_vec3 corners[2][3];
	for ( int i = 0; i < 6; ++i )
	{
		const int64_t* c = i < 3 ? a[i].c : b[i - 3].c;
		corners[i / 3][i % 3] = ( bv_vec3 ){ f->factor * ( (double)c[0] + f->offset[0] ),
			                                 f->factor * ( (double)c[1] + f->offset[1] ),
			                                 f->factor * ( (double)c[2] + f->offset[2] ) };
	}
	return bvtri_triangles_intersect( corners[0], corners[1] );
}

static void assert_answer( const frame* f, const point a[3], const point b[3], bool expected )
{
	if ( answer_in( f, a, b ) != expected )
	{
		for ( int i = 0; i < 6; ++i )
		{
			const int64_t* c = i < 3 ? a[i].c : b[i - 3].c;
			print_error( "%s%d = (%d, %d, %d)\n", i < 3 ? "a" : "b", i % 3, (int)c[0], (int)c[1], (int)c[2] );
		}
		fail_msg( "expected %s, times %g after (%g, %g, %g)", expected ? "intersecting" : "apart", f->factor,
		          f->offset[0], f->offset[1], f->offset[2] );
	}
}

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
static uint64_t next_random( uint64_t* state )
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
	z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
	return z ^ ( z >> 31 );
}

static int64_t random_integer( uint64_t* state, int64_t from, int64_t to )
{
	return from + (int64_t)( next_random( state ) % (uint64_t)( to - from + 1 ) );
}

static point random_point( uint64_t* state, int64_t range )
{
	point p;
	for ( int k = 0; k < 3; ++k )
	{
		p.c[k] = random_integer( state, -range, range );
	}
	return p;
}

static void random_triangle( uint64_t* state, int64_t range, point t[3] )
{
	do
	{
		for ( int i = 0; i < 3; ++i )
		{
			t[i] = random_point( state, range );
		}
	} while ( !has_area( t ) );
}

// A point of the plane of `a`, often within the triangle, on a side's line, or a corner.
static point random_point_of_plane( uint64_t* state, const point a[3] )
{
	int64_t i = random_integer( state, -1, 2 );
	int64_t j = random_integer( state, -1, 2 );
	point p;
	for ( int k = 0; k < 3; ++k )
	{
		p.c[k] = a[0].c[k] + i * ( a[1].c[k] - a[0].c[k] ) + j * ( a[2].c[k] - a[0].c[k] );
	}
	return p;
}

// The first `tied` corners of b lie in the plane of a.
static void random_tied_triangle( uint64_t* state, int64_t range, const point a[3], int tied, point b[3] )
{
	do
	{
		for ( int i = 0; i < 3; ++i )
		{
			b[i] = i < tied ? random_point_of_plane( state, a ) : random_point( state, range );
		}
	} while ( !has_area( b ) );
}

static const struct
{
	const char* name;
	point a[3];
	point b[3];
	bool intersect;
} cases[] = {
	{ "the same triangle",
	  { { { 0, 0, 0 } }, { { 4, 0, 0 } }, { { 0, 4, 0 } } },
	  { { { 0, 0, 0 } }, { { 4, 0, 0 } }, { { 0, 4, 0 } } },
	  true },
	{ "pierced through the middle",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 1, 1, -1 } }, { { 1, 1, 1 } }, { { 2, 2, 3 } } },
	  true },
	{ "a side passes beside the triangle",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 4, 4, -1 } }, { { 4, 4, 1 } }, { { 7, 7, 0 } } },
	  false },
	{ "a corner on the face",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 1, 1, 0 } }, { { 1, 2, 3 } }, { { 3, 1, 3 } } },
	  true },
	{ "a corner just above the face",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 1, 1, 1 } }, { { 1, 2, 3 } }, { { 3, 1, 3 } } },
	  false },
	{ "a corner in the plane beside the face",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 4, 3, 0 } }, { { 1, 2, 3 } }, { { 3, 1, 3 } } },
	  false },
	{ "a corner on a side",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 3, 3, 0 } }, { { 5, 5, 3 } }, { { 6, 3, -3 } } },
	  true },
	{ "one common corner",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 0, 0, 0 } }, { { -1, -2, 3 } }, { { -2, -1, -3 } } },
	  true },
	{ "one common corner, coplanar",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 0, 0, 0 } }, { { -6, 0, 0 } }, { { 0, -6, 0 } } },
	  true },
	{ "one common side",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, -3, 5 } } },
	  true },
	{ "side through side",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 3, -5, 0 } } },
	  { { { 3, 0, -2 } }, { { 3, 0, 2 } }, { { 3, 5, 0 } } },
	  true },
	{ "crossing sides one apart",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 3, -5, 0 } } },
	  { { { 3, 1, -2 } }, { { 3, 1, 2 } }, { { 3, 5, 0 } } },
	  false },
	{ "sides overlap on one line",
	  { { { 0, 0, 0 } }, { { 4, 0, 0 } }, { { 1, -5, 1 } } },
	  { { { 3, 0, 0 } }, { { 9, 0, 0 } }, { { 5, 5, 2 } } },
	  true },
	{ "sides on one line, end to end",
	  { { { 0, 0, 0 } }, { { 4, 0, 0 } }, { { 1, -5, 1 } } },
	  { { { 4, 0, 0 } }, { { 9, 0, 0 } }, { { 5, 5, 2 } } },
	  true },
	{ "sides on one line, apart",
	  { { { 0, 0, 0 } }, { { 4, 0, 0 } }, { { 1, -5, 1 } } },
	  { { { 5, 0, 0 } }, { { 9, 0, 0 } }, { { 6, 5, 2 } } },
	  false },
	{ "parallel planes",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 0, 0, 1 } }, { { 6, 0, 1 } }, { { 0, 6, 1 } } },
	  false },
	{ "coplanar, one within the other",
	  { { { -9, -9, 0 } }, { { 9, -9, 0 } }, { { 0, 9, 0 } } },
	  { { { -1, -1, 0 } }, { { 1, -1, 0 } }, { { 0, 1, 0 } } },
	  true },
	{ "coplanar star",
	  { { { -6, -3, 0 } }, { { 6, -3, 0 } }, { { 0, 6, 0 } } },
	  { { { -6, 3, 0 } }, { { 6, 3, 0 } }, { { 0, -6, 0 } } },
	  true },
	{ "coplanar, apart along a side's normal only",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 6, 6, 0 } }, { { 6, 1, 0 } }, { { 1, 6, 0 } } },
	  false },
	{ "coplanar, a corner on a side",
	  { { { 0, 0, 0 } }, { { 6, 0, 0 } }, { { 0, 6, 0 } } },
	  { { { 3, 3, 0 } }, { { 6, 5, 0 } }, { { 5, 6, 0 } } },
	  true },
	{ "coplanar in a slanted plane, apart",
	  { { { 0, 0, 0 } }, { { 2, 0, 2 } }, { { 0, 2, 2 } } },
	  { { { 2, 2, 4 } }, { { 2, 1, 3 } }, { { 1, 2, 3 } } },
	  false },
	{ "each crosses the other's plane beside it",
	  { { { 0, 0, 0 } }, { { 4, 0, 0 } }, { { 0, 4, 0 } } },
	  { { { 9, 1, -2 } }, { { 9, 1, 2 } }, { { 5, 1, 0 } } },
	  false },
};

enum
{
	case_count = sizeof cases / sizeof *cases,
};

// The reference itself, against answers found by drawing the case.
static void reference_agrees_with_drawn_cases( void** state )
{
	(void)state;
	for ( int i = 0; i < case_count; ++i )
	{
		if ( exactly_intersect( cases[i].a, cases[i].b ) != cases[i].intersect ||
		     exactly_intersect( cases[i].b, cases[i].a ) != cases[i].intersect )
		{
			fail_msg( "the reference is wrong: %s", cases[i].name );
		}
	}
}

static void drawn_cases_are_answered_exactly( void** state )
{
	(void)state;
	for ( int i = 0; i < case_count; ++i )
	{
		if ( answer_in( &plain, cases[i].a, cases[i].b ) != cases[i].intersect )
		{
			fail_msg( "%s: expected %s", cases[i].name, cases[i].intersect ? "intersecting" : "apart" );
		}
	}
}

// Moved and scaled exactly, so that the exact answer stays the same.
static const frame frames[] = {
	{ 1, { 0, 0, 0 } },
	{ 1, { 0x1p20, 0x1p20, 0x1p20 } },
	{ 1, { -0x1p20, 0x1p19, 0 } },
	{ 0x1p-60, { 0, 0, 0 } },
	{ 0x1p60, { 0, 0, 0 } },
	{ 0x1p100, { 0, 0x1p18, 0 } },
	{ 0x1p-120, { 0x1p18, 0, 0 } },
};

static void assert_all_frames( const point a[3], const point b[3], bool expected )
{
	for ( size_t f = 0; f < sizeof frames / sizeof *frames; ++f )
	{
		assert_answer( &frames[f], a, b, expected );
	}
}

static void assert_random_pairs( uint64_t seed, int64_t range, int pairs )
{
	int intersecting = 0;
	for ( int i = 0; i < pairs; ++i )
	{
		point a[3];
		point b[3];
		random_triangle( &seed, range, a );
		random_triangle( &seed, range, b );
		bool expected = exactly_intersect( a, b );
		intersecting += expected;
		assert_all_frames( a, b, expected );
	}
	// Either answer must be frequent, or the pairs would show nothing.
	assert_in_range( intersecting, pairs / 20, pairs * 19 / 20 );
}

static void random_pairs_are_answered_exactly( void** state )
{
	(void)state;
	assert_random_pairs( 1, 20, 200000 );
}

// Within [-3, 3] common corners, common lines and coplanar pairs are frequent.
static void crowded_pairs_are_answered_exactly( void** state )
{
	(void)state;
	assert_random_pairs( 2, 3, 200000 );
}

static void pairs_with_corners_in_one_plane_are_answered_exactly( void** state )
{
	(void)state;
	uint64_t seed = 3;
	for ( int tied = 1; tied <= 3; ++tied )
	{
		int intersecting = 0;
		const int pairs = 100000;
		for ( int i = 0; i < pairs; ++i )
		{
			point a[3];
			point b[3];
			random_triangle( &seed, 20, a );
			random_tied_triangle( &seed, 20, a, tied, b );
			bool expected = exactly_intersect( a, b );
			intersecting += expected;
			assert_all_frames( a, b, expected );
		}
		assert_in_range( intersecting, pairs / 20, pairs * 19 / 20 );
	}
}

static const int orders[6][3] = {
	{ 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 }
};

// Which triangle comes first, where its corners begin and which way they run is no property of the two sets.
static void answer_depends_neither_on_order_nor_on_winding( void** state )
{
	(void)state;
	uint64_t seed = 4;
	for ( int i = 0; i < 20000; ++i )
	{
		point a[3];
		point b[3];
		random_triangle( &seed, 3, a );
		random_tied_triangle( &seed, 3, a, i % 4, b );
		bool expected = answer_in( &plain, a, b );
		for ( int k = 0; k < 36; ++k )
		{
			const int* p = orders[k / 6];
			const int* q = orders[k % 6];
			const point turned_a[3] = { a[p[0]], a[p[1]], a[p[2]] };
			const point turned_b[3] = { b[q[0]], b[q[1]], b[q[2]] };
			assert_answer( &plain, turned_a, turned_b, expected );
			assert_answer( &plain, turned_b, turned_a, expected );
		}
	}
}

// Rotated triangles with a common point that is computed, and hence rounded: the coordinates are no longer
// small integers, but within their rounding the triangles touch.
static void triangles_that_touch_up_to_rounding_intersect( void** state )
{
	(void)state;
	uint64_t seed = 5;
	for ( int i = 0; i < 200000; ++i )
	{
		double r[18];
		for ( int k = 0; k < 18; ++k )
		{
			r[k] = (double)( next_random( &seed ) >> 11 ) * 0x1p-52 - 1;
		}
		bv_vec3 a[3] = { { r[0], r[1], r[2] }, { r[3], r[4], r[5] }, { r[6], r[7], r[8] } };
		bv_vec3 b[3] = { { 0, 0, 0 }, { r[9], r[10], r[11] }, { r[12], r[13], r[14] } };

		// The first corner of b is put on a side of a, or into its face.
		double u = fabs( r[15] );
		double v = i % 2 ? 0 : ( 1 - u ) * fabs( r[16] );
		b[0].x = a[0].x + u * ( a[1].x - a[0].x ) + v * ( a[2].x - a[0].x );
		b[0].y = a[0].y + u * ( a[1].y - a[0].y ) + v * ( a[2].y - a[0].y );
		b[0].z = a[0].z + u * ( a[1].z - a[0].z ) + v * ( a[2].z - a[0].z );
		assert_true( bvtri_triangles_intersect( a, b ) );
		assert_true( bvtri_triangles_intersect( b, a ) );
	}
}

// Parallel faces 1 apart: corners that may be off by half of it may touch, by a quarter of it cannot.
static void uncertain_corners_intersect_when_they_may( void** state )
{
	(void)state;
	const bv_vec3 a[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	const bv_vec3 b[3] = { { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } };
	assert_true( bvtri_triangles_intersect_within( a, b, 0.5 ) );
	assert_false( bvtri_triangles_intersect_within( a, b, 0.25 ) );
	assert_false( bvtri_triangles_intersect_within( a, b, 0 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( reference_agrees_with_drawn_cases ),
		cmocka_unit_test( drawn_cases_are_answered_exactly ),
		cmocka_unit_test( random_pairs_are_answered_exactly ),
		cmocka_unit_test( crowded_pairs_are_answered_exactly ),
		cmocka_unit_test( pairs_with_corners_in_one_plane_are_answered_exactly ),
		cmocka_unit_test( answer_depends_neither_on_order_nor_on_winding ),
		cmocka_unit_test( triangles_that_touch_up_to_rounding_intersect ),
		cmocka_unit_test( uncertain_corners_intersect_when_they_may ),
	};
	return cmocka_run_group_tests_name( "core/triangle", tests, NULL, NULL );
}

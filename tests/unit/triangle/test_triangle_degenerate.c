// Pairs of triangles of which one or both are on a line or on one point, or nearly so: files have none, but they come up as a mesh bends.
// Integers of any length decide whether a pair meets (exact_triangles.h), arithmetic of 113 bits how far apart it is (gaps.h).

#include "runtime/triangle/pair.h"
#include "tests/reference/exact_triangles.h"
#include "tests/reference/gaps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static int begin_exact( void** state )
{
	*state = exact_triangles_create();
	return 0;
}

static int end_exact( void** state )
{
	exact_triangles_destroy( *state );
	return 0;
}

static void fail_with( const bv_vec3 a[3], const bv_vec3 b[3], const char* what )
{
	for ( int i = 0; i < 6; ++i )
	{
		const bv_vec3* p = i < 3 ? a + i : b + i - 3;
		print_error( "%s%d = (%.17g, %.17g, %.17g)\n", i < 3 ? "a" : "b", i % 3, p->x, p->y, p->z );
	}
	fail_msg( "%s", what );
}

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
static uint64_t next_random( uint64_t* state )
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
	z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
	return z ^ ( z >> 31 );
}

static int random_below( uint64_t* state, int count )
{
	return (int)( next_random( state ) % (uint64_t)count );
}

// From 0 to 1.
static double random_unit( uint64_t* state )
{
	return (double)( next_random( state ) >> 11 ) * 0x1p-53;
}

static bv_vec3 random_vector( uint64_t* state )
{
	double x = 2 * random_unit( state ) - 1;
	double y = 2 * random_unit( state ) - 1;
	return ( bv_vec3 ){ x, y, 2 * random_unit( state ) - 1 };
}

static bv_vec3 random_grid_vector( uint64_t* state, int range )
{
	double x = random_below( state, 2 * range + 1 ) - range;
	double y = random_below( state, 2 * range + 1 ) - range;
	return ( bv_vec3 ){ x, y, random_below( state, 2 * range + 1 ) - range };
}

static bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return plus( a, -1, b );
}

static void turn_corners( uint64_t* state, bv_vec3 t[3] )
{
	int first = random_below( state, 3 );
	int step = 1 + random_below( state, 2 );
	bv_vec3 old[3] = { t[0], t[1], t[2] };
	for ( int k = 0; k < 3; ++k )
	{
		t[k] = old[( first + step * k ) % 3];
	}
}

static const struct
{
	const char* name;
	bv_vec3 a[3];
	bv_vec3 b[3];
	bool meet;
} cases[] = {
	{ "segment through a face",
	  { { 1, 1, -2 }, { 1, 1, 0 }, { 1, 1, 3 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  true },
	{ "segment beside a face",
	  { { 4, 4, -2 }, { 4, 4, 0 }, { 4, 4, 3 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  false },
	{ "segment above a face",
	  { { 1, 1, 2 }, { 1, 1, 3 }, { 1, 1, 9 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  false },
	{ "segment in a plane beside the face",
	  { { 5, 2, 1 }, { 4, 3, 1 }, { 2, 5, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  false },
	{ "segment in a plane along a side",
	  { { 5, 1, 1 }, { 3, 3, 1 }, { 8, -2, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  true },
	{ "segment in a plane, inside",
	  { { 1, 1, 1 }, { 2, 2, 1 }, { 1, 1, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  true },
	{ "segment that points at a corner",
	  { { 8, 0, 1 }, { 9, 0, 1 }, { 7, 0, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  false },
	{ "point on a face",
	  { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  true },
	{ "point in a plane beside the face",
	  { { 4, 3, 1 }, { 4, 3, 1 }, { 4, 3, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  false },
	{ "point above a face",
	  { { 1, 1, 2 }, { 1, 1, 2 }, { 1, 1, 2 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  false },
	{ "point on a corner",
	  { { 6, 0, 1 }, { 6, 0, 1 }, { 6, 0, 1 } },
	  { { 0, 0, 1 }, { 6, 0, 1 }, { 0, 6, 1 } },
	  true },
	{ "crossing segments",
	  { { 0, 0, 0 }, { 2, 2, 0 }, { 4, 4, 0 } },
	  { { 0, 4, 0 }, { 4, 0, 0 }, { 4, 0, 0 } },
	  true },
	{ "segments that pass each other",
	  { { 0, 0, 0 }, { 2, 2, 0 }, { 4, 4, 0 } },
	  { { 0, 4, 1 }, { 4, 0, 1 }, { 4, 0, 1 } },
	  false },
	{ "segments in one plane, apart",
	  { { 0, 0, 0 }, { 2, 2, 0 }, { 4, 4, 0 } },
	  { { 0, 4, 0 }, { 1, 3, 0 }, { 1, 3, 0 } },
	  false },
	{ "segments on one line, end to end",
	  { { 0, 0, 0 }, { 1, 2, 3 }, { 2, 4, 6 } },
	  { { 3, 6, 9 }, { 2, 4, 6 }, { 5, 10, 15 } },
	  true },
	{ "segments on one line, apart",
	  { { 0, 0, 0 }, { 1, 2, 3 }, { 2, 4, 6 } },
	  { { 3, 6, 9 }, { 4, 8, 12 }, { 5, 10, 15 } },
	  false },
	{ "parallel segments",
	  { { 0, 0, 0 }, { 1, 2, 3 }, { 2, 4, 6 } },
	  { { 1, 0, 0 }, { 2, 2, 3 }, { 3, 4, 6 } },
	  false },
	{ "point on a segment",
	  { { 0, 0, 0 }, { 1, 2, 3 }, { 3, 6, 9 } },
	  { { 2, 4, 6 }, { 2, 4, 6 }, { 2, 4, 6 } },
	  true },
	{ "point on the line of a segment",
	  { { 0, 0, 0 }, { 1, 2, 3 }, { 3, 6, 9 } },
	  { { 4, 8, 12 }, { 4, 8, 12 }, { 4, 8, 12 } },
	  false },
	{ "point beside a segment",
	  { { 0, 0, 0 }, { 1, 2, 3 }, { 3, 6, 9 } },
	  { { 2, 4, 7 }, { 2, 4, 7 }, { 2, 4, 7 } },
	  false },
	{ "one point",
	  { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } },
	  { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } },
	  true },
	{ "two points",
	  { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } },
	  { { 1, 2, 4 }, { 1, 2, 4 }, { 1, 2, 4 } },
	  false },
};

enum
{
	case_count = sizeof cases / sizeof *cases,
};

// The reference itself, against answers found by drawing the case.
static void reference_agrees_with_drawn_cases( void** state )
{
	for ( int i = 0; i < case_count; ++i )
	{
		if ( exact_triangles_meet( *state, cases[i].a, cases[i].b ) != cases[i].meet ||
		     exact_triangles_meet( *state, cases[i].b, cases[i].a ) != cases[i].meet )
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
		if ( bvtri_triangles_intersect( cases[i].a, cases[i].b ) != cases[i].meet ||
		     bvtri_triangles_intersect( cases[i].b, cases[i].a ) != cases[i].meet )
		{
			fail_msg( "%s: expected %s", cases[i].name, cases[i].meet ? "intersecting" : "apart" );
		}
	}
}

// How corners of a triangle on a grid are chosen.
enum
{
	grid_face,
	grid_point,
	grid_pair, // two corners are equal
	grid_line, // corners at multiples of a vector
	grid_kinds,
};

static void random_grid_triangle( uint64_t* state, int kind, int range, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = random_grid_vector( state, range );
	}
	bv_vec3 way = random_grid_vector( state, 2 );
	switch ( kind )
	{
	case grid_point: out[1] = out[2] = out[0]; break;
	case grid_pair: out[1] = out[0]; break;
	case grid_line:
		out[1] = plus( out[0], random_below( state, 7 ) - 3, way );
		out[2] = plus( out[0], random_below( state, 7 ) - 3, way );
		break;
	default: break;
	}
	turn_corners( state, out );
}

// Moves a triangle to where a corner of it is on a corner, a side or in the plane of another one.
static void move_near( uint64_t* state, const bv_vec3 other[3], bv_vec3 out[3] )
{
	bv_vec3 to = plus( other[0], random_below( state, 4 ) - 1, minus( other[1], other[0] ) );
	to = plus( to, random_below( state, 4 ) - 1, minus( other[2], other[0] ) );
	bv_vec3 way = minus( to, out[random_below( state, 3 )] );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = plus( out[k], 1, way );
	}
}

static void transform( const bv_vec3 from[3], double factor, double offset, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = ( bv_vec3 ){ factor * ( from[k].x + offset ), factor * ( from[k].y - offset ),
			                  factor * ( from[k].z + 0.5 * offset ) };
	}
}

// Coordinates are small integers, moved and scaled exactly: pairs that do not meet are apart by far more than binary64 rounds, so that
// the conservative test has no excuse.
static void degenerate_pairs_of_a_grid_are_answered_exactly( void** state )
{
	static const double frames[][2] = { { 1, 0 },       { 1, 0x1p20 },        { 0x1p-60, 0 },
		                                { 0x1p100, 0 }, { 0x1p-140, 0x1p10 }, { 0x1p180, 0x1p4 } };
	uint64_t seed = 1;
	const int pairs = 3000; // of each two kinds
	for ( int kinds = 1; kinds < grid_kinds * grid_kinds; ++kinds )
	{
		int meeting = 0;
		for ( int i = 0; i < pairs; ++i )
		{
			bv_vec3 a[3];
			bv_vec3 b[3];
			random_grid_triangle( &seed, kinds % grid_kinds, 3, a );
			random_grid_triangle( &seed, kinds / grid_kinds, 3, b );
			if ( i % 2 )
			{
				move_near( &seed, a, b );
			}
			bool expected = exact_triangles_meet( *state, a, b );
			meeting += expected;
			for ( size_t k = 0; k < sizeof frames / sizeof *frames; ++k )
			{
				bv_vec3 c[3];
				bv_vec3 d[3];
				transform( a, frames[k][0], frames[k][1], c );
				transform( b, frames[k][0], frames[k][1], d );
				if ( bvtri_triangles_intersect( c, d ) != expected ||
				     bvtri_triangles_intersect( d, c ) != expected )
				{
					fail_with( c, d, expected ? "they intersect" : "they are apart" );
				}
			}
		}
		// Either answer must be frequent, or the pairs would show nothing.
		assert_in_range( meeting, pairs / 100, pairs * 99 / 100 );
	}
}

// The third corner is 2^-height from the line of the others, on both sides of the ends or between; from 60 on as close as rounding allows.
static void random_needle( uint64_t* state, int height, const bv_vec3* along, bv_vec3 out[3] )
{
	out[0] = random_vector( state );
	out[1] = along ? plus( out[0], 2 * random_unit( state ) - 1, *along ) : random_vector( state );
	double at = 3 * random_unit( state ) - 1;
	out[2] = plus( out[0], at, minus( out[1], out[0] ) );
	out[2] = height < 60 ? plus( out[2], ldexp( 1, -height ), random_vector( state ) ) : out[2];
	turn_corners( state, out );
}

static bv_vec3 random_point_of( uint64_t* state, const bv_vec3 t[3] )
{
	double u = random_unit( state );
	double v = random_unit( state );
	bool folds = u + v > 1;
	int kind = random_below( state, 3 ); // a corner, of a side, of the face
	u = kind == 0 ? 0 : folds ? 1 - u : u;
	v = kind < 2 ? 0 : folds ? 1 - v : v;
	int k = random_below( state, 3 );
	bv_vec3 p = plus( t[k], u, minus( t[( k + 1 ) % 3], t[k] ) );
	return plus( p, v, minus( t[( k + 2 ) % 3], t[k] ) );
}

// Pairs that touch up to rounding, or are 2^-gap apart, in any direction or end to end. Corners are within 5 of each other.
static void check_needles( void** state, uint64_t* seed, int height, int* meeting, int* apart )
{
	bv_vec3 a[3];
	bv_vec3 b[3];
	random_needle( seed, height, NULL, a );
	bv_vec3 along = minus( a[1], a[0] );
	int kind = random_below( seed, 3 );
	random_needle( seed, kind == 0 ? 0 : height, kind == 2 ? &along : NULL, b );
	bv_vec3 way = random_below( seed, 2 ) ? along : random_vector( seed );
	int gap = random_below( seed, 50 );
	way = plus( minus( random_point_of( seed, a ), random_point_of( seed, b ) ),
	            ldexp( gap % 2 ? 1 : -1, -gap ), way );
	for ( int k = 0; k < 3; ++k )
	{
		b[k] = plus( b[k], 1, way );
	}
	bool expected = exact_triangles_meet( *state, a, b );
	bool found = bvtri_triangles_intersect( a, b );
	bool found_again = bvtri_triangles_intersect( b, a );
	*meeting += expected;
	if ( expected && !( found && found_again ) )
	{
		fail_with( a, b, "a pair that intersects was missed" );
	}
	if ( !expected && gap_of_triangles( a, b ) > 0x1p-38 )
	{
		*apart += 1;
		if ( found || found_again )
		{
			fail_with( a, b, "a pair that is apart was found" );
		}
	}
}

// In doubt a pair is reported, but only if it is closer than 2^-38: that is what thin triangles of this size cost the test.
static void needles_of_any_height_are_separated( void** state )
{
	uint64_t seed = 2;
	for ( int height = 0; height <= 60; ++height )
	{
		int meeting = 0;
		int apart = 0;
		for ( int i = 0; i < 400; ++i )
		{
			check_needles( state, &seed, height, &meeting, &apart );
		}
		assert_true( meeting > 10 && apart > 40 );
	}
}

// A point of one is put on the other.
static void segments_that_cross_up_to_rounding_intersect( void** state )
{
	uint64_t seed = 3;
	int meeting = 0;
	for ( int i = 0; i < 10000; ++i )
	{
		bv_vec3 a[3];
		bv_vec3 b[3];
		random_needle( &seed, 60, NULL, a );
		random_needle( &seed, 60, NULL, b );
		bv_vec3 way = minus( random_point_of( &seed, a ), random_point_of( &seed, b ) );
		for ( int k = 0; k < 3; ++k )
		{
			b[k] = plus( b[k], 1, way );
		}
		meeting += exact_triangles_meet( *state, a, b );
		if ( !bvtri_triangles_intersect( a, b ) || !bvtri_triangles_intersect( b, a ) )
		{
			fail_with( a, b, "they touch up to rounding" );
		}
	}
	assert_true( meeting > 100 );
}

// Segments 1 apart: corners that may be off by half of it may touch, by an eighth of it cannot.
static void uncertain_segments_intersect_when_they_may( void** state )
{
	(void)state;
	const bv_vec3 a[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 3, 0, 0 } };
	const bv_vec3 b[3] = { { 2, -1, 1 }, { 2, 1, 1 }, { 2, 1, 1 } };
	const bv_vec3 c[3] = { { 4, 0, 0 }, { 5, 0, 0 }, { 6, 0, 0 } };
	assert_true( bvtri_triangles_intersect_within( a, b, 0.5 ) );
	assert_false( bvtri_triangles_intersect_within( a, b, 0.125 ) );
	assert_true( bvtri_triangles_intersect_within( a, c, 0.5 ) );
	assert_false( bvtri_triangles_intersect_within( a, c, 0.125 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( reference_agrees_with_drawn_cases ),
		cmocka_unit_test( drawn_cases_are_answered_exactly ),
		cmocka_unit_test( degenerate_pairs_of_a_grid_are_answered_exactly ),
		cmocka_unit_test( needles_of_any_height_are_separated ),
		cmocka_unit_test( segments_that_cross_up_to_rounding_intersect ),
		cmocka_unit_test( uncertain_segments_intersect_when_they_may ),
	};
	return cmocka_run_group_tests_name( "core/triangle degenerate", tests, begin_exact, end_exact );
}

// Distances of hulls and triangles, and when moving hulls meet triangles, against all pairs of features in arithmetic of 113
// bits.

#include "support.h"

#include "runtime/convex/hull_gap.h"
#include "tests/reference/gaps.h"

enum
{
	most_points = 7,
};

static double length( bv_vec3 a )
{
	return sqrt( a.x * a.x + a.y * a.y + a.z * a.z );
}

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Points of a hull: in general position, on a grid so that many faces are parallel to others, flat, or on one point.
static uint32_t random_hull( fixture* f, bv_vec3 points[most_points] )
{
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % most_points );
	uint64_t kind = random_bits( f ) % 4;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = random_point( f );
		p = kind == 1 ? ( bv_vec3 ){ floor( 3 * p.x ), floor( 3 * p.y ), floor( 3 * p.z ) } : p;
		p.z = kind == 2 ? 0.25 * p.x + 0.5 * p.y : p.z;
		points[i] = kind == 3 && i > 0 && i % 2 == 0 ? points[i - 1] : p;
	}
	return count;
}

static void random_triangle( fixture* f, bv_vec3 t[3] )
{
	uint64_t kind = random_bits( f ) % 4;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = random_point( f );
		t[k] = kind == 1 ? ( bv_vec3 ){ floor( 3 * p.x ), floor( 3 * p.y ), floor( 3 * p.z ) } : p;
	}
	for ( int k = 0; k < 3 && kind == 3; ++k )
	{
		t[k].z = 0.25 * t[k].x + 0.5 * t[k].y; // in the plane of flat hulls
	}
	if ( kind == 2 )
	{
		t[2] = plus( t[0], pow( 10, -16 * random_unit( f ) ), minus( t[1], t[2] ) );
	}
}

static void distances_of_hulls_are_those_of_all_features( void** state )
{
	fixture* f = *state;
	int apart = 0;
	for ( int i = 0; i < 1500; ++i )
	{
		bv_vec3 points[most_points];
		bv_vec3 moved[most_points];
		bv_vec3 t[3];
		uint32_t count = random_hull( f, points );
		random_triangle( f, t );
		bv_vec3 offset = { i % 2 == 0 ? 0 : pow( 10, 1 - 8 * random_unit( f ) ), i % 5 == 0 ? 3 : 0.5, 0.25 };
		offset.z = i % 3 == 0 ? 0.25 * offset.x + 0.5 * offset.y : offset.z;
		for ( uint32_t k = 0; k < count; ++k )
		{
			moved[k] = plus( points[k], 1, offset );
		}
		double expected = gap_of_hull( moved, count, t );
		bvconvex_hull hull = { .points = points, .count = count, .offset = offset };
		bvconvex_hull_gap found;
		bvconvex_hull_triangle_gap( &hull, t, 0, 0, &found );
		double error = 0x1p-44 * 40;
		assert_true( found.lower <= expected );
		if ( fabs( found.upper - expected ) > error || found.lower < expected - 2 * error )
		{
			fail_msg( "[%.17g, %.17g] instead of %.17g", found.lower, found.upper, expected );
		}
		apart += expected > 0;

		// Both points are as far apart as is said, the second where the weights say.
		assert_true( fabs( length( minus( found.point[0], found.point[1] ) ) - found.upper ) <= error );
		bv_vec3 mixed =
			plus( plus( plus( ( bv_vec3 ){ 0, 0, 0 }, found.weight[0], t[0] ), found.weight[1], t[1] ),
		          found.weight[2], t[2] );
		assert_true( length( minus( mixed, found.point[1] ) ) <= error );

		// The slab is as wide as is said: no corner of either is in it.
		double of_hull = -INFINITY;
		double of_triangle = INFINITY;
		for ( uint32_t k = 0; k < count; ++k )
		{
			of_hull = fmax( of_hull, dot( found.along, moved[k] ) );
		}
		for ( int k = 0; k < 3; ++k )
		{
			of_triangle = fmin( of_triangle, dot( found.along, t[k] ) );
		}
		assert_true( of_triangle - of_hull >= found.lower - error );
		assert_true( found.lower == 0 || fabs( length( found.along ) - 1 ) < 1e-15 );
	}
	assert_in_range( apart, 400, 1420 );
}

// What is enough ends the search, on the right side.
static void decisions_agree_with_distances( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1500; ++i )
	{
		bv_vec3 points[most_points];
		bv_vec3 t[3];
		uint32_t count = random_hull( f, points );
		random_triangle( f, t );
		bvconvex_hull hull = { .points = points, .count = count, .offset = { 0.5, 0, 2 * random_unit( f ) } };
		bv_vec3 moved[most_points];
		for ( uint32_t k = 0; k < count; ++k )
		{
			moved[k] = plus( points[k], 1, hull.offset );
		}
		double expected = gap_of_hull( moved, count, t );
		double enough =
			i % 2 == 0 ? random_unit( f ) : fmax( 0, expected * ( 1 + 2e-10 * ( random_unit( f ) - 0.5 ) ) );
		bvconvex_hull_gap found;
		bvconvex_hull_triangle_gap( &hull, t, enough, 1, &found );
		assert_true( found.lower <= expected && found.upper >= expected - 1e-12 );
		if ( fabs( expected - enough ) > 1e-12 )
		{
			assert_int_equal( found.lower > enough, expected > enough );
		}
	}
}

typedef struct motion
{
	const bv_vec3* points;
	uint32_t count;
	bv_vec3 along;
	const bv_vec3* triangle;
} motion;

static double gap_at( const motion* m, double time )
{
	bv_vec3 moved[most_points];
	for ( uint32_t k = 0; k < m->count; ++k )
	{
		moved[k] = plus( m->points[k], time, m->along );
	}
	return gap_of_hull( moved, m->count, m->triangle );
}

// The distance is a convex function of time: thirds of an interval lead to its least value.
static double time_of_nearest( const motion* m, double limit )
{
	double from = 0;
	double to = limit;
	for ( int i = 0; i < 50; ++i )
	{
		double first = from + ( to - from ) / 3;
		double second = to - ( to - from ) / 3;
		if ( gap_at( m, first ) <= gap_at( m, second ) )
		{
			to = second;
		}
		else
		{
			from = first;
		}
	}
	return 0.5 * ( from + to );
}

// From the start to the nearest point the distance falls: halves lead to where it is the radius.
static double time_of_contact( const motion* m, double radius, double nearest )
{
	double from = 0;
	double to = nearest;
	for ( int i = 0; i < 44; ++i )
	{
		double middle = 0.5 * ( from + to );
		*( gap_at( m, middle ) > radius ? &from : &to ) = middle;
	}
	return from;
}

static void moving_hulls_meet_triangles_when_their_distance_says( void** state )
{
	fixture* f = *state;
	static const double tolerance = 1e-9;
	int hits = 0;
	int misses = 0;
	for ( int i = 0; i < 120; ++i )
	{
		bv_vec3 points[most_points];
		bv_vec3 t[3];
		uint32_t count = random_hull( f, points );
		count = count > 3 ? 3 : count;
		random_triangle( f, t );
		for ( int k = 0; k < 3; ++k )
		{
			t[k] = plus( t[k], 1, ( bv_vec3 ){ 2 * random_unit( f ), i % 3 == 0 ? 0 : 0.5, 2 } );
		}
		double radius = i % 2 == 0 ? 0 : random_unit( f );
		bv_vec3 d = minus( random_point( f ), ( bv_vec3 ){ 0.2, 0.5, 0 } );
		motion m = { points, count, { 3 * d.x, d.y, 3 * d.z }, t };
		double limit = i % 4 == 0 ? 1 : 4;
		double nearest = time_of_nearest( &m, limit );
		double least = gap_at( &m, nearest );

		bvconvex_hull hull = { .points = points, .count = count, .offset = { 0, 0, 0 } };
		bvconvex_hull_cast found;
		bool hit = bvconvex_hull_meets_triangle( &hull, radius, m.along, limit, tolerance, t, &found );
		if ( least > radius + tolerance )
		{
			assert_false( hit );
			misses += 1;
			continue;
		}
		if ( least > radius - tolerance )
		{
			continue;
		}
		hits += 1;
		assert_true( hit );
		double contact = time_of_contact( &m, radius, nearest );
		assert_true( found.time <= contact + 1e-12 );
		double gap = gap_at( &m, found.time );
		assert_true( gap <= radius + tolerance + 1e-12 );
		assert_true( fabs( found.gap.upper - gap ) <= 1e-12 );
	}
	assert_true( hits > 15 && misses > 15 );
}

// A ball of radius r above the plane z = 0, over the inside of a triangle, at height h with speed v: ( h - r ) / v. Beside a side that is d
// away, at the height sqrt( r^2 - d^2 ).
static void balls_meet_faces_and_sides_in_closed_form( void** state )
{
	(void)state;
	const bv_vec3 t[3] = { { 0, 0, 0 }, { 8, 0, 0 }, { 0, 8, 0 } };
	bv_vec3 center = { 2, 2, 7 };
	bvconvex_hull ball = { .points = &center, .count = 1 };
	bvconvex_hull_cast found;
	assert_true( bvconvex_hull_meets_triangle( &ball, 1, ( bv_vec3 ){ 0, 0, -2 }, 10, 1e-12, t, &found ) );
	assert_true( fabs( found.time - 3 ) < 1e-11 && fabs( found.gap.along.z + 1 ) < 1e-12 );
	center = ( bv_vec3 ){ 2, -3, 7 };
	assert_true( bvconvex_hull_meets_triangle( &ball, 5, ( bv_vec3 ){ 0, 0, -2 }, 10, 1e-12, t, &found ) );
	assert_true( fabs( found.time - 1.5 ) < 1e-11 && fabs( found.gap.along.y - 0.6 ) < 1e-9 );

	// Too short a way, the wrong way, past it.
	assert_false(
		bvconvex_hull_meets_triangle( &ball, 5, ( bv_vec3 ){ 0, 0, -2 }, 1.499, 1e-12, t, &found ) );
	assert_false( bvconvex_hull_meets_triangle( &ball, 5, ( bv_vec3 ){ 0, 0, 2 }, 10, 1e-12, t, &found ) );
	assert_false(
		bvconvex_hull_meets_triangle( &ball, 2.999, ( bv_vec3 ){ 0, 0, -2 }, 10, 1e-12, t, &found ) );
	// There already.
	assert_true( bvconvex_hull_meets_triangle( &ball, 20, ( bv_vec3 ){ 0, 0, 2 }, 10, 1e-12, t, &found ) );
	assert_true( found.time == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( distances_of_hulls_are_those_of_all_features ),
		fixture_test( decisions_agree_with_distances ),
		fixture_test( moving_hulls_meet_triangles_when_their_distance_says ),
		fixture_test( balls_meet_faces_and_sides_in_closed_form ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

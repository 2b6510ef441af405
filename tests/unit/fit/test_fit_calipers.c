// The bound with which the search for the smallest box rules out directions: compared with rectangles fitted
// to projections along many directions within the angle.

#include "point_sets.h"

#include "offline/fit/calipers.h"
#include "offline/fit/obb_method.h"
#include "runtime/math/vec.h"

enum
{
	most_points = 12,
};

// The silhouette along the z axis by gift wrapping: the next corner has no point to the right of the way to it.
static uint32_t silhouette( const bv_vec3* points, uint32_t count, bv_vec3* ring )
{
	uint32_t start = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		start = points[i].x > points[start].x ? i : start;
	}
	uint32_t corners = 0;
	uint32_t here = start;
	do
	{
		ring[corners++] = points[here];
		uint32_t next = here;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double u = points[next].x - points[here].x;
			double v = points[next].y - points[here].y;
			double turn = u * ( points[i].y - points[here].y ) - v * ( points[i].x - points[here].x );
			next = i != here && ( next == here || turn < 0 ) ? i : next;
		}
		here = next;
	} while ( here != start && corners < count );
	return corners;
}

static double least_area( fixture* f, const bv_vec3* points, uint32_t count, bv_vec3 direction )
{
	bv_vec3 axis[3] = { [2] = direction };
	double size[2];
	assert_int_equal( bvfit_fit_rectangle( points, count, f->arena, axis, size ), bv_ok );
	return size[0] * size[1];
}

// A direction turned from the z axis by the angle in the direction (u, v).
static bv_vec3 tilted( double u, double v, double sine, double cosine )
{
	double length = sqrt( u * u + v * v );
	return ( bv_vec3 ){ sine * u / length, sine * v / length, cosine };
}

static void without_an_angle_the_bound_is_the_least_rectangle( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 500; ++round )
	{
		bv_vec3 points[most_points];
		bv_vec3 ring[most_points];
		uint32_t count = 4 + (uint32_t)( random_bits( f ) % ( most_points - 3 ) );
		for ( uint32_t i = 0; i < count; ++i )
		{
			points[i] = random_point( f );
		}
		bvfit_seen_rectangle least;
		double bound = bvfit_bound_rectangles( ring, silhouette( points, count, ring ), 1, 0, &least );
		double area = least_area( f, points, count, ( bv_vec3 ){ 0, 0, 1 } );
		assert_true( fabs( bound - area ) < 1e-12 && fabs( least.area - area ) < 1e-12 );
	}
}

static void no_rectangle_near_is_below_the_bound( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 400; ++round )
	{
		bv_vec3 points[most_points];
		bv_vec3 ring[most_points];
		uint32_t count = 4 + (uint32_t)( random_bits( f ) % ( most_points - 3 ) );
		double lean = round % 4 ? 0 : 4 * random_unit( f );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = ( bv_vec3 ){ p.x, p.y, p.z + lean * p.x };
		}
		double sine = 0.2 * random_unit( f );
		double cosine = sqrt( 1 - sine * sine );
		bvfit_seen_rectangle least;
		double bound =
			bvfit_bound_rectangles( ring, silhouette( points, count, ring ), cosine, sine, &least );
		for ( int i = 0; i < 60; ++i )
		{
			double share = i < 30 ? 1 : random_unit( f );
			double s = share * sine;
			bv_vec3 d = tilted( random_unit( f ) - 0.5, random_unit( f ) - 0.5, s, sqrt( 1 - s * s ) );
			assert_true( least_area( f, points, count, d ) >= bound - 1e-12 );
		}
	}
}

// A slanting sheet, seen as a square of side 2 with corners drawn out a little so that each side has one that is
// outermost, and with a depth of 2 k from left to right. Tilted about the other axis the width falls from 2 to
// 2 ( cos - k sin ), as fast as the bound allows.
static void a_slanting_sheet_comes_near_the_bound( void** state )
{
	(void)state;
	for ( double k = 0.5; k <= 4; k *= 2 )
	{
		const double out = 1e-6;
		bv_vec3 ring[8] = {
			{ 1, -0.9, k },  { 1 + out, 0, k },   { 1, 0.9, k },    { 0, 1 + out, 0 },
			{ -1, 0.9, -k }, { -1 - out, 0, -k }, { -1, -0.9, -k }, { 0, -1 - out, 0 },
		};
		double sine = 0.01;
		double cosine = sqrt( 1 - sine * sine );
		bvfit_seen_rectangle least;
		double bound = bvfit_bound_rectangles( ring, 8, cosine, sine, &least );
		double seen = 2 * 2 * ( cosine - k * sine );
		assert_true( bound <= seen + 1e-4 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( without_an_angle_the_bound_is_the_least_rectangle ),
		fixture_test( no_rectangle_near_is_below_the_bound ),
		fixture_test( a_slanting_sheet_comes_near_the_bound ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

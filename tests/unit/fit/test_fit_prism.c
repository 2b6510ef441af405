// Prisms over isosceles triangles: enclosure in 113-bit arithmetic, areas against a search by brute force over all such triangles, and
// prisms that are known.

#include "support.h"

#include "offline/fit/prism.h"
#include "runtime/math/vec.h"
#include "runtime/volume/prisms.h"
#include "runtime/volume/reach.h"

__extension__ typedef __float128 quad;

static quad quad_dot( bv_vec3 a, bv_vec3 p, bv_vec3 c )
{
	return (quad)a.x * ( (quad)p.x - c.x ) + (quad)a.y * ( (quad)p.y - c.y ) +
	       (quad)a.z * ( (quad)p.z - c.z );
}

// As bv_prism is defined.
static bool holds( const bv_prism* prism, bv_vec3 p )
{
	const bv_obb* box = &prism->box;
	const double* h = box->half_extents;
	quad s = quad_dot( box->axis[0], p, box->center );
	quad t = quad_dot( box->axis[1], p, box->center );
	quad w = quad_dot( box->axis[2], p, box->center );
	s = s < 0 ? -s : s;
	w = w < 0 ? -w : w;
	return s <= h[0] && t >= -(quad)h[1] && t <= h[1] && w <= h[2] &&
	       2 * (quad)h[1] * s <= (quad)h[0] * ( h[1] - t );
}

static bv_vec3 rounded( bv_vec3 p )
{
	return ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
}

// Points of many kinds: scattered, on a plane, on a line, one, two alike, far away, tiny and huge.
static uint32_t make_points( fixture* f, int kind, bv_vec3* out )
{
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % 40 );
	double size = kind % 7 == 4 ? 1e-30 : kind % 7 == 5 ? 1e30 : 1;
	bv_vec3 away = { kind % 7 == 6 ? 1e6 : 0, 0, kind % 7 == 6 ? -3e5 : 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = random_point( f );
		p.z = kind % 7 == 1 || kind % 7 == 2 ? 0.25 : p.z;
		p.y = kind % 7 == 2 ? 3 * p.x : p.y;
		out[i] = rounded( bv_add( away, bv_scale( size, kind % 7 == 3 ? random_point( f ) : p ) ) );
		out[i] = kind % 7 == 3 && i > 1 ? out[i % 2] : out[i];
	}
	return count;
}

static void every_point_is_enclosed( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20000; ++round )
	{
		bv_vec3 points[64];
		uint32_t count = make_points( f, round, points );
		bv_prism prism;
		bvfit_prism_of_points( points, count, round % 2 ? bvfit_prism_max : bvfit_prism_min, &prism );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_true( holds( &prism, points[i] ) );
			assert_true( bvvol_prism_encloses( &prism, points[i] ) );
		}
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( (double)(float)prism.box.half_extents[k] == prism.box.half_extents[k] );
		}
	}
}

// Points anywhere outside are never said to be enclosed.
static void what_is_outside_is_not_enclosed( void** state )
{
	fixture* f = *state;
	int outside = 0;
	for ( int round = 0; round < 2000; ++round )
	{
		bv_vec3 points[64];
		bv_prism prism;
		bvfit_prism_of_points( points, make_points( f, 0, points ), bvfit_prism_min, &prism );
		for ( int i = 0; i < 20; ++i )
		{
			bv_vec3 p = random_point( f );
			outside += !holds( &prism, p );
			assert_true( holds( &prism, p ) || !bvvol_prism_encloses( &prism, p ) );
		}
	}
	assert_true( outside > 10000 );
}

// Points at a leg, within it and beyond it by parts of its size down to rounding: never enclosed from outside.
static void what_is_just_beyond_a_leg_is_not_enclosed( void** state )
{
	fixture* f = *state;
	int outside = 0;
	int enclosed = 0;
	for ( int round = 0; round < 2000; ++round )
	{
		bv_vec3 points[64];
		bv_prism prism;
		bvfit_prism_of_points( points, make_points( f, 0, points ), bvfit_prism_min, &prism );
		const bv_obb* box = &prism.box;
		const double* h = box->half_extents;
		for ( int i = 0; i < 60; ++i )
		{
			double beyond = ( i % 2 ? 1 : -1 ) * ldexp( h[0], -( i % 30 ) - 20 );
			double share = random_unit( f );
			double side = ( 1 - share ) * h[0] + beyond;
			bv_vec3 p = bv_add( box->center, bv_scale( i % 3 ? side : -side, box->axis[0] ) );
			p = bv_add( p, bv_scale( ( 2 * share - 1 ) * h[1], box->axis[1] ) );
			outside += !holds( &prism, p );
			enclosed += bvvol_prism_encloses( &prism, p );
			assert_true( holds( &prism, p ) || !bvvol_prism_encloses( &prism, p ) );
		}
	}
	assert_true( outside > 50000 && enclosed > 30000 );
}

static bv_vec3 point_of( const void* points, uint32_t index )
{
	return ( (const bv_vec3*)points )[index];
}

// A prism that is too small in any way grows to hold points.
static void prisms_grow_to_hold_points( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 3000; ++round )
	{
		bv_vec3 points[64];
		uint32_t count = make_points( f, 7 * round, points );
		bv_prism prism;
		bvfit_prism_of_points( points, count, bvfit_prism_min, &prism );
		for ( int k = 0; k < 3; ++k )
		{
			double share = round % 4 == k || round % 4 == 3 ? random_unit( f ) : 1;
			prism.box.half_extents[k] = (float)( share * prism.box.half_extents[k] );
		}
		bvvol_point_list list = { points, point_of, count };
		bvvol_prism_grow( &prism, &list );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_true( holds( &prism, points[i] ) && bvvol_prism_encloses( &prism, points[i] ) );
		}
	}
}

// A unit square's least isosceles triangle has twice its area; its tip is above the middle of a side, or beyond a corner.
static void the_triangle_round_a_square_is_twice_as_large( void** state )
{
	(void)state;
	const bv_vec3 points[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },
		                        { 0, 0, 8 }, { 1, 0, 8 }, { 0, 1, 8 }, { 1, 1, 8 } };
	bv_prism prism;
	bvfit_prism_of_points( points, 8, bvfit_prism_max, &prism );
	assert_true( fabs( prism.box.axis[2].z ) > 1 - 1e-6 );
	assert_true( fabs( prism.box.half_extents[2] - 4 ) < 1e-4 );
	assert_true( fabs( bv_prism_volume( &prism ) - 16 ) < 0.01 );
}

// An isosceles triangle swept along its normal is its own prism, however it is turned.
static void a_prism_is_its_own( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bv_vec3 x = bv_sub( random_point( f ), ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
		x = bv_scale( 1 / sqrt( bv_dot( x, x ) ), x );
		bv_vec3 z = bv_cross( x, bv_add( random_point( f ), ( bv_vec3 ){ 2, 0, 0 } ) );
		z = bv_scale( 1 / sqrt( bv_dot( z, z ) ), z );
		bv_vec3 y = bv_cross( z, x );
		double base = 0.5 + random_unit( f );
		double height = 0.5 + 2 * random_unit( f );
		double length = 20;
		bv_vec3 points[6];
		for ( int i = 0; i < 6; ++i )
		{
			double at = i % 3 == 0 ? -base : i % 3 == 1 ? base : 0;
			points[i] = bv_add( bv_scale( at, x ), bv_scale( i % 3 == 2 ? height : 0, y ) );
			points[i] = rounded( bv_add( points[i], bv_scale( i < 3 ? 0 : length, z ) ) );
		}
		bv_prism prism;
		bvfit_prism_of_points( points, 6, bvfit_prism_max, &prism );
		assert_true( fabs( bv_dot( prism.box.axis[2], z ) ) > 1 - 1e-6 );
		assert_true( fabs( bv_prism_volume( &prism ) / ( base * height * length ) - 1 ) < 1e-3 );
	}
}

// By trying: directions of the tip and slopes of the legs.
static double least_area( const double* x, const double* y, uint32_t count )
{
	double least = INFINITY;
	for ( int turn = 0; turn < 720; ++turn )
	{
		double a = turn * ( 3.14159265358979323846 / 360 );
		double tip[2] = { cos( a ), sin( a ) };
		double base = INFINITY;
		for ( uint32_t i = 0; i < count; ++i )
		{
			base = fmin( base, tip[0] * x[i] + tip[1] * y[i] );
		}
		for ( int step = 1; step < 200; ++step )
		{
			double c = tan( step * ( 3.14159265358979323846 / 400 ) );
			double left = INFINITY;
			double right = -INFINITY;
			for ( uint32_t i = 0; i < count; ++i )
			{
				double across = tip[1] * x[i] - tip[0] * y[i];
				double up = tip[0] * x[i] + tip[1] * y[i] - base;
				left = fmin( left, across - c * up );
				right = fmax( right, across + c * up );
			}
			least = fmin( least, ( right - left ) * ( right - left ) / ( 4 * c ) );
		}
	}
	return least;
}

// The grid's steps, of half a degree, cost it 0.2 % in the mean.
static void triangles_are_as_small_as_any( void** state )
{
	fixture* f = *state;
	double sum = 0;
	enum
	{
		rounds = 60,
	};
	for ( int round = 0; round < rounds; ++round )
	{
		double x[12];
		double y[12];
		bv_vec3 points[24];
		for ( int i = 0; i < 12; ++i )
		{
			x[i] = (float)random_unit( f );
			y[i] = (float)( random_unit( f ) * ( 0.2 + 0.1 * ( round % 9 ) ) );
			points[i] = ( bv_vec3 ){ x[i], y[i], 0 };
			points[12 + i] = ( bv_vec3 ){ x[i], y[i], 64 };
		}
		bv_prism prism;
		bvfit_prism_along( ( bv_vec3 ){ 0, 0, 1 }, ( bv_vec3 ){ 1, 0, 0 }, points, 24, &prism );
		double area = 2 * prism.box.half_extents[0] * prism.box.half_extents[1];
		double ratio = area / least_area( x, y, 12 );
		assert_true( ratio < 1.0005 );
		sum += ratio;
	}
	assert_true( sum / rounds < 0.999 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_point_is_enclosed ),
		fixture_test( what_is_outside_is_not_enclosed ),
		fixture_test( what_is_just_beyond_a_leg_is_not_enclosed ),
		fixture_test( prisms_grow_to_hold_points ),
		fixture_test( the_triangle_round_a_square_is_twice_as_large ),
		fixture_test( a_prism_is_its_own ),
		fixture_test( triangles_are_as_small_as_any ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

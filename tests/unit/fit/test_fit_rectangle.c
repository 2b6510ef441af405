// Smallest rectangles: compared with all directions between two points, one of which is parallel to a side of
// the optimum, and with rectangles known in advance.

#include "point_sets.h"

#include "offline/fit/obb_method.h"
#include "runtime/math/vec.h"

// The least area of a rectangle with a side along two of the points, seen along z.
static double brute_force( const bv_vec3* p, uint32_t count )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < i; ++k )
		{
			double u = p[i].x - p[k].x;
			double v = p[i].y - p[k].y;
			double square = u * u + v * v;
			double low[2] = { INFINITY, INFINITY };
			double high[2] = { -INFINITY, -INFINITY };
			for ( uint32_t n = 0; square > 0 && n < count; ++n )
			{
				double at[2] = { u * p[n].x + v * p[n].y, u * p[n].y - v * p[n].x };
				for ( int c = 0; c < 2; ++c )
				{
					low[c] = fmin( low[c], at[c] );
					high[c] = fmax( high[c], at[c] );
				}
			}
			if ( square > 0 )
			{
				least = fmin( least, ( high[0] - low[0] ) * ( high[1] - low[1] ) / square );
			}
		}
	}
	return least;
}

static void fit( fixture* f, const bv_vec3* points, uint32_t count, bv_vec3 axis[3], double size[2] )
{
	bv_vec3 along = axis[2];
	assert_int_equal( bvfit_fit_rectangle( points, count, f->arena, axis, size ), bv_ok );
	assert_memory_equal( &along, axis + 2, sizeof along );
	for ( int i = 0; i < 3; ++i )
	{
		assert_true( bvmath_norm1( bv_sub( bv_cross( axis[i], axis[( i + 1 ) % 3] ), axis[( i + 2 ) % 3] ) ) <
		             1e-14 );
	}
}

static void it_is_the_least_of_all_directions( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 3000; ++round )
	{
		bv_vec3 points[24];
		uint32_t count = 3 + (uint32_t)( random_bits( f ) % 22 );
		double thin = round % 3 ? 1 : pow( 10, -6 * random_unit( f ) );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			bool grid = round % 5 == 0;
			points[i] = grid ? ( bv_vec3 ){ floor( 4 * p.x ), floor( 4 * p.y ), p.z }
			                 : ( bv_vec3 ){ p.x + p.y, thin * p.y - p.x, p.z };
		}
		bv_vec3 axis[3] = { [2] = { 0, 0, 1 } };
		double size[2];
		fit( f, points, count, axis, size );
		double least = brute_force( points, count );
		if ( least < INFINITY )
		{
			assert_true( fabs( size[0] * size[1] - least ) <= 1e-9 * least + 1e-14 );
		}
	}
}

// A turned rectangle with points in it, seen along its normal.
static void the_rectangle_of_a_rectangle_is_that_rectangle( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 500; ++round )
	{
		bv_vec3 frame[3];
		bv_vec3 points[50];
		random_frame( f, frame );
		double scale = pow( 2, (int)( 240 * random_unit( f ) ) - 122 );
		for ( int i = 0; i < 50; ++i )
		{
			bv_vec3 p = random_point( f );
			double u = i < 4 ? ( i & 1 ? 3 : 0 ) : 3 * p.x;
			double v = i < 4 ? ( i & 2 ? 2 : 0 ) : 2 * p.y;
			points[i] = in_frame( frame, scale * u, scale * v, scale * p.z );
		}
		bv_vec3 axis[3] = { [2] = frame[2] };
		double size[2];
		fit( f, points, 50, axis, size );
		assert_true( fabs( size[0] * size[1] / scale / scale - 6 ) < 1e-12 );
		assert_true( fabs( fabs( bv_dot( axis[0], frame[0] ) ) - ( size[0] > size[1] ) ) < 1e-12 );
	}
}

static void straight_and_single_sets_have_rectangles_without_area( void** state )
{
	fixture* f = *state;
	bv_vec3 axis[3] = { [2] = { 0, 0, 1 } };
	double size[2];
	const bv_vec3 line[] = { { 1, 1, 0 }, { 4, 5, 7 }, { 2.5, 3, 1 }, { 1, 1, 9 } };
	fit( f, line, 4, axis, size );
	assert_true( size[0] == 5 && size[1] == 0 );

	// Seen along its own direction a line is a point.
	fit( f, ( bv_vec3[] ){ { 0, 0, 3 }, { 0, 0, 4 } }, 2, axis, size );
	assert_true( size[0] == 0 && size[1] == 0 );
	fit( f, line, 1, axis, size );
	assert_true( size[0] == 0 && size[1] == 0 );
}

static void running_out_of_memory_is_an_error( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create_limited( 0 );
	bv_vec3 axis[3] = { [2] = { 0, 0, 1 } };
	double size[2];
	assert_int_equal( bvfit_fit_rectangle( axis, 3, arena, axis, size ), bv_error_memory );
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( it_is_the_least_of_all_directions ),
		fixture_test( the_rectangle_of_a_rectangle_is_that_rectangle ),
		fixture_test( straight_and_single_sets_have_rectangles_without_area ),
		fixture_test( running_out_of_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

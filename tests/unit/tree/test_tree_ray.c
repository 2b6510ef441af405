// bv_mesh_cast_ray against all triangles; that of one triangle is proved in test_triangle_ray.

#include "queries.h"

#include "runtime/triangle/ray.h"

// In the file's own coordinates, where times are the same.
typedef struct expected
{
	bool found;
	double time;
	uint32_t triangle;
} expected;

static expected cast_at_all( const bv_file* file, const bv_ray* ray, const bv_ray_options* options )
{
	bv_transform none = bv_transform_identity();
	expected best = { .time = INFINITY };
	bvtri_ray_frame frame;
	bvtri_ray_begin( ray->origin, ray->direction, &frame );
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		bv_vec3 corner[3];
		bvtri_ray_triangle hit;
		get_placed( file, i, &none, corner );
		if ( bvtri_ray_meets_triangle( &frame, corner, &hit ) && hit.time >= ray->from &&
		     hit.time <= ray->to && ( hit.back ? !options->no_backs : !options->no_fronts ) &&
		     hit.time < best.time )
		{
			best = ( expected ){ true, hit.time, i };
		}
	}
	return best;
}

// Without a transform both compute the same numbers.
static void hits_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 32; ++round )
	{
		bv_vec3 center = { round % 5 == 4 ? 100 : 0, round % 7 == 6 ? -1000 : 0, 0 };
		bvb_mesh soup = random_soup( f, 150, center );
		soup = round % 3 == 0 ? with_twins( f, &soup ) : soup; // two at once: the lesser index
		const bv_file* file = file_of_round( f, &soup, round );
		uint64_t tests = 0;
		uint64_t tests_of_any = 0;
		for ( int k = 0; k < 60; ++k )
		{
			bv_vec3 from = plus( center, 2, random_around( f ) );
			bv_vec3 to = k % 3 == 0 ? bv_file_get_vertex( file, (uint32_t)k )
			                        : plus( center, 0.5, random_around( f ) );
			bv_ray ray = { from, minus( to, from ), k % 5 == 0 ? 0.5 : 0, k % 7 == 0 ? 1 : INFINITY };
			bv_ray_options options = bv_ray_options_default();
			options.no_backs = k % 4 == 1;
			options.no_fronts = k % 4 == 2;
			expected e = cast_at_all( file, &ray, &options );
			bv_ray_result result;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &result ), bv_ok );
			assert_int_equal( result.found, e.found );
			tests += result.triangle_tests;
			if ( e.found )
			{
				hits += 1;
				assert_true( result.time == e.time );
				assert_int_equal( result.at.triangle, e.triangle );
				bv_transform none = bv_transform_identity();
				double error = 1e-12 * ( 1 + length( center ) );
				assert_surface_point( file, &result.at, &none, error );
				bv_vec3 at = plus( ray.origin, result.time, ray.direction );
				assert_true( length( minus( at, result.at.point ) ) <= 100 * error );
			}
			options.any = true;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &result ), bv_ok );
			assert_int_equal( result.found, e.found );
			tests_of_any += result.triangle_tests;
		}
		assert_true( tests_of_any < tests );
		assert_true( tests < 60 * soup.triangle_count / 3 );
	}
	assert_true( hits > 300 );
}

// The same ray and mesh, both placed: the same time and triangle, the point placed, fronts still fronts.
static void transforms_move_hits_along( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	for ( int i = 0; i < 300; ++i )
	{
		bv_transform t =
			random_transform( f, pow( 10, 2 * random_unit( f ) - 1 ), i % 2 == 0, random_around( f ) );
		bv_vec3 from = random_around( f );
		bv_vec3 to = random_around( f );
		bv_ray ray = { from, minus( to, from ), 0, INFINITY };
		bv_ray moved = { placed( &t, from ), minus( placed( &t, to ), placed( &t, from ) ), 0, INFINITY };
		bv_ray_result r;
		bv_ray_result m;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_ok );
		assert_int_equal( bv_mesh_cast_ray( file, &t, &moved, NULL, &m ), bv_ok );
		assert_int_equal( r.found, m.found );
		if ( r.found )
		{
			assert_true( fabs( r.time - m.time ) < 1e-10 );
			assert_int_equal( r.at.triangle, m.at.triangle );
			assert_int_equal( r.back, m.back );
			assert_true( length( minus( placed( &t, r.at.point ), m.at.point ) ) < 1e-10 );
			assert_true( length( minus( r.at.local, m.at.local ) ) < 1e-10 );
		}
	}
}

// From inside a closed mesh every ray to a corner or the middle of a side leaves through it, in any volumes.
static void no_ray_leaves_a_closed_mesh_unseen( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 10 );
	for ( int round = 0; round < 16; ++round )
	{
		const bv_file* file = file_of_round( f, &ball, round );
		bv_transform t = random_transform( f, 3, round % 4 == 0, ( bv_vec3 ){ 10, 0, 0 } );
		for ( int i = 0; i < 400; ++i )
		{
			bv_vec3 corner[3];
			get_placed( file, (uint32_t)( random_bits( f ) % ball.triangle_count ), &t, corner );
			bv_vec3 to = plus( corner[0], i % 3 == 0 ? 0 : 0.5 * ( i % 3 ), minus( corner[1], corner[0] ) );
			bv_vec3 from = placed( &t, plus( ( bv_vec3 ){ 0, 0, 0 }, 0.3, random_around( f ) ) );
			bv_ray ray = { from, minus( to, from ), 0, INFINITY };
			bv_ray_result result;
			assert_int_equal( bv_mesh_cast_ray( file, &t, &ray, NULL, &result ), bv_ok );
			assert_true( result.found && result.back );
		}
	}
}

// Straight to a corner of a cube, which all triangles there have at the same time, to the last bit.
static void of_equals_the_first_is_found( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bv_transform none = bv_transform_identity();
	for ( int round = 0; round < 64; ++round )
	{
		const bv_file* file = file_of_round( f, &cube, round / 8 * 2 );
		bv_vec3 corner = { round & 1, round >> 1 & 1, round >> 2 & 1 };
		bv_vec3 inwards = { corner.x > 0 ? -1 : 1, corner.y > 0 ? -1 : 1, corner.z > 0 ? -1 : 1 };
		bv_ray ray = { plus( corner, -2, inwards ), inwards, 0, INFINITY };
		bv_ray_result r;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_ok );
		uint32_t first = UINT32_MAX;
		for ( uint32_t i = 12; i-- > 0; )
		{
			bv_vec3 t[3];
			get_placed( file, i, &none, t );
			for ( int k = 0; k < 3; ++k )
			{
				first = length( minus( t[k], corner ) ) == 0 ? i : first;
			}
		}
		assert_true( r.found && r.time == 2 );
		assert_int_equal( r.at.triangle, first );
	}
}

static void what_makes_no_sense_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_ray_result r;
	bv_ray ray = { { 0.5, 0.25, 5 }, { 0, 0, -2 }, 0, INFINITY };
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_ok );
	assert_true( r.found && !r.back && r.time == 2 );
	assert_int_equal( bv_mesh_cast_ray( NULL, NULL, &ray, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_cast_ray( file, NULL, NULL, NULL, &r ), bv_error_argument );
	ray.direction.z = 0;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_error_argument );
	ray.direction.z = NAN;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_error_argument );
	ray.direction.z = 1;
	ray.from = -1;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( hits_are_those_of_brute_force ),      fixture_test( transforms_move_hits_along ),
		fixture_test( no_ray_leaves_a_closed_mesh_unseen ), fixture_test( of_equals_the_first_is_found ),
		fixture_test( what_makes_no_sense_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

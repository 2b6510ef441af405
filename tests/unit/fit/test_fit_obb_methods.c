// The methods of fitting oriented boxes: what all of them promise, on sets of all kinds, and what each adds, against boxes
// that are known and against many random frames.

#include "point_sets.h"

#include "offline/fit/obb_method.h"
#include "runtime/math/vec.h"

static bv_obb fit_for( fixture* f, const char* method, bvb_box_objective objective, const bv_vec3* points,
                       uint32_t count )
{
	bvb_obb_options options = bvb_obb_options_default();
	options.method = method;
	options.objective = objective;
	bv_obb box;
	assert_int_equal( bvb_fit_obb( points, count, NULL, &options, f->arena, &box ), bv_ok );
	return box;
}

static bv_obb fit( fixture* f, const char* method, const bv_vec3* points, uint32_t count )
{
	return fit_for( f, method, bvb_box_volume, points, count );
}

static bool is_pca( const char* method )
{
	return strncmp( method, "pca-", 4 ) == 0;
}

static double volume_of_aabb( const bv_vec3* points, uint32_t count )
{
	bv_aabb box = bvb_fit_aabb( points, count );
	return bv_aabb_volume( &box );
}

static void every_method_encloses_sets_of_every_kind( void** state )
{
	fixture* f = *state;
	const char* method;
	for ( uint32_t m = 0; ( method = bvb_obb_method_name( m, NULL ) ); ++m )
	{
		for ( unsigned round = 0; round < 40 * set_kinds; ++round )
		{
			bv_vec3 points[40];
			uint32_t count = 1 + (uint32_t)( random_bits( f ) % 40 );
			make_set( f, round % set_kinds, points, count );
			bv_obb box = fit_for( f, method, (bvb_box_objective)( round % 3 ), points, count );
			assert_true( encloses_all( &box, points, count ) );
		}
	}
}

// But for the rounding outwards.
static void all_but_principal_axes_are_as_good_as_the_upright_box( void** state )
{
	fixture* f = *state;
	const char* method;
	for ( uint32_t m = 0; ( method = bvb_obb_method_name( m, NULL ) ); ++m )
	{
		for ( unsigned round = 0; !is_pca( method ) && round < 40 * set_kinds; ++round )
		{
			bv_vec3 points[40];
			uint32_t count = 1 + (uint32_t)( random_bits( f ) % 40 );
			unsigned kind = round % set_kinds;
			make_set( f, kind, points, count );
			bv_obb box = fit( f, method, points, count );
			double upright = volume_of_aabb( points, count );
			if ( upright > 0 )
			{
				// Far from the origin the stored center is rounded by 2^-7.
				assert_true( bv_obb_volume( &box ) <= upright * ( kind == 9 ? 1.1 : 1 + 1e-5 ) );
			}
		}
	}
}

// Three sides of different lengths, so that principal axes are the box's too; with points on and in the box.
static void a_turned_box_is_found( void** state )
{
	fixture* f = *state;
	const char* methods[] = { "pca-all", "refined", "dito" };
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 axis[3];
		bv_vec3 points[60];
		random_frame( f, axis );
		for ( int i = 0; i < 60; ++i )
		{
			bv_vec3 p = random_point( f );
			p = i < 8 ? ( bv_vec3 ){ i & 1, i >> 1 & 1, i >> 2 } : p;
			points[i] = in_frame( axis, 3 * p.x, 2 * p.y, p.z );
		}
		for ( int m = 0; m < 3; ++m )
		{
			// DiTO sees corners only where one of its directions does.
			bv_obb box = fit( f, methods[m], points, m == 2 ? 8 : 60 );
			assert_true( bv_obb_volume( &box ) >= 6 * ( 1 - 1e-6 ) );
			assert_true( bv_obb_volume( &box ) <= 6 * ( 1 + 1e-6 ) );
		}
	}
}

// A cube has no principal axes of its own.
static void a_turned_cube_is_found_by_refining( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 axis[3];
		bv_vec3 points[8];
		random_frame( f, axis );
		for ( int i = 0; i < 8; ++i )
		{
			points[i] = in_frame( axis, i & 1, i >> 1 & 1, i >> 2 );
		}
		bv_obb box = fit( f, "refined", points, 8 );
		assert_true( fabs( bv_obb_volume( &box ) - 1 ) < 1e-6 );
	}
}

// Every other corner of a cube; the least box is the cube, of edge^3 / (2 sqrt 2), here 1 (O'Rourke 1985).
static void the_least_box_of_a_regular_tetrahedron_is_a_cube( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		const bv_vec3 points[4] = {
			in_frame( axis, 0, 0, 0 ),
			in_frame( axis, 1, 1, 0 ),
			in_frame( axis, 1, 0, 1 ),
			in_frame( axis, 0, 1, 1 ),
		};
		bv_obb box = fit( f, "refined", points, 4 );
		assert_true( fabs( bv_obb_volume( &box ) - 1 ) < 1e-6 );
		bv_obb dito = fit( f, "dito", points, 4 );
		assert_true( bv_obb_volume( &dito ) < 2 * ( 1 + 1e-6 ) );
	}
}

static double measure( const double length[3], bvb_box_objective objective )
{
	double a = length[0], b = length[1], c = length[2];
	return objective == bvb_box_volume ? a * b * c
	       : objective == bvb_box_area ? 2 * ( a * b + b * c + c * a )
	                                   : sqrt( a * a + b * b + c * c );
}

// Whatever is to be small, none of many frames drawn at random makes it less.
static void refining_beats_random_frames( void** state )
{
	fixture* f = *state;
	for ( unsigned round = 0; round < 30; ++round )
	{
		bv_vec3 points[30];
		bvb_box_objective objective = (bvb_box_objective)( round % 3 );
		make_set( f, round / 3 % 2, points, 30 );
		bv_obb box = fit_for( f, "refined", objective, points, 30 );
		double length[3] = { 2 * box.half_extents[0], 2 * box.half_extents[1], 2 * box.half_extents[2] };
		double found = measure( length, objective );
		for ( int i = 0; i < 3000; ++i )
		{
			bv_vec3 axis[3];
			random_frame( f, axis );
			bvfit_box_lengths( points, 30, axis, length );
			assert_true( found <= measure( length, objective ) * ( 1 + 1e-6 ) );
		}
	}
}

static void refining_makes_no_frame_worse( void** state )
{
	fixture* f = *state;
	static bv_vec3 points[1000];
	for ( unsigned round = 0; round < 10 * set_kinds; ++round )
	{
		// More points than are looked at one by one, in every fourth round.
		uint32_t count = round % 4 == 3 ? 1000 : 1 + (uint32_t)( random_bits( f ) % 60 );
		bvb_box_objective objective = (bvb_box_objective)( round / 2 % 3 );
		make_set( f, round % set_kinds, points, count );
		bv_vec3 axis[3];
		double length[3];
		random_frame( f, axis );
		bvfit_box_lengths( points, count, axis, length );
		bvfit_box_cost before = bvfit_box_cost_of( length, objective );
		bvfit_obb_refine( points, count, objective, axis );
		bvfit_box_lengths( points, count, axis, length );
		bvfit_box_cost after = bvfit_box_cost_of( length, objective );
		assert_true( after.first <= before.first * ( 1 + 1e-12 ) );
		for ( int i = 0; i < 3; ++i )
		{
			assert_true( bvmath_norm1( bv_sub( bv_cross( axis[i], axis[( i + 1 ) % 3] ),
			                                   axis[( i + 2 ) % 3] ) ) < 1e-12 );
		}
	}
}

// A box fitted for one measure is not above one fitted for another in it, and on many sets it is below.
static void the_measure_asked_for_is_what_is_least( void** state )
{
	fixture* f = *state;
	static const char* const methods[] = { "refined", "optimal" };
	for ( int m = 0; m < 2; ++m )
	{
		int smaller[3] = { 0 };
		for ( int round = 0; round < 60; ++round )
		{
			bv_vec3 points[9];
			make_set( f, 0, points, 9 );
			double value[3][3];
			for ( int fitted = 0; fitted < 3; ++fitted )
			{
				bv_obb box = fit_for( f, methods[m], (bvb_box_objective)fitted, points, 9 );
				double length[3] = { 2 * box.half_extents[0], 2 * box.half_extents[1],
					                 2 * box.half_extents[2] };
				for ( int measured = 0; measured < 3; ++measured )
				{
					value[fitted][measured] = measure( length, (bvb_box_objective)measured );
				}
			}
			for ( int i = 0; i < 3; ++i )
			{
				int other = ( i + 1 ) % 3;
				smaller[i] += value[i][i] < 0.9999 * value[other][i];
				assert_true( value[i][i] <= 1.1 * value[other][i] );
			}
		}
		assert_true( smaller[0] >= 10 && smaller[1] >= 10 && smaller[2] >= 10 );
	}
}

// Thin sets have edges whose normals are mere rounding, the more so far from the origin; the search among edges must not
// be worse than a local one there. Frames are compared, since storing them costs more than there is between them.
static void the_least_box_of_a_thin_set_is_as_good_as_a_local_search( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 2000; ++round )
	{
		bv_vec3 points[20];
		uint32_t count = 4 + (uint32_t)( random_bits( f ) % 17 );
		double thickness = ldexp( 1, -14 - (int)( random_bits( f ) % 13 ) );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = ( bv_vec3 ){ p.x, thickness * p.y, round % 2 ? p.z + 1000 : p.z };
		}
		bvb_hull hull;
		bvb_error error;
		assert_int_equal( bvb_hull_compute( points, count, f->arena, &hull, &error ), bv_ok );
		bvfit_box_problem problem = { points, count, &hull, bvb_box_volume, 0, f->arena };
		bv_vec3 axis[3];
		double optimal[3];
		double refined[3];
		assert_int_equal( bvfit_obb_optimal( &problem, axis ), bv_ok );
		bvfit_box_lengths( points, count, axis, optimal );
		assert_int_equal( bvfit_obb_refined( &problem, axis ), bv_ok );
		bvfit_box_lengths( points, count, axis, refined );
		assert_true( measure( optimal, bvb_box_volume ) <=
		             measure( refined, bvb_box_volume ) * ( 1 + 1e-4 ) );
	}
}

// The search of cones and cylinders of many sides ends early, near the least box all the same: of a cylinder round the
// z axis the box is at most the upright one, and its projection along z has the least rectangle of a regular polygon,
// which for a multiple of 4 sides is the square on four of them.
static void round_hulls_get_their_least_box_in_time( void** state )
{
	fixture* f = *state;
	enum
	{
		sides = 600
	};
	static bv_vec3 points[2 * sides];
	double x = 1, y = 0;
	double cosine =
		1 - 2 * 0x1.5724e56b42a9dp-8 * 0x1.5724e56b42a9dp-8; // of 2 pi / 600, from the sine of half of it
	double sine = sqrt( 1 - cosine * cosine );
	for ( int i = 0; i < sides; ++i )
	{
		points[2 * i] = ( bv_vec3 ){ x, y, 0 };
		points[2 * i + 1] = ( bv_vec3 ){ x, y, 1.3 };
		double turned = cosine * x - sine * y;
		y = sine * x + cosine * y;
		x = turned;
	}
	bv_obb box = fit( f, "optimal", points, 2 * sides );
	double side = 2 * sqrt( ( 1 + cosine ) / 2 );
	assert_true( fabs( bv_obb_volume( &box ) - 1.3 * side * side ) < 2e-5 );
}

static void all_principal_axes_are_as_good_as_any_of_them( void** state )
{
	fixture* f = *state;
	for ( unsigned round = 0; round < 200; ++round )
	{
		bv_vec3 points[40];
		make_set( f, round % 2, points, 40 );
		bv_obb all = fit( f, "pca-all", points, 40 );
		bv_obb least = fit( f, "pca-min", points, 40 );
		bv_obb greatest = fit( f, "pca-max", points, 40 );
		double volume = bv_obb_volume( &all ) * ( 1 - 1e-6 );
		assert_true( volume <= bv_obb_volume( &least ) && volume <= bv_obb_volume( &greatest ) );
	}
}

// Points that come twice, and in another order, are the same set; only the mean of the points counts them.
static void order_and_repetition_change_no_volume( void** state )
{
	fixture* f = *state;
	const char* method;
	for ( uint32_t m = 0; ( method = bvb_obb_method_name( m, NULL ) ); ++m )
	{
		for ( int round = 0; round < 20 && strcmp( method, "pca-points" ) != 0; ++round )
		{
			bv_vec3 points[90];
			for ( int i = 0; i < 45; ++i )
			{
				points[i] = random_point( f );
			}
			bv_obb once = fit( f, method, points, 45 );
			memcpy( points + 45, points, 45 * sizeof *points );
			for ( uint64_t i = 89; i > 0; --i )
			{
				uint64_t k = random_bits( f ) % ( i + 1 );
				bv_vec3 other = points[i];
				points[i] = points[k];
				points[k] = other;
			}
			bv_obb twice = fit( f, method, points, 90 );
			assert_true( fabs( bv_obb_volume( &once ) / bv_obb_volume( &twice ) - 1 ) < 1e-6 );
		}
	}
}

// A flat set that is turned: no method makes it thicker than the rounding of a stored frame, and refining finds the least
// rectangle, of 3 by 2.
static void a_turned_flat_set_gets_a_flat_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		bv_vec3 points[20];
		for ( int i = 0; i < 20; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = i < 4 ? in_frame( axis, i & 1 ? 3 : 0, i & 2 ? 2 : 0, 0 )
			                  : in_frame( axis, 3 * p.x, 2 * p.y, 0 );
		}
		const char* method;
		for ( uint32_t m = 0; ( method = bvb_obb_method_name( m, NULL ) ); ++m )
		{
			bv_obb box = fit( f, method, points, 20 );
			const double* h = box.half_extents;
			assert_true( fmin( h[0], fmin( h[1], h[2] ) ) < 1e-6 );
			if ( !is_pca( method ) )
			{
				// Longest side first.
				assert_true( h[0] >= h[1] && h[1] >= h[2] );
			}
			if ( strcmp( method, "refined" ) == 0 )
			{
				assert_true( fabs( 4 * h[0] * h[1] - 6 ) < 1e-5 );
			}
		}
	}
}

static void a_hull_that_is_given_changes_nothing( void** state )
{
	fixture* f = *state;
	bv_vec3 points[60];
	make_set( f, 1, points, 60 );
	bvb_hull hull;
	assert_int_equal( bvb_hull_compute( points, 60, f->arena, &hull, NULL ), bv_ok );
	const char* method;
	const char* summary;
	for ( uint32_t m = 0; ( method = bvb_obb_method_name( m, &summary ) ); ++m )
	{
		assert_true( strlen( summary ) > 10 );
		bvb_obb_options options = { .method = method };
		bv_obb own;
		bv_obb given;
		assert_int_equal( bvb_fit_obb( points, 60, NULL, &options, f->arena, &own ), bv_ok );
		assert_int_equal( bvb_fit_obb( points, 60, &hull, &options, f->arena, &given ), bv_ok );
		assert_memory_equal( &own, &given, sizeof own );
	}
}

// A hull of many corners all round takes as much work as it may.
static void limited_work_still_gives_a_good_box( void** state )
{
	fixture* f = *state;
	static bv_vec3 points[2000];
	for ( int i = 0; i < 2000; ++i )
	{
		double z = 1 - ( 2 * i + 1 ) / 2000.0;
		double radius = sqrt( 1 - z * z );
		points[i] = ( bv_vec3 ){ 3 * radius * cos( 2.4 * i ), 2 * radius * sin( 2.4 * i ), z };
	}
	bvb_obb_options options = bvb_obb_options_default();
	bv_obb box[3];
	for ( int i = 0; i < 3; ++i )
	{
		options.max_work = i == 0 ? 0 : i == 1 ? UINT64_MAX : 1;
		assert_int_equal( bvb_fit_obb( points, 2000, NULL, &options, f->arena, &box[i] ), bv_ok );
		assert_true( encloses_all( &box[i], points, 2000 ) );
	}
	assert_memory_equal( &box[0], &box[1], sizeof *box );
	assert_true( memcmp( &box[0], &box[2], sizeof *box ) != 0 );
	assert_true( bv_obb_volume( &box[2] ) >= bv_obb_volume( &box[0] ) );
	assert_true( bv_obb_volume( &box[2] ) <= 1.01 * bv_obb_volume( &box[0] ) );
}

static void unknown_methods_and_empty_sets_are_refused( void** state )
{
	fixture* f = *state;
	const bv_vec3 point = { 1, 2, 3 };
	bvb_obb_options options = { .method = "best" };
	bv_obb box;
	assert_int_equal( bvb_fit_obb( &point, 1, NULL, &options, f->arena, &box ), bv_error_argument );
	bvb_obb_options beyond = { .method = "dito", .objective = bvb_box_diameter + 1 };
	assert_int_equal( bvb_fit_obb( &point, 1, NULL, &beyond, f->arena, &box ), bv_error_argument );
	assert_int_equal( bvb_fit_obb( &point, 0, NULL, NULL, f->arena, &box ), bv_error_argument );
	assert_int_equal( bvb_fit_obb( &point, 1, NULL, NULL, f->arena, &box ), bv_ok );

	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvb_asset_options asset_options = bvb_asset_options_default();
	asset_options.obb = options;
	bvb_asset asset;
	bvb_error error = { "" };
	assert_int_equal( bvb_asset_build( &( bvb_scene ){ .mesh = mesh },
	                                   &( bvb_source ){ .name = "box", .format = "obj" }, &asset_options,
	                                   f->arena, &asset, &error ),
	                  bv_error_argument );
	assert_non_null( strstr( error.message, "'best'" ) );
}

static void running_out_of_memory_is_an_error( void** state )
{
	fixture* f = *state;
	static bv_vec3 points[3000];
	make_set( f, 1, points, 3000 );
	bvb_hull hull;
	assert_int_equal( bvb_hull_compute( points, 3000, f->arena, &hull, NULL ), bv_ok );
	const char* method;
	for ( uint32_t m = 0; ( method = bvb_obb_method_name( m, NULL ) ); ++m )
	{
		bvb_obb_options options = { .method = method };
		bool done = false;
		for ( size_t limit = 0; !done; limit += 8000 )
		{
			bvb_arena* arena = bvb_arena_create_limited( limit );
			bv_obb box;
			bv_status status = bvb_fit_obb( points, 3000, &hull, &options, arena, &box );
			done = status == bv_ok;
			assert_true( done || status == bv_error_memory );
			bvb_arena_destroy( arena );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_method_encloses_sets_of_every_kind ),
		fixture_test( all_but_principal_axes_are_as_good_as_the_upright_box ),
		fixture_test( a_turned_box_is_found ),
		fixture_test( a_turned_cube_is_found_by_refining ),
		fixture_test( the_least_box_of_a_regular_tetrahedron_is_a_cube ),
		fixture_test( refining_beats_random_frames ),
		fixture_test( refining_makes_no_frame_worse ),
		fixture_test( the_measure_asked_for_is_what_is_least ),
		fixture_test( the_least_box_of_a_thin_set_is_as_good_as_a_local_search ),
		fixture_test( round_hulls_get_their_least_box_in_time ),
		fixture_test( all_principal_axes_are_as_good_as_any_of_them ),
		fixture_test( order_and_repetition_change_no_volume ),
		fixture_test( a_turned_flat_set_gets_a_flat_box ),
		fixture_test( a_hull_that_is_given_changes_nothing ),
		fixture_test( limited_work_still_gives_a_good_box ),
		fixture_test( unknown_methods_and_empty_sets_are_refused ),
		fixture_test( running_out_of_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Volumes of growing sets against those fitted from nothing.

#include "support.h"

#include "offline/fit/sphere.h"
#include "runtime/volume/reach.h"

enum
{
	kinds = 5,
	most_faces = 120,
};

// Corners of the next face: anywhere in a box, along a bent strip, a random walk, in a plane, on half a sphere.
static void next_face( fixture* f, int kind, int index, bv_vec3* walker, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 r = random_point( f );
		double t = (double)index / most_faces;
		double a = sqrt( fmax( 1 - r.x * r.x, 0 ) );
		switch ( kind )
		{
		case 0: r = ( bv_vec3 ){ r.x, 0.6 * r.y, 0.3 * r.z }; break;
		case 1: r = ( bv_vec3 ){ t + 0.05 * r.x, t * t * 2 + 0.05 * r.y, 0.05 * r.z }; break;
		case 2:
			*walker = ( bv_vec3 ){ walker->x + r.x - 0.5, walker->y + r.y - 0.5, walker->z + r.z - 0.5 };
			r = *walker;
			break;
		case 3: r = ( bv_vec3 ){ r.x, r.y, 0.25 * r.x - 0.5 * r.y }; break;
		default: r = ( bv_vec3 ){ r.x, a * cos( 6 * r.y ), a * sin( 6 * r.y ) }; break;
		}
		out[k] = ( bv_vec3 ){ (float)r.x, (float)r.y, (float)r.z };
	}
}

static void assert_equal_to_fits_from_nothing( const bvb_growing_fit* fit, const bv_vec3* points,
                                               uint32_t count )
{
	bv_aabb aabb = bvb_fit_aabb( points, count );
	assert_memory_equal( &fit->aabb, &aabb, sizeof aabb );

	// The binary64 balls agree; the stored ones may round another of several centers.
	bvfit_ball ball = { .support_count = 0 };
	bvfit_ball support = { .support_count = 0 };
	bvfit_least_ball( points, count, &ball );
	bvfit_least_ball( fit->points, fit->support, &support );
	assert_true( fabs( support.radius - ball.radius ) <= 1e-12 * ball.radius );
	bv_sphere sphere;
	assert_int_equal( bvb_fit_sphere( points, count, &sphere ), bv_ok );
	assert_true( fabs( fit->sphere.radius - sphere.radius ) <= 1e-6 * sphere.radius );

	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 reach = bvvol_obb_reach( &fit->obb, points[i] );
		assert_true( bvvol_distance_bound( points[i], fit->sphere.center ) <= fit->sphere.radius );
		assert_true( reach.x <= fit->obb.half_extents[0] && reach.y <= fit->obb.half_extents[1] &&
		             reach.z <= fit->obb.half_extents[2] );
	}
}

static void every_face_leaves_the_volumes_those_of_all_points( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 4 * kinds; ++round )
	{
		bvb_growing_fit fit = bvb_growing_fit_begin( f->arena );
		bv_vec3 points[3 * most_faces];
		bv_vec3 walker = { 0, 0, 0 };
		for ( int i = 0; i < most_faces; ++i )
		{
			next_face( f, round % kinds, i, &walker, points + 3 * i );
			assert_int_equal( bvb_growing_fit_add( &fit, points + 3 * i, 3 ), bv_ok );
			assert_int_equal( fit.count, 3 * i + 3 );
			assert_equal_to_fits_from_nothing( &fit, points, fit.count );
		}
	}
}

static double surface( const bv_obb* box )
{
	const double* h = box->half_extents;
	return 8 * ( h[0] * h[1] + h[1] * h[2] + h[2] * h[0] );
}

// The box fitted from nothing with more effort is the measure; for the flat kind its surface is. After one face all are
// flat.
static void boxes_are_nearly_as_small_as_those_from_nothing( void** state )
{
	fixture* f = *state;
	double sum = 0;
	int count = 0;
	for ( int round = 0; round < 4 * kinds; ++round )
	{
		bvb_growing_fit fit = bvb_growing_fit_begin( f->arena );
		bv_vec3 points[3 * most_faces];
		bv_vec3 walker = { 0, 0, 0 };
		for ( int i = 0; i < most_faces; ++i )
		{
			next_face( f, round % kinds, i, &walker, points + 3 * i );
			assert_int_equal( bvb_growing_fit_add( &fit, points + 3 * i, 3 ), bv_ok );
			if ( i % 10 == 9 )
			{
				bv_obb box;
				bvb_obb_options options = bvb_obb_options_default();
				options.method = "refined";
				assert_int_equal( bvb_fit_obb( points, fit.count, NULL, &options, f->arena, &box ), bv_ok );
				double ratio = round % kinds == 3 ? surface( &fit.obb ) / surface( &box )
				                                  : bv_obb_volume( &fit.obb ) / bv_obb_volume( &box );
				assert_true( ratio < 1.25 );
				sum += ratio;
				++count;
			}
		}
	}
	assert_true( sum / count < 1.02 );
}

static void points_inside_leave_the_volumes_alone( void** state )
{
	fixture* f = *state;
	bvb_growing_fit fit = bvb_growing_fit_begin( f->arena );
	bv_vec3 corners[8];
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = ( bv_vec3 ){ i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3 };
	}
	assert_int_equal( bvb_growing_fit_add( &fit, corners, 8 ), bv_ok );
	bvb_growing_fit before = fit;
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 p = random_point( f );
		assert_int_equal( bvb_growing_fit_add( &fit, &p, 1 ), bv_ok );
	}
	assert_memory_equal( &fit.obb, &before.obb, sizeof fit.obb );
	assert_memory_equal( &fit.sphere, &before.sphere, sizeof fit.sphere );
	assert_memory_equal( &fit.aabb, &before.aabb, sizeof fit.aabb );
	assert_int_equal( fit.count, 108 );
	assert_true( fabs( fit.sphere.radius - sqrt( 14 ) ) < 1e-6 );
}

static int compare_points( const void* a, const void* b )
{
	return memcmp( a, b, sizeof( bv_vec3 ) );
}

static void all_points_are_kept( void** state )
{
	fixture* f = *state;
	bvb_growing_fit fit = bvb_growing_fit_begin( f->arena );
	bv_vec3 points[300];
	for ( int i = 0; i < 300; ++i )
	{
		points[i] = random_point( f );
		assert_int_equal( bvb_growing_fit_add( &fit, points + i, 1 ), bv_ok );
	}
	qsort( points, 300, sizeof *points, compare_points );
	qsort( fit.points, fit.count, sizeof *points, compare_points );
	assert_memory_equal( fit.points, points, sizeof points );
}

static void adding_no_points_changes_nothing( void** state )
{
	fixture* f = *state;
	bvb_growing_fit fit = bvb_growing_fit_begin( f->arena );
	assert_int_equal( bvb_growing_fit_add( &fit, NULL, 0 ), bv_ok );
	assert_int_equal( fit.count, 0 );
}

static void without_memory_nothing_changes( void** state )
{
	(void)state;
	bvb_arena* small = bvb_arena_create_limited( 1 << 17 );
	assert_non_null( small );
	bvb_growing_fit fit = bvb_growing_fit_begin( small );
	bv_vec3 points[64] = { { 1, 2, 3 }, { 4, 5, 7 } };
	bv_status status = bv_ok;
	bvb_growing_fit before = fit;
	for ( int i = 0; i < 1000 && status == bv_ok; ++i )
	{
		before = fit;
		points[0].x = i;
		status = bvb_growing_fit_add( &fit, points, 64 );
	}
	assert_int_equal( status, bv_error_memory );
	assert_true( before.count > 0 );
	assert_memory_equal( &fit, &before, sizeof fit );
	bvb_arena_destroy( small );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_face_leaves_the_volumes_those_of_all_points ),
		fixture_test( boxes_are_nearly_as_small_as_those_from_nothing ),
		fixture_test( points_inside_leave_the_volumes_alone ),
		fixture_test( all_points_are_kept ),
		fixture_test( adding_no_points_changes_nothing ),
		fixture_test( without_memory_nothing_changes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

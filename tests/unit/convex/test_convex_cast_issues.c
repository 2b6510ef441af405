// Casts that users of other libraries reported as wrong (tests/reference/battery.h), by all methods that take such shapes. What
// is right is a closed form: a gap divided by the speed with which it closes.

#include "support.h"

#include "bv/convex.h"
#include "tests/reference/battery.h"

// One pair as libbv takes it.
typedef struct cast
{
	battery_pair pair;
	bv_vec3 room[2][battery_most_points];
	bv_convex shape[2];
} cast;

static void make_cast( const char* issue, uint32_t index, cast* out )
{
	const battery_case* of = battery_find( issue );
	assert_non_null( of );
	assert_true( index < of->count );
	battery_make( of, index, &out->pair );
	assert_true( out->pair.is_cast );
	for ( int s = 0; s < 2; ++s )
	{
		out->shape[s] = battery_convex( &out->pair.shape[s], out->room[s] );
	}
}

static bool takes( int method, const cast* c )
{
	bool balls = true;
	for ( int s = 0; s < 2; ++s )
	{
		balls &= c->pair.shape[s].kind == battery_ball || c->pair.shape[s].kind == battery_capsule;
	}
	return balls || method != bv_convex_cast_method_balls;
}

static bv_convex_cast_result cast_by( int method, const cast* c )
{
	bv_convex_cast_options o = { .method = (bv_convex_cast_method)method, .limit = c->pair.limit };
	bv_convex_cast_result r;
	assert_int_equal(
		bv_convex_cast( &c->shape[0], &c->shape[1], NULL, c->pair.motion[0], c->pair.motion[1], &o, &r ),
		bv_ok );
	return r;
}

static void assert_start( const bv_convex_cast_result* r )
{
	assert_true( r->found && r->certain && r->at_start && r->lower == 0 && r->upper == 0 );
}

// By all methods. Samples may miss what happens between two of them.
static void assert_cast( const cast* c )
{
	const battery_pair* pair = &c->pair;
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		bool is_sampled = m == bv_convex_cast_method_sampled;
		if ( !takes( m, c ) || ( is_sampled && pair->value > 0 && isfinite( pair->value ) ) )
		{
			continue;
		}
		bv_convex_cast_result r = cast_by( m, c );
		if ( isinf( pair->value ) )
		{
			assert_true( !r.found && ( r.certain || is_sampled ) );
			continue;
		}
		assert_true( r.found && r.certain );
		assert_true( r.lower <= pair->value + pair->doubt && pair->value - pair->doubt <= r.upper );
		assert_true( r.upper - r.lower <= 1e-6 * pair->limit );
		assert_true( bv_length( bv_sub( r.normal, pair->normal ) ) < 1e-6 );
		if ( pair->value == 0 )
		{
			assert_start( &r );
		}
	}
}

static void assert_casts( const char* issue )
{
	for ( uint32_t i = 0; i < battery_find( issue )->count; ++i )
	{
		cast c;
		make_cast( issue, i, &c );
		assert_cast( &c );
	}
}

static void rapier_js_258_plates_of_489_to_1_are_hit( void** state )
{
	(void)state;
	assert_casts( "dimforge/rapier.js #258" );
}

static void jolt_1786_what_touches_at_the_start_is_a_hit( void** state )
{
	(void)state;
	const char* issue = "jrouwe/JoltPhysics #1786";
	assert_casts( issue );
	for ( uint32_t i = 0; i < battery_find( issue )->count; ++i )
	{
		cast c;
		make_cast( issue, i, &c );
		bv_convex_cast_result r = cast_by( 0, &c );
		assert_true( fabs( r.point[0].z - 1 ) < 1e-6 && fabs( r.point[1].z - 1 ) < 1e-6 );
	}
}

// The box is scaled there, which is what mattered.
static void jolt_2049_overlaps_beside_the_center_are_hits( void** state )
{
	(void)state;
	assert_casts( "jrouwe/JoltPhysics #2049" );
	bv_convex unit = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex box = bv_convex_box( bv_vec3_make( 0.01, 0.95, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bv_transform at = bv_transform_translation( 0, 0, 0 );
	at.scale = 0.5;
	bv_convex_cast_result r;
	assert_int_equal(
		bv_convex_cast( &box, &unit, &at, bv_vec3_make( 0, -0.5, 0 ), bv_vec3_make( 0, 0, 0 ), NULL, &r ),
		bv_ok );
	assert_start( &r );
}

static void physx_509_boxes_over_a_corner_touch_its_top_and_not_their_center( void** state )
{
	(void)state;
	assert_casts( "NVIDIA-Omniverse/PhysX #509" );
	cast c;
	make_cast( "NVIDIA-Omniverse/PhysX #509", 1, &c );
	bv_convex_cast_result r = cast_by( 0, &c );
	assert_true( fabs( r.point[0].y - 3 ) < 1e-9 && fabs( r.point[1].y - 3 ) < 1e-9 );
	assert_true( r.point[0].x >= 6.559144 - 0.45 && r.point[0].x <= 7 );
}

static void fcl_555_boxes_that_both_move_meet( void** state )
{
	(void)state;
	assert_casts( "flexible-collision-library/fcl #555" );
}

// mikedh/trimesh #300 is the same: a box and a cone were missed, or met at 0.43157.
static void python_fcl_11_boxes_meet_cones_at_the_rim( void** state )
{
	(void)state;
	assert_casts( "BerkeleyAutomation/python-fcl #11" );
}

static void bevy_rapier_119_contact_points_on_a_large_floor_agree( void** state )
{
	(void)state;
	const char* issue = "dimforge/bevy_rapier #119";
	assert_casts( issue );
	for ( uint32_t i = 0; i < battery_find( issue )->count; ++i )
	{
		cast c;
		make_cast( issue, i, &c );
		bv_convex_cast_result r = cast_by( 0, &c );
		double x = c.pair.shape[1].position.x;
		assert_true( fabs( r.point[0].y - 1 ) < 1e-12 && fabs( r.point[1].y - 1 ) < 4e-6 );
		assert_true( fabs( r.point[0].x - x ) < 1e-9 && fabs( r.point[1].x - x ) < 1e-9 );
	}
}

static void box3d_32_casts_that_leave_or_slide_along_a_surface_miss_it( void** state )
{
	(void)state;
	assert_casts( "erincatto/box3d #32" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rapier_js_258_plates_of_489_to_1_are_hit ),
		cmocka_unit_test( jolt_1786_what_touches_at_the_start_is_a_hit ),
		cmocka_unit_test( jolt_2049_overlaps_beside_the_center_are_hits ),
		cmocka_unit_test( physx_509_boxes_over_a_corner_touch_its_top_and_not_their_center ),
		cmocka_unit_test( fcl_555_boxes_that_both_move_meet ),
		cmocka_unit_test( python_fcl_11_boxes_meet_cones_at_the_rim ),
		cmocka_unit_test( bevy_rapier_119_contact_points_on_a_large_floor_agree ),
		cmocka_unit_test( box3d_32_casts_that_leave_or_slide_along_a_surface_miss_it ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

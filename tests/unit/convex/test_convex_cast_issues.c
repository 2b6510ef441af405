// Casts that users of other libraries reported as wrong, rebuilt from their numbers. What is right is a closed form: a gap
// divided by the speed with which it closes.

#include "support.h"

#include "bv/convex.h"

static const bv_vec3 rest = { 0, 0, 0 };

static bool takes( int method, const bv_convex* a, const bv_convex* b )
{
	return method != bv_convex_cast_method_balls ||
	       ( a->kind == bv_convex_of_corners && b->kind == bv_convex_of_corners && a->count < 3 &&
	         b->count < 3 );
}

static bv_convex_cast_result cast_by( int method, const bv_convex* a, const bv_convex* b,
                                      const bv_vec3 motion[2], double limit )
{
	bv_convex_cast_options o = { .method = (bv_convex_cast_method)method, .limit = limit };
	bv_convex_cast_result r;
	assert_int_equal( bv_convex_cast( a, b, NULL, motion[0], motion[1], &o, &r ), bv_ok );
	return r;
}

// By all methods except samples, which may miss.
static void assert_hit( const bv_convex* a, const bv_convex* b, const bv_vec3 motion[2], double limit,
                        double time, double doubt, bv_vec3 normal )
{
	for ( int m = 0; m < bv_convex_cast_method_sampled; ++m )
	{
		if ( takes( m, a, b ) )
		{
			bv_convex_cast_result r = cast_by( m, a, b, motion, limit );
			assert_true( r.found && r.certain );
			assert_true( r.lower <= time + doubt && time - doubt <= r.upper );
			assert_true( r.upper - r.lower <= 1e-6 * ( limit > 0 ? limit : 1 ) );
			assert_true( bv_length( bv_sub( r.normal, normal ) ) < 1e-6 );
		}
	}
}

static void assert_no_hit( const bv_convex* a, const bv_convex* b, const bv_vec3 motion[2], double limit )
{
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		if ( takes( m, a, b ) )
		{
			bv_convex_cast_result r = cast_by( m, a, b, motion, limit );
			assert_true( !r.found );
			assert_true( r.certain || m == bv_convex_cast_method_sampled );
		}
	}
}

// dimforge/rapier.js #258 (2024): shapes that are cast against plates of 489 by 1 and 670 by 1 were sometimes missed. Of the
// shape cast the reports gives no size: a ball and a square of 1 across.
static void rapier_js_258_plates_of_489_to_1_are_hit( void** state )
{
	(void)state;
	bv_convex plate = bv_convex_box( bv_vec3_make( 884.5, 188.5, 0 ), bv_vec3_make( 244.5, 0.5, 0.5 ) );
	bv_vec3 motion[2] = { { 0, 0, 0 }, { 1004 - 380, 137 - 241, 0 } };
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 380, 241, 0 ), 0.5 );
	bv_convex square = bv_convex_box( bv_vec3_make( 380, 241, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bv_vec3 up = { 0, 1, 0 };
	assert_hit( &plate, &ball, motion, 0, 51.5 / 104, 0x1p-53, up );
	assert_hit( &plate, &square, motion, 0, 51.5 / 104, 0x1p-53, up );
	bv_convex other = bv_convex_box( bv_vec3_make( 408, 286.5, 0 ), bv_vec3_make( 335, 0.5, 0.5 ) );
	bv_vec3 second[2] = { { 0, 0, 0 }, { 385 - 894, 217 - 328, 0 } };
	ball.corner[0] = square.box.center = bv_vec3_make( 894, 328, 0 );
	assert_hit( &other, &ball, second, 0, 40.5 / 111, 0x1p-53, up );
	assert_hit( &other, &square, second, 0, 40.5 / 111, 0x1p-53, up );
}

// jrouwe/JoltPhysics #1786, #1787 (2025): a flat square that touches a box at the start and moves into it was not reported.
static void jolt_1786_what_touches_at_the_start_is_a_hit( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( rest, bv_vec3_make( 5, 5, 1 ) );
	const bv_vec3 corner[4] = { { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 } };
	bv_convex square = bv_convex_points( corner, 4, 0 );
	static const bv_vec3 ways[] = { { 0, 0, -10 }, { 0, 0, 10 }, { 3, 0, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		const bv_vec3 motion[2] = { { 0, 0, 0 }, ways[i] };
		for ( int m = 0; m < bv_convex_cast_methods; ++m )
		{
			if ( m != bv_convex_cast_method_balls )
			{
				bv_convex_cast_result r = cast_by( m, &box, &square, motion, 0 );
				assert_true( r.found && r.certain && r.at_start && r.lower == 0 && r.upper == 0 );
				assert_true( fabs( r.normal.z - 1 ) < 1e-6 );
				assert_true( fabs( r.point[0].z - 1 ) < 1e-6 && fabs( r.point[1].z - 1 ) < 1e-6 );
			}
		}
	}
}

// jrouwe/JoltPhysics #2049 (2026): a cast that begins in a box, beside its center, was not reported if the box is scaled.
static void jolt_2049_overlaps_beside_the_center_are_hits( void** state )
{
	(void)state;
	bv_convex unit = bv_convex_box( rest, bv_vec3_make( 1, 1, 1 ) );
	bv_convex box = bv_convex_box( bv_vec3_make( 0.01, 0.95, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bv_transform at = bv_transform_translation( 0, 0, 0 );
	at.scale = 0.5;
	bv_convex_cast_result r;
	assert_int_equal( bv_convex_cast( &box, &unit, &at, bv_vec3_make( 0, -0.5, 0 ), rest, NULL, &r ), bv_ok );
	assert_true( r.found && r.certain && r.at_start );
}

// NVIDIA-Omniverse/PhysX #509 (2026): the contact of a box that slides over a corner was the center of the box. Its bottom is
// 4.4e-5 above the corner's top, and sinks by 0.0011445 a second: not in the step of 0.02 s.
static void physx_509_boxes_over_a_corner_touch_its_top_and_not_their_center( void** state )
{
	(void)state;
	bv_convex box =
		bv_convex_box( bv_vec3_make( 6.559144, 3.712804, 0 ), bv_vec3_make( 0.45, 0.71276, 0.5 ) );
	bv_convex corner = bv_convex_box( bv_vec3_make( 5, 2.5, 0 ), bv_vec3_make( 2, 0.5, 0.5 ) );
	const bv_vec3 motion[2] = { { 0, 0, 0 }, { 20.42682, -0.0011445, 0 } };
	assert_no_hit( &corner, &box, motion, 0.02 );
	double time = ( 3.712804 - 0.71276 - 3 ) / 0.0011445;
	assert_hit( &corner, &box, motion, 0.1, time, 1e-12, bv_vec3_make( 0, 1, 0 ) );
	bv_convex_cast_result r = cast_by( 0, &corner, &box, motion, 0.1 );
	assert_true( fabs( r.point[0].y - 3 ) < 1e-9 && fabs( r.point[1].y - 3 ) < 1e-9 );
	assert_true( r.point[0].x >= 6.559144 - 0.45 && r.point[0].x <= 7 );
}

// flexible-collision-library/fcl #555 (2021): two boxes that approach each other were missed. From 2 to 0.5 by 1 + 1.5.
static void fcl_555_boxes_that_both_move_meet( void** state )
{
	(void)state;
	bv_convex small = bv_convex_box( bv_vec3_make( 1, 0, 2.5 ), bv_vec3_make( 1, 1, 0.5 ) );
	bv_convex large = bv_convex_box( bv_vec3_make( -2, 0, 0.25 ), bv_vec3_make( 10, 10, 0.25 ) );
	const bv_vec3 motion[2] = { { 0, 0, -1 }, { 4, 0, 1.5 } };
	assert_hit( &small, &large, motion, 0, 0.6, 0x1p-53, bv_vec3_make( 0, 0, -1 ) );
}

// mikedh/trimesh #300, BerkeleyAutomation/python-fcl #11 (2019): a box and a cone were missed, or met at 0.43157. The box's
// face at -9.5 moves by 20, to the rim at -1.
static void python_fcl_11_boxes_meet_cones_at_the_rim( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( -10, 0, 0 ), bv_vec3_make( 0.5, 1, 1.5 ) );
	bv_convex cone = bv_convex_cone( bv_vec3_make( 0, 0, -1.5 ), bv_vec3_make( 0, 0, 1.5 ), 1 );
	const bv_vec3 motion[2] = { { 20, 0, 0 }, { 0, 0, 0 } };
	assert_hit( &box, &cone, motion, 0, 0.425, 1e-12, bv_vec3_make( 1, 0, 0 ) );
}

// dimforge/bevy_rapier #119 (2022): the heights of both contact points of a ball on a floor of 1,000 by 1,000 differed by up
// to 6e-2, depending on where the ball was.
static void bevy_rapier_119_contact_points_on_a_large_floor_agree( void** state )
{
	(void)state;
	bv_convex floor = bv_convex_box( rest, bv_vec3_make( 500, 1, 500 ) );
	const bv_vec3 motion[2] = { { 0, 0, 0 }, { 0, -1, 0 } };
	for ( int i = 0; i < 200; ++i )
	{
		bv_convex ball = bv_convex_sphere( bv_vec3_make( 0.01 * i, 3, 0.01 * ( i * 7 % 100 ) ), 1 );
		bv_convex_cast_result r = cast_by( 0, &floor, &ball, motion, 2 );
		assert_true( r.found && r.certain && r.lower <= 1 && r.upper >= 1 );
		assert_true( fabs( r.point[0].y - 1 ) < 1e-12 && fabs( r.point[1].y - 1 ) < 4e-6 );
		assert_true( fabs( r.point[0].x - 0.01 * i ) < 1e-9 && fabs( r.point[1].x - 0.01 * i ) < 1e-9 );
	}
}

// erincatto/box3d #32 (2026): a cast that begins near a surface is a hit at once, even if it moves away or along.
static void box3d_32_casts_that_leave_or_slide_along_a_surface_miss_it( void** state )
{
	(void)state;
	bv_convex ground = bv_convex_box( bv_vec3_make( 0, -1, 0 ), bv_vec3_make( 50, 1, 50 ) );
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0.5 + 0x1p-10, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	const bv_vec3 away[2] = { { 0, 0, 0 }, { 0, 1, 0 } };
	const bv_vec3 along[2] = { { 0, 0, 0 }, { 8, 0, 1 } };
	const bv_vec3 slow[2] = { { 0, 0, 0 }, { 8, -0x1p-11, 1 } };
	assert_no_hit( &ground, &box, away, 0 );
	assert_no_hit( &ground, &box, along, 0 );
	assert_no_hit( &ground, &box, slow, 0 );
	assert_hit( &ground, &box, slow, 4, 2, 0x1p-40, bv_vec3_make( 0, 1, 0 ) );
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

// Casts of convex shapes against closed forms, their options and their errors. For polytopes against exact times see
// test_convex_cast_exact.c.

#include "support.h"

#include "bv/convex.h"

static const bv_vec3 rest = { 0, 0, 0 };

static bv_convex_cast_result cast( const bv_convex* a, const bv_convex* b, bv_vec3 motion,
                                   const bv_convex_cast_options* options )
{
	bv_convex_cast_result r;
	assert_int_equal( bv_convex_cast( a, b, NULL, rest, motion, options, &r ), bv_ok );
	return r;
}

static bool takes( bv_convex_cast_method method, const bv_convex* a, const bv_convex* b )
{
	bool round =
		a->kind == bv_convex_of_corners && b->kind == bv_convex_of_corners && a->count < 3 && b->count < 3;
	return method != bv_convex_cast_method_balls || ( round && a->radius + b->radius > 0 );
}

// By all methods and in both orders. The interval contains the time, and is narrow.
// @param doubt  rounding of the closed form
static void assert_time( const bv_convex* a, const bv_convex* b, bv_vec3 motion, double limit, double time,
                         double doubt )
{
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		bv_convex_cast_options o = { .method = (bv_convex_cast_method)m, .limit = limit };
		double range = limit > 0 ? limit : 1;
		if ( !takes( o.method, a, b ) )
		{
			continue;
		}
		for ( int swap = 0; swap < 2; ++swap )
		{
			bv_convex_cast_result r =
				cast( swap ? b : a, swap ? a : b, swap ? bv_negate( motion ) : motion, &o );
			bool sampled = m == bv_convex_cast_method_sampled;
			assert_true( r.found || sampled );
			assert_true( r.lower <= time + doubt );
			assert_true( time - doubt <= r.upper );
			if ( !sampled )
			{
				assert_true( r.certain );
				assert_true( r.upper - r.lower <= 1e-6 * range );
				assert_true( fabs( bv_length( r.normal ) - 1 ) < 1e-12 );
			}
		}
	}
}

static void assert_miss( const bv_convex* a, const bv_convex* b, bv_vec3 motion, double limit )
{
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		bv_convex_cast_options o = { .method = (bv_convex_cast_method)m, .limit = limit };
		if ( takes( o.method, a, b ) )
		{
			bv_convex_cast_result r = cast( a, b, motion, &o );
			assert_false( r.found );
			assert_true( r.certain || m == bv_convex_cast_method_sampled );
			assert_true( r.upper == INFINITY );
			r = cast( b, a, bv_negate( motion ), &o );
			assert_false( r.found );
		}
	}
}

static void names_are_those_of_the_header( void** state )
{
	(void)state;
	static const char* const names[] = { "default", "gjk", "balls", "advancement", "swept", "sampled" };
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		assert_string_equal( bv_convex_cast_method_name( (bv_convex_cast_method)m ), names[m] );
	}
	assert_null( bv_convex_cast_method_name( bv_convex_cast_methods ) );
	bv_convex_cast_options o = bv_convex_cast_options_default();
	assert_true( o.method == 0 && o.limit == 0 && o.tolerance == 0 && !o.cache );
}

// Faces at x = 1 and 4.5, which approach each other by 2.
static void boxes_meet_when_the_gap_along_their_axis_closes( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex b = bv_convex_box( bv_vec3_make( 5, 0.25, -0.5 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bv_vec3 motion = { -2, 0, 0 };
	assert_miss( &a, &b, motion, 0 );
	assert_time( &a, &b, motion, 4, 1.75, 0 );
	assert_miss( &a, &b, bv_negate( motion ), INFINITY );
	bv_convex_cast_options o = { .limit = INFINITY };
	bv_convex_cast_result r = cast( &a, &b, motion, &o );
	assert_true( r.found && r.certain && r.lower <= 1.75 && r.upper >= 1.75 && r.upper - r.lower < 1e-5 );
	assert_true( r.normal.x == 1 && r.normal.y == 0 && r.normal.z == 0 );
	assert_true( fabs( r.point[0].x - 1 ) < 1e-5 && fabs( r.point[1].x - 1 ) < 1e-5 );
}

static void a_contact_at_the_end_of_the_range_counts( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex b = bv_convex_box( bv_vec3_make( 5, 0.25, -0.5 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bv_vec3 motion = { -2, 0, 0 };
	assert_time( &a, &b, motion, 1.75, 1.75, 0 );
	assert_miss( &a, &b, motion, nextafter( 1.75, 0 ) );
}

// |s + t v| = r by the quadratic formula in long double.
static void balls_meet_when_their_distance_is_that_of_the_radii( void** state )
{
	fixture* f = *state;
	int met = 0;
	for ( int i = 0; i < 300; ++i )
	{
		bv_vec3 c = { 8 * random_unit( f ) - 4, 8 * random_unit( f ) - 4, 8 * random_unit( f ) - 4 };
		bv_vec3 v = { -2 * c.x + random_unit( f ), -2 * c.y + random_unit( f ),
			          -2 * c.z + 2 * random_unit( f ) };
		double radius[2] = { random_unit( f ), 0.5 * random_unit( f ) };
		bv_convex a = bv_convex_sphere( rest, radius[0] );
		bv_convex b = bv_convex_sphere( c, radius[1] );
		long double r = (long double)radius[0] + radius[1];
		long double g = (long double)c.x * c.x + (long double)c.y * c.y + (long double)c.z * c.z - r * r;
		long double along = -( (long double)c.x * v.x + (long double)c.y * v.y + (long double)c.z * v.z );
		long double square = (long double)v.x * v.x + (long double)v.y * v.y + (long double)v.z * v.z;
		long double root = along * along - square * g;
		if ( g > 0 && along > 0 && root > 1e-9 )
		{
			double time = (double)( g / ( along + sqrtl( root ) ) );
			assert_time( &a, &b, v, 0, time, 0x1p-50 * time );
			bv_convex_cast_result result = cast( &a, &b, v, NULL );
			assert_true( result.upper - result.lower <= 0x1p-45 * time );
			++met;
		}
		else if ( g > 0 && ( along < -1e-9 || root < -1e-9 ) )
		{
			assert_miss( &a, &b, v, 0 );
		}
	}
	assert_true( met > 200 );
}

// Centers pass each other at a distance of exactly 2 at time 0.5, or at the next number above.
static void balls_that_graze_each_other_meet_exactly_once( void** state )
{
	(void)state;
	bv_convex a = bv_convex_sphere( rest, 1 );
	bv_convex b = bv_convex_sphere( bv_vec3_make( -3, 2, 0 ), 1 );
	bv_vec3 motion = { 6, 0, 0 };
	assert_time( &a, &b, motion, 0, 0.5, 0 );
	b.corner[0].y = nextafter( 2, 3 );
	assert_miss( &a, &b, motion, 0 );
}

// Along x and along y, their segments 4 apart, with radii of 0.75 together; by 4 a unit of time. Then end to end.
static void capsules_meet_when_their_segments_are_as_far_apart_as_their_radii( void** state )
{
	(void)state;
	bv_convex a = bv_convex_capsule( bv_vec3_make( -1, 0, 0 ), bv_vec3_make( 1, 0, 0 ), 0.5 );
	bv_convex b = bv_convex_capsule( bv_vec3_make( 0.5, -1, 4 ), bv_vec3_make( 0.5, 2, 4 ), 0.25 );
	assert_time( &a, &b, bv_vec3_make( 0, 0, -4 ), 0, 0.8125, 0 );
	bv_convex c = bv_convex_capsule( bv_vec3_make( 5, 0, 0 ), bv_vec3_make( 7, 0, 0 ), 0.25 );
	assert_time( &a, &c, bv_vec3_make( -8, 0, 0 ), 0, 3.25 / 8, 0 );
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 0.25, 3, 4 ), 2 );
	assert_time( &a, &ball, bv_vec3_make( 0, -3, -4 ), 0, 0.5,
	             0 ); // at ( 0.25, 1.5, 2 ), 2.5 from the segment
}

// A wrong closed form would be proven wrong, and repaired by windows, which take more support points.
static void closed_forms_of_capsules_agree_with_the_ray_cast( void** state )
{
	fixture* f = *state;
	int met = 0;
	uint32_t supports[2] = { 0, 0 };
	for ( int i = 0; i < 400; ++i )
	{
		bv_vec3 p[4];
		for ( int k = 0; k < 4; ++k )
		{
			p[k] = bv_vec3_make( 4 * random_unit( f ), 4 * random_unit( f ),
			                     4 * random_unit( f ) + ( k < 2 ? 0 : 5 ) );
			p[k] = i % 3 == 0 ? bv_vec3_make( floor( p[k].x ), floor( p[k].y ), floor( p[k].z ) ) : p[k];
		}
		bv_convex a = bv_convex_capsule( p[0], i % 7 == 0 ? p[0] : p[1], 0.5 );
		bv_convex b = bv_convex_capsule( p[2], i % 5 == 0 ? p[2] : p[3], random_unit( f ) );
		bv_vec3 motion = { 4 * random_unit( f ) - 2, 4 * random_unit( f ) - 2, -10 * random_unit( f ) };
		bv_convex_cast_options o[2] = { { .method = bv_convex_cast_method_balls },
			                            { .method = bv_convex_cast_method_gjk } };
		bv_convex_cast_result r[2] = { cast( &a, &b, motion, o ), cast( &a, &b, motion, o + 1 ) };
		assert_int_equal( r[0].found, r[1].found );
		assert_true( r[0].certain && r[1].certain );
		assert_true( r[0].lower <= r[1].upper && r[1].lower <= r[0].upper );
		met += r[0].found;
		supports[0] += r[0].supports;
		supports[1] += r[1].supports;
	}
	assert_true( met > 100 && met < 350 );
	assert_true( 10 * supports[0] < 9 * supports[1] );
}

static void shapes_that_do_not_move_meet_at_the_start_or_never( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 1, 1, 1 ) );
	bv_convex touching = bv_convex_box( bv_vec3_make( 2, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex apart = bv_convex_box( bv_vec3_make( nextafter( 2, 3 ), 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_vec3 same = { 0.1, 0.2, 0.3 };
	bv_convex_cast_result r;
	assert_int_equal( bv_convex_cast( &a, &touching, NULL, same, same, NULL, &r ), bv_ok );
	assert_true( r.found && r.certain && r.at_start && r.lower == 0 && r.upper == 0 );
	assert_int_equal( bv_convex_cast( &a, &apart, NULL, same, same, NULL, &r ), bv_ok );
	assert_true( !r.found && r.certain && r.lower == 1 );
}

// The result at the start is that of bv_convex_distance.
static void shapes_that_overlap_at_the_start_have_the_normal_of_their_depth( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 1, 1, 1 ) );
	bv_convex b = bv_convex_box( bv_vec3_make( 0.25, 1.75, 0 ), bv_vec3_make( 1, 1, 1 ) );
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		bv_convex_cast_options o = { .method = (bv_convex_cast_method)m };
		if ( m != bv_convex_cast_method_balls )
		{
			bv_convex_cast_result r = cast( &a, &b, bv_vec3_make( 0, 5, 0 ), &o );
			assert_true( r.found && r.certain && r.at_start && r.lower == 0 && r.upper == 0 );
			assert_true( fabs( r.normal.y - 1 ) < 1e-12 && fabs( r.point[0].y - 1 ) < 1e-12 );
		}
	}
}

// A face slides along another one, with a gap.
static void faces_that_slide_along_each_other_meet_unless_there_is_a_gap( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 1, 1, 1 ) );
	static const double gaps[] = { 0, 0x1p-52, 1e-12, 1e-6, -1e-12, -0x1p-52 };
	for ( int i = 0; i < 6; ++i )
	{
		bv_convex b = bv_convex_box( bv_vec3_make( -5, 2 + gaps[i], 0.5 ), bv_vec3_make( 1, 1, 1 ) );
		bv_vec3 motion = { 10, 0, 0 };
		if ( 2 + gaps[i] <= 2 )
		{
			assert_time( &a, &b, motion, 0, 0.3, 0x1p-53 );
		}
		else
		{
			assert_miss( &a, &b, motion, 0 );
			assert_miss( &a, &b, motion, 1e9 );
		}
	}
}

// A ball touches the top of a box over an edge and over the face, exactly, or not: by a scale and a radius of it, too.
static void balls_that_slide_over_a_box_touch_it_exactly( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( rest, bv_vec3_make( 1, 0.5, 4 ) );
	bv_transform at = bv_transform_translation( 0, 0, 0 );
	at.scale = 3;
	for ( int i = 0; i < 4; ++i )
	{
		bool over = i % 2 == 0;
		double height = over ? 4 : nextafter( 4, 5 );
		double start = i % 4 < 2 ? -5 : 0;
		bv_convex ball = bv_convex_sphere( bv_vec3_make( 0, 0, 0.125 ), 1 );
		bv_vec3 motion = { 8, 0, 0 };
		box.radius = 0.5;
		at.pose.translation = bv_vec3_make( start, height, 0 );
		for ( int m = 0; m < bv_convex_cast_methods; ++m )
		{
			bv_convex_cast_options o = { .method = (bv_convex_cast_method)m };
			bv_convex_cast_result r;
			if ( m == bv_convex_cast_method_balls || m == bv_convex_cast_method_sampled )
			{
				continue;
			}
			assert_int_equal( bv_convex_cast( &box, &ball, &at, rest, motion, &o, &r ), bv_ok );
			assert_true( r.certain );
			assert_int_equal( r.found, over );
			double time = start < 0 ? 0.5 : 0;
			assert_true( !over || ( r.lower <= time && time <= r.upper && r.upper - r.lower <= 1e-6 ) );
			assert_true( !over || r.at_start == ( time == 0 ) );
			assert_true( !over || bv_length( bv_sub( r.normal, bv_vec3_make( 0, 1, 0 ) ) ) < 1e-6 );
		}
	}
}

// The first window is narrower than rounding errors: wider ones follow.
static void tolerances_below_rounding_errors_give_what_rounding_allows( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, -1, 0 ), bv_vec3_make( 8, 1, 8 ) );
	bv_convex cylinder = bv_convex_cylinder( bv_vec3_make( 0, 4, 0 ), bv_vec3_make( 0.5, 6, 0 ), 1 );
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 0, 5, 0 ), 1 );
	bv_convex_cast_options o = { .tolerance = 1e-300 };
	bv_convex_cast_result r = cast( &box, &cylinder, bv_vec3_make( 0, -8, 1 ), &o );
	assert_true( r.found && r.certain && r.lower <= r.upper && r.upper - r.lower < 1e-9 );
	r = cast( &box, &ball, bv_vec3_make( 0, -8, 1 ), &o );
	assert_true( r.found && r.certain && r.lower <= 0.5 && 0.5 <= r.upper && r.upper - r.lower < 1e-12 );
}

// A lying cylinder slides along a face. Whether it touches is not known in binary64: then it counts as found.
static void curved_shapes_that_slide_within_rounding_errors_are_found_in_doubt( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, -1, 0 ), bv_vec3_make( 8, 1, 8 ) );
	static const double heights[] = { 0, 0x1p-50, -0x1p-50, 1e-9, -1e-9 };
	for ( int i = 0; i < 5; ++i )
	{
		bv_vec3 ends[2] = { { -1, 1 + heights[i], 0 }, { 1, 1 + heights[i], 0 } };
		bv_convex cylinder = bv_convex_cylinder( ends[0], ends[1], 1 );
		bv_convex_cast_result r = cast( &box, &cylinder, bv_vec3_make( 1, 0, 1 ), NULL );
		assert_int_equal( r.found, heights[i] < 1e-9 );
		assert_true( r.certain || fabs( heights[i] ) < 1e-9 );
		assert_true( !r.found || r.lower == 0 );
		assert_true( !r.found || fabs( bv_length( r.normal ) - 1 ) < 1e-12 );
	}
}

// The gap of 2 closes by 2^-10 a unit of time, while the faces slide by a million.
static void long_slides_meet_when_the_gap_closes( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 0x1p40, 1, 0x1p40 ) );
	bv_convex b = bv_convex_box( bv_vec3_make( 0, 4, 0 ), bv_vec3_make( 1, 1, 1 ) );
	assert_time( &a, &b, bv_vec3_make( 1e6, -0x1p-10, 0 ), 0x1p12, 2048, 1e-3 );
}

static void long_motions_meet_within_rounding_of_coordinates( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 1, 1, 1 ) );
	bv_convex b = bv_convex_sphere( bv_vec3_make( 5, 0, 0 ), 1 );
	static const double speeds[] = { 1e3, 1e15, 1e30, 0x1p200, 1e-3, 1e-15, 1e-200, 1e-305 };
	for ( int i = 0; i < 8; ++i )
	{
		bv_convex_cast_options o = { .limit = INFINITY };
		bv_convex_cast_result r = cast( &a, &b, bv_vec3_make( -speeds[i], 0, 0 ), &o );
		double time = 3 / speeds[i];
		if ( i < 7 )
		{
			assert_true( r.found && r.certain );
			assert_true( r.lower <= time * ( 1 + 0x1p-50 ) && time * ( 1 - 0x1p-50 ) <= r.upper );
			assert_true( r.upper - r.lower <= 4e-6 * time );
		}
		assert_true( r.lower <= time );
		r = cast( &a, &b, bv_vec3_make( speeds[i], speeds[i], 0 ), &o );
		assert_true( !r.found && r.certain );
	}
	bv_convex far = bv_convex_box( bv_vec3_make( 0x1p60, 0.5, 0.5 ), bv_vec3_make( 1, 1, 1 ) );
	assert_time( &a, &far, bv_vec3_make( -0x1p60, 0, 0 ), 0, 1, 0x1p-50 );
}

// Tops, bottoms and sides of curved shapes and planes; the slope of the cone is 1.
static void curved_shapes_meet_boxes_when_their_height_is_reached( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, -1, 0 ), bv_vec3_make( 8, 1, 8 ) );
	bv_convex cylinder = bv_convex_cylinder( bv_vec3_make( 0, 4, 0 ), bv_vec3_make( 0, 6, 0 ), 1 );
	assert_time( &box, &cylinder, bv_vec3_make( 0.5, -8, 0 ), 0, 0.5, 1e-12 );
	bv_convex lying = bv_convex_cylinder( bv_vec3_make( -1, 4, 0 ), bv_vec3_make( 1, 4, 0 ), 1 );
	assert_time( &box, &lying, bv_vec3_make( 0, -6, 1 ), 0, 0.5, 1e-12 );
	bv_convex cone = bv_convex_cone( bv_vec3_make( 0, 4, 0 ), bv_vec3_make( 0, 2, 0 ), 2 );
	cone.radius = 0.5;
	assert_time( &box, &cone, bv_vec3_make( 0, -3, 0 ), 0, 0.5, 1e-12 );
	bv_obb axes = { .center = { 0, 5, 0 },
		            .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		            .half_extents = { 1, 2, 3 },
		            .rotation = { 0, 0, 0, 1 } };
	bv_convex ellipsoid = bv_convex_ellipsoid( &axes );
	assert_time( &box, &ellipsoid, bv_vec3_make( 1, -6, 0 ), 0, 0.5, 1e-12 );
	assert_miss( &box, &ellipsoid, bv_vec3_make( 1, 1, 0 ), 0 );
}

// A ball of radius 2 below a plane is scaled by 3 and mirrored at x = 0: at ( -6, 12, 3 ), it moves by -12.
static void placements_scale_and_mirror_the_second_shape( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, -1, 0 ), bv_vec3_make( 8, 1, 8 ) );
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 2, 3, 1 ), 2 );
	bv_transform at = bv_transform_translation( 0, 3, 0 );
	at.scale = 3;
	at.mirror = true;
	bv_convex_cast_result r;
	assert_int_equal( bv_convex_cast( &box, &ball, &at, rest, bv_vec3_make( 0, -12, 0 ), NULL, &r ), bv_ok );
	assert_true( r.found && r.certain && r.lower <= 0.5 && r.upper >= 0.5 && r.upper - r.lower <= 1e-6 );
	assert_true( fabs( r.point[0].x + 6 ) < 1e-9 && fabs( r.point[1].x + 6 ) < 1e-9 );
	assert_true( fabs( r.point[0].z - 3 ) < 1e-9 && fabs( r.point[1].y ) < 1e-5 );
	assert_true( r.normal.y > 1 - 1e-12 );
}

static bv_vec3 around( fixture* f, double most )
{
	double x = most * ( 2 * random_unit( f ) - 1 );
	double y = most * ( 2 * random_unit( f ) - 1 );
	return bv_vec3_make( x, y, most * ( 2 * random_unit( f ) - 1 ) );
}

static const bv_obb cube_axes = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	                              .rotation = { 0, 0, 0, 1 } };

static bv_convex random_shape( fixture* f )
{
	bv_vec3 p = around( f, 1 );
	bv_vec3 q = bv_add( p, around( f, 1.5 ) );
	bv_obb axes = cube_axes;
	axes.center = p;
	for ( int k = 0; k < 3; ++k )
	{
		axes.half_extents[k] = 0.1 + random_unit( f );
	}
	double radius = 0.1 + random_unit( f );
	bv_convex shapes[] = { bv_convex_cylinder( p, q, radius ), bv_convex_cone( p, q, radius ),
		                   bv_convex_ellipsoid( &axes ),       bv_convex_obb( &axes ),
		                   bv_convex_capsule( p, q, radius ),  bv_convex_triangle( p, q, rest ) };
	bv_convex out = shapes[random_bits( f ) % 6];
	out.radius += random_bits( f ) % 2 == 0 ? 0 : 0.25 * random_unit( f );
	return out;
}

// Each method proves both ends of its interval in its own way: two that have no time in common would prove an error.
static void methods_agree_on_curved_and_rounded_shapes( void** state )
{
	fixture* f = *state;
	int met = 0;
	int count = is_thorough() ? 20000 : 200;
	for ( int i = 0; i < count; ++i )
	{
		bv_convex a = random_shape( f );
		bv_convex b = random_shape( f );
		bv_transform at;
		bv_vec3 moved = bv_scale( 5, bv_normalize( around( f, 1 ) ) );
		bv_quaternion turn = { around( f, 1 ).x, 0.3, around( f, 1 ).z, 0.5 };
		double length = sqrt( turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w );
		turn = ( bv_quaternion ){ turn.x / length, turn.y / length, turn.z / length, turn.w / length };
		assert_int_equal( bv_transform_from_quaternion( turn, moved, &at ), bv_ok );
		at.scale = 0.5 + random_unit( f );
		at.mirror = i % 2 == 0;
		bv_vec3 motion = bv_add( bv_scale( -1.5, moved ), around( f, 3 ) );
		bv_convex_cast_result first = { .found = false };
		for ( int m = 0; m < bv_convex_cast_methods; ++m )
		{
			bv_convex_cast_options o = { .method = (bv_convex_cast_method)m };
			bv_convex_cast_result r;
			bv_status status = bv_convex_cast( &a, &b, &at, rest, motion, &o, &r );
			assert_int_equal( status, takes( o.method, &a, &b ) ? bv_ok : bv_error_unsupported );
			if ( status == bv_ok && m != bv_convex_cast_method_sampled )
			{
				first = m == 0 ? r : first;
				assert_true( r.certain );
				assert_int_equal( r.found, first.found );
				assert_true( r.lower <= first.upper && first.lower <= r.upper );
				assert_true( !r.found || r.upper - r.lower <= 1e-6 );
				assert_true( !r.found || bv_length( bv_sub( r.normal, first.normal ) ) < 0.02 );
			}
		}
		met += first.found;
	}
	assert_true( met > count / 4 && met < count - 10 );
}

// The octahedron | x | + | y | + | z | <= 1.
static void graphs_are_the_hulls_of_their_points( void** state )
{
	fixture* f = *state;
	static const bv_vec3 corner[6] = { { 1, 0, 0 },  { 0, 1, 0 }, { -1, 0, 0 },
		                               { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
	static const uint32_t first[7] = { 0, 4, 8, 12, 16, 20, 24 };
	static const uint32_t neighbors[24] = { 1, 4, 3, 5, 2, 4, 0, 5, 3, 4, 1, 5,
		                                    0, 4, 2, 5, 0, 1, 2, 3, 3, 2, 1, 0 };
	bv_convex graph = bv_convex_graph( corner, 6, first, neighbors );
	bv_convex points = bv_convex_points( corner, 6, 0 );
	bv_convex box = bv_convex_box( bv_vec3_make( 4, 1, 0 ), bv_vec3_make( 1, 1, 1 ) );
	assert_time( &box, &graph, bv_vec3_make( 4, 0, 0 ), 0, 0.5, 0 ); // its corner meets the box's edge
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 motion = bv_add( bv_vec3_make( 4, 1, 0 ), around( f, 3 ) );
		bv_convex_cast_result r = cast( &box, &graph, motion, NULL );
		bv_convex_cast_result s = cast( &box, &points, motion, NULL );
		assert_true( r.found == s.found && r.certain && s.certain );
		assert_true( r.lower <= s.upper && s.lower <= r.upper );
	}
}

// Both move by another 100: they meet at the same time, at another place.
static void only_the_relative_motion_matters_for_the_time( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 1, 1, 1 ) );
	bv_convex b = bv_convex_sphere( bv_vec3_make( 5, 0, 0 ), 1 );
	bv_vec3 with = { 64, 128, -32 };
	bv_vec3 motion = { -6, 0, 0 };
	bv_convex_cast_result still = cast( &a, &b, motion, NULL );
	bv_convex_cast_result moved;
	assert_int_equal( bv_convex_cast( &a, &b, NULL, with, bv_add( motion, with ), NULL, &moved ), bv_ok );
	assert_true( still.lower == moved.lower && still.upper == moved.upper );
	for ( int k = 0; k < 2; ++k )
	{
		bv_vec3 way = bv_sub( bv_sub( moved.point[k], still.point[k] ), bv_scale( 0.5, with ) );
		assert_true( bv_length( way ) < 1e-3 );
	}
}

static void a_cache_does_not_change_what_is_found( void** state )
{
	fixture* f = *state;
	bv_convex_cache cache = { .count = 0 };
	bv_convex a = bv_convex_box( rest, bv_vec3_make( 1, 2, 1 ) );
	uint64_t cold = 0;
	uint64_t warm = 0;
	for ( int i = 0; i < 200; ++i )
	{
		double side = i % 10 == 0 ? 5 * random_unit( f ) - 2 : 0.001 * i;
		bv_convex b = bv_convex_cylinder( bv_vec3_make( 6, side, 0.5 ), bv_vec3_make( 6, side + 1, 1 ), 0.5 );
		bv_vec3 motion = { i % 20 == 0 ? 1 : -6, 0.01 * i, 0 };
		bv_convex_cast_options o = { .cache = &cache };
		bv_convex_cast_result with = cast( &a, &b, motion, &o );
		bv_convex_cast_result without = cast( &a, &b, motion, NULL );
		assert_int_equal( with.found, without.found );
		assert_true( with.certain && without.certain );
		assert_true( with.lower <= without.upper && without.lower <= with.upper );
		cold += without.supports;
		warm += with.supports;
	}
	assert_true( warm < cold );
}

static void a_larger_tolerance_takes_fewer_support_points( void** state )
{
	(void)state;
	bv_convex a = bv_convex_cylinder( rest, bv_vec3_make( 0, 1, 0 ), 1 );
	bv_convex b = bv_convex_cone( bv_vec3_make( 5, 0, 0.5 ), bv_vec3_make( 4, 1, 1 ), 1 );
	bv_convex_cast_options rough = { .tolerance = 0.01, .method = bv_convex_cast_method_swept };
	bv_convex_cast_options fine = { .tolerance = 1e-8, .method = bv_convex_cast_method_swept };
	bv_convex_cast_result r = cast( &a, &b, bv_vec3_make( -5, 0, 0 ), &rough );
	bv_convex_cast_result s = cast( &a, &b, bv_vec3_make( -5, 0, 0 ), &fine );
	assert_true( r.found && s.found && r.upper - r.lower <= 0.01 && s.upper - s.lower <= 1e-8 );
	assert_true( r.supports < s.supports );
	fine.method = bv_convex_cast_method_advancement;
	r = cast( &a, &b, bv_vec3_make( -5, 0, 0 ), &fine );
	assert_true( r.supports < s.supports * 3 / 4 );
	assert_true( r.lower <= s.upper && s.lower <= r.upper );
}

// Once GJK has come to the contact, one window as wide as the tolerance ends the search. Where rounding makes the window wider, it is
// not halved: that would take a fifth more support points.
static void few_support_points_are_enough_at_any_tolerance( void** state )
{
	fixture* f = *state;
	uint32_t supports[5] = { 0 };
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 points[2][32];
		for ( int k = 0; k < 64; ++k )
		{
			points[k / 32][k % 32] = bv_normalize( around( f, 1 ) );
		}
		bv_vec3 from = bv_scale( 4, bv_normalize( around( f, 1 ) ) );
		for ( int k = 0; k < 32; ++k )
		{
			points[1][k] = bv_add( points[1][k], from );
		}
		bv_convex a = bv_convex_points( points[0], 32, 0 );
		bv_convex b = bv_convex_points( points[1], 32, 0 );
		bv_vec3 motion = bv_add( bv_negate( from ), around( f, 0.5 ) );
		for ( int k = 0; k < 5; ++k )
		{
			static const double tolerance[5] = { 1e-4, 1e-6, 1e-8, 1e-10, 1e-12 };
			bv_convex_cast_options o = { .tolerance = tolerance[k] };
			bv_convex_cast_result r = cast( &a, &b, motion, &o );
			assert_true( r.found && r.certain && r.upper - r.lower <= tolerance[k] );
			supports[k] += r.supports;
		}
	}
	for ( int k = 0; k < 4; ++k )
	{
		assert_true( 20 * supports[k] < 21 * supports[4] );
	}
}

// Once a plane separates the shapes from a time on, nothing is left to prove: 10 support points on average, or 60 without that.
static void shapes_that_pass_each_other_take_few_support_points( void** state )
{
	fixture* f = *state;
	uint32_t misses = 0;
	uint32_t supports = 0;
	for ( int i = 0; i < 300; ++i )
	{
		bv_convex a = bv_convex_box( rest, bv_vec3_make( 0.5, 0.75, 1 ) );
		bv_vec3 from = bv_scale( 4, bv_normalize( around( f, 1 ) ) );
		bv_convex b = bv_convex_box( from, bv_vec3_make( 0.5, 0.5, 0.5 ) );
		bv_convex_cast_result r = cast( &a, &b, bv_add( bv_scale( -1.5, from ), around( f, 4 ) ), NULL );
		misses += !r.found;
		supports += r.found ? 0 : r.supports;
	}
	assert_true( misses > 50 );
	assert_true( supports < 20 * misses );
}

// A thin plate, between two of the 33 places of a fast ball.
static void samples_miss_what_is_between_them_and_say_so( void** state )
{
	(void)state;
	bv_convex plate = bv_convex_box( bv_vec3_make( 0.5, 0, 0 ), bv_vec3_make( 0.01, 4, 4 ) );
	bv_convex ball = bv_convex_sphere( bv_vec3_make( -15, 0, 0 ), 0.1 );
	bv_convex_cast_options o = { .method = bv_convex_cast_method_sampled };
	bv_vec3 motion = { 32, 0, 0 };
	bv_convex_cast_result r = cast( &plate, &ball, motion, &o );
	double time = 15.39 / 32;
	assert_true( !r.found && !r.certain && r.lower <= time && r.upper == INFINITY );
	r = cast( &plate, &ball, motion, NULL );
	assert_true( r.found && r.certain && r.lower <= time && r.upper >= time );
}

static void invalid_arguments_leave_the_result_unchanged( void** state )
{
	(void)state;
	bv_convex a = bv_convex_sphere( rest, 1 );
	bv_convex b = bv_convex_box( bv_vec3_make( 5, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex bad = bv_convex_sphere( rest, -1 );
	bv_transform flat = bv_transform_translation( 0, 0, 0 );
	flat.scale = 0;
	bv_convex_cast_result r = { .supports = 77 };
	bv_vec3 motion = { -4, 0, 0 };
	bv_vec3 endless = { 0, INFINITY, 0 };
	bv_vec3 nan = { 0, 0, NAN };
	bv_convex_cast_options wrong[] = {
		{ .method = bv_convex_cast_methods },
		{ .limit = -1 },
		{ .limit = NAN },
		{ .tolerance = -1 },
		{ .tolerance = 2 },
		{ .tolerance = NAN },
	};
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal( bv_convex_cast( &a, &b, NULL, rest, motion, wrong + i, &r ), bv_error_argument );
	}
	assert_int_equal( bv_convex_cast( NULL, &b, NULL, rest, motion, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_cast( &a, NULL, NULL, rest, motion, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_cast( &a, &bad, NULL, rest, motion, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_cast( &a, &b, &flat, rest, motion, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_cast( &a, &b, NULL, endless, motion, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_cast( &a, &b, NULL, rest, nan, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_cast( &a, &b, NULL, rest, motion, NULL, NULL ), bv_error_argument );
	bv_convex_cast_options balls = { .method = bv_convex_cast_method_balls };
	assert_int_equal( bv_convex_cast( &a, &b, NULL, rest, motion, &balls, &r ), bv_error_unsupported );
	bv_convex point = bv_convex_point( rest );
	assert_int_equal( bv_convex_cast( &point, &point, NULL, rest, motion, &balls, &r ),
	                  bv_error_unsupported );
	assert_true( r.supports == 77 && !r.found );
}

// What a callback returns has no order: the result is any, but within the documented ranges.
static bv_vec3 nonsense( const void* context, bv_vec3 along )
{
	const double* size = context;
	return bv_vec3_make( *size * along.y, -*size * along.x, along.z > 0 ? *size : -3 * *size );
}

static void callbacks_that_return_nonsense_end( void** state )
{
	(void)state;
	double size = 1;
	bv_convex a = bv_convex_support( nonsense, &size );
	bv_convex b = bv_convex_box( bv_vec3_make( 5, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		bv_convex_cast_options o = { .method = (bv_convex_cast_method)m, .limit = INFINITY };
		bv_convex_cast_result r = { .lower = -1 };
		bv_status status = bv_convex_cast( &b, &a, NULL, rest, bv_vec3_make( 4, 1, 0 ), &o, &r );
		assert_true( status != bv_ok || ( r.lower >= 0 && r.lower <= r.upper && r.supports < 100000 ) );
	}
}

// From denormal numbers to 2^200, and zero.
static double any_size( fixture* f )
{
	static const double special[] = { 0, 5e-324, 1, -1, 2, 1e-200, 0x1p199, -0x1p150 };
	uint64_t kind = random_bits( f ) % 4;
	double unit = 2 * random_unit( f ) - 1;
	return kind == 0   ? special[random_bits( f ) % 8]
	       : kind == 1 ? ldexp( unit, (int)( random_bits( f ) % 400 ) - 200 )
	                   : unit;
}

static bv_vec3 any_point( fixture* f )
{
	double x = any_size( f );
	double y = any_size( f );
	return bv_vec3_make( x, y, any_size( f ) );
}

// No right answer is known: but the interval is ordered, the normal a unit vector, and the points are finite.
static void numbers_of_any_size_give_intervals( void** state )
{
	fixture* f = *state;
	int cast_count = 0;
	int count = is_thorough() ? 50000 : 500;
	for ( int i = 0; i < count; ++i )
	{
		bv_convex shape[2];
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 p = any_point( f );
			bv_vec3 q = any_point( f );
			double size = fabs( any_size( f ) );
			bv_convex all[] = { bv_convex_sphere( p, size ),
				                bv_convex_capsule( p, q, size ),
				                bv_convex_triangle( p, q, any_point( f ) ),
				                bv_convex_cylinder( p, q, size ),
				                bv_convex_cone( p, q, size ),
				                bv_convex_box( p, bv_vec3_make( size, 1, 0 ) ) };
			shape[k] = all[random_bits( f ) % 6];
		}
		bv_vec3 motion[2] = { i % 2 == 0 ? rest : any_point( f ), any_point( f ) };
		bv_convex_cache cache = { .axis = { random_unit( f ), random_unit( f ), 0 } };
		for ( int m = 0; m < bv_convex_cast_methods; ++m )
		{
			bv_convex_cast_options o = { .method = (bv_convex_cast_method)m,
				                         .limit = i % 3 == 0 ? INFINITY : fabs( any_size( f ) ),
				                         .cache = i % 4 == 0 ? &cache : NULL };
			bv_convex_cast_result r;
			if ( bv_convex_cast( shape, shape + 1, NULL, motion[0], motion[1], &o, &r ) == bv_ok )
			{
				++cast_count;
				assert_true( r.lower >= 0 && r.lower <= r.upper );
				assert_true( !r.at_start || ( r.found && r.upper == 0 ) );
				assert_true( !r.found || fabs( bv_length( r.normal ) - 1 ) < 1e-9 );
				for ( int k = 0; k < 2; ++k )
				{
					assert_true( isfinite( r.point[k].x ) && isfinite( r.point[k].y ) &&
					             isfinite( r.point[k].z ) );
				}
			}
		}
	}
	assert_true( cast_count > 2 * count );
}

static void half_spaces_are_not_cast( void** state )
{
	(void)state;
	bv_convex floor = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 0, 0, 3 ), 1 );
	bv_convex_cast_result r = { .lower = 7 };
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		bv_convex_cast_options o = { .method = (bv_convex_cast_method)m };
		assert_int_equal(
			bv_convex_cast( &floor, &ball, NULL, bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0, 0, -4 ), &o, &r ),
			bv_error_unsupported );
	}
	assert_true( r.lower == 7 );
}

static void shapes_that_move_alike_never_meet( void** state )
{
	(void)state;
	bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_transform at = bv_transform_translation( 5, 0, 0 );
	bv_convex_cast_options o = { .limit = INFINITY };
	bv_convex_cast_result r;
	bv_vec3 motion = { 1, 2, 3 };
	assert_int_equal( bv_convex_cast( &crate, &crate, &at, motion, motion, &o, &r ), bv_ok );
	assert_true( !r.found && r.certain );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( names_are_those_of_the_header ),
		cmocka_unit_test( boxes_meet_when_the_gap_along_their_axis_closes ),
		cmocka_unit_test( a_contact_at_the_end_of_the_range_counts ),
		fixture_test( balls_meet_when_their_distance_is_that_of_the_radii ),
		cmocka_unit_test( balls_that_graze_each_other_meet_exactly_once ),
		cmocka_unit_test( capsules_meet_when_their_segments_are_as_far_apart_as_their_radii ),
		fixture_test( closed_forms_of_capsules_agree_with_the_ray_cast ),
		cmocka_unit_test( shapes_that_do_not_move_meet_at_the_start_or_never ),
		cmocka_unit_test( shapes_that_overlap_at_the_start_have_the_normal_of_their_depth ),
		cmocka_unit_test( faces_that_slide_along_each_other_meet_unless_there_is_a_gap ),
		cmocka_unit_test( balls_that_slide_over_a_box_touch_it_exactly ),
		cmocka_unit_test( tolerances_below_rounding_errors_give_what_rounding_allows ),
		cmocka_unit_test( curved_shapes_that_slide_within_rounding_errors_are_found_in_doubt ),
		cmocka_unit_test( long_slides_meet_when_the_gap_closes ),
		cmocka_unit_test( long_motions_meet_within_rounding_of_coordinates ),
		cmocka_unit_test( curved_shapes_meet_boxes_when_their_height_is_reached ),
		cmocka_unit_test( placements_scale_and_mirror_the_second_shape ),
		fixture_test( methods_agree_on_curved_and_rounded_shapes ),
		fixture_test( graphs_are_the_hulls_of_their_points ),
		cmocka_unit_test( only_the_relative_motion_matters_for_the_time ),
		fixture_test( a_cache_does_not_change_what_is_found ),
		cmocka_unit_test( a_larger_tolerance_takes_fewer_support_points ),
		fixture_test( few_support_points_are_enough_at_any_tolerance ),
		fixture_test( shapes_that_pass_each_other_take_few_support_points ),
		cmocka_unit_test( samples_miss_what_is_between_them_and_say_so ),
		cmocka_unit_test( invalid_arguments_leave_the_result_unchanged ),
		fixture_test( numbers_of_any_size_give_intervals ),
		cmocka_unit_test( callbacks_that_return_nonsense_end ),
		cmocka_unit_test( half_spaces_are_not_cast ),
		cmocka_unit_test( shapes_that_move_alike_never_meet ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The black-box cases of Leemann 2017: pairs that touch and are moved into each other by known depths, in both orders and
// by all methods; and the distance at which each method begins to detect a contact.

#include "support.h"

#include "bv/convex.h"

#include <stdio.h>

// What a case is. Full edge lengths of boxes are twice their half extents.
typedef struct black_box
{
	const char* name;
	bv_convex shape[2]; // the second around its own origin
	bv_quaternion turn; // of the second
	bv_vec3 at;         // of the second where both touch
	bv_vec3 way;        // unit vector along which the second moves into the first
	double factor;      // depth over move
	bv_vec3 normal;     // from the first to the second
	bv_vec3 point;      // where both touch
	bv_vec3 drift;      // of the middle of both deepest points, over the move
	bv_vec3 unique;     // 1 for each coordinate of that which is determined
	double angle;       // how far a normal may be off, in radians
	double depth;       // how far a depth may be off
} black_box;

static bv_convex box_of( double x, double y, double z )
{
	return bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ x / 2, y / 2, z / 2 } );
}

static bv_convex ball_of( double radius )
{
	return bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, radius );
}

static bv_convex ellipsoid_of( double x, double y, double z )
{
	bv_obb box = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half_extents = { x, y, z } };
	return bv_convex_ellipsoid( &box );
}

static bv_quaternion turn_about( double x, double y, double z, double angle )
{
	double s = sin( angle / 2 );
	return ( bv_quaternion ){ s * x, s * y, s * z, cos( angle / 2 ) };
}

static const double exact_angle = 1e-6;
static const double exact_depth = 1e-8; // 1e-9 of the size, 10

enum
{
	cases = 10,
};

static void list_cases( black_box out[cases] )
{
	const bv_quaternion none = { 0, 0, 0, 1 };
	const double third = 1 / sqrt( 3 );
	const double half = sqrt( 0.5 );
	const double right = 1.57079632679489661923;
	const bv_vec3 all = { 1, 1, 1 };
	const black_box list[cases] = {
		{ "corner of a box and a ball",
		  { box_of( 10, 10, 10 ), ball_of( 5 ) },
		  none,
		  { 5 + 5 * third, 5 + 5 * third, 5 + 5 * third },
		  { -third, -third, -third },
		  1,
		  { third, third, third },
		  { 5, 5, 5 },
		  { -third / 2, -third / 2, -third / 2 },
		  all,
		  exact_angle,
		  exact_depth },
		{ "face of a box and end of a long one",
		  { box_of( 10, 10, 10 ), box_of( 30, 1, 1 ) },
		  none,
		  { 20, 0, 0 },
		  { -1, 0, 0 },
		  1,
		  { 1, 0, 0 },
		  { 5, 0, 0 },
		  { -0.5, 0, 0 },
		  { 1, 0, 0 },
		  exact_angle,
		  exact_depth },
		{ "balls",
		  { ball_of( 5 ), ball_of( 5 ) },
		  none,
		  { 10, 0, 0 },
		  { -1, 0, 0 },
		  1,
		  { 1, 0, 0 },
		  { 5, 0, 0 },
		  { -0.5, 0, 0 },
		  all,
		  exact_angle,
		  exact_depth },
		{ "edges of boxes, parallel",
		  { box_of( 10, 10, 10 ), box_of( 10, 10, 10 ) },
		  turn_about( 0, 0, 1, right / 2 ),
		  { 5 * ( 1 + 2 * half ), -5, 0 },
		  { -1, 0, 0 },
		  half,
		  { half, -half, 0 },
		  { 5, -5, 0 },
		  { -0.25, 0.25, 0 },
		  { 1, 1, 0 },
		  exact_angle,
		  exact_depth },
		{ "face of a box and side of a long one",
		  { box_of( 10, 10, 10 ), box_of( 30, 1, 1 ) },
		  none,
		  { 15, 5.5, 0 },
		  { 0, -1, 0 },
		  1,
		  { 0, 1, 0 },
		  { 5, 5, 0 },
		  { 0, -0.5, 0 },
		  { 0, 1, 0 },
		  exact_angle,
		  exact_depth },
		{ "face of a box and corner of another",
		  { box_of( 10, 10, 10 ), box_of( 10, 10, 10 ) },
		  turn_about( 0, half, -half, acos( third ) ),
		  { 5 * ( 1 + 3 * third ), 0, 0 },
		  { -1, 0, 0 },
		  1,
		  { 1, 0, 0 },
		  { 5, 0, 0 },
		  { -0.5, 0, 0 },
		  all,
		  exact_angle,
		  exact_depth },
		{ "ball and face of a box",
		  { ball_of( 5 ), box_of( 5, 5, 5 ) },
		  none,
		  { 0, 0, 7.5 },
		  { 0, 0, -1 },
		  1,
		  { 0, 0, 1 },
		  { 0, 0, 5 },
		  { 0, 0, -0.5 },
		  all,
		  exact_angle,
		  exact_depth },
		{ "side and end of capsules",
		  { bv_convex_capsule( ( bv_vec3 ){ -5, 0, 0 }, ( bv_vec3 ){ 5, 0, 0 }, 4 ),
		    bv_convex_capsule( ( bv_vec3 ){ -5, 0, 0 }, ( bv_vec3 ){ 5, 0, 0 }, 4 ) },
		  turn_about( 0, 1, 0, right ),
		  { 0, 0, 13 },
		  { 0, 0, -1 },
		  1,
		  { 0, 0, 1 },
		  { 0, 0, 4 },
		  { 0, 0, -0.5 },
		  all,
		  exact_angle,
		  exact_depth },
		// The print allows 1.7e-3 and 1e-3.
		{ "ellipsoids",
		  { ellipsoid_of( 10, 5, 5 ), ellipsoid_of( 5, 10, 5 ) },
		  none,
		  { 15, 0, 0 },
		  { -1, 0, 0 },
		  1,
		  { 1, 0, 0 },
		  { 10, 0, 0 },
		  { -0.5, 0, 0 },
		  all,
		  1e-4,
		  1e-5 },
		{ "plane and ball",
		  { bv_convex_half_space( ( bv_vec3 ){ 0, 1, 0 }, 1 ), ball_of( 1 ) },
		  none,
		  { 0, 2, 0 },
		  { 0, -1, 0 },
		  1,
		  { 0, 1, 0 },
		  { 0, 1, 0 },
		  { 0, -0.5, 0 },
		  all,
		  exact_angle,
		  exact_depth },
	};
	memcpy( out, list, sizeof list );
}

// A case, ready for a method and an order.
typedef struct setting
{
	const black_box* what;
	bv_convex_options options;
	bool swapped;
} setting;

static bv_transform place( const black_box* b, double move )
{
	bv_transform at;
	assert_int_equal( bv_transform_from_quaternion( b->turn, bv_add( b->at, bv_scale( move, b->way ) ), &at ),
	                  bv_ok );
	return at;
}

static bv_status overlap( const setting* s, double move, bool* overlaps )
{
	bv_transform at = place( s->what, move );
	bv_transform back = bv_transform_inverse( &at );
	bv_convex_overlap_result r = { .overlaps = false };
	const bv_convex* shape = s->what->shape;
	bv_status status = s->swapped ? bv_convex_overlap( shape + 1, shape, &back, &s->options, &r )
	                              : bv_convex_overlap( shape, shape + 1, &at, &s->options, &r );
	*overlaps = r.overlaps;
	return status;
}

// @param out  from the first to the second, in coordinates of the first, in either order
static void distance( const setting* s, double move, bv_convex_result* out )
{
	bv_transform at = place( s->what, move );
	bv_transform back = bv_transform_inverse( &at );
	const bv_convex* shape = s->what->shape;
	if ( !s->swapped )
	{
		assert_int_equal( bv_convex_distance( shape, shape + 1, &at, &s->options, out ), bv_ok );
		return;
	}
	bv_convex_result r;
	assert_int_equal( bv_convex_distance( shape + 1, shape, &back, &s->options, &r ), bv_ok );
	*out = r;
	out->normal = bv_negate( bv_transform_direction( &at, r.normal ) );
	out->point[0] = bv_transform_point( &at, r.point[1] );
	out->point[1] = bv_transform_point( &at, r.point[0] );
}

// Calls a check for each case, method and order that the method takes.
static void for_all( void ( *check )( const setting* s ) )
{
	black_box all[cases];
	list_cases( all );
	for ( int method = 0; method < bv_convex_methods; ++method )
	{
		int taken = 0;
		for ( int i = 0; i < 2 * cases; ++i )
		{
			setting s = { .what = all + i / 2,
				          .options = { .method = (bv_convex_method)method },
				          .swapped = i % 2 };
			bool overlaps;
			bv_status status = overlap( &s, 0.1, &overlaps );
			assert_true( status == bv_ok ||
			             ( method != bv_convex_method_default && status == bv_error_unsupported ) );
			if ( status == bv_ok )
			{
				check( &s );
				++taken;
			}
		}
		assert_true( taken >= cases ); // of 20
	}
}

// How far what a method finds may be off.
typedef struct limits
{
	double angle;
	double depth[2]; // by the lower and the upper bound of the signed distance
	double point;
} limits;

static const limits unlimited = { INFINITY, { INFINITY, INFINITY }, INFINITY };

static bool is_polytope( const bv_convex* shape )
{
	return shape->radius == 0 && ( shape->kind == bv_convex_of_box || shape->kind == bv_convex_of_points );
}

// The print allows 0.01 degrees, 1e-3 and, of points, 0.1. Its MPR finds the depth along a normal, and points that are as far
// apart as its ray is long: they are compared while that is short. Separating axes find no depth of shapes whose cores are
// apart, only a normal, and margins and shells none of either. Chung-Wang only decides.
static limits limits_of( const black_box* b, bv_convex_method method, double depth )
{
	bool polytopes = is_polytope( b->shape ) && is_polytope( b->shape + 1 );
	const limits exact = { b->angle, { b->depth, b->depth }, b->depth > exact_depth ? 1e-3 : 1e-6 };
	const limits printed = { 1.7e-4, { 1e-3, 1e-3 }, 0.1 };
	switch ( method )
	{
	case bv_convex_method_sat:
		return polytopes ? exact : ( limits ){ b->angle, { b->depth, INFINITY }, INFINITY };
	case bv_convex_method_mpr: return ( limits ){ 1.7e-4, { 1e-3, INFINITY }, depth < 0.05 ? 0.1 : INFINITY };
	case bv_convex_method_chung_wang: return unlimited;
	case bv_convex_method_margin: return printed;
	case bv_convex_method_shell: return polytopes ? exact : printed;
	default: return exact;
	}
}

static void check_depth( const setting* s, double move )
{
	const black_box* b = s->what;
	bv_convex_result r;
	bool overlaps;
	assert_int_equal( overlap( s, move, &overlaps ), bv_ok );
	distance( s, move, &r );
	double depth = move * b->factor;
	double angle = atan2( bv_length( bv_cross( r.normal, b->normal ) ), bv_dot( r.normal, b->normal ) );
	bv_vec3 middle = bv_scale( 0.5, bv_add( r.point[0], r.point[1] ) );
	bv_vec3 off = bv_sub( middle, bv_add( b->point, bv_scale( move, b->drift ) ) );
	off = ( bv_vec3 ){ off.x * b->unique.x, off.y * b->unique.y, off.z * b->unique.z };
	bool holds = r.lower <= -depth + 1e-14 && r.upper >= -depth - 1e-14;
	limits most = limits_of( b, s->options.method, depth );
	bool is_near = fabs( -r.lower - depth ) <= most.depth[0] && fabs( -r.upper - depth ) <= most.depth[1] &&
	               angle <= most.angle && bv_length( off ) <= most.point;
	if ( !overlaps || !holds || !is_near )
	{
		fail_msg( "%s, %s, %d, depth %g: overlap %d, [%.17g, %.17g], angle %g, point off by %g", b->name,
		          bv_convex_method_name( s->options.method ), s->swapped, depth, overlaps, -r.upper, -r.lower,
		          angle, bv_length( off ) );
	}
}

static void check_depths( const setting* s )
{
	static const double ladder[] = { 1e-5, 1e-4, 1e-2, 0.1, 1 };
	bv_convex_result r;
	bool overlaps;
	assert_int_equal( overlap( s, -1e-5, &overlaps ), bv_ok );
	distance( s, -1e-5, &r );
	assert_false( overlaps );
	assert_true( r.lower > 0 );
	for ( size_t i = 0; i < sizeof ladder / sizeof *ladder; ++i )
	{
		check_depth( s, ladder[i] );
	}
}

static void depths_normals_and_points_are_known( void** state )
{
	(void)state;
	for_all( check_depths );
}

// Bisection as in print, but to 1e-13. It assumes that answers are monotone, which the scan shows.
static void check_detection( const setting* s )
{
	double apart = 0;
	for ( double step = 0.5; step > 1e-13; step /= 2 )
	{
		bool overlaps;
		assert_int_equal( overlap( s, -apart, &overlaps ), bv_ok );
		apart += overlaps ? step : -step;
	}
	if ( !( fabs( apart ) < 1e-8 ) )
	{
		fail_msg( "%s, %s, %d: detected %g apart", s->what->name, bv_convex_method_name( s->options.method ),
		          s->swapped, apart );
	}
}

static void contacts_are_detected_where_they_begin( void** state )
{
	(void)state;
	for_all( check_detection );
}

// Moves from 1 apart to 1 deep, most of them next to touching. Deeper means a lower signed distance.
static void check_scan( const setting* s )
{
	const int moves = 1000;
	bv_convex_result last = { .lower = INFINITY, .upper = INFINITY };
	bool met = false;
	for ( int i = 0; i <= moves; ++i )
	{
		double t = 2.0 * i / moves - 1;
		double move = t * t * t * t * t;
		bool overlaps;
		bv_convex_result r;
		assert_int_equal( overlap( s, move, &overlaps ), bv_ok );
		distance( s, move, &r );
		bool wrong = fabs( move ) > 1e-9 && overlaps != ( move > 0 );
		if ( wrong || ( met && !overlaps ) || !( r.lower <= last.upper ) || !( r.lower <= r.upper ) )
		{
			fail_msg( "%s, %s, %d, moved by %g: overlap %d, [%.17g, %.17g] after [%.17g, %.17g]",
			          s->what->name, bv_convex_method_name( s->options.method ), s->swapped, move, overlaps,
			          r.lower, r.upper, last.lower, last.upper );
		}
		met = overlaps;
		last = r;
	}
	assert_true( met );
}

static void answers_are_monotone( void** state )
{
	(void)state;
	for_all( check_scan );
}

// The small cases of the print's unit tests, and the leaves of its union on a box.
static void small_cases_are_as_printed( void** state )
{
	(void)state;
	bv_convex ball = ball_of( 1 );
	bv_convex_result r;
	bv_convex_overlap_result o;
	bv_transform at = bv_transform_translation( 1.5, 0, 0 );
	assert_int_equal( bv_convex_overlap( &ball, &ball, &at, NULL, &o ), bv_ok );
	assert_true( o.overlaps && o.certain );
	at = bv_transform_translation( 3, 0, 0 );
	assert_int_equal( bv_convex_overlap( &ball, &ball, &at, NULL, &o ), bv_ok );
	assert_true( !o.overlaps && o.certain );

	bv_convex plane = bv_convex_half_space( ( bv_vec3 ){ 0, 1, 0 }, 1 );
	at = bv_transform_translation( 0, 1.9, 0 );
	assert_int_equal( bv_convex_distance( &plane, &ball, &at, NULL, &r ), bv_ok );
	assert_true( fabs( r.lower + 0.1 ) < 1e-12 &&
	             fabs( 0.5 * ( r.point[0].y + r.point[1].y ) - 0.95 ) < 1e-14 );

	bv_convex low = bv_convex_sphere( ( bv_vec3 ){ 0, 0.1, 0 }, 1 );
	bv_convex high = bv_convex_sphere( ( bv_vec3 ){ 0, 1.9, 0 }, 1 );
	assert_int_equal( bv_convex_distance( &low, &high, NULL, NULL, &r ), bv_ok );
	assert_true( fabs( r.lower + 0.2 ) < 1e-12 && fabs( 0.5 * ( r.point[0].y + r.point[1].y ) - 1 ) < 1e-14 );

	bv_convex table = box_of( 10, 2, 10 );
	const bv_vec3 center[3] = { { -3, 3.8, 0 }, { 3, 3.8, 0 }, { 0, 6, 0 } };
	for ( int i = 0; i < 6; ++i )
	{
		bv_convex leaf = bv_convex_sphere( center[i / 2], 3 );
		const bv_convex* pair[2] = { i % 2 ? &table : &leaf, i % 2 ? &leaf : &table };
		assert_int_equal( bv_convex_distance( pair[0], pair[1], NULL, NULL, &r ), bv_ok );
		assert_int_equal( bv_convex_overlap( pair[0], pair[1], NULL, NULL, &o ), bv_ok );
		bv_vec3 middle = bv_scale( 0.5, bv_add( r.point[0], r.point[1] ) );
		bool is_contact = r.upper <= 0;
		assert_true( is_contact == ( i / 2 < 2 ) && o.overlaps == is_contact && o.certain );
		assert_true( !is_contact ||
		             ( fabs( r.lower + 0.2 ) < 1e-12 && fabs( middle.x - center[i / 2].x ) < 1e-14 &&
		               fabs( middle.y - 0.9 ) < 1e-14 && fabs( middle.z ) < 1e-14 &&
		               fabs( r.normal.y - ( i % 2 ? 1 : -1 ) ) < 1e-14 ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( depths_normals_and_points_are_known ),
		cmocka_unit_test( contacts_are_detected_where_they_begin ),
		cmocka_unit_test( answers_are_monotone ),
		cmocka_unit_test( small_cases_are_as_printed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

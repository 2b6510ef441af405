// Pairs of convex shapes that users of other libraries reported as wrong (tests/reference/battery.h): by all methods that take
// such shapes, in both orders, hulls both as points and with their neighbors.
//
// What is right is a closed form or, for polytopes, exact arithmetic. A normal is right if the slab normal to it, between the
// shapes, is as wide as the distance: it is computed here from extents of the shapes. Points are right if each is in its
// shape, on the plane that bounds it, and one is the other one moved by the distance along the normal.

#include "convex_shapes.h"

#include "tests/reference/battery.h"
#include "tests/reference/convex_exact.h"

// Of hulls and of the second shape.
typedef enum form
{
	form_of_points,
	form_of_graphs, // hulls with the neighbors of their corners
	form_placed,    // the second shape in its own coordinates, with a placement
	forms,
} form;

static const double hundredth_of_a_degree = 1.7453e-4;

// A case in one order and in one form.
typedef struct question
{
	const battery_shape* from[2];
	bv_convex points[2]; // hulls as points, for exact arithmetic
	bv_convex shape[2];
	const bv_transform* at; // of the second one, or null
	convex_exact* exact;
	bool is_polytope; // both are
	double value;
	double doubt;
	bv_vec3 normal;
	double size;
} question;

static double extent( const question* q, int which, bv_vec3 n )
{
	return battery_extent( q->from[which], q->points[which].points, n );
}

// How far a point is outside; at most 0 inside.
static double outside( const question* q, int which, bv_vec3 p )
{
	if ( q->from[which]->kind != battery_hull )
	{
		return battery_outside( q->from[which], p );
	}
	bv_convex point = bv_convex_point( p );
	convex_exact_result r;
	assert_true( convex_exact_compare( q->exact, &point, NULL, &q->points[which], NULL, &r ) );
	return r.upper;
}

// What a method promises (docs/library.md) besides an interval that contains the distance, and a normal that proves its lower
// bound.
typedef struct promise
{
	bool decides_round; // shapes that touch within rounding errors aside
	bool is_narrow;     // 1e-6 of a distance, 1e-5 of a depth, and four units
	bool has_opposite_points;
	bool takes_all; // shapes here
} promise;

static const promise promises[bv_convex_methods] = {
	[bv_convex_method_default] = { true, true, true, true },
	[bv_convex_method_gjk] = { true, true, true, true },
	[bv_convex_method_closed] = { true, true, true, false },
	[bv_convex_method_vclip] = { true, true, false, false },
	[bv_convex_method_sat] = { true, false, false, false },
	[bv_convex_method_mpr] = { false, false, false, true },
	[bv_convex_method_margin] = { false, false, false, true },
	[bv_convex_method_shell] = { false, false, false, true },
	[bv_convex_method_chung_wang] = { false, false, false, true },
};

static void assert_overlap( const question* q, bv_convex_method method )
{
	bv_convex_options o = { .method = method };
	bv_convex_overlap_result r;
	bv_status status = bv_convex_overlap( &q->shape[0], &q->shape[1], q->at, &o, &r );
	assert_true( status == bv_ok || ( status == bv_error_unsupported && !promises[method].takes_all ) );
	if ( status == bv_ok && fabs( q->value ) > q->doubt )
	{
		assert_true( r.certain || !( q->is_polytope || promises[method].decides_round ) );
		assert_int_equal( r.overlaps, q->value <= 0 );
	}
	else if ( status == bv_ok && q->doubt == 0 )
	{
		assert_true( r.overlaps );
	}
}

static void assert_normal( const question* q, const bv_convex_result* r, double doubt )
{
	bv_vec3 n = r->normal;
	assert_true( fabs( bv_length( n ) - 1 ) < 1e-12 );
	double far_a = extent( q, 0, n );
	double near_b = -extent( q, 1, bv_negate( n ) );
	assert_true( near_b - far_a >= r->lower - doubt );
	assert_true( outside( q, 0, r->point[0] ) <= doubt && outside( q, 1, r->point[1] ) <= doubt );
}

static void assert_points( const question* q, const bv_convex_result* r, double doubt )
{
	bv_vec3 n = r->normal;
	double far_a = extent( q, 0, n );
	double near_b = -extent( q, 1, bv_negate( n ) );
	assert_true( fabs( bv_dot( n, r->point[0] ) - far_a ) <= doubt );
	assert_true( fabs( bv_dot( n, r->point[1] ) - near_b ) <= doubt );
	bv_vec3 moved = bv_add( r->point[0], bv_scale( q->value, n ) );
	assert_true( bv_length( bv_sub( r->point[1], moved ) ) <=
	             doubt + hundredth_of_a_degree * fabs( q->value ) );
}

// The depth of cylinders hardly depends on small turns of the normal: what is 1e-5 of it wide can be 0.25 degree off.
static bool is_curved( const question* q )
{
	return q->from[0]->kind == battery_cylinder || q->from[1]->kind == battery_cylinder;
}

static void assert_distance( const question* q, bv_convex_method method, double tolerance )
{
	bv_convex_options o = { .method = method, .tolerance = tolerance };
	bv_convex_result r;
	bv_status status = bv_convex_distance( &q->shape[0], &q->shape[1], q->at, &o, &r );
	assert_true( status == bv_ok || ( status == bv_error_unsupported && !promises[method].takes_all ) );
	if ( status != bv_ok )
	{
		return;
	}
	assert_true( r.lower <= q->value + q->doubt && q->value - q->doubt <= r.upper );
	double ulp = 0x1p-52 * q->size;
	double width = ( q->value > 0 ? 1e-6 : 1e-5 ) * fabs( q->value ) + ( is_curved( q ) ? 1024 : 4 ) * ulp;
	bool is_narrow = r.upper - r.lower <= width;
	assert_true( is_narrow || !promises[method].is_narrow );
	if ( is_narrow )
	{
		assert_normal( q, &r, width + q->doubt + 16 * ulp );
	}
	bool is_sharp = !is_curved( q ) || tolerance > 0;
	if ( is_narrow && is_sharp && bv_length( q->normal ) > 0 )
	{
		assert_true( bv_length( bv_cross( r.normal, q->normal ) ) < hundredth_of_a_degree &&
		             bv_dot( r.normal, q->normal ) > 0 );
	}
	if ( promises[method].has_opposite_points && is_sharp )
	{
		assert_points( q, &r, width + q->doubt + 16 * ulp );
	}
}

static double size_of( const question* q )
{
	double most = 0;
	for ( int s = 0; s < 2; ++s )
	{
		for ( int k = 0; k < 6; ++k )
		{
			double sign = k % 2 ? 1 : -1;
			bv_vec3 n = { k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0 };
			most = fmax( most, fabs( extent( q, s, n ) ) );
		}
	}
	return most;
}

static bool is_polytope( const battery_shape* s )
{
	return s->kind == battery_box || s->kind == battery_hull;
}

// By exact arithmetic where both are polytopes: closed forms must agree.
static void find_value( question* q, const battery_pair* pair )
{
	q->value = pair->value;
	q->doubt = pair->doubt + ( q->at ? 16 * 0x1p-52 * q->size : 0 );
	if ( q->is_polytope )
	{
		convex_exact_result r;
		assert_true( convex_exact_compare( q->exact, &q->points[0], NULL,
		                                   q->at ? &q->shape[1] : &q->points[1], q->at, &r ) );
		assert_true( isnan( q->value ) ||
		             ( r.lower <= q->value + q->doubt && q->value - q->doubt <= r.upper ) );
		q->value = r.sign == 0 ? 0 : r.lower;
		q->doubt = r.upper - r.lower;
	}
}

static void assert_form( fixture* f, const battery_pair* pair, int order, form as, convex_exact* exact )
{
	bv_vec3 room[2][battery_most_points], own_room[battery_most_points];
	question q = { .exact = exact, .is_polytope = true };
	for ( int s = 0; s < 2; ++s )
	{
		q.from[s] = &pair->shape[s ^ order];
		q.is_polytope &= is_polytope( q.from[s] );
		q.points[s] = q.shape[s] = battery_convex( q.from[s], room[s] );
		if ( as == form_of_graphs && q.from[s]->kind == battery_hull )
		{
			graph_of( f, room[s], q.from[s]->count, &q.shape[s] );
		}
	}
	bv_transform at = bv_transform_identity();
	battery_shape own = *q.from[1];
	if ( as == form_placed )
	{
		memcpy( at.pose.rotation, own.rotation, sizeof own.rotation );
		at.pose.translation = own.position;
		memcpy( own.rotation, bv_transform_identity().pose.rotation, sizeof own.rotation );
		own.position = bv_vec3_make( 0, 0, 0 );
		q.shape[1] = battery_convex( &own, own_room );
		q.at = &at;
	}
	q.normal = order == 0 ? pair->normal : bv_negate( pair->normal );
	q.size = size_of( &q );
	find_value( &q, pair );
	for ( int m = 0; m < bv_convex_methods; ++m )
	{
		assert_overlap( &q, (bv_convex_method)m );
		assert_distance( &q, (bv_convex_method)m, 0 );
		assert_distance( &q, (bv_convex_method)m, 1e-9 );
	}
}

static void assert_case( void** state, const char* issue )
{
	const battery_case* of = battery_find( issue );
	assert_non_null( of );
	convex_exact* exact = convex_exact_create();
	uint32_t step = is_thorough() || of->count < 100 ? 1 : of->count / 40;
	for ( uint32_t i = 0; i < of->count; i += step )
	{
		battery_pair pair;
		battery_make( of, i, &pair );
		for ( int turn = 0; turn < 2 * forms; ++turn )
		{
			assert_form( *state, &pair, turn % 2, (form)( turn / 2 ), exact );
		}
	}
	convex_exact_destroy( exact );
}

static void opengjk_54_points_and_a_hull_of_24( void** state )
{
	assert_case( state, "MattiaMontanari/openGJK #54" );
}

static void opengjk_13_deep_cubes_overlap( void** state )
{
	assert_case( state, "MattiaMontanari/openGJK #13" );
}

static void libccd_25_cubes_above_each_other_have_a_depth( void** state )
{
	assert_case( state, "danfis/libccd #25" );
}

static void libccd_17_a_small_box_touches_a_large_one_where_it_is( void** state )
{
	assert_case( state, "danfis/libccd #17" );
}

static void fcl_545_a_corner_is_left_by_a_face( void** state )
{
	assert_case( state, "flexible-collision-library/fcl #545" );
}

static void fcl_495_one_answer_to_boxes_that_almost_touch( void** state )
{
	assert_case( state, "flexible-collision-library/fcl #495" );
}

static void fcl_375_a_cylinder_stands_on_a_box_upright( void** state )
{
	assert_case( state, "flexible-collision-library/fcl #375" );
}

static void coal_307_a_ball_has_its_points_on_both_surfaces( void** state )
{
	assert_case( state, "coal-library/coal #307" );
}

static void coal_144_boxes_overlap_by_their_faces( void** state )
{
	assert_case( state, "coal-library/coal #144" );
}

static void coal_779_cylinders_slide_through_each_other( void** state )
{
	assert_case( state, "coal-library/coal #779" );
}

static void distance3d_72_a_long_box_and_a_turned_one( void** state )
{
	assert_case( state, "AlexanderFabisch/distance3d #72" );
}

static void distance3d_27_hulls_of_6_points( void** state )
{
	assert_case( state, "AlexanderFabisch/distance3d #27" );
}

static void parry_378_a_capsule_touches_a_box_below_it( void** state )
{
	assert_case( state, "dimforge/parry #378" );
}

static void jolt_2103_a_large_capsule_touches_a_cylinder( void** state )
{
	assert_case( state, "jrouwe/JoltPhysics #2103" );
}

static void jolt_671_a_box_above_a_hull_is_above_it_at_all_angles( void** state )
{
	assert_case( state, "jrouwe/JoltPhysics #671" );
}

static void jolt_419_a_capsule_along_an_edge_is_apart( void** state )
{
	assert_case( state, "jrouwe/JoltPhysics #419" );
}

static void jolt_1008_a_cylinder_at_the_edge_of_a_triangle_is_apart( void** state )
{
	assert_case( state, "jrouwe/JoltPhysics #1008" );
}

static void jolt_2065_a_capsule_in_a_long_triangle_touches_it_where_it_is( void** state )
{
	assert_case( state, "jrouwe/JoltPhysics #2065" );
}

static void mujoco_warp_1430_a_large_floor_carries_a_small_box( void** state )
{
	assert_case( state, "google-deepmind/mujoco_warp #1430" );
}

static void mujoco_warp_1526_a_box_on_the_middle_of_another_one( void** state )
{
	assert_case( state, "google-deepmind/mujoco_warp #1526" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( opengjk_54_points_and_a_hull_of_24 ),
		fixture_test( opengjk_13_deep_cubes_overlap ),
		fixture_test( libccd_25_cubes_above_each_other_have_a_depth ),
		fixture_test( libccd_17_a_small_box_touches_a_large_one_where_it_is ),
		fixture_test( fcl_545_a_corner_is_left_by_a_face ),
		fixture_test( fcl_495_one_answer_to_boxes_that_almost_touch ),
		fixture_test( fcl_375_a_cylinder_stands_on_a_box_upright ),
		fixture_test( coal_307_a_ball_has_its_points_on_both_surfaces ),
		fixture_test( coal_144_boxes_overlap_by_their_faces ),
		fixture_test( coal_779_cylinders_slide_through_each_other ),
		fixture_test( distance3d_72_a_long_box_and_a_turned_one ),
		fixture_test( distance3d_27_hulls_of_6_points ),
		fixture_test( parry_378_a_capsule_touches_a_box_below_it ),
		fixture_test( jolt_2103_a_large_capsule_touches_a_cylinder ),
		fixture_test( jolt_671_a_box_above_a_hull_is_above_it_at_all_angles ),
		fixture_test( jolt_419_a_capsule_along_an_edge_is_apart ),
		fixture_test( jolt_1008_a_cylinder_at_the_edge_of_a_triangle_is_apart ),
		fixture_test( jolt_2065_a_capsule_in_a_long_triangle_touches_it_where_it_is ),
		fixture_test( mujoco_warp_1430_a_large_floor_carries_a_small_box ),
		fixture_test( mujoco_warp_1526_a_box_on_the_middle_of_another_one ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

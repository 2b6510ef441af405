// Depths of meshes against closed forms, and against depths of convex shapes.

#include "depths.h"

#include "bv/convex.h"

// The result contains a depth that is known, and is as narrow as asked for.
static void assert_depth( const bv_mesh_depth_result* r, double truth, double factor )
{
	if ( !( r->lower <= truth * ( 1 + 1e-12 ) && truth * ( 1 - 1e-12 ) <= r->upper && r->reached &&
	        r->upper <= factor * r->lower * ( 1 + 1e-12 ) ) )
	{
		fail_msg( "%.17g to %.17g is not around %.17g", r->lower, r->upper, truth );
	}
}

static body box_of( fixture* f, double x, double y, double z )
{
	bvb_mesh m = box_mesh( f, x, y, z );
	return body_of( f, &m );
}

// Two boxes along the axes are apart as soon as one of their intervals is: the least of six lengths.
static void boxes_along_the_axes_leave_the_shortest_way( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < ( is_thorough() ? 1000 : 60 ); ++i )
	{
		double side[2][3];
		double by[3];
		double truth = INFINITY;
		double factor = i % 3 == 0 ? 1.05 : i % 3 == 1 ? 1.2 : 2;
		for ( int k = 0; k < 3; ++k )
		{
			side[0][k] = (float)( 0.5 + random_unit( f ) );
			side[1][k] = (float)( ( i % 2 == 0 ? 0.5 : 0.05 ) + random_unit( f ) );
			by[k] = -side[1][k] + ( side[0][k] + side[1][k] ) * ( 0.02 + 0.96 * random_unit( f ) );
			truth = fmin( truth, fmin( side[0][k] - by[k], by[k] + side[1][k] ) );
		}
		body a = box_of( f, side[0][0], side[0][1], side[0][2] );
		body b = box_of( f, side[1][0], side[1][1], side[1][2] );
		bv_transform t = bv_transform_translation( by[0], by[1], by[2] );
		bv_mesh_depth_options options = { .factor = factor };
		bv_mesh_depth_result r = depth_of( &a, &b, &t, &options );
		assert_depth( &r, truth, factor );
		assert_sound( f, &a, &b, &t, &r, 10 );
	}
}

// The depth of two convex polytopes is that of their hulls, which bv_convex_distance bounds by EPA.
static void convex_meshes_are_as_deep_as_their_hulls( void** state )
{
	fixture* f = *state;
	int count = is_thorough() ? 500 : 40;
	int wide = 0;
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 points[2][24];
		bvb_mesh mesh[2];
		body of[2];
		bv_convex hull[2];
		for ( int k = 0; k < 2; ++k )
		{
			uint32_t corners = 4 + (uint32_t)( 20 * random_unit( f ) );
			for ( uint32_t j = 0; j < corners; ++j )
			{
				bv_vec3 d = random_direction( f );
				points[k][j] = ( bv_vec3 ){ (float)d.x, (float)( 0.6 * d.y ), (float)d.z };
			}
			mesh[k] = hull_mesh( f, points[k], corners );
			of[k] = body_of( f, &mesh[k] );
			hull[k] = bv_convex_points( of[k].mesh.positions, of[k].mesh.vertex_count, 0 );
		}
		bv_transform t =
			turned( f, 0.5 + random_unit( f ), bv_scale( random_unit( f ), random_direction( f ) ) );
		bv_convex_result truth;
		assert_int_equal( bv_convex_distance( &hull[0], &hull[1], &t, NULL, &truth ), bv_ok );
		bv_mesh_depth_options options = { .factor = 1.3 };
		bv_mesh_depth_result r = depth_of( &of[0], &of[1], &t, &options );
		if ( truth.lower > 0 )
		{
			assert_true( r.lower == 0 && r.upper == 0 );
			continue;
		}
		assert_true( r.lower <= -truth.lower + 1e-12 && r.upper >= -truth.upper - 1e-12 );
		wide += !r.reached;
		assert_sound( f, &of[0], &of[1], &t, &r, 10 );
	}
	// Sharp corners that overlap by little need more translations than there are.
	assert_true( 10 * wide <= count );
}

// Plates, beams and crates, turned by any angle or by a small one, are convex boxes: bv_convex_distance has their depth in closed form.
static void plates_and_beams_are_as_deep_as_boxes( void** state )
{
	fixture* f = *state;
	int reached = 0;
	int count = is_thorough() ? 1000 : 60;
	for ( int i = 0; i < count; ++i )
	{
		body of[2];
		bv_convex box[2];
		bv_vec3 half[2];
		for ( int k = 0; k < 2; ++k )
		{
			double side[3];
			for ( int j = 0; j < 3; ++j )
			{
				side[j] = (float)pow( 10, -2 * random_unit( f ) );
			}
			of[k] = box_of( f, side[0], side[1], side[2] );
			half[k] = ( bv_vec3 ){ 0.5 * side[0], 0.5 * side[1], 0.5 * side[2] };
			box[k] = bv_convex_box( half[k], half[k] );
		}
		bv_transform t = turned( f, 1, ( bv_vec3 ){ 0, 0, 0 } );
		if ( i % 3 > 0 )
		{
			double angle = i % 3 == 1 ? 0 : pow( 10, -9 * random_unit( f ) );
			bv_quaternion q;
			assert_int_equal( bv_quaternion_from_axis_angle( random_direction( f ), angle, &q ), bv_ok );
			assert_int_equal( bv_transform_from_quaternion( q, ( bv_vec3 ){ 0, 0, 0 }, &t ), bv_ok );
		}
		// A point inside of one is put on a point inside of the other.
		bv_vec3 at[2];
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 h = half[k];
			at[k] = ( bv_vec3 ){ 2 * h.x * random_unit( f ), 2 * h.y * random_unit( f ),
				                 2 * h.z * random_unit( f ) };
		}
		t = shifted( &t, plus( at[0], -1, bv_transform_point( &t, at[1] ) ) );
		bv_convex_result truth;
		assert_int_equal( bv_convex_distance( &box[0], &box[1], &t, NULL, &truth ), bv_ok );
		bv_mesh_depth_options options = { .factor = 1.01 };
		bv_mesh_depth_result r = depth_of( &of[0], &of[1], &t, &options );
		assert_true( r.lower <= -truth.lower + 1e-12 && r.upper >= -truth.upper - 1e-12 );
		assert_sound( f, &of[0], &of[1], &t, &r, 10 );
		reached += r.reached;
	}
	assert_true( 50 * reached >= 49 * count );
}

// Balls of one radius: the sum of the radii less the distance of the centers, up to how far the meshes are from balls.
static void meshes_of_balls_are_as_deep_as_balls( void** state )
{
	fixture* f = *state;
	bvb_mesh m = icosphere( f, 3 );
	body ball = body_of( f, &m );
	for ( int i = 0; i < 10; ++i )
	{
		double distance = 0.2 * i;
		bv_transform t = turned( f, 1, bv_scale( distance, random_direction( f ) ) );
		bv_mesh_depth_options options = { .factor = 1.1 };
		bv_mesh_depth_result r = depth_of( &ball, &ball, &t, &options );
		assert_true( r.reached && r.upper <= 2 - distance + 1e-9 &&
		             r.lower >= ( 2 - distance - 0.02 ) / 1.1 );
		assert_sound( f, &ball, &ball, &t, &r, 10 );
	}
}

// A box of 1.2 in a slot of 1, open at both ends: it is 0.1 in each wall, but has to leave along the slot, or through a wall.
static void a_box_too_wide_for_a_slot_leaves_at_the_end( void** state )
{
	fixture* f = *state;
	const char* const rows[] = { "x.x", "x.x", "x.x", "xxx" };
	bvb_mesh m = drawn( f, rows, 4 );
	body slot = body_of( f, &m );
	body box = box_of( f, 1.25, 0.5, 4 );
	// The slot is from 1 to 2 along x and ends at y = 0; the box is from 0.875 to 2.125, and from 0.25 to 0.75 along y.
	bv_transform t = bv_transform_translation( 0.875, 0.25, -1.5 );
	bv_mesh_depth_options options = { .factor = 1.25 };
	bv_mesh_depth_result r = depth_of( &slot, &box, &t, &options );
	assert_depth( &r, 0.75, 1.25 );
	assert_sound( f, &slot, &box, &t, &r, 50 );
	assert_true( r.way.y < -0.7 && r.touches );
}

// A bar through a ring touches nothing. The hulls overlap.
static void a_bar_through_a_ring_is_apart( void** state )
{
	fixture* f = *state;
	bvb_mesh m = torus( f, 0.25, 32, 16 );
	body ring = body_of( f, &m );
	body bar = box_of( f, 0.25, 0.25, 4 );
	bv_transform t = bv_transform_translation( -0.125, -0.125, -2 );
	bv_mesh_depth_result r = depth_of( &ring, &bar, &t, NULL );
	assert_true( r.lower == 0 && r.upper == 0 && r.reached && length( r.way ) == 0 );
	assert_true( same_transform( &r.apart, &t ) );

	// Moved until it overlaps the tube by 0.1: back by this is enough, out of the ring is not needed.
	t = bv_transform_translation( 0.75 - 0.25 + 0.125, -0.125, -2 );
	r = depth_of( &ring, &bar, &t, NULL );
	assert_true( r.reached && r.upper <= 0.125 * 1.5 );
	assert_sound( f, &ring, &bar, &t, &r, 50 );
}

// A box inside of another one needs the way to the nearest side, and its own width.
static void a_small_solid_inside_leaves_through_the_nearest_side( void** state )
{
	fixture* f = *state;
	body large = box_of( f, 4, 5, 6 );
	body small = box_of( f, 0.25, 0.5, 0.125 );
	bv_transform t = bv_transform_translation( 1, 2, 3 );
	bv_mesh_depth_options options = { .factor = 1.1 };
	bv_mesh_depth_result r = depth_of( &large, &small, &t, &options );
	assert_depth( &r, 1.25, 1.1 );
	assert_sound( f, &large, &small, &t, &r, 50 );
}

// The surface winds around a cavity 0 times.
static void a_solid_in_a_cavity_is_apart( void** state )
{
	fixture* f = *state;
	bvb_mesh m = hollow_box( f );
	body hollow = body_of( f, &m );
	body small = box_of( f, 0.5, 0.5, 0.5 );
	bv_transform t = bv_transform_translation( 1.25, 1.75, 1.75 );
	bv_mesh_depth_result r = depth_of( &hollow, &small, &t, NULL );
	assert_true( r.lower == 0 && r.upper == 0 );

	// In the wall by 0.25, it may move back into the cavity.
	t = bv_transform_translation( 0.75, 1.75, 1.75 );
	bv_mesh_depth_options options = { .factor = 1.1 };
	r = depth_of( &hollow, &small, &t, &options );
	assert_depth( &r, 0.25, 1.1 );
	assert_sound( f, &hollow, &small, &t, &r, 50 );
}

// Two boxes that overlap are one solid, around which the surface winds once or twice.
static void meshes_that_intersect_themselves_are_solids( void** state )
{
	fixture* f = *state;
	bvb_mesh left = box_mesh( f, 2, 1, 1 );
	bvb_mesh right = moved( f, &left, ( bv_vec3 ){ 1, 0, 0 } );
	bvb_mesh both = joined( f, &left, &right );
	bvb_mesh inward = turned_over( f, &both );
	body small = box_of( f, 0.25, 0.25, 0.25 );
	const bvb_mesh* kinds[] = { &both, &inward };
	for ( int i = 0; i < 2; ++i )
	{
		body a = body_of( f, kinds[i] );
		bv_transform t = bv_transform_translation( 1.4, 0.4, 0.5 );
		bv_mesh_depth_options options = { .factor = 1.1 };
		bv_mesh_depth_result r = depth_of( &a, &small, &t, &options );
		assert_depth( &r, 0.5, 1.1 );
		assert_sound( f, &a, &small, &t, &r, 50 );
	}
}

// Only one of several pieces is inside.
static void every_piece_counts( void** state )
{
	fixture* f = *state;
	bvb_mesh m = two_boxes( f, 3 );
	bvb_mesh small = box_mesh( f, 0.25, 0.25, 0.25 );
	bvb_mesh far = moved( f, &small, ( bv_vec3 ){ 2, 0, 0 } );
	small = joined( f, &far, &small );
	body a = body_of( f, &m );
	body b = body_of( f, &small );
	// One piece is between the boxes, or beyond them; the other one is in the right box, 0.25 from its side. Both orders, because only
	// one triangle decides for each piece.
	const double at[] = { 4.25, 2.5 };
	for ( int i = 0; i < 2; ++i )
	{
		bv_transform t = bv_transform_translation( at[i], 0.375, 0.375 );
		bv_transform back = bv_transform_inverse( &t );
		bv_mesh_depth_result r = depth_of( &a, &b, &t, NULL );
		assert_depth( &r, 0.5, 1.5 );
		assert_sound( f, &a, &b, &t, &r, 50 );
		r = depth_of( &b, &a, &back, NULL );
		assert_depth( &r, 0.5, 1.5 );
	}
}

// Plates of 0.0625 that cross at right angles: out along the shorter half of one.
static void thin_plates_have_an_interval( void** state )
{
	fixture* f = *state;
	body a = box_of( f, 2, 2, 0.0625 );
	body b = box_of( f, 2, 0.0625, 2 );
	bv_transform t = bv_transform_translation( 0, 1, -0.25 );
	bv_mesh_depth_result r = depth_of( &a, &b, &t, NULL );
	assert_true( r.lower > 0 && r.lower <= 0.3125 && r.upper >= 0.3125 && r.upper < 0.33 );
	assert_sound( f, &a, &b, &t, &r, 50 );
}

// A box in its own place leaves by its shortest side.
static void coincident_meshes_leave_by_their_width( void** state )
{
	fixture* f = *state;
	body a = box_of( f, 1, 2, 1.5 );
	bv_mesh_depth_options options = { .factor = 1.25 };
	bv_mesh_depth_result r = depth_of( &a, &a, NULL, &options );
	bv_transform none = bv_transform_identity();
	assert_depth( &r, 1, 1.25 );
	assert_sound( f, &a, &a, &none, &r, 50 );
}

// The depth is 0, but touching meshes are not apart: the way is some units in the last place.
static void touching_meshes_need_next_to_nothing( void** state )
{
	fixture* f = *state;
	body a = box_of( f, 1, 1, 1 );
	const bv_vec3 at[] = { { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0.25, -1, 0.5 }, { 0, 0, -1 } };
	for ( size_t i = 0; i < sizeof at / sizeof *at; ++i )
	{
		bv_transform t = bv_transform_translation( at[i].x, at[i].y, at[i].z );
		bv_mesh_depth_options options = { .absolute = 1e-9 };
		bv_mesh_depth_result r = depth_of( &a, &a, &t, &options );
		assert_true( r.lower == 0 && r.upper < 1e-9 && r.reached );
		assert_sound( f, &a, &a, &t, &r, 0 );
		r = depth_of( &a, &a, &t, NULL );
		assert_true( r.lower == 0 && r.upper < 1e-9 );
	}
}

// From deep overlap to 1e-9: the depth of two boxes is how far one is in the other.
static void grazing_overlap_keeps_its_factor( void** state )
{
	fixture* f = *state;
	body a = box_of( f, 1, 1, 1 );
	for ( double depth = 0.25; depth > 1e-9; depth /= 8 )
	{
		bv_transform t = bv_transform_translation( 1 - depth, 0.25, 0.125 );
		bv_mesh_depth_result r = depth_of( &a, &a, &t, NULL );
		assert_depth( &r, depth, 1.5 );
	}
}

// A plane that cuts a box: the box has to leave to its nearer side.
static void a_sheet_leaves_a_solid( void** state )
{
	fixture* f = *state;
	bvb_mesh m = sheet( f, ( bv_vec3 ){ -4, -4, 0 }, ( bv_vec3 ){ 8, 0, 0 }, ( bv_vec3 ){ 0, 8, 0 }, 5 );
	body plane = body_of( f, &m );
	body box = box_of( f, 1, 1, 1 );
	assert_true( !plane.closed );
	bv_transform t = bv_transform_translation( 0.1, 0.2, -0.3125 );
	bv_transform back = bv_transform_inverse( &t );
	bv_mesh_depth_options options = { .factor = 1.1 };
	bv_mesh_depth_result r = depth_of( &plane, &box, &t, &options );
	assert_depth( &r, 0.3125, 1.1 );
	assert_sound( f, &plane, &box, &t, &r, 0 );
	r = depth_of( &box, &plane, &back, &options );
	assert_depth( &r, 0.3125, 1.1 );
	assert_sound( f, &box, &plane, &back, &r, 0 );

	// Inside of a solid without touching it, a sheet overlaps it.
	m = sheet( f, ( bv_vec3 ){ 0.375, 0.375, 0.5 }, ( bv_vec3 ){ 0.25, 0, 0 }, ( bv_vec3 ){ 0, 0.25, 0 }, 2 );
	body small = body_of( f, &m );
	r = depth_of( &box, &small, NULL, &options );
	assert_depth( &r, 0.5, 1.1 );
}

// Two surfaces that cross: nothing is proven but the way.
static void sheets_have_no_lower_bound( void** state )
{
	fixture* f = *state;
	bvb_mesh m = flat_sheet( f );
	body a = body_of( f, &m );
	bv_transform t = turned( f, 1, ( bv_vec3 ){ 0.5, 0.25, 0 } );
	bv_mesh_depth_result r = depth_of( &a, &a, &t, NULL );
	assert_true( r.lower == 0 && r.upper > 0 && !r.reached );
	assert_sound( f, &a, &a, &t, &r, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( boxes_along_the_axes_leave_the_shortest_way ),
		fixture_test( convex_meshes_are_as_deep_as_their_hulls ),
		fixture_test( plates_and_beams_are_as_deep_as_boxes ),
		fixture_test( meshes_of_balls_are_as_deep_as_balls ),
		fixture_test( a_box_too_wide_for_a_slot_leaves_at_the_end ),
		fixture_test( a_bar_through_a_ring_is_apart ),
		fixture_test( a_small_solid_inside_leaves_through_the_nearest_side ),
		fixture_test( a_solid_in_a_cavity_is_apart ),
		fixture_test( meshes_that_intersect_themselves_are_solids ),
		fixture_test( every_piece_counts ),
		fixture_test( thin_plates_have_an_interval ),
		fixture_test( coincident_meshes_leave_by_their_width ),
		fixture_test( touching_meshes_need_next_to_nothing ),
		fixture_test( grazing_overlap_keeps_its_factor ),
		fixture_test( a_sheet_leaves_a_solid ),
		fixture_test( sheets_have_no_lower_bound ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

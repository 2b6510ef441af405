// bv_mesh_cast_convex against all triangles; that of one triangle is proved in test_convex_gap.

#include "queries.h"

#include "runtime/convex/hull_gap.h"
#include "runtime/convex/shape.h"

enum
{
	most_points = 8,
};

// Balls, capsules, boxes and points about `center`.
static bv_convex random_shape( fixture* f, bv_vec3 center, double size, bv_vec3 points[most_points] )
{
	static const uint32_t counts[] = { 1, 2, 8, 3, 5 };
	uint32_t count = counts[random_bits( f ) % 5];
	bv_vec3 half = random_point( f );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 corner = { i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z };
		points[i] = plus( center, size, count == 8 ? corner : random_around( f ) );
	}
	return bv_convex_points( points, count, random_bits( f ) % 2 == 0 ? 0 : size * random_unit( f ) );
}

static double gap_at( const bv_convex* shape, bv_vec3 offset, const bv_vec3 corner[3] )
{
	bvconvex_hull hull = { .points = shape->points, .count = shape->count, .offset = offset };
	bvconvex_hull_gap gap;
	bvconvex_hull_triangle_gap( &hull, corner, 0, 0, &gap );
	return gap.upper - shape->radius;
}

// At the time that is found the shape is as near as the tolerance, and at no time before it is nearer than that to any triangle: looked at
// in steps, where it does not meet one at the start. Where nothing is found it is never nearer.
static void first_contacts_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	static const double tolerance = 1e-7;
	int hits = 0;
	int misses = 0;
	for ( int round = 0; round < 32; ++round )
	{
		double scale = round % 3 == 0 ? 1 : pow( 10, 2 * random_unit( f ) - 1 );
		bv_vec3 center = { round % 5 == 4 ? 100 : 0, round % 7 == 6 ? -1000 : 0, 0 };
		bvb_mesh soup = random_soup( f, 80, center );
		const bv_file* file = file_of_round( f, &soup, round );
		uint32_t count = bv_file_get_mesh( file ).triangles;
		bv_transform t = random_transform( f, scale, round % 2 == 1, random_around( f ) );
		t.pose.rotation[0][1] += round % 4 == 3 ? 4e-5 : 0; // rigid only so far
		bv_vec3 at = placed( &t, center );
		for ( int k = 0; k < 12; ++k )
		{
			bv_vec3 points[most_points];
			bv_vec3 from = plus( at, ( k % 4 == 0 ? 0.7 : 3 ) * scale, random_around( f ) );
			bv_convex shape = random_shape( f, from, scale * 0.3 * random_unit( f ), points );
			bv_vec3 motion = minus( plus( at, scale, random_around( f ) ), from );
			bv_cast_options options = bv_cast_options_default();
			options.tolerance = tolerance;
			options.limit = k % 3 == 0 ? 2 : 1;
			bv_cast_result r;
			assert_int_equal( bv_mesh_cast_convex( file, &t, &shape, motion, &options, &r ), bv_ok );

			double end = r.found ? r.time : options.limit;
			for ( uint32_t i = 0; i < count; ++i )
			{
				bv_vec3 corner[3];
				get_placed( file, i, &t, corner );
				for ( int step = r.at_start ? 20 : 0; step < 20; ++step )
				{
					double gap =
						gap_at( &shape, plus( ( bv_vec3 ){ 0, 0, 0 }, step * 0.05 * end, motion ), corner );
					assert_true( gap > -1e-11 * ( 1 + length( at ) ) );
				}
			}
			*( r.found ? &hits : &misses ) += 1;
			if ( r.found )
			{
				bv_vec3 corner[3];
				get_placed( file, r.at.triangle, &t, corner );
				bv_vec3 moved = plus( ( bv_vec3 ){ 0, 0, 0 }, r.time, motion );
				assert_true( gap_at( &shape, moved, corner ) <= 2 * tolerance );
				assert_int_equal( r.at_start, r.time == 0 );
				double error = 1e-11 * ( 1 + length( at ) );
				assert_surface_point( file, &r.at, &t, error );
				bv_vec3 normal = normal_of( corner );
				double facing = ( t.mirror ? -1 : 1 ) * dot( normal, motion );
				assert_true( fabs( facing ) < 1e-9 || r.back == ( facing > 0 ) );
				bool is_unit = fabs( length( r.normal ) - 1 ) < 1e-12;
				assert_true( is_unit ? dot( r.normal, motion ) <= 1e-6 || r.at_start
				                     : r.at_start && length( r.normal ) == 0 );
			}
		}
	}
	assert_true( hits > 100 && misses > 50 );
}

// The first of all triangles one by one, with the same arithmetic.
static void the_first_triangle_is_the_first_of_all( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 16; ++round )
	{
		bvb_mesh soup = random_soup( f, 120, ( bv_vec3 ){ 0, 0, 0 } );
		soup = round % 3 == 0 ? with_twins( f, &soup ) : soup; // two at once: the lesser index
		const bv_file* file = file_of_round( f, &soup, round );
		uint32_t count = bv_file_get_mesh( file ).triangles;
		bv_transform none = bv_transform_identity();
		uint64_t tests = 0;
		for ( int k = 0; k < 40; ++k )
		{
			bv_vec3 points[most_points];
			bv_vec3 from = plus( ( bv_vec3 ){ 0, 0, 0 }, 3, random_around( f ) );
			bv_convex shape = random_shape( f, from, 0.2, points );
			bv_vec3 motion = minus( random_around( f ), from );
			bv_cast_options options = { .limit = 2, .tolerance = k % 2 == 0 ? 1e-9 : 0.05 };
			bv_cast_result r;
			assert_int_equal( bv_mesh_cast_convex( file, NULL, &shape, motion, &options, &r ), bv_ok );
			double first = INFINITY;
			uint32_t triangle = 0;
			for ( uint32_t i = 0; i < count; ++i )
			{
				bv_vec3 corner[3];
				bvconvex_hull_cast hit;
				bvconvex_hull hull = { .points = shape.points, .count = shape.count, .offset = { 0, 0, 0 } };
				get_placed( file, i, &none, corner );
				if ( bvconvex_hull_meets_triangle( &hull, shape.radius, motion, 2, options.tolerance, corner,
				                                   &hit ) &&
				     hit.time < first )
				{
					first = hit.time;
					triangle = i;
				}
			}
			assert_int_equal( r.found, first <= 2 );
			assert_true( !r.found || ( r.time == first && r.at.triangle == triangle ) );
			tests += r.triangle_tests;
		}
		assert_true( tests < 40 * count / 2 );
	}
}

// A ball of radius 0.5 falls from z = 5 on a cube with its lid at z = 1, with speed 2: (5 - 0.5 - 1) / 2. A box of half height 0.5 on a cube
// twice as large, mirrored: (5 - 0.5 - 2) / 2.
static void falls_on_cubes_in_closed_form( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_vec3 center = { 0.3, 0.4, 5 };
	bv_convex ball = bv_convex_points( &center, 1, 0.5 );
	bv_vec3 down = { 0, 0, -2 };
	bv_cast_options options = { .limit = INFINITY };
	bv_cast_result r;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, down, &options, &r ), bv_ok );
	assert_true( r.found && fabs( r.time - 1.75 ) < 1e-11 && !r.back && !r.at_start );
	assert_true( fabs( r.normal.z - 1 ) < 1e-12 && fabs( r.at.point.x - 0.3 ) < 1e-9 );

	bv_vec3 corners[8];
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = ( bv_vec3 ){ i & 1 ? -0.9 : -0.1, i & 2 ? 1 : 0, i & 4 ? 5.5 : 4.5 };
	}
	bv_convex box = bv_convex_points( corners, 8, 0 );
	bv_transform t = bv_transform_identity();
	t.scale = 2;
	t.mirror = true;
	assert_int_equal( bv_mesh_cast_convex( file, &t, &box, down, &options, &r ), bv_ok );
	assert_true( r.found && fabs( r.time - 1.25 ) < 1e-11 && !r.back );

	// From inside: it leaves through the back of the floor. Beside it: never.
	center = ( bv_vec3 ){ 0.5, 0.5, 0.5 };
	ball.radius = 0.25;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, down, &options, &r ), bv_ok );
	assert_true( r.found && fabs( r.time - 0.125 ) < 1e-11 && r.back );
	center = ( bv_vec3 ){ 1.2500001, 0.5, 5 };
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, down, &options, &r ), bv_ok );
	assert_false( r.found );
	center.x = 1.2499999;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, down, &options, &r ), bv_ok );
	assert_true( r.found );
}

// A box without a radius that falls on the lid of a cube at any place and speed, near the origin and far from it, stands on it.
static void normals_are_those_of_what_is_met( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	for ( int round = 0; round < 400; ++round )
	{
		const bv_file* file = file_of_round( f, &cube, 2 * ( round % 4 ) );
		bv_vec3 far =
			round % 2 == 0 ? ( bv_vec3 ){ 0, 0, 0 } : plus( ( bv_vec3 ){ 0, 0, 0 }, 1e5, random_around( f ) );
		bv_transform t = random_transform( f, 1 + random_unit( f ), round % 3 == 0, far );
		bv_transform upright = bv_transform_identity();
		upright.pose.translation = ( bv_vec3 ){ random_unit( f ), random_unit( f ), 3 };
		bv_vec3 points[8];
		for ( int i = 0; i < 8; ++i )
		{
			bv_vec3 corner = { i & 1 ? 0.2 : -0.2, i & 2 ? 0.3 : -0.3, i & 4 ? 0.1 : -0.1 };
			points[i] = placed( &t, placed( &upright, corner ) );
		}
		bv_convex box = bv_convex_points( points, 8, 0 );
		bv_vec3 up = minus( placed( &t, ( bv_vec3 ){ 0, 0, 1 } ), far );
		bv_vec3 motion = plus( plus( ( bv_vec3 ){ 0, 0, 0 }, -3, up ), 0.1, random_around( f ) );
		bv_cast_options options = bv_cast_options_default();
		options.tolerance = round % 4 < 2 ? 0 : 1e-9;
		bv_cast_result r;
		assert_int_equal( bv_mesh_cast_convex( file, &t, &box, motion, &options, &r ), bv_ok );
		assert_true( r.found && !r.at_start );
		assert_true( length( minus( plus( ( bv_vec3 ){ 0, 0, 0 }, t.scale, r.normal ), up ) ) < 1e-4 );
	}
}

// The same to the last bit with volumes of any type, with the default tolerance and one that is less than can be kept.
static void contacts_do_not_depend_on_the_hierarchy( void** state )
{
	fixture* f = *state;
	bvb_mesh soup = random_soup( f, 140, ( bv_vec3 ){ 3, 0, 0 } );
	bvb_asset_options options = plain_options();
	const bv_file* of[bv_volume_types];
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		options.hierarchy.volume_types = 1u << type;
		of[type] = build_file( f, &soup, &options );
	}
	int hits = 0;
	for ( int k = 0; k < 300; ++k )
	{
		bv_vec3 points[most_points];
		bv_vec3 from = plus( ( bv_vec3 ){ 3, 0, 0 }, 3, random_around( f ) );
		bv_convex shape = random_shape( f, from, 0.2, points );
		bv_vec3 motion = minus( plus( ( bv_vec3 ){ 3, 0, 0 }, 0.5, random_around( f ) ), from );
		bv_cast_options how = { .limit = 2, .tolerance = k % 2 == 0 ? 0 : 1e-300 };
		bv_cast_result first;
		assert_int_equal( bv_mesh_cast_convex( of[0], NULL, &shape, motion, &how, &first ), bv_ok );
		for ( int type = 1; type < bv_volume_types; ++type )
		{
			bv_cast_result r;
			assert_int_equal( bv_mesh_cast_convex( of[type], NULL, &shape, motion, &how, &r ), bv_ok );
			assert_int_equal( r.found, first.found );
			assert_true( !r.found || r.time == first.time );
		}
		hits += first.found;
	}
	assert_in_range( hits, 100, 299 );
}

static void what_makes_no_sense_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_vec3 center = { 0.5, 0.5, 1 };
	bv_vec3 still = { 0, 0, 0 };
	bv_convex ball = bv_convex_points( &center, 1, 0.5 );
	bv_cast_result r;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, NULL, &r ), bv_ok );
	assert_true( r.found && r.at_start );
	assert_int_equal( bv_mesh_cast_convex( NULL, NULL, &ball, still, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_cast_convex( file, NULL, NULL, still, NULL, &r ), bv_error_argument );
	ball.count = 0;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, NULL, &r ), bv_error_argument );
	ball = bv_convex_points( &center, 1, -1 );
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, NULL, &r ), bv_error_argument );
	ball.radius = 1;
	static const double no_tolerances[] = { -1, NAN, INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		bv_cast_options options = { .limit = 1, .tolerance = no_tolerances[i] };
		assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, &options, &r ), bv_error_argument );
	}
	still.x = 2 * BV_MAX_LENGTH;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, NULL, &r ), bv_error_argument );
	still.x = 0;
	still.y = NAN;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, NULL, &r ), bv_error_argument );
	still.y = 0;
	center.z = INFINITY;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, still, NULL, &r ), bv_error_argument );
}

// In any order, about any center. The axes are those of the edges, so that the extents are as they were.
static void a_box_is_its_own_oriented_box( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 points[8];
		bv_vec3 half = { 0.1 + random_unit( f ), 0.1 + random_unit( f ), 0.1 + random_unit( f ) };
		bv_transform t = random_transform( f, 1, false, random_around( f ) );
		uint32_t start = random_bits( f ) % 8;
		uint32_t stride = 1 + 2 * ( random_bits( f ) % 4 );
		for ( uint32_t k = 0; k < 8; ++k )
		{
			uint32_t c = ( start + stride * k ) % 8;
			points[k] = placed( &t, ( bv_vec3 ){ c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y,
			                                     c & 4 ? half.z : -half.z } );
		}
		bv_convex shape = bv_convex_points( points, 8, 0.25 );
		bvconvex_prepared prepared;
		assert_true( bvconvex_shape_prepare( &shape, &prepared ) );
		bvvol_rounded box = bvconvex_shape_oriented_box( &prepared );
		assert_true( fabs( bvvol_rounded_extent( &box ) - ( half.x + half.y + half.z + 0.25 ) ) < 1e-12 );
		assert_true( length( minus( box.center, t.pose.translation ) ) < 1e-12 );
	}
}

// Each point is in the box, of points on a line or in a plane, too.
static void oriented_boxes_enclose_all_points( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 2000; ++i )
	{
		bv_vec3 points[most_points];
		bv_convex shape = random_shape( f, random_around( f ), pow( 10, 8 * random_unit( f ) - 4 ), points );
		for ( uint32_t k = 2; k < shape.count && i % 4 == 0; ++k )
		{
			points[k] = plus( points[0], random_unit( f ), minus( points[1], points[0] ) );
		}
		bvconvex_prepared prepared;
		assert_true( bvconvex_shape_prepare( &shape, &prepared ) );
		bvvol_rounded box = bvconvex_shape_oriented_box( &prepared );
		bvvol_rounded aligned = bvconvex_shape_box( &prepared );
		assert_true( bvvol_rounded_extent( &box ) <= bvvol_rounded_extent( &aligned ) );
		for ( uint32_t k = 0; k < shape.count; ++k )
		{
			bv_vec3 d = minus( points[k], box.center );
			for ( int axis = 0; axis < 3; ++axis )
			{
				assert_true( fabs( bv_dot( box.axis[axis], d ) ) <= box.half_extents[axis] + box.slack );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( first_contacts_are_those_of_brute_force ),
		fixture_test( the_first_triangle_is_the_first_of_all ),
		fixture_test( falls_on_cubes_in_closed_form ),
		fixture_test( normals_are_those_of_what_is_met ),
		fixture_test( contacts_do_not_depend_on_the_hierarchy ),
		fixture_test( a_box_is_its_own_oriented_box ),
		fixture_test( oriented_boxes_enclose_all_points ),
		fixture_test( what_makes_no_sense_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Distances from balls, half balls and discs, which are covered by caps, and sides of cylinders, which are covered by strips: closed forms wherever the triangles are, few regions,
// and tolerances and limits of all sizes.

#include "hausdorff_volumes.h"
#include "point_sets.h"
#include "shapes.h"

static bv_vec3 step( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static bv_vec3 random_step( fixture* f )
{
	bv_vec3 p = random_point( f );
	return ( bv_vec3 ){ 2 * p.x - 1, 2 * p.y - 1, 2 * p.z - 1 };
}

static double length( bv_vec3 v )
{
	return sqrt( v.x * v.x + v.y * v.y + v.z * v.z );
}

// Triangles so small that they are points but for 1e-9.
static bvb_mesh specks( fixture* f, const bv_vec3* at, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		set_triangle( &mesh, i, at[i], step( at[i], 1e-9, ( bv_vec3 ){ 1, 0, 0 } ),
		              step( at[i], 1e-9, ( bv_vec3 ){ 0, 1, 0 } ) );
	}
	return mesh;
}

static any_volume ball_of( bv_vec3 center, double radius )
{
	return ( any_volume ){ .kind = any_sphere, .sphere = { center, radius } };
}

// The witness is a point that counts and as far as the lower bound, and the true distance is in the interval.
static bvb_hausdorff assert_interval( fixture* f, const bvb_mesh* mesh, const any_volume* from,
                                      const bvb_hausdorff_options* options, double expected, double error )
{
	volume* v = any_points( from );
	nearest_faces faces;
	assert_non_null( v );
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	double rounding = rounding_of( v, mesh );
	bvb_hausdorff r;
	assert_int_equal( any_measure( target_of( f, mesh ), from, options, &r ), bv_ok );
	const char* fault = interval_fault( &r, options, from, v, &faces, rounding );
	error += rounding;
	if ( fault || !( r.lower <= expected + error && expected <= r.upper + error ) )
	{
		fail_msg( "%s, measure %d: [%.17g, %.17g] after %d, expected %.17g: %s", any_names[from->kind],
		          options->measure, r.lower, r.upper, (int)r.regions, expected, fault ? fault : "not in it" );
	}
	nearest_free( &faces );
	volume_free( v );
	return r;
}

// Of the solid and the surface, coarse and fine. Returns how many regions the finest took.
static uint64_t assert_distances( fixture* f, const bvb_mesh* mesh, const any_volume* from, double solid,
                                  double surface, double error )
{
	uint64_t regions = 0;
	for ( int i = 0; i < 6; ++i )
	{
		static const double relative[] = { 0.1, 0.01, 1e-4 };
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		bool hollow = i % 2;
		options.measure = hollow ? bvb_hausdorff_surface : bvb_hausdorff_solid;
		options.relative = relative[i / 2];
		options.absolute = 8 * error;
		options.max_regions = 100000;
		regions = assert_interval( f, mesh, from, &options, hollow ? surface : solid, error ).regions;
	}
	return regions;
}

// Squared distances of the points u of a sphere are concave in u, so that the farthest point from one convex set is opposite
// to its point nearest to the center: a radius farther than the center is.
static void one_triangle_is_a_radius_farther_than_from_the_center_at_a_look_or_two( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 500; ++i )
	{
		static const double sizes[] = { 1, 1e-3, 1e3, 1e-6, 1e6 };
		double far = i % 3 == 0 ? 100 : 1;
		bv_vec3 center = step( ( bv_vec3 ){ 0, 0, 0 }, far, random_step( f ) );
		bvb_mesh mesh = soup_create( f, 1 );
		set_triangle( &mesh, 0, random_point( f ), random_point( f ), random_point( f ) );
		any_volume ball = ball_of( center, sizes[i % 5] * ( 0.1 + random_unit( f ) ) );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		double expected = nearest_distance( &faces, center, NULL ) + ball.sphere.radius;
		nearest_free( &faces );
		assert_true( assert_distances( f, &mesh, &ball, expected, expected, 0 ) <= 2 );
	}
}

// Then it is the radius, above the triangle.
static void a_triangle_through_the_center_is_a_radius_away( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 a = random_point( f );
		bv_vec3 b = random_point( f );
		bv_vec3 c = random_point( f );
		bvb_mesh mesh = soup_create( f, 1 );
		set_triangle( &mesh, 0, a, b, c );
		double s = i % 3 == 2 ? 0 : 0.5 * random_unit( f );
		double t = i % 3 >= 1 ? 0 : 0.5 * random_unit( f );
		bv_vec3 ab = step( b, -1, a );
		bv_vec3 ac = step( c, -1, a );
		any_volume ball = ball_of( step( step( a, s, ab ), t, ac ), 0.01 + 10 * random_unit( f ) );
		assert_distances( f, &mesh, &ball, ball.sphere.radius, ball.sphere.radius, 1e-15 );
	}
}

// The farthest points are between the two; sqrt( r^2 + a^2 ) by Pythagoras.
static void two_points_are_farthest_from_the_circle_between_them( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		double a = 0.05 + 3 * random_unit( f );
		bv_vec3 center = random_step( f );
		bvb_mesh mesh =
			specks( f, ( bv_vec3[] ){ step( center, a, axis[0] ), step( center, -a, axis[0] ) }, 2 );
		any_volume ball = ball_of( center, 1 );
		assert_distances( f, &mesh, &ball, hypot( 1, a ), hypot( 1, a ), 2e-9 );
	}
}

// The distances of a direction from all six points are least equal along a diagonal. The solid's are convex along each ray, so
// that the farthest point is there or in the center.
static void the_corners_of_an_octahedron_are_farthest_from_its_diagonals_or_its_center( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 axis[3];
		bv_vec3 at[6];
		random_frame( f, axis );
		double a = 0.05 + 3 * random_unit( f );
		bv_vec3 center = random_step( f );
		for ( int k = 0; k < 6; ++k )
		{
			at[k] = step( center, k & 1 ? a : -a, axis[k / 2] );
		}
		bvb_mesh mesh = specks( f, at, 6 );
		any_volume ball = ball_of( center, 1 );
		double surface = sqrt( 1 + a * a - 2 * a / sqrt( 3 ) );
		assert_distances( f, &mesh, &ball, fmax( surface, a ), surface, 2e-9 );
	}
}

// In the ball a cube is farthest from the points over the middles of its sides; round the ball, from the ball's center, and on
// the surface from the diagonals.
static void a_cube_in_a_ball_and_round_one( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	bv_vec3 center = { 1, 1, 1 };
	for ( double r = 1.75; r < 20; r *= 1.5 )
	{
		any_volume ball = ball_of( center, r );
		double inside = fmax( r - 1, 1 );
		assert_distances( f, &mesh, &ball, inside, r - 1, 1e-15 );
	}
	for ( double r = 0.95; r > 1e-3; r *= 0.7 )
	{
		any_volume ball = ball_of( center, r );
		assert_distances( f, &mesh, &ball, 1, 1 - r / sqrt( 3 ), 1e-15 );
	}
}

static void a_ball_without_a_radius_is_a_point( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	any_volume ball = ball_of( ( bv_vec3 ){ 1, 1.25, 1 }, 0 );
	assert_distances( f, &mesh, &ball, 0.75, 0.75, 1e-15 );
	ball = ball_of( ( bv_vec3 ){ 1, 1, 1 }, 1e-300 );
	assert_distances( f, &mesh, &ball, 1, 1, 1e-15 );
}

// Distances are convex functions of a volume's points: the farthest are on the round ends of a capsule, away from the point,
// and on a rim of a cylinder.
static void a_point_is_farthest_from_the_far_side_of_capsules_and_cylinders( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		bv_vec3 at = random_step( f );
		double along = 2 * random_unit( f );
		double across = i % 4 ? 2 * random_unit( f ) : 0;
		double half = 1.5 * random_unit( f );
		double r = 0.1 + random_unit( f );
		bv_vec3 middle = step( step( at, along, axis[0] ), across, axis[1] );
		bv_vec3 ends[2] = { step( middle, half, axis[0] ), step( middle, -half, axis[0] ) };
		bvb_mesh mesh = specks( f, &at, 1 );
		any_volume capsule = { .kind = any_capsule, .capsule = { { ends[0], ends[1] }, r } };
		double far = r + length( step( ends[0], -1, at ) );
		assert_distances( f, &mesh, &capsule, far, far, 2e-9 );
		any_volume cylinder = { .kind = any_cylinder, .cylinder = { { ends[0], ends[1] }, r } };
		far = hypot( along + half, across + r );
		assert_distances( f, &mesh, &cylinder, far, far, 2e-9 );
	}
}

// Round an axis through the middle of a cube: from its walls the side is farthest along the diagonals, the discs in their
// middles, and the solids in the center.
static void capsules_and_cylinders_in_a_cube( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	for ( int i = 0; i < 60; ++i )
	{
		double r = i % 3 ? 0.05 + 0.9 * random_unit( f ) : 0.01;
		double half = ( 1 - r ) * ( 0.01 + 0.98 * random_unit( f ) );
		bv_vec3 ends[2] = { { 1, 1, 1 }, { 1, 1, 1 } };
		double* from = i % 2 ? &ends[0].x : &ends[0].z;
		double* to = i % 2 ? &ends[1].x : &ends[1].z;
		*from -= half;
		*to += half;
		double side = 1 - r / sqrt( 2 );
		any_volume capsule = { .kind = any_capsule, .capsule = { { ends[0], ends[1] }, r } };
		// Of the points of a half ball the one that is as far from three walls, if there is one.
		bool has_corner = half < r / sqrt( 2 );
		double corner = 1 - ( half + sqrt( fmax( 3 * r * r - 2 * half * half, 0 ) ) ) / 3;
		assert_distances( f, &mesh, &capsule, 1, has_corner ? corner : side, 1e-15 );
		any_volume cylinder = { .kind = any_cylinder, .cylinder = { { ends[0], ends[1] }, r } };
		assert_distances( f, &mesh, &cylinder, 1, fmax( side, 1 - half ), 1e-15 );
	}
}

// As far away as can be told from the ball: what rounding hides is in the interval.
static void balls_far_away_are_as_far_as_they_are( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = specks( f, ( bv_vec3[] ){ { 0, 0, 0 } }, 1 );
	for ( double far = 1e3; far < 1e13; far *= 10 )
	{
		any_volume ball = ball_of( ( bv_vec3 ){ far, 0, 0 }, 1 );
		assert_distances( f, &mesh, &ball, far + 1, far + 1, 1e-9 );
		ball = ball_of( ( bv_vec3 ){ 1, 0, 0 }, far );
		assert_distances( f, &mesh, &ball, far + 1, far + 1, 1e-9 );
	}
}

// However early it ends, and with whatever that has to be handed on.
static void intervals_hold_whatever_the_limit( void** state )
{
	fixture* f = *state;
	bv_vec3 at[40];
	double expected[2] = { 0, 0 };
	for ( int i = 0; i < 40; ++i )
	{
		at[i] = random_step( f );
	}
	bvb_mesh mesh = specks( f, at, 40 );
	any_volume ball = ball_of( ( bv_vec3 ){ 0.1, 0, 0.2 }, 0.9 );
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.relative = 1e-6;
	for ( int what = 0; what < 2; ++what )
	{
		bvb_hausdorff r;
		options.max_regions = 0;
		options.measure = (bvb_hausdorff_measure)what;
		assert_int_equal( any_measure( target_of( f, &mesh ), &ball, &options, &r ), bv_ok );
		expected[what] = r.lower;
		for ( options.max_regions = 1; options.max_regions < 200; options.max_regions += 1 )
		{
			r = assert_interval( f, &mesh, &ball, &options, expected[what], 1e-8 );
			assert_true( r.upper <= 3 * expected[what] );
		}
	}
}

// Caps of some tenth of the radius and less: too many to be worth it.
static void balls_close_to_meshes_like_them_end( void** state )
{
	fixture* f = *state;
	for ( uint32_t rings = 4; rings < 20; rings += 3 )
	{
		bvb_mesh mesh = bumpy_ball( f, rings );
		any_volume ball = ball_of( ( bv_vec3 ){ 0, 0, 0 }, 1 );
		for ( int what = 0; what < 2; ++what )
		{
			bvb_hausdorff_options options = bvb_hausdorff_options_default();
			options.measure = (bvb_hausdorff_measure)what;
			bvb_hausdorff r;
			assert_int_equal( any_measure( target_of( f, &mesh ), &ball, &options, &r ), bv_ok );
			assert_true( r.upper <= 1.011 * r.lower && r.regions < 20000 );
			assert_interval( f, &mesh, &ball, &options, r.lower, 0 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( one_triangle_is_a_radius_farther_than_from_the_center_at_a_look_or_two ),
		fixture_test( a_triangle_through_the_center_is_a_radius_away ),
		fixture_test( two_points_are_farthest_from_the_circle_between_them ),
		fixture_test( the_corners_of_an_octahedron_are_farthest_from_its_diagonals_or_its_center ),
		fixture_test( a_cube_in_a_ball_and_round_one ),
		fixture_test( a_ball_without_a_radius_is_a_point ),
		fixture_test( a_point_is_farthest_from_the_far_side_of_capsules_and_cylinders ),
		fixture_test( capsules_and_cylinders_in_a_cube ),
		fixture_test( balls_far_away_are_as_far_as_they_are ),
		fixture_test( intervals_hold_whatever_the_limit ),
		fixture_test( balls_close_to_meshes_like_them_end ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

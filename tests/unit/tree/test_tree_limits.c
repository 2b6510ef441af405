// What all queries have to put up with: files without a hierarchy or of one triangle, and coordinates of all sizes.

#include "queries.h"

// All queries on a file, with what answers they give.
typedef struct answers
{
	bv_collide_result collide;
	bv_distance_result distance;
	bv_closest_result closest;
	bv_ray_result ray;
	bv_cast_result cast;
	bv_overlap_result overlap[4];
} answers;

// Of a unit: the mesh's size or so.
static void ask( const bv_file* file, double unit, bv_status expected, answers* out )
{
	bv_transform t = bv_transform_identity();
	t.pose.translation.z = 4 * unit;
	bv_vec3 x = { 0.25 * unit, 0.125 * unit, 3 * unit };
	bv_ray ray = { x, { 0, 0, -unit }, 0, INFINITY };
	bv_convex shape = bv_convex_points( &x, 1, unit );
	bv_cast_options options = { .limit = 4 };
	bv_sphere ball = { x, 2.5 * unit };
	bv_aabb box = { { 0, 0, 0 }, x };
	bv_obb turned = {
		.center = { 0, 0, 0 },
		.axis = { { 0.8, 0.6, 0 }, { -0.6, 0.8, 0 }, { 0, 0, 1 } },
		.half_extents = { unit, unit, unit },
	};
	assert_int_equal( bv_mesh_collide( file, file, &t, NULL, &out->collide ), expected );
	assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &out->distance ), expected );
	assert_int_equal( bv_mesh_closest_point( file, NULL, x, NULL, &out->closest ), expected );
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &out->ray ), expected );
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &shape, ray.direction, &options, &out->cast ),
	                  expected );
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &out->overlap[0] ), expected );
	assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &out->overlap[1] ), expected );
	assert_int_equal( bv_mesh_overlap_obb( file, NULL, &turned, NULL, &out->overlap[2] ), expected );
	assert_int_equal( bv_mesh_overlap_convex( file, NULL, &shape, NULL, &out->overlap[3] ), expected );
}

// And what results held before is there still.
static void files_without_a_hierarchy_are_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bvb_asset_options options = plain_options();
	options.sections = 1u << bvb_section_mesh;
	const bv_file* file = build_file( f, &cube, &options );
	answers a;
	answers before;
	memset( &a, 0x5a, sizeof a );
	memset( &before, 0x5a, sizeof before );
	assert_int_equal( bv_file_get_hierarchy( file ).nodes, 0 );
	ask( file, 1, bv_error_argument, &a );
	assert_memory_equal( &a, &before, sizeof a );
}

// The triangle (0, 0, 0), (1, 0, 0), (0, 1, 0), times powers of two: the point is 3 above its inside, the ray takes a time of 3 and a ball of
// radius 1 one of 2; what is 4 above it is at a distance of 4.
static void triangles_of_all_sizes( void** state )
{
	fixture* f = *state;
	static const int exponents[] = { 0, -60, -100, 60, 100, 118 };
	for ( size_t i = 0; i < 2 * sizeof exponents / sizeof *exponents; ++i )
	{
		double unit = ldexp( 1, exponents[i / 2] );
		bvb_mesh mesh = soup_create( f, 1 );
		mesh.positions[0] = ( bv_vec3 ){ 0, 0, 0 };
		mesh.positions[1] = ( bv_vec3 ){ unit, 0, 0 };
		mesh.positions[2] = ( bv_vec3 ){ 0, unit, 0 };
		bvb_asset_options options = plain_options();
		options.record.positions = i % 2 == 0 ? bvb_positions_float : bvb_positions_quantized;
		const bv_file* file = build_file( f, &mesh, &options );
		double error = ( i % 2 == 0 ? 1e-9 : 1e-5 ) * unit;
		answers a;
		ask( file, unit, bv_ok, &a );
		assert_int_equal( a.collide.pairs, 0 );
		assert_true( a.distance.found && fabs( a.distance.distance - 4 * unit ) <= error );
		assert_true( a.closest.found && fabs( a.closest.distance - 3 * unit ) <= error );
		assert_true( a.closest.at.feature == bv_feature_face && !a.closest.back );
		assert_true( a.ray.found && fabs( a.ray.time - 3 ) <= error / unit && !a.ray.back );
		assert_true( a.cast.found && fabs( a.cast.time - 2 ) <= error / unit );
		assert_int_equal( a.overlap[0].triangles, 0 );
		assert_int_equal( a.overlap[1].triangles, 1 );
		assert_int_equal( a.overlap[2].triangles, 1 );
		assert_int_equal( a.overlap[3].triangles, 0 );
	}
}

// All of it twice and thrice, so that many are equally near: answers of the same triangles, whatever else is there.
static void meshes_that_are_one_triangle_many_times( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 64 );
	for ( uint32_t i = 0; i < 64; ++i )
	{
		// Corners in another order or sense each time, a hair's breadth off, so that none is a duplicate.
		bv_vec3 corner[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t to = ( i % 2 == 0 ? k : 2 - k ) + i;
			mesh.positions[3 * i + to % 3] = corner[k];
			mesh.positions[3 * i + to % 3].x += ldexp( i / 6, -20 );
		}
	}
	const bv_file* file = file_of_round( f, &mesh, 0 );
	answers a;
	ask( file, 1, bv_ok, &a );
	assert_true( a.distance.found && a.distance.distance == 4 );
	assert_true( a.closest.found && a.closest.distance == 3 && a.closest.at.triangle == 0 );
	assert_true( a.ray.found && a.ray.time == 3 && a.ray.at.triangle == 0 );
	assert_true( a.cast.found && fabs( a.cast.time - 2 ) < 1e-9 );
	assert_int_equal( a.overlap[1].triangles, bv_file_get_mesh( file ).triangles );
}

static const bv_file* triangle_file( fixture* f, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bvb_mesh mesh = soup_create( f, 1 );
	bvb_asset_options options = plain_options();
	mesh.positions[0] = a;
	mesh.positions[1] = b;
	mesh.positions[2] = c;
	return build_file( f, &mesh, &options );
}

// Squares and products that binary32 does not hold: the nearest point is on the long side, and the box is about the origin.
static void products_that_overflow_hide_nothing( void** state )
{
	fixture* f = *state;
	bv_vec3 origin = { 0, 0, 0 };
	bv_vec3 a = { 0x1p69, -0x1p70, 0 };
	bv_vec3 b = { 0x1p60, 0x1p60, 0 };
	const bv_file* file = triangle_file( f, a, b, ( bv_vec3 ){ 0x1p60, 0x1p60, 0x1p60 } );
	double side = ( b.x * a.y - b.y * a.x ) / length( minus( b, a ) );
	bv_closest_result near;
	assert_int_equal(
		bv_mesh_closest_point( file, NULL, origin, &( bv_closest_options ){ 1.38 * 0x1p60 }, &near ), bv_ok );
	assert_true( near.found && fabs( near.distance - fabs( side ) ) < 1e-9 * 0x1p60 );
	file = triangle_file( f, ( bv_vec3 ){ -0x1p66, -0x1p66, 0 }, ( bv_vec3 ){ 0x1p66, -0x1p65, 0 },
	                      ( bv_vec3 ){ 0, 0x1p59, 0 } );
	bv_aabb box = { { -0x1p50, -0x1p50, -0x1p50 }, { 0x1p50, 0x1p50, 0x1p50 } };
	bv_overlap_result found;
	assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &found ), bv_ok );
	assert_int_equal( found.triangles, 1 );
}

// The triangle's corner is four radii away; its side passes the box's edge at y = -1, x = 0.95.
static void products_that_underflow_make_nothing_certain( void** state )
{
	fixture* f = *state;
	double unit = 0x1p-75;
	const bv_file* file = triangle_file( f, ( bv_vec3 ){ unit, 0, 0 }, ( bv_vec3 ){ 0x1p-60, 0x1p-60, 0 },
	                                     ( bv_vec3 ){ 0x1p-60, 0, 0x1p-60 } );
	bv_sphere ball = { { 0, 0, 0 }, 0.25 * unit };
	bv_overlap_result found;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &found ), bv_ok );
	assert_int_equal( found.triangles, 0 );
	file = triangle_file( f, ( bv_vec3 ){ 1.2 * unit, 0, 0 }, ( bv_vec3 ){ 2.1 * unit, 0.9 * unit, 0 },
	                      ( bv_vec3 ){ 0.9 * unit, -1.2 * unit, 0 } );
	bv_aabb box = { { -unit, -unit, -unit }, { unit, unit, unit } };
	assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &found ), bv_ok );
	assert_int_equal( found.triangles, 1 );
}

// At 1 from the origin, whatever the motion in a unit of time is, if only there is time enough. Without motion it is not met.
static void motions_of_all_sizes( void** state )
{
	fixture* f = *state;
	const bv_file* file =
		triangle_file( f, ( bv_vec3 ){ -1, -1, -1 }, ( bv_vec3 ){ -1, 1, -1 }, ( bv_vec3 ){ -1, 0, 2 } );
	bv_vec3 origin = { 0, 0, 0 };
	bv_convex ball = bv_convex_points( &origin, 1, 0.25 );
	bv_cast_options options = { .limit = INFINITY };
	bv_cast_result cast;
	for ( int exponent = -1000; exponent <= 190; exponent += 70 )
	{
		bv_vec3 motion = { -ldexp( 1, exponent ), 0, 0 };
		assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, motion, &options, &cast ), bv_ok );
		assert_true( cast.found && fabs( ldexp( cast.time, exponent ) - 0.75 ) < 1e-9 );
	}
	// The time would overflow.
	bv_vec3 slowest = { -0x1p-1070, 0, 0 };
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, slowest, &options, &cast ), bv_ok );
	assert_false( cast.found );
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, origin, &options, &cast ), bv_ok );
	assert_false( cast.found );
	ball.radius = 1.5;
	assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, origin, &options, &cast ), bv_ok );
	assert_true( cast.found && cast.at_start );
}

// From farther away than lanes reach.
static void points_of_all_distances( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 10 );
	for ( uint32_t i = 0; i < ball.vertex_count; ++i )
	{
		ball.positions[i] = plus( ( bv_vec3 ){ 0, 0, 0 }, 0x1p90, ball.positions[i] );
	}
	for ( int round = 0; round < 16; round += 2 )
	{
		const bv_file* file = file_of_round( f, &ball, round );
		for ( int exponent = 80; exponent <= 140; exponent += 5 )
		{
			bv_vec3 point = { 1.5 * ldexp( 1, exponent ), 0, 0 };
			bv_closest_result near;
			assert_int_equal( bv_mesh_closest_point( file, NULL, point, NULL, &near ), bv_ok );
			assert_true( near.found && near.distance <= point.x + 0x1p92 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( files_without_a_hierarchy_are_refused ),
		fixture_test( triangles_of_all_sizes ),
		fixture_test( meshes_that_are_one_triangle_many_times ),
		fixture_test( products_that_overflow_hide_nothing ),
		fixture_test( products_that_underflow_make_nothing_certain ),
		fixture_test( motions_of_all_sizes ),
		fixture_test( points_of_all_distances ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

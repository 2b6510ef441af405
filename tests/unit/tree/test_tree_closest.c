// bv_mesh_closest_point against all triangles, one by one in tests/reference.

#include "queries.h"

#include "tests/reference/nearest.h"

static void nearest_points_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 32; ++round )
	{
		double scale = round % 3 == 0 ? 1 : pow( 10, 2 * random_unit( f ) - 1 );
		bv_vec3 center = { round % 5 == 4 ? 100 : 0, round % 7 == 6 ? -1000 : 0, 0 };
		bvb_mesh soup = random_soup( f, 150, center );
		const bv_file* file = file_of_round( f, &soup, round );
		bv_transform t = random_transform( f, scale, round % 2 == 1, random_around( f ) );

		// As far from rigid as it may be.
		for ( int i = 0; i < 9 && round % 4 == 2; ++i )
		{
			t.pose.rotation[i / 3][i % 3] += 6e-5 * ( random_unit( f ) - 0.5 );
		}
		assert_true( bv_transform_is_valid( &t ) );
		bv_vec3 at = placed( &t, center );
		double error = 1e-13 * ( 1 + length( at ) + scale * ( 1 + length( center ) ) );
		uint32_t count = bv_file_get_mesh( file ).triangles;
		nearest_face* face = calloc( count, sizeof *face );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 corner[3];
			get_placed( file, i, &t, corner );
			face[i] = nearest_face_of( corner );
		}
		nearest_faces all = { face, count };
		uint64_t tests = 0;
		for ( int k = 0; k < 40; ++k )
		{
			bv_vec3 x = plus( at, scale * pow( 10, random_unit( f ) - 0.5 ), random_around( f ) );
			if ( k % 4 == 0 )
			{
				x = face[random_bits( f ) % count].corner[k % 3];
			}
			double expected = nearest_distance( &all, x, NULL );
			bv_closest_result result;
			assert_int_equal( bv_mesh_closest_point( file, &t, x, NULL, &result ), bv_ok );
			assert_true( result.found );
			assert_true( fabs( result.distance - expected ) <= error );
			assert_surface_point( file, &result.at, &t, error );
			assert_true( fabs( length( minus( result.at.point, x ) ) - result.distance ) <= error );
			tests += result.triangle_tests;
		}
		assert_true( tests < 40 * count / 2 );
		free( face );
	}
}

// Over a cube: the corners of its triangles are known.
static void features_and_sides_in_closed_form( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	for ( int mirror = 0; mirror < 2; ++mirror )
	{
		// The mirrored cube is from -1 to 0 along x. Inside is behind, also there.
		bv_transform t = bv_transform_identity();
		t.mirror = mirror;
		double s = mirror ? -1 : 1;
		bv_closest_result r;
		assert_int_equal( bv_mesh_closest_point( file, &t, ( bv_vec3 ){ s * 0.375, 0.25, 4 }, NULL, &r ),
		                  bv_ok );
		assert_true( r.distance == 3 && !r.back && r.at.feature == bv_feature_face && r.at.point.z == 1 );
		assert_int_equal( bv_mesh_closest_point( file, &t, ( bv_vec3 ){ s * 0.5, 0.375, 0.875 }, NULL, &r ),
		                  bv_ok );
		assert_true( r.distance == 0.125 && r.back && r.at.feature == bv_feature_face );
		assert_int_equal( bv_mesh_closest_point( file, &t, ( bv_vec3 ){ s * -2, -2, -1 }, NULL, &r ), bv_ok );
		assert_true( r.distance == 3 && r.at.feature < bv_feature_edge_0 && length( r.at.point ) == 0 );
		assert_int_equal( bv_mesh_closest_point( file, &t, ( bv_vec3 ){ s * 0.5, -3, -4 }, NULL, &r ),
		                  bv_ok );
		assert_true( r.distance == 5 && r.at.feature >= bv_feature_edge_0 && r.at.feature < bv_feature_face &&
		             !r.back );
	}
}

// Over the common side of two triangles, to the last bit: the lesser index, whatever the hierarchy.
static void of_equals_the_first_is_found( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	for ( int round = 0; round < 8; ++round )
	{
		const bv_file* file = file_of_round( f, &cube, round & ~1 );
		bv_closest_result r;
		bv_vec3 corner = { -1, -1, -1 };
		assert_int_equal( bv_mesh_closest_point( file, NULL, corner, NULL, &r ), bv_ok );
		uint32_t first = UINT32_MAX;
		for ( uint32_t i = 12; i-- > 0; )
		{
			bv_vec3 t[3];
			bv_transform none = bv_transform_identity();
			get_placed( file, i, &none, t );
			for ( int k = 0; k < 3; ++k )
			{
				first = length( t[k] ) == 0 ? i : first;
			}
		}
		assert_int_equal( r.at.triangle, first );
	}
}

static void limits_decide_what_is_found( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_closest_result r;
	bv_transform t = bv_transform_identity();
	t.scale = 2;
	bv_vec3 x = { 1, 0.5, 5 };
	assert_int_equal( bv_mesh_closest_point( file, &t, x, &( bv_closest_options ){ 3.001 }, &r ), bv_ok );
	assert_true( r.found && r.distance == 3 );
	assert_int_equal( bv_mesh_closest_point( file, &t, x, &( bv_closest_options ){ 2.999 }, &r ), bv_ok );
	assert_true( !r.found && isinf( r.distance ) && r.triangle_tests == 0 );
	assert_int_equal( bv_mesh_closest_point( file, &t, x, &( bv_closest_options ){ NAN }, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_closest_point( NULL, &t, x, &( bv_closest_options ){ 1 }, &r ),
	                  bv_error_argument );
	x.x = NAN;
	assert_int_equal( bv_mesh_closest_point( file, &t, x, &( bv_closest_options ){ 1 }, &r ),
	                  bv_error_argument );
}

// A rotation that stretches by 4.9e-5, and so the distance from 5 by 0.00025.
static void points_are_nearest_to_where_triangles_are_placed( void** state )
{
	fixture* f = *state;
	static const bv_vec3 positions[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	static const uint32_t triangle[1][3] = { { 0, 1, 2 } };
	bvb_mesh mesh = mesh_of( f, positions, 3, triangle, 1 );
	const bv_file* file = file_of_round( f, &mesh, 0 );
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		bv_transform t = bv_transform_identity();
		for ( int i = 0; i < 3; ++i )
		{
			t.pose.rotation[i][i] += sign * 4.9e-5;
		}
		bv_closest_result r;
		assert_int_equal(
			bv_mesh_closest_point( file, &t, ( bv_vec3 ){ 0, -4, 3 }, &( bv_closest_options ){ 5.0001 }, &r ),
			bv_ok );
		assert_true( r.found && fabs( r.distance - 5 ) < 1e-12 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nearest_points_are_those_of_brute_force ),
		fixture_test( features_and_sides_in_closed_form ),
		fixture_test( of_equals_the_first_is_found ),
		fixture_test( limits_decide_what_is_found ),
		fixture_test( points_are_nearest_to_where_triangles_are_placed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

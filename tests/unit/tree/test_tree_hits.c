// Normals and features of hits. Normals are compared with those of the placed triangles, features with where the
// point is: on a corner, on a side, or away from all sides.

#include "queries.h"

// The front of a mirrored triangle is where its corners run clockwise.
static void assert_normal( const bv_file* file, const bv_surface_point* at, const bv_transform* t )
{
	bv_vec3 corner[3];
	get_placed( file, at->triangle, t, corner );
	bv_vec3 n = normal_of( corner );
	n = plus( ( bv_vec3 ){ 0, 0, 0 }, ( t->mirror ? -1 : 1 ) / length( n ), n );
	assert_true( length( minus( n, at->normal ) ) < 1e-12 );
	assert_true( fabs( length( at->normal ) - 1 ) < 1e-15 );
}

static double distance_to_line( bv_vec3 a, bv_vec3 b, bv_vec3 p )
{
	bv_vec3 u = minus( b, a );
	bv_vec3 v = minus( p, a );
	bv_vec3 n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
	return length( n ) / length( u );
}

static bv_feature feature_at( const bv_file* file, const bv_surface_point* at )
{
	bv_transform none = bv_transform_identity();
	bv_vec3 corner[3];
	int on_corner = -1;
	int on_edge = -1;
	get_placed( file, at->triangle, &none, corner );
	for ( int k = 0; k < 3; ++k )
	{
		on_corner = length( minus( corner[k], at->local ) ) < 1e-9 ? k : on_corner;
		on_edge = distance_to_line( corner[k], corner[( k + 1 ) % 3], at->local ) < 1e-9 ? k : on_edge;
	}
	return on_corner >= 0 ? (bv_feature)( bv_feature_corner_0 + on_corner )
	       : on_edge >= 0 ? (bv_feature)( bv_feature_edge_0 + on_edge )
	                      : bv_feature_face;
}

// Over the cube from 0 to 1: over a face, over its diagonal, over a side, and over a corner.
static const bv_vec3 targets[] = { { 0.5, 0.25, 1 }, { 0.25, 0.5, 1 }, { 0.375, 0.375, 1 }, { 1, 0.5, 1 },
	                               { 0.5, 0, 1 },    { 1, 0, 1 },      { 0, 0, 1 } };

enum
{
	target_count = sizeof targets / sizeof *targets,
};

static const bv_file* cube_file( fixture* f, int round )
{
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	return file_of_round( f, &cube, round & ~1 );
}

// @return the kind: 0 corner, 1 edge, 2 face
static int kind_of( bv_feature feature )
{
	return feature == bv_feature_face ? 2 : feature >= bv_feature_edge_0 ? 1 : 0;
}

static const int kinds[target_count] = { 2, 2, 1, 1, 1, 0, 0 };

static void features_tell_where_hits_are( void** state )
{
	fixture* f = *state;
	bv_transform none = bv_transform_identity();
	for ( int round = 0; round < 8; ++round )
	{
		const bv_file* file = cube_file( f, round );
		for ( int i = 0; i < target_count; ++i )
		{
			bv_vec3 up = { 0, 0, 1 };
			bv_vec3 over = plus( targets[i], 2, up );
			bv_ray ray = { over, { 0, 0, -1 }, 0, 0 };
			bv_convex ball = bv_convex_points( &over, 1, 0.5 );
			bv_ray_result hit;
			bv_closest_result closest;
			bv_cast_result cast;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ), bv_ok );
			assert_int_equal( bv_mesh_closest_point( file, NULL, over, NULL, &closest ), bv_ok );
			assert_int_equal( bv_mesh_cast_convex( file, NULL, &ball, ( bv_vec3 ){ 0, 0, -4 }, NULL, &cast ),
			                  bv_ok );
			const bv_surface_point* at[3] = { &hit.at, &closest.at, &cast.at };
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( length( minus( at[k]->point, targets[i] ) ) < 1e-12 );
				assert_int_equal( at[k]->feature, feature_at( file, at[k] ) );
				assert_int_equal( kind_of( at[k]->feature ), kinds[i] );
				assert_normal( file, at[k], &none );
			}
			assert_true( kinds[i] != 2 || ( hit.at.normal.z == 1 && closest.at.normal.z == 1 ) );
		}
	}
}

// A cube and one of half the size over it, turned by an eighth about x, so that its lowest side is 0.5 over the face.
static void features_of_both_nearest_points( void** state )
{
	fixture* f = *state;
	double h = sqrt( 0.5 );
	for ( int round = 0; round < 8; ++round )
	{
		const bv_file* file = cube_file( f, round );
		bv_transform b_in_a = bv_transform_identity();
		b_in_a.pose = ( bv_pose ){ { { 1, 0, 0 }, { 0, h, -h }, { 0, h, h } }, { 0.0625, 0.3125, 1.5 } };
		b_in_a.scale = 0.5;
		bv_distance_result r;
		assert_int_equal( bv_mesh_distance( file, file, &b_in_a, NULL, &r ), bv_ok );
		bv_transform none = bv_transform_identity();
		assert_true( fabs( r.distance - 0.5 ) < 1e-12 );
		assert_true( r.a.normal.z == 1 );
		assert_normal( file, &r.a, &none );
		assert_normal( file, &r.b, &b_in_a );
		assert_true( kind_of( r.b.feature ) < 2 );
		assert_int_equal( r.a.feature, feature_at( file, &r.a ) );
		assert_int_equal( r.b.feature, feature_at( file, &r.b ) );
	}
}

// Of all queries, for placements with all scales, mirrored, and as far from rigid as is allowed.
static void normals_are_those_of_placed_triangles( void** state )
{
	fixture* f = *state;
	int hits = 0;
	bvb_mesh ball = bumpy_ball( f, 10 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	for ( int i = 0; i < 400; ++i )
	{
		bv_transform t =
			random_transform( f, pow( 10, 2 * random_unit( f ) - 1 ), i % 2 == 0, random_around( f ) );
		t.pose.rotation[i % 3][i / 3 % 3] += i % 5 == 0 ? 4e-5 : 0;
		bv_vec3 from = placed( &t, plus( ( bv_vec3 ){ 0, 0, 0 }, 3, random_around( f ) ) );
		bv_vec3 to = placed( &t, plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, random_around( f ) ) );
		bv_ray ray = { from, minus( to, from ), 0, 0 };
		bv_convex shape = bv_convex_points( &from, 1, 0.01 * t.scale );
		bv_ray_result hit;
		bv_closest_result closest;
		bv_cast_result cast;
		bv_distance_result apart;
		assert_int_equal( bv_mesh_cast_ray( file, &t, &ray, NULL, &hit ), bv_ok );
		assert_int_equal( bv_mesh_closest_point( file, &t, from, NULL, &closest ), bv_ok );
		assert_int_equal( bv_mesh_cast_convex( file, &t, &shape, minus( to, from ), NULL, &cast ), bv_ok );
		assert_int_equal( bv_mesh_distance( file, file, &t, NULL, &apart ), bv_ok );
		bv_transform none = bv_transform_identity();
		assert_normal( file, &closest.at, &t );
		assert_normal( file, &apart.a, &none );
		assert_normal( file, &apart.b, &t );
		if ( hit.found )
		{
			// Fronts face the ray.
			hits += 1;
			assert_normal( file, &hit.at, &t );
			assert_int_equal( dot( hit.at.normal, ray.direction ) > 0, hit.back );
		}
		if ( cast.found )
		{
			assert_normal( file, &cast.at, &t );
		}
	}
	assert_true( hits > 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( features_tell_where_hits_are ),
		fixture_test( features_of_both_nearest_points ),
		fixture_test( normals_are_those_of_placed_triangles ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Distances between the convex parts of two files: branch and bound finds what a comparison of all pairs finds.

#include "../decomposed_meshes.h"

#include "bv/compound.h"

#include <math.h>

// With the offset that the file then has.
static const bv_file* build_parts( fixture* f, const bvb_mesh* mesh, bv_vec3 offset )
{
	bvb_error error = { "" };
	bvb_asset asset;
	bvb_bytes bytes = { 0 };
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_scene scene = { .mesh = *mesh };
	bvb_asset_options options = bvb_asset_options_default();
	options.sections |= 1u << bvb_section_parts;
	options.decompose.max_parts = 24;
	options.decompose.effort = 0;
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
	asset.record.offset = offset;
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
	return open_bytes( bytes );
}

static bv_status find( const bv_file* const file[2], const bv_transform* at, bv_convex_method method,
                       bv_compound_distance_result* out )
{
	bv_compound a = bv_compound_of_parts( file[0] );
	bv_compound b = bv_compound_of_parts( file[1] );
	size_t bytes = bv_compound_distance_bytes( &a, &b );
	void* memory = malloc( bytes );
	bv_convex_options options = { .method = method };
	bv_status status = bv_compound_distance( &a, &b, at, &options, memory, bytes, out );
	free( memory );
	return status;
}

typedef struct brute
{
	double lower;
	double upper;
	uint64_t pairs;
} brute;

static brute compare_all( const bv_file* a, const bv_file* b, const bv_transform* at,
                          bv_convex_method method )
{
	brute out = { INFINITY, INFINITY, 0 };
	uint32_t count[2] = { bv_file_get_decomposition( a ).parts, bv_file_get_decomposition( b ).parts };
	bv_convex_options options = { .method = method };
	for ( uint32_t i = 0; i < count[0]; ++i )
	{
		for ( uint32_t k = 0; k < count[1]; ++k )
		{
			bv_convex part[2] = { bv_convex_part( a, i ), bv_convex_part( b, k ) };
			bv_convex_result r;
			assert_int_equal( bv_convex_distance( part, part + 1, at, &options, &r ), bv_ok );
			out.lower = fmin( out.lower, r.lower );
			out.upper = fmin( out.upper, r.upper );
			out.pairs += 1;
		}
	}
	return out;
}

// A random rotation, and b's middle up to `far` from a's.
static bv_transform next_placement( fixture* f, bv_vec3 a_middle, bv_vec3 b_middle, double far )
{
	placement p = random_placement( f );
	bv_transform t = bv_transform_identity();
	for ( int i = 0; i < 3; ++i )
	{
		double* row = t.pose.rotation[i];
		row[0] = i == 0 ? p.axis[0].x : i == 1 ? p.axis[0].y : p.axis[0].z;
		row[1] = i == 0 ? p.axis[1].x : i == 1 ? p.axis[1].y : p.axis[1].z;
		row[2] = i == 0 ? p.axis[2].x : i == 1 ? p.axis[2].y : p.axis[2].z;
	}
	bv_vec3 moved = bv_transform_point( &t, b_middle );
	bv_vec3 way = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
	t.pose.translation = plus( plus( a_middle, -1, moved ), 2 * far, way );
	return t;
}

static bv_vec3 middle_of( const bvb_mesh* mesh, bv_vec3 offset )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		sum = plus( sum, 1.0 / mesh->vertex_count, mesh->positions[i] );
	}
	return plus( sum, 1, offset );
}

static void search_finds_what_all_pairs_have( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh[2] = { spring( f, 2, 16, 6 ), jack( f ) };
	const bv_vec3 offset[2] = { { 0, 0, 0 }, { 1e6 / 3, -2e6, 1e5 / 7 } };
	const bv_file* file[2];
	bv_vec3 middle[2];
	for ( int i = 0; i < 2; ++i )
	{
		file[i] = build_parts( f, mesh + i, offset[i] );
		middle[i] = middle_of( mesh + i, offset[i] );
		assert_true( bv_file_get_decomposition( file[i] ).parts >= 3 );
	}
	uint64_t pairs = 0;
	uint64_t tests = 0;
	int apart = 0;
	const bv_convex_method methods[] = { bv_convex_method_default, bv_convex_method_sat,
		                                 bv_convex_method_chung_wang };
	for ( int i = 0; i < 96; ++i )
	{
		int a = i % 2;
		int b = i / 2 % 2;
		bv_convex_method method = methods[i / 4 % 3];
		bv_transform t = next_placement( f, middle[a], middle[b], i % 5 );
		brute all = compare_all( file[a], file[b], &t, method );
		bv_compound_distance_result found;
		assert_int_equal( find( ( const bv_file* const[] ){ file[a], file[b] }, &t, method, &found ), bv_ok );
		assert_true( found.nearest.upper == all.upper );
		assert_true( found.nearest.lower >= all.lower && found.nearest.lower <= all.upper );

		// The pair that is named has that distance.
		bv_convex part[2] = { bv_convex_part( file[a], found.leaf[0] ),
			                  bv_convex_part( file[b], found.leaf[1] ) };
		bv_convex_options options = { .method = method };
		bv_convex_result r;
		assert_int_equal( bv_convex_distance( part, part + 1, &t, &options, &r ), bv_ok );
		assert_true( r.upper == found.nearest.upper );
		assert_memory_equal( &r.normal, &found.nearest.normal, sizeof r.normal );
		assert_memory_equal( r.point, found.nearest.point, sizeof r.point );
		pairs += all.pairs;
		tests += found.pair_tests;
		apart += found.nearest.lower > 0;
	}
	assert_in_range( apart, 20, 90 );
	assert_true( 3 * tests < pairs );
}

static void methods_that_do_not_compare_parts_leave_the_result( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = jack( f );
	const bv_file* file = build_parts( f, &mesh, ( bv_vec3 ){ 0, 0, 0 } );
	bv_compound_distance_result found = { .pair_tests = 77 };
	assert_int_equal( find( ( const bv_file* const[] ){ file, file }, NULL, bv_convex_method_closed, &found ),
	                  bv_error_unsupported );
	assert_int_equal( found.pair_tests, 77 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( search_finds_what_all_pairs_have, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( methods_that_do_not_compare_parts_leave_the_result, fixture_setup,
		                                 fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

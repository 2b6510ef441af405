// What fills arrays in one call, against the single calls and callbacks that other tests compare with brute force: points in
// solids, lists of pairs and of triangles, vertices and triangles of a file.

#include "queries.h"

enum
{
	point_count = 400,
};

static bv_array doubles( const void* data, ptrdiff_t stride )
{
	return ( bv_array ){ data, stride, bv_number_double };
}

static const bv_file* file_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset_options options = plain_options();
	return build_file( f, mesh, &options );
}

// In, on and outside of a cube, with and without limits, at once and one by one.
static void points_in_solids_have_the_results_of_single_calls( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bvb_mesh soup = random_soup( f, 30, ( bv_vec3 ){ 0, 0, 0 } );
	int sides[bv_sides] = { 0 };
	for ( int round = 0; round < 8; ++round )
	{
		const bv_file* file = file_of( f, round == 7 ? &soup : &cube );
		bv_transform turned = random_transform( f, 2, round % 4 == 3, random_around( f ) );
		const bv_transform* placement = round % 2 == 0 ? NULL : &turned;
		bv_vec3 points[point_count];
		double limits[point_count];
		bv_contains_result results[point_count];
		for ( int i = 0; i < point_count; ++i )
		{
			points[i] = plus( ( bv_vec3 ){ 0.5, 0.5, 0.5 }, 1, random_around( f ) );
			points[i].x = i % 10 == 0 ? 0 : points[i].x;
			limits[i] = i % 3 == 0 ? 0 : 0.3 * random_unit( f );
		}
		bv_points batch = { point_count, doubles( points, sizeof *points ), { 0 } };
		batch.limit = round % 3 == 1 ? doubles( limits, sizeof *limits ) : batch.limit;
		bv_contains_options options = { round < 4 ? 0 : 0.4 };
		size_t invalid = 0;
		memset( results, 0x5A, sizeof results );
		assert_int_equal( bv_mesh_contains_points( file, placement, &batch, &options, results, &invalid ),
		                  bv_ok );
		assert_true( invalid == SIZE_MAX );
		for ( int i = 0; i < point_count; ++i )
		{
			double own = batch.limit.data && limits[i] > 0 ? limits[i] : INFINITY;
			bv_contains_options limit = { fmin( own, options.limit > 0 ? options.limit : INFINITY ) };
			bv_contains_result single;
			assert_int_equal( bv_mesh_contains( file, placement, points[i], &limit, &single ), bv_ok );
			assert_true( results[i].found == single.found && results[i].side == single.side &&
			             results[i].volume_tests == single.volume_tests &&
			             results[i].triangle_tests == single.triangle_tests );
			assert_memory_equal( &results[i].distance, &single.distance, sizeof single.distance );
			assert_memory_equal( &results[i].at.point, &single.at.point, sizeof single.at.point );
			sides[single.side] += 1;
		}
	}
	assert_true( sides[bv_side_inside] > 100 && sides[bv_side_outside] > 100 &&
	             sides[bv_side_unknown] > 100 );
}

static void invalid_points_are_named_and_nothing_is_changed( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of( f, &cube );
	static const double bad[][4] = { { NAN, 0, 0, 0 }, { 0, 0x1p201, 0, 0 }, { 0, 0, 0, -1 } };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		double numbers[6][4] = { { 0 } };
		bv_contains_result results[6];
		bv_contains_result before[6];
		memset( results, 0x5A, sizeof results );
		memset( before, 0x5A, sizeof before );
		memcpy( numbers[i + 1], bad[i], sizeof bad[i] );
		bv_points batch = { 6, doubles( numbers, sizeof *numbers ),
			                doubles( numbers[0] + 3, sizeof *numbers ) };
		size_t invalid = 0;
		assert_int_equal( bv_mesh_contains_points( file, NULL, &batch, NULL, results, &invalid ),
		                  bv_error_argument );
		assert_true( invalid == i + 1 );
		assert_memory_equal( results, before, sizeof results );
		batch.count = i + 1;
		assert_int_equal( bv_mesh_contains_points( file, NULL, &batch, NULL, results, NULL ), bv_ok );
		batch.point.type = bv_numbers;
		assert_int_equal( bv_mesh_contains_points( file, NULL, &batch, NULL, results, &invalid ),
		                  bv_error_argument );
		assert_true( invalid == SIZE_MAX );
	}
	bv_points none = { 0 };
	bv_contains_options negative = { -1 };
	bv_contains_result result;
	assert_int_equal( bv_mesh_contains_points( file, NULL, &none, NULL, NULL, NULL ), bv_ok );
	assert_int_equal( bv_mesh_contains_points( file, NULL, &none, &negative, &result, NULL ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contains_points( file, NULL, NULL, NULL, &result, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_contains_points( NULL, NULL, &none, NULL, &result, NULL ), bv_error_argument );
}

typedef struct pairs_seen
{
	uint32_t pairs[4096][2];
	uint32_t count;
} pairs_seen;

static bool see_pair( void* context, uint32_t a, uint32_t b )
{
	pairs_seen* seen = context;
	assert_true( seen->count < 4096 );
	seen->pairs[seen->count][0] = a;
	seen->pairs[seen->count++][1] = b;
	return true;
}

static bool see_triangle( void* context, uint32_t triangle )
{
	return see_pair( context, triangle, 0 );
}

// A list with room for all, one with room for half of them, and one that counts.
static void lists_have_what_callbacks_get( void** state )
{
	fixture* f = *state;
	static pairs_seen seen;
	static uint32_t stored[4096][2];
	static uint32_t triangles[4096];
	bvb_mesh soup = random_soup( f, 200, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* file = file_of( f, &soup );
	bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 0.1, 0, 0 } );
	bv_collide_options each = { .callback = see_pair, .context = &seen };
	bv_collide_result result;
	seen.count = 0;
	assert_int_equal( bv_mesh_collide( file, file, &t, &each, &result ), bv_ok );
	assert_true( seen.count > 20 && result.pairs == seen.count );
	for ( uint32_t capacity = seen.count;; capacity /= 2 )
	{
		bv_pair_list list = { 0, capacity > 0 ? stored : NULL, capacity, 0 };
		bv_collide_options listed = { .callback = bv_pair_list_add, .context = &list };
		memset( stored, 0xFF, sizeof stored );
		assert_int_equal( bv_mesh_collide( file, file, &t, &listed, &result ), bv_ok );
		assert_true( list.count == seen.count );
		assert_memory_equal( stored, seen.pairs, capacity * sizeof *stored );
		assert_true( stored[capacity][0] == UINT32_MAX );
		if ( capacity == 0 )
		{
			break;
		}
	}
	bv_sphere ball = { { 0, 0, 0 }, 0.3 };
	bv_overlap_options each_triangle = { .callback = see_triangle, .context = &seen };
	bv_overlap_result overlap;
	seen.count = 0;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, &each_triangle, &overlap ), bv_ok );
	assert_true( seen.count > 20 );
	for ( uint32_t capacity = seen.count;; capacity /= 2 )
	{
		bv_triangle_list list = { 0, capacity > 0 ? triangles : NULL, capacity, 0 };
		bv_overlap_options listed = { .callback = bv_triangle_list_add, .context = &list };
		memset( triangles, 0xFF, sizeof triangles );
		assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, &listed, &overlap ), bv_ok );
		assert_true( list.count == seen.count && triangles[capacity] == UINT32_MAX );
		for ( uint32_t i = 0; i < capacity; ++i )
		{
			assert_int_equal( triangles[i], seen.pairs[i][0] );
		}
		if ( capacity == 0 )
		{
			break;
		}
	}
}

static void lists_end_queries_after_so_many( void** state )
{
	fixture* f = *state;
	bvb_mesh soup = random_soup( f, 200, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* file = file_of( f, &soup );
	bv_sphere ball = { { 0, 0, 0 }, 0.3 };
	for ( size_t most = 1; most < 5; ++most )
	{
		uint32_t pairs[5][2];
		uint32_t triangles[5];
		bv_pair_list list = { most, pairs, 5, 0 };
		bv_triangle_list found = { most, triangles, 5, 0 };
		bv_collide_options options = { .callback = bv_pair_list_add, .context = &list };
		bv_overlap_options overlap = { .callback = bv_triangle_list_add, .context = &found };
		bv_collide_result result;
		bv_overlap_result overlapping;
		assert_int_equal( bv_mesh_collide( file, file, NULL, &options, &result ), bv_ok );
		assert_true( list.count == most && result.pairs == most );
		assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, &overlap, &overlapping ), bv_ok );
		assert_true( found.count == most && overlapping.triangles == most );
	}
}

// Stored as floats and as grid points, near and far; all, a part of them, the last ones, and none.
static void vertices_and_triangles_are_those_of_single_calls( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 4; ++round )
	{
		bvb_asset_options options = plain_options();
		options.record.positions = round % 2 == 0 ? bvb_positions_float : bvb_positions_quantized;
		bvb_mesh soup = random_soup( f, 100, ( bv_vec3 ){ round < 2 ? 0 : 1e7, 0, 0 } );
		const bv_file* file = build_file( f, &soup, &options );
		bv_mesh_info mesh = bv_file_get_mesh( file );
		static bv_vec3 vertices[1000];
		static uint32_t triangles[1000][3];
		assert_true( mesh.vertices > 100 && mesh.vertices < 1000 );
		assert_true( ( bv_file_get_offset( file ).x == 0 ) == ( round < 2 ) );
		const uint32_t firsts[] = { 0, 7, mesh.triangles - 1, mesh.vertices - 1, mesh.vertices, UINT32_MAX };
		for ( int i = 0; i < 6; ++i )
		{
			uint32_t first = firsts[i];
			for ( uint32_t count = 0; count < 1000; count = 3 * count + 1 )
			{
				uint32_t n = bv_file_get_vertices( file, first, count, count > 0 ? vertices : NULL );
				assert_true( n == ( first >= mesh.vertices          ? 0
				                    : count < mesh.vertices - first ? count
				                                                    : mesh.vertices - first ) );
				for ( uint32_t k = 0; k < n; ++k )
				{
					bv_vec3 v = bv_file_get_vertex( file, first + k );
					assert_memory_equal( vertices + k, &v, sizeof v );
				}
				n = bv_file_get_triangles( file, first, count, count > 0 ? triangles : NULL );
				assert_true( n == ( first >= mesh.triangles          ? 0
				                    : count < mesh.triangles - first ? count
				                                                     : mesh.triangles - first ) );
				for ( uint32_t k = 0; k < n; ++k )
				{
					uint32_t corner[3];
					bv_file_get_triangle( file, first + k, corner );
					assert_memory_equal( triangles[k], corner, sizeof corner );
				}
			}
		}
		options.sections = 0;
		const bv_file* counts_only = build_file( f, &soup, &options );
		assert_true( bv_file_get_vertices( counts_only, 0, 1000, vertices ) == 0 );
		assert_true( bv_file_get_triangles( counts_only, 0, 1000, triangles ) == 0 );
	}
}

static void the_version_is_that_of_the_headers( void** state )
{
	(void)state;
	assert_string_equal( bv_version(), BV_VERSION );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( points_in_solids_have_the_results_of_single_calls ),
		fixture_test( invalid_points_are_named_and_nothing_is_changed ),
		fixture_test( lists_have_what_callbacks_get ),
		fixture_test( lists_end_queries_after_so_many ),
		fixture_test( vertices_and_triangles_are_those_of_single_calls ),
		fixture_test( the_version_is_that_of_the_headers ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// What deformable meshes do not take, and that nothing changes then; sizes of memory; files of unusual form.

#include "tests/unit/bvh_damage.h"
#include "tests/unit/deform/bent_meshes.h"
#include "tests/unit/deform/tight.h"

#include <float.h>

// The whole block, guards included, as it was.
typedef struct kept
{
	const bent* of;
	unsigned char* bytes;
	bvw_deform_report report;
} kept;

static const bvw_deform_report unset = { 77, 78, true };

static kept keep( const bent* b )
{
	kept k = { b, malloc( b->bytes + 2 * guard_bytes ), unset };
	memcpy( k.bytes, b->block, b->bytes + 2 * guard_bytes );
	return k;
}

static void assert_kept( const kept* k, bv_status status )
{
	assert_int_equal( status, bv_error_argument );
	assert_memory_equal( k->bytes, k->of->block, k->of->bytes + 2 * guard_bytes );
	assert_true( k->report.vertices == unset.vertices && k->report.nodes == unset.nodes && k->report.whole );
}

// Positions are checked by the tasks.
static void* start_in_turn( void* context, void ( *task )( void* data, uint32_t k ), void* data,
                            uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		task( data, i );
	}
	return context;
}

static void no_finish( void* context, void* started )
{
	(void)context;
	(void)started;
}

// Each function of refits with the same positions.
static void assert_none_takes( kept* k, const bvw_vertices* v, const uint32_t* list, uint32_t count )
{
	bent b = *k->of;
	bvw_vertices good = vertices_of( &b );
	const bvw_tasks tasks = { NULL, 2, start_in_turn, no_finish };
	assert_kept( k, bvw_deform_refit( b.deform, v, list, count, &k->report ) );
	if ( !list )
	{
		assert_kept( k, bvw_deform_refit_on( b.deform, v, NULL, &k->report ) );
		assert_kept( k, bvw_deform_refit_on( b.deform, v, &tasks, &k->report ) );
		assert_kept( k, bvw_deform_refit_motion( b.deform, v, &good, NULL, &k->report ) );
		assert_kept( k, bvw_deform_refit_motion( b.deform, &good, v, &tasks, &k->report ) );
	}
}

static const bvw_deform_options all_options = { .motion = true, .workers = 2 };

static bent small_bent( fixture* f, const bvw_deform_options* options )
{
	return bend_file( f, bent_file( f, 2, bv_volume_types ), options );
}

static void bad_coordinates_change_nothing( void** state )
{
	fixture* f = *state;
	bent b = small_bent( f, &all_options );
	kept k = keep( &b );
	bvw_vertices v = vertices_of( &b );
	const double bad[] = { NAN,    -NAN,    INFINITY, -INFINITY, BVW_MAX_POSITION * ( 1 + 0x1p-52 ),
		                   -1e300, DBL_MAX, 3e36 };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		const uint32_t numbers[] = { 0, 1, 3 * ( b.vertices / 2 ), 3 * b.vertices - 1 };
		for ( int n = 0; n < 4; ++n )
		{
			double was = b.positions[numbers[n]];
			uint32_t list[] = { 3, numbers[n] / 3, 4 };
			b.positions[numbers[n]] = bad[i];
			assert_none_takes( &k, &v, NULL, 0 );
			assert_none_takes( &k, &v, list, 3 );
			b.positions[numbers[n]] = was;
		}
	}

	// In binary32, too.
	float* floats = malloc( 3 * sizeof *floats * b.vertices );
	for ( uint32_t i = 0; i < 3 * b.vertices; ++i )
	{
		floats[i] = (float)b.positions[i];
	}
	bvw_vertices in_floats = { .floats = floats, .count = b.vertices };
	const float bad_floats[] = { NAN, INFINITY, -INFINITY, FLT_MAX,
		                         nextafterf( (float)BVW_MAX_POSITION, INFINITY ) };
	for ( size_t i = 0; i < sizeof bad_floats / sizeof *bad_floats; ++i )
	{
		floats[3 * b.vertices - 2] = bad_floats[i];
		assert_none_takes( &k, &in_floats, NULL, 0 );
	}
	free( floats );
	free( k.bytes );
	end_bent( &b );
}

static void bad_descriptions_change_nothing( void** state )
{
	fixture* f = *state;
	bent b = small_bent( f, &all_options );
	kept k = keep( &b );
	float* floats = malloc( 12 * (size_t)b.vertices + 8 );
	memset( floats, 0, 12 * (size_t)b.vertices + 8 );
	bvw_vertices good = vertices_of( &b );
	bvw_vertices v = good;
	assert_none_takes( &k, NULL, NULL, 0 );
	v = ( bvw_vertices ){ .count = b.vertices };
	assert_none_takes( &k, &v, NULL, 0 );
	v = good;
	v.floats = floats;
	assert_none_takes( &k, &v, NULL, 0 );

	// Counts that are not the file's.
	const uint32_t counts[] = { 0, 1, b.vertices - 1, b.vertices + 1, UINT32_MAX };
	for ( int i = 0; i < 5; ++i )
	{
		v = good;
		v.count = counts[i];
		assert_none_takes( &k, &v, NULL, 0 );
	}

	// Strides that are too small, or would misalign a number.
	const uint32_t strides[] = { 1, 4, 8, 12, 16, 20, 23, 25, 28, UINT32_MAX };
	for ( int i = 0; i < 10; ++i )
	{
		v = good;
		v.stride = strides[i];
		assert_none_takes( &k, &v, NULL, 0 );
	}
	const uint32_t float_strides[] = { 1, 4, 8, 10, 13, 14, 15, 18 };
	for ( int i = 0; i < 8; ++i )
	{
		v = ( bvw_vertices ){ .floats = floats, .count = b.vertices, .stride = float_strides[i] };
		assert_none_takes( &k, &v, NULL, 0 );
	}

	// Addresses that are not aligned.
	for ( size_t i = 1; i < 8; ++i )
	{
		v = good;
		v.positions = (const double*)(const void*)( (const char*)b.positions + i );
		assert_none_takes( &k, &v, NULL, 0 );
		v = ( bvw_vertices ){ .count = b.vertices };
		v.floats = (const float*)(const void*)( (const char*)floats + i );
		if ( i != 4 )
		{
			assert_none_takes( &k, &v, NULL, 0 );
		}
	}

	// Numbers that are not there.
	uint32_t* index = malloc( sizeof *index * b.vertices );
	memset( index, 0, sizeof *index * b.vertices );
	v = good;
	v.index = index;
	index[b.vertices - 1] = b.vertices;
	assert_none_takes( &k, &v, NULL, 0 );
	index[b.vertices - 1] = UINT32_MAX;
	assert_none_takes( &k, &v, NULL, 0 );
	const uint32_t lists[][2] = { { b.vertices, 0 }, { 0, b.vertices }, { 0, UINT32_MAX } };
	for ( int i = 0; i < 3; ++i )
	{
		assert_none_takes( &k, &good, lists[i], 2 );
	}
	v = good;
	v.count = 5;
	assert_none_takes( &k, &v, ( const uint32_t[] ){ 1, 5 }, 2 );
	assert_kept( &k, bvw_deform_refit( b.deform, &good, NULL, 1, &k.report ) );
	free( index );
	free( floats );
	free( k.bytes );
	end_bent( &b );
}

static void bad_tasks_and_missing_options_change_nothing( void** state )
{
	fixture* f = *state;
	bent b = small_bent( f, &all_options );
	kept k = keep( &b );
	bvw_vertices v = vertices_of( &b );
	const bvw_tasks bad[] = { { NULL, 2, NULL, no_finish },
		                      { NULL, 2, start_in_turn, NULL },
		                      { NULL, 0, start_in_turn, no_finish },
		                      { NULL, 3, start_in_turn, no_finish },
		                      { NULL, UINT32_MAX, start_in_turn, no_finish } };
	for ( int i = 0; i < 5; ++i )
	{
		assert_kept( &k, bvw_deform_refit_on( b.deform, &v, bad + i, &k.report ) );
		assert_kept( &k, bvw_deform_refit_motion( b.deform, &v, &v, bad + i, &k.report ) );
	}
	assert_kept( &k, bvw_deform_refit_motion( b.deform, NULL, &v, NULL, &k.report ) );
	assert_kept( &k, bvw_deform_refit_motion( b.deform, &v, NULL, NULL, &k.report ) );
	free( k.bytes );
	assert_int_equal( bvw_deform_refit( NULL, &v, NULL, 0, NULL ), bv_error_argument );
	assert_int_equal( bvw_deform_refit_on( NULL, &v, NULL, NULL ), bv_error_argument );
	assert_int_equal( bvw_deform_refit_motion( NULL, &v, &v, NULL, NULL ), bv_error_argument );
	assert_null( bvw_deform_file( NULL ) );
	end_bent( &b );

	// No lists, and no motion.
	bent fixed = small_bent( f, &( bvw_deform_options ){ .no_lists = true } );
	kept k2 = keep( &fixed );
	v = vertices_of( &fixed );
	const uint32_t none[] = { 0 };
	assert_kept( &k2, bvw_deform_refit( fixed.deform, &v, none, 1, &k2.report ) );
	assert_kept( &k2, bvw_deform_refit_motion( fixed.deform, &v, &v, NULL, &k2.report ) );
	free( k2.bytes );
	deform( f, &fixed, deform_noise );
	refit_all( &fixed );
	bvb_mesh now;
	check_bent( f, &fixed, &now );
	end_bent( &fixed );
}

// The greatest position is one that is taken, about the offset.
static void the_greatest_position_is_taken( void** state )
{
	fixture* f = *state;
	bent b = small_bent( f, &all_options );
	bvw_vertices v = vertices_of( &b );
	b.positions[4] = BVW_MAX_POSITION;
	b.positions[8] = -BVW_MAX_POSITION;
	assert_int_equal( bvw_deform_refit( b.deform, &v, NULL, 0, NULL ), bv_ok );
	end_bent( &b );
}

static void begin_takes_exactly_what_it_asks_for( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 2 * bent_volumes; ++i )
	{
		const bv_file* file = bent_file( f, 1 + i % 4, i % bent_volumes );
		bvw_deform_options options = { .no_lists = i % 2, .motion = i % 3 == 0, .workers = (uint32_t)i % 3 };
		options.frames = i % 4 == 1 ? bvw_deform_turn : bvw_deform_keep;
		size_t bytes = bvw_deform_bytes( file, &options );
		unsigned char* block;
		void* memory = begin_block( bytes, &block );
		bvw_deform* deform = (bvw_deform*)&options;
		const size_t less[] = { 0, 1, bytes / 2, bytes - 1 };
		for ( int k = 0; k < 4; ++k )
		{
			assert_int_equal( bvw_deform_begin( file, &options, memory, less[k], &deform ), bv_error_memory );
		}
		for ( size_t k = 1; k < 8; ++k )
		{
			assert_int_equal( bvw_deform_begin( file, &options, (char*)memory + k, bytes, &deform ),
			                  bv_error_argument );
		}
		assert_int_equal( bvw_deform_begin( NULL, &options, memory, bytes, &deform ), bv_error_argument );
		assert_int_equal( bvw_deform_begin( file, &options, NULL, bytes, &deform ), bv_error_argument );
		assert_int_equal( bvw_deform_begin( file, &options, memory, bytes, NULL ), bv_error_argument );
		bvw_deform_options bad = options;
		bad.workers = BVW_MAX_WORKERS + 1;
		assert_int_equal( bvw_deform_begin( file, &bad, memory, bytes, &deform ), bv_error_argument );
		assert_int_equal( bvw_deform_bytes( file, &bad ), 0 );
		bad = options;
		bad.frames = bvw_deform_rules;
		assert_int_equal( bvw_deform_begin( file, &bad, memory, bytes, &deform ), bv_error_argument );
		assert_int_equal( bvw_deform_bytes( file, &bad ), 0 );
		assert_ptr_equal( deform, &options );
		for ( size_t k = 0; k < bytes + 2 * guard_bytes; ++k )
		{
			assert_int_equal( block[k], guard_value );
		}
		assert_int_equal( bvw_deform_begin( file, &options, memory, bytes, &deform ), bv_ok );
		assert_ptr_equal( deform, memory );
		free( block );
	}
	assert_int_equal( bvw_deform_bytes( NULL, NULL ), 0 );

	// Defaults are what zeros are.
	const bv_file* file = bent_file( f, 0, 0 );
	bvw_deform_options zeros = { .workers = 0 };
	bvw_deform_options defaults = bvw_deform_options_default();
	assert_memory_equal( &zeros, &defaults, sizeof zeros );
	assert_int_equal( bvw_deform_bytes( file, NULL ), bvw_deform_bytes( file, &zeros ) );
}

static void a_file_without_a_hierarchy_is_not_taken( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = icosahedron( f );
	bvb_asset_options options = plain_options();
	options.sections = bvb_sections_without( bvb_sections_default(), bvb_section_tree );
	const bv_file* file = build_file( f, &mesh, &options );
	assert_int_equal( bvw_deform_bytes( file, NULL ), 0 );
	uint64_t memory[1000];
	bvw_deform* deform = NULL;
	assert_int_equal( bvw_deform_begin( file, NULL, memory, sizeof memory, &deform ), bv_error_argument );
	assert_null( deform );
}

// Such files are valid, but bvbuild does not make them.
static void a_file_with_positions_out_of_range_is_not_taken( void** state )
{
	fixture* f = *state;
	const float bad[] = { 1e37f, -FLT_MAX };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_bytes bytes = small_file( f, bvb_positions_float );
		( (float*)section_of( bytes, bvfile_section_positions ) )[5] = bad[i];
		repair( bytes );
		const bv_file* file = open_bytes( bytes );
		size_t size = bvw_deform_bytes( file, NULL );
		void* memory = malloc( size );
		bvw_deform* deform = NULL;
		assert_int_equal( bvw_deform_begin( file, NULL, memory, size, &deform ), bv_error_argument );
		assert_null( deform );
		free( memory );
	}
}

static void deform_and_check( fixture* f, const bv_file* file, int rounds )
{
	const bvw_deform_options options = { .motion = true, .workers = 3 };
	bent b = bend_file( f, file, &options );
	bent listed = bend_file( f, file, NULL );
	bvb_mesh now;
	check_bent( f, &b, &now );
	for ( int i = 0; i < rounds; ++i )
	{
		deform( f, &b, i % deform_kinds );
		memcpy( listed.positions, b.positions, 3 * sizeof *b.positions * b.vertices );
		refit_all( &b );
		plain_nodes nodes = check_bent( f, &b, &now );
		assert_tight( &nodes, &now );
		uint32_t* all = malloc( sizeof *all * b.vertices );
		for ( uint32_t k = 0; k < b.vertices; ++k )
		{
			all[k] = b.vertices - 1 - k;
		}
		bvw_vertices v = vertices_of( &listed );
		assert_int_equal( bvw_deform_refit( listed.deform, &v, all, b.vertices, NULL ), bv_ok );
		assert_same_images( &b, &listed );
		free( all );
		if ( i % 4 == 3 )
		{
			reset_positions( &b );
		}
	}
	end_bent( &b );
	end_bent( &listed );
}

// One triangle; many triangles in a root that is a leaf; leaves with more triangles than a kind can say; all of all types.
static void roots_that_are_leaves_and_large_leaves_are_refitted( void** state )
{
	fixture* f = *state;
	const bv_vec3 corners[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0.5 } };
	static const uint32_t triangle[1][3] = { { 0, 1, 2 } };
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = bent_types( volumes );
		bvb_mesh mesh = mesh_of( f, corners, 3, triangle, 1 );
		deform_and_check( f, build_file( f, &mesh, &options ), deform_kinds );

		// Leaves of 40, 70 and 300 triangles.
		const uint32_t most[] = { 40, 70, 300 };
		for ( int i = 0; i < 3; ++i )
		{
			options.hierarchy.leaf_triangles = most[i];
			options.hierarchy.max_depth = i == 2 ? 0 : 2;
			mesh = random_soup( f, 220, ( bv_vec3 ){ 0, 1, 0 } );
			const bv_file* file = build_file( f, &mesh, &options );
			deform_and_check( f, file, i == volumes % 3 ? deform_kinds : 2 );
		}
	}
}

// A valid file whose vertices are not numbered by first use: its triangles are those of another order, with references into a list
// of old vertices that stand for all of them.
static void vertices_in_any_order_are_enclosed( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		bvb_mesh mesh = random_soup( f, 20, ( bv_vec3 ){ 0, 0, 0 } );
		bvb_asset_options options = plain_options();
		options.hierarchy.leaf_triangles = 2;
		options.hierarchy.volume_types = bent_types( volumes );
		bvb_bytes bytes = build_bytes( f, &mesh, &options );
		uint32_t vertices = bv_file_get_mesh( open_bytes( bytes ) ).vertices;

		// All triangles are in one cluster without references: codes are numbers of vertices.
		uint8_t* codes = triangle_codes_of( bytes );
		float* positions = section_of( bytes, bvfile_section_positions );
		assert_true( vertices <= 256 );
		uint8_t to[256];
		for ( uint32_t i = 0; i < vertices; ++i )
		{
			to[i] = (uint8_t)i;
		}
		for ( uint32_t i = vertices; i > 1; --i )
		{
			uint32_t k = (uint32_t)( random_bits( f ) % i );
			uint8_t other = to[k];
			to[k] = to[i - 1];
			to[i - 1] = other;
		}
		float* moved_to = malloc( 12 * (size_t)vertices );
		for ( uint32_t i = 0; i < vertices; ++i )
		{
			memcpy( moved_to + 3 * to[i], positions + 3 * i, 12 );
		}
		memcpy( positions, moved_to, 12 * (size_t)vertices );
		free( moved_to );
		for ( uint32_t i = 0; i < 3 * mesh.triangle_count; ++i )
		{
			codes[i] = to[codes[i]];
		}
		repair( bytes );
		const bv_file* file = open_bytes( bytes );
		bent b = bend_file( f, file, NULL );
		bent listed = bend_file( f, file, NULL );
		bvb_mesh now;
		check_bent( f, &b, &now );
		for ( int i = 0; i < deform_kinds; ++i )
		{
			deform( f, &b, i );
			refit_all( &b );
			check_bent( f, &b, &now );

			// A list gives the same.
			memcpy( listed.positions, b.positions, 3 * sizeof *b.positions * b.vertices );
			uint32_t all[256];
			for ( uint32_t k = 0; k < vertices; ++k )
			{
				all[k] = k;
			}
			bvw_vertices v = vertices_of( &listed );
			assert_int_equal( bvw_deform_refit( listed.deform, &v, all, vertices, NULL ), bv_ok );
			assert_same_images( &b, &listed );
			double at = b.positions[3 * ( (size_t)i % vertices )];
			b.positions[3 * ( (size_t)i % vertices )] = at + b.diagonal;
			listed.positions[3 * ( (size_t)i % vertices )] = at + b.diagonal;
			const uint32_t one = (uint32_t)i % vertices;
			refit_all( &b );
			assert_int_equal( bvw_deform_refit( listed.deform, &v, &one, 1, NULL ), bv_ok );
			assert_same_images( &b, &listed );
			reset_positions( &b );
		}
		end_bent( &b );
		end_bent( &listed );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( bad_coordinates_change_nothing ),
		fixture_test( bad_descriptions_change_nothing ),
		fixture_test( bad_tasks_and_missing_options_change_nothing ),
		fixture_test( the_greatest_position_is_taken ),
		fixture_test( begin_takes_exactly_what_it_asks_for ),
		fixture_test( a_file_without_a_hierarchy_is_not_taken ),
		fixture_test( a_file_with_positions_out_of_range_is_not_taken ),
		fixture_test( roots_that_are_leaves_and_large_leaves_are_refitted ),
		fixture_test( vertices_in_any_order_are_enclosed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

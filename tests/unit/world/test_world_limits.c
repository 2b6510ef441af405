// Invalid arguments change nothing, and what is within the limits is accepted.

#include "worlds.h"

#include <float.h>

static bvw_broadphase_options usual( int way )
{
	return ( bvw_broadphase_options ){ .objects = 8,
		                               .method = method_of_way( way ),
		                               .store = store_of_way( way ) };
}

static const bv_aabb unit = { { 0, 0, 0 }, { 1, 1, 1 } };

static void options_out_of_range_are_rejected( void** state )
{
	(void)state;
	const bvw_broadphase_options invalid[] = {
		{ .objects = 0 },
		{ .objects = BVW_MAX_OBJECTS + 1 },
		{ .objects = UINT32_MAX },
		{ .objects = 1, .pairs = BVW_MAX_PAIRS + 1 },
		{ .objects = 1, .pairs = UINT32_MAX },
		{ .objects = 1, .method = bvw_methods },
		{ .objects = 1, .method = (bvw_method)-1 },
		{ .objects = 1, .moving = -0.1 },
		{ .objects = 1, .moving = 1.1 },
		{ .objects = 1, .moving = NAN },
		{ .objects = 1, .store = bvw_pair_stores },
		{ .objects = 1, .store = (bvw_pair_store)-1 },
		{ .objects = 1, .method = bvw_method_tree, .store = bvw_pair_store_list },
		{ .objects = 1, .store = bvw_pair_store_matrix },
		{ .objects = BVW_MAX_MATRIX_OBJECTS + 1, .method = bvw_method_sweep, .store = bvw_pair_store_matrix },
		{ .objects = 1, .margin = -1 },
		{ .objects = 1, .margin = NAN },
		{ .objects = 1, .margin = INFINITY },
		{ .objects = 1, .margin = 2 * BV_MAX_LENGTH },
	};
	static uint64_t memory[2048];
	static uint64_t before[2048];
	memset( memory, 0x33, sizeof memory );
	memcpy( before, memory, sizeof before );
	bvw_broadphase_options valid = usual( 0 );
	bvw_broadphase* from = begin_world( &valid );
	for ( size_t i = 0; i < sizeof invalid / sizeof *invalid; ++i )
	{
		bvw_broadphase* out = from;
		assert_int_equal( bvw_broadphase_bytes( invalid + i ), 0 );
		assert_int_equal( bvw_broadphase_begin( memory, sizeof memory, invalid + i, &out ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_copy( from, memory, sizeof memory, invalid + i, &out ),
		                  bv_error_argument );
		assert_ptr_equal( out, from );
		assert_memory_equal( memory, before, sizeof memory );
	}
	assert_int_equal( bvw_broadphase_bytes( NULL ), 0 );
	free( from );
}

// The greatest options have a size, even where the machine could not provide it.
static void options_in_range_have_sizes( void** state )
{
	(void)state;
	for ( int m = 0; m < bvw_methods; ++m )
	{
		bvw_broadphase_options o = { .objects = 1, .method = (bvw_method)m };
		size_t least = bvw_broadphase_bytes( &o );
		assert_true( least > 0 && least < 65536 );
		o.objects = BVW_MAX_OBJECTS;
		size_t usual_pairs = bvw_broadphase_bytes( &o );
		o.pairs = 4 * BVW_MAX_OBJECTS + 64;
		assert_int_equal( bvw_broadphase_bytes( &o ), usual_pairs );
		o.pairs = BVW_MAX_PAIRS;
		o.margin = BV_MAX_LENGTH;
		assert_true( sizeof( size_t ) < 8 || bvw_broadphase_bytes( &o ) > usual_pairs );
	}
}

static void defaults_are_those_of_the_header( void** state )
{
	(void)state;
	bvw_broadphase_options o = bvw_broadphase_options_default();
	assert_true( o.objects == 0 && o.pairs == 0 && o.method == bvw_method_default && o.margin == 0 );
	bvw_broadphase_options of_default = usual( 0 );
	bvw_broadphase_options of_tree = usual( next_way( bvw_method_tree * bvw_pair_stores ) );
	of_tree.pairs = 4 * 8 + 64;
	assert_int_equal( bvw_broadphase_bytes( &of_default ), bvw_broadphase_bytes( &of_tree ) );
	bvw_broadphase* a = begin_world( &of_default );
	bvw_broadphase* b = begin_world( &of_tree );
	assert_memory_equal( a, b, bvw_broadphase_bytes( &of_tree ) );
	free( a );
	free( b );
}

static void the_default_depends_on_how_many_objects_move( void** state )
{
	(void)state;
	const double moving[] = { 0, 0.2, 0.25, 1 };
	for ( int i = 0; i < 4; ++i )
	{
		bvw_broadphase_options o = { .objects = 8, .moving = moving[i] };
		bvw_broadphase_options chosen = { .objects = 8,
			                              .method = moving[i] < 0.25 ? bvw_method_tree : bvw_method_rows };
		assert_int_equal( bvw_broadphase_bytes( &o ), bvw_broadphase_bytes( &chosen ) );
		bvw_broadphase* a = begin_world( &o );
		bvw_broadphase* b = begin_world( &chosen );
		assert_memory_equal( a, b, bvw_broadphase_bytes( &o ) );
		free( a );
		free( b );
	}
	bvw_broadphase_options tree = { .objects = 8, .method = bvw_method_tree };
	bvw_broadphase_options rows = { .objects = 8, .method = bvw_method_rows };
	assert_int_not_equal( bvw_broadphase_bytes( &tree ), bvw_broadphase_bytes( &rows ) );
}

static void methods_have_names( void** state )
{
	(void)state;
	for ( int m = 0; m < bvw_methods; ++m )
	{
		const char* name = bvw_method_name( (bvw_method)m );
		assert_true( name && strlen( name ) > 2 && bvw_method_help( (bvw_method)m ) );
		for ( int k = 1; k < m; ++k )
		{
			bool is_default = m == bvw_method_default;
			assert_true( is_default || strcmp( name, bvw_method_name( (bvw_method)k ) ) != 0 );
		}
	}
	assert_string_equal( bvw_method_name( bvw_method_tree ), "tree" );
	for ( int k = 0; k < bvw_pair_stores; ++k )
	{
		const char* name = bvw_pair_store_name( (bvw_pair_store)k );
		assert_true( name && strlen( name ) > 2 && bvw_pair_store_help( (bvw_pair_store)k ) );
		assert_true( k < 2 || strcmp( name, bvw_pair_store_name( (bvw_pair_store)( k - 1 ) ) ) != 0 );
	}
	assert_null( bvw_pair_store_name( bvw_pair_stores ) );
	assert_null( bvw_pair_store_name( (bvw_pair_store)-1 ) );
	assert_null( bvw_pair_store_help( bvw_pair_stores ) );
	assert_null( bvw_method_name( bvw_methods ) );
	assert_null( bvw_method_help( bvw_methods ) );
	assert_null( bvw_method_name( (bvw_method)-1 ) );
	assert_null( bvw_method_help( (bvw_method)-1 ) );
}

static void memory_is_checked( void** state )
{
	(void)state;
	for ( int w = 0; w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options o = usual( w );
		size_t bytes = bvw_broadphase_bytes( &o );
		char* memory = malloc( bytes + 8 );
		memset( memory, 0x77, bytes + 8 );
		bvw_broadphase* from = begin_world( &o );
		bvw_broadphase* out = from;
		assert_int_equal( bvw_broadphase_begin( NULL, bytes, &o, &out ), bv_error_argument );
		assert_int_equal( bvw_broadphase_begin( memory, bytes, NULL, &out ), bv_error_argument );
		assert_int_equal( bvw_broadphase_begin( memory, bytes, &o, NULL ), bv_error_argument );
		assert_int_equal( bvw_broadphase_copy( NULL, memory, bytes, &o, &out ), bv_error_argument );
		assert_int_equal( bvw_broadphase_copy( from, NULL, bytes, &o, &out ), bv_error_argument );
		assert_int_equal( bvw_broadphase_copy( from, memory, bytes, NULL, &out ), bv_error_argument );
		assert_int_equal( bvw_broadphase_copy( from, memory, bytes, &o, NULL ), bv_error_argument );
		for ( int skew = 1; skew < 8; ++skew )
		{
			assert_int_equal( bvw_broadphase_begin( memory + skew, bytes, &o, &out ), bv_error_argument );
			assert_int_equal( bvw_broadphase_copy( from, memory + skew, bytes, &o, &out ),
			                  bv_error_argument );
		}
		assert_int_equal( bvw_broadphase_begin( memory, bytes - 1, &o, &out ), bv_error_memory );
		assert_int_equal( bvw_broadphase_begin( memory, 0, &o, &out ), bv_error_memory );
		assert_int_equal( bvw_broadphase_copy( from, memory, bytes - 1, &o, &out ), bv_error_memory );
		assert_ptr_equal( out, from );
		for ( size_t i = 0; i < bytes + 8; ++i )
		{
			assert_int_equal( memory[i], 0x77 );
		}
		// Whatever is behind the size that is told is not used.
		assert_int_equal( bvw_broadphase_begin( memory, bytes + 8, &o, &out ), bv_ok );
		for ( size_t i = bytes; i < bytes + 8; ++i )
		{
			assert_int_equal( memory[i], 0x77 );
		}
		free( memory );
		free( from );
	}
}

// One box for each way to be invalid, along each axis.
static uint32_t invalid_boxes( bv_aabb* out )
{
	const double bounds[][2] = {
		{ NAN, 1 },
		{ 0, NAN },
		{ NAN, NAN },
		{ 1, 0 },
		{ 1, nextafter( 1, 0 ) },
		{ INFINITY, INFINITY },
		{ -INFINITY, -INFINITY },
		{ INFINITY, -INFINITY },
		{ 0, -INFINITY },
		{ INFINITY, 0 },
		{ 0, 2 * BV_MAX_LENGTH },
		{ -2 * BV_MAX_LENGTH, 0 },
		{ nextafter( -BV_MAX_LENGTH, -INFINITY ), 0 },
		{ 0, nextafter( BV_MAX_LENGTH, INFINITY ) },
		{ nextafter( BV_MAX_LENGTH, INFINITY ), INFINITY },
		{ -INFINITY, nextafter( -BV_MAX_LENGTH, -INFINITY ) },
		{ NAN, INFINITY },
		{ -INFINITY, NAN },
		{ -DBL_MAX, DBL_MAX },
	};
	uint32_t count = 0;
	for ( size_t i = 0; i < sizeof bounds / sizeof *bounds; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			bv_aabb b = unit;
			double* low[] = { &b.lower.x, &b.lower.y, &b.lower.z };
			double* high[] = { &b.upper.x, &b.upper.y, &b.upper.z };
			*low[axis] = bounds[i][0];
			*high[axis] = bounds[i][1];
			out[count++] = b;
		}
	}
	return count;
}

static void invalid_arguments_change_nothing( void** state )
{
	(void)state;
	bv_aabb boxes[100];
	uint32_t count = invalid_boxes( boxes );
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = usual( w );
		size_t bytes = bvw_broadphase_bytes( &options );
		bvw_broadphase* world = begin_world( &options );
		bvw_object o = { .box = unit, .category = 6, .mask = 3, .group = 9 };
		bvw_object other = { .box = unit, .category = 1, .mask = 7, .group = 2 };
		assert_int_equal( bvw_broadphase_add( world, 3, &o ), bv_ok );
		assert_int_equal( bvw_broadphase_add( world, 5, &other ), bv_ok );
		bvw_changes changes;
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		void* before = malloc( bytes );
		memcpy( before, world, bytes );
		bvw_found found = { 77, 88 };
		uint32_t numbers[8] = { 0 };
		for ( uint32_t i = 0; i < count; ++i )
		{
			bvw_object bad = { .box = boxes[i] };
			assert_int_equal( bvw_broadphase_add( world, 0, &bad ), bv_error_argument );
			assert_int_equal( bvw_broadphase_move( world, 3, boxes + i ), bv_error_argument );
			assert_int_equal( bvw_broadphase_overlap( world, boxes + i, NULL, numbers, 8, &found ),
			                  bv_error_argument );
		}
		bvw_object got = { .group = 123 };
		const uint32_t absent[] = { 0, 4, 7, 8, 9, BVW_MAX_OBJECTS, UINT32_MAX };
		for ( int i = 0; i < 7; ++i )
		{
			assert_int_equal( bvw_broadphase_move( world, absent[i], &unit ), bv_error_argument );
			assert_int_equal( bvw_broadphase_remove( world, absent[i] ), bv_error_argument );
			assert_false( bvw_broadphase_get( world, absent[i], &got ) );
			assert_false( bvw_broadphase_has_pair( world, absent[i], 3 ) );
			assert_false( bvw_broadphase_has_pair( world, 3, absent[i] ) );
			if ( absent[i] >= 8 )
			{
				assert_int_equal( bvw_broadphase_add( world, absent[i], &o ), bv_error_argument );
			}
		}
		assert_int_equal( bvw_broadphase_add( world, 3, &o ), bv_error_argument );
		assert_int_equal( bvw_broadphase_add( NULL, 0, &o ), bv_error_argument );
		assert_int_equal( bvw_broadphase_add( world, 0, NULL ), bv_error_argument );
		assert_int_equal( bvw_broadphase_move( NULL, 3, &unit ), bv_error_argument );
		assert_int_equal( bvw_broadphase_move( world, 3, NULL ), bv_error_argument );
		assert_int_equal( bvw_broadphase_remove( NULL, 3 ), bv_error_argument );
		assert_int_equal( bvw_broadphase_update( world, NULL ), bv_error_argument );
		bvw_changes unchanged = { .begun_count = 5 };
		assert_int_equal( bvw_broadphase_update( NULL, &unchanged ), bv_error_argument );
		assert_int_equal( unchanged.begun_count, 5 );
		assert_false( bvw_broadphase_get( NULL, 3, &got ) );
		assert_false( bvw_broadphase_get( world, 3, NULL ) );
		assert_int_equal( got.group, 123 );
		bvw_pair pair = { 1, 2 };
		uint32_t pairs = 99;
		assert_int_equal( bvw_broadphase_pairs( NULL, &pair, 1, &pairs ), bv_error_argument );
		assert_int_equal( bvw_broadphase_pairs( world, &pair, 1, NULL ), bv_error_argument );
		assert_int_equal( bvw_broadphase_pairs( world, NULL, 1, &pairs ), bv_error_argument );
		assert_int_equal( pairs, 99 );
		assert_false( bvw_broadphase_has_pair( NULL, 3, 5 ) );
		assert_false( bvw_broadphase_has_pair( world, 3, 3 ) );
		assert_int_equal( bvw_broadphase_overlap( NULL, &unit, NULL, numbers, 8, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_overlap( world, NULL, NULL, numbers, 8, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_overlap( world, &unit, NULL, NULL, 8, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_overlap( world, &unit, NULL, numbers, 8, NULL ), bv_error_argument );
		assert_true( found.count == 77 && found.tests == 88 );
		assert_memory_equal( world, before, bytes );
		free( before );
		free( world );
	}
}

static void get_returns_objects_with_defaults_replaced( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = usual( w );
		bvw_broadphase* world = begin_world( &options );
		bvw_object o = { .box = { { -INFINITY, 1, -3 }, { 2, BV_MAX_LENGTH, -3 } }, .group = 4 };
		assert_int_equal( bvw_broadphase_add( world, 7, &o ), bv_ok );
		bvw_object got;
		assert_true( bvw_broadphase_get( world, 7, &got ) );
		assert_memory_equal( &got.box, &o.box, sizeof o.box );
		assert_true( got.category == 1 && got.mask == UINT64_MAX && got.group == 4 );
		assert_int_equal( bvw_broadphase_move( world, 7, &unit ), bv_ok );
		assert_true( bvw_broadphase_get( world, 7, &got ) );
		assert_memory_equal( &got.box, &unit, sizeof unit );
		assert_true( got.category == 1 && got.mask == UINT64_MAX && got.group == 4 );
		free( world );
	}
}

// An array of any length: the count is always the same, and a short array is unchanged.
static void pairs_are_counted_beyond_the_array( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = usual( w );
		bvw_broadphase* world = begin_world( &options );
		uint32_t count = 5;
		assert_int_equal( bvw_broadphase_pairs( world, NULL, 0, &count ), bv_ok );
		assert_int_equal( count, 0 );
		for ( uint32_t i = 0; i < 4; ++i )
		{
			bvw_object o = { .box = unit };
			assert_int_equal( bvw_broadphase_add( world, 2 * i, &o ), bv_ok );
		}
		assert_int_equal( bvw_broadphase_pairs( world, NULL, 0, &count ), bv_ok );
		assert_int_equal( count, 0 );
		bvw_changes changes;
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		assert_int_equal( changes.begun_count, 6 );
		bvw_pair pairs[7];
		for ( uint32_t most = 0; most < 8; ++most )
		{
			memset( pairs, 0xdd, sizeof pairs );
			bv_status status = bvw_broadphase_pairs( world, most > 0 ? pairs : NULL, most, &count );
			assert_int_equal( status, most < 6 ? bv_error_memory : bv_ok );
			assert_int_equal( count, 6 );
			bool is_listed = most >= 6;
			assert_int_equal( pairs[0].b, is_listed ? 2u : 0xddddddddu );
			assert_int_equal( pairs[5].a, is_listed ? 4u : 0xddddddddu );
			assert_int_equal( pairs[6].a, 0xddddddddu );
		}
		assert_int_equal( bvw_broadphase_remove( world, 2 ), bv_ok );
		assert_int_equal( bvw_broadphase_pairs( world, pairs, 7, &count ), bv_ok );
		assert_int_equal( count, 3 );
		assert_false( bvw_broadphase_has_pair( world, 2, 0 ) );
		assert_true( bvw_broadphase_has_pair( world, 4, 0 ) );
		free( world );
	}
}

static void copies_that_do_not_fit_are_rejected( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options options = usual( w );
		bvw_broadphase* world = begin_world( &options );
		for ( uint32_t i = 0; i < 4; ++i )
		{
			bvw_object o = { .box = unit };
			assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
		}
		bvw_changes changes;
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		static uint64_t memory[4096];
		for ( int to = next_way( 0 ); to < ways; to = next_way( to ) )
		{
			for ( uint32_t objects = 1; objects < 7; ++objects )
			{
				for ( uint32_t pairs = 1; pairs < 9; ++pairs )
				{
					bvw_broadphase_options o = { .objects = objects,
						                         .pairs = pairs,
						                         .method = method_of_way( to ),
						                         .store = store_of_way( to ) };
					bvw_broadphase* out = NULL;
					bv_status status = bvw_broadphase_copy( world, memory, sizeof memory, &o, &out );
					assert_int_equal( status, objects < 4 || pairs < 6 ? bv_error_limit : bv_ok );
					assert_ptr_equal( out, status == bv_ok ? memory : NULL );
				}
			}
		}
		free( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( options_out_of_range_are_rejected ),
		cmocka_unit_test( options_in_range_have_sizes ),
		cmocka_unit_test( defaults_are_those_of_the_header ),
		cmocka_unit_test( the_default_depends_on_how_many_objects_move ),
		cmocka_unit_test( methods_have_names ),
		cmocka_unit_test( memory_is_checked ),
		cmocka_unit_test( invalid_arguments_change_nothing ),
		cmocka_unit_test( get_returns_objects_with_defaults_replaced ),
		cmocka_unit_test( pairs_are_counted_beyond_the_array ),
		cmocka_unit_test( copies_that_do_not_fit_are_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

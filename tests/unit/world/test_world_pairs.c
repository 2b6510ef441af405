// User data of pairs.

#include "tests/unit/world/worlds.h"

static bv_aabb box_at( double x )
{
	return ( bv_aabb ){ { x, 0, 0 }, { x + 1, 1, 1 } };
}

static void update( bvw_broadphase* world )
{
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
}

// Of objects 3 and 7 only. Others make pairs that come and go.
static bvw_broadphase* begin_pair( int way )
{
	bvw_broadphase_options options = {
		.objects = 60, .pairs = 2000, .method = method_of_way( way ), .store = store_of_way( way )
	};
	bvw_broadphase* world = begin_world( &options );
	assert_int_equal( bvw_broadphase_add( world, 7, &( bvw_object ){ .box = box_at( 100 ) } ), bv_ok );
	assert_int_equal( bvw_broadphase_add( world, 3, &( bvw_object ){ .box = box_at( 100.5 ) } ), bv_ok );
	update( world );
	return world;
}

static void move_others( bvw_broadphase* world, uint64_t* random )
{
	for ( uint32_t i = 10; i < 60; ++i )
	{
		bv_aabb box = cube_around( draw_point( random, 6 ), 1 );
		if ( bvw_broadphase_move( world, i, &box ) != bv_ok )
		{
			assert_int_equal( bvw_broadphase_add( world, i, &( bvw_object ){ .box = box } ), bv_ok );
		}
	}
}

static void data_remain_until_the_pair_ends( void** state )
{
	(void)state;
	uint32_t with_data = 0;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase* world = begin_pair( w );
		uint64_t* data = bvw_broadphase_pair_data( world, 3, 7 );
		assert_true( ( data != NULL ) == ( store_of_way( w ) == bvw_pair_store_hash ) );
		if ( data )
		{
			++with_data;
			assert_true( *data == 0 );
			*data = UINT64_C( 0x123456789ABCDEF0 );
			uint64_t random = 4;
			for ( int step = 0; step < 20; ++step )
			{
				move_others( world, &random );
				bv_aabb box = box_at( 100 + 0.03 * step );
				assert_int_equal( bvw_broadphase_move( world, 7, &box ), bv_ok );
				update( world );
				data = bvw_broadphase_pair_data( world, 7, 3 );
				assert_non_null( data );
				assert_true( *data == UINT64_C( 0x123456789ABCDEF0 ) );
			}
			// Each of two ways to end, and to begin again. Trees keep the pair in the first one, because it is near.
			assert_int_equal(
				bvw_broadphase_move( world, 7, &( bv_aabb ){ { 101.55, 0, 0 }, { 102, 1, 1 } } ), bv_ok );
			update( world );
			assert_null( bvw_broadphase_pair_data( world, 3, 7 ) );
			bv_aabb back = box_at( 100.7 );
			assert_int_equal( bvw_broadphase_move( world, 7, &back ), bv_ok );
			update( world );
			assert_true( *bvw_broadphase_pair_data( world, 3, 7 ) == 0 );
			*bvw_broadphase_pair_data( world, 3, 7 ) = 5;
			assert_int_equal( bvw_broadphase_remove( world, 3 ), bv_ok );
			assert_null( bvw_broadphase_pair_data( world, 3, 7 ) );
			assert_int_equal( bvw_broadphase_add( world, 3, &( bvw_object ){ .box = back } ), bv_ok );
			assert_null( bvw_broadphase_pair_data( world, 3, 7 ) );
			update( world );
			assert_true( *bvw_broadphase_pair_data( world, 3, 7 ) == 0 );
		}
		assert_null( bvw_broadphase_pair_data( world, 3, 10 ) );
		assert_null( bvw_broadphase_pair_data( world, 3, 3 ) );
		assert_null( bvw_broadphase_pair_data( world, 3, UINT32_MAX ) );
		assert_null( bvw_broadphase_pair_data( NULL, 3, 7 ) );
		free( world );
	}
	assert_true( with_data >= 5 );
}

static void copies_have_the_data( void** state )
{
	(void)state;
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase* world = begin_pair( w );
		uint64_t random = 9;
		move_others( world, &random );
		update( world );
		bvw_pair pairs[2000];
		uint32_t count = 0;
		assert_int_equal( bvw_broadphase_pairs( world, pairs, 2000, &count ), bv_ok );
		assert_true( count > 50 );
		for ( uint32_t i = 0; i < count && store_of_way( w ) == bvw_pair_store_hash; ++i )
		{
			*bvw_broadphase_pair_data( world, pairs[i].a, pairs[i].b ) = 1 + i;
		}
		bvw_broadphase_options larger = { .objects = 100, .pairs = 3000 };
		bvw_broadphase* copy = copy_world( world, &larger );
		update( copy );
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint64_t expected = store_of_way( w ) == bvw_pair_store_hash ? 1 + i : 0;
			assert_true( *bvw_broadphase_pair_data( copy, pairs[i].a, pairs[i].b ) == expected );
		}
		free( copy );
		free( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( data_remain_until_the_pair_ends ),
		cmocka_unit_test( copies_have_the_data ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

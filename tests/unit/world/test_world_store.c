// The store of pairs against an array with one place for each pair.

#include "worlds.h"

#include "world/pairs/store.h"

enum
{
	most_objects = 40,
};

typedef struct array_model
{
	uint32_t index[most_objects][most_objects]; // of the entry; BVWPAIRS_NONE
	uint32_t state[most_objects][most_objects];
	uint32_t listed[most_objects * most_objects]; // bvwpairs_is_listed, by index, or 0
	uint32_t count;
} array_model;

static bvwpairs_store* begin_store( uint32_t objects, uint32_t most, uint64_t* bytes )
{
	*bytes = bvwpairs_bytes( objects, most );
	assert_int_equal( *bytes % 8, 0 );
	bvwpairs_store* store = malloc( *bytes + 8 );
	memset( store, 0, *bytes );
	memset( (uint8_t*)store + *bytes, 0xcc, 8 );
	bvwpairs_begin( store, objects, most );
	return store;
}

// Walks the pairs of an object: each once.
static void check_object( const bvwpairs_store* store, const array_model* m, uint32_t objects, uint32_t a )
{
	uint32_t expected = 0;
	for ( uint32_t b = 0; b < objects; ++b )
	{
		expected += m->index[a][b] != BVWPAIRS_NONE;
	}
	bool is_seen[most_objects] = { false };
	uint32_t seen = 0;
	for ( uint32_t i = bvwpairs_first( store, a ); i != BVWPAIRS_NONE;
	      i = bvwpairs_next( bvwpairs_at( store, i ), a ) )
	{
		const bvwpairs_entry* e = bvwpairs_at( store, i );
		assert_true( e->object[0] < e->object[1] && ( e->object[0] == a || e->object[1] == a ) );
		uint32_t b = e->object[0] == a ? e->object[1] : e->object[0];
		assert_true( b < objects && !is_seen[b] );
		assert_int_equal( m->index[a][b], i );
		assert_int_equal( m->state[a][b], e->state );
		is_seen[b] = true;
		++seen;
	}
	assert_int_equal( seen, expected );
}

static void check_store( const bvwpairs_store* store, const array_model* m, uint32_t objects )
{
	assert_int_equal( store->count, m->count );
	for ( uint32_t a = 0; a < objects; ++a )
	{
		check_object( store, m, objects, a );
		for ( uint32_t b = 0; b < objects; ++b )
		{
			if ( a != b )
			{
				assert_int_equal( bvwpairs_find( store, a, b ), m->index[a][b] );
			}
		}
	}
}

static void add_pair( bvwpairs_store* store, array_model* m, uint32_t a, uint32_t b, uint32_t state )
{
	uint32_t index = bvwpairs_add( store, a, b );
	if ( m->index[a][b] != BVWPAIRS_NONE )
	{
		assert_int_equal( index, m->index[a][b] );
		assert_int_equal( bvwpairs_at( store, index )->state, m->state[a][b] );
		return;
	}
	if ( m->count == store->most )
	{
		assert_int_equal( index, BVWPAIRS_NONE );
		return;
	}
	assert_true( index < store->most );
	assert_int_equal( bvwpairs_at( store, index )->state, m->listed[index] );
	bvwpairs_at( store, index )->state = state;
	m->index[a][b] = m->index[b][a] = index;
	m->state[a][b] = m->state[b][a] = state;
	m->listed[index] = state & bvwpairs_is_listed;
	++m->count;
}

static void remove_pair( bvwpairs_store* store, array_model* m, uint32_t a, uint32_t b )
{
	bvwpairs_remove( store, m->index[a][b] );
	m->index[a][b] = m->index[b][a] = BVWPAIRS_NONE;
	--m->count;
}

// An index keeps bvwpairs_is_listed when its pair is removed.
static void store_has_what_an_array_has( void** state )
{
	(void)state;
	uint64_t random = 3;
	const uint32_t mosts[] = { 1, 2, 15, 16, 17, 33, 200, most_objects * ( most_objects - 1 ) / 2 };
	for ( uint32_t k = 0; k < 8; ++k )
	{
		uint32_t objects = k == 0 ? 2 : k == 1 ? 3 : most_objects;
		uint64_t bytes = 0;
		bvwpairs_store* store = begin_store( objects, mosts[k], &bytes );
		array_model m = { .count = 0 };
		memset( m.index, 0xff, sizeof m.index );
		uint32_t full = 0;
		for ( uint32_t i = 0; i < rounds( 3000 ); ++i )
		{
			uint32_t a = draw_below( &random, objects );
			uint32_t b = ( a + 1 + draw_below( &random, objects - 1 ) ) % objects;
			// Phases of growing and of shrinking.
			bool grows = i / 500 % 2 == 0;
			if ( m.index[a][b] != BVWPAIRS_NONE && draw_below( &random, 4 ) < ( grows ? 1u : 3u ) )
			{
				remove_pair( store, &m, a, b );
			}
			else if ( grows || draw_below( &random, 4 ) == 0 )
			{
				full += m.count == mosts[k];
				add_pair( store, &m, a, b, draw_below( &random, 8 ) );
			}
			if ( i % 50 == 0 )
			{
				check_store( store, &m, objects );
			}
		}
		check_store( store, &m, objects );
		assert_true( full > 0 || k == 7 );
		for ( uint32_t i = 0; i < 8; ++i )
		{
			assert_int_equal( ( (uint8_t*)store )[bytes + i], 0xcc );
		}
		free( store );
	}
}

// The last bytes of the block are used, and none behind them.
static void a_full_store_takes_its_pairs_again( void** state )
{
	(void)state;
	uint64_t bytes = 0;
	bvwpairs_store* store = begin_store( 10, 45, &bytes );
	for ( int round = 0; round < 3; ++round )
	{
		for ( uint32_t a = 0; a < 10; ++a )
		{
			for ( uint32_t b = 0; b < a; ++b )
			{
				assert_true( bvwpairs_add( store, a, b ) < 45 );
				assert_int_equal( bvwpairs_add( store, b, a ), bvwpairs_find( store, a, b ) );
			}
		}
		assert_int_equal( store->count, 45 );
		for ( uint32_t i = 0; i < 45; ++i )
		{
			assert_true( bvwpairs_at( store, i )->object[0] < bvwpairs_at( store, i )->object[1] );
		}
		for ( uint32_t a = 0; a < 10; ++a )
		{
			for ( uint32_t i = bvwpairs_first( store, a ); i != BVWPAIRS_NONE;
			      i = bvwpairs_first( store, a ) )
			{
				bvwpairs_remove( store, i );
			}
		}
		assert_int_equal( store->count, 0 );
		assert_int_equal( bvwpairs_find( store, 3, 4 ), BVWPAIRS_NONE );
	}
	free( store );
}

// Numbers of 24 bits: all pairs of one object with 20000 others.
static void pairs_of_large_numbers_are_found( void** state )
{
	(void)state;
	enum
	{
		count = 20000
	};
	uint64_t bytes = 0;
	bvwpairs_store* store = begin_store( BVW_MAX_OBJECTS, count, &bytes );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_int_equal( bvwpairs_add( store, BVW_MAX_OBJECTS - 1 - i, 77 ), i );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_int_equal( bvwpairs_find( store, 77, BVW_MAX_OBJECTS - 1 - i ), i );
	}
	assert_int_equal( bvwpairs_find( store, 78, BVW_MAX_OBJECTS - 1 ), BVWPAIRS_NONE );
	free( store );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( store_has_what_an_array_has ),
		cmocka_unit_test( a_full_store_takes_its_pairs_again ),
		cmocka_unit_test( pairs_of_large_numbers_are_found ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

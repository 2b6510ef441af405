// Arenas: memory that was taken back is given again, and clear where it is asked for so.

#include "support.h"

#include "offline/base/arena.h"

enum
{
	large = 1 << 20,
	rounds = 200,
};

static bool is_clear( const uint8_t* memory, size_t bytes )
{
	for ( size_t i = 0; i < bytes; ++i )
	{
		if ( memory[i] != 0 )
		{
			return false;
		}
	}
	return true;
}

// Pieces of random sizes, clear and not, each full of its own number: none may be part of another one.
static void use( fixture* f, bvb_arena* arena, size_t most )
{
	uint8_t* piece[40];
	size_t size[40];
	for ( int i = 0; i < 40; ++i )
	{
		bool raw = random_bits( f ) % 2;
		size[i] = (size_t)( random_bits( f ) % ( i % 4 ? 500 : most ) );
		piece[i] =
			raw ? bvbase_arena_allocate_unset( arena, size[i], 1 ) : bvb_arena_allocate( arena, size[i], 1 );
		assert_non_null( piece[i] );
		assert_int_equal( (uintptr_t)piece[i] % 64, 0 );
		assert_true( raw || is_clear( piece[i], size[i] ) );
		memset( piece[i], i + 1, size[i] );
	}
	for ( int i = 0; i < 40; ++i )
	{
		for ( size_t k = 0; k < size[i]; ++k )
		{
			assert_int_equal( piece[i][k], i + 1 );
		}
	}
}

static void what_is_taken_back_is_given_again( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( bvbase_arena_allocate_unset( arena, large, 1 ) );
	assert_true( bvbase_arena_adopt( arena, malloc( 100 ), 100 ) );
	bvbase_arena_reset( arena );
	size_t bytes = bvb_arena_bytes( arena );
	assert_true( bytes >= large && bytes < large + 1000 );
	for ( int i = 0; i < rounds; ++i )
	{
		use( f, arena, large / 16 );
		assert_int_equal( bvb_arena_bytes( arena ), bytes );
		bvbase_arena_reset( arena );
	}
	bvb_arena_destroy( arena );
}

static void another_arena_takes_over_what_was_taken_back( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = bvb_arena_create();
	for ( int i = 0; i < rounds / 10; ++i )
	{
		bvb_arena* scratch = bvbase_arena_create_scratch( arena );
		use( f, scratch, large );
		bvbase_arena_reset( scratch );
		size_t bytes = bvb_arena_bytes( arena ) + bvb_arena_bytes( scratch );
		assert_true( bvbase_arena_absorb( arena, scratch ) );
		assert_int_equal( bvb_arena_bytes( arena ), bytes );
		use( f, arena, large );
	}
	bvb_arena_destroy( arena );
}

// A block of which several have parts is not returned with one of them.
static void parts_of_a_block_are_not_released( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( bvb_arena_allocate( arena, large, 1 ) );
	bvbase_arena_reset( arena );
	size_t bytes = bvb_arena_bytes( arena );
	uint8_t* first = bvb_arena_allocate( arena, large / 4, 1 );
	uint8_t* second = bvb_arena_allocate( arena, large / 4, 1 );
	bvbase_arena_release( arena, first );
	memset( second, 1, large / 4 );
	assert_int_equal( bvb_arena_bytes( arena ), bytes );
	bvb_arena_destroy( arena );
}

// Products of count and size that exceed SIZE_MAX wrap to small numbers: 0, 8, 16 bytes, and so on.
static void a_size_that_overflows_is_no_memory( void** state )
{
	(void)state;
	static const size_t request[][2] = {
		{ SIZE_MAX / 2 + 1, 2 }, { SIZE_MAX / 8 + 2, 8 }, { SIZE_MAX / 16 + 2, 16 }, { SIZE_MAX, SIZE_MAX },
		{ SIZE_MAX / 3 + 1, 3 }, { 2, SIZE_MAX / 2 + 1 }, { 8, SIZE_MAX / 8 + 2 },   { SIZE_MAX, 1 },
	};
	bvb_arena* arena = bvb_arena_create();
	size_t bytes = bvb_arena_bytes( arena );
	for ( size_t i = 0; i < sizeof request / sizeof *request; ++i )
	{
		assert_null( bvb_arena_allocate( arena, request[i][0], request[i][1] ) );
		assert_null( bvbase_arena_allocate_unset( arena, request[i][0], request[i][1] ) );
		assert_int_equal( bvb_arena_bytes( arena ), bytes );
	}
	assert_non_null( bvb_arena_allocate( arena, 0, SIZE_MAX ) );
	assert_non_null( bvb_arena_allocate( arena, SIZE_MAX, 0 ) );
	bvb_arena_destroy( arena );
}

// Whoever gave the first arena hears of it, whichever of its scratch it was.
static void memory_that_was_missing_is_remembered( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create_limited( large );
	bvb_arena* other = bvb_arena_create();
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bvb_arena* deeper = bvbase_arena_create_scratch( scratch );
	assert_non_null( bvb_arena_allocate( deeper, large / 2, 1 ) );
	assert_false( bvbase_arena_has_failed( arena ) );
	assert_null( bvb_arena_allocate( deeper, large, 1 ) );
	assert_true( bvbase_arena_has_failed( deeper ) && bvbase_arena_has_failed( scratch ) );
	bvb_arena_destroy( deeper );
	bvb_arena_destroy( scratch );
	assert_true( bvbase_arena_has_failed( arena ) );
	assert_false( bvbase_arena_has_failed( other ) );
	bvb_arena_destroy( other );
	bvb_arena_destroy( arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_is_taken_back_is_given_again ),
		fixture_test( another_arena_takes_over_what_was_taken_back ),
		fixture_test( parts_of_a_block_are_not_released ),
		fixture_test( a_size_that_overflows_is_no_memory ),
		fixture_test( memory_that_was_missing_is_remembered ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// What is kept for pairs of versions is found again, whatever else is kept. Each pair's value is a function of the pair that the
// table does not know.

#include "support.h"

#include "offline/decompose/memo.h"

enum
{
	versions = 40,
};

static void keep( fixture* f, bvdecomp_memo* memo, uint64_t a, uint64_t b )
{
	const double value[3] = { (double)a, (double)b, (double)( a * versions + b ) };
	assert_true( bvdecomp_memo_keep( memo, f->arena, a, b, value ) );
}

static void every_pair_is_found_with_its_own_value( void** state )
{
	fixture* f = *state;
	bvdecomp_memo memo = { 0 };
	for ( uint64_t a = 1; a <= versions; ++a )
	{
		for ( uint64_t b = 1; b <= versions; ++b )
		{
			keep( f, &memo, a, b );
		}
	}
	for ( uint64_t a = 1; a <= versions; ++a )
	{
		for ( uint64_t b = 1; b <= versions; ++b )
		{
			const bvdecomp_memo_entry* found = bvdecomp_memo_find( &memo, a, b );
			assert_non_null( found );
			assert_true( found->value[0] == (double)a && found->value[1] == (double)b );
			assert_true( found->value[2] == (double)( a * versions + b ) );
		}
	}
}

// The order of two parts changes the rounding of their hull.
static void a_pair_in_the_other_order_is_another_pair( void** state )
{
	fixture* f = *state;
	bvdecomp_memo memo = { 0 };
	assert_null( bvdecomp_memo_find( &memo, 1, 2 ) );
	keep( f, &memo, 1, 2 );
	assert_non_null( bvdecomp_memo_find( &memo, 1, 2 ) );
	assert_null( bvdecomp_memo_find( &memo, 2, 1 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_pair_is_found_with_its_own_value ),
		fixture_test( a_pair_in_the_other_order_is_another_pair ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Sorting of pairs and of numbers, against the C library's.

#include "worlds.h"

#include "world/broadphase/order.h"
#include "world/order/numbers.h"

static int compare_pairs( const void* a, const void* b )
{
	const bvw_pair* p = a;
	const bvw_pair* q = b;
	if ( p->a != q->a )
	{
		return p->a < q->a ? -1 : 1;
	}
	return p->b == q->b ? 0 : p->b < q->b ? -1 : 1;
}

static int compare_numbers( const void* a, const void* b )
{
	uint32_t p = *(const uint32_t*)a;
	uint32_t q = *(const uint32_t*)b;
	return p == q ? 0 : p < q ? -1 : 1;
}

enum
{
	most = 5000
};

// Lengths around those at which algorithms change, and long ones.
static uint32_t length_of_round( uint32_t round )
{
	const uint32_t lengths[] = { 0, 1, 2, 3, 7, 31, 32, 33, 64, 100, 1000, 2047, 2048, 2049, most };
	return lengths[round % ( sizeof lengths / sizeof *lengths )];
}

// Keys of all bits, of few bits, with equal digits, ascending, descending, all the same.
static bvw_pair draw_pair( uint64_t* random, uint32_t kind, uint32_t i )
{
	uint64_t bits = draw( random );
	uint32_t a = (uint32_t)( bits >> 32 );
	uint32_t b = (uint32_t)bits;
	switch ( kind )
	{
	case 0: return ( bvw_pair ){ a, b };
	case 1: return ( bvw_pair ){ a % 4, b % 3 };
	case 2: return ( bvw_pair ){ a & 0x00f00000u, b & 0xff000007u };
	case 3: return ( bvw_pair ){ i / 3, i };
	case 4: return ( bvw_pair ){ most - i, UINT32_MAX - i };
	case 5: return ( bvw_pair ){ 7, UINT32_MAX };
	case 6: return ( bvw_pair ){ 5, b }; // a in common
	default: return ( bvw_pair ){ a, 5 };
	}
}

static void pairs_are_sorted_as_by_qsort( void** state )
{
	(void)state;
	static bvw_pair expected[most];
	static bvw_pair pairs[most + 1];
	static bvw_pair room[most];
	const bvw_pair sentinel = { 0x12345678u, 0x9abcdef0u };
	uint64_t random = 1;
	for ( uint32_t kind = 0; kind < 8; ++kind )
	{
		for ( uint32_t round = 0; round < 15 * rounds( 2 ); ++round )
		{
			uint32_t count = length_of_round( round );
			for ( uint32_t i = 0; i < count; ++i )
			{
				expected[i] = pairs[i] = draw_pair( &random, kind, i );
			}
			pairs[count] = sentinel;
			qsort( expected, count, sizeof *expected, compare_pairs );
			bvwphase_sort_pairs( pairs, count, room );
			assert_memory_equal( pairs + count, &sentinel, sizeof sentinel );
			if ( count > 0 )
			{
				assert_memory_equal( pairs, expected, count * sizeof *pairs );
			}
		}
	}
}

static void numbers_are_sorted_as_by_qsort( void** state )
{
	(void)state;
	static uint32_t expected[most];
	static uint32_t numbers[most + 1];
	uint64_t random = 2;
	for ( uint32_t kind = 0; kind < 4; ++kind )
	{
		for ( uint32_t round = 0; round < 15 * rounds( 2 ); ++round )
		{
			uint32_t count = length_of_round( round );
			for ( uint32_t i = 0; i < count; ++i )
			{
				// Multiplication by an odd number is a permutation.
				uint32_t of_kind[] = { i, most - i, i * 2654435761u, i ^ 0x5555u };
				expected[i] = numbers[i] = of_kind[kind] + (uint32_t)( kind == 2 ? random >> 40 : 0 );
			}
			draw( &random );
			numbers[count] = 42;
			qsort( expected, count, sizeof *expected, compare_numbers );
			bvworder_sort_numbers( numbers, count );
			assert_int_equal( numbers[count], 42 );
			if ( count > 0 )
			{
				assert_memory_equal( numbers, expected, count * sizeof *numbers );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( pairs_are_sorted_as_by_qsort ),
		cmocka_unit_test( numbers_are_sorted_as_by_qsort ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

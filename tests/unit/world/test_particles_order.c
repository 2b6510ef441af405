// The order that methods sort in, and the depth of tryMergeSort: it is 1 for what is sorted, and at most that of a merge sort.

#include "clouds.h"

#include "world/particles/lanes.h"
#include "world/particles/order.h"

static void merge_sort_sorts( void** state )
{
	(void)state;
	uint64_t random = 1;
	double key[300];
	uint32_t next[300];
	for ( uint32_t round = 0; round < rounds( 300 ); ++round )
	{
		uint32_t count = 1 + draw_below( &random, 300 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			key[i] = draw_below( &random, 1 + round );
			next[i] = i + 1 < count ? i + 1 : UINT32_MAX;
		}
		bvwnear_list list = { .key = key, .next = next };
		uint32_t at = bvwnear_try_merge_sort( &list, 0 );
		bool seen[300] = { false };
		uint32_t length = 0;
		for ( uint32_t last = at; at != UINT32_MAX; last = at, at = next[at] )
		{
			assert_true( at < count && !seen[at] && key[last] <= key[at] );
			seen[at] = true;
			++length;
		}
		assert_true( length == count );
		assert_true( list.depth >= 1 && list.depth <= 1 + ceil( log2( count ) ) );
		assert_true( list.comparisons <= 2 * count * list.depth );
	}
}

// 003, section 4.1: neighbors that are exchanged are apart after dealing, so that both lists are sorted at depth 2.
static void depth_is_that_of_the_disorder( void** state )
{
	(void)state;
	enum
	{
		count = 1024
	};
	static double key[count];
	static uint32_t next[count];
	const uint32_t mask[] = { 0, 1, count - 1 };
	const uint32_t depth[] = { 1, 2, 11 };
	for ( int i = 0; i < 3; ++i )
	{
		for ( uint32_t k = 0; k < count; ++k )
		{
			key[k] = k ^ mask[i];
			next[k] = k + 1 < count ? k + 1 : UINT32_MAX;
		}
		bvwnear_list list = { .key = key, .next = next };
		assert_int_equal( bvwnear_try_merge_sort( &list, 0 ), mask[i] );
		assert_int_equal( list.depth, depth[i] );
		assert_true( i > 0 || list.comparisons == count - 1 );
	}
}

static void entries_are_sorted_and_equal_ones_keep_their_order( void** state )
{
	(void)state;
	uint64_t random = 2;
	static uint64_t entries[2000], room[2000];
	for ( uint32_t bits = 0; bits <= 32; ++bits )
	{
		for ( uint32_t i = 0; i < 2000; ++i )
		{
			uint64_t key = bits == 0 ? 7 : draw( &random ) >> ( 64 - bits );
			entries[i] = key << 32 | i;
		}
		uint64_t steps = 0;
		uint64_t* sorted = bvwnear_sort_entries( entries, room, 2000, &steps );
		assert_true( sorted == entries || sorted == room );
		assert_true( steps == 4000 * ( ( bits + 10 ) / 11 ) );
		for ( uint32_t i = 1; i < 2000; ++i )
		{
			assert_true( sorted[i - 1] < sorted[i] );
		}
	}
}

// A sweep that begins with the last order sorts nothing while nothing moves, and gives the same lists from any order.
static void the_last_order_saves_sorting( void** state )
{
	(void)state;
	uint64_t random = 3;
	cloud c = draw_cloud( &random, cloud_uniform, 4000 );
	uint32_t* order = calloc( c.count, sizeof *order ); // no permutation: ignored
	bvw_neighbors_options options = {
		.distance = c.distance, .order = order, .method = bvw_neighbors_sweep, .sort = bvw_neighbors_merge
	};
	lists first = lists_of( c.count, 400000 );
	lists again = lists_of( c.count, 400000 );
	assert_int_equal( find( &c, NULL, &options, &first ), bv_ok );
	assert_true( first.of.depth > 8 && first.of.depth <= 13 );
	bool* seen = calloc( c.count, sizeof *seen );
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		assert_true( order[i] < c.count && !seen[order[i]] );
		seen[order[i]] = true;
	}
	assert_int_equal( find( &c, NULL, &options, &again ), bv_ok );
	assert_true( again.of.depth == 1 && again.of.steps < first.of.steps && lists_equal( &first, &again ) );
	uint32_t swap = order[17];
	order[17] = order[18];
	order[18] = swap;
	assert_int_equal( find( &c, NULL, &options, &again ), bv_ok );
	assert_true( again.of.depth == 2 && lists_equal( &first, &again ) );
	// By digits: the same order, up to equal keys, of which there are none.
	uint32_t* by_digits = malloc( c.count * sizeof *by_digits );
	options.order = by_digits;
	options.sort = bvw_neighbors_radix;
	assert_int_equal( find( &c, NULL, &options, &again ), bv_ok );
	assert_true( again.of.depth == 0 && lists_equal( &first, &again ) );
	assert_memory_equal( order, by_digits, c.count * sizeof *order );
	free( by_digits );
	free( seen );
	free( order );
	lists_free( &first );
	lists_free( &again );
	cloud_free( &c );
}

// The grid's order puts neighbors near each other: their places differ by less than those of random numbers do.
static void the_grids_order_is_one_of_places( void** state )
{
	(void)state;
	uint64_t random = 4;
	cloud c = draw_cloud( &random, cloud_line, 3000 );
	uint32_t order[3000];
	bvw_neighbors_options options = { .distance = 0.5, .order = order };
	lists l = lists_of( c.count, 100000 );
	assert_int_equal( find( &c, NULL, &options, &l ), bv_ok );
	uint64_t sum = 0;
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		sum += order[i];
		assert_true( i == 0 || c.at[3 * order[i] + 1] > c.at[3 * order[i - 1] + 1] - 3 );
	}
	assert_true( sum == 3000ull * 2999 / 2 );
	lists_free( &l );
	cloud_free( &c );
}

// Against the definition, one particle at a time. Distances are anything that cells can have.
static void kernels_of_all_levels_are_the_same( void** state )
{
	(void)state;
	uint64_t random = 5;
	static bvwnear_batch batch;
	uint32_t levels = 0;
	for ( const bvwnear_lanes* level; ( level = bvwnear_lanes_level( levels ) ); ++levels )
	{
		for ( uint32_t round = 0; round < rounds( 200 ); ++round )
		{
			bvwnear_query query = { .outer = (int16_t)( 1 + draw_below( &random, 8000 ) ),
				                    .fold = { 32767, 32767, 32767 } };
			query.inner = (int16_t)( query.outer - 1 - (int)draw_below( &random, 200 ) );
			bool folds = round % 2 > 0;
			for ( int k = 0; k < 3; ++k )
			{
				query.at[k] = (uint16_t)draw( &random );
				query.fold[k] =
					folds && draw_below( &random, 2 ) ? (int16_t)( 1 + draw_below( &random, 24000 ) ) : 32767;
			}
			batch.count = 1 + draw_below( &random, bvwnear_most );
			uint16_t* const fine[3] = { batch.x, batch.y, batch.z };
			int32_t d[bvwnear_most][3];
			for ( uint32_t i = 0; i < batch.count; ++i )
			{
				for ( int k = 0; k < 3; ++k )
				{
					int32_t most = query.fold[k] < 32767      ? query.fold[k]
					               : draw_below( &random, 2 ) ? 16000
					                                          : 6000;
					d[i][k] = (int32_t)draw_below( &random, (uint32_t)( 2 * most + 1 ) ) - most;
					fine[k][i] = (uint16_t)( query.at[k] + d[i][k] );
				}
				batch.radius[i] = (uint16_t)( folds ? draw_below( &random, 300 ) : 0 );
			}
			bvwnear_bits bits;
			( folds ? level->compare_any : level->compare )( &batch, &query, &bits );
			for ( uint32_t i = 0; i < batch.count; ++i )
			{
				int64_t sum = 0;
				for ( int k = 0; k < 3; ++k )
				{
					int64_t size = labs( d[i][k] );
					int64_t other = labs( query.fold[k] - size );
					size = folds && other < size ? other : size;
					sum += size * size;
				}
				int64_t outer = query.outer + batch.radius[i];
				int64_t inner = query.inner + batch.radius[i] > 0 ? query.inner + batch.radius[i] : 0;
				assert_true( ( bits.near[i / 16] >> i % 16 & 1 ) == ( sum < outer * outer ) );
				assert_true( ( bits.sure[i / 16] >> i % 16 & 1 ) == ( sum < inner * inner ) );
			}
			uint32_t listed[bvwnear_room], expected[bvwnear_room];
			uint32_t near = 0;
			for ( uint32_t i = 0; i < batch.count; ++i )
			{
				batch.number[i] = (uint32_t)draw( &random );
				expected[near] = batch.number[i];
				near += bits.near[i / 16] >> i % 16 & 1;
			}
			assert_int_equal( level->list( &batch, &bits, listed ), near );
			assert_memory_equal( listed, expected, near * sizeof *listed );
			uint32_t from[bvwnear_room], sorted[bvwnear_most];
			uint32_t number = 0;
			for ( uint32_t i = 0; i < batch.count; ++i )
			{
				uint32_t k = draw_below( &random, i + 1 );
				number += 1 + draw_below( &random, 1000 );
				from[i] = from[k];
				from[k] = number;
			}
			level->sort( from, batch.count, sorted );
			for ( uint32_t i = 0; i < batch.count; ++i )
			{
				assert_true( i == 0 || sorted[i - 1] < sorted[i] );
			}
			assert_true( sorted[batch.count - 1] == number );
		}
	}
	assert_true( levels >= 1 && bvwnear_lanes_level( levels - 1 ) == bvwnear_lanes_best() );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( merge_sort_sorts ),
		cmocka_unit_test( depth_is_that_of_the_disorder ),
		cmocka_unit_test( entries_are_sorted_and_equal_ones_keep_their_order ),
		cmocka_unit_test( the_last_order_saves_sorting ),
		cmocka_unit_test( the_grids_order_is_one_of_places ),
		cmocka_unit_test( kernels_of_all_levels_are_the_same ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

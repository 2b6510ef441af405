// Kernels of the grid, written in the operations of an instruction set. See lanes.h. Included by one file of each level.
//
// Differences of coordinates are below 24577, so that the sum of three squares is below 2^31.

#include "world/particles/lanes.h"

static void lanes_compare( const bvwnear_batch* batch, const bvwnear_query* query, bvwnear_bits* out )
{
	lanes_shorts x = lanes_shorts_all( (int16_t)query->at[0] );
	lanes_shorts y = lanes_shorts_all( (int16_t)query->at[1] );
	lanes_shorts z = lanes_shorts_all( (int16_t)query->at[2] );
	int32_t inner = query->inner > 0 ? query->inner : 0;
	lanes_squares outers = lanes_squares_all( query->outer * query->outer );
	lanes_squares inners = lanes_squares_all( inner * inner );
	for ( uint32_t word = 0; 64 * word < batch->count; ++word )
	{
		uint64_t near = 0;
		uint64_t sure = 0;
		for ( uint32_t k = 0; k < 64; k += lanes_shorts_width )
		{
			uint32_t at = 64 * word + k;
			lanes_shorts dx = lanes_shorts_subtract( lanes_shorts_load( batch->x + at ), x );
			lanes_shorts dy = lanes_shorts_subtract( lanes_shorts_load( batch->y + at ), y );
			lanes_shorts dz = lanes_shorts_subtract( lanes_shorts_load( batch->z + at ), z );
			uint32_t bits = lanes_squares_below( lanes_squares_of( dx, dy, dz ), outers, inners );
			near |= (uint64_t)( bits & 0xffff ) << k;
			sure |= (uint64_t)( bits >> 16 ) << k;
		}
		out->near[word] = near;
		out->sure[word] = sure;
	}
}

static void lanes_compare_any( const bvwnear_batch* batch, const bvwnear_query* query, bvwnear_bits* out )
{
	lanes_shorts at[3], fold[3];
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = lanes_shorts_all( (int16_t)query->at[k] );
		fold[k] = lanes_shorts_all( query->fold[k] );
	}
	lanes_shorts zero = lanes_shorts_all( 0 );
	lanes_shorts outer = lanes_shorts_all( query->outer );
	lanes_shorts inner = lanes_shorts_all( query->inner );
	for ( uint32_t word = 0; 64 * word < batch->count; ++word )
	{
		uint64_t near = 0;
		uint64_t sure = 0;
		for ( uint32_t k = 0; k < 64; k += lanes_shorts_width )
		{
			uint32_t i = 64 * word + k;
			lanes_shorts dx = lanes_shorts_subtract( lanes_shorts_load( batch->x + i ), at[0] );
			lanes_shorts dy = lanes_shorts_subtract( lanes_shorts_load( batch->y + i ), at[1] );
			lanes_shorts dz = lanes_shorts_subtract( lanes_shorts_load( batch->z + i ), at[2] );
			lanes_shorts radius = lanes_shorts_load( batch->radius + i );
			lanes_shorts farther = lanes_shorts_add( radius, outer );
			lanes_shorts nearer = lanes_shorts_positive( lanes_shorts_add( radius, inner ) );
			uint32_t bits = lanes_squares_below(
				lanes_squares_of( lanes_shorts_fold( dx, fold[0] ), lanes_shorts_fold( dy, fold[1] ),
			                      lanes_shorts_fold( dz, fold[2] ) ),
				lanes_squares_of( farther, zero, zero ), lanes_squares_of( nearer, zero, zero ) );
			near |= (uint64_t)( bits & 0xffff ) << k;
			sure |= (uint64_t)( bits >> 16 ) << k;
		}
		out->near[word] = near;
		out->sure[word] = sure;
	}
}

// Each number goes to where as many are below it: quadratic, but without a branch that depends on them.
static void lanes_sort( uint32_t* from, uint32_t count, uint32_t* out )
{
	uint32_t rank[bvwnear_room];
	for ( uint32_t k = 0; k < bvwnear_padding; ++k )
	{
		from[count + k] = 0;
	}
	for ( uint32_t i = 0; i < count; i += 2 * lanes_width )
	{
		lanes_words low = lanes_words_load( from + i );
		lanes_words high = lanes_words_load( from + i + lanes_width );
		lanes_words low_rank = lanes_words_all( 0 );
		lanes_words high_rank = lanes_words_all( 0 );
		for ( uint32_t k = 0; k < count; ++k )
		{
			lanes_words other = lanes_words_all( from[k] );
			low_rank = lanes_words_count( low_rank, low, other );
			high_rank = lanes_words_count( high_rank, high, other );
		}
		lanes_words_store( rank + i, low_rank );
		lanes_words_store( rank + i + lanes_width, high_rank );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[rank[i]] = from[i];
	}
}

static const bvwnear_lanes lanes_table = {
	.level = LANES_LEVEL,
	.compare = lanes_compare,
	.compare_any = lanes_compare_any,
	.sort = lanes_sort,
};

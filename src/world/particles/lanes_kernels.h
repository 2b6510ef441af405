// Kernels of the grid, written in the operations of an instruction set. See lanes.h. Included by one file of each level.
//
// Differences of coordinates are below 24577, so that the sum of three squares is below 2^31.

#include "world/particles/lanes.h"

#include <string.h>

// Bits of what is behind the last particle, and of elements up to a multiple of four.
LANES_INLINE void lanes_end_bits( uint32_t count, bvwnear_bits* out )
{
	if ( count % 16 > 0 )
	{
		out->near[count / 16] &= (uint16_t)( ( 1u << count % 16 ) - 1 );
	}
	for ( uint32_t k = ( count + 15 ) / 16; k % 4 > 0; ++k )
	{
		out->near[k] = 0;
		out->sure[k] = 0;
	}
}

static void lanes_compare( const bvwnear_batch* batch, const bvwnear_query* query, bvwnear_bits* out )
{
	lanes_shorts x = lanes_shorts_all( (int16_t)query->at[0] );
	lanes_shorts y = lanes_shorts_all( (int16_t)query->at[1] );
	lanes_shorts z = lanes_shorts_all( (int16_t)query->at[2] );
	int32_t inner = query->inner > 0 ? query->inner : 0;
	lanes_squares outers = lanes_squares_all( query->outer * query->outer );
	lanes_squares inners = lanes_squares_all( inner * inner );
	for ( uint32_t i = 0; i < batch->count; i += 16 )
	{
		uint32_t bits = 0;
		for ( uint32_t k = 0; k < 16; k += lanes_shorts_width )
		{
			uint32_t at = i + k;
			lanes_shorts dx = lanes_shorts_subtract( lanes_shorts_load( batch->x + at ), x );
			lanes_shorts dy = lanes_shorts_subtract( lanes_shorts_load( batch->y + at ), y );
			lanes_shorts dz = lanes_shorts_subtract( lanes_shorts_load( batch->z + at ), z );
			bits |= lanes_squares_below( lanes_squares_of( dx, dy, dz ), outers, inners ) << k;
		}
		out->near[i / 16] = (uint16_t)bits;
		out->sure[i / 16] = (uint16_t)( bits >> 16 );
	}
	lanes_end_bits( batch->count, out );
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
	for ( uint32_t begin = 0; begin < batch->count; begin += 16 )
	{
		uint32_t bits = 0;
		for ( uint32_t k = 0; k < 16; k += lanes_shorts_width )
		{
			uint32_t i = begin + k;
			lanes_shorts dx = lanes_shorts_subtract( lanes_shorts_load( batch->x + i ), at[0] );
			lanes_shorts dy = lanes_shorts_subtract( lanes_shorts_load( batch->y + i ), at[1] );
			lanes_shorts dz = lanes_shorts_subtract( lanes_shorts_load( batch->z + i ), at[2] );
			lanes_shorts radius = lanes_shorts_load( batch->radius + i );
			lanes_shorts farther = lanes_shorts_add( radius, outer );
			lanes_shorts nearer = lanes_shorts_positive( lanes_shorts_add( radius, inner ) );
			uint32_t both = lanes_squares_below(
				lanes_squares_of( lanes_shorts_fold( dx, fold[0] ), lanes_shorts_fold( dy, fold[1] ),
			                      lanes_shorts_fold( dz, fold[2] ) ),
				lanes_squares_of( farther, zero, zero ), lanes_squares_of( nearer, zero, zero ) );
			bits |= both << k;
		}
		out->near[begin / 16] = (uint16_t)bits;
		out->sure[begin / 16] = (uint16_t)( bits >> 16 );
	}
	lanes_end_bits( batch->count, out );
}

#ifdef LANES_HAS_PACK

// Numbers of bits of bytes are summed in the bytes of a word, which gives each eight particles their place without a branch.
static uint32_t lanes_list( const bvwnear_batch* batch, const bvwnear_bits* bits, uint32_t* out )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < batch->count; i += 64 )
	{
		uint64_t word;
		memcpy( &word, &bits->near[i / 16], sizeof word );
		uint64_t sums = word - ( word >> 1 & UINT64_C( 0x5555555555555555 ) );
		sums = ( sums & UINT64_C( 0x3333333333333333 ) ) + ( sums >> 2 & UINT64_C( 0x3333333333333333 ) );
		sums = ( sums + ( sums >> 4 ) ) & UINT64_C( 0x0f0f0f0f0f0f0f0f );
		sums *= UINT64_C( 0x0101010101010101 );
		uint64_t places = sums << 8;
		for ( uint32_t k = 0; k < 64; k += 8 )
		{
			lanes_words_pack( out + count + ( places >> k & 0xff ), batch->number + i + k, word >> k & 0xff );
		}
		count += (uint32_t)( sums >> 56 );
	}
	return count;
}

#else

static uint32_t lanes_list( const bvwnear_batch* batch, const bvwnear_bits* bits, uint32_t* out )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < batch->count; i += 64 )
	{
		const uint16_t* near = &bits->near[i / 16];
		uint64_t left = near[0] | (uint64_t)near[1] << 16 | (uint64_t)near[2] << 32 | (uint64_t)near[3] << 48;
		for ( ; left; left &= left - 1 )
		{
			out[count++] = batch->number[i + bvsimd_lowest_bit64( left )];
		}
	}
	return count;
}

#endif

// Each number goes to where as many are below it: quadratic, but without a branch that depends on them.
static void lanes_sort( uint32_t* from, uint32_t count, uint32_t* out )
{
	uint32_t rank[bvwnear_room];
	for ( uint32_t k = 0; k < bvwnear_padding; ++k )
	{
		from[count + k] = 0;
	}
	uint32_t i = 0;
	for ( ; i + 2 * lanes_width < count; i += 4 * lanes_width )
	{
		lanes_words own[4], ranks[4];
		for ( int k = 0; k < 4; ++k )
		{
			own[k] = lanes_words_load( from + i + k * lanes_width );
			ranks[k] = lanes_words_all( 0 );
		}
		for ( uint32_t j = 0; j < count; ++j )
		{
			lanes_words other = lanes_words_all( from[j] );
			for ( int k = 0; k < 4; ++k )
			{
				ranks[k] = lanes_words_count( ranks[k], own[k], other );
			}
		}
		for ( int k = 0; k < 4; ++k )
		{
			lanes_words_store( rank + i + k * lanes_width, ranks[k] );
		}
	}
	for ( ; i < count; i += lanes_width )
	{
		lanes_words own = lanes_words_load( from + i );
		lanes_words ranks = lanes_words_all( 0 );
		for ( uint32_t j = 0; j < count; ++j )
		{
			ranks = lanes_words_count( ranks, own, lanes_words_all( from[j] ) );
		}
		lanes_words_store( rank + i, ranks );
	}
	for ( i = 0; i < count; ++i )
	{
		out[rank[i]] = from[i];
	}
}

static const bvwnear_lanes lanes_table = {
	.level = LANES_LEVEL,
	.compare = lanes_compare,
	.compare_any = lanes_compare_any,
	.list = lanes_list,
	.sort = lanes_sort,
};

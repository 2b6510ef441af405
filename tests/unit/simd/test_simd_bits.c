// Operations on bits against loops over single bits and bytes, and against long multiplication.

#include "runtime/simd/bits.h"
#include "runtime/simd/words.h"
#include "support.h"

enum
{
	cases = 100000,
};

// Mostly few bits or most of them: a number of random bits has its first and last one near the ends.
static uint64_t some_bits( fixture* f )
{
	uint64_t x = random_bits( f );
	switch ( random_bits( f ) % 4 )
	{
	case 0: return x & random_bits( f ) & random_bits( f ) & random_bits( f );
	case 1: return x | random_bits( f ) | random_bits( f ) | random_bits( f );
	case 2: return x >> random_bits( f ) % 64;
	default: return x << random_bits( f ) % 64;
	}
}

static void bits_are_found_and_counted( void** state )
{
	for ( int i = 0; i < cases; ++i )
	{
		uint32_t x = i == 0 ? UINT32_MAX : (uint32_t)some_bits( *state );
		uint32_t count = 0, lowest = 32, highest = 0;
		for ( uint32_t k = 0; k < 32; ++k )
		{
			bool set = x >> k & 1;
			count += set;
			lowest = set && k < lowest ? k : lowest;
			highest = set ? k : highest;
		}
		assert_int_equal( bvsimd_count_bits( x ), count );
		if ( x != 0 )
		{
			assert_int_equal( bvsimd_lowest_bit( x ), lowest );
			assert_int_equal( bvsimd_highest_bit( x ), highest );
		}
	}
}

static void loads_are_little_endian_at_any_address( void** state )
{
	fixture* f = *state;
	unsigned char bytes[24];
	for ( int i = 0; i < 1000; ++i )
	{
		for ( size_t k = 0; k < sizeof bytes; ++k )
		{
			bytes[k] = (unsigned char)( random_bits( f ) >> 32 );
		}
		for ( size_t at = 0; at < 8; ++at )
		{
			uint64_t forward = 0, backward = 0;
			for ( size_t k = 0; k < 8; ++k )
			{
				forward |= (uint64_t)bytes[at + k] << 8 * k;
				backward = backward << 8 | bytes[at + k];
			}
			assert_int_equal( bvsimd_load_u64( bytes + at ), forward );
			assert_int_equal( bvsimd_load_u32( bytes + at ), forward & 0xffffffffu );
			assert_int_equal( bvsimd_reverse_bytes( forward ), backward );
		}
	}
}

// In digits of 16 bits.
static uint64_t folded_by_hand( uint64_t a, uint64_t b )
{
	uint64_t digit[8] = { 0 };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			uint64_t product = ( a >> 16 * i & 0xffff ) * ( b >> 16 * k & 0xffff );
			digit[i + k] += product & 0xffff;
			digit[i + k + 1] += product >> 16;
		}
	}
	uint64_t half[2] = { 0, 0 };
	uint64_t carry = 0;
	for ( int i = 0; i < 8; ++i )
	{
		carry += digit[i];
		half[i / 4] |= ( carry & 0xffff ) << 16 * ( i % 4 );
		carry >>= 16;
	}
	return half[0] ^ half[1];
}

static void folded_products_are_those_of_long_multiplication( void** state )
{
	for ( int i = 0; i < cases; ++i )
	{
		uint64_t a = i == 0 ? UINT64_MAX : some_bits( *state );
		uint64_t b = i == 0 ? UINT64_MAX : some_bits( *state );
		assert_int_equal( bvsimd_fold_product( a, b ), folded_by_hand( a, b ) );
	}
}

static void assert_words( bvsimd_words words, uint64_t first, uint64_t second )
{
	uint64_t got[2];
	bvsimd_words_store( got, words );
	assert_int_equal( got[0], first );
	assert_int_equal( got[1], second );
}

static void operations_on_two_words_are_those_on_each( void** state )
{
	for ( int i = 0; i < cases / 10; ++i )
	{
		uint64_t a[2] = { some_bits( *state ), some_bits( *state ) };
		uint64_t b[2] = { some_bits( *state ), some_bits( *state ) };
		uint32_t factor = (uint32_t)some_bits( *state );
		bvsimd_words x = bvsimd_words_pair( a[0], a[1] );
		bvsimd_words y = bvsimd_words_pair( b[0], b[1] );
		assert_words( bvsimd_words_add( x, y ), a[0] + b[0], a[1] + b[1] );
		assert_words( bvsimd_words_xor( x, y ), a[0] ^ b[0], a[1] ^ b[1] );
		assert_words( bvsimd_words_swap( x ), a[1], a[0] );
		assert_words( bvsimd_words_shift_right( x, 47 ), a[0] >> 47, a[1] >> 47 );
		assert_words( bvsimd_words_scale( x, factor ), a[0] * factor, a[1] * factor );
		assert_words( bvsimd_words_square_halves( x ), ( a[0] >> 32 ) * (uint32_t)a[0],
		              ( a[1] >> 32 ) * (uint32_t)a[1] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( bits_are_found_and_counted ),
		fixture_test( loads_are_little_endian_at_any_address ),
		fixture_test( folded_products_are_those_of_long_multiplication ),
		fixture_test( operations_on_two_words_are_those_on_each ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

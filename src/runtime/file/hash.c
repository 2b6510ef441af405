// XXH3-64 with seed 0 and the default secret. See hash.h.
//
// Based on: the specification of XXH3 in Collet's doc/xxhash_spec.md (xxHash 0.8).

#include "runtime/file/hash.h"

#include "runtime/simd/bits.h"
#include "runtime/simd/words.h"

enum
{
	secret_bytes = 192,
	stripe_bytes = 64, // eight sums take in 8 bytes each
	stripe_words = stripe_bytes / 16,
	secret_step = 8, // by how much the secret advances from stripe to stripe
	block_stripes = ( secret_bytes - stripe_bytes ) / secret_step,
	block_bytes = block_stripes * stripe_bytes,
	prefetch_bytes = 384,
};

static const uint32_t prime32[] = { 0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du };
static const uint64_t prime64[] = {
	0x9e3779b185ebca87u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u, 0x85ebca77c2b2ae63u, 0x27d4eb2f165667c5u,
};

static const uint8_t secret[secret_bytes] = {
	0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
	0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
	0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
	0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
	0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
	0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
	0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
	0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
	0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
	0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
	0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
	0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static uint64_t secret_pair( size_t at )
{
	return bvsimd_load_u64( secret + at ) ^ bvsimd_load_u64( secret + at + 8 );
}

static uint64_t rotate( uint64_t x, int count )
{
	return x << count | x >> ( 64 - count );
}

// The two last steps that mix all bits of a sum: that of XXH64, and that of XXH3.
static uint64_t avalanche_long( uint64_t x )
{
	x = ( x ^ x >> 33 ) * prime64[1];
	x = ( x ^ x >> 29 ) * prime64[2];
	return x ^ x >> 32;
}

static uint64_t avalanche( uint64_t x )
{
	x = ( x ^ x >> 37 ) * 0x165667919e3779f9u;
	return x ^ x >> 32;
}

static uint64_t mix( const uint8_t* bytes, size_t at )
{
	return bvsimd_fold_product( bvsimd_load_u64( bytes ) ^ bvsimd_load_u64( secret + at ),
	                            bvsimd_load_u64( bytes + 8 ) ^ bvsimd_load_u64( secret + at + 8 ) );
}

static uint64_t hash_to_16( const uint8_t* bytes, size_t count )
{
	if ( count > 8 )
	{
		uint64_t low = bvsimd_load_u64( bytes ) ^ secret_pair( 24 );
		uint64_t high = bvsimd_load_u64( bytes + count - 8 ) ^ secret_pair( 40 );
		return avalanche( count + bvsimd_reverse_bytes( low ) + high + bvsimd_fold_product( low, high ) );
	}
	if ( count >= 4 )
	{
		uint64_t first = bvsimd_load_u32( bytes );
		uint64_t last = bvsimd_load_u32( bytes + count - 4 );
		uint64_t x = ( last + ( first << 32 ) ) ^ secret_pair( 8 );
		x = ( x ^ rotate( x, 49 ) ^ rotate( x, 24 ) ) * 0x9fb21c651e98df25u;
		x = ( x ^ ( ( x >> 35 ) + count ) ) * 0x9fb21c651e98df25u;
		return x ^ x >> 28;
	}
	if ( count > 0 )
	{
		uint32_t x = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[count >> 1] << 24 | bytes[count - 1] |
		             (uint32_t)count << 8;
		return avalanche_long( x ^ bvsimd_load_u32( secret ) ^ bvsimd_load_u32( secret + 4 ) );
	}
	return avalanche_long( secret_pair( 56 ) );
}

static uint64_t hash_to_128( const uint8_t* bytes, size_t count )
{
	uint64_t sum = count * prime64[0];
	for ( size_t i = ( count - 1 ) / 32 + 1; i-- > 0; )
	{
		sum += mix( bytes + 16 * i, 32 * i ) + mix( bytes + count - 16 * ( i + 1 ), 32 * i + 16 );
	}
	return avalanche( sum );
}

static uint64_t hash_to_240( const uint8_t* bytes, size_t count )
{
	uint64_t sum = count * prime64[0];
	for ( size_t i = 0; i < 8; ++i )
	{
		sum += mix( bytes + 16 * i, 16 * i );
	}
	sum = avalanche( sum );
	for ( size_t i = 8; i < count / 16; ++i )
	{
		sum += mix( bytes + 16 * i, 16 * ( i - 8 ) + 3 );
	}
	return avalanche( sum + mix( bytes + count - 16, 119 ) );
}

BVSIMD_INLINE void take_stripe( bvsimd_words sums[stripe_words], const uint8_t* bytes, const uint8_t* key )
{
	for ( size_t i = 0; i < stripe_words; ++i )
	{
		bvsimd_words data = bvsimd_words_load( bytes + 16 * i );
		bvsimd_words keyed = bvsimd_words_xor( data, bvsimd_words_load( key + 16 * i ) );
		bvsimd_words sum = bvsimd_words_add( sums[i], bvsimd_words_swap( data ) );
		sums[i] = bvsimd_words_add( sum, bvsimd_words_square_halves( keyed ) );
	}
}

BVSIMD_INLINE void take_stripes( bvsimd_words sums[stripe_words], const uint8_t* bytes, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		bvsimd_prefetch( (const void*)( (uintptr_t)bytes + stripe_bytes * i + prefetch_bytes ) );
		take_stripe( sums, bytes + stripe_bytes * i, secret + secret_step * i );
	}
}

BVSIMD_INLINE void scramble( bvsimd_words sums[stripe_words] )
{
	for ( size_t i = 0; i < stripe_words; ++i )
	{
		bvsimd_words x = bvsimd_words_xor( sums[i], bvsimd_words_shift_right( sums[i], 47 ) );
		x = bvsimd_words_xor( x, bvsimd_words_load( secret + secret_bytes - stripe_bytes + 16 * i ) );
		sums[i] = bvsimd_words_scale( x, prime32[0] );
	}
}

static uint64_t hash_blocks( const uint8_t* bytes, size_t count )
{
	const uint64_t start[8] = { prime32[2], prime64[0], prime64[1], prime64[2],
		                        prime64[3], prime32[1], prime64[4], prime32[0] };
	bvsimd_words sums[stripe_words];
	for ( size_t i = 0; i < stripe_words; ++i )
	{
		sums[i] = bvsimd_words_pair( start[2 * i], start[2 * i + 1] );
	}
	size_t blocks = ( count - 1 ) / block_bytes;
	for ( size_t i = 0; i < blocks; ++i )
	{
		take_stripes( sums, bytes + block_bytes * i, block_stripes );
		scramble( sums );
	}
	// What is left ends with a stripe of its own, which may overlap the one before.
	size_t left = count - block_bytes * blocks;
	take_stripes( sums, bytes + block_bytes * blocks, ( left - 1 ) / stripe_bytes );
	take_stripe( sums, bytes + count - stripe_bytes, secret + secret_bytes - stripe_bytes - 7 );

	uint64_t result = count * prime64[0];
	for ( size_t i = 0; i < stripe_words; ++i )
	{
		uint64_t sum[2];
		bvsimd_words_store( sum, sums[i] );
		const uint8_t* key = secret + 11 + 16 * i;
		result += bvsimd_fold_product( sum[0] ^ bvsimd_load_u64( key ), sum[1] ^ bvsimd_load_u64( key + 8 ) );
	}
	return avalanche( result );
}

uint64_t bvfile_hash( const void* bytes, size_t count )
{
	return count <= 16    ? hash_to_16( bytes, count )
	       : count <= 128 ? hash_to_128( bytes, count )
	       : count <= 240 ? hash_to_240( bytes, count )
	                      : hash_blocks( bytes, count );
}

// SHA-256 (FIPS 180-4, section 6.2). See sha256.h.

#include "offline/report/html/sha256.h"

#include <string.h>

enum
{
	block_bytes = 64,
};

static uint32_t rotate( uint32_t x, int bits )
{
	return x >> bits | x << ( 32 - bits );
}

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static void add_block( uint32_t state[8], const uint8_t block[block_bytes] )
{
	uint32_t w[64];
	uint32_t s[8];
	for ( int t = 0; t < 16; ++t )
	{
		w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
		       (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	}
	for ( int t = 16; t < 64; ++t )
	{
		uint32_t a = rotate( w[t - 15], 7 ) ^ rotate( w[t - 15], 18 ) ^ w[t - 15] >> 3;
		uint32_t b = rotate( w[t - 2], 17 ) ^ rotate( w[t - 2], 19 ) ^ w[t - 2] >> 10;
		w[t] = w[t - 16] + a + w[t - 7] + b;
	}
	memcpy( s, state, sizeof s );
	for ( int t = 0; t < 64; ++t )
	{
		uint32_t sum = rotate( s[4], 6 ) ^ rotate( s[4], 11 ) ^ rotate( s[4], 25 );
		uint32_t choice = ( s[4] & s[5] ) ^ ( ~s[4] & s[6] );
		uint32_t first = s[7] + sum + choice + constants[t] + w[t];
		uint32_t majority = ( s[0] & s[1] ) ^ ( s[0] & s[2] ) ^ ( s[1] & s[2] );
		uint32_t second = ( rotate( s[0], 2 ) ^ rotate( s[0], 13 ) ^ rotate( s[0], 22 ) ) + majority;
		memmove( s + 1, s, 7 * sizeof *s );
		s[4] += first;
		s[0] = first + second;
	}
	for ( int i = 0; i < 8; ++i )
	{
		state[i] += s[i];
	}
}

void bvhtml_sha256( const void* data, size_t size, uint8_t digest[32] )
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t* bytes = data;
	size_t whole = size / block_bytes * block_bytes;
	for ( size_t i = 0; i < whole; i += block_bytes )
	{
		add_block( state, bytes + i );
	}

	// A one bit, zeros, and the length in bits fill up the last block or two.
	uint8_t rest[2 * block_bytes] = { 0 };
	size_t left = size - whole;
	size_t padded = left < block_bytes - 8 ? block_bytes : 2 * block_bytes;
	if ( left > 0 )
	{
		memcpy( rest, bytes + whole, left );
	}
	rest[left] = 0x80;
	uint64_t bits = 8 * (uint64_t)size;
	for ( int i = 0; i < 8; ++i )
	{
		rest[padded - 1 - (size_t)i] = (uint8_t)( bits >> 8 * i );
	}
	for ( size_t i = 0; i < padded; i += block_bytes )
	{
		add_block( state, rest + i );
	}
	for ( int i = 0; i < 32; ++i )
	{
		digest[i] = (uint8_t)( state[i / 4] >> ( 24 - 8 * ( i % 4 ) ) );
	}
}

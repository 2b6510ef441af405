// A hash function of three numbers with a seed that can be changed at any time.
//
// Results must not depend on the positions of entries in the table. If a search takes longer than expected by
// chance, the caller changes the seed. Keys constructed to collide with one seed do not collide with the
// next. Because the accepted search length doubles each time, the total time is linear for any input.

#pragma once

#include <stdint.h>
#include <string.h>

/// Most places that a hash tells apart.
#define BVMESH_HASH_MAX_SIZE ( UINT64_C( 1 ) << 32 )

/// All zero before the first bvmesh_hash_renew.
typedef struct bvmesh_hash
{
	uint64_t factor[3]; ///< odd
	uint64_t patience;  ///< a longer search asks for another hash
} bvmesh_hash;

/// Changes the hash.
static inline void bvmesh_hash_renew( bvmesh_hash* hash )
{
	hash->patience = hash->patience ? 2 * hash->patience : 1024;
	for ( int i = 0; i < 3; ++i )
	{
		// The generator of Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
		uint64_t x = ( hash->patience + (uint64_t)i ) * UINT64_C( 0x9e3779b97f4a7c15 );
		x = ( x ^ x >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
		x = ( x ^ x >> 27 ) * UINT64_C( 0x94d049bb133111eb );
		hash->factor[i] = ( x ^ x >> 31 ) | 1;
	}
}

/// @return the hash of a key of three numbers
static inline uint64_t bvmesh_hash_of( const bvmesh_hash* hash, uint64_t a, uint64_t b, uint64_t c )
{
	uint64_t x = ( a * hash->factor[0] + b * hash->factor[1] ) + c * hash->factor[2];
	x = ( x ^ x >> 32 ) * UINT64_C( 0xd6e8feb86659fd93 );
	return x ^ x >> 32;
}

/// @return its place among `size`, at most BVMESH_HASH_MAX_SIZE, from its upper half only
static inline uint64_t bvmesh_hash_place( uint64_t hash, uint64_t size )
{
	return ( hash >> 32 ) * size >> 32;
}

/// @return the bits of a number, as part of a key; -0 and +0 differ
static inline uint64_t bvmesh_hash_bits( double x )
{
	uint64_t u;
	memcpy( &u, &x, sizeof u );
	return u;
}

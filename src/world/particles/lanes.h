// Kernels of the grid: which of some particles are within a distance, and the order of a few numbers. They compare whole numbers, so that
// results have the same bits on every SIMD level.

#pragma once

#include <stdbool.h>
#include <stdint.h>

enum
{
	bvwnear_most = 384,   ///< particles that are compared at a time; a multiple of 64
	bvwnear_padding = 32, ///< readable entries behind arrays
	bvwnear_room = bvwnear_most + bvwnear_padding,
};

/// Particles that are compared with one, as coordinates in fine units modulo 2^16, so that differences of neighbors are right.
typedef struct bvwnear_batch
{
	uint16_t x[bvwnear_room];
	uint16_t y[bvwnear_room];
	uint16_t z[bvwnear_room];
	uint16_t radius[bvwnear_room]; ///< rounded up, fine units; only if they have radii
	uint32_t number[bvwnear_room];
	uint32_t count;
} bvwnear_batch;

/// What they are compared with. Distances are in fine units.
typedef struct bvwnear_query
{
	uint16_t at[3];

	/// A particle whose computed distance is at least this, and the radius, is no neighbor. At most 16383.
	int16_t outer;

	/// A particle whose computed distance is below this, and the radius, is a neighbor. Can be negative.
	int16_t inner;

	int16_t fold[3]; ///< periods of the axes, for `compare_any`; 32767 for axes without
} bvwnear_query;

/// One bit per particle, from the lowest of the first element on. Elements behind the last particle are 0 up to a multiple of four.
typedef struct bvwnear_bits
{
	uint16_t near[bvwnear_most / 16]; ///< may be a neighbor
	uint16_t sure[bvwnear_most / 16]; ///< is a neighbor
} bvwnear_bits;

/// The kernels of an instruction set.
typedef struct bvwnear_lanes
{
	const char* level;

	/// Without radii and folds.
	void ( *compare )( const bvwnear_batch* batch, const bvwnear_query* query, bvwnear_bits* out );
	void ( *compare_any )( const bvwnear_batch* batch, const bvwnear_query* query, bvwnear_bits* out );

	/// Writes the numbers of the particles whose bits in `near` are set, and anything up to bvwnear_padding behind them.
	/// @return how many there are
	uint32_t ( *list )( const bvwnear_batch* batch, const bvwnear_bits* bits, uint32_t* out );

	/// Sorts different numbers below 2^31.
	/// @param from   up to bvwnear_most; entries behind them, bvwnear_padding, are written
	/// @param count  their number
	void ( *sort )( uint32_t* from, uint32_t count, uint32_t* out );
} bvwnear_lanes;

/// @return the kernels of a level, or null where the processor has it not
const bvwnear_lanes* bvwnear_lanes_scalar( void );
const bvwnear_lanes* bvwnear_lanes_sse2( void );
const bvwnear_lanes* bvwnear_lanes_neon( void );
const bvwnear_lanes* bvwnear_lanes_simd128( void );
const bvwnear_lanes* bvwnear_lanes_avx2( void );

/// @return the levels of this processor from narrow to wide; null behind the last one
const bvwnear_lanes* bvwnear_lanes_level( uint32_t index );

/// @return those of the widest level
const bvwnear_lanes* bvwnear_lanes_best( void );

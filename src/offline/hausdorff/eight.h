// Eight numbers at once, those of a group's lanes: the largest ones, the least of all, and which are below a
// limit, without branches. The order in which numbers are compared does not matter, so that all forms of a
// function give the same bits.

#pragma once

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>

/// The largest number of each lane over some rows.
/// @param which  of each of them, which row it is; at least one
static inline void bvhaus_eight_most( float ( *rows )[8], const uint8_t* which, int count, float* most )
{
	__m128 a = _mm_loadu_ps( rows[which[0]] );
	__m128 b = _mm_loadu_ps( rows[which[0]] + 4 );
	for ( int i = 1; i < count; ++i )
	{
		a = _mm_max_ps( a, _mm_loadu_ps( rows[which[i]] ) );
		b = _mm_max_ps( b, _mm_loadu_ps( rows[which[i]] + 4 ) );
	}
	_mm_storeu_ps( most, a );
	_mm_storeu_ps( most + 4, b );
}

/// @return the first lane that has the least number
static inline int bvhaus_eight_least( const float* row, float* least )
{
	__m128 a = _mm_loadu_ps( row );
	__m128 b = _mm_loadu_ps( row + 4 );
	__m128 m = _mm_min_ps( a, b );
	m = _mm_min_ps( m, _mm_shuffle_ps( m, m, _MM_SHUFFLE( 1, 0, 3, 2 ) ) );
	m = _mm_min_ps( m, _mm_shuffle_ps( m, m, _MM_SHUFFLE( 2, 3, 0, 1 ) ) );
	*least = _mm_cvtss_f32( m );
	return __builtin_ctz( (uint32_t)_mm_movemask_ps( _mm_cmpeq_ps( a, m ) ) |
	                      (uint32_t)_mm_movemask_ps( _mm_cmpeq_ps( b, m ) ) << 4 );
}

/// @return a bit for each lane whose number is at most the square of distance + its error
static inline uint32_t bvhaus_eight_within( const float* square, const float* error, float distance )
{
	__m128 d = _mm_set1_ps( distance );
	__m128 a = _mm_add_ps( d, _mm_loadu_ps( error ) );
	__m128 b = _mm_add_ps( d, _mm_loadu_ps( error + 4 ) );
	return (uint32_t)_mm_movemask_ps( _mm_cmple_ps( _mm_loadu_ps( square ), _mm_mul_ps( a, a ) ) ) |
	       (uint32_t)_mm_movemask_ps( _mm_cmple_ps( _mm_loadu_ps( square + 4 ), _mm_mul_ps( b, b ) ) ) << 4;
}

#else

static inline void bvhaus_eight_most( float ( *rows )[8], const uint8_t* which, int count, float* most )
{
	for ( int k = 0; k < 8; ++k )
	{
		most[k] = rows[which[0]][k];
		for ( int i = 1; i < count; ++i )
		{
			most[k] = rows[which[i]][k] > most[k] ? rows[which[i]][k] : most[k];
		}
	}
}

static inline int bvhaus_eight_least( const float* row, float* least )
{
	int best = 0;
	for ( int i = 1; i < 8; ++i )
	{
		best = row[i] < row[best] ? i : best;
	}
	*least = row[best];
	return best;
}

static inline uint32_t bvhaus_eight_within( const float* square, const float* error, float distance )
{
	uint32_t bits = 0;
	for ( int i = 0; i < 8; ++i )
	{
		float limit = distance + error[i];
		bits |= (uint32_t)( square[i] <= limit * limit ) << i;
	}
	return bits;
}

#endif

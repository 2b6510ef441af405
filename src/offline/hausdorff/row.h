// Rows: one number for each of some points, in whole groups (distance.h). Their largest, their least, and
// which of them are above a limit, without branches. The order in which numbers are compared does not matter,
// so that all forms of a function give the same bits.

#pragma once

#include "offline/hausdorff/distance.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>

/// @param count  whole groups of values are looked at; at least one
/// @return the largest value
static inline double bvhaus_row_largest( const double* row, int count )
{
	__m128d a = _mm_loadu_pd( row );
	__m128d b = _mm_loadu_pd( row + 2 );
	for ( int i = bvhaus_lanes; i < count; i += bvhaus_lanes )
	{
		a = _mm_max_pd( a, _mm_loadu_pd( row + i ) );
		b = _mm_max_pd( b, _mm_loadu_pd( row + i + 2 ) );
	}
	a = _mm_max_pd( a, b );
	return _mm_cvtsd_f64( _mm_max_sd( a, _mm_unpackhi_pd( a, a ) ) );
}

/// Lowers each value of `least` to that of `row`.
static inline void bvhaus_row_lower( const double* row, int count, double* least )
{
	for ( int i = 0; i < count; i += bvhaus_lanes )
	{
		__m128d a = _mm_min_pd( _mm_loadu_pd( row + i ), _mm_loadu_pd( least + i ) );
		__m128d b = _mm_min_pd( _mm_loadu_pd( row + i + 2 ), _mm_loadu_pd( least + i + 2 ) );
		_mm_storeu_pd( least + i, a );
		_mm_storeu_pd( least + i + 2, b );
	}
}

/// Takes some values of another row.
/// @param from  where each of them is, in whole groups
static inline void bvhaus_row_take( const double* row, const uint8_t* from, int count, double* out )
{
	for ( int i = 0; i < count; i += bvhaus_lanes )
	{
		// As wide as these are read soon after: processors are slow at that otherwise.
		_mm_storeu_pd( out + i, _mm_set_pd( row[from[i + 1]], row[from[i]] ) );
		_mm_storeu_pd( out + i + 2, _mm_set_pd( row[from[i + 3]], row[from[i + 2]] ) );
	}
}

/// @return whether some value is no larger than that of another row
static inline bool bvhaus_row_touches( const double* row, const double* other, int count )
{
	int bits = 0;
	for ( int i = 0; i < count; i += 2 )
	{
		bits |= _mm_movemask_pd( _mm_cmple_pd( _mm_loadu_pd( row + i ), _mm_loadu_pd( other + i ) ) );
	}
	return bits != 0;
}

/// @return the sum of products, in a fixed order; what is behind the last value up to a whole group must be 0
///         in one row
static inline double bvhaus_row_dot( const double* v, const double* w, int count )
{
	__m128d a = _mm_setzero_pd();
	__m128d b = _mm_setzero_pd();
	for ( int i = 0; i < count; i += bvhaus_lanes )
	{
		a = _mm_add_pd( a, _mm_mul_pd( _mm_loadu_pd( v + i ), _mm_loadu_pd( w + i ) ) );
		b = _mm_add_pd( b, _mm_mul_pd( _mm_loadu_pd( v + i + 2 ), _mm_loadu_pd( w + i + 2 ) ) );
	}
	a = _mm_add_pd( a, b );
	return _mm_cvtsd_f64( _mm_add_sd( a, _mm_unpackhi_pd( a, a ) ) );
}

/// @return a bit for each value above `limit`; those behind the last value mean nothing
static inline uint32_t bvhaus_row_above( const double* row, int count, double limit )
{
	__m128d l = _mm_set1_pd( limit );
	uint32_t bits = 0;
	for ( int i = 0; i < count; i += 2 )
	{
		bits |= (uint32_t)_mm_movemask_pd( _mm_cmpgt_pd( _mm_loadu_pd( row + i ), l ) ) << i;
	}
	return bits;
}

#else

static inline double bvhaus_row_largest( const double* row, int count )
{
	double largest = row[0];
	for ( int i = 1; i < bvhaus_whole_groups( count ); ++i )
	{
		largest = row[i] > largest ? row[i] : largest;
	}
	return largest;
}

static inline void bvhaus_row_lower( const double* row, int count, double* least )
{
	for ( int i = 0; i < bvhaus_whole_groups( count ); ++i )
	{
		least[i] = row[i] < least[i] ? row[i] : least[i];
	}
}

static inline void bvhaus_row_take( const double* row, const uint8_t* from, int count, double* out )
{
	for ( int i = 0; i < bvhaus_whole_groups( count ); ++i )
	{
		out[i] = row[from[i]];
	}
}

static inline bool bvhaus_row_touches( const double* row, const double* other, int count )
{
	bool touches = false;
	for ( int i = 0; i < count; ++i )
	{
		touches |= row[i] <= other[i];
	}
	return touches;
}

static inline double bvhaus_row_dot( const double* v, const double* w, int count )
{
	double sum[bvhaus_lanes] = { 0, 0, 0, 0 };
	for ( int i = 0; i < count; i += bvhaus_lanes )
	{
		for ( int lane = 0; lane < bvhaus_lanes; ++lane )
		{
			sum[lane] += v[i + lane] * w[i + lane];
		}
	}
	return ( sum[0] + sum[2] ) + ( sum[1] + sum[3] );
}

static inline uint32_t bvhaus_row_above( const double* row, int count, double limit )
{
	uint32_t bits = 0;
	for ( int i = 0; i < count; ++i )
	{
		bits |= (uint32_t)( row[i] > limit ) << i;
	}
	return bits;
}

#endif

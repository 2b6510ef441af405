// When two polytopes that move along lines meet, exactly: coordinates are integers, and times are ratios of integers.
//
// Slow: all sets of at most three vertices of the Minkowski difference are tried. Shares nothing with src.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A point or a vector. Differences and motions are below 2^14.
typedef struct cast_vec
{
	int64_t x[3];
} cast_vec;

/// A time.
typedef struct cast_ratio
{
	__extension__ __int128 above;
	__extension__ __int128 below; ///< above 0
} cast_ratio;

/// @param a, b      corners, at least one of each
/// @param relative  motion of b as seen from a; not 0
/// @param first     receives the first time at which they meet, which may be below 0
/// @param last      receives the last one
/// @return false if they meet at no time
bool cast_times( const cast_vec* a, int of_a, const cast_vec* b, int of_b, cast_vec relative,
                 cast_ratio* first, cast_ratio* last );

/// @return below 0, 0 or above 0 as a time is before, at or after another, exactly; of below up to 2^59
int cast_compare( double time, const cast_ratio* other );

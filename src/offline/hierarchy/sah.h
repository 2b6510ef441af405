// The surface area heuristic that the splitter and the builder of that name share: what a cut costs, and
// where cuts may be. I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007, section
// 3.

#pragma once

#include <stdint.h>

enum
{
	bvhier_sah_sweep = 8,      ///< of so many faces at most every cut between two midpoints is tried
	bvhier_sah_few = 64,       ///< fewer faces are sorted into ...
	bvhier_sah_few_bins = 8,   ///< ... this many bins along each axis
	bvhier_sah_most_bins = 16, ///< and more into this many
};

/// @return how many bins there are along each axis
static inline uint32_t bvhier_sah_bins( uint32_t count )
{
	return count < bvhier_sah_few ? bvhier_sah_few_bins : bvhier_sah_most_bins;
}

/// @param lower  of all keys
/// @param upper  of all keys
/// @return bins per unit, 0 when the keys can't be told apart
static inline double bvhier_sah_scale( double lower, double upper, uint32_t bins )
{
	double size = upper - lower;
	return size > 0x1p-900 ? bins / size : 0;
}

/// @return the number of the bin of a key
static inline uint32_t bvhier_sah_bin( double key, double lower, double scale, uint32_t bins )
{
	uint32_t bin = (uint32_t)(int32_t)( ( key - lower ) * scale );
	return bin < bins ? bin : bins - 1;
}

/// @return half the surface of a box with such sides
static inline double bvhier_sah_half_area( double x, double y, double z )
{
	return ( x * y + y * z ) + z * x;
}

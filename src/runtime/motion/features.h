// What finders of contacts between moving features share: the pair, and the table's rows.

#pragma once

#include "bv/motion.h"

/// Two features whose points move along lines: point 0 and the triangle of points 1 to 3, or the edges of points 0 and 1,
/// and 2 and 3.
typedef struct bvmotion_pair
{
	const bv_vec3* start; ///< the four points at time 0
	const bv_vec3* end;   ///< and at time 1
	bool edges;           ///< two edges
} bvmotion_pair;

/// Finds the first contact, exactly. `certain` is false if the coordinates take too many bits.
/// @param limit  end of the time range, above 0 and up to 1
/// @param out    `tests` is counted up
void bvmotion_find_exactly( const bvmotion_pair* pair, double limit, bv_feature_time* out );

/// The same in binary64.
/// @return whether that decides; otherwise `*out` is unchanged
bool bvmotion_filter( const bvmotion_pair* pair, double limit, bv_feature_time* out );

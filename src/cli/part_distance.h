// The signed distance between the convex parts of two files.

#pragma once

#include "bv/bv.h"

/// A pair of subtrees of the hierarchies over parts that waits to be searched.
typedef struct part_distance_waiting
{
	double bound;     ///< no pair of their parts has a smaller signed distance
	uint32_t node[2]; ///< of each file
} part_distance_waiting;

/// The smallest signed distance of a part of one file and a part of another.
typedef struct part_distance
{
	/// Interval, points, normal and support points. The interval is that of the smallest distance; points and normal
	/// are those of the pair `part`.
	bv_convex_result nearest;

	uint32_t part[2];      ///< the pair with the smallest upper bound
	uint64_t volume_tests; ///< pairs of boxes
	uint64_t pair_tests;   ///< pairs of parts
} part_distance;

/// @return how many pairs of subtrees can wait at a time
uint32_t part_distance_most_waiting( const bv_file* a, const bv_file* b );

/// Finds the nearest parts of two files, or those that overlap deepest.
/// @param a, b     have convex parts
/// @param b_in_a   from coordinates of b to those of a
/// @param waiting  room for part_distance_most_waiting pairs
/// @return bv_ok; bv_error_unsupported, with `*out` unchanged, if the method does not compare parts
bv_status part_distance_find( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                              bv_convex_method method, part_distance_waiting* waiting, part_distance* out );

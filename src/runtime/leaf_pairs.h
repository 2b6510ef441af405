// Tests the triangle pairs of two leaves: eight pairs at a time with a fast test in binary32, then each
// undecided pair with the exact test.

#pragma once

#include "base/core/lanes.h"
#include "base/core/similarity.h"
#include "bv/query.h"
#include "runtime/leaf.h"
#include "runtime/spot.h"

/// A triangle's corners, which may all be off by so much in each coordinate.
typedef struct bv_moved_triangle
{
	bv_vec3 corner[3];
	double uncertainty;
} bv_moved_triangle;

/// Triangles of a leaf relative to some point near by, so that binary32 is fine enough wherever they lie.
typedef struct bv_near_triangles
{
	float corner[bv_leaf_block][9]; ///< by triangle
	bv_lane_bounds bounds;          ///< of each
	double size;                    ///< no coordinates of a corner add up to more
} bv_near_triangles;

/// Pairs that wait until there are enough of them for all lanes, and where those that intersect are counted.
typedef struct bv_leaf_pairs
{
	const bv_lanes* lanes;
	const bvh_view* a;
	const bvh_view* b;
	const bv_similarity* to_a; ///< takes coordinates of b to those of a
	const bv_collide_options* options;
	bv_collide_result* result;
	uint32_t fixed_first;    ///< triangle of a
	uint32_t fixed_count;    ///< how many from there on; 0 at first
	bv_vec3 origin;          ///< a corner of the first of them
	bv_near_triangles fixed; ///< triangles of a for as long as no others are asked for, relative to it
	uint32_t moved_first;    ///< triangle of b
	uint32_t moved_count;    ///< length of the next; 0 at first
	bv_moved_triangle moved[bv_leaf_block]; ///< triangles of b for as long as no others are asked for
	uint32_t count;                         ///< pairs that wait
	float tolerance;                        ///< no coordinate of theirs is farther off
	bv_lane_triangles near_a;               ///< relative to a point near by
	bv_lane_triangles near_b;               ///< relative to the same
	uint32_t index_a[BV_LANES];
	uint32_t index_b[BV_LANES];
} bv_leaf_pairs;

/// @return whether the query has taken more tests than it may
static inline bool bv_leaf_pairs_too_many( const bv_collide_options* options,
                                           const bv_collide_result* result )
{
	return options->most_tests > 0 && result->volume_tests + result->triangle_tests > options->most_tests;
}

/// No pairs at first. What is given is kept.
void bv_leaf_pairs_begin( const bv_lanes* lanes, const bvh_view* a, const bvh_view* b,
                          const bv_similarity* to_a, const bv_collide_options* options,
                          bv_collide_result* result, bv_leaf_pairs* out );

/// Takes all pairs of triangles of two leaves.
/// @return false when the query is over
bool bv_leaf_pairs_add( bv_leaf_pairs* pairs, const bv_spot* a, const bv_spot* b );

/// Tests those that still wait.
void bv_leaf_pairs_end( bv_leaf_pairs* pairs );

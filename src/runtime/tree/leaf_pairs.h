// Tests the triangle pairs of two leaves: eight pairs at a time with a fast test in binary32, then each
// undecided pair with the exact test.

#pragma once

#include "bv/mesh.h"

#include "runtime/tree/approach.h"
#include "runtime/tree/lanes.h"
#include "runtime/tree/leaf.h"
#include "runtime/tree/spot.h"
#include "runtime/volume/similarity.h"

/// A triangle's corners, which may all be off by so much in each coordinate.
typedef struct bvtree_moved_triangle
{
	bv_vec3 corner[3];
	double uncertainty;
} bvtree_moved_triangle;

/// Triangles of a leaf relative to some point near by, so that binary32 is fine enough wherever they lie.
typedef struct bvtree_near_triangles
{
	float corner[bvtree_leaf_block][9]; ///< by triangle
	bvtree_lane_bounds bounds;          ///< of each
	double size;                        ///< no coordinates of a corner add up to more
} bvtree_near_triangles;

/// Up to bvtree_leaf_block triangles of each of two leaves, which are being compared.
typedef struct bvtree_leaf_blocks
{
	uint32_t first[2]; ///< triangles of a and of b
	uint32_t count[2]; ///< how many from there on
	uint32_t next;     ///< the triangle of a that comes next
	uint32_t left;     ///< a bit for each triangle of b that is still to be compared with the one before that
	uint8_t
		near[bvtree_leaf_block]; ///< for each triangle of a, a bit for each one of b whose bounds are near
	float way[3];                ///< of triangles of b
	float tolerance;             ///< no coordinate is farther off
	bvtree_near_triangles b;     ///< relative to the same point as those of a
} bvtree_leaf_blocks;

/// Pairs that wait until there are enough of them for all lanes, and where those that intersect are counted.
typedef struct bvtree_leaf_pairs
{
	const bvtree_lanes* lanes;
	const bvfile_view* a;
	const bvfile_view* b;
	const bvvol_similarity* to_a; ///< takes coordinates of b to those of a
	const bv_collide_options* options;
	bv_collide_result* result;
	const bvtree_approach*
		approach;                ///< with a reach: pairs that may touch are counted, not those that intersect
	uint32_t fixed_first;        ///< triangle of a
	uint32_t fixed_count;        ///< how many from there on; 0 at first
	bv_vec3 origin;              ///< a corner of the first of them
	bvtree_near_triangles fixed; ///< triangles of a for as long as no others are asked for, relative to it
	uint32_t moved_first;        ///< triangle of b
	uint32_t moved_count;        ///< length of the next; 0 at first
	bvtree_moved_triangle moved[bvtree_leaf_block]; ///< triangles of b for as long as no others are asked for
	uint32_t count;                                 ///< pairs that wait
	float tolerance;                                ///< no coordinate of theirs is farther off
	bvtree_lane_triangles near_a;                   ///< relative to a point near by
	bvtree_lane_triangles near_b;                   ///< relative to the same
	float way[3][BVFILE_LANES];                     ///< of the second of each pair
	uint32_t index_a[BVFILE_LANES];
	uint32_t index_b[BVFILE_LANES];
	uint32_t hits;    ///< a bit for each pair of the last ones that may intersect and is not yet reported
	uint32_t certain; ///< those that intersect without further tests
	uint32_t hits_of_step;     ///< pairs that a step reports at most
	bvtree_leaf_blocks blocks; ///< of the pair of leaves
} bvtree_leaf_pairs;

/// @return whether the query has taken more tests than it may
static inline bool bvtree_leaf_pairs_too_many( const bv_collide_options* options,
                                               const bv_collide_result* result )
{
	return options->most_tests > 0 && result->volume_tests + result->triangle_tests > options->most_tests;
}

/// No pairs at first. What is given is kept.
/// @param approach  see there; with a reach of 0 for pairs that intersect
void bvtree_leaf_pairs_begin( const bvtree_lanes* lanes, const bvfile_view* a, const bvfile_view* b,
                              const bvvol_similarity* to_a, const bvtree_approach* approach,
                              const bv_collide_options* options, bv_collide_result* result,
                              bvtree_leaf_pairs* out );

/// Where a query is in the pairs of triangles of two leaves.
typedef struct bvtree_leaf_cursor
{
	uint32_t first[2]; ///< triangles of a and of b
	uint32_t count[2]; ///< how many from there on
	uint32_t at[2];    ///< those that come next
} bvtree_leaf_cursor;

/// @return the first pair of triangles of two leaves
static inline bvtree_leaf_cursor bvtree_leaf_cursor_begin( const bvtree_spot* a, const bvtree_spot* b )
{
	return ( bvtree_leaf_cursor ){ { a->at, b->at }, { a->triangles, b->triangles }, { 0, 0 } };
}

/// @return whether pairs of triangles are left
static inline bool bvtree_leaf_cursor_is_active( const bvtree_leaf_cursor* cursor )
{
	return cursor->at[1] < cursor->count[1];
}

/// Takes the first pairs of triangles of two leaves.
/// @param pairs   nothing of other leaves is left
/// @param cursor  inactive; becomes active if pairs are left, as of large leaves
/// @return false when the query is over
bool bvtree_leaf_pairs_first( bvtree_leaf_pairs* pairs, const bvtree_spot* a, const bvtree_spot* b,
                              bvtree_leaf_cursor* cursor );

/// Takes the pairs of up to bvtree_leaf_block triangles of each of two leaves.
/// @param cursor  active; moves on to the next ones
/// @return false when the query is over
bool bvtree_leaf_pairs_step( bvtree_leaf_pairs* pairs, bvtree_leaf_cursor* cursor );

/// @return whether a step left something of those, because it reports only some pairs
static inline bool bvtree_leaf_pairs_are_left( const bvtree_leaf_pairs* pairs )
{
	return pairs->hits > 0;
}

/// Goes on with what a step left.
/// @return false when the query is over
bool bvtree_leaf_pairs_continue( bvtree_leaf_pairs* pairs );

/// Tests those that still wait. If more of them intersect than a step reports, some of them are left.
/// @return false when the query is over
bool bvtree_leaf_pairs_test_waiting( bvtree_leaf_pairs* pairs );

/// Reports all pairs that are known, and tests those that still wait.
void bvtree_leaf_pairs_end( bvtree_leaf_pairs* pairs );

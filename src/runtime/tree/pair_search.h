// A search through pairs of nodes of two hierarchies that can be stopped after any step and continued.
//
// Pairs that wait are in memory of the caller: a heap, and behind it a stack. If the heap is full, the pair that is next is
// processed depth first on the stack. If the stack is full as well, only the path to where the search is remains, and the children of
// a pair are compared again when the search comes back to it. The order in which pairs are visited depends only on the files, the
// placement, the options and the size of the memory, not on where the search was stopped.

#pragma once

#include "bv/search.h"

#include "runtime/tree/leaf_pairs.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/upper.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/gap.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/similarity.h"

enum
{
	bvtree_search_levels = 2 * BV_MAX_DEPTH,
	bvtree_search_most_room = 1 << 24, ///< pairs

	/// What a pair counts as in memory of the caller, so that as many fit on all machines.
	bvtree_node_pair_bytes = 48,
};

/// A bvtree_spot in fewer bytes: its lane is in the pair.
typedef struct bvtree_seat
{
	uint32_t parent;
	uint32_t at;
	union
	{
		float size;         ///< of an inner node
		uint32_t triangles; ///< of a leaf
	};
} bvtree_seat;

/// A node of each hierarchy.
typedef struct bvtree_node_pair
{
	bvtree_seat of[2];
	uint8_t lane[2];
	bool is_leaf[2];
	double gap;  ///< they are not nearer than this
	double rank; ///< among pairs that the order does not tell apart, the least one comes first
} bvtree_node_pair;

_Static_assert( sizeof( bvtree_node_pair ) <= bvtree_node_pair_bytes, "a pair takes no more" );

/// One of the two hierarchies, and its volume that was last seen from the other.
typedef struct bvtree_search_side
{
	bvfile_view view;
	bvvol_similarity to_other; ///< takes its coordinates to the other's
	double unit;               ///< of length in its coordinates, in those of a
	bool is_placed;            ///< the rest is that of the node below
	uint32_t parent;
	uint32_t lane;
	bvvol_rounded moved;  ///< in the other's coordinates
	bvtree_moved_box box; ///< the same without the radius, for lanes
	bool fits_lanes;      ///< lanes can compare that box
} bvtree_search_side;

/// A pair on the path to where a descent is.
typedef struct bvtree_search_step
{
	uint32_t parent; ///< of the node that was opened
	uint8_t lane;    ///< of the same
	uint8_t side;    ///< of the same
	uint8_t done;    ///< a bit for each of its children that was descended into
} bvtree_search_step;

/// What the next step is about.
typedef enum bvtree_search_phase
{
	bvtree_search_at_heap = 0, ///< the pair that is next
	bvtree_search_at_stack,    ///< the last pair of the stack
	bvtree_search_at_path,     ///< the end of the path
	bvtree_search_done,        ///< no pair is of interest
} bvtree_search_phase;

/// Everything that is known of a search. Must not be moved.
typedef struct bvtree_pair_search
{
	bvtree_search_side side[2];
	const bvtree_lanes* lanes;
	bv_search_goal goal;
	bv_search_order order;
	double relative; ///< allowed overestimate as a fraction of the distance
	double absolute; ///< the same in coordinates of a

	// What was found.
	bool found;
	double best;
	double bar;    ///< pairs that are this far apart, or farther, are of no interest
	double proven; ///< with a tolerance: a lower bound that was proven before the bar became less
	bvtri_gap gap;
	uint32_t triangle[2];
	uint64_t volume_tests;
	uint64_t triangle_tests;
	bvtree_upper upper;        ///< by errors of nodes
	uint64_t last_rank;        ///< pairs that were given a number
	uint64_t pops;             ///< pairs taken from the heap
	bvtree_leaf_pairs* leaves; ///< of a search for collisions; else null
	bv_collide_options leaves_options;
	bv_collide_result leaves_result;

	// What is left.
	bvtree_search_phase phase;
	bvtree_leaf_cursor leaf; ///< active if a pair is of leaves, whose triangles are compared
	double leaf_gap;         ///< of that pair
	bvtree_node_pair next;   ///< at the heap: this pair
	bvtree_node_pair* pair;  ///< the heap from 1 on, then the stack
	uint32_t room;           ///< of that memory, one pair less
	uint32_t most;           ///< that the heap may have
	uint32_t count;          ///< that it has
	double purged;           ///< the bar when pairs were removed from the heap that are of no interest
	uint32_t stack_count;
	bvtree_node_pair path_pair; ///< where the path ends
	double path_gap;            ///< of where it begins
	int path_depth;             ///< its last step; -1 for none
	bvtree_search_step path[bvtree_search_levels];
} bvtree_pair_search;

/// What a search is made of.
typedef struct bvtree_search_setup
{
	const bvtree_lanes* lanes;
	const bv_file* a;
	const bv_file* b;
	const bv_transform* b_in_a; ///< of stored positions; null for the identity
	bv_search_goal goal;
	bv_search_order order;
	double limit; ///< of bv_search_options
	double relative;
	double absolute;
	const uint32_t* last;      ///< triangles to compare first; null for none
	bvtree_node_pair* pairs;   ///< memory
	uint32_t room;             ///< pairs that fit in it, less one
	bvtree_leaf_pairs* leaves; ///< memory for bv_search_collision; else null
} bvtree_search_setup;

/// Compares the roots.
/// @return bv_ok; bv_error_argument if a pointer is null, the placement is invalid, a number is NaN or negative, a triangle is out of
/// range, or a file has no hierarchy
bv_status bvtree_search_begin( const bvtree_search_setup* setup, bvtree_pair_search* out );

/// Continues a search. Each step takes some tens of tests at most.
/// @param budget  null for no limit
void bvtree_search_run( bvtree_pair_search* s, const bv_budget* budget );

/// @return a lower bound of the distance of the meshes
double bvtree_search_lower( const bvtree_pair_search* s );

/// Improves the upper bound by errors for an answer.
void bvtree_search_bound( bvtree_pair_search* s );

/// @return the nearest point of a mesh in the nearest pair of triangles; `of` is 0 for a and 1 for b
bv_surface_point bvtree_search_point( const bvtree_pair_search* s, int of );

// A descent of two hierarchies for intersecting triangles that can be stopped after any step and continued.

#pragma once

#include "runtime/tree/approach.h"
#include "runtime/tree/budget.h"
#include "runtime/tree/expansion.h"
#include "runtime/tree/leaf_pairs.h"
#include "runtime/tree/upper.h"
#include "runtime/volume/pairs.h"

/// Each node that is opened is one level deeper in one of the two hierarchies than the one before.
enum
{
	bvtree_collide_levels = 2 * BV_MAX_DEPTH,
	bvtree_collide_ready =
		8, ///< as many as 16 kB of stack have room for, beside tests of triangles and a motion
};

/// A node that is opened, the volume of the other hierarchy that its children are compared with, and those of them that overlap it and
/// wait for their turn.
typedef struct bvtree_opened
{
	uint32_t waiting;             ///< a bit for each of them; the last one comes first
	uint32_t place;               ///< of the node
	bvtree_child_sums children;   ///< of the node
	bool is_a;                    ///< it is of a
	bool opens_other;             ///< nothing was compared, but the other volume is opened for each child
	bv_volume_type type;          ///< of the other volume
	bvtree_spot other;            ///< where that is
	bvtree_moved_box box;         ///< that in the node's coordinates, if it is a box
	bvfile_node_frame frame;      ///< of the node
	float size[2 * BVFILE_LANES]; ///< of the children that wait; kernels write eight of them from any on
} bvtree_opened;

/// The same in few bytes: all that the rest follows from.
typedef struct bvtree_kept_level
{
	uint32_t place;
	uint32_t parent; ///< of the other
	float size;      ///< of the other
	uint8_t lane;    ///< of the other
	uint8_t waiting;
	uint8_t type;
	bool is_a : 1;
	bool opens_other : 1;
} bvtree_kept_level;

/// One of the two hierarchies, and what is remembered of its latest volume that lanes do not take.
typedef struct bvtree_collide_side
{
	bvfile_view view;
	bvvol_similarity to_other; ///< takes its coordinates to the other's
	double reach;              ///< volumes that are no farther apart meet; in the other's coordinates
	uint32_t parent;           ///< where that is
	uint32_t lane;
	bv_volume volume;
} bvtree_collide_side;

/// Everything that lasts for one query. Must not be moved.
typedef struct bvtree_collide_query
{
	bvtree_collide_side a;
	bvtree_collide_side b;
	const bvtree_lanes* lanes;
	bool fits_lanes;
	bool is_moving;
	bvtree_approach from_b;    ///< the approach as b sees it, if anything moves
	bvvol_placement placement; ///< of b, for volumes that lanes do not take: after the next two
	double scale;
	bool mirror;
	bvtree_expander expander;
	bv_collide_options options;
	bv_collide_result* result;
	bvtree_upper* upper;       ///< of the distance, to be improved; null if it is not wanted
	bool is_over;              ///< nothing is left to do
	uint64_t steps_of_run;     ///< after which a run ends
	bvtree_leaf_cursor leaves; ///< the pair of leaves whose triangles are tested next
	bvtree_leaf_pairs pairs;   ///< of triangles that may intersect
	uint32_t depth;            ///< levels
	bvtree_opened* deepest;    ///< the level before the depth; it is ready
	uint32_t first_ready;      ///< of the levels below the depth: those above it are kept only
	bvtree_opened ready[bvtree_collide_ready]; ///< of each level, modulo their number
	bvtree_kept_level kept[bvtree_collide_levels - bvtree_collide_ready];
} bvtree_collide_query;

/// Compares the roots.
/// @param b_in_a    of stored positions; null for the identity
/// @param approach  as for bvtree_collide_within
/// @param options   null for the defaults
/// @param result    receives what is found, until the query is over; unchanged on errors
/// @return as bv_mesh_collide
bv_status bvtree_collide_begin( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                const bv_transform* b_in_a, const bvtree_approach* approach,
                                const bv_collide_options* options, bv_collide_result* result,
                                bvtree_collide_query* out );

/// Continues until the query is over or the budget is spent.
/// @param budget  null for no limit
void bvtree_collide_run( bvtree_collide_query* q, const bv_budget* budget );

/// From now on a run takes one step: the children of a node and a volume, some triangles of leaves, or some pairs that it reports.
/// @param pairs  that a step reports at most, up to BVFILE_LANES
void bvtree_collide_divide( bvtree_collide_query* q, uint32_t pairs );

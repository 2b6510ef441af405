// What prisms may be near to: triangles and nodes, eight to a slot, and how far upright edges are from each of them.

#pragma once

#include "hausdorff/group.h"
#include "hausdorff/index.h"

enum
{
	bvb_most_slots = 32,
	bvb_most_edges = 192, // of all prisms that wait, and of the one that is looked at
};

/// Eight triangles or nodes.
typedef struct bvb_slot
{
	bvb_index_ref owner;                   ///< the node below which they are
	bool has_boxes;                        ///< nodes, not triangles
	const float* error;                    ///< of each lane; 0 for triangles
	bvb_index_ref ref[bvb_lanes_of_group]; ///< of each lane; BVB_NO_REF where it holds nothing
	union
	{
		bvb_triangle_group triangles; ///< either these
		bvb_box_group boxes;          ///< or these
	};
} bvb_slot;

/// A row is a lane of a slot: bvb_lanes_of_group times the slot's number, plus the lane's.
typedef struct bvb_slots
{
	const bvb_index* index; ///< what is measured against
	bvb_local_frame frame;  ///< of all that is in slots
	double reach;           ///< no coordinate in there is larger
	uint32_t used;          ///< a bit for each slot that holds something
	uint32_t needed;        ///< a bit for each that must stay
	bvb_slot slot[bvb_most_slots];

	/// Of each slot and edge, how far the edge's farther end is from each lane: squares of upper bounds.
	float most[bvb_most_slots][bvb_most_edges][bvb_lanes_of_group];
} bvb_slots;

static inline float bvb_slots_square( const bvb_slots* slots, int edge, int row )
{
	return slots->most[row / bvb_lanes_of_group][edge][row % bvb_lanes_of_group];
}

/// Empties all slots.
void bvb_slots_begin( bvb_slots* slots, const bvb_index* index, const bvb_local_frame* frame );

/// Puts what is below a node into slots: its triangles where they are no more than eight, or else its children. Slots that are not
/// needed may make way.
/// @return a bit for each of them; none when there is no room
uint32_t bvb_slots_open( bvb_slots* slots, bvb_index_ref node );

/// Finds out how far some edges are from what is in some slots.
/// @param first     the edges' first number
/// @param which     a bit for each slot
/// @param least     receives, of each edge, the squares of upper bounds for its lower and its upper end
void bvb_slots_look( bvb_slots* slots, const bvb_segments* edges, int first, uint32_t which,
                     float ( *least )[2] );

/// The same for edges whose numbers do not follow one another, without `least`.
/// @param number  of each edge
void bvb_slots_look_at( bvb_slots* slots, const bvb_segments* edges, const uint8_t* number, uint32_t which );

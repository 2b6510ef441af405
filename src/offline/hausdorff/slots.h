// What prisms may be near to: triangles and nodes, eight to a slot, and how far upright edges are from each
// of them.

#pragma once

#include "offline/hausdorff/group.h"
#include "offline/hausdorff/index.h"

enum
{
	bvhaus_most_slots = 32,
	bvhaus_most_edges = 192, // of all prisms that wait, and of the one that is looked at
};

/// Eight triangles or nodes.
typedef struct bvhaus_slot
{
	bvhaus_index_ref owner;                      ///< the node below which they are
	bool has_boxes;                              ///< nodes, not triangles
	const float* error;                          ///< of each lane; 0 for triangles
	bvhaus_index_ref ref[bvhaus_lanes_of_group]; ///< of each lane; BVHAUS_NO_REF where it holds nothing
	union
	{
		bvhaus_triangle_group triangles; ///< either these
		bvhaus_box_group boxes;          ///< or these
	};
} bvhaus_slot;

/// A row is a lane of a slot: bvhaus_lanes_of_group times the slot's number, plus the lane's.
typedef struct bvhaus_slots
{
	const bvhaus_index* index; ///< what is measured against
	bvhaus_local_frame frame;  ///< of all that is in slots
	double reach;              ///< no coordinate in there is larger
	uint32_t used;             ///< a bit for each slot that holds something
	uint32_t needed;           ///< a bit for each that must stay
	bvhaus_slot slot[bvhaus_most_slots];

	/// Of each slot and edge, how far the edge's farther end is from each lane: squares of upper bounds.
	float most[bvhaus_most_slots][bvhaus_most_edges][bvhaus_lanes_of_group];
} bvhaus_slots;

static inline float bvhaus_slots_square( const bvhaus_slots* slots, int edge, int row )
{
	return slots->most[row / bvhaus_lanes_of_group][edge][row % bvhaus_lanes_of_group];
}

/// Empties all slots.
void bvhaus_slots_begin( bvhaus_slots* slots, const bvhaus_index* index, const bvhaus_local_frame* frame );

/// Puts what is below a node into slots: its triangles where they are no more than eight, or else its
/// children. Slots that are not needed may make way.
/// @return a bit for each of them; none when there is no room
uint32_t bvhaus_slots_open( bvhaus_slots* slots, bvhaus_index_ref node );

/// Finds out how far some edges are from what is in some slots.
/// @param first     the edges' first number
/// @param which     a bit for each slot
/// @param least     receives, of each edge, the squares of upper bounds for its lower and its upper end
void bvhaus_slots_look( bvhaus_slots* slots, const bvhaus_segments* edges, int first, uint32_t which,
                        float ( *least )[2] );

/// The same for edges whose numbers do not follow one another, without `least`.
/// @param number  of each edge
void bvhaus_slots_look_at( bvhaus_slots* slots, const bvhaus_segments* edges, const uint8_t* number,
                           uint32_t which );

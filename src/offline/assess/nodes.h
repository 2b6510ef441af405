// The nodes of a file's hierarchy by level, and a choice of them.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"

/// What is kept of every node.
typedef struct bvassess_assessed_node
{
	uint32_t level;          ///< 0 for the root
	bv_volume_type type;     ///< of its volume
	uint32_t children;       ///< 0 for a leaf
	uint32_t first_child;    ///< number of the first of them
	uint32_t first_triangle; ///< the triangles below are a range of the file's
	uint32_t triangles;      ///< length of that range
} bvassess_assessed_node;

/// All nodes.
typedef struct bvassess_assessed
{
	bvassess_assessed_node* nodes;             ///< by number
	uint32_t* by_level;                        ///< numbers of all nodes: level by level, ascending
	uint32_t first_of_level[BV_MAX_DEPTH + 2]; ///< where in by_level each level begins
	uint32_t count;                            ///< of nodes
	uint32_t levels;                           ///< depth + 1
} bvassess_assessed;

/// @param arena  what is made lives here
/// @return bv_ok; bv_error_argument when the file has no hierarchy; bv_error_memory
bv_status bvassess_nodes( const bv_file* file, bvb_arena* arena, bvassess_assessed* out, bvb_error* error );

/// Some nodes of a level, evenly spread.
/// @param inner  only nodes with children
/// @param most   no more than so many; 0 for all
/// @param out    receives their numbers, ascending; room for all nodes of the level
/// @return how many
uint32_t bvassess_choose_nodes( const bvassess_assessed* all, uint32_t level, bool inner, uint32_t most,
                                uint32_t* out );

/// Decodes volumes of nodes.
/// @param place  of each node, where in `out` its volume is to go; UINT32_MAX for nowhere
void bvassess_get_volumes( const bv_file* file, const uint32_t* place, bv_volume* out );

/// @param part  of a plate some three times its thickness over its length
/// @return whether the volume is flat: less than `part` times its area to the power of 3/2
bool bvassess_is_flat( const bv_volume* volume, double part );

// A skin as it is in memory: the head, pairs of bones and weights by vertex, and boxes by node and bone. See bvworld/skin.h.

#pragma once

#include "bvworld/skin.h"
#include "world/deform/deform.h"

enum
{
	bvwskin_most_pairs = 2 * BVW_MAX_INFLUENCES, ///< of a vertex
	bvwskin_most_blended = 16,                   ///< bones of a leaf that is blended
};

/// The matrix of a bone, from stored positions to stored positions.
typedef struct bvwskin_bone
{
	double column[4][3]; ///< the last one is the translation
} bvwskin_bone;

/// Vertices of a node that have a bone, as the file has them, relative to its offset; all vertices of a leaf that is blended.
typedef struct bvwskin_bone_box
{
	float lower[3];
	float upper[3];
} bvwskin_bone_box;

typedef struct bvwskin_counts
{
	uint32_t bones;
	uint64_t pairs;   ///< of all vertices
	uint64_t entries; ///< pairs of a node and a bone
	uint64_t boxes;   ///< one of each entry, and one of each leaf that is blended
	uint32_t unused;  ///< vertices that no triangle has: they have no pairs
} bvwskin_counts;

struct bvw_skin
{
	uint64_t magic;
	uint64_t bytes;
	bvw_deform* deform;
	bvwskin_counts counts;
	float ( *rest )[3];   ///< positions of vertices in the file
	uint32_t* first_pair; ///< by vertex, and one more
	uint16_t* pair_bone;
	float* pair_weight;    ///< positive
	uint32_t* first_entry; ///< by number of a node, and one more
	uint16_t* entry_bone;  ///< ascending
	float* entry_weight;   ///< of blended leaves: the middle of the weights of the bone, which have the sum 1
	float* entry_spread;   ///< of blended leaves: how far weights are from there, rounded up
	uint32_t* first_box;   ///< by number of a node, and one more
	bvwskin_bone_box* boxes;
	uint32_t* leaf_node; ///< by leaf: its number as a node
	bvwskin_bone* bones; ///< of the last pose
	uint64_t* exact;     ///< a bit per vertex that was skinned since the last pose
};

bool bvwskin_is_valid( const bvw_skin* skin );

/// @return whether a node is a leaf that is blended: its weights differ little, and are known
static inline bool bvwskin_is_blended( const bvw_skin* skin, uint32_t number )
{
	return skin->first_box[number + 1] - skin->first_box[number] <
	       skin->first_entry[number + 1] - skin->first_entry[number];
}

/// The box of an entry.
/// @param i  number among the entries of the node
static inline bvwskin_bone_box* bvwskin_box_at( const bvw_skin* skin, uint32_t number, uint32_t i )
{
	return skin->boxes + ( skin->first_box[number] + ( bvwskin_is_blended( skin, number ) ? 0 : i ) );
}

/// The weights of a leaf's vertices by bone.
typedef struct bvwskin_leaf_weights
{
	uint32_t bones;
	uint16_t bone[bvwskin_most_blended];
	double least[bvwskin_most_blended];
	double most[bvwskin_most_blended];
} bvwskin_leaf_weights;

/// Finds the weights of a node's vertices.
/// @return whether it is a leaf, and weights differ so little that it is blended
bool bvwskin_find_weights( const bvw_deform* deform, const bvw_weights* weights, uint32_t number,
                           bvwskin_leaf_weights* out );

/// Reads the pairs of a vertex whose weights are not 0.
/// @return how many there are; 0 if a number is out of range
uint32_t bvwskin_read_pairs( const bvw_weights* weights, uint32_t vertex, uint16_t bone[bvwskin_most_pairs],
                             float weight[bvwskin_most_pairs] );

/// Finds the bones of a node's vertices.
/// @param set  receives a bit for each
void bvwskin_find_bones( const bvw_deform* deform, const bvw_weights* weights, uint32_t number,
                         uint64_t* set );

/// Sets the boxes and weights of all nodes.
void bvwskin_fill_boxes( bvw_skin* skin, const bvw_weights* weights );

/// Reads and checks matrices.
/// @return whether they can be taken; nothing has changed if not
bool bvwskin_take_bones( bvw_skin* skin, const bvw_bones* bones );

/// Sets the box of a node as its bones move it.
void bvwskin_pose_box( const bvw_skin* skin, uint32_t number );

/// Skins a vertex. One without pairs stays at rest.
void bvwskin_move_vertex( const bvw_skin* skin, uint32_t vertex, float to[3] );

/// Marks all vertices as not skinned and as not parked, except those that no triangle has: they are at rest.
void bvwskin_begin_parking( const bvw_skin* skin );

/// Parks the vertices of leaves whose triangles are in a common box, that of a leaf or of a subtree. Those that occur in several boxes are
/// moved to the greatest of their lower corners, which is in all of them, because the skinned position is. Vertices that were skinned stay
/// where they are.
/// @param end    behind the last leaf
/// @param lower  corner of the box
void bvwskin_park( const bvw_skin* skin, uint32_t leaf, uint32_t end, const float lower[3] );

/// Skins all vertices, and fits all nodes to them.
void bvwskin_move_all( bvw_skin* skin, bvw_deform_report* report );

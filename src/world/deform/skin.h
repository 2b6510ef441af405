// A skin as it is in memory: the head, pairs of bones and weights by vertex, and boxes by node and bone. See bvworld/skin.h.

#pragma once

#include "bvworld/skin.h"
#include "world/deform/deform.h"

enum
{
	bvwdeform_most_pairs = 2 * BVW_MAX_INFLUENCES, ///< of a vertex
};

/// The matrix of a bone, from stored positions to stored positions.
typedef struct bvwdeform_bone
{
	double column[4][3]; ///< the last one is the translation
} bvwdeform_bone;

/// The vertices of a node that have a bone, as the file has them, relative to its offset.
typedef struct bvwdeform_bone_box
{
	float lower[3];
	float upper[3];
} bvwdeform_bone_box;

typedef struct bvwdeform_skin_counts
{
	uint32_t bones;
	uint64_t pairs;   ///< of all vertices
	uint64_t entries; ///< pairs of a node and a bone
} bvwdeform_skin_counts;

struct bvw_skin
{
	uint64_t magic;
	uint64_t bytes;
	bvw_deform* deform;
	bvwdeform_skin_counts counts;
	float ( *rest )[3];   ///< positions of vertices in the file
	uint32_t* first_pair; ///< by vertex, and one more
	uint16_t* pair_bone;
	float* pair_weight;    ///< positive
	uint32_t* first_entry; ///< by number of a node, and one more
	uint16_t* entry_bone;  ///< ascending
	bvwdeform_bone_box* entry_box;
	uint32_t* leaf_node;   ///< by leaf: its number as a node
	bvwdeform_bone* bones; ///< of the last pose
	uint64_t* exact;       ///< a bit per vertex that was skinned since the last pose
};

bool bvwdeform_is_skin( const bvw_skin* skin );

/// Reads the pairs of a vertex whose weights are not 0.
/// @return how many there are; 0 if a number is out of range
uint32_t bvwdeform_read_pairs( const bvw_weights* weights, uint32_t vertex,
                               uint16_t bone[bvwdeform_most_pairs], float weight[bvwdeform_most_pairs] );

/// Finds the bones of a node's vertices.
/// @param set  receives a bit for each
void bvwdeform_find_bones( const bvw_deform* deform, const bvw_weights* weights, uint32_t number,
                           uint64_t* set );

/// Sets the boxes of all entries.
void bvwdeform_fill_boxes( bvw_skin* skin );

/// Reads and checks matrices.
/// @return whether they can be taken; nothing has changed if not
bool bvwdeform_take_bones( bvw_skin* skin, const bvw_bones* bones );

/// Sets the box of a node as its bones move it.
void bvwdeform_pose_box( const bvw_skin* skin, uint32_t number );

/// Skins a vertex.
void bvwdeform_skin_vertex( const bvw_skin* skin, uint32_t vertex, float to[3] );

/// Marks all vertices as not skinned and as not parked.
void bvwdeform_begin_parking( const bvw_skin* skin );

/// Parks the vertices of leaves whose triangles are in a common box, that of a leaf or of a subtree. Those that occur in several boxes are
/// moved to the greatest of their lower corners, which is in all of them, because the skinned position is. Vertices that were skinned stay
/// where they are.
/// @param end    behind the last leaf
/// @param lower  corner of the box
void bvwdeform_park( const bvw_skin* skin, uint32_t leaf, uint32_t end, const float lower[3] );

/// Skins all vertices, and fits all nodes to them.
void bvwdeform_skin_all( bvw_skin* skin, bvw_deform_report* report );

// A tree over the points of a piece, each node with the corners of its points' hull, so that a cut is tried
// without looking at what is not near the plane.

#pragma once

#include "offline/decompose/piece.h"
#include "offline/hull/rough.h"

/// Corners of a rough hull.
typedef struct bvdecomp_node_corners
{
	bv_vec3* points; ///< the corners
	uint32_t count;  ///< length of points
} bvdecomp_node_corners;

/// Some of a piece's points, and the edges from them.
typedef struct bvdecomp_piece_node
{
	bv_vec3 low;                  ///< of the box of points and edges
	bv_vec3 high;                 ///< of the box of points and edges
	uint32_t child;               ///< the first of two nodes that are next to each other; 0 for leaves
	bvdecomp_node_corners fine;   ///< of the points' hull
	bvdecomp_node_corners coarse; ///< fewer, for a first look; those of `fine` where these are few
	uint32_t first_point;         ///< of a leaf, in the tree's points
	uint32_t point_count;         ///< of a leaf
	uint32_t first_edge;          ///< of a leaf, in the tree's edges
	uint32_t edge_count;          ///< of a leaf
} bvdecomp_piece_node;

/// nodes[0] is the root.
struct bvdecomp_piece_tree
{
	bvdecomp_piece_node* nodes; ///< children after their parents
	uint32_t node_count;        ///< length of nodes
	uint32_t* points;           ///< numbers of the piece's points, those of a leaf together
	uint32_t ( *edges )[2];     ///< its edges, those of a leaf together: where their first points are
};

/// Makes the tree of a piece.
/// @param fine    nodes' fine hulls may miss points by so much
/// @param coarse  their coarse ones may miss corners of those by so much
/// @param rough   to work with
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_grow_piece_tree( bvdecomp_piece* piece, double fine, double coarse, bvhull_rough* rough,
                                    bvb_arena* arena );

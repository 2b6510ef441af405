// What a tree is expected to cost a query: the surface area heuristic (Goldsmith, Salmon 1987) for trees that
// are tested against others, with volumes of any type.
//
//   sum over inner nodes of p(n) * ( cost of opening + children * cost of comparing volumes )
//   + sum over leaves of p(n) * ( cost of a pair of leaves + triangles * triangles * cost of comparing triangles )
//
// What a leaf is compared with is a leaf, too, of a tree built the same way: it is taken to have as many
// triangles. The root's own test, which every tree has, is left out.

#pragma once

#include "offline/tree/tree.h"

/// What steps cost, and what a node's chance of being visited refers to.
typedef struct bvhier_expected
{
	double volume[bv_volume_types]; ///< of one child of a node whose volume has that type
	double opening;                 ///< of a node, besides its children
	double leaf;                    ///< of a leaf, besides its triangles
	double triangles;               ///< of a triangle of a leaf and one of another
	bv_volume root;                 ///< the volume of the root
} bvhier_expected;

/// @param root  volume of the tree's root
bvhier_expected bvhier_expected_make( const bvb_hierarchy_options* options, const bv_volume* root );

/// @return p(n): the chance that a query which gets to the root looks at what is in a node
double bvhier_visit_chance( const bv_volume* node, const bv_volume* root );

/// @param type  of the node's volume
/// @return what a visit of a node costs
static inline double bvhier_inner_cost( const bvhier_expected* e, bv_volume_type type, uint32_t children )
{
	return e->opening + children * e->volume[type];
}

/// @return what a visit of a leaf costs
static inline double bvhier_leaf_cost( const bvhier_expected* e, uint32_t triangles )
{
	return e->leaf + (double)triangles * triangles * e->triangles;
}

/// @param tree  all its nodes hang together under node 0
/// @return the sum above
double bvhier_expected_cost( const bvb_tree* tree, const bvb_hierarchy_options* options );

// What a tree is expected to cost a query: the surface area heuristic (Goldsmith, Salmon 1987) for trees that are tested
// against others, with volumes of any type.
//
//   sum over inner nodes of p(n) * children * cost of a volume test + sum over leaves of p(n) * triangles * cost of a
//   triangle test
//
// The root's own test, which every tree has, is left out.

#pragma once

#include "tree/tree.h"

/// What tests cost, and what a node's chance of being visited refers to.
typedef struct bvb_expected
{
	double volume[bv_volume_types]; ///< of one child of a node whose volume has that type
	double triangle;                ///< of one triangle of a leaf
	bv_volume root;                 ///< the volume of the root
} bvb_expected;

/// @param root  volume of the tree's root
bvb_expected bvb_expected_make( const bvb_hierarchy_options* options, const bv_volume* root );

/// @return p(n): the chance that a query which gets to the root looks at what is in a node
double bvb_visit_chance( const bv_volume* node, const bv_volume* root );

/// @return what the tests of a node's children cost
static inline double bvb_inner_cost( const bvb_expected* e, const bv_volume* node, uint32_t children )
{
	return bvb_visit_chance( node, &e->root ) * ( children * e->volume[node->type] );
}

/// @return what the tests of a leaf's triangles cost
static inline double bvb_leaf_cost( const bvb_expected* e, const bv_volume* node, uint32_t triangles )
{
	return bvb_visit_chance( node, &e->root ) * ( triangles * e->triangle );
}

/// @param tree  all its nodes hang together under node 0
/// @return the sum above
double bvb_expected_cost( const bvb_tree* tree, const bvb_hierarchy_options* options );

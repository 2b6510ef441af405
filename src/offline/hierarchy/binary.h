// Binary trees of which only the links are known, as builders and optimizers that go from the leaves up make
// them.

#pragma once

#include "offline/hierarchy/build.h"

/// The children of a leaf.
#define BVHIER_NO_NODE UINT32_MAX

/// The links. Nodes are in any order; no leaf is deeper than the options allow.
typedef struct bvhier_binary
{
	uint32_t ( *child )[2]; ///< of each node; BVHIER_NO_NODE twice for a leaf
	uint32_t* first;        ///< of each leaf: where its faces begin in `order`
	uint32_t* count;        ///< of each node: how many faces are in the leaves below
	const uint32_t* order;  ///< faces, those of a leaf side by side; not build->order
	uint32_t root;          ///< index of the root
} bvhier_binary;

/// Fills build->tree but for the volumes, and build->order.
/// @param leaf_most  nodes of so many faces or fewer become leaves
/// @param source     receives for each node of build->tree, whose node_count is set, the node it was
void bvhier_binary_store( const bvhier_build* build, const bvhier_binary* links, uint32_t leaf_most,
                          uint32_t* source );

/// Puts two volumes together if the result is exactly what a fit to all their faces would be, as it is for
/// axis-aligned boxes and k-DOPs.
/// @param options  what volumes nodes may have
/// @return whether that was so
bool bvhier_merge_exactly( const bvb_hierarchy_options* options, const bv_volume* a, const bv_volume* b,
                           bv_volume* out );

/// Fits all volumes of build->tree, with all threads.
void bvhier_fit_nodes( const bvhier_build* build );

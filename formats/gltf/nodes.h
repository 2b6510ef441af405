// The hierarchy of nodes. Private to this folder.

#pragma once

#include "formats/gltf/document.h"
#include "formats/gltf/place.h"

/// A node.
typedef struct bvgltf_node
{
	bvgltf_place place;    ///< to the world
	uint32_t parent;       ///< or BVGLTF_NONE
	uint32_t mesh;         ///< or BVGLTF_NONE
	uint32_t skin;         ///< or BVGLTF_NONE
	const cJSON* children; ///< list of indices, checked; may be null
} bvgltf_node;

/// All nodes.
typedef struct bvgltf_nodes
{
	bvgltf_node* nodes;   ///< of the document
	uint32_t count;       ///< length of nodes
	uint32_t* visited;    ///< nodes of the scene, parents before children, children in order
	uint32_t visit_count; ///< length of visited
} bvgltf_nodes;

/// Reads all nodes and checks that they are trees. The scene is `scene`, else the first one, else, without
/// scenes, all nodes.
/// @return bv_ok; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_nodes_read( bvgltf_document* d, bvgltf_nodes* out );

// The hierarchy of nodes. Private to this folder.

#pragma once

#include "formats/gltf/document.h"
#include "formats/gltf/place.h"

/// The placement of a node as properties that can be animated.
typedef struct bvgltf_placing
{
	double translation[3]; ///< from the parent's origin
	double rotation[4];    ///< quaternion x, y, z, w
	double scale[3];       ///< along the axes of the node
} bvgltf_placing;

/// A node.
typedef struct bvgltf_node
{
	bvgltf_place place;     ///< to the world
	bvgltf_place local;     ///< to the parent
	bvgltf_placing placing; ///< of which `local` was made; unused with a matrix
	bool has_matrix;        ///< `local` is a matrix of the file
	uint32_t parent;        ///< or BVGLTF_NONE
	uint32_t mesh;          ///< or BVGLTF_NONE
	uint32_t skin;          ///< or BVGLTF_NONE
	const cJSON* children;  ///< list of indices, checked; may be null
} bvgltf_node;

/// All nodes.
typedef struct bvgltf_nodes
{
	bvgltf_node* nodes;   ///< of the document
	uint32_t count;       ///< length of nodes
	uint32_t* visited;    ///< nodes of the scene, parents before children, children in order
	uint32_t visit_count; ///< length of visited
	uint32_t* order;      ///< all nodes, parents before children
	uint32_t order_count; ///< length of order
} bvgltf_nodes;

/// Reads all nodes and checks that they are trees. The scene is `scene`, else the first one, else, without
/// scenes, all nodes.
/// @return bv_ok; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_nodes_read( bvgltf_document* d, bvgltf_nodes* out );

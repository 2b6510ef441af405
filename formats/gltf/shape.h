// The vertices of a node's mesh: morphed and skinned. Private to this folder.

#pragma once

#include "formats/gltf/nodes.h"
#include "formats/gltf/primitive.h"

/// Vertices of a primitive of a node.
typedef struct bvgltf_shape
{
	const double* positions; ///< x, y, z of each vertex of the primitive
	const bool* mirrored;    ///< of each vertex, whether its joints mirror it; null without joints
} bvgltf_shape;

/// What shapes are made of.
typedef struct bvgltf_shapes
{
	bvgltf_meshes* meshes;
	const bvgltf_nodes* nodes;
	bvgltf_place** joints;  ///< of each skin, the placements of its joints at this pose; null until computed
	uint32_t* joint_counts; ///< their number
} bvgltf_shapes;

/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvgltf_shapes_open( bvgltf_meshes* meshes, const bvgltf_nodes* nodes, bvgltf_shapes* out );

/// Makes the shape of a primitive. With joints its coordinates are those of the world, otherwise those of the
/// node.
/// @param node   has a mesh
/// @param mesh   of the node
/// @param index  of the primitive in the mesh
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_shapes_make( bvgltf_shapes* s, uint32_t node, const bvgltf_mesh* mesh, uint32_t index,
                              bvgltf_shape* out );

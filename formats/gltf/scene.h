// Nodes with meshes, added to a scene. Private to this folder.

#pragma once

#include "formats/gltf/shape.h"
#include "offline/import/builder.h"

/// What the scene has beside triangles.
typedef struct bvgltf_counts
{
	uint64_t points; ///< of all instances
	uint64_t lines;  ///< of all instances
} bvgltf_counts;

/// Vertices of the scene that are those of a primitive of a node, once for each instance.
typedef struct bvgltf_patch
{
	uint32_t node;            ///< that has the mesh
	bvgltf_rig rig;           ///< what the vertices follow
	bvgltf_place inner;       ///< placement of the instance in the node
	const uint32_t* vertices; ///< of the primitive, ascending; null: all
	uint32_t count;           ///< of vertices
	uint32_t first;           ///< number of the first one in the scene
} bvgltf_patch;

/// All vertices of a scene, in their order.
typedef struct bvgltf_patches
{
	bvgltf_patch* items; ///< in the scratch arena
	uint32_t count;      ///< length of items
	uint32_t room;       ///< that items has
} bvgltf_patches;

/// Adds the meshes of all nodes that are visited, parents before children.
/// @param patches  receives where the vertices come from, added to what is there; may be null
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_scene_add( bvgltf_shapes* s, bvimport_builder* b, bvgltf_counts* counts,
                            bvgltf_patches* patches );

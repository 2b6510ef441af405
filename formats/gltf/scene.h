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

/// Adds the meshes of all nodes that are visited, parents before children.
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_scene_add( bvgltf_shapes* s, bvimport_builder* b, bvgltf_counts* counts );

// Scenes: what a reader delivers. One soup of triangles, and which object, material, group and face of the
// source each of them belongs to.
//
// Objects of a scene can be picked by name or taken apart, and those that engines' naming conventions call
// collision proxies are used as what their names say.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/fit.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// In place of the number of a name that is not there.
#define BVB_NO_NAME UINT32_MAX

/// Consecutive triangles that share object, material and group: from first_triangle up to the next segment's.
typedef struct bvb_segment
{
	uint32_t first_triangle; ///< ascending; the first segment's is 0
	uint32_t object;         ///< below object_count
	uint32_t material;       ///< below material_count, or BVB_NO_NAME
	uint32_t group;          ///< below group_count, or BVB_NO_NAME
} bvb_segment;

/// Any triangle soup and where its triangles come from. The arrays live in the arena they were made in.
typedef struct bvb_scene
{
	bvb_mesh mesh;           ///< polygons cut into triangles, instances moved to their places
	uint32_t* faces;         ///< of each triangle, the source's face, counted from 0 in the source's order
	bvb_segment* segments;   ///< cover all triangles
	uint32_t segment_count;  ///< length of segments, at least 1 when there are triangles
	const char** objects;    ///< names, any bytes; several may be equal, and may be empty
	uint32_t object_count;   ///< length of objects
	const char** materials;  ///< names, any bytes
	uint32_t material_count; ///< length of materials
	const char** groups;     ///< names, any bytes
	uint32_t group_count;    ///< length of groups
} bvb_scene;

#ifdef __cplusplus
}
#endif

// An animated scene as binary glTF, which the parent reads with the strict reader of this library: that
// samples the clip and bounds the motion. Private to the child process.

#pragma once

#include "formats/assimp/container.h"
#include "formats/assimp/transport.h"

/// Instead of the number of a node, bone or accessor.
#define BVASSIMP_NONE UINT32_MAX

/// A mesh at a node that has triangles, as it was flattened.
typedef struct bvassimp_instance
{
	uint32_t node;                 ///< number in the order of visits: parents first, children in order
	uint32_t mesh;                 ///< number in the scene
	uint32_t first_vertex;         ///< of the flattened scene
	uint32_t vertex_count;         ///< of the mesh
	const bvb_triangle* triangles; ///< of the flattened scene
	uint32_t triangle_count;       ///< at least 1
	bool mirrored;                 ///< triangles were turned round

	/// The number in the mesh of the bone that has placed it; BVASSIMP_NONE if that was the node.
	uint32_t placed_by;
} bvassimp_instance;

/// All of them, in the order of the flattened scene: those of a node follow each other.
typedef struct bvassimp_instances
{
	bvassimp_instance* items;
	uint32_t count;
} bvassimp_instances;

/// Converts the scene and one of its animations. Of the others only the names are there.
/// @param source  the scene that was flattened, or the same with other names
/// @param clip    name of the clip, as bvb_clip_options has it
/// @param notes   receives a warning for what is left out or changed
/// @param result  where a reason to end is left
/// @return binary glTF, which the caller frees
bvassimp_bytes bvassimp_animate( const struct aiScene* source, const bvassimp_instances* instances,
                                 const char* clip, bvimport_notes* notes, int result );

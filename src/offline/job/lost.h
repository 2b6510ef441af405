// Objects of a scene that have no triangles in the mesh of record.

#pragma once

#include "bvbuild/bvbuild.h"

/// An object without triangles in the mesh of record.
typedef struct bvjob_lost_object
{
	const char* name;   ///< of the scene's; may be empty
	uint64_t triangles; ///< that it had
} bvjob_lost_object;

/// Objects without triangles in the mesh of record.
typedef struct bvjob_lost_objects
{
	const bvjob_lost_object* objects; ///< in the order of the scene
	uint32_t count;                   ///< length of objects
} bvjob_lost_objects;

/// Finds the objects whose triangles were all dropped: without an area, equal to those of an earlier object, or
/// not finite.
/// @param scene   what was recorded; only segments and objects are read
/// @param record  mesh of record
/// @param arena   the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvjob_find_lost_objects( const bvb_scene* scene, const bvb_mesh* record, bvb_arena* arena,
                                   bvjob_lost_objects* out, bvb_error* error );

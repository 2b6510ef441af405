// Objects made of files: what the functions of bvworld/scene.h share.

#pragma once

#include "bvworld/scene.h"

/// An object, looked up.
typedef struct bvwscene_object
{
	const bv_file* file;           ///< null if it is not made of a file
	const bv_transform* placement; ///< from coordinates of the file to those of the world
} bvwscene_object;

/// @return whether the arrays of a scene are there
static inline bool bvwscene_is_valid( const bvw_scene* scene )
{
	return scene && scene->world && ( scene->files || scene->file_count == 0 ) &&
	       ( scene->instances || scene->instance_count == 0 );
}

/// @return false if the index of its file is out of range
static inline bool bvwscene_look_up( const bvw_scene* scene, uint32_t number, bvwscene_object* out )
{
	bool has_file = number < scene->instance_count && scene->instances[number].file != BVW_NO_FILE;
	const bvw_instance* i = has_file ? scene->instances + number : NULL;
	*out = ( bvwscene_object ){ i && i->file < scene->file_count ? scene->files[i->file] : NULL,
		                        i ? &i->placement : NULL };
	return !has_file || out->file;
}

/// @return what contains the time at which the line of a ray meets the plane of a triangle; if it runs along the plane, to rounding,
/// the time at which it is in the triangle's box
bv_interval bvwscene_time_of( const bvwscene_object* object, uint32_t triangle, const bv_ray* ray );

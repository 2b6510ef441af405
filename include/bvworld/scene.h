// Objects made of .bvh files in a broad phase: boxes for them, what to pass to queries of pairs, rays and moving shapes.
//
//     #include <bvworld/scene.h>
//
//     // Adds an object made of a file, and records where it is.
//     bv_status put( bvw_broadphase* world, const bv_file* const* files, bvw_instance* instances, uint32_t number,
//                    bvw_instance instance )
//     {
//         bvw_object object = { .category = 0 };
//         bv_status status = bvw_file_box( files[instance.file], &instance.placement, &object.box );
//         instances[number] = instance;
//         return status ? status : bvw_broadphase_add( world, number, &object );
//     }
//
//     // Returns whether two objects intersect, of a pair that bvw_broadphase_update reported.
//     bool intersect( const bvw_scene* scene, bvw_pair pair )
//     {
//         bvw_meshes m;
//         bv_collide_options options = { .first = true };
//         bv_collide_result r;
//         return !bvw_scene_pair( scene, pair, &m ) && !bv_mesh_collide( m.a, m.b, &m.b_in_a, &options, &r ) && r.pairs;
//     }
//
// A scene is what the functions below get: a broad phase, the files, and for each object its file and where it is. All of it is
// memory of the caller, and the functions allocate nothing. An instance holds no address: the array of them can be copied,
// compared, stored and restored beside the broad phase.
//
// The box of an object in the broad phase must contain it where `instances` says that it is: use bvw_file_box or
// bvw_file_swept_box.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/file.h"
#include "bv/mesh.h"
#include "bv/motion.h"

#include "bvworld/broadphase.h"
#include "bvworld/queries.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The file of objects that are not made of one.
#define BVW_NO_FILE UINT32_MAX

/// An object made of a file.
typedef struct bvw_instance
{
	uint32_t file;          ///< index of its file; BVW_NO_FILE: rays and shapes do not meet the object
	bv_transform placement; ///< from coordinates of the file to those of the world
} bvw_instance;

/// A broad phase whose objects are made of files. Refers to memory of the caller.
typedef struct bvw_scene
{
	const bvw_broadphase* world;   ///< boxes of the objects
	const bv_file* const* files;   ///< with hierarchies
	uint32_t file_count;           ///< length of `files`
	uint32_t instance_count;       ///< length of `instances`; objects with greater numbers have no file
	const bvw_instance* instances; ///< of each object by its number; others are ignored
} bvw_scene;

/// Finds a box that contains all vertices of a placed mesh, rounding errors included.
/// @param file       with bounds of the whole mesh, or triangles
/// @param placement  null for the identity
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if another pointer is null, the transform is invalid, its translation or
/// the box exceeds BV_MAX_LENGTH, or the file has neither bounds nor triangles
bv_status bvw_file_box( const bv_file* file, const bv_transform* placement, bv_aabb* out );

/// The same of all places during an interval of time, for a broad phase that finds what may touch during a step.
/// @param motion    from coordinates of the file to those of the world
/// @param from, to  the interval, 0 <= from <= to <= 1
/// @return also as bv_motion_swept_volume
bv_status bvw_file_swept_box( const bv_file* file, const bv_motion* motion, double from, double to,
                              bv_aabb* out );

/// What queries of two meshes get.
typedef struct bvw_meshes
{
	const bv_file* a;    ///< of the object with the smaller number
	const bv_file* b;    ///< of the other one
	bv_transform b_in_a; ///< from coordinates of `b` to those of `a`
} bvw_meshes;

/// Looks up what bv_mesh_collide and bv_mesh_distance get for a pair. bv_sweep_meshes gets the files with motions of the
/// caller.
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if a pointer is null, one of the two objects has no file, or a transform
/// is invalid; bv_error_unsupported, likewise, if bv_transform_between has no valid result: the ratio of the scales is out of range, or
/// both rotations together are too far from orthonormal
bv_status bvw_scene_pair( const bvw_scene* scene, bvw_pair pair, bvw_meshes* out );

/// Finds the first objects whose meshes a ray meets, at most `most` of them.
///
/// Whether and where the ray meets a mesh is what bv_mesh_cast_ray says. The time of a hit is an interval: it contains the time
/// at which the line of the ray meets the plane of the triangle, rounding errors included. If the ray runs along that plane, to
/// rounding, the interval contains the time at which it is in the box of the triangle.
/// @param ray       in world coordinates
/// @param options   null for the defaults; bv_error_argument with a callback
/// @param hits      receives the first hits as bvw_broadphase_cast_ray does; can be null if `most` is 0
/// @param surfaces  receives for each of `hits` the result of bv_mesh_cast_ray for this object, with the triangle and its normal;
///                  null if they are not wanted
/// @param most      length of both arrays
/// @param found     receives the number of hits in the arrays, and of boxes tested
/// @return as bvw_broadphase_cast_ray; also bv_error_argument if the scene is invalid, or the placement or the file of an object whose
/// box the ray meets: then the content of `hits` is undefined, and the rest is unchanged
bv_status bvw_scene_cast_ray( const bvw_scene* scene, const bv_ray* ray, const bvw_cast_options* options,
                              bvw_hit* hits, bv_ray_result* surfaces, uint32_t most, bvw_found* found );

/// Finds the first object that a convex shape meets, which moves along a line from time 0 to 1.
///
/// The time of a hit is an interval: the shape is certainly at the mesh at its end, and not before its begin except for rounding,
/// which is that of bv_mesh_cast_convex. The upper bound is infinite if it is not proven that they touch. To get an interval
/// that is proven at both ends, pass the shape and the object that was found to bv_sweep_convex_mesh.
/// @param shape    at time 0, in world coordinates; any kind except half-spaces
/// @param motion   where it is at time 1, relative to time 0
/// @param filter   which objects; null for all
/// @param first    receives the hit; unchanged without one
/// @param surface  receives the result of bv_mesh_cast_convex for this object; unchanged without one; null if not wanted
/// @param found    receives whether there is a hit, 0 or 1, and the number of boxes tested
/// @return as bvw_broadphase_cast_convex; also bv_error_argument if the scene is invalid, or the placement or the file of an object
/// whose box the shape meets. On errors the results are unchanged
bv_status bvw_scene_cast_convex( const bvw_scene* scene, const bv_convex* shape, bv_vec3 motion,
                                 const bvw_filter* filter, bvw_hit* first, bv_cast_result* surface,
                                 bvw_found* found );

#ifdef __cplusplus
}
#endif

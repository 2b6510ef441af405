// Scenes: the triangles of a source file with their objects, groups, materials and faces, and the selection
// of objects for collision.
//
//     #include <bvbuild/scene.h>
//
//     // Keeps only the first object, or its collision shapes if it has any.
//     bv_status pick_first( const bvb_scene* scene, bvb_arena* arena, bvb_scene* out, bvb_error* error )
//     {
//         bvb_record_options record = bvb_record_options_default();
//         bvb_items items;
//         bv_status status = bvb_scene_sort_out( scene, bvb_proxies_use, arena, &items, error );
//         bool* wanted = status == bv_ok ? bvb_arena_allocate( arena, items.count, sizeof *wanted ) : NULL;
//         if ( !wanted || items.count == 0 )
//             return status == bv_ok ? bv_error_memory : status;
//         wanted[0] = true;
//         return bvb_scene_collect( scene, &items, wanted, &record, arena, out, error );
//     }
//
// Game engines use naming conventions for objects that define collision shapes, such as UCX_rock for a convex
// hull of rock. These collision names are recognized, and such an object can replace the object that it
// belongs to.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/clip.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sentinel for a missing name.
#define BVB_NO_NAME UINT32_MAX

/// Consecutive triangles with the same object, material and group. A segment ends where the next one starts.
typedef struct bvb_segment
{
	uint32_t first_triangle; ///< ascending; 0 for the first segment
	uint32_t object;         ///< index into bvb_scene.objects
	uint32_t material;       ///< index into bvb_scene.materials, or BVB_NO_NAME
	uint32_t group;          ///< index into bvb_scene.groups, or BVB_NO_NAME
} bvb_segment;

/// A triangle soup and the origin of its triangles. The arrays live in the arena of the function that made
/// them. Names may contain any bytes.
typedef struct bvb_scene
{
	bvb_mesh mesh; ///< polygons are triangulated, and instances are transformed to their positions

	/// Face of the source of each triangle, counted from 0 in the order of the source.
	uint32_t* faces;

	bvb_segment* segments;   ///< segments of all triangles
	uint32_t segment_count;  ///< length of segments, at least 1 if there are triangles
	const char** objects;    ///< names of objects; may be empty or equal
	uint32_t object_count;   ///< length of objects
	const char** materials;  ///< names of materials
	uint32_t material_count; ///< length of materials
	const char** groups;     ///< names of groups
	uint32_t group_count;    ///< length of groups

	/// How the vertices move; null if they do not. The mesh has the positions of the first sample.
	const bvb_clip* clip;

	/// Vertex of the clip of each vertex of the mesh; null if they are the same.
	const uint32_t* clip_vertices;
} bvb_scene;

/// The collision shape that an object's name requests. Unreal: prefixes UCX_, UBX_, USP_ and UCP_, followed
/// by the name of another object and an optional suffix _NN. Godot: suffixes -col, -colonly, -convcol and
/// -convcolonly, also with _ instead of -, in upper or lower case, and with an optional suffix .NNN. Unity has no names; those of
/// bvb_export_rename end in _collider and _meshcollider.
typedef enum bvb_proxy
{
	bvb_proxy_none = 0, ///< an ordinary object
	bvb_proxy_mesh,     ///< its triangles: -col, -colonly, _meshcollider
	bvb_proxy_convex,   ///< its convex hull: UCX_, -convcol, -convcolonly, _collider
	bvb_proxy_box,      ///< the smallest box around it: UBX_
	bvb_proxy_sphere,   ///< the smallest sphere around it: USP_
	bvb_proxy_capsule,  ///< a capsule around it, along its longest axis: UCP_
} bvb_proxy;

/// @return "none", "mesh", "convex", "box", "sphere" or "capsule"
const char* bvb_proxy_text( bvb_proxy proxy );

/// How to treat objects with collision names.
typedef enum bvb_proxy_use
{
	bvb_proxies_use = 0, ///< use the collision shapes instead of the objects that they belong to
	bvb_proxies_ignore,  ///< treat them as ordinary objects
	bvb_proxies_drop,    ///< remove them
} bvb_proxy_use;

/// @return the name of a bvb_proxy_use, as in --proxies; null past the last
const char* bvb_proxy_use_name( uint32_t use );

/// An item of a scene: an object with the collision shapes that replace it, or collision shapes without an
/// object.
typedef struct bvb_item
{
	/// Name of the object. Without an ordinary object, the name that the collision names refer to. Lives with
	/// the scene or the arena.
	const char* name;

	uint64_t triangles; ///< number of triangles of the source, collision shapes included
	bool has_object;    ///< there is an ordinary object
	bool has_proxies;   ///< there are collision shapes, which are used instead of the object
} bvb_item;

/// The items of a scene. The arrays live in the arena of the function that made them.
typedef struct bvb_items
{
	bvb_item* items;  ///< in the order of their first object
	uint32_t count;   ///< length of items
	uint32_t* item;   ///< item of each object of the scene; BVB_NO_NAME if the object is removed
	bvb_proxy* proxy; ///< collision shape of each object of the scene
} bvb_items;

/// Finds the objects with collision names and the objects that they belong to.
/// @param use    how to treat them
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_scene_sort_out( const bvb_scene* scene, bvb_proxy_use use, bvb_arena* arena, bvb_items* out,
                              bvb_error* error );

/// Selects items and replaces collision shapes by their triangles: hulls, boxes, spheres and capsules. The
/// source face of these triangles is the first face of their object.
///
/// Triangles of spheres and capsules enclose the shape and stand off by at most 1.6 % of the radius. They
/// still enclose it after scaling and rounding to binary32, because radii are increased by the rounding
/// error, at most 1.1e-7 of the largest coordinate. Displacements by welding within a distance, normalizing
/// and quantizing are not compensated.
/// @param items   items of this scene
/// @param wanted  whether to select each item; null for all
/// @param record  options that the result will be recorded with. If these drop triangles that are not finite,
///                such triangles do not contribute to the shape of a collision shape. They are kept, so that
///                bvb_mesh_record can count them.
/// @param arena   the result lives here; it shares arrays with `scene` if nothing changes
/// @return bv_ok; bv_error_input if no triangles remain, in total or for one collision shape, or if a
/// coordinate of a collision shape is not finite; bv_error_limit; bv_error_memory
bv_status bvb_scene_collect( const bvb_scene* scene, const bvb_items* items, const bool* wanted,
                             const bvb_record_options* record, bvb_arena* arena, bvb_scene* out,
                             bvb_error* error );

#ifdef __cplusplus
}
#endif

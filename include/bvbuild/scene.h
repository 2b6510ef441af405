// Scenes: what a reader delivers. One soup of triangles, and which object, material, group and face of the
// source each of them belongs to.
//
// Objects of a scene can be picked by name or taken apart, and those that engines' naming conventions call
// collision proxies are used as what their names say.

#pragma once

#include "bvbuild/base.h"
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

/// What engines' naming conventions make of an object. Unreal: UCX_ UBX_ USP_ UCP_ before the name of what it
/// stands for, and perhaps _NN behind it. Godot: -col -colonly -convcol -convcolonly behind it (or _col and so
/// on, in any case, and perhaps .NNN behind that).
typedef enum bvb_proxy
{
	bvb_proxy_none = 0, ///< a plain object
	bvb_proxy_mesh,     ///< collides as its triangles: -col, -colonly
	bvb_proxy_convex,   ///< collides as its convex hull: UCX_, -convcol, -convcolonly
	bvb_proxy_box,      ///< collides as its minimum bounding box: UBX_
	bvb_proxy_sphere,   ///< collides as its minimum enclosing sphere: USP_
	bvb_proxy_capsule,  ///< collides as a capsule around it, along its longest axis: UCP_
} bvb_proxy;

/// @return the kind's name: "none", "mesh", "convex", "box", "sphere" or "capsule"
const char* bvb_proxy_text( bvb_proxy proxy );

/// What to do with objects that are proxies by name.
typedef enum bvb_proxy_use
{
	bvb_proxies_use = 0, ///< each is what its name says, in place of the object it stands for
	bvb_proxies_ignore,  ///< names mean nothing
	bvb_proxies_drop,    ///< proxies are left out
} bvb_proxy_use;

/// @return the word for a bvb_proxy_use, as in --proxies; null past the last
const char* bvb_proxy_use_name( uint32_t use );

/// One thing of a scene: an object with the proxies that stand for it, or proxies that stand for no object.
typedef struct bvb_item
{
	const char* name;   ///< the object's, or what the proxies stand for; lives with the scene or the arena
	uint64_t triangles; ///< of the source, proxies included
	bool has_object;    ///< there is a plain object
	bool has_proxies;   ///< there are proxies, which are used in place of the object
} bvb_item;

/// A scene's objects, sorted out. The arrays live in the arena they were made in.
typedef struct bvb_items
{
	bvb_item* items;  ///< in the order of their first object
	uint32_t count;   ///< length of items
	uint32_t* item;   ///< of each object of the scene, its item, or BVB_NO_NAME when it is left out
	bvb_proxy* proxy; ///< of each object of the scene
} bvb_items;

/// Sorts out which objects are proxies and what they stand for.
/// @return bv_ok; bv_error_memory
bv_status bvb_scene_sort_out( const bvb_scene* scene, bvb_proxy_use use, bvb_arena* arena, bvb_items* out,
                              bvb_error* error );

/// Picks objects and makes proxies what they stand for: the scene's triangles that count for collision.
/// Hulls, boxes, spheres and capsules become triangles; the source face of each is the first face of its object.
/// Balls and capsules are enclosed by theirs, which stand off by 1.6 % of the radius at most. They enclose them
/// even when positions are scaled and rounded to binary32: for that, radii grow by what rounding moves vertices
/// by, at most 1.1e-7 of the largest coordinate. What welding within a distance, normalizing and quantizing
/// move them by is not made up for.
/// @param items   of this scene
/// @param wanted  of each item; null for all
/// @param record  how the result will be made the mesh of record. When that drops triangles that are not finite,
///                those of a proxy are left out of its shape, and stay as they are for being counted
/// @param arena   the result lives here; it shares arrays with `scene` when nothing changes
/// @return bv_ok; bv_error_input when nothing is left, all or of one proxy, or a coordinate of a proxy is no
///         number; bv_error_limit; bv_error_memory
bv_status bvb_scene_collect( const bvb_scene* scene, const bvb_items* items, const bool* wanted,
                             const bvb_record_options* record, bvb_arena* arena, bvb_scene* out,
                             bvb_error* error );

#ifdef __cplusplus
}
#endif

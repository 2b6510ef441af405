// Patches of a surface and the spheres round them that protrude from the shape as little as may be. What our sphere trees are made of.

#pragma once

#include "base/offline/arena.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/mesh.h"
#include "spheres/sides.h"

enum
{
	bvb_patch_axes = 13, ///< supports are kept along these directions and against them
	bvb_patch_supports = 2 * bvb_patch_axes,
	bvb_sides_kept = 16,
};

/// A connected or other set of small leaves of a surface, and the sphere round it.
typedef struct bvb_patch
{
	uint32_t first;                       ///< leaves: a list through bvb_surface.next
	uint32_t last;                        ///< the list's end, whatever is next of it
	uint32_t support[bvb_patch_supports]; ///< points that reach farthest
	bv_vec3 center;                       ///< of the sphere, mesh units
	double radius;                        ///< of the sphere round all points
	double depth; ///< of the centre: its distance from the surface, negative outside of the shape
} bvb_patch;

/// A surface in leaves.
typedef struct bvb_surface
{
	const bvb_mesh* mesh;   ///< all of it
	const bvb_sides* sides; ///< of the mesh
	bv_vec3* points;        ///< whose hulls are the leaves, leaf by leaf
	uint32_t* first_point;  ///< of each leaf, and the end
	uint32_t* next;         ///< of each leaf the next one of a list
} bvb_surface;

/// A point, and on which side it is.
typedef struct bvb_known_side
{
	bv_vec3 point;     ///< mesh units
	double to_surface; ///< its distance from the surface
	bool inside;       ///< of the shape
} bvb_known_side;

/// Asks how deep points are in the shape. One for each thread.
typedef struct bvb_depth_probe
{
	bvb_arena* arena;                     ///< holds the rest
	bvb_hausdorff_target* target;         ///< all triangles
	bvb_known_side known[bvb_sides_kept]; ///< the last ones, while one sphere is looked for
	uint32_t asked;                       ///< how many there were
	bv_status status;                     ///< of the first question that failed, else bv_ok
} bvb_depth_probe;

/// Makes one. bvb_arena_destroy of its arena, where that is not null, ends it.
/// @return false when out of memory
bool bvb_depth_probe_begin( const bvb_surface* surface, bvb_arena* owner, bvb_depth_probe* out );

/// Makes a patch of one leaf, without a sphere.
void bvb_patch_of_leaf( const bvb_surface* surface, uint32_t leaf, bvb_patch* out );

/// Appends a patch's leaves to another's. The sphere stays as it is.
void bvb_patch_append( const bvb_surface* surface, bvb_patch* patch, const bvb_patch* other );

/// Finds a patch's sphere.
/// @param starts  centres that are tried first
/// @param normal  along which large steps are tried too, of any length; 0 for none
void bvb_patch_enclose( const bvb_surface* surface, bvb_depth_probe* probe, bvb_patch* patch,
                        const bv_vec3* starts, uint32_t start_count, bv_vec3 normal );

/// @return how far the patch's sphere protrudes from the shape at most
double bvb_patch_error( const bvb_patch* patch );

/// How far a sphere about a point would have to protrude at most to reach all supports of a patch.
/// @param depth  of the point
/// @param most   beyond it that is all that is known
double bvb_patch_need( const bvb_surface* surface, const bvb_patch* patch, bv_vec3 center, double depth,
                       double most );

/// How far the sphere round two patches would protrude at least, of those about three centres.
/// @param most  beyond it that is all that is known
double bvb_patch_cost( const bvb_surface* surface, bvb_depth_probe* probe, const bvb_patch* a,
                       const bvb_patch* b, double most );

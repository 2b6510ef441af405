// Patches of a surface and the spheres round them that protrude from the shape as little as may be. What our sphere trees are made of.

#pragma once

#include "base/offline/arena.h"
#include "bvbuild/mesh.h"
#include "hausdorff/index.h"
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
	uint32_t first;                       ///< leaves: a list through bvb_leaf_surface.next
	uint32_t last;                        ///< the list's end, whatever is next of it
	uint32_t support[bvb_patch_supports]; ///< points that reach farthest
	bv_vec3 center;                       ///< of the sphere, mesh units
	double radius;                        ///< of the sphere round all points
	double depth;          ///< of the center: its distance from the surface, negative outside of the shape
	bvb_index_ref nearest; ///< the triangle that is nearest to the center
} bvb_patch;

/// A surface in leaves.
typedef struct bvb_leaf_surface
{
	const bvb_mesh* mesh;   ///< all of it
	const bvb_index* index; ///< of all triangles, framed and open
	const bvb_sides* sides; ///< of the mesh
	uint32_t leaf_count;    ///< at least 1
	bv_vec3* points;        ///< whose hulls are the leaves, leaf by leaf
	uint32_t* first_point;  ///< of each leaf, and the end
	uint32_t* next;         ///< of each leaf the next one of a list
} bvb_leaf_surface;

/// A point, and on which side it is.
typedef struct bvb_known_side
{
	bv_vec3 point;     ///< mesh units
	double to_surface; ///< its distance from the surface
	bool inside;       ///< of the shape
} bvb_known_side;

/// On which side points were, while one sphere is looked for.
typedef struct bvb_known_sides
{
	bvb_known_side known[bvb_sides_kept]; ///< the last ones
	uint32_t asked;                       ///< how many there were
} bvb_known_sides;

/// Prepares a mesh to be asked how deep points are in it, by several threads at once. Leaves are left to the caller.
/// @param arena  what the surface holds lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvb_leaf_surface_create( const bvb_mesh* mesh, bvb_arena* arena, bvb_leaf_surface* out );

/// Makes a patch of one leaf, without a sphere.
void bvb_patch_of_leaf( const bvb_leaf_surface* surface, uint32_t leaf, bvb_patch* out );

/// Appends a patch's leaves to another's. The sphere stays as it is.
void bvb_patch_append( const bvb_leaf_surface* surface, bvb_patch* patch, const bvb_patch* other );

/// Finds a patch's sphere.
/// @param starts  centers that are tried first
/// @param normal  along which large steps are tried too, of any length; 0 for none
void bvb_patch_enclose( const bvb_leaf_surface* surface, bvb_known_sides* sides, bvb_patch* patch,
                        const bv_vec3* starts, uint32_t start_count, bv_vec3 normal );

/// @return how far the patch's sphere protrudes from the shape at most
double bvb_patch_error( const bvb_patch* patch );

/// How far a sphere about a point would have to protrude at most to reach all supports of a patch.
/// @param depth  of the point
/// @param most   beyond it that is all that is known
double bvb_patch_need( const bvb_leaf_surface* surface, const bvb_patch* patch, bv_vec3 center, double depth,
                       double most );

/// How far the sphere round two patches would protrude at least, of those about three centers.
/// @param most  beyond it that is all that is known
double bvb_patch_cost( const bvb_leaf_surface* surface, bvb_known_sides* sides, const bvb_patch* a,
                       const bvb_patch* b, double most );

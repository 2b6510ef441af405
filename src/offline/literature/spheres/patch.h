// Patches of a surface and the spheres round them that protrude from the shape as little as may be. What our
// sphere trees are made of.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/base/arena.h"
#include "offline/hausdorff/index.h"
#include "offline/literature/spheres/sides.h"

enum
{
	bvlit_patch_axes = 13, ///< supports are kept along these directions and against them
	bvlit_patch_supports = 2 * bvlit_patch_axes,
	bvlit_sides_kept = 16,
};

/// A connected or other set of small leaves of a surface, and the sphere round it.
typedef struct bvlit_patch
{
	uint32_t first;                         ///< leaves: a list through bvlit_leaf_surface.next
	uint32_t last;                          ///< the list's end, whatever is next of it
	uint32_t support[bvlit_patch_supports]; ///< points that reach farthest
	bv_vec3 center;                         ///< of the sphere, mesh units
	double radius;                          ///< of the sphere round all points
	double depth;             ///< of the center: its distance from the surface, negative outside of the shape
	bvhaus_index_ref nearest; ///< the triangle that is nearest to the center
} bvlit_patch;

/// A surface in leaves.
typedef struct bvlit_leaf_surface
{
	const bvb_mesh* mesh;      ///< all of it
	const bvhaus_index* index; ///< of all triangles, framed and open
	const bvlit_sides* sides;  ///< of the mesh
	uint32_t leaf_count;       ///< at least 1
	bv_vec3* points;           ///< whose hulls are the leaves, leaf by leaf
	uint32_t* first_point;     ///< of each leaf, and the end
	uint32_t* next;            ///< of each leaf the next one of a list
} bvlit_leaf_surface;

/// A point, and on which side it is.
typedef struct bvlit_known_side
{
	bv_vec3 point;     ///< mesh units
	double to_surface; ///< its distance from the surface
	bool inside;       ///< of the shape
} bvlit_known_side;

/// On which side points were, while one sphere is looked for.
typedef struct bvlit_known_sides
{
	bvlit_known_side known[bvlit_sides_kept]; ///< the last ones
	uint32_t asked;                           ///< how many there were
} bvlit_known_sides;

/// Prepares a mesh to be asked how deep points are in it, by several threads at once. Leaves are left to the
/// caller.
/// @param arena  what the surface holds lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_limit for more than BVB_MAX_TRIANGLES; bv_error_memory
bv_status bvlit_leaf_surface_create( const bvb_mesh* mesh, bvb_arena* arena, bvlit_leaf_surface* out );

/// Makes a patch of one leaf, without a sphere.
void bvlit_patch_of_leaf( const bvlit_leaf_surface* surface, uint32_t leaf, bvlit_patch* out );

/// Appends a patch's leaves to another's. The sphere stays as it is.
void bvlit_patch_append( const bvlit_leaf_surface* surface, bvlit_patch* patch, const bvlit_patch* other );

/// Finds a patch's sphere.
/// @param starts  centers that are tried first
/// @param normal  along which large steps are tried too, of any length; 0 for none
void bvlit_patch_enclose( const bvlit_leaf_surface* surface, bvlit_known_sides* sides, bvlit_patch* patch,
                          const bv_vec3* starts, uint32_t start_count, bv_vec3 normal );

/// @return how far the patch's sphere protrudes from the shape at most
double bvlit_patch_error( const bvlit_patch* patch );

/// How far a sphere about a point would have to protrude at most to reach all supports of a patch.
/// @param depth  of the point
/// @param most   beyond it that is all that is known
double bvlit_patch_need( const bvlit_leaf_surface* surface, const bvlit_patch* patch, bv_vec3 center,
                         double depth, double most );

/// How far the sphere round two patches would protrude at least, of those about three centers.
/// @param most  beyond it that is all that is known
double bvlit_patch_cost( const bvlit_leaf_surface* surface, bvlit_known_sides* sides, const bvlit_patch* a,
                         const bvlit_patch* b, double most );

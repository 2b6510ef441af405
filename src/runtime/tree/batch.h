// Batches of queries: what the queries of one call have in common, and the arrays that they come from.

#pragma once

#include "bv/mesh.h"
#include "runtime/file/view.h"
#include "runtime/tree/lanes.h"
#include "runtime/tree/surface.h"
#include "runtime/volume/similarity.h"

/// A file and its placement, made ready for queries. Must not be copied.
typedef struct bvtree_batch
{
	const bvtree_lanes* lanes;
	bvfile_view view;
	const bvvol_similarity* placed; ///< may point to the next one
	bvvol_similarity storage;
} bvtree_batch;

/// @return false if the file or the placement is not valid
bool bvtree_batch_begin( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                         bvtree_batch* batch );

/// @return whether all members are in the ranges that bv_ray gives
static inline bool bvtree_is_ray( const bv_ray* ray )
{
	return bvmath_is_in_range( ray->origin ) && bvmath_is_in_range( ray->direction ) &&
	       bvmath_norm1( ray->direction ) >= 1 / BV_MAX_LENGTH && ray->from >= 0 && ray->from < INFINITY &&
	       ray->to >= 0;
}

/// @param index  less than the count
bv_ray bvtree_ray_at( const bv_rays* rays, size_t index );

/// @return whether the arrays have valid types, and all points and limits are in the ranges that bv_points gives
/// @param invalid  receives the first point that is not; otherwise unchanged
bool bvtree_are_points( const bv_points* points, size_t* invalid );

/// @param index  less than the count
bv_vec3 bvtree_point_at( const bv_points* points, size_t index );

/// @param all  the limit of all points, not negative; 0 for none
/// @return the limit of a point, above 0; infinity for none
double bvtree_limit_at( const bv_points* points, size_t index, double all );

/// bv_mesh_cast_rays with valid arguments: one ray after the other.
void bvtree_cast_each_ray( const bvtree_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                           bv_ray_result* results );

/// The same with several rays in turns: see flight.h.
void bvtree_cast_rays_in_turns( const bvtree_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                                bv_ray_result* results );

/// bv_mesh_closest_point with valid arguments.
/// @param limit  above 0; infinity for none
/// @param near  a triangle that may be close to the point, to begin with: the result is the same; null for
///              none
void bvtree_find_closest_point( const bvtree_batch* batch, bv_vec3 point, double limit, const uint32_t* near,
                                bv_closest_result* result );

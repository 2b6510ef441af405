// Batches of queries: what the queries of one call have in common, and the arrays that they come from.

#pragma once

#include "base/core/lanes.h"
#include "base/core/similarity.h"
#include "bv/query.h"
#include "formats/bvh/view.h"
#include "runtime/surface.h"

/// A file and its placement, made ready for queries. Must not be copied.
typedef struct bv_batch
{
	const bv_lanes* lanes;
	bvh_view view;
	const bv_similarity* placed; ///< may point to the next one
	bv_similarity storage;
} bv_batch;

/// @return false if the file or the placement is not valid
bool bv_batch_begin( const bv_lanes* lanes, const bv_file* file, const bv_transform* placement,
                     bv_batch* batch );

/// @return whether all members are in the ranges that bv_ray gives
static inline bool bv_is_ray( const bv_ray* ray )
{
	return bv_is_in_range( ray->origin ) && bv_is_in_range( ray->direction ) &&
	       bv_norm1( ray->direction ) >= 1 / BV_MAX_LENGTH && ray->from >= 0 && ray->from < INFINITY &&
	       ray->to >= 0;
}

/// @param index  less than the count
bv_ray bv_ray_at( const bv_rays* rays, size_t index );

/// bv_cast_rays with valid arguments: one ray after the other.
void bv_cast_each_ray( const bv_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                       bv_ray_result* results );

/// The same with several rays in turns: see flight.h.
void bv_cast_rays_in_turns( const bv_batch* batch, const bv_rays* rays, const bv_ray_options* options,
                            bv_ray_result* results );

/// @return whether bv_closest_point takes this point and limit
bool bv_is_query_point( bv_vec3 point, double limit );

/// bv_closest_point with valid arguments.
/// @param near  a triangle that may be close to the point, to begin with: the result is the same; null for
///              none
void bv_find_closest_point( const bv_batch* batch, bv_vec3 point, double limit, const uint32_t* near,
                            bv_closest_result* result );

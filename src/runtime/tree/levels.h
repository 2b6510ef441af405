// Queries with an explicit instruction set level, so that tests can compare levels. The queries of bv/mesh.h
// use the widest available level. The results are identical to the last bit.

#pragma once

#include "bv/mesh.h"
#include "bv/search.h"
#include "runtime/tree/approach.h"
#include "runtime/tree/lanes.h"

/// bv_mesh_collide with the kernels of one level.
bv_status bvtree_collide_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                             const bv_transform* b_in_a, const bv_collide_options* options,
                             bv_collide_result* result );

/// The same with pairs of triangles that may touch in a motion: all that do are reported, and some that do not.
/// @param approach  of what moves; with a reach of 0, this is bvtree_collide_in
bv_status bvtree_collide_within( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                 const bv_transform* b_in_a, const bvtree_approach* approach,
                                 const bv_collide_options* options, bv_collide_result* result );

/// bv_mesh_distance with the kernels of one level.
bv_status bvtree_distance_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                              const bv_transform* b_in_a, const bv_distance_options* options,
                              bv_distance_result* result );

/// bv_mesh_cast_ray with the kernels of one level.
bv_status bvtree_cast_ray_in( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                              const bv_ray* ray, const bv_ray_options* options, bv_ray_result* result );

/// bv_mesh_closest_point with the kernels of one level.
bv_status bvtree_closest_point_in( const bvtree_lanes* lanes, const bv_file* file,
                                   const bv_transform* placement, bv_vec3 point,
                                   const bv_closest_options* options, bv_closest_result* result );

/// bv_mesh_cast_rays with the kernels of one level.
/// @param in_turns  whether rays take turns (flight.h), which bv_mesh_cast_rays decides by the size of the
///                  file
bv_status bvtree_cast_rays_in( const bvtree_lanes* lanes, bool in_turns, const bv_file* file,
                               const bv_transform* placement, const bv_rays* rays,
                               const bv_ray_options* options, bv_ray_result* results, size_t* invalid );

/// bv_mesh_closest_points with the kernels of one level.
/// @param in_order  whether points are visited along a curve, which bv_mesh_closest_points decides by the
///                  size of the file
bv_status bvtree_closest_points_in( const bvtree_lanes* lanes, bool in_order, const bv_file* file,
                                    const bv_transform* placement, const bv_points* points,
                                    const bv_closest_options* options, bv_closest_result* results,
                                    size_t* invalid );

/// bv_mesh_cast_convex with the kernels of one level.
bv_status bvtree_cast_shape_in( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                                const bv_convex* shape, bv_vec3 motion, const bv_cast_options* options,
                                bv_cast_result* result );

/// bv_search_begin with the kernels of one level.
bv_status bvtree_search_begin_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                  const bv_transform* b_in_a, const bv_search_options* options, void* memory,
                                  size_t bytes, bv_search** out );

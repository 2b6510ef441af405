// Volumes of all types as sets of points: points of them by parameters, to draw samples from, and membership. What
// measures of volumes are judged by.
//
// Shares no code with what measures them. A k-DOP's corners are the common points of three planes that violate no other,
// decided in 113 bits.

#pragma once

#include "bv/shape.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A volume. To be freed by volume_free.
typedef struct volume volume;

/// @return null for an empty volume or out of memory; so do all below
volume* volume_of_aabb( const bv_aabb* box );

volume* volume_of_obb( const bv_obb* box );

volume* volume_of_sphere( const bv_sphere* ball );

volume* volume_of_capsule( const bv_capsule* capsule );

volume* volume_of_rss( const bv_rss* rss );

volume* volume_of_prism( const bv_prism* prism );

volume* volume_of_cylinder( const bv_cylinder* cylinder );

volume* volume_of_kdop( const bv_kdop* kdop );

/// @param points  what the hull was computed from
volume* volume_of_hull( const bv_vec3* points, const bvb_hull* hull );

/// The triangles alone, whether closed or not.
volume* volume_of_mesh( const bvb_mesh* mesh );

void volume_free( volume* v );

/// Maps the unit cube of four dimensions onto the volume, or onto its surface, so that evenly distributed parameters give
/// evenly distributed points.
/// @param u  each in [0, 1]
bv_vec3 volume_point( const volume* v, bool surface, const double u[4] );

/// Points of the surface that are likely to be far from something: all corners of what has corners, poles and points on
/// rims.
const bv_vec3* volume_corners( const volume* v, uint32_t* count );

/// The least axis-aligned box round all corners and samples, or a larger one.
bv_aabb volume_bounds( const volume* v );

/// @return whether a point is in the volume, or on its surface, or no farther from that than `slack`
bool volume_contains( const volume* v, bool surface, bv_vec3 point, double slack );

#ifdef __cplusplus
}
#endif

// Contact points of a pair of convex shapes along a normal that is given.

#pragma once

#include "bv/contact.h"

/// Finds up to four contact points as bv_convex_manifold does, but along a normal of the caller. No contacts are found if the features
/// that are farthest along the normal do not face each other.
/// @param placement  from coordinates of b to those of a; null for the identity
/// @param normal     unit vector from a to b, in coordinates of a
/// @param result     receives them; `lower` and `upper` are the separation along the normal, which the true signed distance is not
///                   below. It has no contacts if a shape or the placement is invalid, or a shape is a half-space
void bvconvex_manifold_along( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                              bv_vec3 normal, double speculative, bv_manifold* result );

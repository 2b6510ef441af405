// The polytope that EPA ends with, kept for the next query of the pair.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/surface.h"

/// Stores a polytope if it is small enough: 24 vertices. It can only be cleared afterwards.
/// @param first  this face comes first
void bvconvex_kept_store( bvconvex_surface* p, const bvconvex_surface_face* first, bv_convex_cache* cache );

/// @return whether a polytope is stored whose vertices a pair has
bool bvconvex_kept_is_of( const bvconvex_pair* pair, const bv_convex_cache* cache );

/// Makes the polytope that is stored, from where its vertices are now. Of a closed surface that has the origin behind all faces,
/// a ray from the origin goes through one of them, wherever it points: the projection of the surface on a sphere preserves its
/// orientation, so that its degree is above 0. Therefore the origin is in the difference, and the least height is a lower bound
/// of the depth, whether the surface is convex or not. It remains closed when it grows.
/// @param p  has room
/// @return false if it is not closed or has the origin in front of a face
bool bvconvex_kept_restore( const bv_convex_cache* cache, bvconvex_surface* p );

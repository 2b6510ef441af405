// The polytope that EPA ends with, kept for the next query of the pair: see resume.h.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/surface.h"

/// Stores a polytope if it is small enough: 24 vertices. It can only be cleared afterwards.
/// @param first  this face comes first
void bvconvex_kept_store( bvconvex_surface* p, const bvconvex_surface_face* first, bv_convex_cache* cache );

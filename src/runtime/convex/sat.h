// Separating axes of polytopes whose faces and edges are known.

#pragma once

#include "runtime/convex/proof.h"

/// Evaluates the slabs normal to all faces of both shapes, and to all pairs of their edges that a face of the difference
/// can be between. The best of them is the widest one, if the shapes overlap: then its width is minus the depth.
/// @param pair    whose topology is known
/// @param enough  a slab wider than that ends the search
/// @return the vertex of the difference that the best slab ends with
bvconvex_gjk_vertex bvconvex_sat_search( const bvconvex_pair* pair, double enough, bvconvex_proof* proof );

// The depth of shapes with curved surfaces: more precise than that of a polytope of few vertices.

#pragma once

#include "runtime/convex/epa.h"

/// Lowers an upper bound.
/// @param depth  of EPA; its upper bound, normal and points receive better ones if there are any
void bvconvex_descend( const bvconvex_pair* pair, double relative, bvconvex_depth* depth );

// How exposed faces are: near contact, what comes close to a mesh looks at what lies on its convex hull, and hardly ever at
// what lies deep below.

#pragma once

#include "fit/surface.h"

/// Weighs faces by their depth below the convex hull of all: 1 on it, falling to a small share.
/// @param count  at least 1
/// @param out    receives the weights, above 0, at most 1
void bvb_expose( const bvb_face* faces, uint32_t count, float* out );

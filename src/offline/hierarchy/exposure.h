// Exposure of faces: near contact, queries mostly reach faces on the convex hull of a mesh, and hardly ever
// faces deep inside it.

#pragma once

#include "offline/fit/surface.h"

/// Weighs faces by their depth below the convex hull of all: 1 on it, falling to a small share.
/// @param count  at least 1
/// @param out    receives the weights, above 0, at most 1
void bvhier_expose( const bvfit_face* faces, uint32_t count, float* out );

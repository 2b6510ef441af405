// What the limit on the corners of a part costs: a hull that is simplified to few corners stands off the shape
// where the hull of the part's points does not.

#pragma once

#include "offline/decompose/search.h"

/// The capped stand-off of a part that was not estimated.
#define BVDECOMP_NOT_ESTIMATED -1.0

/// Finds the plane that leaves the fewest parts to be made of both halves of a part that needs more corners
/// than it may have.
/// @param plane   receives the plane
/// @param capped  receives the estimated stand-off of the halves below and above it
/// @param found   receives false if no plane has something on both sides
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_find_cap_cut( bvdecomp_search* search, uint32_t part, bvdecomp_plane* plane,
                                 double capped[2], bool* found );

/// @return whether two parts are so far below the limit that their common hull may keep to the tolerance
bool bvdecomp_cap_may_allow( const bvdecomp_search* search, uint32_t a, uint32_t b );

/// Estimates how far the common hull of two parts stands off when it has no more corners than allowed.
/// @param capped  receives the distance, unit frame; 0 if the hull needs no simplification
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_cap_of_merged( const bvdecomp_search* search, uint32_t a, uint32_t b, double* capped );

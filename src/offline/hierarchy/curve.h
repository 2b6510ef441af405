// Faces along a space-filling curve: what builders that go from the leaves up begin with.

#pragma once

#include "offline/hierarchy/build.h"

/// Sorts the faces along Morton's curve through their midpoints.
/// @param order  receives their indices
/// @return false when out of memory
bool bvhier_sort_along_curve( const bvhier_build* build, uint32_t* order );

/// @return how often x must be halved, upwards, until it is 1
uint32_t bvhier_ceil_log2( uint32_t x );

// Points along a space-filling curve (G. Morton, "A computer oriented geodetic data base", 1966): what is
// near on it is near in space.

#pragma once

#include "bv/base.h"
#include "offline/base/sort.h"

/// Sorts points along the curve through the cube round them; those in one place of it keep their order.
/// @param points   count of them, finite
/// @param entries  receives their indices as values
/// @param other    room for as many
void bvbase_sort_in_space( const bv_vec3* points, uint32_t count, bvbase_sort_entry* entries,
                           bvbase_sort_entry* other );

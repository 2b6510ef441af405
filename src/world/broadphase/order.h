// Sorting by keys in linear time.

#pragma once

#include "bvworld/broadphase.h"

/// Sorts pairs by a, then by b.
/// @param room  as long as the array
void bvwphase_sort_pairs( bvw_pair* pairs, uint32_t count, bvw_pair* room );

/// The same without other memory, in more time.
void bvwphase_sort_few_pairs( bvw_pair* pairs, uint32_t count );

/// Sorts different numbers.
void bvwphase_sort_numbers( uint32_t* numbers, uint32_t count );

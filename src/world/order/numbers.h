// Sorting of numbers.

#pragma once

#include <stdint.h>

/// Sorts numbers in ascending order, without other memory.
void bvworder_sort_numbers( uint32_t* numbers, uint64_t count );

/// Sorts numbers by their upper halves in ascending order. Equal ones keep their order.
/// @param spare   memory for as many
/// @param passes  receives how often all numbers were moved: digits that all have in common are skipped
/// @return `numbers` or `spare`, where the sorted numbers are
uint64_t* bvworder_sort_keys( uint64_t* numbers, uint64_t* spare, uint32_t count, uint32_t* passes );

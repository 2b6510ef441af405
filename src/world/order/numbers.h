// Sorting of numbers without other memory.

#pragma once

#include <stdint.h>

/// Sorts numbers in ascending order.
void bvworder_sort_numbers( uint32_t* numbers, uint64_t count );

// Sorting of 64-bit keys with values, in linear time for any keys, and of plain numbers.

#pragma once

#include <stdint.h>

/// What is sorted.
typedef struct bvbase_sort_entry
{
	uint64_t key;   ///< ascending
	uint32_t value; ///< comes along; those of equal keys keep their order
} bvbase_sort_entry;

/// @param entries  sorted afterwards
/// @param other    room for as many
void bvbase_sort( bvbase_sort_entry* entries, bvbase_sort_entry* other, uint32_t count );

/// Sorts numbers and keeps each once.
/// @return how many are left
uint32_t bvbase_sort_unique( uint32_t* numbers, uint32_t count );

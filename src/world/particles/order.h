// Sorting of particles.

#pragma once

#include <stdint.h>

/// Sorts by the upper 32 bits of each entry; those that are equal keep their order. Digits that are equal in all entries are skipped.
/// @param room   as long as the array
/// @param steps  how often entries were read to count digits and to move them is added
/// @return the sorted array: one of the two
uint64_t* bvwnear_sort_entries( uint64_t* entries, uint64_t* room, uint32_t count, uint64_t* steps );

/// What tryMergeSort sorts and reports.
typedef struct bvwnear_list
{
	const double* key;    ///< of each number
	uint32_t* next;       ///< of each number in the list; UINT32_MAX ends it
	uint64_t comparisons; ///< of keys, added
	uint32_t depth;       ///< of the calls, if it was recursive; 1 if the list was sorted
} bvwnear_list;

/// Sorts a list by ascending keys.
/// @param first  the first number, or UINT32_MAX
/// @return the first number of the sorted list
uint32_t bvwnear_try_merge_sort( bvwnear_list* list, uint32_t first );

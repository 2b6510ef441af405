// What was found for a pair of parts, kept for when the same two meet again.

#pragma once

#include "bvbuild/base.h"

/// What is kept for a pair.
typedef struct bvdecomp_memo_entry
{
	uint64_t a;      ///< version of the first part; 0 for entries that are free
	uint64_t b;      ///< version of the second part
	double value[3]; ///< what was found
} bvdecomp_memo_entry;

/// A hash table by ordered pairs. All 0 is an empty one.
typedef struct bvdecomp_memo
{
	bvdecomp_memo_entry* entries; ///< a power of two of them
	uint32_t room;                ///< length of entries
	uint32_t count;               ///< how many are not free
} bvdecomp_memo;

/// @return what was kept for a pair; null when nothing was
const bvdecomp_memo_entry* bvdecomp_memo_find( const bvdecomp_memo* memo, uint64_t a, uint64_t b );

/// Keeps what was found for a pair that has nothing kept yet.
/// @param a, b  versions, not 0
/// @return false when out of memory
bool bvdecomp_memo_keep( bvdecomp_memo* memo, bvb_arena* arena, uint64_t a, uint64_t b,
                         const double value[3] );

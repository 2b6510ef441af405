// Many small parts, and pairs of them to be merged: what decomposers that work bottom-up begin with and go on
// with.

#pragma once

#include "offline/decompose/search.h"

/// Where to cut a part in two that is still too large.
/// @param attempt  0, 1 or 2: planes that part it less and less well, for when the first ones miss
/// @param plane    receives it
/// @return bv_ok; bv_error_memory
typedef bv_status bvdecomp_small_rule( const bvdecomp_search* search, const bvdecomp_search_part* part,
                                       int attempt, bvdecomp_plane* plane );

/// Cuts the part with the longest diagonal again and again, until there are many times the parts that are
/// wanted, none can be cut or time is up.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_cut_small( bvdecomp_search* search, bvdecomp_small_rule* rule );

/// Two parts, a < b.
typedef struct bvdecomp_pair
{
	uint32_t a;   ///< a part
	uint32_t b;   ///< another one
	double value; ///< what merging them costs; a NaN as long as that is not known
} bvdecomp_pair;

/// Pairs of parts whose boxes are near each other.
typedef struct bvdecomp_pairs
{
	bvdecomp_pair* items; ///< each once
	uint32_t count;       ///< length of items
	uint32_t room;        ///< how many there is room for
	uint32_t* seen;       ///< of each part, the last merge that met it beside the merged part
	uint32_t merges;      ///< how many there were
} bvdecomp_pairs;

/// What merging two parts costs; less is better. Called by several threads at once.
typedef double bvdecomp_pair_measure( const bvdecomp_search* search, bvdecomp_search_worker* worker,
                                      const void* context, uint32_t a, uint32_t b );

/// Finds all pairs of parts that are near each other, wherever there are two parts at least one pair; and
/// measures them.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_pairs_find( const bvdecomp_search* search, bvdecomp_pair_measure* measure,
                               const void* context, bvdecomp_pairs* out );

/// Replaces `b` by `a` in all pairs after the two were merged, and measures the changed pairs. If no pair is
/// left, finds all pairs again.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_pairs_merged( const bvdecomp_search* search, bvdecomp_pair_measure* measure,
                                 const void* context, uint32_t a, uint32_t b, bvdecomp_pairs* pairs );

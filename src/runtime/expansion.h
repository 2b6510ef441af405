// Selects which of two overlapping nodes is opened next (Eckstein 1998, section 4.3).

#pragma once

#include "bv/query.h"
#include "runtime/spot.h"

/// What to open: the node of the first hierarchy, that of the second, or both.
typedef enum bv_opening
{
	bv_opening_a,
	bv_opening_b,
	bv_opening_both,
} bv_opening;

/// How openings are chosen, for one query.
typedef struct bv_expander
{
	bv_expansion expansion;
	const bvh_view* a;
	const bvh_view* b;
	const char* qualities_a; ///< section NQAL; null unless both files have it
	const char* qualities_b;
	double scale; ///< of b's lengths, to those of a
} bv_expander;

/// @param a, b   kept
/// @param scale  of b's lengths
void bv_expander_begin( bv_expansion expansion, const bvh_view* a, const bvh_view* b, double scale,
                        bv_expander* out );

/// @param a, b  not both leaves; of a leaf and another node that one is opened
bv_opening bv_choose_opening( const bv_expander* expander, const bv_spot* a, const bv_spot* b );

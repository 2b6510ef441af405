// Selects which of two overlapping nodes is opened next (Eckstein 1998, section 4.3).

#pragma once

#include "bv/mesh.h"
#include "runtime/tree/spot.h"

/// What to open: the node of the first hierarchy, that of the second, or both.
typedef enum bvtree_opening
{
	bvtree_opening_a,
	bvtree_opening_b,
	bvtree_opening_both,
} bvtree_opening;

/// How openings are chosen, for one query.
typedef struct bvtree_expander
{
	bv_expansion expansion;
	const bvfile_view* a;
	const bvfile_view* b;
	const char* qualities_a; ///< section NQAL; null unless both files have it
	const char* qualities_b;
	double scale; ///< of b's lengths, to those of a
} bvtree_expander;

/// @param a, b   kept
/// @param scale  of b's lengths
void bvtree_expander_begin( bv_expansion expansion, const bvfile_view* a, const bvfile_view* b, double scale,
                            bvtree_expander* out );

/// @param a, b  not both leaves; of a leaf and another node that one is opened
bvtree_opening bvtree_choose_opening( const bvtree_expander* expander, const bvtree_spot* a,
                                      const bvtree_spot* b );

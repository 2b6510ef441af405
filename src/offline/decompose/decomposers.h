// The table of decomposers, the methods of --decomposer. To add one, write its function and add a row here.

#pragma once

#include "offline/decompose/search.h"

/// Finds convex parts.
/// @param search  with one part: everything
/// @return bv_ok, with max_parts parts at most; bv_error_memory
typedef bv_status bvdecomp_decomposer( bvdecomp_search* search );

/// X( name, function, improved, summary ). `improved` says whether what it finds is cut and merged further, as
/// certificates and the whole mesh need it. The first is the default, the others are methods of the
/// literature, to compare with.
#define BVDECOMP_DECOMPOSERS( X )                                                  \
	X( "planes", bvdecomp_search_parts, true,                                      \
	   "best plane cuts, then cheapest merges, then pairs of parts recut" )        \
	X( "obb-tree", bvdecomp_parts_obb_tree, false,                                 \
	   "cells of an OBB tree, merged while nearly convex by volume (Kravec)" )     \
	X( "box-merge", bvdecomp_parts_box_merge, false,                               \
	   "axis-aligned boxes, merged while the volume hardly grows (Huotari 2011)" ) \
	X( "notch", bvdecomp_parts_notch, false, "cuts through the point deepest below the hull (Huotari 2011)" )

#define BVDECOMP_DECLARE( name, function, improved, summary ) bvdecomp_decomposer function;
BVDECOMP_DECOMPOSERS( BVDECOMP_DECLARE )
#undef BVDECOMP_DECLARE

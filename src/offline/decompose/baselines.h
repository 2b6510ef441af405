// Decomposers of the literature, to compare with: rows of the table in decompose.c beside the search for
// planes.

#pragma once

#include "offline/decompose/search.h"

/// Small parts of a tree of oriented boxes, merged while nearly convex (Kravec).
/// @param search  with one part: everything
/// @return bv_ok, with max_parts parts at most; bv_error_memory
bv_status bvdecomp_parts_obb_tree( bvdecomp_search* search );

/// Small parts in aligned boxes, merged where the box of both is hardly larger than the two (Huotari 2011).
/// @param search  with one part: everything
/// @return bv_ok, with max_parts parts at most; bv_error_memory
bv_status bvdecomp_parts_box_merge( bvdecomp_search* search );

/// Parts cut through the deepest point that is seen from a face of their hull (Huotari 2011).
/// @param search  with one part: everything
/// @return bv_ok, with max_parts parts at most; bv_error_memory
bv_status bvdecomp_parts_notch( bvdecomp_search* search );

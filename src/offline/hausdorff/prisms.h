// Certified distances of boxes to few triangles, by cutting them into prisms.

#pragma once

#include "offline/hausdorff/search.h"

/// Memory for one box at a time.
typedef struct bvhaus_prisms bvhaus_prisms;

/// @return null when out of memory
bvhaus_prisms* bvhaus_prisms_create( bvb_arena* arena );

/// Measures the box of a node against the triangles below it.
/// @param goal     of bvb_hausdorff_solid, without `sufficient`; `reserve` is ignored
/// @param size     largest coordinate that matters, which bounds rounding
/// @param thin     sides of which half is no longer count as their middle
/// @param solid    receives the interval of all of the box, without a witness
/// @param surface  receives that of its boundary
/// @return false when this is not the way: the tolerance is too narrow for binary32, or too many prisms are
///         needed
bool bvhaus_prisms_measure( bvhaus_prisms* prisms, const bvhaus_index* index, bvhaus_index_ref node,
                            const bvhaus_goal* goal, double size, double thin, bvb_hausdorff* solid,
                            bvb_hausdorff* surface );

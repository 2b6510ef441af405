// Boxes, solid and surface.

#pragma once

#include "offline/hausdorff/search.h"

/// Measures a box with a search that has begun. The farthest point of a solid nearly always lies on its
/// boundary: then one search gives both distances.
/// @param thin     sides whose half extents are no larger are measured in their middle, and their thickness
///                 added to the upper bounds; above 0 only where triangles alone count, and witnesses of
///                 surfaces do not
/// @param solid    receives the distance of all of it, or a bound of it where only the other one is asked for
/// @param surface  receives that of its boundary; null when it is not asked for
void bvhaus_search_box( bvhaus_search* search, const bvhaus_solid_box* box, double thin, bvb_hausdorff* solid,
                        bvb_hausdorff* surface );

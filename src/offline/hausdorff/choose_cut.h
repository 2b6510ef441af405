// Where to cut a region that is not settled.

#pragma once

#include "offline/hausdorff/region.h"

/// Chooses the plane on which the two best rows are equal, where that is nearly one; or else a wall of a
/// triangle that settles much of the region; or else, and every few times, the middle of the longest side.
/// @param axis    halving is along one of these
/// @param wanted  a bound that would settle the region
void bvhaus_region_choose_cut( bvhaus_region* region, const bvhaus_index* index, const bv_vec3 axis[3],
                               double wanted );

/// Chooses the middle of the longest side.
void bvhaus_region_halve( bvhaus_region* region, const bv_vec3 axis[3] );

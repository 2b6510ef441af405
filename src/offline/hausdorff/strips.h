// The round side of a cylinder, covered by strips along it.
//
// Where x goes from one end of a straight line to the other and q along with it from one point of a triangle
// to another, the distance of the two is largest at an end. So a line along the cylinder is within the
// tolerated distance of a triangle when its ends are; and which points of a circle round the axis are within
// that distance of a point is told by their direction alone.

#pragma once

#include "offline/hausdorff/search.h"

/// Adds the side without the ends.
/// @param side    a cylinder; kept
/// @param axis    orthonormal; the first one is the cylinder's
/// @param length  of the cylinder, from the side's center along its axis, above 0
void bvhaus_search_add_side( bvhaus_search* search, const bvhaus_shape* side, const bv_vec3 axis[3],
                             double length );

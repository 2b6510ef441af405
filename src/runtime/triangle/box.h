// Overlap test of a triangle and an oriented box.
//
// Thirteen separating axes: the axes of the box, the normal of the triangle and the products of edges (S.
// Gottschalk, "Collision queries using oriented bounding boxes", 2000; T. Akenine-Moeller, "Fast 3D
// triangle-box overlap testing", 2001). Conservative, as boxes.h.

#pragma once

#include "runtime/volume/boxes.h"

/// @param corner  in the box's coordinates
/// @param slack   no corner, and no point of the box, is farther from its true place; the rounding of this
///                comparison comes on top
/// @return false only if they are certainly disjoint
bool bvtri_overlaps_box( const bv_vec3 corner[3], const bv_obb* box, double slack );

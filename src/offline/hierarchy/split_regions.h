// Settings of the splitters by regions of a box, and the points whose Voronoi regions those are: J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, sections 3.7.5 and 3.7.6, table 3.1. See split_regions.c.

#pragma once

#include "offline/hierarchy/split.h"

/// A row's settings.
typedef struct bvhier_regions_how
{
	bool oriented; ///< the points are in the node's oriented box, else in its axis-aligned one
} bvhier_regions_how;

/// By the regions.
/// @param how  a bvhier_regions_how
bvhier_split_function bvhier_split_regions;

/// The same points in space, spread over the least box of the set's corners along the axes of the node's
/// oriented box.
/// @param point  receives `degree` points, mesh units
void bvhier_region_centers( const bvhier_face_set* set, uint32_t degree, bv_vec3* point );

// Proofs that two moving shapes touch.

#pragma once

#include "runtime/motion/moment.h"

/// @param nearest  the last simplex of GJK at the moment, for the distance from the margin
/// @return whether the shapes certainly touch at the moment. False for shapes without volume that cross each other
bool bvmotion_touches( const bvmotion_moment* m, const bvconvex_gjk_simplex* nearest );

/// Finds out whether a triangle of the difference of both shapes passes the origin, which proves that they touch. It does so
/// for a vertex that passes a face, and for an edge that passes an edge, also of shapes without volume.
/// @param m         polytopes without radius and separation; is set to other times
/// @param from, to  two times, not descending
/// @param name      names of three vertices of the difference
/// @param passes    receives whether they touch between both times. False if it is not proven
/// @return as bvmotion_moment_set
bv_status bvmotion_passes( bvmotion_moment* m, double from, double to, uint32_t name[3][2], bool* passes );

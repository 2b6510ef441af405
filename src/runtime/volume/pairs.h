// Overlap test of two volumes of any types, one of them moved by a pose.
//
// The test is conservative, as in boxes.h: volumes count as overlapping unless they are apart by more than
// the rounding errors and the deviation of the pose from a rigid motion. The table in pairs.c says
// how tight the test is for each pair of types.

#pragma once

#include "runtime/volume/boxes.h"
#include "runtime/volume/kdop.h"
#include "runtime/volume/rounded.h"

/// A pose, with what all comparisons under it have in common.
typedef struct bvvol_placement
{
	bv_pose pose;           ///< takes coordinates of the second volume to those of the first
	bv_pose back;           ///< takes them back, as far as the pose is rigid
	double skew;            ///< of the pose
	double size;            ///< sum of the absolute coordinates of its translation
	double reach;           ///< volumes count as apart only if they are farther apart than this; not negative
	bvvol_cosines cosines;  ///< of the frames' axes: the rotation
	bvvol_kdop_views views; ///< of k-DOPs
} bvvol_placement;

/// @param types_a, types_b  a bit, 1 << type, for each type that the first and the second volumes may have
/// @param reach             see there
/// @param out               keeps nothing of `b_in_a`
void bvvol_placement_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b, double reach,
                            bvvol_placement* out );

/// @param a  of one of the types that the placement was made for
/// @param b  the same, and moved by it
/// @return false only if `a` and the moved `b` are certainly disjoint and farther apart than the reach
bool bvvol_overlap( const bv_volume* a, const bv_volume* b, const bvvol_placement* b_in_a );

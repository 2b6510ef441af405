// Do two oriented boxes overlap?
//
// Fifteen separating axes: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid
// Interference Detection", 1996, section 5. Conservative: the boxes count as overlapping unless they are
// apart by more than the arithmetic can err.

#pragma once

#include "bv/base.h"
#include "bv/volume.h"

/// A box moved by a pose, ready to be compared with boxes of the pose's target.
typedef struct bv_placed_obb
{
	bv_obb box;   ///< the moved box; its axes are orthonormal only as far as the pose is rigid
	double slack; ///< bounds rounding and the pose's deviation from a rigid motion, mesh units
} bv_placed_obb;

/// @return how far the rotation is from orthonormal: no scalar product of two columns is farther from 0 or 1
double bv_pose_skew( const bv_pose* pose );

/// @param skew  of the pose
bv_placed_obb bv_obb_place( const bv_obb* box, const bv_pose* pose, double skew );

/// @return false only if the boxes are certainly disjoint
bool bv_obb_overlaps_placed( const bv_obb* a, const bv_placed_obb* b );

/// @return false only if `a` and `b`, moved by `b_in_a`, are certainly disjoint
bool bv_obbs_overlap( const bv_obb* a, const bv_obb* b, const bv_pose* b_in_a );

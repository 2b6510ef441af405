// Overlap test of two oriented boxes.
//
// Fifteen separating axes: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid
// Interference Detection", 1996, section 5. The test is conservative: boxes count as overlapping unless they
// are apart by more than the rounding errors of the arithmetic, which rounding.h derives.

#pragma once

#include "bv/base.h"
#include "bv/shape.h"

#include "runtime/math/rounding.h"
#include "runtime/volume/rounded.h"

/// @return how far the rotation is from orthonormal: no scalar product of two columns is farther from 0 or 1
double bvvol_pose_skew( const bv_pose* pose );

/// An axis-aligned box as an oriented one: to rounding the same points.
bv_obb bvvol_aabb_turned( const bv_aabb* box );

/// Moves a box by a pose.
/// @param skew  of the pose
/// @param out   ready to be compared with boxes of the pose's target
void bvvol_obb_place_to( const bv_obb* box, const bv_pose* pose, double skew, bvvol_rounded* out );

/// @param b  has no radius, and is not tapered
/// @return false only if the boxes are certainly disjoint
bool bvvol_obb_overlaps_placed( const bv_obb* a, const bvvol_rounded* b );

/// The cosines of the angles between two frames' axes.
typedef struct bvvol_cosines
{
	double of[3][3];   ///< of the first's axis i and the second's axis j
	double size[3][3]; ///< their absolute values
} bvvol_cosines;

/// Two boxes whose frames are known to each other.
/// @param half_a, half_b  half extents
/// @param offset          from the first center to the second, along a's axes
/// @return false only if no axis holds them farther apart than slack
bool bvvol_boxes_overlap( const double half_a[3], const double half_b[3], const double offset[3],
                          const bvvol_cosines* cosines, double slack );

/// @return false only if `a` and `b`, moved by `b_in_a`, are certainly disjoint
bool bvvol_obbs_overlap( const bv_obb* a, const bv_obb* b, const bv_pose* b_in_a );

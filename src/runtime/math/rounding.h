// How far the computed place of a volume is from the true one, which the slack of a bvvol_rounded and of a
// bvtree_moved_box bounds. A comparison that adds the slacks of both volumes is conservative.
//
// Arithmetic. In units of 2^-53 and of the magnitudes that enter (coordinates of both centers and of the
// translation, extents of both volumes), the offset of the centers along an axis errs by less than 25, and
// its products with cosines by less than 150. Decoded axes are orthonormal to less than 30, which adds less
// than 60 for each volume to what lies within the extents. BVMATH_OVERLAP_ROUNDING is 512 of these units.
// Each volume counts its own magnitudes, and what moves one adds the translation.
//
// Skew. A rotation R is off by its skew: no entry of R^T R - 1 is above it. Then R = Q (1 + E) with Q
// orthonormal and, up to higher orders, E = (R^T R - 1) / 2: no entry of E is above skew / 2, and |E| is at
// most 1.5 skew as a norm. All bounds below are multiples of the skew, and of the extent of what R moves: the
// sum of its half extents and its radius.
//   - Fifteen axes of two boxes: a cross product of two moved axes is off the third by less than 2.1, and a
//     moved axis is off the orthonormal one by less. 3 covers each comparison.
//   - Distances, and whatever else is computed along moved axes: the support of the box that R makes is exact,
//     and only the ball's part has an error, of 1.5 of the radius. If coordinates along moved axes are used as
//     a distance, and the volumes have a point in common, the center of the other volume is no farther away
//     than both extents. The computed value is off by 1.5 of both extents, and the moved box by 1.5 of its
//     own. 4 of the moved extent, and 2 of the radius of a ball that it is compared with, cover all of this.
//   - Squares of cosines, and so of sines, and the length of a vector whose coordinates are those along moved
//     axes: 4 of itself.
//   - Lengths: R makes none shorter by more than 1.5 of itself. 2 covers that.
//   - The inverse of R has twice the skew.
//
// Binary32. A coordinate of an axis is off by 2^-24, and a half extent by as much of itself, which makes less
// than 2^-21 of the extents for any point of a box. Kernels for lanes take axes that are orthonormal to 2^-20
// (bvtree_lane_box): the skew may be 2^-22.

#pragma once

#include <stdbool.h>

/// Of the magnitudes that enter a comparison: more than its arithmetic errs.
#define BVMATH_OVERLAP_ROUNDING 0x1p-44

/// Of the extents of a box: more than is lost in binary32.
#define BVMATH_LANE_ROUNDING 0x1p-21

/// @return by how much the fifteen axes err
static inline double bvmath_skew_of_axes( double skew, double extent )
{
	return 3 * skew * extent;
}

/// @return by how much anything else that is computed of a moved volume errs
static inline double bvmath_skew_of_extent( double skew, double extent )
{
	return 4 * skew * extent;
}

/// @return by how much a ball errs that is compared with a moved volume
static inline double bvmath_skew_of_ball( double skew, double radius )
{
	return 2 * skew * radius;
}

/// @return by how much the square of a cosine, or a length along moved axes, errs
static inline double bvmath_skew_of_square( double skew )
{
	return 4 * skew;
}

/// @return what is left of a length of 1
static inline double bvmath_skew_of_length( double skew )
{
	return 1 - 2 * skew;
}

/// @return whether lengths are the same in both coordinates, as far as the arithmetic tells
static inline bool bvmath_skew_is_rigid( double skew )
{
	return skew < BVMATH_OVERLAP_ROUNDING;
}

/// @return whether boxes that are moved are boxes still, as far as the lanes' tests allow
static inline bool bvmath_skew_fits_lanes( double skew )
{
	return skew < 0x1p-22;
}

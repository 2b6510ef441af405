// Overlap tests of a k-DOP with another k-DOP or with a rounded box, one of them moved by a pose.
//
// J. T. Klosowski, M. Held, J. S. B. Mitchell, H. Sowizral, K. Zikan, "Efficient collision detection using
// bounding volume hierarchies of k-DOPs", 1998: a moved k-DOP is compared by its bounds along the directions
// of the other one. In the paper these bounds come from its corners. Here they follow from the duality of
// linear programming: along d = sum w[i] n[i] with w[i] >= 0, the k-DOP extends to at most sum w[i] upper[i].
// The three directions n[i] whose cone contains d are known in closed form.

#pragma once

#include "bv/shape.h"
#include "runtime/volume/rounded.h"

enum
{
	bvvol_kdop_kinds = 3,  ///< of 14, 18 and 26 planes
	bvvol_kdop_slots = 27, ///< directions with coordinates -1, 0 and 1; the opposite of i is 26 - i
	bvvol_kdop_ways = 2,   ///< in which a direction is given by three others
};

/// A direction of one k-DOP, seen from another's frame: in two ways as a weighted sum of three of the other's
/// directions, sum weight[i] * direction( slot[i] ), no weight negative.
typedef struct bvvol_kdop_view
{
	double weight[bvvol_kdop_ways][3];
	double shift; ///< along the direction, that the frames are apart
	uint8_t slot[bvvol_kdop_ways][3];
} bvvol_kdop_view;

/// Of the directions of one kind, in terms of those of another kind; of other directions nothing.
typedef bvvol_kdop_view bvvol_kdop_table[BV_KDOP_DIRECTIONS];

/// The first volumes' directions as seen from the second, and the other way round, for one kind of each.
/// Views of other kinds, in files with several, are made when they are used.
typedef struct bvvol_kdop_views
{
	int kind[2];               ///< of the first and of the second volumes
	bvvol_kdop_table table[2]; ///< directions of the first, and of the second
} bvvol_kdop_views;

/// @param types_a, types_b  a bit, 1 << type, for each type of volume that is in use
void bvvol_kdop_views_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b,
                             bvvol_kdop_views* out );

/// @return the largest sum of absolute coordinates of a point of it, or more
double bvvol_kdop_magnitude( const bv_kdop* kdop );

/// @param b_in_a  that the views were made for
/// @param slack   how far apart they must be to be disjoint, mesh units
/// @return false only if `a` and `b`, as seen in `views`, are certainly disjoint
bool bvvol_kdops_overlap( const bv_kdop* a, const bv_kdop* b, const bv_pose* b_in_a,
                          const bvvol_kdop_views* views, double slack );

/// @param slack  how far apart they must be to be disjoint, besides the slack of `other`
/// @return false only if they are certainly disjoint
bool bvvol_kdop_overlaps_rounded( const bv_kdop* kdop, const bvvol_rounded* other, double slack );

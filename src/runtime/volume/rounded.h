// Overlap test of two boxes with rounded edges: the points within a radius of a box, which may be flat.
// Balls, rectangle swept spheres and boxes have this form. So do prisms, as tapered boxes.
//
// Balls with other volumes: J. Arvo, "A simple method for box-sphere intersection testing", 1990, exact. All
// other pairs: E. Larsen, S. Gottschalk, M. C. Lin, D. Manocha, "Fast proximity queries with swept sphere
// volumes", 1999, compare the distance of two rectangles with the sum of the radii. Here alternating
// projections decide whether the distance is larger (W. Cheney, A. A. Goldstein, 1959): each point is the one
// nearest to the previous point on the other volume. A pair of points that is close enough proves that the
// volumes overlap. A pair with a wide enough slab between the volumes proves that they are apart. Prisms
// without rounded edges are compared with each other and with boxes by separating axes: S. Gottschalk,
// "Separating axis theorem", TR96-024, 1996.

#pragma once

#include "bv/shape.h"

/// All points no farther than a radius from a box.
typedef struct bvvol_rounded
{
	bv_vec3 center;         ///< of the box
	bv_vec3 axis[3];        ///< orthonormal, as far as the pose that moved them is rigid
	double half_extents[3]; ///< along the axes
	double radius;          ///< not negative

	/// whether the box is only the prism in it, see bv_prism; bounds that take all of it hold as well
	bool tapered;

	double slack; ///< bounds rounding and the pose's deviation from a rigid motion, mesh units
} bvvol_rounded;

/// @return the sum of the half extents and the radius: no point is farther from the center
static inline double bvvol_rounded_extent( const bvvol_rounded* v )
{
	return ( ( v->half_extents[0] + v->half_extents[1] ) + v->half_extents[2] ) + v->radius;
}

/// How far a prism reaches against a vector and along it from its box's center, times the vector's length.
void bvvol_prism_span( const double half_extents[3], const bv_vec3 axis[3], bv_vec3 along, double* lower,
                       double* upper );

/// Sets the slack of a box that no pose has moved.
void bvvol_rounded_set_slack( bvvol_rounded* v );

/// An axis-aligned box.
void bvvol_upright_rounded( bv_vec3 lower, bv_vec3 upper, bvvol_rounded* out );

/// Moves it.
/// @param skew  of the pose
void bvvol_rounded_move( bvvol_rounded* v, const bv_pose* pose, double skew );

/// @return false only if the ball, a box without extent, and `other` are certainly disjoint
bool bvvol_ball_overlaps_rounded( const bvvol_rounded* ball, const bvvol_rounded* other );

/// @return false only if they are certainly disjoint
bool bvvol_rounded_overlap( const bvvol_rounded* a, const bvvol_rounded* b );

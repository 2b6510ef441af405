// Algorithms for pairs of convex shapes as the literature prints them, with their errors, to show what the errors do.
//
//   - D. Leemann's thesis of 2017 on collision detection with GJK and EPA, section on planes.
//   - T. Huotari, "Kolmiulotteisten kappaleiden törmäyksen tunnistus", 2011: nearest points of triangles, separating faces, GJK,
//     Chung-Wang.
//
// Shares nothing with src.

#pragma once

#include "bv/base.h"

#include <stdbool.h>
#include <stdint.h>

/// A hull of points.
typedef struct printed_hull
{
	const bv_vec3* points;
	uint32_t count;
} printed_hull;

/// How a printed loop ends.
typedef enum printed_answer
{
	printed_apart,
	printed_collides,
	printed_endless, ///< not after `printed_rounds` rounds
} printed_answer;

enum
{
	printed_rounds = 1000, ///< where the print has no cap
};

/// The contact point of a shape and a plane with the unit normal n, dot( n, x ) = offset: the support point s of the shape
/// along -n, plus n times half the depth. In print the depth is dot( n, s ) - offset, which is negative.
/// @param fixed  take offset - dot( n, s )
bv_vec3 printed_plane_contact( bv_vec3 n, double offset, bv_vec3 s, bool fixed );

/// The point of a triangle that is nearest to a point. In print the first side that the point is beyond decides.
/// @param fixed  take the nearest of the three sides
bv_vec3 printed_nearest_on_triangle( const bv_vec3 corner[3], bv_vec3 point, bool fixed );

/// Whether the plane of a face of A separates A and B. In print, shapes that no such plane separates collide.
/// @param face  `faces` triangles of corners of A, counterclockwise as seen from outside
printed_answer printed_separating_face( printed_hull a, const uint32_t ( *face )[3], uint32_t faces,
                                        printed_hull b );

/// GJK: segments and triangles without the regions of their corners, the first face of a tetrahedron that sees the
/// origin, no cap, and the origin as a support point only if it is one exactly.
printed_answer printed_gjk( printed_hull a, printed_hull b );

/// Chung-Wang, in which the plane of the hemisphere test has a basis that is not orthonormal, and none at all for
/// vectors along the z axis; wedges that count what is along their sides as outside; and a cap that means "collides".
printed_answer printed_chung_wang( printed_hull a, printed_hull b );

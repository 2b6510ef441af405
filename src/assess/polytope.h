// Convex polyhedra that are cut by planes, without allocation: what two boxes or k-DOPs have in common.

#pragma once

#include "bv/base.h"

/// Three faces meet at each corner: a cube's do, and a cut makes new corners inside of edges only. So there are 2 faces - 4 corners,
/// each of which is in three faces' loops.
enum
{
	bvb_polytope_faces = 80, ///< a cube, and the planes of two 26-DOPs
	bvb_polytope_corners = 2 * bvb_polytope_faces,
	bvb_polytope_sides = 3 * bvb_polytope_corners,
};

/// A convex polyhedron.
typedef struct bvb_cut_polytope
{
	uint32_t corners;                     ///< 0: empty
	uint32_t faces;                       ///< loops
	bv_vec3 corner[bvb_polytope_corners]; ///< where they are
	uint16_t side[bvb_polytope_sides]; ///< corners round face after face, counter-clockwise seen from outside
	uint16_t first[bvb_polytope_faces + 1]; ///< where each face begins in `side`, and where the last one ends
} bvb_cut_polytope;

/// Makes it the cube from -1 to 1.
void bvb_polytope_begin( bvb_cut_polytope* out );

/// Leaves of it the points x with dot( normal, x ) <= offset.
/// @param normal  of any length
/// @param other   for the work
/// @return which of the two it is then
bvb_cut_polytope* bvb_polytope_cut_by( bvb_cut_polytope* polytope, bvb_cut_polytope* other, bv_vec3 normal,
                                       double offset );

/// @return its volume
double bvb_polytope_volume( const bvb_cut_polytope* polytope );

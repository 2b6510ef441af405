// Convex polyhedra that are cut by planes, without allocation: what two boxes or k-DOPs have in common.

#pragma once

#include "runtime/convex/clip.h"

/// Three faces meet at each corner: a cube's do, and a cut makes new corners inside of edges only. So there
/// are 2 faces - 4 corners, each of which is in three faces' loops.
enum
{
	bvassess_polytope_faces = 80, ///< a cube, and the planes of two 26-DOPs
	bvassess_polytope_corners = 2 * bvassess_polytope_faces,
	bvassess_polytope_sides = 3 * bvassess_polytope_corners,
};

/// A convex polyhedron with its memory.
typedef struct bvassess_cut_polytope
{
	bvconvex_polytope of;                        ///< in the arrays that follow, so that it must not be copied
	bv_vec3 corners[bvassess_polytope_corners];  ///< ...
	uint32_t loops[bvassess_polytope_sides];     ///< counter-clockwise seen from outside
	uint32_t first[bvassess_polytope_faces + 1]; ///< ...
} bvassess_cut_polytope;

/// Makes it the cube from -1 to 1.
void bvassess_polytope_begin( bvassess_cut_polytope* out );

/// Leaves of it the points x with dot( normal, x ) <= offset.
/// @param normal  of any length
/// @param other   for the work
/// @return which of the two it is then
bvassess_cut_polytope* bvassess_polytope_cut_by( bvassess_cut_polytope* polytope,
                                                 bvassess_cut_polytope* other, bv_vec3 normal,
                                                 double offset );

/// @return its volume
double bvassess_polytope_volume( const bvassess_cut_polytope* polytope );

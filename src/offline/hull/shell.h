// Shells: convex triangulated surfaces around a polyhedron, whose corners are moved to enclose it closely.

#pragma once

#include "offline/hull/halfspaces.h"
#include "offline/hull/linear.h"

/// No corner that has more neighbors is moved.
#define BVHULL_MOST_NEIGHBORS 40

/// A polyhedron to be enclosed, in coordinates where it is about as long as it is wide and high.
typedef struct bvhull_core
{
	bv_vec3* at;                       ///< of its vertices
	uint32_t vertex_count;             ///< length of at
	const bvb_hull_polygons* polygons; ///< for its neighbors
	const bvhull_round_frame* frame;   ///< those coordinates
	double volume;                     ///< of it, in them
} bvhull_core;

/// A closed surface. Side 3 f + k is that from corner k of face f to the next.
typedef struct bvhull_shell
{
	bv_vec3* at;           ///< of its corners
	uint32_t corner_count; ///< length of at
	bvb_triangle* faces;   ///< counter-clockwise seen from outside
	uint32_t face_count;   ///< length of faces
	uint32_t* twin;        ///< of each side, the one that runs the other way
	uint32_t* touched;     ///< of each side, the vertex of the core that a plane through it touched last

	/// of each side, the plane through it that touches the core; all 0: to be found
	bvhull_constraint* tangent;

	uint32_t* leaving; ///< of each corner, a side that starts there
	double* square;    ///< of each corner, the squared distance from the core when the gap was found last
} bvhull_shell;

/// Puts a hull into a frame.
/// @param volume  of the hull
/// @param arena   the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvhull_core_create( const bvb_hull_polygons* hull, const bvhull_round_frame* frame, double volume,
                              bvb_arena* arena, bvhull_core* out );

/// @return the vertex of the core that is farthest in a direction, to rounding
/// @param start  a vertex to climb from
uint32_t bvhull_core_support( const bvhull_core* core, bv_vec3 direction, uint32_t start );

/// Makes the hull of points a shell. It has no corners when the points are flat, or there are none.
/// @return bv_ok; bv_error_memory
bv_status bvhull_shell_create( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvhull_shell* out );

/// @return the volume it encloses
double bvhull_shell_volume( const bvhull_shell* shell );

/// @return about the integral over the shell of the squared distance from the core, in the coordinates that
///         the core's are made from: 0 only when the corners are on it
double bvhull_shell_gap( bvhull_shell* shell, const bvhull_core* core );

/// Moves corners one by one, so that the shell stays convex and around the core and its volume becomes less,
/// until that hardly helps any more.
/// @param sweeps  how often each corner is moved at most
void bvhull_shell_tighten( bvhull_shell* shell, const bvhull_core* core, uint32_t sweeps );

/// Makes two neighboring corners one, again and again, each time where it does
/// least harm, until there are `most` corners
/// or no two can be made one.
/// @param arena  memory for the work
/// @return whether there was memory
bool bvhull_shell_collapse( bvhull_shell* shell, const bvhull_core* core, uint32_t most, bvb_arena* arena );

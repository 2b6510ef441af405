// Shells: convex triangulated surfaces around a polyhedron, whose corners are moved to enclose it closely.

#pragma once

#include "hull/halfspaces.h"
#include "hull/linear.h"

/// No corner that has more neighbors is moved.
#define BVB_MOST_NEIGHBORS 40

/// A polyhedron to be enclosed, in coordinates where it is about as long as it is wide and high.
typedef struct bvb_core
{
	bv_vec3* at;                       ///< of its vertices
	uint32_t vertex_count;             ///< length of at
	const bvb_hull_polygons* polygons; ///< for its neighbors
	const bvb_round_frame* frame;      ///< those coordinates
	double volume;                     ///< of it, in them
} bvb_core;

/// A closed surface. Side 3 f + k is that from corner k of face f to the next.
typedef struct bvb_shell
{
	bv_vec3* at;             ///< of its corners
	uint32_t corner_count;   ///< length of at
	bvb_triangle* faces;     ///< counter-clockwise seen from outside
	uint32_t face_count;     ///< length of faces
	uint32_t* twin;          ///< of each side, the one that runs the other way
	uint32_t* touched;       ///< of each side, the vertex of the core that a plane through it touched last
	bvb_constraint* tangent; ///< of each side, the plane through it that touches the core; all 0: to be found
	uint32_t* leaving;       ///< of each corner, a side that starts there
	double* square; ///< of each corner, the squared distance from the core when the gap was found last
} bvb_shell;

/// Puts a hull into a frame.
/// @param volume  of the hull
/// @param arena   the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_core_create( const bvb_hull_polygons* hull, const bvb_round_frame* frame, double volume,
                           bvb_arena* arena, bvb_core* out );

/// @return the vertex of the core that is farthest in a direction, to rounding
/// @param start  a vertex to climb from
uint32_t bvb_core_support( const bvb_core* core, bv_vec3 direction, uint32_t start );

/// Makes the hull of points a shell. It has no corners when the points are flat, or there are none.
/// @return bv_ok; bv_error_memory
bv_status bvb_shell_create( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_shell* out );

/// @return the volume it encloses
double bvb_shell_volume( const bvb_shell* shell );

/// @return about the integral over the shell of the squared distance from the core, in the coordinates that the core's are made
///         from: 0 only when the corners are on it
double bvb_shell_gap( bvb_shell* shell, const bvb_core* core );

/// Moves corners one by one, so that the shell stays convex and around the core and its volume becomes less, until that hardly
/// helps any more.
/// @param sweeps  how often each corner is moved at most
void bvb_shell_tighten( bvb_shell* shell, const bvb_core* core, uint32_t sweeps );

/// Makes two neighboring corners one, again and again, each time where it does
/// least harm, until there are `most` corners
/// or no two can be made one.
/// @param arena  memory for the work
/// @return whether there was memory
bool bvb_shell_collapse( bvb_shell* shell, const bvb_core* core, uint32_t most, bvb_arena* arena );

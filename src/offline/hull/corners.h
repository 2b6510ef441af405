// Chooses a small number of corners whose hull encloses a polyhedron closely.

#pragma once

#include "offline/hull/shell.h"

/// Points whose hull encloses a core up to some 1e-10 of its size.
typedef struct bvhull_corners
{
	bv_vec3* at;    ///< in coordinates of the hull that the core is made from
	uint32_t count; ///< length of at; 0 while there are none
	uint32_t room;  ///< how many there may be, at least 4
	double gap;     ///< bvhull_shell_gap of their hull; infinite while there are none
	bool alone;     ///< nothing is to be compared with them: the gap needs no measuring
} bvhull_corners;

/// Chooses corners, as many as there is room for. Nothing is found for a core that is too flat for binary64.
/// @param first  how many of its vertices to begin with, at least as many
/// @param arena  memory for the work
/// @param best   receives them if the gap is less than it was
/// @return bv_ok; bv_error_memory
bv_status bvhull_choose_corners( const bvhull_core* core, uint32_t first, bvb_arena* arena,
                                 bvhull_corners* best );

/// Moves points whose hull encloses the core, so that it goes on to do so with less volume.
/// @param points  in coordinates of the hull that the core is made from; receives those of the frame
/// @param count   how many there are, no more than there is room for
/// @param best    as above
/// @return bv_ok; bv_error_memory
bv_status bvhull_tighten_corners( const bvhull_core* core, bv_vec3* points, uint32_t count, bvb_arena* arena,
                                  bvhull_corners* best );

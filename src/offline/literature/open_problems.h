// The open problems of branch and bound, the most promising first: J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.7.1. See open_problems.c.

#pragma once

#include "offline/base/arena.h"
#include "offline/literature/split_branch_and_bound.h"

/// A partition of some of the faces, which are bits of a number, and what is known of its completions.
typedef struct bvlit_problem
{
	double lower;                  ///< no completion is better
	double upper;                  ///< some completion is that good; infinite when none was found
	uint32_t placed;               ///< how many faces are
	uint32_t unplaced;             ///< and how many are not
	double key;                    ///< by which it is looked at; set when it is pushed
	uint32_t serial;               ///< problems of equal keys are looked at in ascending order of this
	uint16_t free;                 ///< the faces that are not placed
	uint16_t part[BVB_MAX_DEGREE]; ///< the faces of each part
	uint8_t used;                  ///< parts that are not empty, the first ones
} bvlit_problem;

enum
{
	bvlit_problems_few = 64, ///< so many have room in the structure
};

/// A heap of them.
typedef struct bvlit_open_problems
{
	bvlit_branch_and_bound_order order;    ///< which is first
	uint32_t count;                        ///< how many there are
	uint32_t room;                         ///< for how many
	bool failed;                           ///< memory ran out, and some were lost
	bvlit_problem* more;                   ///< the heap, when `few` is too small; else null
	bvb_arena* parent;                     ///< whose memory it takes
	bvb_arena* arena;                      ///< null before it is needed
	bvlit_problem few[bvlit_problems_few]; ///< the heap at first
} bvlit_open_problems;

/// Begins with none.
/// @param arena  the worker's
void bvlit_problems_begin( bvb_arena* arena, bvlit_branch_and_bound_order order, bvlit_open_problems* out );

/// Frees them.
void bvlit_problems_end( bvlit_open_problems* problems );

/// Adds one, or sets `failed` when out of memory.
void bvlit_problems_push( bvlit_open_problems* problems, const bvlit_problem* p );

/// Takes the first one; there must be one.
bvlit_problem bvlit_problems_pop( bvlit_open_problems* problems );

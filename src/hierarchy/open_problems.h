// The open problems of branch and bound, the most promising first: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998,
// section 3.7.1. See open_problems.c.

#pragma once

#include "base/offline/arena.h"
#include "hierarchy/split_branch_and_bound.h"

/// A partition of some of the faces, which are bits of a number, and what is known of its completions.
typedef struct bvb_problem
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
} bvb_problem;

enum
{
	bvb_problems_few = 64, ///< so many have room in the structure
};

/// A heap of them.
typedef struct bvb_open_problems
{
	bvb_branch_and_bound_order order;  ///< which is first
	uint32_t count;                    ///< how many there are
	uint32_t room;                     ///< for how many
	bool failed;                       ///< memory ran out, and some were lost
	bvb_problem* more;                 ///< the heap, when `few` is too small; else null
	bvb_arena* parent;                 ///< whose memory it takes
	bvb_arena* arena;                  ///< null before it is needed
	bvb_problem few[bvb_problems_few]; ///< the heap at first
} bvb_open_problems;

/// Begins with none.
/// @param arena  the worker's
void bvb_problems_begin( bvb_arena* arena, bvb_branch_and_bound_order order, bvb_open_problems* out );

/// Frees them.
void bvb_problems_end( bvb_open_problems* problems );

/// Adds one, or sets `failed` when out of memory.
void bvb_problems_push( bvb_open_problems* problems, const bvb_problem* p );

/// Takes the first one; there must be one.
bvb_problem bvb_problems_pop( bvb_open_problems* problems );

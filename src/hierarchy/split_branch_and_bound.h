// The rows of branch and bound in the table of splitters. See split_branch_and_bound.c.

#pragma once

#include "hierarchy/split.h"

/// A partition of some of the faces, and what is known of its completions.
typedef struct bvb_open_problem
{
	double lower;    ///< no completion is better
	double upper;    ///< some completion is that good; infinite when none was found
	uint32_t placed; ///< how many faces are
	uint32_t free;   ///< and how many are not
} bvb_open_problem;

/// A row's settings.
typedef struct bvb_branch_and_bound_how
{
	double ( *order )( const bvb_open_problem* ); ///< the least is looked at first
	bool raise; ///< branch on the face that raises the least lower bound most, not on one at random
} bvb_branch_and_bound_how;

/// lower, estimate, potential, each with a random face first and then with the one that raises the bound.
extern const bvb_branch_and_bound_how bvb_branch_and_bound_hows[6];

enum
{
	bvb_branch_and_bound_most = 16, ///< no larger set is searched, whatever its volumes
};

/// @return up to how many faces of such a build a set is searched; larger ones are divided by the heuristic alone
uint32_t bvb_branch_and_bound_faces( const bvb_build* build );

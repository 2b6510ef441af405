// Settings and limits of branch and bound: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.1. See
// split_branch_and_bound.c, which says what the orders are.

#pragma once

#include "hierarchy/split.h"

/// Which open problem is looked at next.
typedef enum bvb_branch_and_bound_order
{
	bvb_order_lower,    ///< that with the least lower bound
	bvb_order_estimate, ///< that with the least estimate of the optimum
	bvb_order_gain,     ///< that which may gain most
} bvb_branch_and_bound_order;

/// A row's settings.
typedef struct bvb_branch_and_bound_how
{
	bvb_branch_and_bound_order order; ///< of open problems
	bool at_random; ///< branch on any face, not on the one that raises the least lower bound most
} bvb_branch_and_bound_how;

enum
{
	bvb_branch_and_bound_most = 16, ///< no larger set is searched, whatever its volumes
};

/// @return up to how many faces of such a build a set is searched; larger ones are divided by the heuristic alone
uint32_t bvb_branch_and_bound_faces( const bvb_build* build );

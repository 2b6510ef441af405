// Settings and limits of branch and bound: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section
// 3.7.1. See split_branch_and_bound.c, which says what the orders are.

#pragma once

#include "offline/hierarchy/split.h"

/// Which open problem is looked at next.
typedef enum bvlit_branch_and_bound_order
{
	bvlit_order_lower,    ///< that with the least lower bound
	bvlit_order_estimate, ///< that with the least estimate of the optimum
	bvlit_order_gain,     ///< that which may gain most
} bvlit_branch_and_bound_order;

/// A row's settings.
typedef struct bvlit_branch_and_bound_how
{
	bvlit_branch_and_bound_order order; ///< of open problems
	bool at_random; ///< branch on any face, not on the one that raises the least lower bound most
} bvlit_branch_and_bound_how;

/// By branch and bound.
/// @param how  a bvlit_branch_and_bound_how
bvhier_split_function bvlit_split_branch_and_bound;

enum
{
	bvlit_branch_and_bound_most = 16, ///< no larger set is searched, whatever its volumes
};

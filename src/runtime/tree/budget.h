// How long a search may run. The clock takes as long as a few tests, so that not every step looks at it.

#pragma once

#include "bv/base.h"

#include <stddef.h>

/// What is left of a budget.
typedef struct bvtree_budget
{
	const bv_budget* budget; ///< with a clock; else null
	uint64_t end;            ///< number of tests that ends the search
	uint64_t look;           ///< number of tests from which on the clock is looked at
} bvtree_budget;

enum
{
	bvtree_budget_tests = 16, ///< between two looks at the clock: about a microsecond
};

/// @param budget  null for no limit
/// @param tests   that the search has taken before
static inline bvtree_budget bvtree_budget_begin( const bv_budget* budget, uint64_t tests )
{
	uint64_t most = budget && budget->tests > 0 ? budget->tests : UINT64_MAX;
	bool has_clock = budget && budget->now;
	return ( bvtree_budget ){
		.budget = has_clock ? budget : NULL,
		.end = most < UINT64_MAX - tests ? tests + most : UINT64_MAX,
		.look = has_clock ? tests : UINT64_MAX,
	};
}

/// @param tests  that the search has taken
/// @return whether it may take another step
static inline bool bvtree_budget_allows( bvtree_budget* b, uint64_t tests )
{
	if ( tests >= b->end )
	{
		return false;
	}
	if ( tests >= b->look )
	{
		b->look = tests + bvtree_budget_tests;
		return b->budget->now( b->budget->context ) < b->budget->until;
	}
	return true;
}

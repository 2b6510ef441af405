// How long a search may run. The clock takes as long as a test, so that not every step looks at it.
//
// A step takes some tenths of a microsecond, or a few if nothing of its nodes is in the cache. The search ends if another step that is as
// long as the longest one so far would end too late.

#pragma once

#include "bv/base.h"

#include <stdbool.h>
#include <stddef.h>

/// What is left of a budget.
typedef struct bvtree_budget
{
	const bv_budget* budget; ///< with a clock; else null
	uint64_t end;            ///< number of tests that ends the search
	uint64_t look;           ///< number of tests that calls for a look at both: no greater than the end
	double before;           ///< time of the last look
	double longest;          ///< time between two looks
	bool has_looked;         ///< `before` is set
} bvtree_budget;

enum
{
	bvtree_budget_tests = 8, ///< between two looks at the clock: some tenths of a microsecond to one
};

/// @param budget  null for no limit
/// @param tests   that the search has taken before
/// @param end     number of tests that ends the search in any case
static inline bvtree_budget bvtree_budget_begin( const bv_budget* budget, uint64_t tests, uint64_t end )
{
	if ( budget && budget->tests > 0 && end > tests && budget->tests < end - tests )
	{
		end = tests + budget->tests;
	}
	bool has_clock = budget && budget->now;
	return ( bvtree_budget ){
		.budget = has_clock ? budget : NULL,
		.end = end,
		.look = has_clock ? 0 : end,
	};
}

/// @return whether the search may take another step, where its tests call for a look
static inline bool bvtree_budget_look( bvtree_budget* b, uint64_t tests )
{
	if ( tests >= b->end )
	{
		return false;
	}
	double now = b->budget->now( b->budget->context );
	double since = b->has_looked ? now - b->before : 0;
	b->longest = since > b->longest ? since : b->longest;
	b->before = now;
	b->has_looked = true;
	b->look = b->end - tests > bvtree_budget_tests ? tests + bvtree_budget_tests : b->end;
	return now < b->budget->until && now + b->longest <= b->budget->until;
}

/// @param tests  that the search has taken
/// @return whether it may take another step
static inline bool bvtree_budget_allows( bvtree_budget* b, uint64_t tests )
{
	return tests < b->look || bvtree_budget_look( b, tests );
}

/// Looks at the clock before the next step, because the last one took as long as many tests.
static inline void bvtree_budget_look_next( bvtree_budget* b )
{
	b->look = b->budget ? 0 : b->look;
}

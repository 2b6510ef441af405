// The best of what a search has found so far. Of equal ones it is the triangle with the least index, so that
// results do not depend on the order of the search.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// @param value, triangle            of what was found now; the least value is the best
/// @param best_value, best_triangle  of the best so far
/// @return whether it takes the place of the best
static inline bool bvtree_takes_best( double value, uint32_t triangle, double best_value,
                                      uint32_t best_triangle )
{
	return value < best_value || ( value == best_value && triangle < best_triangle );
}

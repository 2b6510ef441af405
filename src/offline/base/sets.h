// Disjoint sets as a forest with path halving (Tarjan, van Leeuwen 1984). The root of each set is its
// smallest member, so it does not depend on the order in which sets were joined.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// @param parent  of each member, a lesser one of the same set, or itself
/// @return the least member of the set that `member` is in
static inline uint32_t bvbase_set_of( uint32_t* parent, uint32_t member )
{
	while ( parent[member] != member )
	{
		parent[member] = parent[parent[member]];
		member = parent[member];
	}
	return member;
}

/// Makes one set of those that `a` and `b` are in.
/// @return false if they were in one already
static inline bool bvbase_join_sets( uint32_t* parent, uint32_t a, uint32_t b )
{
	a = bvbase_set_of( parent, a );
	b = bvbase_set_of( parent, b );
	parent[a > b ? a : b] = a > b ? b : a;
	return a != b;
}

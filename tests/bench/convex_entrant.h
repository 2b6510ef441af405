// What takes part in bench_convex: one way to ask one library about a pair of convex shapes. In C++.

#pragma once

#include "tests/bench/convex_scene.h"

enum convex_query
{
	query_distance, // 0 if they overlap
	query_depth,    // below 0 if they do not overlap
	query_overlap,  // 1 or 0
	queries,
};

static const char* const query_names[queries] = { "distance", "depth", "overlap" };

struct convex_entrant
{
	const char* library;
	const char* name;
	convex_query query;
	bool keeps; // something from one frame to the next

	convex_entrant( const char* of, const char* by, convex_query what, bool has_cache )
		: library( of ), name( by ), query( what ), keeps( has_cache )
	{
	}
	convex_entrant( const convex_entrant& ) = delete;
	virtual ~convex_entrant() = default;

	virtual bool can( const convex_scene& ) const
	{
		return true;
	}

	// Makes shapes and transforms, which does not count.
	virtual void load( const convex_scene& scene ) = 0;

	// @param coherent  the question before, about this pair, was about the pose before
	// @return NaN for a failure
	virtual double ask( size_t pair, size_t pose, bool coherent ) = 0;
};

// Local searches from several starts: the best starts are descended from, and then once more from the best
// result.

#pragma once

#include <stddef.h>

/// What is searched. A solution begins with its cost, a double.
typedef struct bvfit_multi_start
{
	size_t size; ///< of a solution, bytes
	int count;   ///< of starts, at least bvfit_best_starts

	/// Makes the start of an index.
	void ( *start )( const void* context, int index, void* out );

	/// Descends as far as each of the best starts does. Never worse.
	void ( *descend )( const void* context, const void* from, void* out );

	/// Descends from the best result. Never worse.
	void ( *finish )( const void* context, const void* from, void* out );
} bvfit_multi_start;

enum
{
	bvfit_best_starts = 3, ///< from which the search descends
};

/// @param work  room for `count + 1` solutions
/// @param best  receives the best solution; of equal ones the first that was found
void bvfit_search_from_starts( const bvfit_multi_start* search, const void* context, void* work, void* best );

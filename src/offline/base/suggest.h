// Suggestions for misspelled names: the known name at the smallest edit distance.

#pragma once

#include <stddef.h>

/// A search for the known name that is nearest to what was typed.
typedef struct bvbase_suggestion
{
	const char* typed;   ///< need not end with a zero
	size_t length;       ///< of typed
	const char* nearest; ///< best candidate so far; null for none
	unsigned distance;   ///< its edit distance
} bvbase_suggestion;

/// @return a search without candidates
bvbase_suggestion bvbase_suggestion_for( const char* typed, size_t length );

/// Considers one known name. It must outlive the search.
void bvbase_suggest( bvbase_suggestion* s, const char* known );

/// @return the nearest name, or null when none is near enough to be meant
const char* bvbase_get_suggestion( const bvbase_suggestion* s );

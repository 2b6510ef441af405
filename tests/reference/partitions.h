// The best division of a few things into parts, by trying all there are.
//
// Shares nothing with src. Divisions are restricted growth strings in lexicographic order: the first thing has number 0,
// each other one a number that is at most one above all before it.

#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum
{
	partitions_most = 16, ///< things at most
};

/// Looks at one division.
/// @param part   by thing, the number of its part; 0 .. parts - 1 all occur
/// @param parts  how many there are
typedef void partitions_visit( void* context, const uint8_t* part, uint32_t parts );

/// Visits each division of `count` things into `fewest` to `most` parts once.
/// @param count  1 .. partitions_most
void partitions_each( uint32_t count, uint32_t fewest, uint32_t most, partitions_visit* visit,
                      void* context );

#ifdef __cplusplus
}
#endif

// The algorithm of S. Stratbuecker, "Collision detection in large particle systems", 2003, as printed. It misses pairs: a particle looks into the
// cells that its disc reaches, among particles that come later along the axis. Where only the disc of the later one reaches the cell of
// the earlier one, the pair is not seen.

#pragma once

#include <stdint.h>

/// Particles, and what was counted. Arrays are the caller's.
typedef struct stratbuecker
{
	const double* at;    ///< x, y, z of each
	const double* radii; ///< of each
	uint32_t count;
	double cell; ///< length of a side of the grid's cells; twice the greatest radius in the source

	uint32_t* order; ///< the list: a permutation, which is sorted and remains for the next step

	uint64_t* pairs; ///< receives the smaller number * 2^32 + the greater one of each overlapping pair found
	uint64_t most;   ///< length of that array; pairs beyond are only counted
	uint64_t found;  ///< pairs; two passes can find a pair twice
	uint64_t tests;  ///< of whether two balls overlap
	uint64_t comparisons; ///< all: those of sorting, of ends along the axis, and `tests`
	uint32_t depth;       ///< of the sort, R_sort
} stratbuecker;

/// Sorts the list by lower ends along x (section 4.1).
void stratbuecker_sort( stratbuecker* s );

/// Enters the particles into the grid and looks for pairs (sections 4.2, 4.3), added to those found. After stratbuecker_sort.
/// @param shift  of the grid along y and z; half a cell in every second pass (section 5)
void stratbuecker_pass( stratbuecker* s, double shift );

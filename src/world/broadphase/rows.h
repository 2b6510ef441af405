// What sorting into rows needs: the boxes of an update, in the order of their rows. See rows.c.
//
// Work is divided into shares, one for each thread. Nothing depends on how many there are.

#pragma once

#include "world/broadphase/phase.h"

enum
{
	bvwphase_row_levels = 16,
	bvwphase_row_lanes = 4,  ///< boxes that are compared at a time
	bvwphase_row_behind = 8, ///< boxes behind the last one, which touch nothing

	// Bits of numbers of boxes, beside the number of the object.
	bvwphase_row_number = ( 1 << 24 ) - 1,
	bvwphase_row_changed = 1 << 24, ///< the object is in the list of changed ones
	bvwphase_row_plain = 1 << 25,   ///< it makes pairs with all other such objects
	bvwphase_row_exact = 1 << 26,   ///< its bounds are binary32 numbers

	// Which neighbors of its row a box can meet. Bits from this one on: those whose cell along the second axis is lower, those whose
	// cell along it is higher, those whose cell along the third axis is lower.
	bvwphase_row_sides_shift = 27,
	bvwphase_row_lower_y = 1,
	bvwphase_row_higher_y = 2,
	bvwphase_row_lower_z = 4,
};

/// A box as binary32, rounded outward. The first axis is the one along rows.
typedef struct bvwphase_row_entry
{
	float lower[3];
	uint32_t number; ///< with bits
	float upper[3];
	float longest; ///< side
} bvwphase_row_entry;

/// A box while boxes are sorted: by rows, then by x.
typedef struct bvwphase_row_record
{
	uint64_t
		row; ///< and behind it, in some bits, the part of the first axis that x is in; parts are equally long
	uint32_t x; ///< in the order of lower bounds along the first axis
	uint32_t number;
} bvwphase_row_record;

/// A row: the boxes of a level whose lower corners are in the same cell along the second and third axis.
typedef struct bvwphase_row
{
	int32_t y;
	int32_t z;
	uint32_t first; ///< box; those of the row end where the next row begins
} bvwphase_row;

/// Boxes that are about equally long, sorted by z, by y, then by lower bounds along the first axis.
typedef struct bvwphase_row_level
{
	double size;              ///< of cells
	double cells_per_unit[2]; ///< along the second and third axis; 0: all boxes are in cell 0
	double reach[2];          ///< at least the longest side of a box along these axes, in cells
	float longest;            ///< at least the longest of the boxes along the first axis
	uint32_t first;           ///< box
	uint32_t count;           ///< boxes
	const bvwphase_row* rows; ///< `row_count` of them, and one behind the last
	uint32_t row_count;
	bool has_changed; ///< one of the boxes is that of a changed object
} bvwphase_row_level;

/// All boxes.
typedef struct bvwphase_row_boxes
{
	bvwphase_row_level level[bvwphase_row_levels]; ///< from the largest boxes to the smallest ones
	uint32_t levels;
	uint32_t count;           ///< of all levels
	float* lower[3];          ///< of each box, in the order of levels
	float* upper[3];          ///< likewise
	uint32_t* number;         ///< likewise, with bits
	const uint32_t* infinite; ///< numbers of objects that are in no level
	uint32_t infinite_count;
} bvwphase_row_boxes;

/// @return the cell of a coordinate, which can be infinite. It never decreases with it, however it is rounded
static inline int32_t bvwphase_row_cell( double x, double cells_per_unit )
{
	const double most = 1 << 28;
	double q = cells_per_unit > 0 ? x * cells_per_unit : 0;
	q = q > -most ? q : -most;
	q = q < most ? q : most;
	// Positive numbers are rounded down by the conversion.
	return (int32_t)( q + most ) - ( 1 << 28 );
}

/// Sorts records by rows, then by x. The order does not depend on the number of shares.
/// @param records  for each share, records from `first[share]` on
/// @param counts   records of each share
/// @param room     as long as `records`
/// @param places   bvwphase_digits numbers for each share, all 0; they are again at the end
/// @param bits     of rows and parts
/// @return the sorted array: one of the two
const bvwphase_row_record* bvwphase_row_sort( const bvwteam_team* team, bvwphase_row_record* records,
                                              const uint32_t* first, const uint32_t* counts,
                                              bvwphase_row_record* room, uint32_t* places, uint32_t bits );

/// Reports the pairs of changed objects that touch.
/// @return false if bvwphase_report did
bool bvwphase_row_sweep( bvw_broadphase* world, const bvwteam_team* team, const bvwphase_row_boxes* boxes );

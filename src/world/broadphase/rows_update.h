// What rows need during an update: see rows.c.

#pragma once

#include "world/broadphase/rows.h"

enum
{
	bvwphase_row_exponents = 256, ///< of binary32
	bvwphase_row_samples = 64,    ///< objects of which it is estimated how all are spread
};

/// A box along an axis.
typedef struct bvwphase_row_interval
{
	double lower;
	double upper;
	uint32_t number; ///< of the object
} bvwphase_row_interval;

/// Some objects that are not infinite along an axis, sorted by their lower bounds.
typedef struct bvwphase_row_sample
{
	bvwphase_row_interval of[bvwphase_row_samples];
	uint32_t count;
	uint32_t infinite; ///< others
} bvwphase_row_sample;

/// The boxes whose longest side has an exponent.
typedef struct bvwphase_row_exponent
{
	uint32_t count;
	float longest;
} bvwphase_row_exponent;

/// The boxes of a level.
typedef struct bvwphase_row_use
{
	uint32_t count;
	float longest; ///< along the first axis, rounded to the nearest
	int32_t least[2];
	int32_t most[2]; ///< cells
	uint32_t has_changed;
	uint32_t unused;
} bvwphase_row_use;

/// What a share has seen.
typedef struct bvwphase_row_share
{
	bvwphase_row_exponent exponent[bvwphase_row_exponents];
	bvwphase_row_use level[bvwphase_row_levels];
	uint32_t infinite_count;
	uint32_t record_count;
} bvwphase_row_share;

/// An update.
typedef struct bvwphase_row_update
{
	const bvw_broadphase* world;
	const bvwteam_team* team;
	bvwphase_row_boxes boxes;
	bvwphase_row_entry* by_number;
	bvwphase_row_record* records;
	bvwphase_row_share* shares;
	uint32_t* infinite;
	uint8_t* level;  ///< of each number
	int axes[3];     ///< the first one is along rows
	bool is_flat[3]; ///< along these axes: cells do not divide it
	uint8_t level_of[bvwphase_row_exponents];
	bvwphase_row_use use[bvwphase_row_levels];
	uint64_t rows_before[bvwphase_row_levels]; ///< of the levels before
	double first_part;                         ///< where the first one begins, along rows
	double parts_per_unit;
	uint32_t part_bits;
	uint32_t key_bits; ///< of rows and parts
	const bvwphase_row_record* sorted;
} bvwphase_row_update;

/// @return the first of the numbers that a share looks at
static inline uint32_t bvwphase_row_first_number( const bvwphase_row_update* u, uint32_t share )
{
	return bvwteam_share( u->world->highest, u->team->workers, share );
}

/// @return how many rows are side by side along the second axis
static inline uint64_t bvwphase_row_layer( const bvwphase_row_use* l )
{
	return (uint64_t)( 1 + (int64_t)l->most[0] - l->least[0] );
}

/// Takes a sample of the objects.
bvwphase_row_sample bvwphase_row_sample_of( const bvw_broadphase* world, int axis );

/// @return how far apart the middle half of a sample is: a few objects that are far away do not matter. Below 0 if most are infinite
double bvwphase_row_spread( const bvwphase_row_sample* s );

/// @param count  of all objects
/// @return about how many boxes each one is compared with if all are in one row
double bvwphase_row_tests( const bvwphase_row_sample* s, uint32_t count );

/// Copies all boxes and puts them into one row, or into the rows of levels: writes records and lists of boxes that are in no level, for
/// each share, and how many there are of each level.
/// @param sample  along the first axis
/// @param spread  along the axes of the world
void bvwphase_row_make_one( bvwphase_row_update* u, const bvwphase_row_sample* sample );
void bvwphase_row_make_levels( bvwphase_row_update* u, const bvwphase_row_sample* sample,
                               const double spread[3] );

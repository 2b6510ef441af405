// Particles sorted into cells that are at least as wide as the reach, so that neighbors are in cells that are next to each other.
//
// Coordinates of a cell are whole numbers. Up to 2^40 cells from the origin they count cells; farther away cells are twice as wide, and beyond
// 2^52 every second binary64 number begins one. So they exist for all positions, and those of particles within the
// reach differ by at most 1. Cells come in the order of x, then y, then z; only cells that are not empty take memory.
//
// Each particle also has coordinates in fine units, 1/8192 of the reach, modulo 2^16: enough for differences within neighboring cells.

#pragma once

#include "world/particles/job.h"

/// How positions become cells and fine units.
typedef struct bvwnear_frame
{
	double lower[3];   ///< where coordinates begin; 0 along axes without a period
	double cell[3];    ///< cells per world unit
	double fine;       ///< fine units per world unit
	int64_t cells[3];  ///< along a period: 1 or at least 3; 0 without
	int64_t period[3]; ///< in fine units
	double error;      ///< a distance in fine units that is computed from fine coordinates errs by less
	int64_t least[3];  ///< cells of all particles
	int64_t extent[3]; ///< number of cells from the first to the last one
	double
		numbers; ///< the product of the three, rounded: cells are numbered if it is below bvwnear_most_numbers
} bvwnear_frame;

/// Coordinates of a cell.
typedef struct bvwnear_place
{
	int64_t at[3];
} bvwnear_place;

/// A set of particles, sorted.
typedef struct bvwnear_cells
{
	const bvw_particles* set;
	const bvwnear_frame* frame;
	uint32_t* number; ///< of particles, sorted by cell; those of a cell ascend
	uint32_t* start;  ///< of each cell, and behind the last one
	uint64_t* key;    ///< number of each cell, if they are numbered and there is memory; otherwise null
	uint32_t*
		first; ///< of each number, and behind: the first cell that is not before it; null where there is no memory
	uint32_t count;    ///< of cells
	uint16_t* fine[3]; ///< of particles; null of particles that get lists, if those are another set
	uint8_t* radius;   ///< in units of bvwnear_coarse fine units, rounded up; null without radii
} bvwnear_cells;

enum
{
	bvwnear_fine = 8192, ///< fine units in a cell
	bvwnear_coarse = 40, ///< fine units in a stored radius, so that the greatest one takes 8 bits
};

/// Of cells from the first to the last one.
static const double bvwnear_most_numbers = 0x1p62;

/// Beyond, fine units have no meaning.
static const int64_t bvwnear_far = INT64_C( 1 ) << 40;

/// Chooses cells for the positions and the reach of a call.
void bvwnear_make_frame( const bvwnear_job* job, bvwnear_frame* out );

/// @return the coordinate of the cell of x along an axis
int64_t bvwnear_cell_along( const bvwnear_frame* frame, int axis, double x );

/// @return x in fine units, modulo 2^16
uint16_t bvwnear_fine_along( const bvwnear_frame* frame, int axis, double x );

/// @return memory of bvwnear_make_cells, bytes, a multiple of 8
/// @param has_room   an array of `count` numbers of 64 bits is given
/// @param has_fine   with fine coordinates
uint64_t bvwnear_cells_bytes( uint32_t count, bool has_room, bool has_fine );

/// Sorts a set.
/// @param memory  8-byte aligned
/// @param room    8-byte aligned array of as many numbers as there are particles; null if the caller has no such array
void bvwnear_make_cells( const bvw_particles* set, const bvwnear_frame* frame, char* memory, uint64_t* room,
                         bool has_fine, bvwnear_cells* out );

/// @return the coordinates of a cell
bvwnear_place bvwnear_place_of( const bvwnear_cells* cells, uint32_t cell );

/// The number of a cell, from 0. Those of cells with ascending last coordinates follow each other.
static inline uint64_t bvwnear_key( const bvwnear_frame* f, const bvwnear_place* place )
{
	int64_t x = place->at[0] - f->least[0];
	int64_t y = place->at[1] - f->least[1];
	int64_t z = place->at[2] - f->least[2];
	return (uint64_t)( ( x * f->extent[1] + y ) * f->extent[2] + z );
}

/// @param from  where to begin: best a cell shortly before
/// @param key   of the place; ignored of cells without keys
/// @return the first cell that is not before a place; cells->count if all are
uint32_t bvwnear_seek( const bvwnear_cells* cells, uint32_t from, const bvwnear_place* place, uint64_t key );

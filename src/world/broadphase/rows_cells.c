// How boxes are put into rows.
//
// Boxes that are about equally long make a level, which has cells of its own. A box is in the row of the cell of its lower corner. The
// first axis is divided into parts, by which boxes are sorted together with rows.
//
// Cells. Let c( x ) be the cell of a coordinate. c never decreases. A box is put into a level only if c( u ) - c( l ) <= 1 for its bounds
// l and u along both axes. If it touches an interval [a, b], then l <= b, so c( l ) <= c( b ); and u >= a, so
// c( l ) >= c( u ) - 1 >= c( a ) - 1. Hence two boxes of a level that touch are in the same row or in neighbors.
//
// Based on: M. Overmars, "Point location in fat subdivisions", 1992 (grids by size).

#include "world/broadphase/rows_update.h"

#include "world/broadphase/order.h"

#include "runtime/math/round.h"

#include <math.h>
#include <string.h>

enum
{
	in_no_level = 255,
	level_ratio = 2, // boxes of a level are up to 2^2 times as long as the shortest ones of it
	per_row = 80,    // boxes, on average, at least, if cells are not longer
	most_boxes = 3,  // than so many boxes: what is spread widely can be in clusters

	// Bits of parts: there are about twice as many parts of all rows as there are boxes, and at least so many of each row.
	more_part_bits = 1,
	least_part_bits = 6,
};

// More than the errors of coordinates in cells.
static const double rounding = 0x1p-12;

typedef bvwphase_row_update row_update;
typedef bvwphase_row_entry row_entry;
typedef bvwphase_row_level row_level;
typedef bvwphase_row_record row_record;
typedef bvwphase_row_share row_share;
typedef bvwphase_row_use row_use;

static uint32_t bits_of( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	return bits;
}

static uint32_t bits_of_object( const bvwphase_object* o )
{
	bool is_plain = o->mask == UINT64_MAX && o->group == 0;
	return ( is_plain ? bvwphase_row_plain : 0u ) |
	       ( o->state & bvwphase_is_changed ? bvwphase_row_changed : 0u );
}

static void copy_box( const row_update* u, const bvwphase_object* o, uint32_t number, row_entry* out )
{
	double bounds[6];
	memcpy( bounds, &o->box, sizeof bounds );
	float rounded[6];
	bool is_exact = bvmath_round_outward( bounds, rounded );
	for ( int k = 0; k < 3; ++k )
	{
		out->lower[k] = rounded[u->axes[k]];
		out->upper[k] = rounded[3 + u->axes[k]];
	}
	out->longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		float side = u->is_flat[k] ? 0 : out->upper[k] - out->lower[k];
		out->longest = side > out->longest ? side : out->longest;
	}
	out->number = number | bits_of_object( o ) | ( is_exact ? bvwphase_row_exact : 0u );
}

// Lists an object that is in no level.
static void add_infinite( row_update* u, uint32_t share, uint32_t number )
{
	u->level[number] = in_no_level;
	u->infinite[bvwphase_row_first_number( u, share ) + u->shares[share].infinite_count++] = number;
}

// Copies the boxes of a share, and counts those of each exponent.
static void copy_boxes( void* data, uint32_t share )
{
	row_update* u = data;
	const bvwphase_object* objects = bvwphase_objects( u->world );
	row_share* s = u->shares + share;
	uint32_t end = bvwphase_row_first_number( u, share + 1 );
	for ( uint32_t i = bvwphase_row_first_number( u, share ); i < end; ++i )
	{
		u->level[i] = in_no_level;
		if ( !( objects[i].state & bvwphase_is_live ) )
		{
			continue;
		}
		copy_box( u, objects + i, i, u->by_number + i );
		float longest = u->by_number[i].longest;
		uint32_t exponent = bits_of( longest ) >> 23;
		if ( exponent == in_no_level )
		{
			add_infinite( u, share, i );
			continue;
		}
		bvwphase_row_exponent* use = s->exponent + exponent;
		++use->count;
		use->longest = longest > use->longest ? longest : use->longest;
		u->level[i] = (uint8_t)exponent;
	}
}

// @return the length of cells, of which a row has some boxes on average
static double least_cell( const row_update* u, const double spread[3], uint32_t count )
{
	// The whole is about twice as wide as its middle half.
	double y = 2 * spread[u->axes[1]];
	double z = 2 * spread[u->axes[2]];
	double boxes = count > 0 ? (double)per_row / count : 0;
	double cell = u->is_flat[1] ? z * boxes : u->is_flat[2] ? y * boxes : sqrt( y * z * boxes );
	return cell < INFINITY ? cell : 0;
}

// Makes levels of exponents, from the greatest one. Cells that are smaller than a length are of no use, because few boxes would be in a
// row.
static void make_levels( row_update* u, const double spread[3] )
{
	bvwphase_row_exponent uses[bvwphase_row_exponents];
	uint32_t count = 0;
	memset( uses, 0, sizeof uses );
	for ( uint32_t share = 0; share < u->team->workers; ++share )
	{
		for ( int e = 0; e < bvwphase_row_exponents; ++e )
		{
			const bvwphase_row_exponent* of_share = u->shares[share].exponent + e;
			uses[e].count += of_share->count;
			uses[e].longest = of_share->longest > uses[e].longest ? of_share->longest : uses[e].longest;
			count += of_share->count;
		}
	}
	double least = least_cell( u, spread, count );
	bvwphase_row_boxes* boxes = &u->boxes;
	int top = bvwphase_row_exponents;
	bool is_fine = false;
	for ( int e = bvwphase_row_exponents - 1; e >= 0; --e )
	{
		bool is_next = top - e >= level_ratio && boxes->levels < bvwphase_row_levels && !is_fine;
		if ( uses[e].count > 0 && ( boxes->levels == 0 || is_next ) )
		{
			// Longer than the box by more than rounding, so that it is in two cells at most.
			double size = uses[e].longest * 1.001;
			double most = uses[e].longest > 0 ? most_boxes * size : INFINITY;
			is_fine = size <= least;
			size = !is_fine ? size : least < most ? least : most;
			size = size > 0x1p-140 ? size : 0x1p-140;
			row_level* l = boxes->level + boxes->levels;
			l->cells_per_unit[0] = u->is_flat[1] ? 0 : 1 / size;
			l->cells_per_unit[1] = u->is_flat[2] ? 0 : 1 / size;
			l->reach[0] = uses[e].longest * l->cells_per_unit[0] + rounding;
			l->reach[1] = uses[e].longest * l->cells_per_unit[1] + rounding;
			boxes->level[boxes->levels++].size = size;
			top = e;
		}
		u->level_of[e] = (uint8_t)( boxes->levels > 0 ? boxes->levels - 1 : 0 );
	}
}

// Unsigned numbers in the order of the binary32 ones.
static uint32_t key_of( float x )
{
	uint32_t bits = bits_of( x );
	return bits & UINT32_C( 0x80000000 ) ? ~bits : bits | UINT32_C( 0x80000000 );
}

static float float_of( uint32_t key )
{
	uint32_t bits = key & UINT32_C( 0x80000000 ) ? key & ~UINT32_C( 0x80000000 ) : ~key;
	float x;
	memcpy( &x, &bits, sizeof x );
	return x;
}

static void add_to_level( row_use* l, const row_entry* e, const int32_t cell[2] )
{
	for ( int k = 0; k < 2; ++k )
	{
		l->least[k] = l->count == 0 || cell[k] < l->least[k] ? cell[k] : l->least[k];
		l->most[k] = l->count == 0 || cell[k] > l->most[k] ? cell[k] : l->most[k];
	}
	++l->count;
	l->has_changed |= e->number & bvwphase_row_changed;
	float length = e->upper[0] - e->lower[0];
	l->longest = length > l->longest ? length : l->longest;
}

// A box in a cell along an axis, or in a cell and the next one.
typedef struct row_place
{
	int32_t cell; // of its lower bound
	// 0 or 1
	uint32_t fits;
	uint32_t reaches_lower; // boxes of the cell before can touch it
	uint32_t reaches_higher;
} row_place;

// Coordinates in cells have errors of less than `rounding` as near to the origin as this.
static const int32_t near = 1 << 26;

static inline row_place place_in_cells( float lower, float upper, double cells_per_unit, double reach )
{
	if ( cells_per_unit == 0 )
	{
		return ( row_place ){ .cell = 0, .fits = 1 };
	}
	row_place p;
	p.cell = bvwphase_row_cell( lower, cells_per_unit );
	double from = lower * cells_per_unit - p.cell;
	double to = upper * cells_per_unit - p.cell;
	// No branches: they would be hard to predict.
	uint32_t is_near = ( p.cell > -near ) & ( p.cell < near );
	p.reaches_lower = ( is_near ^ 1 ) | ( from <= reach );
	p.reaches_higher = ( is_near ^ 1 ) | ( to >= 1 - rounding );
	p.fits = is_near & ( to < 2 - rounding );
	return p;
}

// @param cell   receives those of the lower corner
// @param sides  receives bits of rows that the box reaches
// @return whether a box is in two cells at most along both axes
static bool fits_into_cells( const row_entry* e, const row_level* l, int32_t cell[2], uint32_t* sides )
{
	row_place y = place_in_cells( e->lower[1], e->upper[1], l->cells_per_unit[0], l->reach[0] );
	row_place z = place_in_cells( e->lower[2], e->upper[2], l->cells_per_unit[1], l->reach[1] );
	cell[0] = y.cell;
	cell[1] = z.cell;
	*sides = y.reaches_lower * bvwphase_row_lower_y | y.reaches_higher * bvwphase_row_higher_y |
	         z.reaches_lower * bvwphase_row_lower_z;
	return ( y.fits & z.fits ) != 0 ||
	       ( bvwphase_row_cell( e->upper[1], l->cells_per_unit[0] ) - y.cell <= 1 &&
	         bvwphase_row_cell( e->upper[2], l->cells_per_unit[1] ) - z.cell <= 1 );
}

// Puts each box of a share into the level of its exponent, or into a coarser one if it is in more than two cells there. Writes a record
// for each, with its cells instead of a row.
static void choose_levels( void* data, uint32_t share )
{
	row_update* u = data;
	row_share* s = u->shares + share;
	row_record* records = u->records + bvwphase_row_first_number( u, share );
	uint32_t end = bvwphase_row_first_number( u, share + 1 );
	for ( uint32_t i = bvwphase_row_first_number( u, share ); i < end; ++i )
	{
		if ( u->level[i] == in_no_level )
		{
			continue;
		}
		row_entry* e = u->by_number + i;
		uint32_t k = u->level_of[u->level[i]];
		int32_t cell[2];
		uint32_t sides;
		bool fits = fits_into_cells( e, u->boxes.level + k, cell, &sides );
		while ( !fits && k > 0 )
		{
			--k;
			fits = fits_into_cells( e, u->boxes.level + k, cell, &sides );
		}
		if ( !fits )
		{
			add_infinite( u, share, i );
			continue;
		}
		add_to_level( s->level + k, e, cell );
		e->number |= sides << bvwphase_row_sides_shift;
		u->level[i] = (uint8_t)k;
		uint64_t cells = (uint64_t)(uint32_t)cell[1] << 32 | (uint32_t)cell[0];
		records[s->record_count++] = ( row_record ){ cells, key_of( e->lower[0] ), i };
	}
}

static void join_levels( row_use* a, const row_use* b )
{
	for ( int k = 0; k < 2 && b->count > 0; ++k )
	{
		a->least[k] = a->count == 0 || b->least[k] < a->least[k] ? b->least[k] : a->least[k];
		a->most[k] = a->count == 0 || b->most[k] > a->most[k] ? b->most[k] : a->most[k];
	}
	a->count += b->count;
	a->has_changed |= b->has_changed;
	a->longest = b->longest > a->longest ? b->longest : a->longest;
}

// Adds up what the shares have seen.
// @return the number of rows that there can be
static uint64_t join_shares( row_update* u )
{
	uint64_t rows = 0;
	for ( uint32_t k = 0; k < u->boxes.levels; ++k )
	{
		row_use* l = u->use + k;
		for ( uint32_t share = 0; share < u->team->workers; ++share )
		{
			join_levels( l, u->shares[share].level + k );
		}
		u->boxes.level[k].count = l->count;
		// More than what rounding took from it.
		u->boxes.level[k].longest = bvmath_float_up( l->longest * ( 1 + 0x1p-22 ) );
		u->boxes.level[k].has_changed = l->has_changed != 0;
		u->boxes.level[k].first = u->boxes.count;
		u->boxes.count += l->count;
		u->rows_before[k] = rows;
		rows +=
			l->count > 0 ? bvwphase_row_layer( l ) * (uint64_t)( 1 + (int64_t)l->most[1] - l->least[1] ) : 0;
	}
	return rows;
}

static uint32_t bits_of_number( uint64_t number )
{
	uint32_t bits = 0;
	while ( bits < 64 && number >> bits != 0 )
	{
		++bits;
	}
	return bits;
}

// Chooses parts: so many that few boxes of a row are in the same one.
static void make_parts( row_update* u, const bvwphase_row_sample* s, uint32_t count, uint64_t rows )
{
	uint32_t row_bits = bits_of_number( rows > 0 ? rows - 1 : 0 );
	uint32_t enough = bits_of_number( count ) + more_part_bits;
	uint32_t wanted = row_bits + least_part_bits > enough ? row_bits + least_part_bits : enough;
	uint32_t passes = ( wanted + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits;
	uint32_t most = passes * bvwphase_digit_bits < 63 ? passes * bvwphase_digit_bits : 63;
	u->part_bits = most - row_bits < 31 ? most - row_bits : 31;
	u->key_bits = row_bits + u->part_bits;
	// What is far from the middle half is in the first and the last part.
	double length = 0;
	if ( s->count > 0 )
	{
		double low = s->of[s->count / 4].lower;
		double high = s->of[s->count - 1 - s->count / 4].lower;
		double beside = 2 * ( high - low );
		double least = s->of[0].lower;
		double most_lower = s->of[s->count - 1].lower;
		double margin = ( most_lower - least ) / bvwphase_row_samples;
		low = low - beside > least - margin ? low - beside : least - margin;
		high = high + beside < most_lower + margin ? high + beside : most_lower + margin;
		u->first_part = low;
		length = high - low;
	}
	u->parts_per_unit = length > 0x1p-500 ? (double)( UINT32_C( 1 ) << u->part_bits ) / length : 0;
}

// @return the part of the first axis that a key is in; it never decreases with the key
static uint64_t part_of( const row_update* u, uint32_t key )
{
	double most = (double)( ( UINT32_C( 1 ) << u->part_bits ) - 1 );
	double part = ( (double)float_of( key ) - u->first_part ) * u->parts_per_unit;
	return (uint64_t)( part < 0 ? 0 : part > most ? most : part );
}

// Replaces the cells of a share's records by the number of the row, among those of all levels, and by the part.
static void number_rows( void* data, uint32_t share )
{
	row_update* u = data;
	row_record* records = u->records + bvwphase_row_first_number( u, share );
	for ( uint32_t i = 0; i < u->shares[share].record_count; ++i )
	{
		uint32_t k = u->level[records[i].number];
		const row_use* l = u->use + k;
		int64_t y = (int32_t)(uint32_t)records[i].row;
		int64_t z = (int32_t)(uint32_t)( records[i].row >> 32 );
		uint64_t row = u->rows_before[k] + (uint64_t)( z - l->least[1] ) * bvwphase_row_layer( l ) +
		               (uint64_t)( y - l->least[0] );
		records[i].row = row << u->part_bits | part_of( u, records[i].x );
	}
}

// Copies the boxes of a share, all of which are in one row.
static void copy_row( void* data, uint32_t share )
{
	row_update* u = data;
	const bvwphase_object* objects = bvwphase_objects( u->world );
	row_share* s = u->shares + share;
	row_record* records = u->records + bvwphase_row_first_number( u, share );
	uint32_t end = bvwphase_row_first_number( u, share + 1 );
	for ( uint32_t i = bvwphase_row_first_number( u, share ); i < end; ++i )
	{
		if ( !( objects[i].state & bvwphase_is_live ) )
		{
			continue;
		}
		row_entry* e = u->by_number + i;
		copy_box( u, objects + i, i, e );
		if ( !( e->longest < INFINITY ) )
		{
			add_infinite( u, share, i );
			continue;
		}
		uint32_t key = key_of( e->lower[0] );
		records[s->record_count++] = ( row_record ){ part_of( u, key ), key, i };
	}
	s->level[0].count = s->record_count;
}

void bvwphase_row_make_one( row_update* u, const bvwphase_row_sample* sample )
{
	u->boxes.levels = 1;
	u->boxes.level[0] = ( row_level ){ .size = 0 };
	make_parts( u, sample, u->world->live, 1 );
	bvwteam_run( u->team, copy_row, u );
	join_shares( u );
	u->boxes.level[0].has_changed = true;
}

void bvwphase_row_make_levels( row_update* u, const bvwphase_row_sample* sample, const double spread[3] )
{
	bvwteam_run( u->team, copy_boxes, u );
	make_levels( u, spread );
	bvwteam_run( u->team, choose_levels, u );
	uint64_t rows = join_shares( u );
	make_parts( u, sample, u->boxes.count, rows );
	bvwteam_run( u->team, number_rows, u );
}

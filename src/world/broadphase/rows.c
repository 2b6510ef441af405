// Sort into rows: at each update all boxes are sorted into rows of a grid of cells, and along each row; boxes of a row are compared with
// those of its neighbors that begin before they end (rows_sweep.c).
//
// Boxes that are about equally long make a level, which has cells of its own. The first axis is the one along which objects are
// spread most; cells divide the two others, but not an axis along which most boxes are infinite. A box is in the row of the cell of its
// lower corner. Boxes that are infinite otherwise are compared with all. If few boxes overlap along the first axis, there are no cells,
// and all boxes are in one row.
//
// Cells. Let c( x ) be the cell of a coordinate. c never decreases. A box is put into a level only if c( u ) - c( l ) <= 1 for its bounds
// l and u along both axes. If it touches an interval [a, b], then l <= b, so c( l ) <= c( b ); and u >= a, so
// c( l ) >= c( u ) - 1 >= c( a ) - 1. Hence two boxes of a level that touch are in the same row or in neighbors.
//
// Based on: D. Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992, section 7.1 (sweep along an axis); M. Overmars, "Point
// location in fat subdivisions", 1992 (grids by size).

#include "world/broadphase/rows.h"

#include "world/broadphase/order.h"
#include "world/broadphase/query.h"
#include "world/order/numbers.h"

#include "runtime/math/round.h"
#include "runtime/simd/bits.h"

#include <math.h>
#include <string.h>

enum
{
	exponents = 256, // of binary32
	in_no_level = 255,
	samples = 64,    // of which the spread of objects is estimated
	level_ratio = 2, // boxes of a level are up to 2^2 times as long as the shortest ones of it
	columns = 7,     // bounds and numbers
	ahead = 8,       // boxes whose memory is asked for early
	per_row = 80,    // boxes, on average, at least, if cells are not longer
	most_boxes = 3,  // than so many boxes: what is spread widely can be in clusters
	most_tests = 24, // of a box, on average, if there are no cells

	// Bits of parts: there are about twice as many parts of all rows as there are boxes, and at least so many of each row.
	more_part_bits = 1,
	least_part_bits = 6,
};

// More than the errors of coordinates in cells.
static const double rounding = 0x1p-12;

// The boxes whose longest side has an exponent.
typedef struct exponent_use
{
	uint32_t count;
	float longest;
} exponent_use;

// The boxes of a level.
typedef struct level_use
{
	uint32_t count;
	float longest; // along the first axis, rounded to the nearest
	int32_t least[2];
	int32_t most[2]; // cells
	uint32_t has_changed;
	uint32_t unused;
} level_use;

// What a share has seen.
typedef struct row_share
{
	exponent_use exponent[exponents];
	level_use level[bvwphase_row_levels];
	uint32_t infinite_count;
	uint32_t record_count;
} row_share;

// The arrays of the method's part of the block. Nothing of it remains between updates.
typedef enum row_array
{
	row_by_number, // bvwphase_row_entry for each number
	row_columns,   // float or uint32_t for each object and some behind it, `columns` times
	row_records,   // bvwphase_row_record for each object, twice
	row_rows,      // bvwphase_row for each object, and one behind the last of each level
	row_infinite,  // uint32_t for each object
	row_level,     // uint8_t for each number: the exponent, then the level of the object
	row_shares,    // row_share for each worker
	row_places,    // bvwphase_digits times uint32_t for each worker
	row_arrays,
} row_array;

static uint64_t length_of_column( const bvw_broadphase_options* options )
{
	return ( options->objects + (uint64_t)bvwphase_row_behind + 1 ) & ~(uint64_t)1;
}

static uint64_t bytes_of_array( const bvw_broadphase_options* options, row_array array )
{
	uint64_t objects = options->objects;
	switch ( array )
	{
	case row_by_number: return objects * sizeof( bvwphase_row_entry );
	case row_columns: return columns * length_of_column( options ) * sizeof( float );
	case row_records: return 2 * objects * sizeof( bvwphase_row_record );
	case row_rows: return bvwphase_aligned( ( objects + bvwphase_row_levels ) * sizeof( bvwphase_row ) );
	case row_infinite: return bvwphase_aligned( objects * sizeof( uint32_t ) );
	case row_level: return bvwphase_aligned( objects );
	case row_shares: return options->workers * (uint64_t)sizeof( row_share );
	case row_places: return options->workers * (uint64_t)bvwphase_digits * sizeof( uint32_t );
	default: return 0;
	}
}

// @return bytes before an array
static uint64_t offset_of( const bvw_broadphase_options* options, row_array array )
{
	uint64_t offset = 0;
	for ( int i = 0; i < (int)array; ++i )
	{
		offset += bytes_of_array( options, (row_array)i );
	}
	return offset;
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return offset_of( options, row_arrays );
}

static void* array_of( const bvw_broadphase* world, row_array array )
{
	return bvwphase_at( world, world->method_at + offset_of( &world->options, array ) );
}

// An interval along an axis.
typedef struct row_interval
{
	double lower;
	double upper;
} row_interval;

// An update.
typedef struct row_update
{
	const bvw_broadphase* world;
	const bvwphase_team* team;
	bvwphase_row_boxes boxes;
	bvwphase_row_entry* by_number;
	bvwphase_row_record* records;
	row_share* shares;
	uint32_t* infinite;
	uint8_t* level; // of each number
	int axes[3];    // the first one is along rows
	uint8_t level_of[exponents];
	bool is_flat[3]; // along the axes as those of rows: most boxes are infinite, and cells do not divide it
	level_use use[bvwphase_row_levels];
	uint64_t rows_before[bvwphase_row_levels]; // of the levels before
	const bvwphase_row_record* sorted;
	row_interval parts;    // what is divided into parts, along rows
	double parts_per_unit; // of it
	uint32_t part_bits;
	uint32_t key_bits; // of rows and parts
} row_update;

// The numbers that a share looks at.
static uint32_t first_number( const row_update* u, uint32_t share )
{
	return bvwphase_share( u->world->highest, u->team->workers, share );
}

static uint32_t bits_of( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	return bits;
}

static double component( const bv_vec3* v, int axis )
{
	return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// Some objects that are not infinite along an axis, sorted by their lower bounds.
typedef struct row_sample
{
	row_interval of[samples];
	uint32_t count;
	uint32_t infinite; // others
} row_sample;

static row_sample take_sample( const bvw_broadphase* world, int axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	row_sample s = { .count = 0 };
	// The numbers are not evenly spaced, because those of objects that are alike can be.
	uint32_t step = ( world->highest + samples - 1 ) / samples;
	uint32_t random = 1;
	for ( uint32_t from = 0; from < world->highest; from += step )
	{
		random = random * UINT32_C( 1664525 ) + UINT32_C( 1013904223 );
		uint32_t i = from + (uint32_t)( (uint64_t)random * step >> 32 );
		if ( i >= world->highest || !( objects[i].state & bvwphase_is_live ) )
		{
			continue;
		}
		double lower = component( &objects[i].box.lower, axis );
		double upper = component( &objects[i].box.upper, axis );
		if ( !( lower > -INFINITY && upper < INFINITY ) )
		{
			++s.infinite;
			continue;
		}
		uint32_t k = s.count++;
		for ( ; k > 0 && s.of[k - 1].lower > lower; --k )
		{
			s.of[k] = s.of[k - 1];
		}
		s.of[k] = ( row_interval ){ lower, upper };
	}
	return s;
}

// How far apart the middle half of a sample is: a few objects that are far away do not matter. Below 0 if most are infinite.
static double spread_of( const row_sample* s )
{
	double spread = s->count > 0 ? s->of[s->count - 1 - s->count / 4].lower - s->of[s->count / 4].lower : 0;
	return s->infinite > s->count ? -1 : spread;
}

// About how many boxes each one is compared with if all are in one row. Two pairs are added to those of the sample, which can have none
// by chance.
static double tests_in_one_row( const row_sample* s, uint32_t count )
{
	uint32_t pairs = 2;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t j = i + 1; j < s->count && s->of[j].lower <= s->of[i].upper; ++j )
		{
			++pairs;
		}
	}
	return (double)count * pairs / ( s->count * ( s->count + 1.0 ) );
}

static uint32_t bits_of_object( const bvwphase_object* o )
{
	bool is_plain = o->mask == UINT64_MAX && o->group == 0;
	return ( is_plain ? bvwphase_row_plain : 0u ) |
	       ( o->state & bvwphase_is_changed ? bvwphase_row_changed : 0u );
}

// @return whether the bounds are binary32 numbers
static inline bool copy_bounds( const double from[6], const int axes[3], bvwphase_row_entry* out )
{
	bool is_exact = true;
	for ( int k = 0; k < 3; ++k )
	{
		double lower = from[axes[k]];
		double upper = from[3 + axes[k]];
		out->lower[k] = (float)lower;
		out->upper[k] = (float)upper;
		is_exact = is_exact & ( (double)out->lower[k] == lower ) & ( (double)out->upper[k] == upper );
	}
	return is_exact;
}

static void copy_box( const row_update* u, const bvwphase_object* o, uint32_t number,
                      bvwphase_row_entry* out )
{
	const double bounds[6] = { o->box.lower.x, o->box.lower.y, o->box.lower.z,
		                       o->box.upper.x, o->box.upper.y, o->box.upper.z };
	bool is_exact = copy_bounds( bounds, u->axes, out );
	for ( int k = 0; k < 3 && !is_exact; ++k )
	{
		out->lower[k] = bvmath_float_down( bounds[u->axes[k]] );
		out->upper[k] = bvmath_float_up( bounds[3 + u->axes[k]] );
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
	u->infinite[first_number( u, share ) + u->shares[share].infinite_count++] = number;
}

// Copies the boxes of a share, and counts those of each exponent.
static void copy_boxes( void* data, uint32_t share )
{
	row_update* u = data;
	const bvwphase_object* objects = bvwphase_objects( u->world );
	row_share* s = u->shares + share;
	for ( uint32_t i = first_number( u, share ); i < first_number( u, share + 1 ); ++i )
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
		exponent_use* use = s->exponent + exponent;
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
	double cell = u->is_flat[1] && u->is_flat[2] ? 0
	              : u->is_flat[1]                ? z * boxes
	              : u->is_flat[2]                ? y * boxes
	                                             : sqrt( y * z * boxes );
	return cell < INFINITY ? cell : 0;
}

// Makes levels of exponents, from the greatest one. Cells that are smaller than a length are of no use, because few boxes would be in
// a row. Without cells there is one level.
static void make_levels( row_update* u, const double spread[3] )
{
	exponent_use uses[exponents];
	uint32_t count = 0;
	memset( uses, 0, sizeof uses );
	for ( uint32_t share = 0; share < u->team->workers; ++share )
	{
		for ( int e = 0; e < exponents; ++e )
		{
			const exponent_use* of_share = u->shares[share].exponent + e;
			uses[e].count += of_share->count;
			uses[e].longest = of_share->longest > uses[e].longest ? of_share->longest : uses[e].longest;
			count += of_share->count;
		}
	}
	double least = least_cell( u, spread, count );
	bvwphase_row_boxes* boxes = &u->boxes;
	int top = exponents;
	bool is_fine = u->is_flat[1] && u->is_flat[2];
	for ( int e = exponents - 1; e >= 0; --e )
	{
		bool is_next = top - e >= level_ratio && boxes->levels < bvwphase_row_levels && !is_fine;
		if ( uses[e].count > 0 && ( boxes->levels == 0 || is_next ) )
		{
			// Longer than the box by more than rounding, so that it is in two cells at most.
			double size = uses[e].longest * 1.001;
			double most = uses[e].longest > 0 ? most_boxes * size : INFINITY;
			is_fine = is_fine || size <= least;
			size = !is_fine ? size : least < most ? least : most;
			size = size > 0x1p-140 ? size : 0x1p-140;
			bvwphase_row_level* l = boxes->level + boxes->levels;
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

static void add_to_level( level_use* l, const bvwphase_row_entry* e, const int32_t cell[2] )
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
static bool fits_into_cells( const bvwphase_row_entry* e, const bvwphase_row_level* l, int32_t cell[2],
                             uint32_t* sides )
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
	bvwphase_row_record* records = u->records + first_number( u, share );
	for ( uint32_t i = first_number( u, share ); i < first_number( u, share + 1 ); ++i )
	{
		if ( u->level[i] == in_no_level )
		{
			continue;
		}
		bvwphase_row_entry* e = u->by_number + i;
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
		records[s->record_count++] = ( bvwphase_row_record ){ cells, key_of( e->lower[0] ), i };
	}
}

static void join_levels( level_use* a, const level_use* b )
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

static uint64_t rows_of_layer( const level_use* l )
{
	return (uint64_t)( 1 + (int64_t)l->most[0] - l->least[0] );
}

// Adds up what the shares have seen.
// @return the number of rows that there can be
static uint64_t join_shares( row_update* u )
{
	uint64_t rows = 0;
	for ( uint32_t k = 0; k < u->boxes.levels; ++k )
	{
		level_use* l = u->use + k;
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
		rows += l->count > 0 ? rows_of_layer( l ) * (uint64_t)( 1 + (int64_t)l->most[1] - l->least[1] ) : 0;
	}
	return rows;
}

// The objects that are in no level, sorted. Nothing remains of where the shares had them.
static void join_infinite( row_update* u )
{
	uint32_t count = 0;
	for ( uint32_t share = 0; share < u->team->workers; ++share )
	{
		uint32_t first = first_number( u, share );
		uint32_t of_share = u->shares[share].infinite_count;
		memmove( u->infinite + count, u->infinite + first, of_share * sizeof *u->infinite );
		count += of_share;
	}
	memset( u->infinite + count, 0, ( u->world->highest - count ) * sizeof *u->infinite );
	bvworder_sort_numbers( u->infinite, count );
	u->boxes.infinite = u->infinite;
	u->boxes.infinite_count = count;
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
static void make_parts( row_update* u, const row_sample* s, uint64_t rows )
{
	uint32_t row_bits = bits_of_number( rows );
	uint32_t enough = bits_of_number( u->boxes.count ) + more_part_bits;
	uint32_t wanted = row_bits + least_part_bits > enough ? row_bits + least_part_bits : enough;
	uint32_t passes = ( wanted + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits;
	uint32_t most = passes * bvwphase_digit_bits < 63 ? passes * bvwphase_digit_bits : 63;
	u->part_bits = most - row_bits < 31 ? most - row_bits : 31;
	u->key_bits = row_bits + u->part_bits;
	// What is far from the middle half is in the first and the last part.
	if ( s->count > 0 )
	{
		double low = s->of[s->count / 4].lower;
		double high = s->of[s->count - 1 - s->count / 4].lower;
		double beside = 2 * ( high - low );
		double margin = ( s->of[s->count - 1].lower - s->of[0].lower ) / samples;
		u->parts = ( row_interval ){ low - beside, high + beside };
		low = s->of[0].lower - margin;
		high = s->of[s->count - 1].lower + margin;
		u->parts.lower = low > u->parts.lower ? low : u->parts.lower;
		u->parts.upper = high < u->parts.upper ? high : u->parts.upper;
	}
	double length = u->parts.upper - u->parts.lower;
	u->parts_per_unit = length > 0x1p-500 ? (double)( UINT32_C( 1 ) << u->part_bits ) / length : 0;
}

// @return the part of the first axis that a key is in; it never decreases with the key
static uint64_t part_of( const row_update* u, uint32_t key )
{
	double most = (double)( ( UINT32_C( 1 ) << u->part_bits ) - 1 );
	double part = ( (double)float_of( key ) - u->parts.lower ) * u->parts_per_unit;
	return (uint64_t)( part < 0 ? 0 : part > most ? most : part );
}

// Replaces the cells of a share's records by the number of the row, among those of all levels, and by the part.
static void number_rows( void* data, uint32_t share )
{
	row_update* u = data;
	bvwphase_row_record* records = u->records + first_number( u, share );
	for ( uint32_t i = 0; i < u->shares[share].record_count; ++i )
	{
		uint32_t k = u->level[records[i].number];
		const level_use* l = u->use + k;
		int64_t y = (int32_t)(uint32_t)records[i].row;
		int64_t z = (int32_t)(uint32_t)( records[i].row >> 32 );
		uint64_t row = u->rows_before[k] + (uint64_t)( z - l->least[1] ) * rows_of_layer( l ) +
		               (uint64_t)( y - l->least[0] );
		records[i].row = row << u->part_bits | part_of( u, records[i].x );
	}
}

static void sort_records( row_update* u )
{
	uint32_t first[BVW_MAX_WORKERS];
	uint32_t counts[BVW_MAX_WORKERS];
	for ( uint32_t share = 0; share < u->team->workers; ++share )
	{
		first[share] = first_number( u, share );
		counts[share] = u->shares[share].record_count;
	}
	u->sorted = bvwphase_row_sort( u->team, u->records, first, counts, u->records + u->world->options.objects,
	                               array_of( u->world, row_places ), u->key_bits );
	// Nothing remains of where the shares had theirs.
	uint32_t sorted = u->sorted == u->records ? u->boxes.count : 0;
	memset( u->records + sorted, 0, ( u->world->highest - sorted ) * sizeof *u->records );
}

static void place_columns( row_update* u )
{
	uint64_t length = length_of_column( &u->world->options );
	float* first = array_of( u->world, row_columns );
	for ( int k = 0; k < 3; ++k )
	{
		u->boxes.lower[k] = first + (uint64_t)k * length;
		u->boxes.upper[k] = first + (uint64_t)( 3 + k ) * length;
		for ( uint32_t i = u->boxes.count; i < u->boxes.count + bvwphase_row_behind; ++i )
		{
			u->boxes.lower[k][i] = u->boxes.upper[k][i] = NAN;
		}
	}
	u->boxes.number = (uint32_t*)( first + 6 * length );
}

// Copies the boxes of a share in their order.
static void fill_columns( void* data, uint32_t share )
{
	row_update* u = data;
	bvwphase_row_boxes* b = &u->boxes;
	uint32_t end = bvwphase_share( b->count, u->team->workers, share + 1 );
	for ( uint32_t i = bvwphase_share( b->count, u->team->workers, share ); i < end; ++i )
	{
		const bvwphase_row_entry* e = u->by_number + u->sorted[i].number;
		bvsimd_prefetch( u->by_number + u->sorted[i + ahead < end ? i + ahead : i].number );
		for ( int k = 0; k < 3; ++k )
		{
			b->lower[k][i] = e->lower[k];
			b->upper[k][i] = e->upper[k];
		}
		b->number[i] = e->number;
	}
}

// Lists the rows of all levels.
static void list_rows( row_update* u )
{
	bvwphase_row* rows = array_of( u->world, row_rows );
	for ( uint32_t k = 0; k < u->boxes.levels; ++k )
	{
		bvwphase_row_level* l = u->boxes.level + k;
		uint32_t end = l->first + l->count;
		uint64_t length = rows_of_layer( u->use + k );
		l->rows = rows;
		for ( uint32_t i = l->first; i < end; ++i )
		{
			uint64_t row = u->sorted[i].row >> u->part_bits;
			if ( i == l->first || row != u->sorted[i - 1].row >> u->part_bits )
			{
				row -= u->rows_before[k];
				rows[l->row_count++] = ( bvwphase_row ){ u->use[k].least[0] + (int32_t)( row % length ),
					                                     u->use[k].least[1] + (int32_t)( row / length ), i };
			}
		}
		rows[l->row_count] = ( bvwphase_row ){ 0, 0, end };
		rows += l->row_count + 1;
	}
}

static bool find_on( bvw_broadphase* world, const bvwphase_team* team )
{
	if ( world->changed_count == 0 )
	{
		return true;
	}
	row_update u = { .world = world,
		             .team = team,
		             .by_number = array_of( world, row_by_number ),
		             .records = array_of( world, row_records ),
		             .shares = array_of( world, row_shares ),
		             .infinite = array_of( world, row_infinite ),
		             .level = array_of( world, row_level ) };
	row_sample sample[3];
	double spread[3];
	for ( int k = 0; k < 3; ++k )
	{
		sample[k] = take_sample( world, k );
		spread[k] = spread_of( sample + k );
	}
	int axis = spread[1] > spread[0] ? 1 : 0;
	axis = spread[2] > spread[axis] ? 2 : axis;
	bool is_one_row = tests_in_one_row( sample + axis, world->live ) <= most_tests;
	for ( int k = 0; k < 3; ++k )
	{
		u.axes[k] = ( axis + k ) % 3;
		u.is_flat[k] = k > 0 && ( is_one_row || ( spread[axis] >= 0 && spread[u.axes[k]] < 0 ) );
	}
	bvwphase_run( team, copy_boxes, &u );
	make_levels( &u, spread );
	bvwphase_run( team, choose_levels, &u );
	uint64_t rows = join_shares( &u );
	join_infinite( &u );
	make_parts( &u, sample + axis, rows );
	bvwphase_run( team, number_rows, &u );
	sort_records( &u );
	place_columns( &u );
	bvwphase_run( team, fill_columns, &u );
	list_rows( &u );
	memset( u.shares, 0, team->workers * sizeof *u.shares );
	return bvwphase_row_sweep( world, team, &u.boxes );
}

const bvwphase_method bvwphase_rows = {
	.name = "rows",
	.help = "objects sorted into rows of cells at each update, and swept along them",
	.bytes = bytes,
	.find_on = find_on,
	.finds_known = true,
	.overlap = bvwphase_look_at_all,
};

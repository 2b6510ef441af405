// Sort into rows: at each update all boxes are sorted into rows of a grid of cells, and along each row; boxes of a row are compared with
// those of its neighbors that begin before they end (rows_sweep.c).
//
// Boxes that are about equally long make a level, which has cells of its own. The first axis is the one along which objects are
// spread most; cells divide the two others. A box is in the row of the cell of its lower corner.
//
// Cells. Let c( x ) be the cell of a coordinate. c never decreases. A box is put into a level only if c( u ) - c( l ) <= 1 for its bounds
// l and u along both axes. If it touches an interval [a, b], then l <= b, so c( l ) <= c( b ); and u >= a, so
// c( l ) >= c( u ) - 1 >= c( a ) - 1. Hence two boxes of a level that touch are in the same row or in neighbors.
//
// Based on: D. Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992, section 7.1 (sweep along an axis); M. Overmars, "Point
// location in fat subdivisions", 1992 (grids by size).

#include "world/broadphase/rows.h"

#include "world/broadphase/order.h"

#include "runtime/math/round.h"
#include "runtime/simd/bits.h"

#include <math.h>
#include <string.h>

enum
{
	exponents = 256, // of binary32
	samples = 64,    // of which the spread of objects is estimated
	level_ratio = 2, // boxes of a level are up to 2^2 times as long as the shortest ones of it
	columns = 7,     // bounds and numbers
	ahead = 8,       // boxes whose memory is asked for early
	per_row = 4,     // boxes, on average, at least
};

// A box while those of a level are sorted.
typedef struct row_record
{
	uint64_t row;
	uint32_t x;
	uint32_t number;
} row_record;

// The method's part of the block. Nothing of it remains between updates.
typedef enum room_array
{
	room_by_number, // bvwphase_row_entry for each number
	room_sorted,    // float or uint32_t for each object and some behind it, `columns` times
	room_records,   // row_record for each object, twice
	room_rows,      // bvwphase_row for each object, and one behind the last of each level
	room_exponents, // exponent_use for each exponent
	room_infinite,  // uint32_t for each object
	room_level,     // uint8_t for each number: the exponent, then the level of the object
	room_arrays,
} room_array;

// The boxes whose longest side has an exponent.
typedef struct exponent_use
{
	uint32_t count;
	float longest;
	uint32_t level;
} exponent_use;

static const uint8_t in_no_level = UINT8_MAX;

static uint64_t length_of_column( const bvw_broadphase_options* options )
{
	return ( options->objects + (uint64_t)bvwphase_row_lanes + 1 ) & ~(uint64_t)1;
}

static uint64_t bytes_of_array( const bvw_broadphase_options* options, room_array array )
{
	uint64_t objects = options->objects;
	switch ( array )
	{
	case room_by_number: return objects * sizeof( bvwphase_row_entry );
	case room_sorted: return columns * length_of_column( options ) * sizeof( float );
	case room_records: return 2 * objects * sizeof( row_record );
	case room_rows: return bvwphase_aligned( ( objects + bvwphase_row_levels ) * sizeof( bvwphase_row ) );
	case room_exponents: return bvwphase_aligned( exponents * sizeof( exponent_use ) );
	case room_infinite: return bvwphase_aligned( objects * sizeof( uint32_t ) );
	case room_level: return bvwphase_aligned( objects );
	default: return 0;
	}
}

// @return bytes before an array
static uint64_t offset_of( const bvw_broadphase_options* options, room_array array )
{
	uint64_t offset = 0;
	for ( int i = 0; i < (int)array; ++i )
	{
		offset += bytes_of_array( options, (room_array)i );
	}
	return offset;
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return offset_of( options, room_arrays );
}

static void* array_of( const bvw_broadphase* world, room_array array )
{
	return bvwphase_at( world, world->method_at + offset_of( &world->options, array ) );
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

// How far apart the middle half of some objects' lower corners are, along each axis. A few that are far away do not matter.
static void estimate_spread( const bvw_broadphase* world, double spread[3] )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t step = world->highest / samples + 1;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double sorted[samples];
		uint32_t count = 0;
		for ( uint32_t i = step / 2; i < world->highest && count < samples; i += step )
		{
			double x = component( &objects[i].box.lower, axis );
			if ( !( objects[i].state & bvwphase_is_live ) || !( fabs( x ) < INFINITY ) )
			{
				continue;
			}
			uint32_t k = count++;
			for ( ; k > 0 && sorted[k - 1] > x; --k )
			{
				sorted[k] = sorted[k - 1];
			}
			sorted[k] = x;
		}
		spread[axis] = count > 0 ? sorted[count - 1 - count / 4] - sorted[count / 4] : 0;
	}
}

static uint32_t bits_of_object( const bvwphase_object* o )
{
	bool is_plain = o->mask == UINT64_MAX && o->group == 0;
	return ( is_plain ? bvwphase_row_plain : 0u ) |
	       ( o->state & bvwphase_is_changed ? bvwphase_row_changed : 0u );
}

// Copies the boxes of all objects, and counts those of each exponent.
// @return the number of objects in levels
static uint32_t copy_boxes( const bvw_broadphase* world, int axis, bvwphase_row_levels_of* all )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_row_entry* entries = array_of( world, room_by_number );
	exponent_use* uses = array_of( world, room_exponents );
	uint32_t* infinite = array_of( world, room_infinite );
	uint8_t* level = array_of( world, room_level );
	memset( uses, 0, exponents * sizeof *uses );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		level[i] = in_no_level;
		if ( !( objects[i].state & bvwphase_is_live ) )
		{
			continue;
		}
		bvwphase_row_entry* e = entries + i;
		bool is_exact = true;
		float longest = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double lower = component( &objects[i].box.lower, ( axis + k ) % 3 );
			double upper = component( &objects[i].box.upper, ( axis + k ) % 3 );
			e->lower[k] = bvmath_float_down( lower );
			e->upper[k] = bvmath_float_up( upper );
			is_exact = is_exact && (double)e->lower[k] == lower && (double)e->upper[k] == upper;
			float side = e->upper[k] - e->lower[k];
			longest = side > longest ? side : longest;
		}
		e->number = i | bits_of_object( objects + i ) | ( is_exact ? bvwphase_row_exact : 0u );
		e->unused = 0;
		if ( !( longest < (float)INFINITY ) )
		{
			infinite[all->infinite_count++] = i;
			continue;
		}
		uint32_t exponent = bits_of( longest ) >> 23;
		exponent_use* use = uses + exponent;
		++use->count;
		use->longest = longest > use->longest ? longest : use->longest;
		level[i] = (uint8_t)exponent;
		++count;
	}
	return count;
}

// Makes levels of exponents, from the greatest one. Cells of less than a length, in which there would be few boxes, are of no use.
static void make_levels( const bvw_broadphase* world, bvwphase_row_levels_of* all, double least_cell )
{
	exponent_use* uses = array_of( world, room_exponents );
	int top = exponents;
	for ( int e = exponents - 1; e >= 0; --e )
	{
		if ( uses[e].count == 0 )
		{
			continue;
		}
		bool is_first = all->levels == 0;
		bvwphase_row_level* last = all->level + all->levels - !is_first;
		bool is_fine = !is_first && last->size <= least_cell;
		if ( is_first || ( top - e >= level_ratio && all->levels < bvwphase_row_levels && !is_fine ) )
		{
			last = all->level + all->levels++;
			// Larger by more than rounding, so that a box of the greatest length fits into two cells.
			double size = uses[e].longest * 1.001;
			size = size > least_cell ? size : least_cell;
			*last = ( bvwphase_row_level ){ .size = size > 0x1p-140 ? size : 0x1p-140 };
			top = e;
		}
		uses[e].level = all->levels - 1;
		last->count += uses[e].count;
	}
}

// Unsigned numbers in the order of the binary32 ones.
static uint32_t key_of( float x )
{
	uint32_t bits = bits_of( x );
	return bits & UINT32_C( 0x80000000 ) ? ~bits : bits | UINT32_C( 0x80000000 );
}

// Both in 64 bits.
static uint64_t pack_cells( const int32_t cell[2] )
{
	return (uint64_t)(uint32_t)cell[1] << 32 | (uint32_t)cell[0];
}

// The cells of a level.
typedef struct row_extent
{
	int32_t least[2];
	int32_t most[2];
	uint64_t length; // rows with the same z
	uint64_t before; // rows of the levels before
} row_extent;

static void add_to_extent( row_extent* x, const int32_t cell[2], bool is_first )
{
	for ( int k = 0; k < 2; ++k )
	{
		x->least[k] = is_first || cell[k] < x->least[k] ? cell[k] : x->least[k];
		x->most[k] = is_first || cell[k] > x->most[k] ? cell[k] : x->most[k];
	}
}

static void add_to_level( bvwphase_row_level* l, const bvwphase_row_entry* e )
{
	++l->count;
	l->has_changed = l->has_changed || ( e->number & bvwphase_row_changed );
	// The difference is rounded to binary64; so much more is not below the true one.
	float length = bvmath_float_up( ( (double)e->upper[0] - e->lower[0] ) * ( 1 + 0x1p-50 ) );
	l->longest = length > l->longest ? length : l->longest;
}

// Puts each box into the level of its exponent, or into a coarser one if it does not fit into two cells there. Writes a record for
// each, with its level and its cells instead of a row.
// @return the number of records
static uint32_t choose_levels( const bvw_broadphase* world, bvwphase_row_levels_of* all, row_extent* extents )
{
	const bvwphase_row_entry* entries = array_of( world, room_by_number );
	const exponent_use* uses = array_of( world, room_exponents );
	uint32_t* infinite = array_of( world, room_infinite );
	row_record* records = array_of( world, room_records );
	uint8_t* level = array_of( world, room_level );
	double per_unit[bvwphase_row_levels];
	for ( uint32_t k = 0; k < all->levels; ++k )
	{
		per_unit[k] = 1 / all->level[k].size;
		all->level[k].count = 0;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( level[i] == in_no_level )
		{
			continue;
		}
		const bvwphase_row_entry* e = entries + i;
		uint32_t k = uses[level[i]].level + 1;
		int32_t cell[2] = { 0, 0 };
		bool fits = false;
		while ( !fits && k > 0 )
		{
			--k;
			cell[0] = bvwphase_row_cell( e->lower[1], per_unit[k] );
			cell[1] = bvwphase_row_cell( e->lower[2], per_unit[k] );
			fits = bvwphase_row_cell( e->upper[1], per_unit[k] ) - cell[0] <= 1 &&
			       bvwphase_row_cell( e->upper[2], per_unit[k] ) - cell[1] <= 1;
		}
		if ( !fits )
		{
			infinite[all->infinite_count++] = i;
			continue;
		}
		add_to_extent( extents + k, cell, all->level[k].count == 0 );
		add_to_level( all->level + k, e );
		level[i] = (uint8_t)k;
		records[count++] = ( row_record ){ pack_cells( cell ), key_of( e->lower[0] ), i };
	}
	return count;
}

static uint32_t digit_of( const row_record* r, bool of_row, uint32_t shift, uint32_t mask )
{
	return (uint32_t)( of_row ? r->row >> shift : r->x >> shift ) & mask;
}

// Sorts by bits of a key. Equal ones keep their order.
static inline void sort_digit( const row_record* from, row_record* to, uint32_t count, bool of_row,
                               uint32_t shift, uint32_t bits )
{
	uint32_t place[bvwphase_digits] = { 0 };
	uint32_t mask = ( UINT32_C( 1 ) << bits ) - 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		++place[digit_of( from + i, of_row, shift, mask )];
	}
	bvwphase_make_places( place );
	for ( uint32_t i = 0; i < count; ++i )
	{
		to[place[digit_of( from + i, of_row, shift, mask )]++] = from[i];
	}
}

// @return the sorted array: one of the two
static row_record* sort_records( row_record* from, row_record* to, uint32_t count, uint64_t greatest_row )
{
	uint32_t row_bits = 0;
	while ( row_bits < 64 && greatest_row >> row_bits != 0 )
	{
		++row_bits;
	}
	const uint32_t x_bits = 32;
	uint32_t row_passes = ( row_bits + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits;
	uint32_t x_passes = ( x_bits + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits;
	for ( uint32_t pass = 0; pass < x_passes + row_passes; ++pass )
	{
		bool of_row = pass >= x_passes;
		if ( of_row )
		{
			uint32_t bits = ( row_bits + row_passes - 1 ) / row_passes;
			sort_digit( from, to, count, true, ( pass - x_passes ) * bits, bits );
		}
		else
		{
			sort_digit( from, to, count, false, pass * bvwphase_digit_bits, bvwphase_digit_bits );
		}
		row_record* swap = from;
		from = to;
		to = swap;
	}
	return from;
}

// Copies the boxes of a level in their order, and lists its rows.
static void list_rows( const bvwphase_row_entry* by_number, const row_record* sorted,
                       bvwphase_row_levels_of* all, bvwphase_row_level* l, bvwphase_row* rows )
{
	double per_unit = 1 / l->size;
	l->rows = rows;
	l->row_count = 0;
	for ( uint32_t i = 0; i < l->count; ++i )
	{
		const bvwphase_row_entry* e = by_number + sorted[i].number;
		bvsimd_prefetch( by_number + sorted[i + ahead < l->count ? i + ahead : i].number );
		uint32_t at = l->first + i;
		for ( int k = 0; k < 3; ++k )
		{
			all->lower[k][at] = e->lower[k];
			all->upper[k][at] = e->upper[k];
		}
		all->number[at] = e->number;
		if ( i == 0 || sorted[i].row != sorted[i - 1].row )
		{
			rows[l->row_count++] = ( bvwphase_row ){ bvwphase_row_cell( e->lower[1], per_unit ),
				                                     bvwphase_row_cell( e->lower[2], per_unit ), at };
		}
	}
	rows[l->row_count] = ( bvwphase_row ){ 0, 0, l->first + l->count };
}

static void place_columns( const bvw_broadphase* world, bvwphase_row_levels_of* all, uint32_t count )
{
	uint64_t length = length_of_column( &world->options );
	float* sorted = array_of( world, room_sorted );
	for ( int k = 0; k < 3; ++k )
	{
		all->lower[k] = sorted + (uint64_t)k * length;
		all->upper[k] = sorted + (uint64_t)( 3 + k ) * length;
		for ( uint32_t i = count; i < count + bvwphase_row_lanes; ++i )
		{
			all->lower[k][i] = all->upper[k][i] = NAN;
		}
	}
	all->number = (uint32_t*)( sorted + 6 * length );
}

// Replaces cells by the number of their row, among those of all levels.
// @return the greatest number
static uint64_t number_rows( const bvw_broadphase* world, const bvwphase_row_levels_of* all,
                             row_extent* extents, uint32_t count )
{
	const uint8_t* level = array_of( world, room_level );
	row_record* records = array_of( world, room_records );
	uint64_t before = 0;
	for ( uint32_t k = 0; k < all->levels; ++k )
	{
		row_extent* x = extents + k;
		x->before = before;
		x->length = (uint64_t)( 1 + (int64_t)x->most[0] - x->least[0] );
		before +=
			all->level[k].count > 0 ? x->length * (uint64_t)( 1 + (int64_t)x->most[1] - x->least[1] ) : 0;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const row_extent* x = extents + level[records[i].number];
		int64_t y = (int32_t)(uint32_t)records[i].row;
		int64_t z = (int32_t)(uint32_t)( records[i].row >> 32 );
		records[i].row =
			x->before + (uint64_t)( z - x->least[1] ) * x->length + (uint64_t)( y - x->least[0] );
	}
	return before;
}

static void sort_levels( const bvw_broadphase* world, bvwphase_row_levels_of* all, row_extent* extents,
                         uint32_t count )
{
	const bvwphase_row_entry* by_number = array_of( world, room_by_number );
	bvwphase_row* rows = array_of( world, room_rows );
	row_record* records = array_of( world, room_records );
	uint64_t greatest = number_rows( world, all, extents, count );
	const row_record* sorted = sort_records( records, records + world->options.objects, count, greatest );
	place_columns( world, all, count );
	uint32_t first = 0;
	for ( uint32_t k = 0; k < all->levels; ++k )
	{
		bvwphase_row_level* l = all->level + k;
		l->first = first;
		list_rows( by_number, sorted + first, all, l, rows );
		rows += l->row_count + 1;
		first += l->count;
	}
}

static bool find( bvw_broadphase* world )
{
	if ( world->changed_count == 0 )
	{
		return true;
	}
	bvwphase_row_levels_of all = { .infinite = array_of( world, room_infinite ) };
	row_extent extents[bvwphase_row_levels];
	double spread[3];
	estimate_spread( world, spread );
	int axis = spread[1] > spread[0] ? 1 : 0;
	axis = spread[2] > spread[axis] ? 2 : axis;
	uint32_t count = copy_boxes( world, axis, &all );
	// The whole is about twice as wide as its middle half.
	double area = 4 * spread[( axis + 1 ) % 3] * spread[( axis + 2 ) % 3];
	make_levels( world, &all, count > 0 && area < INFINITY ? sqrt( area * per_row / count ) : 0 );
	count = choose_levels( world, &all, extents );
	sort_levels( world, &all, extents, count );
	return bvwphase_row_sweep( world, &all );
}

const bvwphase_method bvwphase_rows = {
	.name = "rows",
	.help = "objects sorted into rows of cells at each update, and swept along them",
	.bytes = bytes,
	.find = find,
	.finds_known = true,
	.overlap = bvwphase_look_at_all,
};

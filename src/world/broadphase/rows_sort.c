// Sorting of boxes by their rows, by several threads: radix sort from the least digit (H. Seward 1954) by rows and parts, then of those
// with equal ones by x. Each share counts its digits, and places its records behind those of the shares before with the same digit.

#include "world/broadphase/rows.h"

#include "world/broadphase/order.h"

#include <string.h>

enum
{
	few = 48, // records for which insertion takes less time
};

typedef bvwphase_row_record row_record;

// A sort, or a pass of it.
typedef struct row_sort
{
	row_record* from;
	row_record* to;
	const uint32_t* first;
	const uint32_t* counts;
	uint32_t ( *places )[bvwphase_digits]; // of each share
	uint32_t shift;
	uint32_t mask;
	uint32_t count; // of all records
} row_sort;

static uint32_t digit_of( const row_sort* s, const row_record* r )
{
	return (uint32_t)( r->row >> s->shift ) & s->mask;
}

static void count_digits( void* data, uint32_t share )
{
	const row_sort* s = data;
	const row_record* from = s->from + s->first[share];
	uint32_t* place = s->places[share];
	for ( uint32_t i = 0; i < s->counts[share]; ++i )
	{
		++place[digit_of( s, from + i )];
	}
}

static void move_records( void* data, uint32_t share )
{
	const row_sort* s = data;
	const row_record* from = s->from + s->first[share];
	uint32_t* place = s->places[share];
	for ( uint32_t i = 0; i < s->counts[share]; ++i )
	{
		s->to[place[digit_of( s, from + i )]++] = from[i];
	}
	memset( place, 0, sizeof s->places[share] );
}

static void sort_digit( const bvwteam_team* team, row_sort* s )
{
	bvwteam_run( team, count_digits, s );
	uint32_t before = 0;
	for ( uint32_t d = 0; d <= s->mask; ++d )
	{
		for ( uint32_t share = 0; share < team->workers; ++share )
		{
			uint32_t of_digit = s->places[share][d];
			s->places[share][d] = before;
			before += of_digit;
		}
	}
	bvwteam_run( team, move_records, s );
}

static void insert_by_x( row_record* r, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		row_record moved = r[i];
		uint32_t to = i;
		for ( ; to > 0 && r[to - 1].x > moved.x; --to )
		{
			r[to] = r[to - 1];
		}
		r[to] = moved;
	}
}

// Sorts many records by all bits of x.
// @param place  bvwphase_digits numbers, all 0; they are again at the end
static void sort_by_x( row_record* from, row_record* to, uint32_t count, uint32_t* place )
{
	// Four passes: records are where they were.
	for ( uint32_t shift = 0; shift < 32; shift += 8 )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			++place[from[i].x >> shift & 255];
		}
		bvwphase_make_places( place, 256 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			to[place[from[i].x >> shift & 255]++] = from[i];
		}
		memset( place, 0, 256 * sizeof *place );
		row_record* sorted = to;
		to = from;
		from = sorted;
	}
}

// Sorts the groups of records with equal rows of a share.
static void sort_groups( void* data, uint32_t share )
{
	const row_sort* s = data;
	row_record* r = s->from;
	uint32_t end = s->first[share] + s->counts[share];
	uint32_t i = s->first[share];
	while ( i < end )
	{
		uint32_t begin = i++;
		while ( i < end && r[i].row == r[begin].row )
		{
			++i;
		}
		if ( i - begin > few )
		{
			sort_by_x( r + begin, s->to + begin, i - begin, s->places[share] );
		}
		else
		{
			insert_by_x( r + begin, i - begin );
		}
	}
}

// Divides sorted records into equally many for each share.
static void divide( uint32_t count, uint32_t shares, uint32_t first[], uint32_t counts[] )
{
	for ( uint32_t share = 0; share < shares; ++share )
	{
		first[share] = bvwteam_share( count, shares, share );
		counts[share] = bvwteam_share( count, shares, share + 1 ) - first[share];
	}
}

// Moves the begins of shares to begins of groups.
static void divide_between_groups( const row_record* r, uint32_t count, uint32_t shares, uint32_t first[],
                                   uint32_t counts[] )
{
	for ( uint32_t share = 1; share < shares; ++share )
	{
		uint32_t i = first[share] > first[share - 1] ? first[share] : first[share - 1];
		while ( i > 0 && i < count && r[i].row == r[i - 1].row )
		{
			++i;
		}
		first[share] = i;
		counts[share - 1] = i - first[share - 1];
	}
	counts[shares - 1] = count - first[shares - 1];
}

const bvwphase_row_record* bvwphase_row_sort( const bvwteam_team* team, bvwphase_row_record* records,
                                              const uint32_t* first, const uint32_t* counts,
                                              bvwphase_row_record* room, uint32_t* places, uint32_t bits )
{
	uint32_t even_first[BVW_MAX_WORKERS];
	uint32_t even_counts[BVW_MAX_WORKERS];
	uint32_t count = 0;
	for ( uint32_t share = 0; share < team->workers; ++share )
	{
		count += counts[share];
	}
	divide( count, team->workers, even_first, even_counts );
	// At least one pass: it puts the records of the shares one behind the other.
	uint32_t passes = bits > 0 ? ( bits + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits : 1;
	uint32_t bits_of_pass = ( bits + passes - 1 ) / passes;
	row_sort s = { .from = records,
		           .to = room,
		           .first = first,
		           .counts = counts,
		           .places = (uint32_t( * )[bvwphase_digits])places,
		           .mask = ( UINT32_C( 1 ) << bits_of_pass ) - 1,
		           .count = count };
	for ( uint32_t pass = 0; pass < passes; ++pass )
	{
		s.shift = pass * bits_of_pass;
		sort_digit( team, &s );
		row_record* sorted = s.to;
		s.to = s.from;
		s.from = sorted;
		s.first = even_first;
		s.counts = even_counts;
	}
	divide_between_groups( s.from, count, team->workers, even_first, even_counts );
	bvwteam_run( team, sort_groups, &s );
	return s.from;
}

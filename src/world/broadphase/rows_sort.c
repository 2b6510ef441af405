// Sorting of boxes by their rows, by several threads: radix sort from the least digit (H. Seward 1954). Each share counts its digits, and
// places its records behind those of the shares before with the same digit.

#include "world/broadphase/rows.h"

#include "world/broadphase/order.h"

#include <string.h>

// A pass.
typedef struct row_pass
{
	const bvwphase_row_record* from;
	bvwphase_row_record* to;
	const uint32_t* first;
	const uint32_t* counts;
	uint32_t ( *places )[bvwphase_digits]; // of each share
	bool of_row;                           // by rows, not by x
	uint32_t shift;
	uint32_t mask;
} row_pass;

static uint32_t digit_of( const row_pass* p, const bvwphase_row_record* r )
{
	return (uint32_t)( p->of_row ? r->row >> p->shift : r->x >> p->shift ) & p->mask;
}

static void count_digits( void* data, uint32_t share )
{
	const row_pass* p = data;
	const bvwphase_row_record* from = p->from + p->first[share];
	uint32_t* place = p->places[share];
	for ( uint32_t i = 0; i < p->counts[share]; ++i )
	{
		++place[digit_of( p, from + i )];
	}
}

static void move_records( void* data, uint32_t share )
{
	const row_pass* p = data;
	const bvwphase_row_record* from = p->from + p->first[share];
	uint32_t* place = p->places[share];
	for ( uint32_t i = 0; i < p->counts[share]; ++i )
	{
		p->to[place[digit_of( p, from + i )]++] = from[i];
	}
	memset( place, 0, sizeof p->places[share] );
}

static void sort_digit( const bvwphase_team* team, row_pass* p )
{
	bvwphase_run( team, count_digits, p );
	uint32_t before = 0;
	for ( uint32_t d = 0; d <= p->mask; ++d )
	{
		for ( uint32_t share = 0; share < team->workers; ++share )
		{
			uint32_t of_digit = p->places[share][d];
			p->places[share][d] = before;
			before += of_digit;
		}
	}
	bvwphase_run( team, move_records, p );
}

const bvwphase_row_record* bvwphase_row_sort( const bvwphase_team* team, bvwphase_row_record* records,
                                              const uint32_t* first, const uint32_t* counts,
                                              bvwphase_row_record* room, uint32_t* places, uint64_t rows )
{
	const uint32_t x_bits = 32;
	const uint32_t x_passes = ( x_bits + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits;
	uint32_t row_bits = 0;
	while ( rows >> row_bits != 0 )
	{
		++row_bits;
	}
	uint32_t row_passes = ( row_bits + bvwphase_digit_bits - 1 ) / bvwphase_digit_bits;
	uint32_t bits_of_pass = row_passes > 0 ? ( row_bits + row_passes - 1 ) / row_passes : 0;
	uint32_t even_first[BVW_MAX_WORKERS];
	uint32_t even_counts[BVW_MAX_WORKERS];
	uint32_t count = 0;
	for ( uint32_t share = 0; share < team->workers; ++share )
	{
		count += counts[share];
	}
	for ( uint32_t share = 0; share < team->workers; ++share )
	{
		even_first[share] = bvwphase_share( count, team->workers, share );
		even_counts[share] = bvwphase_share( count, team->workers, share + 1 ) - even_first[share];
	}
	row_pass p = { .from = records,
		           .to = room,
		           .first = first,
		           .counts = counts,
		           .places = (uint32_t( * )[bvwphase_digits])places };
	bvwphase_row_record* other = records;
	for ( uint32_t pass = 0; pass < x_passes + row_passes; ++pass )
	{
		p.of_row = pass >= x_passes;
		p.shift = p.of_row ? ( pass - x_passes ) * bits_of_pass : pass * bvwphase_digit_bits;
		p.mask = ( UINT32_C( 1 ) << ( p.of_row ? bits_of_pass : (uint32_t)bvwphase_digit_bits ) ) - 1;
		sort_digit( team, &p );
		bvwphase_row_record* sorted = p.to;
		p.to = other;
		p.from = other = sorted;
		p.first = even_first;
		p.counts = even_counts;
	}
	return p.from;
}

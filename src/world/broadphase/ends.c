// End points of boxes along an axis. Sorting: a radix sort of the highest bits that differ, then an insertion sort.
//
// Based on: H. Seward, "Information sorting in the application of electronic digital computers to business operations", 1954.

#include "world/broadphase/ends.h"

#include "world/broadphase/order.h"

#include <string.h>

enum
{
	decisive_bits = 3 * bvwphase_digit_bits,
};

// Bits that are ordered as the values are.
static uint64_t ordered_bits( double value )
{
	uint64_t bits;
	memcpy( &bits, &value, sizeof bits );
	return bits >> 63 ? ~bits : bits | UINT64_C( 1 ) << 63;
}

static uint32_t digit_of( const bvwphase_end_point* e, uint32_t shift_by )
{
	return (uint32_t)( ordered_bits( e->value ) >> shift_by ) & ( bvwphase_digits - 1 );
}

// One pass of a radix sort. Equal digits keep their order.
static void sort_digit( const bvwphase_end_point* from, bvwphase_end_point* to, uint32_t count,
                        uint32_t shift_by )
{
	uint32_t place[bvwphase_digits] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		++place[digit_of( from + i, shift_by )];
	}
	bvwphase_make_places( place, bvwphase_digits );
	for ( uint32_t i = 0; i < count; ++i )
	{
		to[place[digit_of( from + i, shift_by )]++] = from[i];
	}
}

// Sorts by some of the bits, from `from_bit` to below `to_bit`. Equal ones keep their order.
static void sort_bits( bvwphase_end_point* ends, uint32_t count, bvwphase_end_point* room, uint32_t from_bit,
                       uint32_t to_bit )
{
	bvwphase_end_point* from = ends;
	bvwphase_end_point* to = room;
	for ( uint32_t bit = from_bit; bit < to_bit; bit += bvwphase_digit_bits )
	{
		sort_digit( from, to, count, bit );
		bvwphase_end_point* swap = from;
		from = to;
		to = swap;
	}
	if ( from != ends )
	{
		memcpy( ends, from, count * sizeof *ends );
	}
}

// Insertion sort of end points that are nearly sorted.
// @return false if they are not
static bool finish_sorting( bvwphase_end_point* ends, uint32_t count )
{
	uint64_t moved = 0;
	for ( uint32_t i = 1; i < count && moved <= count; ++i )
	{
		bvwphase_end_point e = ends[i];
		uint32_t at = i;
		for ( ; at > 0 && e.value < ends[at - 1].value; --at )
		{
			ends[at] = ends[at - 1];
		}
		ends[at] = e;
		moved += i - at;
	}
	return moved <= count;
}

// Equal values keep their order, also where the first attempt fails. Mostly, the highest bits that differ decide: then half of the
// passes are enough.
void bvwphase_sort_ends( bvwphase_end_point* ends, uint32_t count, bvwphase_end_point* room )
{
	uint64_t all = UINT64_MAX;
	uint64_t any = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		all &= ordered_bits( ends[i].value );
		any |= ordered_bits( ends[i].value );
	}
	uint32_t differ = 0; // bits below this do
	while ( differ < 64 && ( all ^ any ) >> differ != 0 )
	{
		++differ;
	}
	uint32_t first = differ > decisive_bits ? differ - decisive_bits : 0;
	sort_bits( ends, count, room, first, differ );
	if ( !finish_sorting( ends, count ) )
	{
		sort_bits( ends, count, room, 0, differ );
	}
}

uint32_t bvwphase_place_of_end( const bvwphase_end_point* ends, uint32_t count, double value, uint32_t key )
{
	uint32_t from = 0;
	while ( count > 0 )
	{
		uint32_t half = count / 2;
		if ( bvwphase_end_is_below( value, key, ends + from + half ) ||
		     ( value == ends[from + half].value && key == ends[from + half].key ) )
		{
			count = half;
		}
		else
		{
			from += half + 1;
			count -= half + 1;
		}
	}
	return from;
}

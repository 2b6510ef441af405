// Particles sorted into cells. See cells.h.
//
// Based on: M. Teschner et al., "Optimized spatial hashing for collision detection of deformable objects", 2003 (cells without a domain); S. Green,
// "Particle simulation using CUDA", 2010 (particles sorted by cell). Here cells are found by their order, without a hash.

#include "world/particles/cells.h"

#include "world/particles/order.h"

#include "runtime/simd/bits.h"

#include <stddef.h>
#include <string.h>

enum
{
	ahead = 12, // particles
};

// Of a cell: what is left for rounding. Up to bvwnear_far cells from the origin, coordinates err by 2^-13 cells.
static const double slack = 0x1p-10;

// Cells along a period, so that coordinates err by less than that. Where there would be more, cells are wider.
static const double most_cells = 0x1p38;

// Monotonic, and neighbors differ by at most 1: see the header.
static int64_t whole_part( double u )
{
	if ( u > -(double)bvwnear_far && u < (double)bvwnear_far )
	{
		int64_t whole = (int64_t)u;
		return whole - ( (double)whole > u );
	}
	double size = fabs( u );
	uint64_t far;
	if ( size < 0x1p52 )
	{
		far = ( (uint64_t)size - (uint64_t)bvwnear_far ) / 2;
	}
	else
	{
		uint64_t bits;
		const double first = 0x1p52;
		uint64_t first_bits;
		memcpy( &bits, &size, sizeof bits );
		memcpy( &first_bits, &first, sizeof first_bits );
		far = ( ( UINT64_C( 1 ) << 52 ) - (uint64_t)bvwnear_far ) / 2 + ( bits - first_bits ) / 2;
	}
	int64_t place = bvwnear_far + (int64_t)far;
	return u < 0 ? -1 - place : place;
}

int64_t bvwnear_cell_along( const bvwnear_frame* frame, int axis, double x )
{
	int64_t place = whole_part( ( x - frame->lower[axis] ) * frame->cell[axis] );
	int64_t cells = frame->cells[axis];
	return cells > 0 && place >= cells ? cells - 1 : place;
}

uint16_t bvwnear_fine_along( const bvwnear_frame* frame, int axis, double x )
{
	double u = ( x - frame->lower[axis] ) * frame->fine;
	bool is_far = fabs( u ) >= (double)bvwnear_far * bvwnear_fine;
	int64_t whole = is_far ? 0 : (int64_t)u;
	return (uint16_t)( whole - ( (double)whole > u && !is_far ) );
}

// Scales of an axis with a period.
// @param across  cells per world unit that are wide enough
static void set_period( bvwnear_frame* f, int axis, double period, double across )
{
	double cells = period * across;
	int64_t whole = cells < 3 ? 1 : (int64_t)cells;
	f->cells[axis] = whole;
	f->cell[axis] = whole == 1 ? 0 : (double)whole / period;
	f->period[axis] = (int64_t)( period * f->fine + 0.5 );
}

// Fine coordinates are rounded down, which makes an error of 1 in differences; they are computed with one rounding, or two
// along a period, which is rounded as well.
static double error_of( const bvwnear_frame* f, const bvwnear_job* job )
{
	double squares = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double far = (double)bvwnear_far * bvwnear_fine;
		double most = f->cells[k] > 0 ? (double)f->period[k] : job->greatest * f->fine;
		double error = 1.01 + ( most < far ? most : far ) * 0x1p-50 + ( f->cells[k] > 0 ? 0.51 : 0 );
		squares += error * error;
	}
	return sqrt( squares ) + 0.01;
}

void bvwnear_make_frame( const bvwnear_job* job, bvwnear_frame* out )
{
	// Cells have a width even if only equal positions are neighbors, and numbers of cells are finite.
	double least = job->greatest * 0x1p-800 > 0x1p-900 ? job->greatest * 0x1p-800 : 0x1p-900;
	double width = job->reach > least ? job->reach : least;
	for ( int k = 0; k < 3; ++k )
	{
		double wide = job->options.period[k] / most_cells;
		width = wide > width ? wide : width;
	}
	double across = ( 1 - slack ) / width;
	out->fine = across * bvwnear_fine;
	double numbers = 1;
	for ( int k = 0; k < 3; ++k )
	{
		double period = job->options.period[k];
		out->lower[k] = period > 0 ? job->lower[k] : 0;
		out->cell[k] = across;
		out->cells[k] = 0;
		out->period[k] = 0;
		if ( period > 0 )
		{
			set_period( out, k, period, across );
		}
		out->least[k] = bvwnear_cell_along( out, k, job->lower[k] );
		int64_t last = bvwnear_cell_along( out, k, job->upper[k] );
		out->extent[k] = out->cells[k] > 0 ? out->cells[k] : last - out->least[k] + 1;
		numbers *= (double)out->extent[k];
	}
	out->numbers = numbers;
	out->error = error_of( out, job );
}

static uint64_t aligned( uint64_t bytes )
{
	return ( bytes + 7 ) & ~(uint64_t)7;
}

// Sorting takes two arrays of 64-bit numbers. What is sorted takes two arrays of 32-bit numbers, fine coordinates and radii.
uint64_t bvwnear_cells_bytes( uint32_t count, bool has_room, bool has_fine )
{
	uint64_t sorting = ( has_room ? 8 : 16 ) * (uint64_t)count;
	uint64_t sorted = aligned( ( has_fine ? 15 : 8 ) * (uint64_t)count + 4 );
	return sorting > sorted ? sorting : sorted;
}

static bvwnear_place place_of_particle( const bvw_particles* set, const bvwnear_frame* f, uint32_t number )
{
	const double* p = bvwnear_position( set, number );
	bvwnear_place place;
	for ( int k = 0; k < 3; ++k )
	{
		place.at[k] = bvwnear_cell_along( f, k, p[k] );
	}
	return place;
}

// By the lower half of their numbers, and then by the upper one if there is any.
static uint64_t* sort_by_numbers( const bvw_particles* set, const bvwnear_frame* f, uint64_t* entries,
                                  uint64_t* room )
{
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		entries[i] = i;
	}
	for ( int shift = 0; shift == 0 || ( shift == 32 && f->numbers >= 0x1p32 ); shift += 32 )
	{
		for ( uint32_t i = 0; i < set->count; ++i )
		{
			uint32_t number = (uint32_t)entries[i];
			bvwnear_place place = place_of_particle( set, f, number );
			entries[i] = ( bvwnear_key( f, &place ) >> shift & UINT32_MAX ) << 32 | number;
		}
		uint64_t steps = 0;
		uint64_t* sorted = bvwnear_sort_entries( entries, room, set->count, &steps );
		room = sorted == entries ? room : entries;
		entries = sorted;
	}
	return entries;
}

// From the last axis to the first, by the lower half of a coordinate and then by the upper one.
static uint64_t* sort_by_places( const bvw_particles* set, const bvwnear_frame* f, uint64_t* entries,
                                 uint64_t* room )
{
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		entries[i] = i;
	}
	for ( int axis = 2; axis >= 0; --axis )
	{
		for ( int shift = 0; shift < 64; shift += 32 )
		{
			for ( uint32_t i = 0; i < set->count; ++i )
			{
				uint32_t number = (uint32_t)entries[i];
				int64_t cell = bvwnear_cell_along( f, axis, bvwnear_position( set, number )[axis] );
				uint64_t key = (uint64_t)cell - (uint64_t)f->least[axis];
				entries[i] = ( key >> shift & UINT32_MAX ) << 32 | number;
			}
			uint64_t steps = 0;
			uint64_t* sorted = bvwnear_sort_entries( entries, room, set->count, &steps );
			room = sorted == entries ? room : entries;
			entries = sorted;
		}
	}
	return entries;
}

static void find_cells( bvwnear_cells* c )
{
	bvwnear_place last = { { 0, 0, 0 } };
	c->count = 0;
	for ( uint32_t i = 0; i < c->set->count; ++i )
	{
		// Positions are anywhere in memory.
		uint32_t next = c->number[i + ahead < c->set->count ? i + ahead : i];
		bvsimd_prefetch( bvwnear_position( c->set, next ) );
		bvwnear_place place = place_of_particle( c->set, c->frame, c->number[i] );
		if ( i == 0 || memcmp( &place, &last, sizeof place ) != 0 )
		{
			c->start[c->count++] = i;
			last = place;
		}
		for ( int k = 0; k < 3 && c->fine[0]; ++k )
		{
			c->fine[k][i] = bvwnear_fine_along( c->frame, k, bvwnear_position( c->set, c->number[i] )[k] );
		}
		if ( c->radius )
		{
			double fine = bvwnear_radius( c->set, c->number[i] ) * c->frame->fine;
			c->radius[i] = (uint8_t)( ( (uint32_t)fine + bvwnear_coarse ) / bvwnear_coarse );
		}
	}
	c->start[c->count] = c->set->count;
}

// Cells take less memory than there is for one cell per particle. What is left makes finding them faster.
static void find_keys( bvwnear_cells* c )
{
	const bvwnear_frame* f = c->frame;
	uint32_t* left = c->start + c->count + 1;
	left += (uintptr_t)left % sizeof( uint64_t ) ? 1 : 0;
	uint32_t* end = c->start + c->set->count + 1;
	if ( f->numbers >= bvwnear_most_numbers || left + 2 * (size_t)c->count > end )
	{
		return;
	}
	c->key = (uint64_t*)(void*)left;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		bvwnear_place place = place_of_particle( c->set, f, c->number[c->start[i]] );
		c->key[i] = bvwnear_key( f, &place );
	}
	left += 2 * (size_t)c->count;
	if ( f->numbers + 1 > (double)( end - left ) )
	{
		return;
	}
	c->first = left;
	uint64_t number = 0;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		while ( number <= c->key[i] )
		{
			c->first[number++] = i;
		}
	}
	while ( number <= (uint64_t)f->numbers )
	{
		c->first[number++] = c->count;
	}
}

void bvwnear_make_cells( const bvw_particles* set, const bvwnear_frame* frame, char* memory, uint64_t* room,
                         bool has_fine, bvwnear_cells* out )
{
	size_t count = set->count;
	uint64_t* entries = (uint64_t*)(void*)memory;
	room = room ? room : entries + count;
	uint64_t* sorted = frame->numbers < bvwnear_most_numbers ? sort_by_numbers( set, frame, entries, room )
	                                                         : sort_by_places( set, frame, entries, room );
	if ( sorted != room && count > 0 )
	{
		memcpy( room, sorted, count * sizeof *sorted );
	}
	*out = ( bvwnear_cells ){ .set = set, .frame = frame };
	out->number = (uint32_t*)(void*)memory;
	for ( size_t i = 0; i < count; ++i )
	{
		out->number[i] = (uint32_t)room[i];
	}
	out->start = out->number + count;
	uint16_t* fine = (uint16_t*)(void*)( out->start + count + 1 );
	for ( size_t k = 0; k < 3 && has_fine; ++k )
	{
		out->fine[k] = fine + k * count;
	}
	out->radius = has_fine && set->radii ? (uint8_t*)( fine + 3 * count ) : NULL;
	find_cells( out );
	find_keys( out );
}

bvwnear_place bvwnear_place_of( const bvwnear_cells* cells, uint32_t cell )
{
	return place_of_particle( cells->set, cells->frame, cells->number[cells->start[cell]] );
}

static bool is_before( const bvwnear_cells* cells, uint32_t cell, const bvwnear_place* place, uint64_t key )
{
	if ( cells->key )
	{
		return cells->key[cell] < key;
	}
	bvwnear_place own = bvwnear_place_of( cells, cell );
	for ( int k = 0; k < 3; ++k )
	{
		if ( own.at[k] != place->at[k] )
		{
			return own.at[k] < place->at[k];
		}
	}
	return false;
}

uint32_t bvwnear_seek( const bvwnear_cells* cells, uint32_t from, const bvwnear_place* place, uint64_t key )
{
	if ( cells->first )
	{
		return cells->first[key];
	}
	uint32_t low = 0; // all cells below are before the place
	uint32_t high = cells->count;
	if ( from < high && is_before( cells, from, place, key ) )
	{
		uint32_t step = 1;
		for ( low = from + 1; step < high - from && is_before( cells, from + step, place, key ); step *= 2 )
		{
			low = from + step + 1;
		}
		high = step < high - from ? from + step : high;
	}
	else
	{
		high = from < high ? from : high;
		if ( high == 0 || is_before( cells, high - 1, place, key ) )
		{
			return high;
		}
	}
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( is_before( cells, middle, place, key ) )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

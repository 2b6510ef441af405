// The grid: particles are sorted into cells, and those of a cell are compared with those of the 27 cells around.
//
// The nine rows of cells around a cell come in the order of the sorted cells, so that going through all cells in order moves nine marks
// forward, and no table of cells is needed. Particles of the rows are collected once per cell, and compared 8 or 16 at a time in whole
// numbers of 16 bits. Those that are too near the reach to be sure are decided exactly.
//
// Based on: M. Teschner et al. 2003 and S. Green 2010, see cells.c; R. Winchenbach, A. Kolb, "Multi-level memory structures for simulating
// and rendering smoothed particle hydrodynamics", 2020 (lists from sorted cells).

#include "world/particles/cells.h"
#include "world/particles/lanes.h"

#include "runtime/simd/bits.h"

#include <string.h>

enum
{
	rows = 9,
	most_runs = 2 * rows,         // a row at the end of a period is in two
	most_sources = 3 * most_runs, // cells
	ahead = 4,                    // particles
	together = 16,                // particles that are copied at a time
};

// Sorted particles that are next to each other, and what to add to their fine coordinates.
typedef struct grid_run
{
	uint32_t first_cell;
	uint32_t end_cell;
	uint16_t shift[3];
	bool is_shifted;
} grid_run;

// A cell whose particles are merged with those of others.
typedef struct grid_source
{
	uint32_t at;
	uint32_t end;
	const grid_run* run;
} grid_source;

typedef struct grid_search
{
	bvwnear_frame frame;
	bvwnear_cells of;
	bvwnear_cells among;
	const bvwnear_lanes* lanes;
	bvwnear_job* job;
	bool is_plain; // no radii and no folds
	bool is_fine;  // fine coordinates have a meaning around the cell
	bool is_crowd; // the batch is sorted by number
	bvwnear_query query;
	uint32_t mark[most_runs]; // where each row was found last
	grid_run run[most_runs];
	int runs;
	bvwnear_batch batch;
} grid_search;

static uint64_t aligned( uint64_t bytes )
{
	return ( bytes + 7 ) & ~(uint64_t)7;
}

static uint64_t bytes( uint32_t of, uint32_t among )
{
	// Arrays are read up to some entries behind their ends.
	uint64_t own = aligned( sizeof( grid_search ) ) + 64;
	return own + ( among > 0
	                   ? bvwnear_cells_bytes( of, true, false ) + bvwnear_cells_bytes( among, false, true )
	                   : bvwnear_cells_bytes( of, true, true ) );
}

static void prepare( bvwnear_job* job )
{
	grid_search* s = (grid_search*)(void*)job->memory;
	memset( s, 0, sizeof *s );
	s->job = job;
	s->lanes = bvwnear_lanes_best();
	bvwnear_make_frame( job, &s->frame );
	char* memory = job->memory + aligned( sizeof *s );
	if ( job->is_self )
	{
		bvwnear_make_cells( &job->of, &s->frame, memory, job->begin, true, &s->of );
		s->among = s->of;
	}
	else
	{
		bvwnear_make_cells( &job->of, &s->frame, memory, job->begin, false, &s->of );
		memory += bvwnear_cells_bytes( job->of.count, true, false );
		bvwnear_make_cells( &job->among, &s->frame, memory, NULL, true, &s->among );
	}
	s->is_plain = !job->among.radii;
	for ( int k = 0; k < 3; ++k )
	{
		bool folds = s->frame.cells[k] == 1;
		s->query.fold[k] = folds ? (int16_t)s->frame.period[k] : INT16_MAX;
		s->is_plain = s->is_plain && !folds;
	}
	if ( job->options.order && job->among.count > 0 )
	{
		memcpy( job->options.order, s->among.number, job->among.count * sizeof( uint32_t ) );
	}
}

// The coordinate of a neighboring cell, wrapped along a period.
// @param periods  receives by how many periods particles there have to be shifted
// @return false if there is no such cell
static bool neighbor_along( const bvwnear_frame* f, int axis, int64_t at, int step, int64_t* out,
                            int* periods )
{
	int64_t cells = f->cells[axis];
	*out = at + step;
	*periods = 0;
	if ( cells > 0 && ( *out < 0 || *out >= cells ) )
	{
		*periods = step;
		*out -= step * cells;
	}
	bool is_inside = *out >= f->least[axis] && *out - f->least[axis] < f->extent[axis];
	return is_inside && !( cells == 1 && step != 0 );
}

// Adds the cells from `place` to the one whose last coordinate is `last`.
static void add_run( grid_search* s, const bvwnear_place* place, int64_t last, const int periods[3],
                     uint32_t* mark )
{
	const bvwnear_cells* c = &s->among;
	bvwnear_place behind = *place;
	behind.at[2] = last + 1;
	uint64_t key = c->key ? bvwnear_key( &s->frame, place ) : 0;
	uint64_t end_key = key + (uint64_t)( behind.at[2] - place->at[2] );
	uint32_t first = c->first ? c->first[key] : bvwnear_seek( c, *mark, place, key );
	uint32_t end = c->first ? c->first[end_key] : bvwnear_seek( c, first, &behind, end_key );
	*mark = first;
	if ( first < end )
	{
		grid_run* run = &s->run[s->runs++];
		*run = ( grid_run ){ .first_cell = first, .end_cell = end };
		for ( int k = 0; k < 3; ++k )
		{
			run->shift[k] = (uint16_t)( periods[k] * s->frame.period[k] );
			run->is_shifted = run->is_shifted || run->shift[k] != 0;
		}
	}
}

// Finds what is around a cell.
static void find_runs( grid_search* s, const bvwnear_place* center )
{
	const bvwnear_frame* f = &s->frame;
	s->runs = 0;
	for ( int row = 0; row < rows; ++row )
	{
		bvwnear_place place;
		int periods[3] = { 0, 0, 0 };
		if ( !neighbor_along( f, 0, center->at[0], row / 3 - 1, &place.at[0], &periods[0] ) ||
		     !neighbor_along( f, 1, center->at[1], row % 3 - 1, &place.at[1], &periods[1] ) )
		{
			continue;
		}
		int64_t cells = f->cells[2];
		int64_t first = center->at[2] - ( cells != 1 );
		int64_t last = center->at[2] + ( cells != 1 );
		if ( cells > 1 && ( first < 0 || last >= cells ) )
		{
			int step = first < 0 ? -1 : 1;
			periods[2] = step;
			place.at[2] = first < 0 ? cells - 1 : 0;
			add_run( s, &place, place.at[2], periods, &s->mark[rows + row] );
			periods[2] = 0;
		}
		int64_t greatest = f->least[2] + f->extent[2] - 1;
		first = first < f->least[2] ? f->least[2] : first;
		last = last > greatest ? greatest : last;
		place.at[2] = first;
		if ( first <= last )
		{
			add_run( s, &place, last, periods, &s->mark[row] );
		}
	}
}

static void shift_fine( uint16_t* fine, uint32_t count, uint16_t by )
{
	for ( uint32_t k = 0; k < count; ++k )
	{
		fine[k] = (uint16_t)( fine[k] + by );
	}
}

// Collects sorted particles. Up to 15 more are copied, which the next ones replace.
static void collect( grid_search* s, const grid_run* run, uint32_t first, uint32_t count )
{
	const bvwnear_cells* c = &s->among;
	bvwnear_batch* b = &s->batch;
	uint32_t to = b->count;
	for ( uint32_t k = 0; k < count; k += together )
	{
		memcpy( b->x + to + k, c->fine[0] + first + k, together * sizeof *b->x );
		memcpy( b->y + to + k, c->fine[1] + first + k, together * sizeof *b->y );
		memcpy( b->z + to + k, c->fine[2] + first + k, together * sizeof *b->z );
		memcpy( b->number + to + k, c->number + first + k, together * sizeof *b->number );
	}
	for ( uint32_t k = 0; !s->is_plain && k < count; ++k )
	{
		b->radius[to + k] = c->radius ? (uint16_t)( c->radius[first + k] * bvwnear_coarse ) : 0;
	}
	if ( run->is_shifted )
	{
		shift_fine( b->x + to, count, run->shift[0] );
		shift_fine( b->y + to, count, run->shift[1] );
		shift_fine( b->z + to, count, run->shift[2] );
	}
	b->count += count;
}

// Whether fine coordinates have a meaning around a cell.
static bool is_fine( const bvwnear_place* place )
{
	bool is_near = true;
	for ( int k = 0; k < 3; ++k )
	{
		is_near = is_near && place->at[k] > 2 - bvwnear_far && place->at[k] < bvwnear_far - 2;
	}
	return is_near;
}

// What particles of a radius are compared by.
static void set_reach( grid_search* s, double radius )
{
	double reach = ( s->job->options.distance + radius ) * s->frame.fine;
	double inner = reach - s->frame.error - ( s->among.radius ? bvwnear_coarse + 1 : 0 );
	s->query.outer = (int16_t)( reach + s->frame.error + 2 );
	s->query.inner = (int16_t)( inner < 0 ? inner - 1 : inner );
}

static void set_query( grid_search* s, uint32_t at, uint32_t number )
{
	const bvw_particles* of = &s->job->of;
	for ( int k = 0; k < 3; ++k )
	{
		s->query.at[k] = s->of.fine[k]
		                     ? s->of.fine[k][at]
		                     : bvwnear_fine_along( &s->frame, k, bvwnear_position( of, number )[k] );
	}
	if ( of->radii )
	{
		set_reach( s, bvwnear_radius( of, number ) );
	}
}

// Nothing is sure.
static void set_all( uint32_t count, bvwnear_bits* bits )
{
	memset( bits, 0, sizeof *bits );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bits->near[i / 16] |= (uint16_t)( 1u << i % 16 );
	}
}

// Compares a particle with the batch, and decides what is not sure.
static void compare( grid_search* s, uint32_t at, uint32_t number, bvwnear_bits* bits )
{
	const bvwnear_batch* b = &s->batch;
	if ( s->is_fine )
	{
		set_query( s, at, number );
	}
	if ( !s->is_fine )
	{
		set_all( b->count, bits );
	}
	else if ( s->is_plain )
	{
		s->lanes->compare( b, &s->query, bits );
	}
	else
	{
		s->lanes->compare_any( b, &s->query, bits );
	}
	for ( uint32_t i = 0; 16 * i < b->count; ++i )
	{
		for ( uint32_t open = bits->near[i] & ~(uint32_t)bits->sure[i]; open; open &= open - 1 )
		{
			uint32_t k = bvsimd_lowest_bit( open );
			if ( !bvwnear_decide( s->job, number, b->number[16 * i + k] ) )
			{
				bits->near[i] &= ( uint16_t ) ~( 1u << k );
			}
		}
	}
}

static uint32_t count_bits( uint64_t x )
{
	x = x - ( x >> 1 & UINT64_C( 0x5555555555555555 ) );
	x = ( x & UINT64_C( 0x3333333333333333 ) ) + ( x >> 2 & UINT64_C( 0x3333333333333333 ) );
	return (uint32_t)( ( ( x + ( x >> 4 ) ) & UINT64_C( 0x0f0f0f0f0f0f0f0f ) ) *
	                       UINT64_C( 0x0101010101010101 ) >>
	                   56 );
}

// Leaves out what is not to be listed: the particle itself, or all up to it.
// @return how many are left
static uint32_t leave_out( const bvwnear_job* job, uint32_t number, uint32_t* found, uint32_t count )
{
	bool is_half = job->options.half;
	uint32_t left = 0;
	for ( uint32_t k = 0; k < count; ++k )
	{
		uint32_t other = found[k];
		found[left] = other;
		left += is_half ? other > number : other != number;
	}
	return left;
}

// Counts, if the particle itself, which is its own neighbor in one of the batches of its cell, can be subtracted.
static uint32_t count_all( const grid_search* s, const bvwnear_bits* bits )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->batch.count; i += 64 )
	{
		uint64_t word;
		memcpy( &word, &bits->near[i / 16], sizeof word );
		count += count_bits( word );
	}
	return count;
}

// One particle and a batch.
// @param self     place of the particle in the batch; UINT32_MAX if it is not known
// @param is_first of the batches of its cell
static void visit_particle( grid_search* s, uint32_t at, uint32_t self, bool is_first )
{
	bvwnear_job* job = s->job;
	bvwnear_bits bits;
	uint32_t found[bvwnear_room];
	uint32_t number = s->of.number[at];
	uint64_t* begin = &job->begin[number];
	compare( s, at, number, &bits );
	job->tests += s->batch.count;
	if ( !job->is_filling && !job->options.half )
	{
		// The particle itself may be in a later batch: until then, one is missing.
		*begin += count_all( s, &bits ) - (uint64_t)( job->is_self && is_first );
		return;
	}
	bool is_left_out = self < s->batch.count;
	if ( is_left_out )
	{
		bits.near[self / 16] &= ( uint16_t ) ~( 1u << self % 16 );
	}
	uint32_t count = s->lanes->list( &s->batch, &bits, found );
	if ( job->is_self && ( job->options.half || !is_left_out ) )
	{
		count = leave_out( job, number, found, count );
	}
	uint32_t* out = job->neighbors + *begin;
	*begin += count;
	if ( job->is_filling && s->is_crowd && count > 0 )
	{
		memcpy( out, found, count * sizeof *out );
	}
	else if ( job->is_filling )
	{
		s->lanes->sort( found, count, out );
	}
}

// @param self  place of the first particle of the cell in the batch, where the others follow; UINT32_MAX if they do not
static void visit_particles( grid_search* s, uint32_t cell, uint32_t self, bool is_first )
{
	const uint32_t* number = s->of.number;
	for ( uint32_t at = s->of.start[cell]; at < s->of.start[cell + 1]; ++at )
	{
		// Lists are anywhere in memory.
		uint32_t next = at + ahead < s->of.set->count ? at + ahead : at;
		bvsimd_prefetch( &s->job->begin[number[next]] );
		if ( s->job->is_filling )
		{
			const uint32_t* out =
				s->job->neighbors + s->job->begin[number[at + 1 < s->of.set->count ? at + 1 : at]];
			bvsimd_prefetch( out );
			bvsimd_prefetch( out + 16 );
			bvsimd_prefetch( out + 32 );
		}
		visit_particle( s, at, self, is_first );
		self += self < UINT32_MAX;
	}
}

// Many particles: they are merged by their numbers, so that lists come out sorted.
static void visit_crowd( grid_search* s, uint32_t cell )
{
	grid_source source[most_sources];
	int sources = 0;
	for ( int i = 0; i < s->runs; ++i )
	{
		for ( uint32_t c = s->run[i].first_cell; c < s->run[i].end_cell; ++c )
		{
			source[sources++] = ( grid_source ){ s->among.start[c], s->among.start[c + 1], &s->run[i] };
		}
	}
	s->is_crowd = true;
	bool is_first = true;
	while ( sources > 0 )
	{
		s->batch.count = 0;
		while ( sources > 0 && s->batch.count < bvwnear_most )
		{
			int least = 0;
			for ( int i = 1; i < sources; ++i )
			{
				least = s->among.number[source[i].at] < s->among.number[source[least].at] ? i : least;
			}
			collect( s, source[least].run, source[least].at, 1 );
			if ( ++source[least].at == source[least].end )
			{
				source[least] = source[--sources];
			}
		}
		visit_particles( s, cell, UINT32_MAX, is_first );
		is_first = false;
	}
}

static void visit_cell( grid_search* s, uint32_t cell )
{
	bvwnear_place place = bvwnear_place_of( &s->of, cell );
	find_runs( s, &place );
	s->is_fine = is_fine( &place );
	const uint32_t* start = s->among.start;
	uint32_t count = 0;
	for ( int i = 0; i < s->runs; ++i )
	{
		uint32_t own = start[s->run[i].end_cell] - start[s->run[i].first_cell];
		count = own > bvwnear_most - count ? bvwnear_most + 1 : count + own;
		if ( count > bvwnear_most )
		{
			visit_crowd( s, cell );
			return;
		}
	}
	s->batch.count = 0;
	s->is_crowd = false;
	uint32_t self = UINT32_MAX;
	for ( int i = 0; i < s->runs; ++i )
	{
		const grid_run* run = &s->run[i];
		if ( s->job->is_self && run->first_cell <= cell && cell < run->end_cell )
		{
			self = s->batch.count + start[cell] - start[run->first_cell];
		}
		collect( s, run, start[run->first_cell], start[run->end_cell] - start[run->first_cell] );
	}
	if ( count > 0 )
	{
		visit_particles( s, cell, self, true );
	}
}

static void visit( bvwnear_job* job )
{
	grid_search* s = (grid_search*)(void*)job->memory;
	memset( s->mark, 0, sizeof s->mark );
	set_reach( s, 0 );
	for ( uint32_t cell = 0; cell < s->of.count; ++cell )
	{
		visit_cell( s, cell );
	}
}

const bvwnear_method bvwnear_grid = {
	.name = "grid",
	.help = "sorted into cells as wide as the reach",
	.bytes = bytes,
	.prepare = prepare,
	.visit = visit,
	.sorts_lists = true,
	.takes_periods = true,
};

// Sorts triangles by the Morton codes of their boxes' midpoints and divides them into runs, each with its
// bounding box. A run ends where the codes of neighbors differ most, so that it does not cross the largest
// jumps of the curve.
//
// Based on: G. Morton, "A computer oriented geodetic data base", 1966; C. Lauterbach et al., "Fast BVH
// Construction on GPUs", 2009, section 3.

#include "offline/hierarchy/binned_runs.h"

#include "offline/base/arena.h"
#include "runtime/math/round.h"

#include <string.h>

enum
{
	digit_bits = 10,
	digit_values = 1 << digit_bits,
	digits = 3,         // of a code: as many bits of each axis
	most_blocks = 8,    // of a thread
	usual_block = 8192, // triangles of one: digits are counted for each
	least_block = 1024,
	rooms_of_run = 3, // cuts go through so many of them
	chunk = 4096,     // no run reaches over a multiple, so that runs are the same for any number of threads
};

// A code and a triangle's index: (code << 32) + index.
typedef uint64_t binned_runs_entry;

typedef struct binned_runs_work
{
	const bvhier_build* build;
	bvhier_binned_item* boxes; // by the triangles' indices
	binned_runs_entry* entries[2];
	uint32_t ( *starts )[digit_values]; // of each block
	bvhier_binned_bounds* around;       // of each block
	uint8_t* lengths;                   // of the runs of each chunk, from the chunk's beginning on
	uint32_t* counts;                   // of the runs of each chunk
	int blocks;
	uint32_t run_most;
	bvhier_binned_curve* out;
} binned_runs_work;

// One of the equal parts that threads take, so many that none waits long for another one that the system has
// stopped.
typedef struct binned_runs_part
{
	uint32_t begin;
	uint32_t end;
} binned_runs_part;

static binned_runs_part part_of( const binned_runs_work* w, int block )
{
	uint64_t count = w->build->count;
	uint64_t all = (uint64_t)w->blocks;
	uint64_t index = (uint64_t)block;
	return ( binned_runs_part ){ (uint32_t)( index * count / all ),
		                         (uint32_t)( ( index + 1 ) * count / all ) };
}

static bvbase_float4 narrow( const bvbase_double2 x[2] )
{
	return ( bvbase_float4 ){ (float)x[0][0], (float)x[0][1], (float)x[1][0], (float)x[1][1] };
}

// In which lanes nothing was rounded.
static bvbase_long2 kept( bvbase_float4 narrowed, const bvbase_double2 from[2] )
{
	return ( bvbase_widen_low( narrowed ) == from[0] ) & ( bvbase_widen_high( narrowed ) == from[1] );
}

// Rounded outward; adding 0 makes +0 of -0.
static void set_box( bvhier_binned_item* out, const bvbase_double2 lower[2], const bvbase_double2 upper[2] )
{
	bvbase_float4 low = narrow( lower );
	bvbase_float4 high = narrow( upper );
	bvbase_long2 all = kept( low, lower ) & kept( high, upper );
	if ( all[0] & all[1] )
	{
		out->lower = low + 0.0f;
		out->upper = high + 0.0f;
		return;
	}
	for ( int i = 0; i < 3; ++i )
	{
		out->low[i] = bvmath_float_down( lower[i / 2][i % 2] ) + 0.0f;
		out->high[i] = bvmath_float_up( upper[i / 2][i % 2] ) + 0.0f;
	}
}

static void set_item( const bvb_mesh* mesh, uint32_t index, bvhier_binned_item* out )
{
	const uint32_t* corner = mesh->triangles[index].corner;
	bvbase_double2 lower[2] = { { INFINITY, INFINITY }, { INFINITY, INFINITY } };
	bvbase_double2 upper[2] = { -lower[0], -lower[1] };
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = mesh->positions[corner[k]];
		bvbase_double2 xy = { p.x, p.y };
		bvbase_double2 z = { p.z, p.z };
		lower[0] = bvbase_least2( lower[0], xy );
		lower[1] = bvbase_least2( lower[1], z );
		upper[0] = bvbase_greatest2( upper[0], xy );
		upper[1] = bvbase_greatest2( upper[1], z );
	}
	set_box( out, lower, upper );
	out->first = index;
	out->count = 1;
}

static void make_boxes( const binned_runs_work* w, int block )
{
	binned_runs_part p = part_of( w, block );
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		set_item( w->build->mesh, i, w->boxes + i );
	}
	w->around[block] = bvhier_binned_bounds_of( w->boxes + p.begin, p.end - p.begin );
}

static bvhier_binned_bounds around_all( const binned_runs_work* w )
{
	bvhier_binned_bounds all = w->around[0];
	for ( int i = 1; i < w->blocks; ++i )
	{
		const bvhier_binned_bounds* b = w->around + i;
		all.place_lower = bvbase_least4( all.place_lower, b->place_lower );
		all.place_upper = bvbase_greatest4( all.place_upper, b->place_upper );
	}
	return all;
}

// Two zeros behind each of ten bits.
static uint32_t spread( uint32_t x )
{
	x = ( x | x << 16 ) & 0x030000ff;
	x = ( x | x << 8 ) & 0x0300f00f;
	x = ( x | x << 4 ) & 0x030c30c3;
	return ( x | x << 2 ) & 0x09249249;
}

// One grid for all axes: cells are cubes.
static void make_codes( const binned_runs_work* w, const bvhier_binned_bounds* all, int block )
{
	bvbase_float4 size = all->place_upper - all->place_lower;
	float side = size[0] > size[1] ? size[0] : size[1];
	side = side > size[2] ? side : size[2];
	float scale = side > 0x1p-120f ? digit_values / side : 0;
	const float last = digit_values - 1;
	binned_runs_part p = part_of( w, block );
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		bvbase_float4 at = ( bvhier_binned_place( w->boxes + i ) - all->place_lower ) * scale;
		bvbase_int4 cell = __builtin_convertvector(
			bvbase_least4( at, ( bvbase_float4 ){ last, last, last, 0 } ), bvbase_int4 );
		uint32_t code =
			spread( (uint32_t)cell[0] ) << 2 | spread( (uint32_t)cell[1] ) << 1 | spread( (uint32_t)cell[2] );
		w->entries[0][i] = (binned_runs_entry)code << 32 | i;
	}
}

static uint32_t digit_of( binned_runs_entry e, int digit )
{
	return e >> ( 32 + digit_bits * digit ) & ( digit_values - 1 );
}

static void count_digits( const binned_runs_work* w, int digit, int block )
{
	const binned_runs_entry* from = w->entries[digit % 2];
	uint32_t* start = w->starts[block];
	binned_runs_part p = part_of( w, block );
	memset( start, 0, sizeof *w->starts );
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		start[digit_of( from[i], digit )] += 1;
	}
}

// Turns the numbers of digits into where each block's entries begin. Block after block, as they lie in
// memory.
static void add_up( const binned_runs_work* w )
{
	uint32_t next[digit_values] = { 0 };
	for ( int i = 0; i < w->blocks; ++i )
	{
		for ( int k = 0; k < digit_values; ++k )
		{
			next[k] += w->starts[i][k];
		}
	}
	uint32_t sum = 0;
	for ( int k = 0; k < digit_values; ++k )
	{
		uint32_t here = next[k];
		next[k] = sum;
		sum += here;
	}
	for ( int i = 0; i < w->blocks; ++i )
	{
		for ( int k = 0; k < digit_values; ++k )
		{
			uint32_t here = w->starts[i][k];
			w->starts[i][k] = next[k];
			next[k] += here;
		}
	}
}

// By one digit; stable.
static void sort_by_digit( const binned_runs_work* w, int digit, int block )
{
	const binned_runs_entry* from = w->entries[digit % 2];
	binned_runs_entry* to = w->entries[!( digit % 2 )];
	uint32_t* start = w->starts[block];
	binned_runs_part p = part_of( w, block );
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		to[start[digit_of( from[i], digit )]++] = from[i];
	}
}

static void sort_items( const binned_runs_work* w, int block )
{
	const binned_runs_entry* sorted = w->entries[digits % 2];
	binned_runs_part p = part_of( w, block );
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		w->out->items[i] = w->boxes[(uint32_t)sorted[i]];
	}
}

// Where the run ends that begins there: at the largest difference, the last of equal ones.
static uint32_t run_end( const binned_runs_work* w, uint32_t begin, uint32_t chunk_end )
{
	const binned_runs_entry* sorted = w->entries[digits % 2];
	uint32_t best = chunk_end - begin < w->run_most ? chunk_end : begin + w->run_most;
	uint32_t most =
		best < w->build->count ? (uint32_t)( ( sorted[best - 1] ^ sorted[best] ) >> 32 ) : UINT32_MAX;
	for ( uint32_t i = best - 1; i > begin; --i )
	{
		uint32_t here = (uint32_t)( ( sorted[i - 1] ^ sorted[i] ) >> 32 );
		best = here > most ? i : best;
		most = here > most ? here : most;
	}
	return best;
}

static uint32_t chunk_end_of( const binned_runs_work* w, uint32_t index )
{
	uint32_t end = ( index + 1 ) * chunk;
	return end < w->build->count ? end : w->build->count;
}

static void measure_runs( const binned_runs_work* w, uint32_t index )
{
	uint32_t end = chunk_end_of( w, index );
	uint32_t count = 0;
	for ( uint32_t i = index * chunk; i < end; ++count )
	{
		uint32_t next = run_end( w, i, end );
		w->lengths[index * chunk + count] = (uint8_t)( next - i );
		i = next;
	}
	w->counts[index] = count;
}

static void make_runs( const binned_runs_work* w, uint32_t index )
{
	uint32_t first = index * chunk;
	const uint8_t* length = w->lengths + first;
	bvhier_binned_item* run = w->out->runs + w->counts[index];
	for ( uint32_t end = chunk_end_of( w, index ); first < end; first += *length++ )
	{
		bvhier_binned_bounds b = bvhier_binned_bounds_of( w->out->items + first, *length );
		run->lower = b.lower;
		run->upper = b.upper;
		run->first = first;
		run->count = *length;
		run += 1;
	}
}

static uint32_t chunk_count( const binned_runs_work* w )
{
	return ( w->build->count - 1 ) / chunk + 1;
}

// Turns the numbers of runs into where each chunk's begin.
static void place_runs( const binned_runs_work* w )
{
	uint32_t sum = 0;
	for ( uint32_t i = 0; i < chunk_count( w ); ++i )
	{
		uint32_t here = w->counts[i];
		w->counts[i] = sum;
		sum += here;
	}
	w->out->run_count = sum;
	uint32_t most = w->build->count;
	w->out->most = sum < most / rooms_of_run ? sum * rooms_of_run : most;
}

static void make_entries( const binned_runs_work* w )
{
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->blocks; ++i )
	{
		make_boxes( w, i );
	}
	bvhier_binned_bounds all = around_all( w );
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->blocks; ++i )
	{
		make_codes( w, &all, i );
	}
}

static void sort_entries( const binned_runs_work* w )
{
	for ( int digit = 0; digit < digits; ++digit )
	{
#pragma omp for schedule( dynamic )
		for ( int i = 0; i < w->blocks; ++i )
		{
			count_digits( w, digit, i );
		}
#pragma omp single
		add_up( w );
#pragma omp for schedule( dynamic )
		for ( int i = 0; i < w->blocks; ++i )
		{
			sort_by_digit( w, digit, i );
		}
	}
}

// What each thread does.
static void make_all( const binned_runs_work* w )
{
	make_entries( w );
	sort_entries( w );
#pragma omp for schedule( dynamic ) nowait
	for ( int i = 0; i < w->blocks; ++i )
	{
		sort_items( w, i );
	}
#pragma omp for schedule( dynamic, 8 )
	for ( uint32_t i = 0; i < chunk_count( w ); ++i )
	{
		measure_runs( w, i );
	}
#pragma omp single
	place_runs( w );
#pragma omp for schedule( dynamic, 8 )
	for ( uint32_t i = 0; i < chunk_count( w ); ++i )
	{
		make_runs( w, i );
	}
}

static bool make_room( binned_runs_work* w, void* room )
{
	bvb_arena* arena = w->build->scratch;
	uint32_t count = w->build->count;
	size_t blocks = (size_t)w->blocks;
	w->boxes = room;
	w->entries[0] = (binned_runs_entry*)( w->boxes + count );
	w->entries[1] = w->entries[0] + count;
	w->lengths = (uint8_t*)( w->entries[1] + count );
	w->starts = bvbase_arena_allocate_unset( arena, blocks, sizeof *w->starts );
	w->around = bvbase_arena_allocate_unset( arena, blocks, sizeof *w->around );
	w->counts = bvbase_arena_allocate_unset( arena, chunk_count( w ), sizeof *w->counts );
	w->out->items = bvbase_arena_allocate_unset( arena, count, sizeof *w->out->items );
	return w->starts && w->around && w->counts && w->out->items;
}

_Static_assert( sizeof( bvhier_binned_item ) + 2 * sizeof( binned_runs_entry ) + 1 <=
                    BVHIER_BINNED_CURVE_BYTES,
                "the room is enough" );

// As many for each thread, but for few triangles.
static int block_count( const bvhier_build* build )
{
	uint32_t team = (uint32_t)build->team;
	uint32_t each = ( build->count - 1 ) / ( team * usual_block ) + 1;
	uint32_t most = ( build->count - 1 ) / least_block + 1;
	uint32_t all = team * ( each < most_blocks ? each : most_blocks );
	return team > 1 ? (int)( all < most ? all : most ) : 1;
}

bool bvhier_binned_curve_make( const bvhier_build* build, uint32_t run_most, void* room,
                               bvhier_binned_curve* out )
{
	*out = ( bvhier_binned_curve ){ .runs = room };
	binned_runs_work w = { .build = build, .run_most = run_most, .out = out };
	w.blocks = block_count( build );
	if ( !make_room( &w, room ) )
	{
		return false;
	}
#pragma omp parallel num_threads( build->team ) if ( build->team > 1 )
	make_all( &w );
	return true;
}

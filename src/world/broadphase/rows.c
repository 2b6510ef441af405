// Sort into rows: at each update all boxes are sorted into rows of a grid of cells, and along each row; boxes of a row are compared with
// those of its neighbors that begin before they end (rows_sweep.c).
//
// Boxes that are about equally long make a level, which has cells of its own (rows_cells.c). The first axis is the one along which the
// fewest boxes of a sample overlap; cells divide the two others, but not an axis along which most boxes are infinite. Boxes that are infinite otherwise are
// compared with all. If few boxes overlap along the first axis, there are no cells, and all boxes are in one row.
//
// Based on: D. Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992, section 7.1 (sweep along an axis).

#include "world/broadphase/rows_update.h"

#include "world/broadphase/order.h"
#include "world/broadphase/query.h"
#include "world/order/numbers.h"

#include "runtime/simd/bits.h"

#include <math.h>
#include <string.h>

enum
{
	columns = 7,     // bounds and numbers
	ahead = 8,       // boxes whose memory is asked for early
	most_tests = 24, // of a box, on average, if there are no cells
};

typedef bvwphase_row_update row_update;

// The arrays of the method's part of the block. Nothing of it remains between updates.
typedef enum row_array
{
	row_by_number, // bvwphase_row_entry for each number
	row_columns,   // float or uint32_t for each object and some behind it, `columns` times
	row_records,   // bvwphase_row_record for each object, twice
	row_rows,      // bvwphase_row for each object, and one behind the last of each level
	row_infinite,  // uint32_t for each object
	row_level,     // uint8_t for each number: the exponent, then the level of the object
	row_shares,    // bvwphase_row_share for each worker
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
	case row_shares: return options->workers * (uint64_t)sizeof( bvwphase_row_share );
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

// The objects that are in no level, sorted. Nothing remains of where the shares had them.
static void join_infinite( row_update* u )
{
	uint32_t count = 0;
	for ( uint32_t share = 0; share < u->team->workers; ++share )
	{
		uint32_t first = bvwphase_row_first_number( u, share );
		uint32_t of_share = u->shares[share].infinite_count;
		memmove( u->infinite + count, u->infinite + first, of_share * sizeof *u->infinite );
		count += of_share;
	}
	memset( u->infinite + count, 0, ( u->world->highest - count ) * sizeof *u->infinite );
	bvworder_sort_numbers( u->infinite, count );
	u->boxes.infinite = u->infinite;
	u->boxes.infinite_count = count;
}

static void sort_records( row_update* u )
{
	uint32_t first[BVW_MAX_WORKERS];
	uint32_t counts[BVW_MAX_WORKERS];
	for ( uint32_t share = 0; share < u->team->workers; ++share )
	{
		first[share] = bvwphase_row_first_number( u, share );
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
	uint32_t end = bvwteam_share( b->count, u->team->workers, share + 1 );
	for ( uint32_t i = bvwteam_share( b->count, u->team->workers, share ); i < end; ++i )
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
		uint64_t length = bvwphase_row_layer( u->use + k );
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

static bool find_on( bvw_broadphase* world, const bvwteam_team* team )
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
	// One sample at a time: they take stack.
	bvwphase_row_sample sample;
	double spread[3];
	double tests[3];
	int axis = 0;
	for ( int k = 0; k < 3; ++k )
	{
		sample = bvwphase_row_sample_of( world, k );
		spread[k] = bvwphase_row_spread( &sample );
		tests[k] = spread[k] < 0 ? INFINITY : bvwphase_row_tests( &sample, world->live );
		bool is_better = tests[k] < tests[axis] || ( tests[k] == tests[axis] && spread[k] > spread[axis] );
		axis = is_better ? k : axis;
	}
	bool is_one_row = tests[axis] <= most_tests;
	for ( int k = 0; k < 3; ++k )
	{
		u.axes[k] = ( axis + k ) % 3;
		u.is_flat[k] = k > 0 && ( is_one_row || ( spread[axis] >= 0 && spread[u.axes[k]] < 0 ) );
	}
	sample = bvwphase_row_sample_of( world, axis );
	if ( u.is_flat[1] && u.is_flat[2] )
	{
		bvwphase_row_make_one( &u, &sample );
	}
	else
	{
		bvwphase_row_make_levels( &u, &sample, spread );
	}
	join_infinite( &u );
	sort_records( &u );
	place_columns( &u );
	bvwteam_run( team, fill_columns, &u );
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

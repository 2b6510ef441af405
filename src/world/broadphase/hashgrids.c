// Hierarchical hash grids: an object is in exactly one cell of one grid, that of its lower corner in the grid with the shortest cells
// that are longer than its longest side.
//
// Based on: F. Schornbaum, "Hierarchical hash grids for coarse collision detection", 2009, as in J. Leemann's thesis on collision
// detection, 2017, and in the physics engine pe.
//
// Cells of the first grid are sqrt( 2 ) times as long as the first object, those of others longer or shorter by powers of two. A
// grid has 16^3 cells; the hash of a cell is its coordinates modulo 16, so that neighbors remain neighbors. Grids with fewer than 8
// cells an object get 8 times as many. Up to 32 objects there are no grids. An object is compared with its cell and 13
// neighbors, if all objects of the grid changed, or 26; and with at most 27 cells of each coarser grid. Infinite
// objects, and those for which there is no grid, are in a list, and are compared with all.
//
// Memory is planned: one pool of cells for all grids, 8 to 64 cells an object and at least 4096. Grids are laid out in it after as
// many changes as there are objects. If it is too small, all grids get fewer cells, at least 4^3; a grid that is created between has
// what remains.

#include "world/broadphase/cells.h"

enum
{
	most_grids = 32,
	usual_bits = 4, // 16 cells along an axis
	least_bits = 2, // neighbors have to be different cells
	cells_by_object = 8,
	least_objects = 32, // above it there are grids
	finest_step =
		-24, // cells of the first grid are 2^24 times as long; smaller objects are in this grid, too
	coarsest_step = 40,
};

typedef struct hash_grid
{
	double inverse;   // of the length of cells
	int32_t step;     // they are 2^step times as long as those of the first grid
	uint32_t bits;    // 2^bits cells along each axis
	uint32_t at;      // first cell in the pool
	uint32_t count;   // objects; 0: the grid is free
	uint32_t first;   // of them
	uint32_t changed; // during find: objects in the list of changed ones
} hash_grid;

typedef struct hash_grids
{
	double first_length; // of cells of the first grid; 0: there are no grids
	uint64_t changes;    // since grids were laid out
	uint32_t grids;      // of the array; some can be free
	uint32_t pool;       // cells
	uint32_t pool_used;
	uint32_t list; // first object without a grid
	uint32_t list_count;
	uint32_t less; // bits along an axis that large grids lack, because the pool is too small
	hash_grid grid[most_grids];
} hash_grids;

static hash_grids* grids_of( const bvw_broadphase* world )
{
	return bvwphase_after_spots( world );
}

static uint32_t* cells_of( const bvw_broadphase* world )
{
	return (uint32_t*)( grids_of( world ) + 1 );
}

static uint32_t pool_for( uint32_t objects )
{
	uint32_t cells = 1 << 3 * usual_bits;
	while ( cells < (uint64_t)cells_by_object * objects )
	{
		cells *= 8;
	}
	return cells;
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return bvwphase_spots_bytes( options->objects ) + sizeof( hash_grids ) +
	       4 * (uint64_t)pool_for( options->objects );
}

static void begin( bvw_broadphase* world )
{
	hash_grids* h = grids_of( world );
	h->pool = pool_for( world->options.objects );
	h->list = BVWPHASE_NONE;
}

// @return where the first object of a cell is
static uint32_t* head_of( const bvw_broadphase* world, const hash_grid* g, const int32_t cell[3] )
{
	uint32_t mask = ( UINT32_C( 1 ) << g->bits ) - 1;
	uint32_t row = ( (uint32_t)cell[2] & mask ) << g->bits | ( (uint32_t)cell[1] & mask );
	return cells_of( world ) + g->at + ( row << g->bits | ( (uint32_t)cell[0] & mask ) );
}

static double inverse_at( const hash_grids* h, int step )
{
	return 1 / ( h->first_length * bvwphase_power_of_two( step ) );
}

// @return the cells of a box of finite sides in the grid of the shortest cells that are long enough
static bvwphase_range choose_step( const hash_grids* h, const bv_aabb* box, int* step )
{
	int by_side = bvwphase_exponent_above( bvwphase_longest_side( box ) / h->first_length );
	int by_place = bvwphase_exponent_above( bvwphase_reach( box ) / h->first_length ) - bvwphase_cell_bits;
	*step = by_side > by_place ? by_side : by_place;
	*step = *step > finest_step ? *step : finest_step;
	bvwphase_range r = bvwphase_range_of( box, inverse_at( h, *step ) );
	while ( !bvwphase_is_short( &r ) && *step <= coarsest_step ) // whatever rounding does
	{
		++*step;
		r = bvwphase_range_of( box, inverse_at( h, *step ) );
	}
	return r;
}

static void clear_cells( bvw_broadphase* world, const hash_grid* g )
{
	memset( cells_of( world ) + g->at, 0xff, sizeof( uint32_t ) << 3 * g->bits );
}

// @return index of the grid of a step, or BVWPHASE_LISTED if there is none
static uint32_t grid_with( const hash_grids* h, int step )
{
	for ( uint32_t i = 0; i < h->grids; ++i )
	{
		if ( h->grid[i].count > 0 && h->grid[i].step == step )
		{
			return i;
		}
	}
	return BVWPHASE_LISTED;
}

// Makes a grid where another one was that has become empty, or in what remains of the pool.
// @return BVWPHASE_LISTED if there is no room
static uint32_t new_grid( bvw_broadphase* world, int step )
{
	hash_grids* h = grids_of( world );
	uint32_t i = 0;
	while ( i < h->grids && h->grid[i].count > 0 )
	{
		++i;
	}
	if ( i == most_grids )
	{
		return BVWPHASE_LISTED;
	}
	hash_grid* g = h->grid + i;
	if ( i == h->grids )
	{
		uint32_t bits = usual_bits;
		while ( bits >= least_bits && UINT32_C( 1 ) << 3 * bits > h->pool - h->pool_used )
		{
			--bits;
		}
		if ( bits < least_bits )
		{
			return BVWPHASE_LISTED;
		}
		*g = ( hash_grid ){ .bits = bits, .at = h->pool_used };
		h->pool_used += UINT32_C( 1 ) << 3 * bits;
		++h->grids;
		clear_cells( world, g );
	}
	g->step = step;
	g->inverse = inverse_at( h, step );
	g->first = BVWPHASE_NONE;
	return i;
}

// @return grid and cell of an object; makes the grid if there is none
static bvwphase_spot place_of( bvw_broadphase* world, const bv_aabb* box )
{
	const hash_grids* h = grids_of( world );
	bvwphase_spot p = { .level = BVWPHASE_LISTED };
	if ( h->first_length == 0 || bvwphase_longest_side( box ) == (double)INFINITY )
	{
		return p;
	}
	int step;
	bvwphase_range r = choose_step( h, box, &step );
	if ( step <= coarsest_step )
	{
		memcpy( p.cell, r.low, sizeof p.cell );
		p.level = grid_with( h, step );
		p.level = p.level == BVWPHASE_LISTED ? new_grid( world, step ) : p.level;
	}
	return p;
}

static void link_object( bvw_broadphase* world, uint32_t number )
{
	hash_grids* h = grids_of( world );
	const bvwphase_spot* p = bvwphase_spots( world ) + number;
	if ( p->level == BVWPHASE_LISTED )
	{
		bvwphase_link_in( bvwphase_level_links( world ), &h->list, number );
		++h->list_count;
		return;
	}
	hash_grid* g = h->grid + p->level;
	bvwphase_link_in( bvwphase_level_links( world ), &g->first, number );
	bvwphase_link_in( bvwphase_cell_links( world ), head_of( world, h->grid + p->level, p->cell ), number );
	++g->count;
}

static void unlink_object( bvw_broadphase* world, uint32_t number )
{
	hash_grids* h = grids_of( world );
	const bvwphase_spot* p = bvwphase_spots( world ) + number;
	if ( p->level == BVWPHASE_LISTED )
	{
		bvwphase_unlink( bvwphase_level_links( world ), &h->list, number );
		--h->list_count;
		return;
	}
	hash_grid* g = h->grid + p->level;
	bvwphase_unlink( bvwphase_level_links( world ), &g->first, number );
	bvwphase_unlink( bvwphase_cell_links( world ), head_of( world, h->grid + p->level, p->cell ), number );
	--g->count;
}

static void add( bvw_broadphase* world, uint32_t number )
{
	grids_of( world )->changes += bvwphase_change_weight;
	bvwphase_spots( world )[number] = place_of( world, &bvwphase_objects( world )[number].box );
	link_object( world, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	grids_of( world )->changes += bvwphase_change_weight;
	unlink_object( world, number );
}

// An object that remains in its grid goes to another cell.
static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	hash_grids* h = grids_of( world );
	bvwphase_spot* p = bvwphase_spots( world ) + number;
	bvwphase_spot to = place_of( world, &bvwphase_objects( world )[number].box );
	++h->changes;
	if ( to.level == p->level &&
	     ( to.level == BVWPHASE_LISTED || memcmp( to.cell, p->cell, sizeof to.cell ) == 0 ) )
	{
		return;
	}
	if ( to.level == p->level )
	{
		bvwphase_unlink( bvwphase_cell_links( world ), head_of( world, h->grid + p->level, p->cell ),
		                 number );
		bvwphase_link_in( bvwphase_cell_links( world ), head_of( world, h->grid + to.level, to.cell ),
		                  number );
		*p = to;
		return;
	}
	unlink_object( world, number );
	*p = to;
	link_object( world, number );
}

// Of the first object with a size; of points, a length that tells them apart.
static double choose_first_length( const bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	double reach = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( bvwphase_is_finite( objects + i ) )
		{
			double side = bvwphase_longest_side( &objects[i].box );
			if ( side > 0 )
			{
				return bvwphase_greater( side * 1.4142135623730951,
				                         bvwphase_power_of_two( bvwphase_finest_cell ) );
			}
			reach = bvwphase_greater( reach, bvwphase_reach( &objects[i].box ) );
		}
	}
	return bvwphase_greater( reach * 0x1p-4, bvwphase_power_of_two( bvwphase_finest_cell ) );
}

// Steps of objects that are to have grids, and how many objects there are of each. Steps beyond most_grids have none.
typedef struct demand
{
	uint32_t grids;
	int32_t step[most_grids];
	uint32_t count[most_grids];
} demand;

static demand demand_of( const bvw_broadphase* world )
{
	const hash_grids* h = grids_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t counts[coarsest_step - finest_step + 1] = { 0 };
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( bvwphase_is_finite( objects + i ) )
		{
			int step;
			choose_step( h, &objects[i].box, &step );
			if ( step <= coarsest_step )
			{
				++counts[step - finest_step];
			}
		}
	}
	demand d = { .grids = 0 };
	for ( int step = finest_step; step <= coarsest_step && d.grids < most_grids; ++step )
	{
		if ( counts[step - finest_step] > 0 )
		{
			d.step[d.grids] = step;
			d.count[d.grids++] = counts[step - finest_step];
		}
	}
	return d;
}

// @param less  bits along an axis that are left out of large grids
static uint32_t bits_for( uint32_t objects, uint32_t less )
{
	uint32_t bits = usual_bits;
	while ( UINT64_C( 1 ) << 3 * bits < (uint64_t)cells_by_object * objects )
	{
		++bits;
	}
	return bits < least_bits + less ? least_bits : bits - less;
}

static uint64_t cells_for( const demand* d, uint32_t less )
{
	uint64_t cells = 0;
	for ( uint32_t i = 0; i < d->grids; ++i )
	{
		cells += UINT64_C( 1 ) << 3 * bits_for( d->count[i], less );
	}
	return cells;
}

// Whether grids are to be laid out again: some have too few cells, or finite objects have none.
static bool is_crowded( const bvw_broadphase* world )
{
	const hash_grids* h = grids_of( world );
	bool is = h->first_length == 0 || h->list_count > world->live / 8;
	for ( uint32_t i = 0; i < h->grids; ++i )
	{
		is = is || bits_for( h->grid[i].count, h->less ) > h->grid[i].bits;
	}
	return is;
}

static void link_all( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			bvwphase_spots( world )[i] = place_of( world, &objects[i].box );
			link_object( world, i );
		}
	}
}

// Lays out the grids where it is time to.
static void lay_out( bvw_broadphase* world )
{
	hash_grids* h = grids_of( world );
	if ( !bvwphase_choice_is_due( world, h->changes ) || world->live <= least_objects ||
	     !is_crowded( world ) )
	{
		return;
	}
	h->changes = 0;
	h->first_length = choose_first_length( world );
	demand d = demand_of( world );
	h->less = 0;
	while ( cells_for( &d, h->less ) > h->pool )
	{
		++h->less;
	}
	h->grids = d.grids;
	h->pool_used = 0;
	h->list = BVWPHASE_NONE;
	h->list_count = 0;
	for ( uint32_t i = 0; i < d.grids; ++i )
	{
		// One object that is not there keeps the grid until its objects come.
		uint32_t bits = bits_for( d.count[i], h->less );
		h->grid[i] = ( hash_grid ){ .inverse = inverse_at( h, d.step[i] ),
			                        .step = d.step[i],
			                        .bits = bits,
			                        .at = h->pool_used,
			                        .count = 1,
			                        .first = BVWPHASE_NONE };
		clear_cells( world, h->grid + i );
		h->pool_used += UINT32_C( 1 ) << 3 * bits;
	}
	link_all( world );
	for ( uint32_t i = 0; i < d.grids; ++i )
	{
		--h->grid[i].count;
	}
}

// The cells of a grid, each once, in which objects that touch a box can be. If there are more cells than objects, or the range goes
// around the grid, the list of all objects is shorter.
// @return false if it is
static bool cells_around( const hash_grid* g, const bv_aabb* box, bvwphase_range* out )
{
	*out = bvwphase_range_around( box, g->inverse );
	bool is_around = false;
	for ( int k = 0; k < 3; ++k )
	{
		is_around = is_around || (int64_t)out->high[k] - out->low[k] >= INT64_C( 1 ) << g->bits;
	}
	return !is_around && bvwphase_cells_in( out ) <= (uint64_t)g->count + 27;
}

static bool compare_with_grid( bvw_broadphase* world, uint32_t a, const hash_grid* g, bvwphase_rule rule )
{
	bvwphase_range r;
	if ( !cells_around( g, &bvwphase_objects( world )[a].box, &r ) )
	{
		return bvwphase_compare_with_chain( world, a, bvwphase_level_links( world ), g->first, rule );
	}
	const bvwphase_link* links = bvwphase_cell_links( world );
	bool has_room = true;
	int32_t cell[3] = { r.low[0], r.low[1], r.low[2] };
	do
	{
		has_room = bvwphase_compare_with_chain( world, a, links, *head_of( world, g, cell ), rule );
	} while ( has_room && bvwphase_next_cell( &r, cell ) );
	return has_room;
}

static bool compare_cell( bvw_broadphase* world, const hash_grid* g, const int32_t own[3] )
{
	uint32_t first[bvwphase_cells_before];
	uint32_t count = 0;
	for ( int i = 0; i < bvwphase_cells_before; ++i )
	{
		int32_t cell[3];
		bvwphase_cell_before( own, i, cell );
		first[count] = *head_of( world, g, cell );
		count += first[count] != BVWPHASE_NONE;
	}
	return bvwphase_compare_cell( world, bvwphase_cell_links( world ), *head_of( world, g, own ), first,
	                              count );
}

// Pairs within a grid of which all objects changed. Cell by cell, so that boxes are read again soon.
static bool compare_within( bvw_broadphase* world, const hash_grid* g )
{
	int32_t last = ( INT32_C( 1 ) << g->bits ) - 1;
	const bvwphase_range all = { .high = { last, last, last } };
	int32_t cell[3] = { 0, 0, 0 };
	bool has_room = true;
	do
	{
		has_room = *head_of( world, g, cell ) == BVWPHASE_NONE || compare_cell( world, g, cell );
	} while ( has_room && bvwphase_next_cell( &all, cell ) );
	return has_room;
}

// Objects of finer grids that changed find coarser ones themselves.
static bool compare( bvw_broadphase* world, uint32_t a )
{
	const hash_grids* h = grids_of( world );
	uint32_t own = bvwphase_spots( world )[a].level;
	if ( own == BVWPHASE_LISTED )
	{
		return bvwphase_compare_with_all( world, a );
	}
	bool has_room = bvwphase_compare_with_chain( world, a, bvwphase_level_links( world ), h->list,
	                                             bvwphase_report_lower );
	for ( uint32_t i = 0; i < h->grids && has_room; ++i )
	{
		const hash_grid* g = h->grid + i;
		bool all_changed = g->changed == g->count;
		if ( i == own )
		{
			has_room = all_changed || compare_with_grid( world, a, g, bvwphase_report_lower );
		}
		else if ( g->step > h->grid[own].step )
		{
			has_room = g->count == 0 || compare_with_grid( world, a, g, bvwphase_report_all );
		}
		else
		{
			has_room = all_changed || compare_with_grid( world, a, g, bvwphase_report_unchanged );
		}
	}
	return has_room;
}

static void count_changed( bvw_broadphase* world )
{
	hash_grids* h = grids_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	for ( uint32_t i = 0; i < h->grids; ++i )
	{
		h->grid[i].changed = 0;
	}
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		uint32_t grid = bvwphase_spots( world )[changed[i]].level;
		if ( ( objects[changed[i]].state & bvwphase_is_live ) && grid != BVWPHASE_LISTED )
		{
			++h->grid[grid].changed;
		}
	}
}

static bool find( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	lay_out( world );
	count_changed( world );
	const hash_grids* h = grids_of( world );
	bool has_room = true;
	for ( uint32_t i = 0; i < h->grids && has_room; ++i )
	{
		const hash_grid* g = h->grid + i;
		has_room = g->count == 0 || g->changed < g->count || compare_within( world, g );
	}
	for ( uint32_t i = 0; i < world->changed_count && has_room; ++i )
	{
		has_room = !( objects[changed[i]].state & bvwphase_is_live ) || compare( world, changed[i] );
	}
	return has_room;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const hash_grids* h = grids_of( world );
	bvwphase_look_at_chain( query, bvwphase_level_links( world ), h->list );
	for ( uint32_t i = 0; i < h->grids; ++i )
	{
		const hash_grid* g = h->grid + i;
		bvwphase_range r;
		if ( g->count == 0 || !cells_around( g, &query->box, &r ) )
		{
			bvwphase_look_at_chain( query, bvwphase_level_links( world ),
			                        g->count > 0 ? g->first : BVWPHASE_NONE );
			continue;
		}
		int32_t cell[3] = { r.low[0], r.low[1], r.low[2] };
		do
		{
			bvwphase_look_at_chain( query, bvwphase_cell_links( world ), *head_of( world, g, cell ) );
		} while ( bvwphase_next_cell( &r, cell ) );
	}
}

const bvwphase_method bvwphase_hashgrids = {
	.name = "hash-grids",
	.help = "a small grid that repeats itself for each size of objects (Schornbaum 2009)",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.finds_known = true,
	.overlap = overlap,
};

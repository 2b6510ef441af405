// Uniform grid: an object is in each cell that its box meets.
//
// Based on: J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, chapter 6; M. Kravec,
// "Detekcia kolizie", section on grids.
//
// A pair is reported in one cell only: the one with the greater of both lower corners. Cells are `size_in_means` times as long as the
// objects are on average, over the longest sides. The length is chosen again after as many changes as there are objects, and
// taken if it differs much. Memory is linear: at most 8 cells an object on average, and most_cells for one. Objects for
// which there is no room, infinite ones, and new ones before the first update are in a list, and are compared with all.

#include "world/broadphase/cells.h"

enum
{
	cells_by_object = 8, // on average
	most_cells = 64,     // of an object
	weight = 8,          // of an added or removed object among changes; a move has 1
};

static const double size_in_means = 2;
static const double much = 1.5; // how many times as long or as short cells have to become to be changed

// An object.
typedef struct uniform_cover
{
	bvwphase_range range; // of one with cells
	uint32_t first;       // of its entries
	uint32_t is_listed;
} uniform_cover;

typedef struct uniform_grid
{
	double inverse;    // of the length of cells; 0: all objects are in the list
	uint64_t changes;  // since the length was chosen
	uint32_t listed;   // first object of the list
	uint32_t entered;  // objects with cells
	uint64_t links_at; // of the list; offsets from here
	uint64_t table_at;
} uniform_grid;

static uniform_grid* grid_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

static uniform_cover* covers_of( const bvw_broadphase* world )
{
	return (uniform_cover*)( grid_of( world ) + 1 );
}

static bvwphase_link* links_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at + grid_of( world )->links_at );
}

static bvwphase_table* table_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at + grid_of( world )->table_at );
}

static uint64_t lay_out( uint32_t objects, uniform_grid* g )
{
	g->links_at = sizeof( uniform_grid ) + objects * (uint64_t)sizeof( uniform_cover );
	g->table_at = g->links_at + objects * (uint64_t)sizeof( bvwphase_link );
	return g->table_at + bvwphase_table_bytes( objects, cells_by_object );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uniform_grid g;
	return lay_out( options->objects, &g );
}

static void begin( bvw_broadphase* world )
{
	uniform_grid* g = grid_of( world );
	lay_out( world->options.objects, g );
	g->listed = BVWPHASE_NONE;
	bvwphase_table_begin( table_of( world ), world->options.objects, cells_by_object );
}

// @return false if the object has no cells: it is infinite, too large, or the length of cells was not chosen yet
static bool make_range( const uniform_grid* g, const bv_aabb* box, bvwphase_range* out )
{
	if ( g->inverse == 0 || bvwphase_longest_side( box ) == (double)INFINITY )
	{
		return false;
	}
	*out = bvwphase_range_of( box, g->inverse );
	return bvwphase_cells_in( out ) <= most_cells;
}

static void put_into_list( bvw_broadphase* world, uint32_t number )
{
	bvwphase_link_in( links_of( world ), &grid_of( world )->listed, number );
	covers_of( world )[number].is_listed = true;
}

static void enter( bvw_broadphase* world, uint32_t number )
{
	uniform_grid* g = grid_of( world );
	uniform_cover* c = covers_of( world ) + number;
	const bv_aabb* box = &bvwphase_objects( world )[number].box;
	*c = ( uniform_cover ){ .first = BVWPHASE_NONE };
	if ( make_range( g, box, &c->range ) &&
	     bvwphase_table_enter( table_of( world ), number, &c->first, 0, &c->range, NULL ) )
	{
		++g->entered;
		return;
	}
	bvwphase_table_leave( table_of( world ), &c->first, NULL );
	put_into_list( world, number );
}

static void leave( bvw_broadphase* world, uint32_t number )
{
	uniform_cover* c = covers_of( world ) + number;
	if ( c->is_listed )
	{
		bvwphase_unlink( links_of( world ), &grid_of( world )->listed, number );
		return;
	}
	bvwphase_table_leave( table_of( world ), &c->first, NULL );
	--grid_of( world )->entered;
}

static void add( bvw_broadphase* world, uint32_t number )
{
	grid_of( world )->changes += weight;
	enter( world, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	grid_of( world )->changes += weight;
	leave( world, number );
}

static bool ranges_meet( const bvwphase_range* a, const bvwphase_range* b )
{
	bool meet = true;
	for ( int k = 0; k < 3; ++k )
	{
		meet = meet && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
	}
	return meet;
}

// An object that goes to cells beside those that it had leaves some and enters others.
static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	uniform_grid* g = grid_of( world );
	uniform_cover* c = covers_of( world ) + number;
	const bv_aabb* box = &bvwphase_objects( world )[number].box;
	++g->changes;
	bvwphase_range to;
	bool has_cells = make_range( g, box, &to );
	if ( c->is_listed ? !has_cells : has_cells && memcmp( &to, &c->range, sizeof to ) == 0 )
	{
		return;
	}
	if ( !c->is_listed && has_cells && ranges_meet( &to, &c->range ) )
	{
		bvwphase_range was = c->range;
		c->range = to;
		bvwphase_table_leave( table_of( world ), &c->first, &to );
		if ( bvwphase_table_enter( table_of( world ), number, &c->first, 0, &to, &was ) )
		{
			return;
		}
	}
	leave( world, number );
	enter( world, number );
}

// @return the length of cells for the sizes that there are; 0 if there are no finite objects
static double best_length( const bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	double sum = 0;
	double count = 0;
	double reach = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		double side = bvwphase_longest_side( &objects[i].box );
		if ( ( objects[i].state & bvwphase_is_live ) && side < (double)INFINITY )
		{
			sum += side;
			count += 1;
			reach = bvwphase_greater( reach, bvwphase_reach( &objects[i].box ) );
		}
	}
	// Points have no size. They share no cells unless there are many.
	double length = sum > 0 ? size_in_means * ( sum / count ) : reach * 0x1p-20;
	return count > 0 ? bvwphase_greater( length, bvwphase_power_of_two( bvwphase_finest_cell ) ) : 0;
}

// Chooses the length of cells again where it is time to.
static void choose( bvw_broadphase* world )
{
	uniform_grid* g = grid_of( world );
	if ( g->changes == 0 || g->changes < (uint64_t)weight * world->live / 2 + world->highest / 16 )
	{
		return;
	}
	g->changes = 0;
	double length = best_length( world );
	double ratio = length * g->inverse;
	bool has_strays = g->entered + g->entered / 8 < world->live; // which may fit by now
	if ( length == 0 || ( ratio > 1 / much && ratio < much && !has_strays ) )
	{
		return;
	}
	g->inverse = 1 / length;
	g->listed = BVWPHASE_NONE;
	g->entered = 0;
	bvwphase_table_begin( table_of( world ), world->options.objects, cells_by_object );
	const bvwphase_object* objects = bvwphase_objects( world );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			enter( world, i );
		}
	}
}

// @return whether a cell is the one with the greater of both lower corners
static bool is_begin_of_both( const bvwphase_range* a, const bvwphase_range* b, int32_t x, int32_t y,
                              int32_t z )
{
	return ( a->low[0] > b->low[0] ? a->low[0] : b->low[0] ) == x &&
	       ( a->low[1] > b->low[1] ? a->low[1] : b->low[1] ) == y &&
	       ( a->low[2] > b->low[2] ? a->low[2] : b->low[2] ) == z;
}

// Likewise, of a cell in which both are.
static bool is_begin_of_tag( const bvwphase_range* a, const bvwphase_range* b, uint32_t tag )
{
	return bvwphase_tag_of( 0, a->low[0] > b->low[0] ? a->low[0] : b->low[0],
	                        a->low[1] > b->low[1] ? a->low[1] : b->low[1],
	                        a->low[2] > b->low[2] ? a->low[2] : b->low[2] ) == tag;
}

// The cells of a range, bucket by bucket.
typedef struct uniform_walk
{
	const bvwphase_range* range;
	int32_t x, y, z;
	uint32_t row;
	uint32_t tag;
	uint32_t entry; // next one
} uniform_walk;

static void go_to_row( uniform_walk* w, const bvwphase_table* table )
{
	w->x = w->range->low[0];
	w->row = bvwphase_row_hash( 0, w->y, w->z );
	w->tag = bvwphase_tag_of( 0, w->x, w->y, w->z );
	w->entry = bvwphase_table_heads( table )[( w->row + (uint32_t)w->x ) & table->mask];
}

static uniform_walk walk_through( const bvwphase_table* table, const bvwphase_range* range )
{
	uniform_walk w = { .range = range, .y = range->low[1], .z = range->low[2] };
	go_to_row( &w, table );
	return w;
}

// @return false after the last cell
static bool next_cell( uniform_walk* w, const bvwphase_table* table )
{
	if ( w->x < w->range->high[0] )
	{
		++w->x;
		w->tag = bvwphase_tag_of( 0, w->x, w->y, w->z );
		w->entry = bvwphase_table_heads( table )[( w->row + (uint32_t)w->x ) & table->mask];
		return true;
	}
	if ( w->y == w->range->high[1] && w->z == w->range->high[2] )
	{
		return false;
	}
	w->z += w->y == w->range->high[1];
	w->y = w->y == w->range->high[1] ? w->range->low[1] : w->y + 1;
	go_to_row( w, table );
	return true;
}

// @return the next object in the cells, once for each cell in which it is; BVWPHASE_NONE if there are no more
static inline uint32_t next( uniform_walk* w, const bvwphase_table* table )
{
	const bvwphase_entry* entries = bvwphase_table_entries( table );
	for ( ;; )
	{
		while ( w->entry != BVWPHASE_NONE )
		{
			const bvwphase_entry* e = entries + w->entry;
			w->entry = e->next;
			if ( e->tag == w->tag )
			{
				return e->object;
			}
		}
		if ( !next_cell( w, table ) )
		{
			return BVWPHASE_NONE;
		}
	}
}

static bool compare_with_cells( bvw_broadphase* world, uint32_t a )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const bvwphase_table* table = table_of( world );
	const uniform_cover* covers = covers_of( world );
	uniform_walk w = walk_through( table, &covers[a].range );
	for ( uint32_t b = next( &w, table ); b != BVWPHASE_NONE; b = next( &w, table ) )
	{
		if ( !bvwphase_boxes_touch( &objects[a].box, &objects[b].box ) )
		{
			++world->tests;
		}
		else if ( is_begin_of_both( &covers[a].range, &covers[b].range, w.x, w.y, w.z ) &&
		          !bvwphase_compare( world, a, b, bvwphase_report_lower ) )
		{
			return false;
		}
	}
	return true;
}

// The pairs of a bucket in which an object changed.
static bool compare_bucket( bvw_broadphase* world, uint32_t head )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const bvwphase_entry* entries = bvwphase_table_entries( table_of( world ) );
	const uniform_cover* covers = covers_of( world );
	for ( uint32_t i = head; i != BVWPHASE_NONE; i = entries[i].next )
	{
		uint32_t a = entries[i].object;
		for ( uint32_t k = entries[i].next; k != BVWPHASE_NONE; k = entries[k].next )
		{
			uint32_t b = entries[k].object;
			if ( entries[k].tag != entries[i].tag )
			{
				continue;
			}
			if ( !bvwphase_boxes_touch( &objects[a].box, &objects[b].box ) )
			{
				++world->tests;
			}
			else if ( is_begin_of_tag( &covers[a].range, &covers[b].range, entries[i].tag ) &&
			          !bvwphase_compare( world, a, b, bvwphase_report_changed ) )
			{
				return false;
			}
		}
	}
	return true;
}

// All cells, where most objects changed.
static bool compare_all_cells( bvw_broadphase* world )
{
	const bvwphase_table* table = table_of( world );
	const uint32_t* heads = bvwphase_table_heads( table );
	bool has_room = true;
	for ( uint32_t i = 0; i <= table->mask && has_room; ++i )
	{
		has_room = compare_bucket( world, heads[i] );
	}
	return has_room;
}

static bool find( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	choose( world );
	const uniform_cover* covers = covers_of( world );
	bool by_cells = world->changed_count > world->live / 2;
	bool has_room = !by_cells || compare_all_cells( world );
	for ( uint32_t i = 0; i < world->changed_count && has_room; ++i )
	{
		uint32_t a = changed[i];
		if ( !( objects[a].state & bvwphase_is_live ) )
		{
			continue;
		}
		if ( covers[a].is_listed )
		{
			has_room = bvwphase_compare_with_all( world, a );
		}
		else
		{
			has_room = bvwphase_compare_with_chain( world, a, links_of( world ), grid_of( world )->listed,
			                                        bvwphase_report_lower ) &&
			           ( by_cells || compare_with_cells( world, a ) );
		}
	}
	return has_room;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const uniform_grid* g = grid_of( world );
	const bvwphase_table* table = table_of( world );
	const bvwphase_link* links = links_of( world );
	const uniform_cover* covers = covers_of( world );
	if ( g->inverse == 0 )
	{
		bvwphase_look_at_all( world, query );
		return;
	}
	bvwphase_range range = bvwphase_range_of( &query->box, g->inverse );
	if ( bvwphase_cells_in( &range ) > world->live )
	{
		bvwphase_look_at_all( world, query );
		return;
	}
	for ( uint32_t b = g->listed; b != BVWPHASE_NONE; b = links[b].next )
	{
		bvwphase_look_at( query, b );
	}
	uniform_walk w = walk_through( table, &range );
	for ( uint32_t b = next( &w, table ); b != BVWPHASE_NONE; b = next( &w, table ) )
	{
		if ( is_begin_of_both( &range, &covers[b].range, w.x, w.y, w.z ) )
		{
			bvwphase_look_at( query, b );
		}
	}
}

const bvwphase_method bvwphase_uniform = {
	.name = "uniform",
	.help = "a hashed grid of equal cells, with an object in each cell that it meets",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.finds_known = true,
	.overlap = overlap,
};

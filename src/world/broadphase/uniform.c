// Uniform grid: an object is in each cell that its box meets.
//
// Based on: J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, chapter 6; M. Kravec,
// "Detekcia kolizie", section on grids.
//
// A pair is reported in one cell only: the one with the greater of both lower corners. Cells are `size_in_means` times as long as the
// objects are on average, over the longest sides. The length is chosen again after as many changes as there are objects, and
// taken if it differs much. Memory is linear: at most 8 cells an object on average, and most_cells for one. Objects for
// which there is no room, infinite ones, and new ones before the first update are in a list, and are compared with all.

#include "world/broadphase/cell_table.h"

enum
{
	cells_by_object = 8, // on average
	most_cells = 64,     // of an object
};

static const double size_in_means = 2;
static const double much = 1.5; // how many times as long or as short cells have to become to be changed

typedef struct uniform_grid
{
	double inverse;   // of the length of cells; 0: all objects are in the list
	uint64_t changes; // since the length was chosen
} uniform_grid;

static uniform_grid* grid_of( const bvw_broadphase* world )
{
	return bvwphase_after_covers( world );
}

static bvwphase_table* table_of( const bvw_broadphase* world )
{
	return (bvwphase_table*)( grid_of( world ) + 1 );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return bvwphase_covers_bytes( options->objects ) + sizeof( uniform_grid ) +
	       bvwphase_table_bytes( options->objects, cells_by_object );
}

static void begin( bvw_broadphase* world )
{
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

static void enter( bvw_broadphase* world, uint32_t number )
{
	bvwphase_table* table = table_of( world );
	bvwphase_cover* c = bvwphase_covers( world ) + number;
	*c = ( bvwphase_cover ){ .first = BVWPHASE_NONE };
	if ( !make_range( grid_of( world ), &bvwphase_objects( world )[number].box, &c->range ) ||
	     !bvwphase_table_enter( table, number, &c->first, 0, &c->range, NULL ) )
	{
		bvwphase_table_list( world, table, number );
	}
}

static void add( bvw_broadphase* world, uint32_t number )
{
	grid_of( world )->changes += bvwphase_change_weight;
	enter( world, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	grid_of( world )->changes += bvwphase_change_weight;
	bvwphase_table_remove( world, table_of( world ), number );
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
	bvwphase_cover* c = bvwphase_covers( world ) + number;
	bool is_listed = c->level == BVWPHASE_LISTED;
	++g->changes;
	bvwphase_range to;
	bool has_cells = make_range( g, &bvwphase_objects( world )[number].box, &to );
	if ( is_listed ? !has_cells : has_cells && memcmp( &to, &c->range, sizeof to ) == 0 )
	{
		return;
	}
	if ( !is_listed && has_cells && ranges_meet( &to, &c->range ) )
	{
		bvwphase_range was = c->range;
		c->range = to;
		bvwphase_table_leave( table_of( world ), &c->first, &to );
		if ( bvwphase_table_enter( table_of( world ), number, &c->first, 0, &to, &was ) )
		{
			return;
		}
	}
	bvwphase_table_remove( world, table_of( world ), number );
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
		if ( bvwphase_is_finite( objects + i ) )
		{
			sum += bvwphase_longest_side( &objects[i].box );
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
	if ( !bvwphase_choice_is_due( world, g->changes ) )
	{
		return;
	}
	g->changes = 0;
	double length = best_length( world );
	double ratio = length * g->inverse;
	uint32_t entered = world->live - table_of( world )->listed;
	bool has_strays = entered + entered / 8 < world->live; // which may fit by now
	if ( length == 0 || ( ratio > 1 / much && ratio < much && !has_strays ) )
	{
		return;
	}
	g->inverse = 1 / length;
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
	const bvwphase_cover* covers = bvwphase_covers( world );
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
	const bvwphase_cover* covers = bvwphase_covers( world );
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
	choose( world );
	return bvwphase_table_find( world, table_of( world ), compare_all_cells, compare_with_cells );
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const uniform_grid* g = grid_of( world );
	const bvwphase_table* table = table_of( world );
	const bvwphase_cover* covers = bvwphase_covers( world );
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
	bvwphase_look_at_chain( query, bvwphase_list_links( world ), table->list );
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

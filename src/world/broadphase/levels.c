// Hierarchical grid: levels of cells that halve, with an object in the cells that it meets of its own level and of all coarser ones.
//
// Based on: M. Kravec, "Detekcia kolizie", section on hierarchical grids. Cells of level i are s_i = s_0 / 2^i long; the resolution of
// an object is the level where its longest side is a s_i to b s_i, a = 1/2, b = 1. Two objects are compared at the lower of
// both resolutions. An object whose cells changed is removed and added again.
//
// a and b are 1/17 less than printed: rounded sides are often a little more than a power of two. The greatest size s_0 is such that the
// most objects are in `levels` levels. It is chosen again after as many changes as there are objects, and taken if it differs. Smaller
// objects are in the last level, larger ones in a list, and compared with all.
//
// A cell holds residents, whose resolution is its level, and guests, whose resolution is finer, apart: an object is compared with
// residents of coarser levels, and with both of its own. Levels that no object has as its own are not entered until one has.
//
// Memory is linear: at most entries_by_object cells an object on average. An object meets at most 8 cells of a level, on average 5
// of its own and 2.5, 1.6, 1.3, ... of coarser ones: 23 cells of 16 levels. Objects for which there is no room are in the list.

#include "world/broadphase/cell_table.h"

enum
{
	levels = 16,
	entries_by_object = 24,
	exponents = bvwphase_coarsest_cell - bvwphase_finest_cell + 1,
	guest = levels, // is added to the kind of cells
};

typedef struct hierarchy
{
	int32_t coarsest; // exponent of s_0, during the time that is_chosen
	uint32_t is_chosen;
	uint64_t changes; // since s_0 was chosen
	uint32_t open;    // levels with guests, as bits
	uint32_t unused;
	uint32_t count[levels]; // objects
} hierarchy;

static hierarchy* hierarchy_of( const bvw_broadphase* world )
{
	return bvwphase_after_covers( world );
}

static bvwphase_table* table_of( const bvw_broadphase* world )
{
	return (bvwphase_table*)( hierarchy_of( world ) + 1 );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return bvwphase_covers_bytes( options->objects ) + sizeof( hierarchy ) +
	       bvwphase_table_bytes( options->objects, entries_by_object );
}

static void begin( bvw_broadphase* world )
{
	bvwphase_table_begin( table_of( world ), world->options.objects, entries_by_object );
}

// @return the exponent of the shortest cells that an object is shorter than
static int exponent_of( const bv_aabb* box )
{
	return bvwphase_exponent_above( bvwphase_longest_side( box ) * 1.0625 );
}

// Cells of coarser levels follow from those of the finest one, which are cut off at 2^30.
static int32_t coarser_cell( int32_t cell, uint32_t levels_up )
{
	return cell >= 0 ? cell >> levels_up : ~( ~cell >> levels_up );
}

static bvwphase_range coarser_range( const bvwphase_range* range, uint32_t levels_up )
{
	bvwphase_range r;
	for ( int k = 0; k < 3; ++k )
	{
		r.low[k] = coarser_cell( range->low[k], levels_up );
		r.high[k] = coarser_cell( range->high[k], levels_up );
	}
	return r;
}

static bvwphase_range range_at( const hierarchy* h, const bv_aabb* box, uint32_t level )
{
	bvwphase_range r = bvwphase_range_of( box, bvwphase_power_of_two( levels - 1 - h->coarsest ) );
	return coarser_range( &r, levels - 1 - level );
}

// @return the level of an object with finite sides; BVWPHASE_LISTED if it is too large
static uint32_t level_of( const hierarchy* h, const bv_aabb* box )
{
	int level = h->coarsest - exponent_of( box );
	return level < 0 ? BVWPHASE_LISTED : level < levels ? (uint32_t)level : levels - 1;
}

// @return level and cells of an object
static bvwphase_cover place_of( const hierarchy* h, const bv_aabb* box )
{
	bvwphase_cover p = { .first = BVWPHASE_NONE, .level = BVWPHASE_LISTED };
	if ( h->is_chosen && bvwphase_longest_side( box ) < (double)INFINITY )
	{
		p.level = level_of( h, box );
		p.range = p.level < levels ? range_at( h, box, p.level ) : p.range;
	}
	return p;
}

static bool enter_as_guest( bvw_broadphase* world, uint32_t number, uint32_t level )
{
	bvwphase_cover* p = bvwphase_covers( world ) + number;
	bvwphase_range range = coarser_range( &p->range, p->level - level );
	return bvwphase_table_enter( table_of( world ), number, &p->first, guest + level, &range, NULL );
}

// The first object of a level finds those of finer levels as guests.
static void open_level( bvw_broadphase* world, uint32_t level )
{
	hierarchy* h = hierarchy_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const bvwphase_cover* places = bvwphase_covers( world );
	h->open |= UINT32_C( 1 ) << level;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( ( objects[i].state & bvwphase_is_live ) && places[i].level < levels && places[i].level > level &&
		     !enter_as_guest( world, i, level ) )
		{
			--h->count[places[i].level];
			bvwphase_table_list( world, table_of( world ), i );
		}
	}
}

// The object is in no cells, and has level and range.
static void enter( bvw_broadphase* world, uint32_t number )
{
	hierarchy* h = hierarchy_of( world );
	bvwphase_cover* p = bvwphase_covers( world ) + number;
	uint32_t level = p->level;
	bool has_room = level != BVWPHASE_LISTED;
	if ( has_room && !( h->open >> level & 1 ) )
	{
		p->level = BVWPHASE_LISTED; // not yet to be entered
		open_level( world, level );
		p->level = level;
	}
	for ( uint32_t i = 0; i < level && has_room; ++i )
	{
		has_room = !( h->open >> i & 1 ) || enter_as_guest( world, number, i );
	}
	if ( has_room && bvwphase_table_enter( table_of( world ), number, &p->first, level, &p->range, NULL ) )
	{
		++h->count[level];
	}
	else
	{
		bvwphase_table_list( world, table_of( world ), number );
	}
}

static void leave( bvw_broadphase* world, uint32_t number )
{
	uint32_t level = bvwphase_covers( world )[number].level;
	if ( level != BVWPHASE_LISTED )
	{
		--hierarchy_of( world )->count[level];
	}
	bvwphase_table_remove( world, table_of( world ), number );
}

static void add( bvw_broadphase* world, uint32_t number )
{
	hierarchy* h = hierarchy_of( world );
	h->changes += bvwphase_change_weight;
	bvwphase_covers( world )[number] = place_of( h, &bvwphase_objects( world )[number].box );
	enter( world, number );
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	hierarchy* h = hierarchy_of( world );
	bvwphase_cover* p = bvwphase_covers( world ) + number;
	bvwphase_cover to = place_of( h, &bvwphase_objects( world )[number].box );
	++h->changes;
	if ( to.level == p->level &&
	     ( to.level == BVWPHASE_LISTED || memcmp( &to.range, &p->range, sizeof to.range ) == 0 ) )
	{
		return;
	}
	leave( world, number );
	*p = to;
	enter( world, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	hierarchy_of( world )->changes += bvwphase_change_weight;
	leave( world, number );
	bvwphase_covers( world )[number] = ( bvwphase_cover ){ .level = BVWPHASE_LISTED };
}

// @return the exponent of s_0 with which the most objects are in levels of their own size; of equal ones, the greatest;
// `exponents` if no object is finite
static int best_exponent( const bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t sizes[exponents] = { 0 };
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( bvwphase_is_finite( objects + i ) )
		{
			++sizes[exponent_of( &objects[i].box ) - bvwphase_finest_cell];
		}
	}
	uint32_t within = 0;
	uint32_t most = 0;
	int best = exponents;
	for ( int e = 0; e < exponents; ++e )
	{
		within += sizes[e] - ( e >= levels ? sizes[e - levels] : 0 );
		if ( within > most || ( within == most && sizes[e] > 0 ) )
		{
			most = within;
			best = e + bvwphase_finest_cell;
		}
	}
	return best;
}

// Chooses s_0 again where it is time to. Objects of the list may have room then, and levels without objects are closed.
static void choose( bvw_broadphase* world )
{
	hierarchy* h = hierarchy_of( world );
	if ( !bvwphase_choice_is_due( world, h->changes ) )
	{
		return;
	}
	h->changes = 0;
	int exponent = best_exponent( world );
	bool has_strays = table_of( world )->listed > world->live / 8;
	if ( exponent == exponents || ( h->is_chosen && exponent == h->coarsest && !has_strays ) )
	{
		return;
	}
	bvwphase_table_begin( table_of( world ), world->options.objects, entries_by_object );
	h->coarsest = exponent;
	h->is_chosen = true;
	h->open = 0;
	memset( h->count, 0, sizeof h->count );
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_cover* places = bvwphase_covers( world );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		places[i] = ( bvwphase_cover ){ .level = BVWPHASE_LISTED };
		if ( objects[i].state & bvwphase_is_live )
		{
			places[i] = place_of( h, &objects[i].box );
			h->open |= places[i].level < levels ? UINT32_C( 1 ) << places[i].level : 0;
		}
	}
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			enter( world, i );
		}
	}
}

// @return whether a cell of a level is the one with the greater of both lower corners
static bool is_begin_of_both( const bvwphase_range* a, const bvwphase_cover* b, uint32_t level,
                              const int32_t cell[3] )
{
	bool is_begin = true;
	for ( int k = 0; k < 3; ++k )
	{
		int32_t low = coarser_cell( b->range.low[k], b->level - level );
		is_begin = is_begin && ( a->low[k] > low ? a->low[k] : low ) == cell[k];
	}
	return is_begin;
}

// What a changed object, or the box of a query, is compared with in the cells of a level.
typedef struct level_search
{
	bvw_broadphase* world; // null of a query
	bvwphase_query* query;
	const bv_aabb* box;
	uint32_t object;
	bvwphase_rule rule;
	uint32_t level;
	uint32_t kind; // residents or guests
	bvwphase_range range;
} level_search;

// @param first  entry of the cell's bucket that is looked at
// @return false if there is no room for a pair
static bool search_cell( const level_search* s, const bvw_broadphase* world, uint32_t first,
                         const int32_t cell[3] )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const bvwphase_cover* places = bvwphase_covers( world );
	const bvwphase_entry* entries = bvwphase_table_entries( table_of( world ) );
	uint32_t tag = bvwphase_tag_of( s->kind, cell[0], cell[1], cell[2] );
	for ( uint32_t i = first; i != BVWPHASE_NONE; i = entries[i].next )
	{
		uint32_t b = entries[i].object;
		if ( entries[i].tag != tag )
		{
			continue;
		}
		if ( !bvwphase_boxes_touch( s->box, &objects[b].box ) )
		{
			*( s->world ? &s->world->tests : &s->query->tests ) += 1;
			continue;
		}
		if ( !is_begin_of_both( &s->range, places + b, s->level, cell ) )
		{
			continue;
		}
		if ( s->query )
		{
			bvwphase_look_at( s->query, b );
		}
		else if ( !bvwphase_compare( s->world, s->object, b, s->rule ) )
		{
			return false;
		}
	}
	return true;
}

static bool search_level( const level_search* s, const bvw_broadphase* world )
{
	const bvwphase_table* table = table_of( world );
	const uint32_t* heads = bvwphase_table_heads( table );
	const bvwphase_range* r = &s->range;
	bool has_room = true;
	for ( int32_t z = r->low[2]; z <= r->high[2]; ++z )
	{
		for ( int32_t y = r->low[1]; y <= r->high[1]; ++y )
		{
			uint32_t row = bvwphase_row_hash( s->kind, y, z );
			for ( int32_t x = r->low[0]; x <= r->high[0] && has_room; ++x )
			{
				const int32_t cell[3] = { x, y, z };
				has_room = search_cell( s, world, heads[( row + (uint32_t)x ) & table->mask], cell );
			}
		}
	}
	return has_room;
}

// Residents of a level and of all coarser ones, and guests of the level.
// @param own  cells of the box at the level
static bool search_from( level_search* s, const bvw_broadphase* world, uint32_t level,
                         const bvwphase_range* own )
{
	const hierarchy* h = hierarchy_of( world );
	bool has_room = true;
	for ( uint32_t i = 0; i <= level && has_room; ++i )
	{
		if ( h->count[i] > 0 )
		{
			s->range = coarser_range( own, level - i );
			s->level = s->kind = i;
			has_room = search_level( s, world );
		}
	}
	if ( has_room )
	{
		s->range = *own;
		s->level = level;
		s->kind = guest + level;
		has_room = search_level( s, world );
	}
	return has_room;
}

static bool compare_with_cells( bvw_broadphase* world, uint32_t a )
{
	const bvwphase_cover* p = bvwphase_covers( world ) + a;
	level_search s = {
		.world = world, .box = &bvwphase_objects( world )[a].box, .object = a, .rule = bvwphase_report_lower
	};
	return search_from( &s, world, p->level, &p->range );
}

// The coordinate of a cell of an object, of which the tag has eight bits.
static int32_t coordinate_of( uint32_t tag, int axis, int32_t low )
{
	return low + (int32_t)( ( ( tag >> 8 * axis ) - (uint32_t)low ) & 255 );
}

// A resident of a cell with those after it, and with the guests of the cell.
static bool compare_resident( bvw_broadphase* world, const bvwphase_entry* e, bool has_finer )
{
	const bvwphase_table* table = table_of( world );
	const bvwphase_cover* p = bvwphase_covers( world ) + e->object;
	level_search s = { .world = world,
		               .box = &bvwphase_objects( world )[e->object].box,
		               .object = e->object,
		               .rule = bvwphase_report_changed,
		               .level = p->level,
		               .kind = p->level,
		               .range = p->range };
	int32_t cell[3];
	for ( int k = 0; k < 3; ++k )
	{
		cell[k] = coordinate_of( e->tag, k, p->range.low[k] );
	}
	bool has_room = search_cell( &s, world, e->next, cell );
	if ( has_room && has_finer )
	{
		s.kind = guest + p->level;
		uint32_t bucket = bvwphase_row_hash( s.kind, cell[1], cell[2] ) + (uint32_t)cell[0];
		has_room = search_cell( &s, world, bvwphase_table_heads( table )[bucket & table->mask], cell );
	}
	return has_room;
}

// All cells, where most objects changed.
static bool compare_all_cells( bvw_broadphase* world )
{
	const hierarchy* h = hierarchy_of( world );
	const bvwphase_table* table = table_of( world );
	const bvwphase_entry* entries = bvwphase_table_entries( table );
	uint32_t finest = 0; // level with objects
	for ( uint32_t i = 0; i < levels; ++i )
	{
		finest = h->count[i] > 0 ? i : finest;
	}
	bool has_room = true;
	for ( uint32_t i = 0; i <= table->mask; ++i )
	{
		for ( uint32_t k = bvwphase_table_heads( table )[i]; k != BVWPHASE_NONE && has_room;
		      k = entries[k].next )
		{
			uint32_t kind = entries[k].tag >> 24;
			has_room = kind >= guest || compare_resident( world, entries + k, kind < finest );
		}
	}
	return has_room;
}

static bool find( bvw_broadphase* world )
{
	choose( world );
	return bvwphase_table_find( world, table_of( world ), compare_all_cells, compare_with_cells );
}

// From the level of the box itself, or the next coarser one with guests. The coarsest level always has some.
static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const hierarchy* h = hierarchy_of( world );
	uint32_t level = h->is_chosen ? place_of( h, &query->box ).level : 0;
	level = level < levels ? level : 0;
	while ( level > 0 && !( h->open >> level & 1 ) )
	{
		--level;
	}
	bvwphase_range own = range_at( h, &query->box, level );
	if ( !h->is_chosen || bvwphase_cells_in( &own ) > world->live )
	{
		bvwphase_look_at_all( world, query );
		return;
	}
	bvwphase_look_at_chain( query, bvwphase_list_links( world ), table_of( world )->list );
	level_search s = { .query = query, .box = &query->box };
	search_from( &s, world, level, &own );
}

const bvwphase_method bvwphase_levels = {
	.name = "levels",
	.help = "a hierarchy of grids, with an object in cells of its own level and of coarser ones",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.finds_known = true,
	.overlap = overlap,
};

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

#include "world/broadphase/cells.h"

enum
{
	levels = 16,
	entries_by_object = 24,
	exponents = bvwphase_coarsest_cell - bvwphase_finest_cell + 1,
	weight = 8, // of an added or removed object among changes; a move has 1
	listed = levels,
	guest = levels, // is added to the kind of cells
};

// An object.
typedef struct level_place
{
	bvwphase_range range; // at its own level
	uint32_t first;       // of its entries
	uint32_t level;       // `listed` if it has no cells
} level_place;

typedef struct hierarchy
{
	int32_t coarsest; // exponent of s_0, during the time that is_chosen
	uint32_t is_chosen;
	uint32_t open;    // levels with guests, as bits
	uint32_t list;    // first object of the list
	uint64_t changes; // since s_0 was chosen
	uint64_t links_at;
	uint64_t table_at;
	uint32_t count[levels + 1]; // objects
	uint32_t unused;
} hierarchy;

static hierarchy* hierarchy_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

static level_place* places_of( const bvw_broadphase* world )
{
	return (level_place*)( hierarchy_of( world ) + 1 );
}

static bvwphase_link* links_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at + hierarchy_of( world )->links_at );
}

static bvwphase_table* table_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at + hierarchy_of( world )->table_at );
}

static uint64_t lay_out( uint32_t objects, hierarchy* h )
{
	h->links_at = sizeof( hierarchy ) + objects * (uint64_t)sizeof( level_place );
	h->table_at = h->links_at + objects * (uint64_t)sizeof( bvwphase_link );
	return h->table_at + bvwphase_table_bytes( objects, entries_by_object );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	hierarchy h;
	return lay_out( options->objects, &h );
}

static void begin( bvw_broadphase* world )
{
	hierarchy* h = hierarchy_of( world );
	lay_out( world->options.objects, h );
	h->list = BVWPHASE_NONE;
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

// @return the level of an object with finite sides; `listed` if it is too large
static uint32_t level_of( const hierarchy* h, const bv_aabb* box )
{
	int level = h->coarsest - exponent_of( box );
	return level < 0 ? listed : level < levels ? (uint32_t)level : levels - 1;
}

// @return level and cells of an object
static level_place place_of( const hierarchy* h, const bv_aabb* box )
{
	level_place p = { .first = BVWPHASE_NONE, .level = listed };
	if ( h->is_chosen && bvwphase_longest_side( box ) < (double)INFINITY )
	{
		p.level = level_of( h, box );
		p.range = p.level < listed ? range_at( h, box, p.level ) : p.range;
	}
	return p;
}

static void put_into_list( bvw_broadphase* world, uint32_t number )
{
	hierarchy* h = hierarchy_of( world );
	level_place* p = places_of( world ) + number;
	bvwphase_table_leave( table_of( world ), &p->first, NULL );
	p->level = listed;
	++h->count[listed];
	bvwphase_link_in( links_of( world ), &h->list, number );
}

static bool enter_as_guest( bvw_broadphase* world, uint32_t number, uint32_t level )
{
	level_place* p = places_of( world ) + number;
	bvwphase_range range = coarser_range( &p->range, p->level - level );
	return bvwphase_table_enter( table_of( world ), number, &p->first, guest + level, &range, NULL );
}

// The first object of a level finds those of finer levels as guests.
static void open_level( bvw_broadphase* world, uint32_t level )
{
	hierarchy* h = hierarchy_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const level_place* places = places_of( world );
	h->open |= UINT32_C( 1 ) << level;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( ( objects[i].state & bvwphase_is_live ) && places[i].level < listed && places[i].level > level &&
		     !enter_as_guest( world, i, level ) )
		{
			--h->count[places[i].level];
			put_into_list( world, i );
		}
	}
}

// The object is in no cells, and has level and range.
static void enter( bvw_broadphase* world, uint32_t number )
{
	hierarchy* h = hierarchy_of( world );
	level_place* p = places_of( world ) + number;
	uint32_t level = p->level;
	bool has_room = level < listed;
	if ( has_room && !( h->open >> level & 1 ) )
	{
		p->level = listed; // not yet to be entered
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
		put_into_list( world, number );
	}
}

static void leave( bvw_broadphase* world, uint32_t number )
{
	hierarchy* h = hierarchy_of( world );
	level_place* p = places_of( world ) + number;
	--h->count[p->level];
	if ( p->level == listed )
	{
		bvwphase_unlink( links_of( world ), &h->list, number );
	}
	bvwphase_table_leave( table_of( world ), &p->first, NULL );
}

static void add( bvw_broadphase* world, uint32_t number )
{
	hierarchy* h = hierarchy_of( world );
	h->changes += weight;
	places_of( world )[number] = place_of( h, &bvwphase_objects( world )[number].box );
	enter( world, number );
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	hierarchy* h = hierarchy_of( world );
	level_place* p = places_of( world ) + number;
	level_place to = place_of( h, &bvwphase_objects( world )[number].box );
	++h->changes;
	if ( to.level == p->level &&
	     ( to.level == listed || memcmp( &to.range, &p->range, sizeof to.range ) == 0 ) )
	{
		return;
	}
	leave( world, number );
	*p = to;
	enter( world, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	hierarchy_of( world )->changes += weight;
	leave( world, number );
	places_of( world )[number] = ( level_place ){ .level = listed };
}

// @return the exponent of s_0 with which the most objects are in levels of their own size; of equal ones, the greatest;
// `exponents` if no object is finite
static int best_exponent( const bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t sizes[exponents] = { 0 };
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( ( objects[i].state & bvwphase_is_live ) &&
		     bvwphase_longest_side( &objects[i].box ) < (double)INFINITY )
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
	if ( h->changes == 0 || h->changes < (uint64_t)weight * world->live / 2 + world->highest / 16 )
	{
		return;
	}
	h->changes = 0;
	int exponent = best_exponent( world );
	bool has_strays = h->count[listed] > world->live / 8;
	if ( exponent == exponents || ( h->is_chosen && exponent == h->coarsest && !has_strays ) )
	{
		return;
	}
	bvwphase_table_begin( table_of( world ), world->options.objects, entries_by_object );
	h->coarsest = exponent;
	h->is_chosen = true;
	h->list = BVWPHASE_NONE;
	h->open = 0;
	memset( h->count, 0, sizeof h->count );
	const bvwphase_object* objects = bvwphase_objects( world );
	level_place* places = places_of( world );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		places[i] = ( level_place ){ .level = listed };
		if ( objects[i].state & bvwphase_is_live )
		{
			places[i] = place_of( h, &objects[i].box );
			h->open |= places[i].level < listed ? UINT32_C( 1 ) << places[i].level : 0;
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
static bool is_begin_of_both( const bvwphase_range* a, const level_place* b, uint32_t level,
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
	const level_place* places = places_of( world );
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
	const level_place* p = places_of( world ) + a;
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
	const level_place* p = places_of( world ) + e->object;
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
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	const level_place* places = places_of( world );
	choose( world );
	bool by_cells = world->changed_count > world->live / 2;
	bool has_room = !by_cells || compare_all_cells( world );
	for ( uint32_t i = 0; i < world->changed_count && has_room; ++i )
	{
		uint32_t a = changed[i];
		if ( !( objects[a].state & bvwphase_is_live ) )
		{
			continue;
		}
		if ( places[a].level == listed )
		{
			has_room = bvwphase_compare_with_all( world, a );
		}
		else
		{
			has_room = bvwphase_compare_with_chain( world, a, links_of( world ), hierarchy_of( world )->list,
			                                        bvwphase_report_lower ) &&
			           ( by_cells || compare_with_cells( world, a ) );
		}
	}
	return has_room;
}

// From the level of the box itself, or the next coarser one with guests. The coarsest level always has some.
static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const hierarchy* h = hierarchy_of( world );
	uint32_t level = h->is_chosen ? place_of( h, &query->box ).level : 0;
	level = level < listed ? level : 0;
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
	const bvwphase_link* links = links_of( world );
	for ( uint32_t b = h->list; b != BVWPHASE_NONE; b = links[b].next )
	{
		bvwphase_look_at( query, b );
	}
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

// Spatial hash: a table of cells of all sizes, with open addressing, and a list of objects for each cell.
//
// Based on: M. Overmars, "Point location in fat subdivisions", 1992 (grids by size); B. Mirtich, "Impulse-based dynamic simulation of
// rigid body systems", 1996 (hierarchical spatial hash tables); M. Teschner, B. Heidelberger, M. Mueller, D. Pomeranets, M. Gross,
// "Optimized spatial hashing for collision detection of deformable objects", 2003; D. Knuth, "The art of computer programming 3",
// 1973, 6.4, algorithm R (deletion from a table with linear probing).
//
// An object is in one cell, that of its lower corner at the level of its size: the shortest cells that are longer than its longest
// side. Cells are 1.25 * 2^k long: sides are often powers of two, and little longer cells have few objects. Keys are level and
// coordinates. A cell that becomes empty is removed at once: cells that follow are shifted back.
//
// A list has objects of one cell only, so that no cells of objects are read, and an empty cell costs one probe. Where all objects of
// a level changed, cells are gone through instead of objects: 13 neighbors are looked up once for all objects of a cell.

#include "world/broadphase/cells.h"

enum
{
	infinite = bvwphase_coarsest_cell - bvwphase_finest_cell + 1, // the level of objects without bounds
	levels,
};

// A cell in the table.
typedef struct hash_slot
{
	int32_t cell[3];
	uint32_t level;
	uint32_t first; // object; BVWPHASE_NONE if the slot is free
} hash_slot;

typedef struct level_of_hash
{
	uint32_t count;   // objects
	uint32_t first;   // of them
	uint32_t changed; // during find: objects in the list of changed ones
	uint32_t at;      // index in `used`
} level_of_hash;

typedef struct spatial_hash
{
	uint32_t mask; // number of slots - 1
	uint32_t used_count;
	uint32_t used[levels]; // levels with objects
	level_of_hash level[levels];
} spatial_hash;

static spatial_hash* hash_of( const bvw_broadphase* world )
{
	return bvwphase_after_spots( world );
}

static hash_slot* slots_of( const bvw_broadphase* world )
{
	return (hash_slot*)( hash_of( world ) + 1 );
}

// At most half of the slots are in use.
static uint32_t slots_for( uint32_t objects )
{
	return bvwphase_buckets_for( 2 * (uint64_t)objects );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return bvwphase_aligned( bvwphase_spots_bytes( options->objects ) + sizeof( spatial_hash ) +
	                         slots_for( options->objects ) * (uint64_t)sizeof( hash_slot ) );
}

static void begin( bvw_broadphase* world )
{
	spatial_hash* h = hash_of( world );
	h->mask = slots_for( world->options.objects ) - 1;
	for ( uint32_t i = 0; i < levels; ++i )
	{
		h->level[i].first = BVWPHASE_NONE;
	}
	hash_slot* slots = slots_of( world );
	for ( uint32_t i = 0; i <= h->mask; ++i )
	{
		slots[i].first = BVWPHASE_NONE;
	}
}

static double inverse_at( uint32_t level )
{
	return 0.8 * bvwphase_power_of_two( -( (int)level + bvwphase_finest_cell ) );
}

static bvwphase_spot place_of( const bv_aabb* box )
{
	bvwphase_spot p = { { 0, 0, 0 }, infinite };
	double side = bvwphase_longest_side( box );
	if ( side == (double)INFINITY )
	{
		return p;
	}
	int by_side = bvwphase_exponent_above( side * 0.8 );
	int by_place = bvwphase_exponent_above( bvwphase_reach( box ) ) - bvwphase_cell_bits;
	int exponent = by_side > by_place ? by_side : by_place;
	bvwphase_range r;
	do
	{
		p.level = (uint32_t)( exponent++ - bvwphase_finest_cell );
		r = bvwphase_range_of( box, inverse_at( p.level ) );
	} while ( !bvwphase_is_short( &r ) );
	memcpy( p.cell, r.low, sizeof p.cell );
	return p;
}

static bool is_cell( const hash_slot* s, uint32_t level, int32_t x, int32_t y, int32_t z )
{
	return s->cell[0] == x && s->cell[1] == y && s->cell[2] == z && s->level == level;
}

// @return the slot of a cell, or the free one where it would be
static hash_slot* find_slot( hash_slot* slots, uint32_t mask, uint32_t level, int32_t x, int32_t y,
                             int32_t z )
{
	uint32_t i = ( bvwphase_row_hash( level, y, z ) + (uint32_t)x ) & mask;
	while ( slots[i].first != BVWPHASE_NONE && !is_cell( slots + i, level, x, y, z ) )
	{
		i = ( i + 1 ) & mask;
	}
	return slots + i;
}

// Shifts back what follows a slot that has become free, unless it would come before where it belongs.
static void close_gap( hash_slot* slots, uint32_t mask, uint32_t gap )
{
	for ( uint32_t i = ( gap + 1 ) & mask; slots[i].first != BVWPHASE_NONE; i = ( i + 1 ) & mask )
	{
		const hash_slot* s = slots + i;
		uint32_t home = bvwphase_row_hash( s->level, s->cell[1], s->cell[2] ) + (uint32_t)s->cell[0];
		if ( ( ( i - home ) & mask ) >= ( ( i - gap ) & mask ) )
		{
			slots[gap] = *s;
			gap = i;
		}
	}
	slots[gap].first = BVWPHASE_NONE;
}

static void link_to_cell( bvw_broadphase* world, uint32_t number )
{
	const bvwphase_spot* p = bvwphase_spots( world ) + number;
	hash_slot* s =
		find_slot( slots_of( world ), hash_of( world )->mask, p->level, p->cell[0], p->cell[1], p->cell[2] );
	memcpy( s->cell, p->cell, sizeof s->cell );
	s->level = p->level;
	bvwphase_link_in( bvwphase_cell_links( world ), &s->first, number );
}

static void unlink_from_cell( bvw_broadphase* world, uint32_t number )
{
	const bvwphase_spot* p = bvwphase_spots( world ) + number;
	hash_slot* slots = slots_of( world );
	uint32_t mask = hash_of( world )->mask;
	bvwphase_link* links = bvwphase_cell_links( world );
	uint32_t unused = BVWPHASE_NONE;
	if ( links[number].previous != BVWPHASE_NONE )
	{
		bvwphase_unlink( links, &unused, number );
		return;
	}
	hash_slot* s = find_slot( slots, mask, p->level, p->cell[0], p->cell[1], p->cell[2] );
	bvwphase_unlink( links, &s->first, number );
	if ( s->first == BVWPHASE_NONE )
	{
		close_gap( slots, mask, (uint32_t)( s - slots ) );
	}
}

static void link_to_level( bvw_broadphase* world, uint32_t number )
{
	spatial_hash* h = hash_of( world );
	uint32_t level = bvwphase_spots( world )[number].level;
	if ( h->level[level].count++ == 0 )
	{
		h->level[level].at = h->used_count;
		h->used[h->used_count++] = level;
	}
	bvwphase_link_in( bvwphase_level_links( world ), &h->level[level].first, number );
}

static void unlink_from_level( bvw_broadphase* world, uint32_t number )
{
	spatial_hash* h = hash_of( world );
	level_of_hash* l = h->level + bvwphase_spots( world )[number].level;
	bvwphase_unlink( bvwphase_level_links( world ), &l->first, number );
	if ( --l->count == 0 )
	{
		uint32_t last = h->used[--h->used_count];
		h->used[l->at] = last;
		h->level[last].at = l->at;
	}
}

static void add( bvw_broadphase* world, uint32_t number )
{
	bvwphase_spots( world )[number] = place_of( &bvwphase_objects( world )[number].box );
	link_to_level( world, number );
	link_to_cell( world, number );
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	bvwphase_spot* p = bvwphase_spots( world ) + number;
	bvwphase_spot to = place_of( &bvwphase_objects( world )[number].box );
	bool same_level = to.level == p->level;
	if ( same_level && memcmp( to.cell, p->cell, sizeof to.cell ) == 0 )
	{
		return;
	}
	unlink_from_cell( world, number );
	if ( !same_level )
	{
		unlink_from_level( world, number );
	}
	*p = to;
	if ( !same_level )
	{
		link_to_level( world, number );
	}
	link_to_cell( world, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	unlink_from_cell( world, number );
	unlink_from_level( world, number );
}

// The cells of a level in which objects that touch a box can be.
// @return false if there are more cells than objects
static bool cells_around( const spatial_hash* h, uint32_t level, const bv_aabb* box, bvwphase_range* out )
{
	if ( level == infinite )
	{
		return false;
	}
	*out = bvwphase_range_around( box, inverse_at( level ) );
	return bvwphase_cells_in( out ) <= h->level[level].count;
}

static bool compare_with_level( bvw_broadphase* world, uint32_t a, uint32_t level, bvwphase_rule rule )
{
	const spatial_hash* h = hash_of( world );
	bvwphase_range r;
	if ( !cells_around( h, level, &bvwphase_objects( world )[a].box, &r ) )
	{
		return bvwphase_compare_with_chain( world, a, bvwphase_level_links( world ), h->level[level].first,
		                                    rule );
	}
	hash_slot* slots = slots_of( world );
	const bvwphase_link* links = bvwphase_cell_links( world );
	bool has_room = true;
	int32_t cell[3] = { r.low[0], r.low[1], r.low[2] };
	do
	{
		uint32_t first = find_slot( slots, h->mask, level, cell[0], cell[1], cell[2] )->first;
		has_room = bvwphase_compare_with_chain( world, a, links, first, rule );
	} while ( has_room && bvwphase_next_cell( &r, cell ) );
	return has_room;
}

static bool compare_cells( bvw_broadphase* world, const hash_slot* s )
{
	const spatial_hash* h = hash_of( world );
	uint32_t first[bvwphase_cells_before];
	uint32_t count = 0;
	for ( int i = 0; i < bvwphase_cells_before; ++i )
	{
		int32_t cell[3];
		bvwphase_cell_before( s->cell, i, cell );
		first[count] = find_slot( slots_of( world ), h->mask, s->level, cell[0], cell[1], cell[2] )->first;
		count += first[count] != BVWPHASE_NONE;
	}
	return bvwphase_compare_cell( world, bvwphase_cell_links( world ), s->first, first, count );
}

static bool all_changed( const level_of_hash* l )
{
	return l->changed == l->count;
}

// Pairs within levels of which all objects changed.
static bool compare_changed_levels( bvw_broadphase* world )
{
	const spatial_hash* h = hash_of( world );
	const hash_slot* slots = slots_of( world );
	bool any = false;
	for ( uint32_t k = 0; k < h->used_count; ++k )
	{
		any = any || ( h->used[k] != infinite && all_changed( h->level + h->used[k] ) );
	}
	bool has_room = true;
	for ( uint32_t i = 0; any && i <= h->mask && has_room; ++i )
	{
		if ( slots[i].first != BVWPHASE_NONE && slots[i].level != infinite &&
		     all_changed( h->level + slots[i].level ) )
		{
			has_room = compare_cells( world, slots + i );
		}
	}
	return has_room;
}

// Objects of a finer level that changed find the coarser ones themselves.
static bool compare( bvw_broadphase* world, uint32_t a )
{
	const spatial_hash* h = hash_of( world );
	uint32_t own = bvwphase_spots( world )[a].level;
	bool has_room = true;
	for ( uint32_t k = 0; k < h->used_count && has_room; ++k )
	{
		uint32_t level = h->used[k];
		bool is_done = level < infinite && level <= own && all_changed( h->level + level );
		bvwphase_rule rule = level > own    ? bvwphase_report_all
		                     : level == own ? bvwphase_report_lower
		                                    : bvwphase_report_unchanged;
		has_room = is_done || compare_with_level( world, a, level, rule );
	}
	return has_room;
}

static void count_changed( bvw_broadphase* world )
{
	spatial_hash* h = hash_of( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	for ( uint32_t k = 0; k < h->used_count; ++k )
	{
		h->level[h->used[k]].changed = 0;
	}
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		h->level[bvwphase_spots( world )[changed[i]].level].changed +=
			( objects[changed[i]].state & bvwphase_is_live ) != 0;
	}
}

static bool find( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	count_changed( world );
	bool has_room = compare_changed_levels( world );
	for ( uint32_t i = 0; i < world->changed_count && has_room; ++i )
	{
		has_room = !( objects[changed[i]].state & bvwphase_is_live ) || compare( world, changed[i] );
	}
	return has_room;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const spatial_hash* h = hash_of( world );
	for ( uint32_t k = 0; k < h->used_count; ++k )
	{
		uint32_t level = h->used[k];
		bvwphase_range r;
		if ( !cells_around( h, level, &query->box, &r ) )
		{
			bvwphase_look_at_chain( query, bvwphase_level_links( world ), h->level[level].first );
			continue;
		}
		int32_t cell[3] = { r.low[0], r.low[1], r.low[2] };
		do
		{
			bvwphase_look_at_chain(
				query, bvwphase_cell_links( world ),
				find_slot( slots_of( world ), h->mask, level, cell[0], cell[1], cell[2] )->first );
		} while ( bvwphase_next_cell( &r, cell ) );
	}
}

const bvwphase_method bvwphase_spatialhash = {
	.name = "spatial-hash",
	.help = "a table of cells of all sizes, each with a list of objects",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.finds_known = true,
	.overlap = overlap,
};

// A table of cells, in which an object can be in several cells. See cell_table.h.
//
// Based on: M. Teschner, B. Heidelberger, M. Mueller, D. Pomeranets, M. Gross, "Optimized spatial hashing for collision detection of
// deformable objects", 2003.

#include "world/broadphase/cell_table.h"

static const uint32_t is_first = UINT32_C( 0x80000000 );

uint64_t bvwphase_table_bytes( uint32_t objects, uint32_t entries_by_object )
{
	uint64_t entries = (uint64_t)objects * entries_by_object;
	return bvwphase_aligned( sizeof( bvwphase_table ) + 4 * (uint64_t)bvwphase_buckets_for( entries / 2 ) +
	                         entries * sizeof( bvwphase_entry ) );
}

void bvwphase_table_begin( bvwphase_table* table, uint32_t objects, uint32_t entries_by_object )
{
	uint32_t entries = objects * entries_by_object;
	*table = ( bvwphase_table ){ .mask = bvwphase_buckets_for( entries / 2 ) - 1,
		                         .most = entries,
		                         .free = BVWPHASE_NONE,
		                         .list = BVWPHASE_NONE };
	memset( bvwphase_table_heads( table ), 0xff, ( (size_t)table->mask + 1 ) * sizeof( uint32_t ) );
}

// @return BVWPHASE_NONE if there is no room
static uint32_t take_entry( bvwphase_table* table )
{
	uint32_t i = table->free;
	if ( i != BVWPHASE_NONE )
	{
		table->free = bvwphase_table_entries( table )[i].sibling;
	}
	else if ( table->used < table->most )
	{
		i = table->used++;
	}
	return i;
}

static bool enter_cell( bvwphase_table* table, uint32_t object, uint32_t* first, uint32_t tag,
                        uint32_t bucket )
{
	uint32_t i = take_entry( table );
	if ( i == BVWPHASE_NONE )
	{
		return false;
	}
	bvwphase_entry* entries = bvwphase_table_entries( table );
	uint32_t* head = bvwphase_table_heads( table ) + bucket;
	entries[i] = ( bvwphase_entry ){ object, tag, *head, bucket | is_first, *first };
	if ( *head != BVWPHASE_NONE )
	{
		entries[*head].previous = i;
	}
	*head = i;
	*first = i;
	return true;
}

bool bvwphase_table_enter( bvwphase_table* table, uint32_t object, uint32_t* first, uint32_t kind,
                           const bvwphase_range* range, const bvwphase_range* but )
{
	bool has_room = true;
	for ( int32_t z = range->low[2]; z <= range->high[2]; ++z )
	{
		for ( int32_t y = range->low[1]; y <= range->high[1]; ++y )
		{
			uint32_t row = bvwphase_row_hash( kind, y, z );
			bool has_row =
				but && z >= but->low[2] && z <= but->high[2] && y >= but->low[1] && y <= but->high[1];
			for ( int32_t x = range->low[0]; x <= range->high[0] && has_room; ++x )
			{
				bool is_in = has_row && x >= but->low[0] && x <= but->high[0];
				has_room = is_in || enter_cell( table, object, first, bvwphase_tag_of( kind, x, y, z ),
				                                ( row + (uint32_t)x ) & table->mask );
			}
		}
	}
	return has_room;
}

static void leave_cell( bvwphase_table* table, uint32_t i )
{
	bvwphase_entry* entries = bvwphase_table_entries( table );
	bvwphase_entry* e = entries + i;
	if ( e->next != BVWPHASE_NONE )
	{
		entries[e->next].previous = e->previous;
	}
	if ( e->previous & is_first )
	{
		bvwphase_table_heads( table )[e->previous & ~is_first] = e->next;
	}
	else
	{
		entries[e->previous].next = e->next;
	}
	e->sibling = table->free;
	table->free = i;
}

// Eight bits tell whether a cell is in the range, because it is not far from it.
static bool has_cell( const bvwphase_range* range, uint32_t tag )
{
	bool is_in = true;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t from_low = ( ( tag >> 8 * k ) - (uint32_t)range->low[k] ) & 255;
		is_in = is_in && from_low <= (uint32_t)( range->high[k] - range->low[k] );
	}
	return is_in;
}

void bvwphase_table_leave( bvwphase_table* table, uint32_t* first, const bvwphase_range* but )
{
	bvwphase_entry* entries = bvwphase_table_entries( table );
	uint32_t kept = BVWPHASE_NONE;
	for ( uint32_t i = *first, next; i != BVWPHASE_NONE; i = next )
	{
		next = entries[i].sibling;
		if ( but && has_cell( but, entries[i].tag ) )
		{
			entries[i].sibling = kept;
			kept = i;
		}
		else
		{
			leave_cell( table, i );
		}
	}
	*first = kept;
}

void bvwphase_table_list( bvw_broadphase* world, bvwphase_table* table, uint32_t number )
{
	bvwphase_cover* c = bvwphase_covers( world ) + number;
	bvwphase_table_leave( table, &c->first, NULL );
	bvwphase_link_in( bvwphase_list_links( world ), &table->list, number );
	++table->listed;
	c->level = BVWPHASE_LISTED;
}

void bvwphase_table_remove( bvw_broadphase* world, bvwphase_table* table, uint32_t number )
{
	bvwphase_cover* c = bvwphase_covers( world ) + number;
	if ( c->level == BVWPHASE_LISTED )
	{
		bvwphase_unlink( bvwphase_list_links( world ), &table->list, number );
		--table->listed;
	}
	bvwphase_table_leave( table, &c->first, NULL );
}

bool bvwphase_table_find( bvw_broadphase* world, const bvwphase_table* table,
                          bool ( *compare_all )( bvw_broadphase* world ),
                          bool ( *compare_with )( bvw_broadphase* world, uint32_t a ) )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	bool by_cells = world->changed_count > world->live / 2;
	bool has_room = !by_cells || compare_all( world );
	for ( uint32_t i = 0; i < world->changed_count && has_room; ++i )
	{
		uint32_t a = changed[i];
		if ( !( objects[a].state & bvwphase_is_live ) )
		{
			continue;
		}
		if ( bvwphase_covers( world )[a].level == BVWPHASE_LISTED )
		{
			has_room = bvwphase_compare_with_all( world, a );
		}
		else
		{
			has_room = bvwphase_compare_with_chain( world, a, bvwphase_list_links( world ), table->list,
			                                        bvwphase_report_lower ) &&
			           ( by_cells || compare_with( world, a ) );
		}
	}
	return has_room;
}

// A table of cells, in which an object is in each of the cells of a range. Objects without cells are in a list, and are compared with
// all.

#pragma once

#include "world/broadphase/cells.h"

/// The table. Its arrays follow.
///
/// An entry does not hold its cell, but a tag: eight bits of each coordinate and of the kind. It tells the cells of one object
/// apart, because ranges are shorter than 128 cells. So an object is met once at most in a cell, and whoever goes through the
/// cells of a box meets another object exactly once in the cell that both begin in, the one with the greater of both lower corners.
typedef struct bvwphase_table
{
	uint32_t mask;   ///< number of buckets - 1
	uint32_t most;   ///< entries
	uint32_t used;   ///< entries that were ever in use
	uint32_t free;   ///< first of the free ones below `used`
	uint32_t list;   ///< first object without cells
	uint32_t listed; ///< number of these
} bvwphase_table;

/// An object in a cell.
typedef struct bvwphase_entry
{
	uint32_t object;
	uint32_t tag;
	uint32_t next;     ///< of the bucket
	uint32_t previous; ///< likewise; of the first one, the bucket and bvwphase_is_first
	uint32_t sibling;  ///< of the same object; of a free one, the next free one
} bvwphase_entry;

/// An object of a method with a table.
typedef struct bvwphase_cover
{
	bvwphase_range range; ///< of one with cells
	uint32_t first;       ///< of its entries, BVWPHASE_NONE of one without any
	uint32_t level;       ///< of its cells, or BVWPHASE_LISTED
} bvwphase_cover;

/// The part of such a method begins with these, by number, and with the links below.
static inline bvwphase_cover* bvwphase_covers( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

/// Of the list.
static inline bvwphase_link* bvwphase_list_links( const bvw_broadphase* world )
{
	return (bvwphase_link*)( bvwphase_covers( world ) + world->options.objects );
}

/// @return what follows: the method's own state, and the table
static inline void* bvwphase_after_covers( const bvw_broadphase* world )
{
	return bvwphase_list_links( world ) + world->options.objects;
}

/// @return bytes before it
static inline uint64_t bvwphase_covers_bytes( uint32_t objects )
{
	return objects * (uint64_t)( sizeof( bvwphase_cover ) + sizeof( bvwphase_link ) );
}

/// @return bytes, a multiple of 8
uint64_t bvwphase_table_bytes( uint32_t objects, uint32_t entries_by_object );

/// Makes it empty.
void bvwphase_table_begin( bvwphase_table* table, uint32_t objects, uint32_t entries_by_object );

/// Puts an object into all cells of a range.
/// @param first  of the object's entries; is updated
/// @param kind   cells of different kinds are different cells; below 256
/// @param but    null, or cells that are left out
/// @return false if there is no room: then some of the entries may have been made
bool bvwphase_table_enter( bvwphase_table* table, uint32_t object, uint32_t* first, uint32_t kind,
                           const bvwphase_range* range, const bvwphase_range* but );

/// Removes an object from its cells.
/// @param but  null, or cells that are kept, at most 64 cells away from all others of the object. Kinds do not count
void bvwphase_table_leave( bvwphase_table* table, uint32_t* first, const bvwphase_range* but );

/// Moves an object from its cells, if it has some, into the list.
void bvwphase_table_list( bvw_broadphase* world, bvwphase_table* table, uint32_t number );

/// Removes an object from its cells or from the list.
void bvwphase_table_remove( bvw_broadphase* world, bvwphase_table* table, uint32_t number );

/// Compares changed objects with others: in cells, with those of the list, and with all if they are in it themselves.
/// @param compare_all   compares the objects of all cells; is called where most objects changed
/// @param compare_with  compares a changed object with others in its cells; is called where few changed
/// @return false if there is no room for a pair
bool bvwphase_table_find( bvw_broadphase* world, const bvwphase_table* table,
                          bool ( *compare_all )( bvw_broadphase* world ),
                          bool ( *compare_with )( bvw_broadphase* world, uint32_t a ) );

static inline uint32_t* bvwphase_table_heads( const bvwphase_table* table )
{
	return (uint32_t*)( table + 1 );
}

static inline bvwphase_entry* bvwphase_table_entries( const bvwphase_table* table )
{
	return (bvwphase_entry*)( bvwphase_table_heads( table ) + table->mask + 1 );
}

static inline uint32_t bvwphase_tag_of( uint32_t kind, int32_t x, int32_t y, int32_t z )
{
	return ( (uint32_t)x & 255 ) | ( (uint32_t)y & 255 ) << 8 | ( (uint32_t)z & 255 ) << 16 | kind << 24;
}

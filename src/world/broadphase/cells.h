// What grids have in common: cells of boxes, linked lists, objects that are compared with all, and methods with one cell an object.

#pragma once

#include "world/broadphase/query.h"

#include <math.h>
#include <string.h>

/// No object, no entry.
#define BVWPHASE_NONE UINT32_MAX

/// The level of objects that have no cells.
#define BVWPHASE_LISTED UINT32_MAX

enum
{
	bvwphase_finest_cell = -256,  ///< exponent of the shortest cells
	bvwphase_coarsest_cell = 202, ///< sides are at most 2 * BV_MAX_LENGTH = 2^201
	bvwphase_cell_bits = 30,      ///< cells are from -2^30 to 2^30
	bvwphase_change_weight = 8,   ///< of an added or removed object among changes; a move has 1
};

/// @return 2^exponent; the exponent is from -1022 to 1023
static inline double bvwphase_power_of_two( int exponent )
{
	uint64_t bits = (uint64_t)( exponent + 1023 ) << 52;
	double power;
	memcpy( &power, &bits, sizeof power );
	return power;
}

/// @param x  not negative, finite
/// @return e such that x < 2^e, and, of those that are not below bvwphase_finest_cell, the smallest
static inline int bvwphase_exponent_above( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	int e = (int)( bits >> 52 & 2047 ) - 1022;
	return e > bvwphase_finest_cell ? e : bvwphase_finest_cell;
}

static inline double bvwphase_greater( double a, double b )
{
	return a > b ? a : b;
}

/// @return infinity of a box without bounds
static inline double bvwphase_longest_side( const bv_aabb* box )
{
	return bvwphase_greater( bvwphase_greater( box->upper.x - box->lower.x, box->upper.y - box->lower.y ),
	                         box->upper.z - box->lower.z );
}

/// @return whether the number is in use, by an object with bounds
static inline bool bvwphase_is_finite( const bvwphase_object* o )
{
	return ( o->state & bvwphase_is_live ) && bvwphase_longest_side( &o->box ) < (double)INFINITY;
}

/// Whether to choose again how long cells are: there were as many changes as there are objects.
/// @param changes  by weight, since the last choice
static inline bool bvwphase_choice_is_due( const bvw_broadphase* world, uint64_t changes )
{
	return changes > 0 && changes >= (uint64_t)bvwphase_change_weight * world->live / 2 + world->highest / 16;
}

/// @return the greatest magnitude of a coordinate of the lower corner
static inline double bvwphase_reach( const bv_aabb* box )
{
	return bvwphase_greater( bvwphase_greater( fabs( box->lower.x ), fabs( box->lower.y ) ),
	                         fabs( box->lower.z ) );
}

/// Cells that a box meets: from low to high along each axis.
typedef struct bvwphase_range
{
	int32_t low[3];
	int32_t high[3];
} bvwphase_range;

/// The cell of a coordinate: floor( x * inverse ), cut off at 2^30. Rounding and cutting off keep it from ever decreasing as x
/// increases. Hence cells of intervals that touch have a cell in common: that of the greater lower end.
/// @param inverse  1 / length of cells
static inline int32_t bvwphase_cell_of( double x, double inverse )
{
	const double most = 1 << bvwphase_cell_bits;
	double q = x * inverse;
	q = q < -most ? -most : q;
	q = q > most ? most : q;
	int32_t cell = (int32_t)q;
	return cell - ( cell > q );
}

static inline bvwphase_range bvwphase_range_of( const bv_aabb* box, double inverse )
{
	return ( bvwphase_range ){
		{ bvwphase_cell_of( box->lower.x, inverse ), bvwphase_cell_of( box->lower.y, inverse ),
		  bvwphase_cell_of( box->lower.z, inverse ) },
		{ bvwphase_cell_of( box->upper.x, inverse ), bvwphase_cell_of( box->upper.y, inverse ),
		  bvwphase_cell_of( box->upper.z, inverse ) },
	};
}

/// @return the cells in which objects can begin that touch a box, if these are shorter than cells
static inline bvwphase_range bvwphase_range_around( const bv_aabb* box, double inverse )
{
	bvwphase_range r = bvwphase_range_of( box, inverse );
	for ( int k = 0; k < 3; ++k )
	{
		r.low[k] -= 1;
	}
	return r;
}

/// @return the number of cells; 2^63 if there are more than 2^32 rows of them
static inline uint64_t bvwphase_cells_in( const bvwphase_range* r )
{
	uint64_t along[3];
	for ( int k = 0; k < 3; ++k )
	{
		along[k] = (uint64_t)( 1 + (int64_t)r->high[k] - r->low[k] );
	}
	uint64_t rows = along[1] * along[2];
	return rows > UINT32_MAX ? UINT64_C( 1 ) << 63 : rows * along[0];
}

/// Goes to the next cell of a range, along x first.
/// @return false after the last one
static inline bool bvwphase_next_cell( const bvwphase_range* r, int32_t cell[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( cell[k] < r->high[k] )
		{
			++cell[k];
			return true;
		}
		cell[k] = r->low[k];
	}
	return false;
}

/// @return whether the range extends over two cells at most along each axis: whatever touches the box and begins in cells of the
/// same length then begins one cell away at most
static inline bool bvwphase_is_short( const bvwphase_range* r )
{
	return r->high[0] - r->low[0] <= 1 && r->high[1] - r->low[1] <= 1 && r->high[2] - r->low[2] <= 1;
}

/// A hash of a row of cells along x: the bucket of the cell at 0. Neighbors along x are neighbors in memory.
static inline uint32_t bvwphase_row_hash( uint32_t level, int32_t y, int32_t z )
{
	uint32_t h = (uint32_t)y * 73856093u ^ (uint32_t)z * 19349663u ^ level * 83492791u;
	h = ( h ^ h >> 15 ) * 0x85EBCA6Bu;
	return h ^ h >> 13;
}

/// @return a power of two that is at least 16
static inline uint32_t bvwphase_buckets_for( uint64_t count )
{
	uint32_t buckets = 16;
	while ( buckets < count )
	{
		buckets *= 2;
	}
	return buckets;
}

/// Of an object in a linked list.
typedef struct bvwphase_link
{
	uint32_t next;
	uint32_t previous;
} bvwphase_link;

static inline void bvwphase_link_in( bvwphase_link* links, uint32_t* first, uint32_t i )
{
	links[i] = ( bvwphase_link ){ *first, BVWPHASE_NONE };
	if ( *first != BVWPHASE_NONE )
	{
		links[*first].previous = i;
	}
	*first = i;
}

static inline void bvwphase_unlink( bvwphase_link* links, uint32_t* first, uint32_t i )
{
	bvwphase_link l = links[i];
	if ( l.next != BVWPHASE_NONE )
	{
		links[l.next].previous = l.previous;
	}
	if ( l.previous != BVWPHASE_NONE )
	{
		links[l.previous].next = l.next;
	}
	else
	{
		*first = l.next;
	}
}

/// Which pairs an object reports. It has changed, except with bvwphase_report_changed.
typedef enum bvwphase_rule
{
	bvwphase_report_all,
	bvwphase_report_changed,   ///< those in which one of both has changed
	bvwphase_report_lower,     ///< of two changed objects, the one with the greater number reports
	bvwphase_report_unchanged, ///< the other one reports if it has changed
} bvwphase_rule;

/// Compares two objects. An object and itself are no pair.
/// @return false if there is no room for the pair
static inline bool bvwphase_compare( bvw_broadphase* world, uint32_t a, uint32_t b, bvwphase_rule rule )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	if ( !bvwphase_boxes_touch( &objects[a].box, &objects[b].box ) )
	{
		++world->tests;
		return true;
	}
	bool has_changed = ( objects[b].state & bvwphase_is_changed ) != 0;
	bool is_left_out = a == b;
	switch ( rule )
	{
	case bvwphase_report_changed:
		is_left_out = is_left_out || !( has_changed || ( objects[a].state & bvwphase_is_changed ) );
		break;
	case bvwphase_report_lower: is_left_out = is_left_out || ( has_changed && b > a ); break;
	case bvwphase_report_unchanged: is_left_out = is_left_out || has_changed; break;
	case bvwphase_report_all: break;
	}
	return is_left_out || bvwphase_report( world, a, b );
}

/// Compares a changed object with all others.
/// @return false if there is no room for a pair
bool bvwphase_compare_with_all( bvw_broadphase* world, uint32_t a );

/// Compares an object with all of a linked list.
/// @return false if there is no room for a pair
static inline bool bvwphase_compare_with_chain( bvw_broadphase* world, uint32_t a, const bvwphase_link* links,
                                                uint32_t first, bvwphase_rule rule )
{
	bool has_room = true;
	for ( uint32_t b = first; b != BVWPHASE_NONE && has_room; b = links[b].next )
	{
		has_room = bvwphase_compare( world, a, b, rule );
	}
	return has_room;
}

/// Compares the objects of a cell with each other, and with those of other cells. All have changed.
/// @param own    first object of the cell
/// @param first  first objects of `count` other cells
/// @return false if there is no room for a pair
bool bvwphase_compare_cell( bvw_broadphase* world, const bvwphase_link* links, uint32_t own,
                            const uint32_t* first, uint32_t count );

/// Has a query look at all objects of a linked list.
static inline void bvwphase_look_at_chain( bvwphase_query* query, const bvwphase_link* links, uint32_t first )
{
	for ( uint32_t b = first; b != BVWPHASE_NONE; b = links[b].next )
	{
		bvwphase_look_at( query, b );
	}
}

/// An object of a method with one cell an object, that of its lower corner.
typedef struct bvwphase_spot
{
	int32_t cell[3];
	uint32_t level; ///< which of the method's grids
} bvwphase_spot;

/// The part of such a method begins with these, by number, and with the two arrays of links below.
static inline bvwphase_spot* bvwphase_spots( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

/// Of the objects of each cell.
static inline bvwphase_link* bvwphase_cell_links( const bvw_broadphase* world )
{
	return (bvwphase_link*)( bvwphase_spots( world ) + world->options.objects );
}

/// Of the objects of each level, and of those without cells.
static inline bvwphase_link* bvwphase_level_links( const bvw_broadphase* world )
{
	return bvwphase_cell_links( world ) + world->options.objects;
}

/// @return what follows: the method's own state
static inline void* bvwphase_after_spots( const bvw_broadphase* world )
{
	return bvwphase_level_links( world ) + world->options.objects;
}

/// @return bytes before it
static inline uint64_t bvwphase_spots_bytes( uint32_t objects )
{
	return objects * (uint64_t)( sizeof( bvwphase_spot ) + 2 * sizeof( bvwphase_link ) );
}

enum
{
	bvwphase_cells_before = 13, ///< neighbors: of each two, one is before the other
};

/// @param i  below bvwphase_cells_before
static inline void bvwphase_cell_before( const int32_t own[3], int i, int32_t out[3] )
{
	out[0] = own[0] + i % 3 - 1;
	out[1] = own[1] + i / 3 % 3 - 1;
	out[2] = own[2] + i / 9 - 1;
}

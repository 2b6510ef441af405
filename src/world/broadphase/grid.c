// Hierarchical hashed grid: each object is in one cell of one of the grids, whose cells are powers of two long.
//
// Based on: M. Overmars, "Point location in fat subdivisions", 1992 (grids by size); B. Mirtich, "Impulse-based dynamic
// simulation of rigid body systems", 1996 (hierarchical spatial hash tables); M. Teschner, B. Heidelberger, M. Mueller,
// D. Pomeranets, M. Gross, "Optimized spatial hashing for collision detection of deformable objects", 2003.
//
// The level of an object is that of the smallest cell that is longer than its longest side and 1/16 of it; its cell is that of
// its lower corner. A level of which much has changed is sorted by cells instead of looked up in the hash table.
//
// Cells. Let s = 2^k be the length of a level's cells, and c( x ) = floor( x / s ). c is computed exactly (see cell_of), hence
// it never decreases. An object of the level has sides of less than s: the side rounded to double is below s, and s is a
// double, so that a true side of at least s would have been rounded to at least s. If its interval [l, u] touches [a, b], then
// l <= b, so c( l ) <= c( b ); and a <= u < l + s, so c( l ) >= floor( a / s - 1 ) = c( a ) - 1. The cells of two objects of
// a level that touch differ by 1 at most, along each axis. Cells of objects are within most_cells of the origin, because
// objects farther away are put into a coarser level. Cells of other boxes are cut off there, which leaves out no object.

#include "world/broadphase/cast.h"
#include "world/broadphase/query.h"

#include "world/broadphase/order.h"

#include <math.h>
#include <string.h>

#define NONE    UINT32_MAX
#define CHANGED UINT32_C( 0x80000000 )

enum
{
	finest = -256,                    // exponent of the shortest cells
	coarsest = 202,                   // sides are at most 2 * BV_MAX_LENGTH = 2^201
	infinite = coarsest - finest + 1, // the level of objects without bounds, which has no cells
	levels,
	sorted_part = 16,  // a level is sorted if at least this part of it changed
	sorted_least = 16, // and it has at least as many objects
	scanned_part = 8,  // all numbers are gone through for a level with at least this part of them
	cell_bits = 30,    // cells of objects are from -2^30 to 2^30 - 1
};

static const double most_cells = 1 << cell_bits;

// An object.
typedef struct node
{
	int32_t cell[3];
	uint32_t level;
	uint32_t next;           // of the same bucket
	uint32_t previous;       // likewise
	uint32_t level_next;     // of the same level
	uint32_t level_previous; // likewise
} node;

// An object while a level is sorted, by its cell.
typedef struct record
{
	uint64_t key;
	uint32_t number;
	uint32_t unused;
} record;

// An object of a sorted level.
typedef struct entry
{
	bv_aabb box;
	int32_t cell[3];
	uint32_t number; // CHANGED is added to it if it is in the list of changed ones
} entry;

typedef struct objects_of_level
{
	uint32_t count;     // objects
	uint32_t first;     // of them
	uint32_t changed;   // objects in the list of changed ones, during find
	uint32_t at;        // index in `used`
	uint32_t is_sorted; // during find: the pairs of its objects have been looked for
} objects_of_level;

typedef struct grid
{
	uint32_t mask; // number of buckets - 1
	uint32_t used_count;
	uint32_t used[levels]; // levels with objects
	objects_of_level level[levels];
} grid;

static grid* grid_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at );
}

static node* nodes_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->method_at + bvwphase_aligned( sizeof( grid ) ) );
}

static uint32_t* heads_of( const bvw_broadphase* world )
{
	return (uint32_t*)( nodes_of( world ) + world->options.objects );
}

static uint32_t buckets_for( uint32_t objects )
{
	uint32_t buckets = 16;
	while ( buckets < objects )
	{
		buckets *= 2;
	}
	return 2 * buckets;
}

// Room for sorting a level.
static record* records_of( const bvw_broadphase* world )
{
	return (record*)( heads_of( world ) + buckets_for( world->options.objects ) );
}

static entry* entries_of( const bvw_broadphase* world )
{
	return (entry*)( records_of( world ) + (size_t)2 * world->options.objects );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return bvwphase_aligned( sizeof( grid ) ) + 4 * (uint64_t)buckets_for( options->objects ) +
	       options->objects * (uint64_t)( sizeof( node ) + 2 * sizeof( record ) + sizeof( entry ) );
}

static void begin( bvw_broadphase* world )
{
	grid* g = grid_of( world );
	g->mask = buckets_for( world->options.objects ) - 1;
	for ( uint32_t i = 0; i < levels; ++i )
	{
		g->level[i].first = NONE;
	}
	uint32_t* heads = heads_of( world );
	for ( uint32_t i = 0; i <= g->mask; ++i )
	{
		heads[i] = NONE;
	}
}

static double power_of_two( int exponent )
{
	uint64_t bits = (uint64_t)( exponent + 1023 ) << 52;
	double power;
	memcpy( &power, &bits, sizeof power );
	return power;
}

// @return e such that |x| < 2^e, and, of those that are not below `finest`, the smallest
static int exponent_above( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	int e = (int)( bits >> 52 & 2047 ) - 1022;
	return e > finest ? e : finest;
}

static double greater( double a, double b )
{
	return a > b ? a : b;
}

// Sides are often powers of two, but for rounding. Some more length puts these into one level.
static uint32_t level_of( const bv_aabb* box )
{
	double x = box->upper.x - box->lower.x;
	double y = box->upper.y - box->lower.y;
	double z = box->upper.z - box->lower.z;
	double side = greater( greater( x, y ), z );
	if ( side == (double)INFINITY )
	{
		return infinite;
	}
	double reach = greater( greater( fabs( box->lower.x ), fabs( box->lower.y ) ), fabs( box->lower.z ) );
	int by_side = exponent_above( side * 1.0625 );
	int by_place = exponent_above( reach ) - cell_bits;
	return (uint32_t)( ( by_side > by_place ? by_side : by_place ) - finest );
}

// floor( x / s ) of a cell length s = 2^k, cut off at most_cells. The product is exact unless it underflows, and then it is
// truncated to 0. So the integer is that of the truncated quotient. Its product with s is exact: then it is seen whether
// truncation has rounded up.
static int32_t cell_of( double x, double s, double inverse )
{
	double q = x * inverse;
	q = q < -most_cells ? -most_cells : q;
	q = q > most_cells ? most_cells : q;
	int32_t cell = (int32_t)q;
	return cell - ( cell * s > x );
}

// A row of cells along x: the bucket of the cell at 0. Neighbors along x are neighbors in memory.
static uint32_t row_of( uint32_t level, int32_t y, int32_t z )
{
	uint32_t h = (uint32_t)y * 73856093u ^ (uint32_t)z * 19349663u ^ level * 83492791u;
	h = ( h ^ h >> 15 ) * 0x85EBCA6Bu;
	return h ^ h >> 13;
}

static uint32_t bucket_of( const grid* g, const node* n )
{
	return ( row_of( n->level, n->cell[1], n->cell[2] ) + (uint32_t)n->cell[0] ) & g->mask;
}

static void link_to_bucket( const grid* g, node* nodes, uint32_t* heads, uint32_t i )
{
	uint32_t* head = heads + bucket_of( g, nodes + i );
	nodes[i].next = *head;
	nodes[i].previous = NONE;
	if ( *head != NONE )
	{
		nodes[*head].previous = i;
	}
	*head = i;
}

static void unlink_from_bucket( const grid* g, node* nodes, uint32_t* heads, uint32_t i )
{
	const node* n = nodes + i;
	if ( n->next != NONE )
	{
		nodes[n->next].previous = n->previous;
	}
	if ( n->previous != NONE )
	{
		nodes[n->previous].next = n->next;
	}
	else
	{
		heads[bucket_of( g, n )] = n->next;
	}
}

static void link_to_level( grid* g, node* nodes, uint32_t i )
{
	objects_of_level* l = g->level + nodes[i].level;
	if ( l->count++ == 0 )
	{
		l->at = g->used_count;
		g->used[g->used_count++] = nodes[i].level;
	}
	nodes[i].level_next = l->first;
	nodes[i].level_previous = NONE;
	if ( l->first != NONE )
	{
		nodes[l->first].level_previous = i;
	}
	l->first = i;
}

static void unlink_from_level( grid* g, node* nodes, uint32_t i )
{
	const node* n = nodes + i;
	objects_of_level* l = g->level + n->level;
	if ( n->level_next != NONE )
	{
		nodes[n->level_next].level_previous = n->level_previous;
	}
	if ( n->level_previous != NONE )
	{
		nodes[n->level_previous].level_next = n->level_next;
	}
	else
	{
		l->first = n->level_next;
	}
	if ( --l->count == 0 )
	{
		uint32_t last = g->used[--g->used_count];
		g->used[l->at] = last;
		g->level[last].at = l->at;
	}
}

// Level and cell of a box. Cells of the infinite level are all 0.
static void place( node* n, const bv_aabb* box )
{
	n->level = level_of( box );
	if ( n->level == infinite )
	{
		memset( n->cell, 0, sizeof n->cell );
		return;
	}
	int exponent = (int)n->level + finest;
	double s = power_of_two( exponent );
	double inverse = power_of_two( -exponent );
	n->cell[0] = cell_of( box->lower.x, s, inverse );
	n->cell[1] = cell_of( box->lower.y, s, inverse );
	n->cell[2] = cell_of( box->lower.z, s, inverse );
}

static void add( bvw_broadphase* world, uint32_t number )
{
	grid* g = grid_of( world );
	node* nodes = nodes_of( world );
	place( nodes + number, &bvwphase_objects( world )[number].box );
	link_to_level( g, nodes, number );
	link_to_bucket( g, nodes, heads_of( world ), number );
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	grid* g = grid_of( world );
	node* nodes = nodes_of( world );
	node to = nodes[number];
	place( &to, &bvwphase_objects( world )[number].box );
	bool same_level = to.level == nodes[number].level;
	if ( same_level && memcmp( to.cell, nodes[number].cell, sizeof to.cell ) == 0 )
	{
		return;
	}
	uint32_t* heads = heads_of( world );
	unlink_from_bucket( g, nodes, heads, number );
	if ( !same_level )
	{
		unlink_from_level( g, nodes, number );
	}
	nodes[number].level = to.level;
	memcpy( nodes[number].cell, to.cell, sizeof to.cell );
	if ( !same_level )
	{
		link_to_level( g, nodes, number );
	}
	link_to_bucket( g, nodes, heads, number );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	grid* g = grid_of( world );
	node* nodes = nodes_of( world );
	unlink_from_bucket( g, nodes, heads_of( world ), number );
	unlink_from_level( g, nodes, number );
	memset( nodes + number, 0, sizeof *nodes );
}

// The objects of a level that can touch a box.
typedef struct walk
{
	const node* nodes;
	const uint32_t* heads;
	uint32_t mask;
	uint32_t level;
	bool is_list;    // all objects of the level: there are more cells than objects
	bool is_half;    // only cells up to `own`, in the order of z, y, x
	uint32_t at;     // next object to look at
	uint32_t row;    // bucket of the cell at 0 of the row
	int32_t from[3]; // cells
	int32_t to[3];   // likewise
	int32_t own[3];  // cell of the box's lower corner
	int32_t cell[3]; // that of `at`
	int32_t last[2]; // cells of the row, and rows of the layer, end there
} walk;

static uint64_t cells_along( const walk* w, int axis )
{
	return (uint64_t)( 1 + (int64_t)w->to[axis] - w->from[axis] );
}

static bool has_more_cells( const walk* w, uint32_t objects )
{
	uint64_t rows = cells_along( w, 1 ) * cells_along( w, 2 );
	return rows > objects || rows * cells_along( w, 0 ) > objects;
}

static void begin_walk( walk* w, const bvw_broadphase* world, uint32_t level, const bv_aabb* box )
{
	const grid* g = grid_of( world );
	w->nodes = nodes_of( world );
	w->heads = heads_of( world );
	w->mask = g->mask;
	w->level = level;
	w->is_half = false;
	w->from[0] = w->from[1] = w->from[2] = 0;
	w->is_list = level == infinite;
	if ( !w->is_list )
	{
		int exponent = (int)level + finest;
		double s = power_of_two( exponent );
		double inverse = power_of_two( -exponent );
		w->own[0] = cell_of( box->lower.x, s, inverse );
		w->own[1] = cell_of( box->lower.y, s, inverse );
		w->own[2] = cell_of( box->lower.z, s, inverse );
		w->to[0] = cell_of( box->upper.x, s, inverse );
		w->to[1] = cell_of( box->upper.y, s, inverse );
		w->to[2] = cell_of( box->upper.z, s, inverse );
		w->from[0] = w->own[0] - 1;
		w->from[1] = w->own[1] - 1;
		w->from[2] = w->own[2] - 1;
		w->is_list = has_more_cells( w, g->level[level].count );
	}
	w->at = w->is_list ? g->level[level].first : NONE;
	// The first step goes to the first row.
	w->cell[0] = w->last[0] = 0;
	w->cell[1] = w->last[1] = 0;
	w->cell[2] = w->from[2] - 1;
}

// @return false if there are no more rows
static bool next_row( walk* w )
{
	if ( w->cell[1] >= w->last[1] )
	{
		if ( w->cell[2] >= w->to[2] )
		{
			return false;
		}
		++w->cell[2];
		w->cell[1] = w->from[1] - 1;
		w->last[1] = w->is_half && w->cell[2] == w->own[2] ? w->own[1] : w->to[1];
	}
	++w->cell[1];
	w->cell[0] = w->from[0];
	w->last[0] = w->is_half && w->cell[2] == w->own[2] && w->cell[1] == w->own[1] ? w->own[0] : w->to[0];
	w->row = row_of( w->level, w->cell[1], w->cell[2] );
	return true;
}

// @return the next object; NONE if there are no more
static inline uint32_t next( walk* w )
{
	for ( ;; )
	{
		while ( w->at != NONE )
		{
			uint32_t i = w->at;
			const node* n = w->nodes + i;
			w->at = w->is_list ? n->level_next : n->next;
			if ( w->is_list || ( n->cell[0] == w->cell[0] && n->cell[1] == w->cell[1] &&
			                     n->cell[2] == w->cell[2] && n->level == w->level ) )
			{
				return i;
			}
		}
		if ( w->is_list )
		{
			return NONE;
		}
		if ( w->cell[0] < w->last[0] )
		{
			++w->cell[0];
		}
		else if ( !next_row( w ) )
		{
			return NONE;
		}
		w->at = w->heads[( w->row + (uint32_t)w->cell[0] ) & w->mask];
	}
}

// Whether b is the first of two objects of a level, in the order of their cells, then of their numbers.
static bool is_before( const node* nodes, uint32_t b, uint32_t a )
{
	for ( int axis = 2; axis >= 0; --axis )
	{
		if ( nodes[b].cell[axis] != nodes[a].cell[axis] )
		{
			return nodes[b].cell[axis] < nodes[a].cell[axis];
		}
	}
	return b < a;
}

// Objects of a finer level that changed find the coarser ones themselves. Of two changed objects of a level, the later one
// reports the first one. If all objects of a level changed, cells beyond the own one need not be visited.
static bool find_at( bvw_broadphase* world, uint32_t a, uint32_t of_a, uint32_t level )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const grid* g = grid_of( world );
	bool all_changed = g->level[level].changed == g->level[level].count;
	if ( level < of_a && all_changed )
	{
		return true;
	}
	walk w;
	begin_walk( &w, world, level, &objects[a].box );
	w.is_half = level == of_a && all_changed && !w.is_list;
	if ( w.is_half )
	{
		w.to[2] = w.own[2];
	}
	for ( uint32_t b = next( &w ); b != NONE; b = next( &w ) )
	{
		bool is_changed = ( objects[b].state & bvwphase_is_changed ) != 0;
		if ( is_changed && ( level < of_a || ( level == of_a && !is_before( w.nodes, b, a ) ) ) )
		{
			continue;
		}
		if ( !bvwphase_boxes_touch( &objects[a].box, &objects[b].box ) )
		{
			++world->tests;
		}
		else if ( !bvwphase_report( world, a, b ) )
		{
			return false;
		}
	}
	return true;
}

static bool find_all( bvw_broadphase* world, uint32_t a, bool is_sorted )
{
	const grid* g = grid_of( world );
	uint32_t of_a = nodes_of( world )[a].level;
	for ( uint32_t k = 0; k < g->used_count; ++k )
	{
		if ( !( is_sorted && g->used[k] == of_a ) && !find_at( world, a, of_a, g->used[k] ) )
		{
			return false;
		}
	}
	return true;
}

// The cells of a level.
typedef struct extent
{
	int32_t from[3];
	uint64_t size[3];
} extent;

static void list_object( bvw_broadphase* world, uint32_t i, extent* e, int32_t to[3], uint32_t* count )
{
	const node* n = nodes_of( world ) + i;
	for ( int k = 0; k < 3; ++k )
	{
		e->from[k] = *count == 0 || n->cell[k] < e->from[k] ? n->cell[k] : e->from[k];
		to[k] = *count == 0 || n->cell[k] > to[k] ? n->cell[k] : to[k];
	}
	records_of( world )[( *count )++].number = i;
}

// Lists the objects of a level, in any order.
static extent list_level( bvw_broadphase* world, uint32_t level )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const objects_of_level* l = grid_of( world )->level + level;
	const node* nodes = nodes_of( world );
	extent e = { .from = { 0 } };
	int32_t to[3] = { 0 };
	uint32_t count = 0;
	if ( (uint64_t)l->count * scanned_part >= world->highest )
	{
		for ( uint32_t i = 0; i < world->highest; ++i )
		{
			if ( nodes[i].level == level && ( objects[i].state & bvwphase_is_live ) )
			{
				list_object( world, i, &e, to, &count );
			}
		}
	}
	else
	{
		for ( uint32_t i = l->first; i != NONE; i = nodes[i].level_next )
		{
			list_object( world, i, &e, to, &count );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		e.size[k] = (uint64_t)( 1 + (int64_t)to[k] - e.from[k] );
	}
	return e;
}

// One pass of a radix sort. Equal digits keep their order.
static void sort_digit( const record* from, record* to, uint32_t count, uint32_t shift )
{
	uint32_t start[bvwphase_digits] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		++start[from[i].key >> shift & ( bvwphase_digits - 1 )];
	}
	bvwphase_make_places( start, bvwphase_digits );
	for ( uint32_t i = 0; i < count; ++i )
	{
		to[start[from[i].key >> shift & ( bvwphase_digits - 1 )]++] = from[i];
	}
}

// Copies the objects of a level to entries, sorted by z, y, x of their cells, and lists where rows along x begin.
// @return the number of rows; 0 if there are too many cells for a key
static uint32_t sort_level( bvw_broadphase* world, uint32_t level, uint32_t** rows )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const node* nodes = nodes_of( world );
	uint32_t count = grid_of( world )->level[level].count;
	extent e = list_level( world, level );
	if ( e.size[1] * e.size[2] > UINT64_MAX / e.size[0] )
	{
		return 0;
	}
	record* from = records_of( world );
	record* to = from + world->options.objects;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const int32_t* cell = nodes[from[i].number].cell;
		uint64_t x = (uint64_t)( (int64_t)cell[0] - e.from[0] );
		uint64_t y = (uint64_t)( (int64_t)cell[1] - e.from[1] );
		uint64_t z = (uint64_t)( (int64_t)cell[2] - e.from[2] );
		from[i].key = ( z * e.size[1] + y ) * e.size[0] + x;
	}
	uint64_t greatest = e.size[0] * e.size[1] * e.size[2] - 1;
	for ( uint32_t shift = 0; shift < 64 && greatest >> shift != 0; shift += bvwphase_digit_bits )
	{
		sort_digit( from, to, count, shift );
		record* swap = from;
		from = to;
		to = swap;
	}
	entry* entries = entries_of( world );
	*rows = (uint32_t*)to;
	uint32_t row_count = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t number = from[i].number;
		const bvwphase_object* o = objects + number;
		entry* s = entries + i;
		s->box = o->box;
		memcpy( s->cell, nodes[number].cell, sizeof s->cell );
		s->number = number | ( o->state & bvwphase_is_changed ? CHANGED : 0 );
		if ( i == 0 || s->cell[1] != s[-1].cell[1] || s->cell[2] != s[-1].cell[2] )
		{
			( *rows )[row_count++] = i;
		}
	}
	( *rows )[row_count] = count;
	return row_count;
}

// Compares an object with the following ones of a row that are in the same cell along x or in the next one.
// @return false if the store is full
static inline bool compare_with_row( bvw_broadphase* world, const entry* a, const entry* b,
                                     const entry* row_end )
{
	uint64_t tests = 0;
	bool has_room = true;
	for ( ; b < row_end && b->cell[0] <= a->cell[0] + 1 && has_room; ++b )
	{
		if ( ( ( a->number | b->number ) & CHANGED ) && bvwphase_boxes_touch( &a->box, &b->box ) )
		{
			has_room = bvwphase_report( world, a->number & ~CHANGED, b->number & ~CHANGED );
		}
		else
		{
			++tests;
		}
	}
	world->tests += tests;
	return has_room;
}

static bool compare_rows( bvw_broadphase* world, const entry* a, const entry* a_end, const entry* b,
                          const entry* b_end )
{
	for ( ; a < a_end; ++a )
	{
		while ( b < b_end && b->cell[0] < a->cell[0] - 1 )
		{
			++b;
		}
		if ( !compare_with_row( world, a, b, b_end ) )
		{
			return false;
		}
	}
	return true;
}

// Each row with itself and with the four of its neighbors that come before it. They advance as the row does.
static bool compare_sorted( bvw_broadphase* world, const uint32_t* rows, uint32_t count )
{
	static const int32_t neighbors[4][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 } };
	const entry* entries = entries_of( world );
	uint32_t at[4] = { 0 };
	for ( uint32_t r = 0; r < count; ++r )
	{
		const entry* row = entries + rows[r];
		const entry* row_end = entries + rows[r + 1];
		for ( const entry* a = row; a < row_end; ++a )
		{
			if ( !compare_with_row( world, a, a + 1, row_end ) )
			{
				return false;
			}
		}
		for ( int k = 0; k < 4; ++k )
		{
			int32_t y = row->cell[1] + neighbors[k][0];
			int32_t z = row->cell[2] + neighbors[k][1];
			const entry* other = entries + rows[at[k]];
			while ( other->cell[2] < z || ( other->cell[2] == z && other->cell[1] < y ) )
			{
				other = entries + rows[++at[k]];
			}
			if ( other->cell[2] == z && other->cell[1] == y &&
			     !compare_rows( world, row, row_end, other, entries + rows[at[k] + 1] ) )
			{
				return false;
			}
		}
	}
	return true;
}

// Looks for the pairs of all objects of a level. Those of objects of other levels are looked for in the same order, because
// neighbors look into the same cells.
static bool find_sorted( bvw_broadphase* world, uint32_t level, const uint32_t* rows, uint32_t row_count )
{
	const grid* g = grid_of( world );
	const entry* entries = entries_of( world );
	if ( !compare_sorted( world, rows, row_count ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < g->level[level].count && g->used_count > 1; ++i )
	{
		if ( ( entries[i].number & CHANGED ) && !find_all( world, entries[i].number & ~CHANGED, true ) )
		{
			return false;
		}
	}
	return true;
}

// Counts the changed objects of each level.
static void count_changed( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	const node* nodes = nodes_of( world );
	grid* g = grid_of( world );
	for ( uint32_t k = 0; k < g->used_count; ++k )
	{
		g->level[g->used[k]].changed = 0;
		g->level[g->used[k]].is_sorted = false;
	}
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		g->level[nodes[changed[i]].level].changed += ( objects[changed[i]].state & bvwphase_is_live ) != 0;
	}
}

static bool find( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const uint32_t* changed = bvwphase_changed( world );
	const node* nodes = nodes_of( world );
	grid* g = grid_of( world );
	count_changed( world );
	for ( uint32_t k = 0; k < g->used_count; ++k )
	{
		objects_of_level* l = g->level + g->used[k];
		uint32_t* rows;
		uint32_t row_count = 0;
		if ( g->used[k] != infinite && l->count >= sorted_least &&
		     (uint64_t)l->changed * sorted_part >= l->count )
		{
			row_count = sort_level( world, g->used[k], &rows );
		}
		l->is_sorted = row_count > 0;
		if ( l->is_sorted && !find_sorted( world, g->used[k], rows, row_count ) )
		{
			return false;
		}
	}
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		uint32_t a = changed[i];
		if ( ( objects[a].state & bvwphase_is_live ) && !g->level[nodes[a].level].is_sorted &&
		     !find_all( world, a, false ) )
		{
			return false;
		}
	}
	return true;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const grid* g = grid_of( world );
	for ( uint32_t k = 0; k < g->used_count; ++k )
	{
		walk w;
		begin_walk( &w, world, g->used[k], &query->box );
		for ( uint32_t i = next( &w ); i != NONE; i = next( &w ) )
		{
			bvwphase_look_at( query, i );
		}
	}
}

// Meets the objects of a walk.
static void meet( walk* w, bvwphase_cast* c )
{
	for ( uint32_t i = next( w ); i != NONE && !c->is_done; i = next( w ) )
	{
		bvwphase_meet( c, i );
	}
}

static int axis_of_motion( const bvwphase_cast* c )
{
	int axis = fabs( c->motion[1] ) > fabs( c->motion[0] ) ? 1 : 0;
	return fabs( c->motion[2] ) > fabs( c->motion[axis] ) ? 2 : axis;
}

// The cells of a layer normal to the motion's longest axis, where the moving box is while it passes the layer. Objects with cells in
// layer k are between k and k + 2 cell lengths s (see the head of the file). Products with s are exact, and so is the sign of a
// difference, so that times are off by 2^-50 of themselves and what underflow takes.
// @return false if it does not pass the layer in the range of time
static bool begin_layer( walk* w, const bvw_broadphase* world, uint32_t level, const bvwphase_cast* c,
                         int axis, int32_t layer )
{
	const double slack = 0x1p-40;
	const double least = 0x1p-1000;
	double s = power_of_two( (int)level + finest );
	double d = c->motion[axis];
	double begin = d > 0 ? layer * s - c->upper[axis] : ( layer + 2.0 ) * s - c->lower[axis];
	double end = d > 0 ? ( layer + 2.0 ) * s - c->lower[axis] : layer * s - c->upper[axis];
	double from = begin / d * ( begin / d > 0 ? 1 - slack : 1 + slack ) - least;
	double to = end / d * ( end / d > 0 ? 1 + slack : 1 - slack ) + least;
	from = greater( from, c->from );
	to = to < bvwphase_cast_end( c ) ? to : bvwphase_cast_end( c );
	if ( from > to )
	{
		return false;
	}
	bv_aabb reach = bvwphase_cast_reach( c, from, to );
	begin_walk( w, world, level, &reach );
	w->is_list = false;
	w->at = NONE;
	w->from[axis] = w->to[axis] = layer;
	w->cell[2] = w->from[2] - 1;
	return true;
}

// @return about how many cells the layers have that a level is walked through by
static double cells_of_layers( const walk* whole, const bvwphase_cast* c, uint32_t level, int axis )
{
	const double of_motion = 5; // along each other axis: two of motion, one of size, two that are begun
	double inverse = power_of_two( -( (int)level + finest ) );
	double cells = (double)cells_along( whole, axis );
	for ( int k = 1; k < 3; ++k )
	{
		int other = ( axis + k ) % 3;
		cells *= ( c->upper[other] - c->lower[other] ) * inverse + of_motion;
	}
	return cells;
}

static void cast_through_level( const bvw_broadphase* world, bvwphase_cast* c, uint32_t level )
{
	walk w;
	bv_aabb reach = bvwphase_cast_reach( c, c->from, bvwphase_cast_end( c ) );
	begin_walk( &w, world, level, &reach );
	int axis = axis_of_motion( c );
	if ( level == infinite || c->motion[axis] == 0 ||
	     cells_of_layers( &w, c, level, axis ) >= grid_of( world )->level[level].count )
	{
		meet( &w, c );
		return;
	}
	bool is_up = c->motion[axis] > 0;
	int32_t first = w.from[axis];
	int32_t count = w.to[axis] - first + 1; // fewer than objects
	for ( int32_t k = 0; k < count && !c->is_done; ++k )
	{
		int32_t layer = is_up ? first + k : first + count - 1 - k;
		walk of_layer;
		if ( begin_layer( &of_layer, world, level, c, axis, layer ) )
		{
			meet( &of_layer, c );
		}
	}
}

static void cast( const bvw_broadphase* world, bvwphase_cast* c )
{
	const grid* g = grid_of( world );
	for ( uint32_t k = 0; k < g->used_count && !c->is_done; ++k )
	{
		cast_through_level( world, c, g->used[k] );
	}
}

const bvwphase_method bvwphase_grid = {
	.name = "grid",
	.help = "a hashed grid of cells for each size of objects",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.finds_known = true,
	.overlap = overlap,
	.cast = cast,
};

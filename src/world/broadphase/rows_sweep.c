// The pairs of boxes that are sorted into rows.
//
// A box is compared with three kinds of others: those behind it in its row, those of the four neighbors of the row that come before
// it, if it can reach them, and those of rows of other levels that it can touch. Boxes that end before it or begin behind its end,
// along the first axis, are left out.

#include "world/broadphase/rows.h"

#include "world/broadphase/order.h"

#include "runtime/simd/floats.h"

#include <math.h>
#include <string.h>

typedef bvwphase_row_boxes row_boxes;

// The work of a share.
typedef struct row_search
{
	bvw_broadphase* world; // to which pairs are reported if `pairs` is null; otherwise nothing of it changes
	const row_boxes* boxes;
	bvw_pair* pairs; // found
	uint32_t count;  // of them
	uint32_t most;
	uint32_t share; // of `shares`
	uint32_t shares;
	bool is_full;
	uint64_t tests; // pairs of boxes compared
} row_search;

// Whether boxes touch whose bounds are not binary32 numbers, and which touch if they are rounded outward. Bounds are rounded by one
// step at most, hence they touch if they overlap by more than two steps along each axis.
static bool surely_touch( const row_boxes* s, uint32_t a, uint32_t b )
{
	bool touch = true;
	for ( int k = 0; k < 3; ++k )
	{
		double lower = s->lower[k][a] > s->lower[k][b] ? s->lower[k][a] : s->lower[k][b];
		double upper = s->upper[k][a] < s->upper[k][b] ? s->upper[k][a] : s->upper[k][b];
		// A step is 2^-23 of a number at most, or the least positive one.
		double steps = ( fabs( lower ) + fabs( upper ) ) * 0x1p-22 + 0x1p-147;
		touch = touch && upper - lower > steps;
	}
	return touch;
}

// A pair that touches and that may be one.
static bool keep( row_search* w, uint32_t i, uint32_t j )
{
	if ( !w->pairs )
	{
		return bvwphase_keep( w->world, i, j );
	}
	w->is_full = w->count == w->most;
	if ( !w->is_full )
	{
		w->pairs[w->count++] = ( bvw_pair ){ i < j ? i : j, i < j ? j : i };
	}
	return !w->is_full;
}

// Compares two objects exactly.
static bool compare_objects( row_search* w, uint32_t i, uint32_t j )
{
	const bvwphase_object* a = bvwphase_objects( w->world ) + i;
	const bvwphase_object* b = bvwphase_objects( w->world ) + j;
	++w->tests;
	return !bvwphase_boxes_touch( &a->box, &b->box ) || !bvwphase_may_pair( a, b ) || keep( w, i, j );
}

// Two boxes touch if they are rounded outward.
// @return false if there is no room
static bool found( row_search* w, uint32_t a, uint32_t b )
{
	const row_boxes* s = w->boxes;
	uint32_t both = s->number[a] & s->number[b];
	uint32_t either = s->number[a] | s->number[b];
	uint32_t i = s->number[a] & bvwphase_row_number;
	uint32_t j = s->number[b] & bvwphase_row_number;
	if ( !( either & bvwphase_row_changed ) )
	{
		return true;
	}
	bool is_sure =
		( both & bvwphase_row_plain ) && ( ( both & bvwphase_row_exact ) || surely_touch( s, a, b ) );
	return is_sure ? keep( w, i, j ) : compare_objects( w, i, j );
}

// A box that is compared with others: each bound four times.
typedef struct row_box
{
	bvsimd_floats lower[3];
	bvsimd_floats upper[3];
	uint32_t at;
} row_box;

static inline row_box box_at( const row_boxes* s, uint32_t i )
{
	row_box out = { .at = i };
	for ( int k = 0; k < 3; ++k )
	{
		out.lower[k] = bvsimd_floats_all( s->lower[k][i] );
		out.upper[k] = bvsimd_floats_all( s->upper[k][i] );
	}
	return out;
}

// Compares a box with the boxes from one on, some at a time, because the ends of short loops are hard to predict.
// @return bits of those that touch
static inline uint32_t touching( const row_boxes* s, const row_box* a, uint32_t from )
{
	bvsimd_floats_mask touch[3];
	for ( int k = 0; k < 3; ++k )
	{
		bvsimd_floats_mask begins =
			bvsimd_floats_not_above( bvsimd_floats_load( s->lower[k] + from ), a->upper[k] );
		bvsimd_floats_mask ends =
			bvsimd_floats_not_above( a->lower[k], bvsimd_floats_load( s->upper[k] + from ) );
		touch[k] = bvsimd_floats_both( begins, ends );
	}
	return bvsimd_floats_bits( bvsimd_floats_both( touch[0], bvsimd_floats_both( touch[1], touch[2] ) ) );
}

// Reports those of some boxes that touch one.
// @return false if there is no room
static bool report_some( row_search* w, uint32_t a, uint32_t from, uint32_t bits )
{
	for ( ; bits != 0; bits &= bits - 1 )
	{
		if ( !found( w, a, from + bvsimd_lowest_bit( bits ) ) )
		{
			return false;
		}
	}
	return true;
}

// Compares a box with those that begin before it ends.
// @return false if there is no room
static inline bool compare( row_search* w, const row_box* a, uint32_t from, uint32_t end )
{
	const row_boxes* s = w->boxes;
	float upper = s->upper[0][a->at];
	uint32_t at = from;
	bool has_room = true;
	do
	{
		uint32_t left = end - at;
		uint32_t bits = touching( s, a, at );
		bits &= left < bvwphase_row_lanes ? ( UINT32_C( 1 ) << left ) - 1 : UINT32_MAX;
		has_room = bits == 0 || report_some( w, a->at, at, bits );
		at += bvwphase_row_lanes;
	} while ( has_room && at < end && s->lower[0][at] <= upper );
	w->tests += ( at < end ? at : end ) - from;
	return has_room;
}

// What begins below ends before a box does.
static float reach_of( const row_boxes* s, uint32_t a, float longest )
{
	// Less than the true difference by more than what rounding adds.
	float reach = s->lower[0][a] - longest;
	return reach - ( fabsf( reach ) * 0x1p-22f + 0x1p-140f );
}

// The boxes of a row that are still to be compared.
typedef struct row_rest
{
	uint32_t at;
	uint32_t end;
} row_rest;

static row_rest whole_row( const bvwphase_row_level* l, uint32_t row )
{
	return ( row_rest ){ l->rows[row].first, l->rows[row + 1].first };
}

// Leaves out the boxes that begin below. Eight are looked at together, because the ends of short loops are hard to predict.
static inline void advance( const row_boxes* s, row_rest* rest, float reach )
{
	const bvsimd_floats least = bvsimd_floats_all( reach );
	uint32_t below;
	do
	{
		const float* x = s->lower[0] + rest->at;
		uint32_t bits =
			bvsimd_floats_bits( bvsimd_floats_below( bvsimd_floats_load( x ), least ) ) |
			bvsimd_floats_bits( bvsimd_floats_below( bvsimd_floats_load( x + bvwphase_row_lanes ), least ) )
				<< bvwphase_row_lanes;
		uint32_t left = rest->end - rest->at;
		// They are sorted, except behind the end.
		below = bvsimd_lowest_bit( ~bits );
		rest->at += below < left ? below : left;
	} while ( below == bvwphase_row_behind && rest->at < rest->end );
}

static bool is_before( const bvwphase_row* row, int32_t z, int32_t y )
{
	return row->z < z || ( row->z == z && row->y < y );
}

// @return the first row of a level that is not before a cell, from an index on
static uint32_t first_row( const bvwphase_row_level* l, uint32_t from, int32_t z, int32_t y )
{
	uint32_t low = from;
	uint32_t high = l->row_count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( is_before( l->rows + middle, z, y ) )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

enum
{
	row_neighbors = 4, // that come before a row
};

static const int32_t neighbor_at[row_neighbors][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 } }; // y, z

// The neighbors that a box can meet, as bits, for each of the sides of its row that it reaches.
static const uint8_t neighbors_of_sides[8] = { 0, 8, 0, 8, 2, 2 + 1 + 8, 2 + 4, 15 };

// A row and those of its neighbors that have boxes.
typedef struct row_round
{
	row_rest row;
	row_rest neighbor[row_neighbors];
	uint32_t neighbors; // bits
} row_round;

// Compares the boxes of a row with each other, and with those of its neighbors.
static bool sweep_row( row_search* w, const bvwphase_row_level* l, row_round* round )
{
	const row_boxes* s = w->boxes;
	for ( uint32_t i = round->row.at; i < round->row.end; ++i )
	{
		row_box a = box_at( s, i );
		if ( !compare( w, &a, i + 1, round->row.end ) )
		{
			return false;
		}
		float reach = reach_of( s, i, l->longest );
		uint32_t sides = s->number[i] >> bvwphase_row_sides_shift;
		for ( uint32_t bits = neighbors_of_sides[sides] & round->neighbors; bits != 0; bits &= bits - 1 )
		{
			row_rest* rest = round->neighbor + bvsimd_lowest_bit( bits );
			advance( s, rest, reach );
			if ( !compare( w, &a, rest->at, rest->end ) )
			{
				return false;
			}
		}
	}
	return true;
}

// @return the first row of a level that begins at a box or behind it
static uint32_t row_from( const bvwphase_row_level* l, uint32_t box )
{
	uint32_t low = 0;
	uint32_t high = l->row_count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( l->rows[middle].first < box )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

// The boxes of a level that a share looks at.
static uint32_t first_box( const row_search* w, const bvwphase_row_level* l, uint32_t share )
{
	return l->first + bvwteam_share( l->count, w->shares, share );
}

// Pairs of boxes of a level. Neighbors of rows advance as the rows do.
static bool sweep_level( row_search* w, const bvwphase_row_level* l )
{
	uint32_t end = row_from( l, first_box( w, l, w->share + 1 ) );
	uint32_t first = row_from( l, first_box( w, l, w->share ) );
	uint32_t at[row_neighbors];
	for ( int k = 0; k < row_neighbors; ++k )
	{
		at[k] = first_row( l, 0, l->rows[first].z + neighbor_at[k][1], l->rows[first].y + neighbor_at[k][0] );
	}
	for ( uint32_t r = first; r < end; ++r )
	{
		row_round round = { .row = whole_row( l, r ) };
		for ( int k = 0; k < row_neighbors; ++k )
		{
			int32_t y = l->rows[r].y + neighbor_at[k][0];
			int32_t z = l->rows[r].z + neighbor_at[k][1];
			while ( is_before( l->rows + at[k], z, y ) )
			{
				++at[k];
			}
			if ( l->rows[at[k]].z == z && l->rows[at[k]].y == y )
			{
				round.neighbor[k] = whole_row( l, at[k] );
				round.neighbors |= 1u << k;
			}
		}
		if ( !sweep_row( w, l, &round ) )
		{
			return false;
		}
	}
	return true;
}

// Leaves out the boxes that begin below, if there are many.
static void skip( const row_boxes* s, row_rest* rest, float reach )
{
	uint32_t high = rest->end;
	while ( rest->at < high )
	{
		uint32_t middle = rest->at + ( high - rest->at ) / 2;
		if ( s->lower[0][middle] < reach )
		{
			rest->at = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
}

// Compares a box with those of another level.
static bool compare_with_level( row_search* w, const row_box* a, const bvwphase_row_level* l )
{
	const row_boxes* s = w->boxes;
	int32_t from_y = bvwphase_row_cell( s->lower[1][a->at], l->cells_per_unit[0] ) - 1;
	int32_t from_z = bvwphase_row_cell( s->lower[2][a->at], l->cells_per_unit[1] ) - 1;
	int32_t to_y = bvwphase_row_cell( s->upper[1][a->at], l->cells_per_unit[0] );
	int32_t to_z = bvwphase_row_cell( s->upper[2][a->at], l->cells_per_unit[1] );
	float reach = reach_of( s, a->at, l->longest );
	uint32_t r = first_row( l, 0, from_z, from_y );
	while ( r < l->row_count && l->rows[r].z <= to_z )
	{
		const bvwphase_row* row = l->rows + r;
		if ( row->y < from_y )
		{
			r = first_row( l, r + 1, row->z, from_y );
		}
		else if ( row->y > to_y )
		{
			r = first_row( l, r + 1, row->z + 1, from_y );
		}
		else
		{
			row_rest rest = whole_row( l, r );
			skip( s, &rest, reach );
			if ( !compare( w, a, rest.at, rest.end ) )
			{
				return false;
			}
			++r;
		}
	}
	return true;
}

// About how many rows of a level the boxes of another one look into.
static double rows_looked_at( const bvwphase_row_level* from, const bvwphase_row_level* to )
{
	double cells = from->size / to->size + 2;
	return from->count * cells * cells;
}

// Pairs of boxes of two levels.
static bool compare_levels( row_search* w, const bvwphase_row_level* a, const bvwphase_row_level* b )
{
	const row_boxes* s = w->boxes;
	bool is_less = rows_looked_at( a, b ) < rows_looked_at( b, a );
	const bvwphase_row_level* from = is_less ? a : b;
	const bvwphase_row_level* to = is_less ? b : a;
	for ( uint32_t i = first_box( w, from, w->share ); i < first_box( w, from, w->share + 1 ); ++i )
	{
		row_box box = box_at( s, i );
		if ( ( to->has_changed || ( s->number[i] & bvwphase_row_changed ) ) &&
		     !compare_with_level( w, &box, to ) )
		{
			return false;
		}
	}
	return true;
}

// Objects without bounds with all others.
static bool compare_infinite( row_search* w )
{
	const bvwphase_object* objects = bvwphase_objects( w->world );
	const uint32_t* infinite = w->boxes->infinite;
	uint32_t first = bvwteam_share( w->world->highest, w->shares, w->share );
	uint32_t end = bvwteam_share( w->world->highest, w->shares, w->share + 1 );
	uint32_t next = 0; // of those without bounds
	for ( uint32_t b = first; b < end; ++b )
	{
		while ( next < w->boxes->infinite_count && infinite[next] < b )
		{
			++next;
		}
		// Of two objects without bounds, the first one is compared with the second one.
		bool is_infinite = next < w->boxes->infinite_count && infinite[next] == b;
		uint32_t count = is_infinite ? next : w->boxes->infinite_count;
		for ( uint32_t i = 0; i < count && ( objects[b].state & bvwphase_is_live ); ++i )
		{
			bool is_changed =
				( ( objects[infinite[i]].state | objects[b].state ) & bvwphase_is_changed ) != 0;
			if ( is_changed && !compare_objects( w, infinite[i], b ) )
			{
				return false;
			}
		}
	}
	return true;
}

static bool find_all( row_search* w )
{
	const row_boxes* s = w->boxes;
	for ( uint32_t k = 0; k < s->levels; ++k )
	{
		const bvwphase_row_level* l = s->level + k;
		if ( l->has_changed && !sweep_level( w, l ) )
		{
			return false;
		}
		for ( uint32_t other = 0; other < k; ++other )
		{
			const bvwphase_row_level* o = s->level + other;
			if ( ( l->has_changed || o->has_changed ) && !compare_levels( w, l, o ) )
			{
				return false;
			}
		}
	}
	return compare_infinite( w );
}

// Finds the pairs of a share and sorts them.
static void find_share( void* data, uint32_t share )
{
	row_search* w = (row_search*)data + share;
	find_all( w );
	bvw_pair* room = bvwphase_at( w->world, w->world->sorting_at );
	bvwphase_sort_pairs( w->pairs, w->count,
	                     room + bvwteam_share( w->world->options.pairs, w->shares, share ) );
}

// Sorted pairs.
typedef struct row_run
{
	const bvw_pair* at;
	uint32_t count;
} row_run;

// Merges two runs.
// @return the number of pairs
static uint32_t merge( row_run a, row_run b, bvw_pair* to )
{
	uint32_t i = 0;
	uint32_t j = 0;
	while ( i < a.count || j < b.count )
	{
		bool is_a =
			j == b.count || ( i < a.count && bvwphase_pair_key( a.at[i] ) < bvwphase_pair_key( b.at[j] ) );
		to[i + j] = is_a ? a.at[i] : b.at[j];
		i += is_a;
		j += !is_a;
	}
	return i + j;
}

// Merges the pairs of all shares.
// @param pairs  where those of the first share begin; receives them
// @return the number of pairs
static uint32_t merge_shares( const row_search* all, bvw_pair* pairs )
{
	const row_run nothing = { NULL, 0 };
	uint32_t runs = all->shares;
	row_run run[BVW_MAX_WORKERS];
	for ( uint32_t k = 0; k < runs; ++k )
	{
		run[k] = ( row_run ){ all[k].pairs, all[k].count };
	}
	bvw_pair* to = bvwphase_at( all->world, all->world->sorting_at );
	bvw_pair* other = pairs;
	for ( ; runs > 1; runs = ( runs + 1 ) / 2 )
	{
		uint32_t at = 0;
		for ( uint32_t k = 0; k < runs; k += 2 )
		{
			uint32_t count = merge( run[k], k + 1 < runs ? run[k + 1] : nothing, to + at );
			run[k / 2] = ( row_run ){ to + at, count };
			at += count;
		}
		bvw_pair* swap = to;
		to = other;
		other = swap;
	}
	if ( run[0].at != pairs )
	{
		memcpy( pairs, run[0].at, run[0].count * sizeof *pairs );
	}
	return run[0].count;
}

// Makes the bytes independent of where the shares had their pairs.
// @param total  pairs at the begin that remain
static void clear_rooms( const row_search* all, bvw_pair* pairs, uint32_t total )
{
	const bvw_broadphase* world = all->world;
	bvw_pair* room = bvwphase_at( world, world->sorting_at );
	memset( room, 0, total * sizeof *room );
	for ( uint32_t k = 0; k < all->shares; ++k )
	{
		uint32_t first = bvwteam_share( world->options.pairs, all->shares, k );
		uint32_t end = first + all[k].count;
		memset( room + first, 0, all[k].count * sizeof *room );
		first = first > total ? first : total;
		memset( pairs + first, 0, ( end > first ? end - first : 0 ) * sizeof *pairs );
	}
}

// Has the shares find pairs.
// @return false if there is no room for the pairs of one of them
static bool find_by_shares( bvw_broadphase* world, const bvwteam_team* team, const bvwphase_row_boxes* boxes,
                            bvw_pair* pairs )
{
	row_search all[BVW_MAX_WORKERS];
	for ( uint32_t k = 0; k < team->workers; ++k )
	{
		uint32_t first = bvwteam_share( world->options.pairs, team->workers, k );
		uint32_t end = bvwteam_share( world->options.pairs, team->workers, k + 1 );
		all[k] = ( row_search ){ .world = world,
			                     .boxes = boxes,
			                     .pairs = pairs + first,
			                     .most = end - first,
			                     .share = k,
			                     .shares = team->workers };
	}
	bvwteam_run( team, find_share, all );
	uint64_t tests = 0;
	bool has_room = true;
	for ( uint32_t k = 0; k < team->workers; ++k )
	{
		tests += all[k].tests;
		has_room = has_room && !all[k].is_full;
	}
	uint32_t total = has_room ? merge_shares( all, pairs ) : 0;
	clear_rooms( all, pairs, total );
	if ( has_room )
	{
		world->tests += tests;
		bvwphase_take_pairs( world, total );
	}
	return has_room;
}

bool bvwphase_row_sweep( bvw_broadphase* world, const bvwteam_team* team, const bvwphase_row_boxes* boxes )
{
	bvw_pair* pairs = bvwphase_room_for_pairs( world );
	// The pairs of a share can have no room where those of all have.
	const bvwteam_team one = { NULL, 1 };
	if ( pairs && ( find_by_shares( world, team, boxes, pairs ) ||
	                ( team->workers > 1 && find_by_shares( world, &one, boxes, pairs ) ) ) )
	{
		return true;
	}
	row_search alone = { .world = world, .boxes = boxes, .shares = 1 };
	bool is_done = find_all( &alone );
	world->tests += alone.tests;
	return is_done;
}

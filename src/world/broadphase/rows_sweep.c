// The pairs of boxes that are sorted into rows.
//
// A box is compared with those behind it in its row, with those of the four neighbors of the row that come before it, and with those of
// rows of other levels that it can touch; of these, with those whose lower bounds along the first axis are neither so low that they end
// before it nor above its end.

#include "world/broadphase/rows.h"

#include "runtime/simd/floats.h"

#include <math.h>

typedef bvwphase_row_levels_of row_boxes;

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

// Two boxes touch if they are rounded outward.
static bool found( bvw_broadphase* world, const row_boxes* s, uint32_t a, uint32_t b )
{
	uint32_t both = s->number[a] & s->number[b];
	uint32_t either = s->number[a] | s->number[b];
	uint32_t i = s->number[a] & bvwphase_row_number;
	uint32_t j = s->number[b] & bvwphase_row_number;
	if ( !( either & bvwphase_row_changed ) )
	{
		return true;
	}
	if ( ( both & bvwphase_row_plain ) && ( ( both & bvwphase_row_exact ) || surely_touch( s, a, b ) ) )
	{
		return bvwphase_keep( world, i, j );
	}
	return bvwphase_report( world, i, j );
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
static bool report_some( bvw_broadphase* world, const row_boxes* s, uint32_t a, uint32_t from, uint32_t bits )
{
	for ( ; bits != 0; bits &= bits - 1 )
	{
		if ( !found( world, s, a, from + bvsimd_lowest_bit( bits ) ) )
		{
			return false;
		}
	}
	return true;
}

// Compares a box with those that begin before it ends.
// @return false if there is no room
static inline bool compare( bvw_broadphase* world, const row_boxes* s, const row_box* a, uint32_t from,
                            uint32_t end )
{
	float upper = s->upper[0][a->at];
	do
	{
		uint32_t left = end - from;
		uint32_t bits = touching( s, a, from );
		bits &= left < bvwphase_row_lanes ? ( UINT32_C( 1 ) << left ) - 1 : UINT32_MAX;
		world->tests += bvwphase_row_lanes;
		if ( bits != 0 && !report_some( world, s, a->at, from, bits ) )
		{
			return false;
		}
		from += bvwphase_row_lanes;
	} while ( from < end && s->lower[0][from] <= upper );
	return true;
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

// Leaves out the boxes that begin below.
static inline void advance( const row_boxes* s, row_rest* rest, float reach )
{
	uint32_t below;
	do
	{
		bvsimd_floats x = bvsimd_floats_load( s->lower[0] + rest->at );
		uint32_t left = rest->end - rest->at;
		// They are sorted, except behind the end.
		below =
			bvsimd_lowest_bit( ~bvsimd_floats_bits( bvsimd_floats_below( x, bvsimd_floats_all( reach ) ) ) );
		rest->at += below < left ? below : left;
	} while ( below == bvwphase_row_lanes && rest->at < rest->end );
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

// Compares the boxes of a row with each other, and with those of its neighbors.
static bool sweep_row( bvw_broadphase* world, const row_boxes* s, const bvwphase_row_level* l, row_rest row,
                       row_rest* neighbors, uint32_t neighbor_count )
{
	for ( uint32_t i = row.at; i < row.end; ++i )
	{
		row_box a = box_at( s, i );
		if ( !compare( world, s, &a, i + 1, row.end ) )
		{
			return false;
		}
		float reach = reach_of( s, i, l->longest );
		for ( uint32_t k = 0; k < neighbor_count; ++k )
		{
			advance( s, neighbors + k, reach );
			if ( !compare( world, s, &a, neighbors[k].at, neighbors[k].end ) )
			{
				return false;
			}
		}
	}
	return true;
}

// Pairs of boxes of a level. Neighbors of rows advance as the rows do.
static bool sweep_level( bvw_broadphase* world, const row_boxes* s, const bvwphase_row_level* l )
{
	static const int32_t neighbors[4][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 } };
	uint32_t at[4] = { 0 };
	for ( uint32_t r = 0; r < l->row_count; ++r )
	{
		row_rest rest[4];
		uint32_t count = 0;
		for ( int k = 0; k < 4; ++k )
		{
			int32_t y = l->rows[r].y + neighbors[k][0];
			int32_t z = l->rows[r].z + neighbors[k][1];
			while ( is_before( l->rows + at[k], z, y ) )
			{
				++at[k];
			}
			if ( l->rows[at[k]].z == z && l->rows[at[k]].y == y )
			{
				rest[count++] = whole_row( l, at[k] );
			}
		}
		if ( !sweep_row( world, s, l, whole_row( l, r ), rest, count ) )
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
static bool compare_with_level( bvw_broadphase* world, const row_boxes* s, const row_box* a,
                                const bvwphase_row_level* l, double per_unit )
{
	int32_t from_y = bvwphase_row_cell( s->lower[1][a->at], per_unit ) - 1;
	int32_t from_z = bvwphase_row_cell( s->lower[2][a->at], per_unit ) - 1;
	int32_t to_y = bvwphase_row_cell( s->upper[1][a->at], per_unit );
	int32_t to_z = bvwphase_row_cell( s->upper[2][a->at], per_unit );
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
			if ( !compare( world, s, a, rest.at, rest.end ) )
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
static bool compare_levels( bvw_broadphase* world, const row_boxes* s, const bvwphase_row_level* a,
                            const bvwphase_row_level* b )
{
	bool is_less = rows_looked_at( a, b ) < rows_looked_at( b, a );
	const bvwphase_row_level* from = is_less ? a : b;
	const bvwphase_row_level* to = is_less ? b : a;
	double per_unit = 1 / to->size;
	for ( uint32_t i = from->first; i < from->first + from->count; ++i )
	{
		row_box box = box_at( s, i );
		if ( ( to->has_changed || ( s->number[i] & bvwphase_row_changed ) ) &&
		     !compare_with_level( world, s, &box, to, per_unit ) )
		{
			return false;
		}
	}
	return true;
}

// Objects without bounds with all others.
static bool compare_infinite( bvw_broadphase* world, const row_boxes* all )
{
	for ( uint32_t i = 0; i < all->infinite_count; ++i )
	{
		uint32_t a = all->infinite[i];
		for ( uint32_t b = 0; b < world->highest; ++b )
		{
			const bvwphase_object* objects = bvwphase_objects( world );
			bool is_changed = ( ( objects[a].state | objects[b].state ) & bvwphase_is_changed ) != 0;
			if ( b != a && is_changed && ( objects[b].state & bvwphase_is_live ) &&
			     !bvwphase_report( world, a, b ) )
			{
				return false;
			}
		}
	}
	return true;
}

bool bvwphase_row_sweep( bvw_broadphase* world, const bvwphase_row_levels_of* all )
{
	for ( uint32_t k = 0; k < all->levels; ++k )
	{
		const bvwphase_row_level* l = all->level + k;
		if ( l->has_changed && !sweep_level( world, all, l ) )
		{
			return false;
		}
		for ( uint32_t other = 0; other < k; ++other )
		{
			const bvwphase_row_level* o = all->level + other;
			if ( ( l->has_changed || o->has_changed ) && !compare_levels( world, all, l, o ) )
			{
				return false;
			}
		}
	}
	return compare_infinite( world, all );
}

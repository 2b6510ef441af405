// What is known of regions, and handing it on. See region.h.

#include "hausdorff/region.h"

#include "base/core/vec.h"

#include <math.h>
#include <string.h>

// Takes a row into account.
static void use_row( bvb_region* r, int k )
{
	const double* row = r->row[k];
	double largest = 0;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		r->upper[i] = bv_min( r->upper[i], row[i] );
		largest = bv_max( largest, row[i] );
	}
	if ( largest < r->single )
	{
		r->single = largest;
		r->best = k;
	}
}

void bvb_region_forget_rows( bvb_region* r )
{
	r->rows = 0;
	r->best = 0;
	r->single = INFINITY;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		r->upper[i] = INFINITY;
	}
}

void bvb_region_add_row( bvb_region* r, const bvb_index* index, bvb_index_ref ref )
{
	r->row_ref[r->rows] = ref;
	bvb_index_row( index, ref, &r->cell.corner, r->row[r->rows] );
	use_row( r, r->rows++ );
}

void bvb_region_add_helper( bvb_region* r, const bvb_index* index, bvb_index_ref ref )
{
	int worst = -1;
	double most = -1;
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( r->row_ref[k] == ref )
		{
			return;
		}
		double largest = r->rows == bvb_most_rows ? bvb_largest_of( r->row[k], r->cell.corner.count ) : 0;
		if ( largest > most && k != r->best )
		{
			most = largest;
			worst = k;
		}
	}
	if ( r->rows < bvb_most_rows )
	{
		bvb_region_add_row( r, index, ref );
		return;
	}
	// Corners that are nearest to what makes way are not known exactly any more.
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		if ( r->row[worst][i] <= r->upper[i] )
		{
			r->exact &= ~( 1u << i );
		}
	}
	r->row_ref[worst] = ref;
	bvb_index_row( index, ref, &r->cell.corner, r->row[worst] );
	use_row( r, worst );
}

int bvb_region_second_row( const bvb_region* r )
{
	const double* best = r->row[r->best];
	int worst = 0;
	for ( int i = 1; i < r->cell.corner.count; ++i )
	{
		worst = best[i] > best[worst] ? i : worst;
	}
	int second = r->best;
	for ( int k = 0; k < r->rows; ++k )
	{
		second = r->row[k][worst] < r->row[second][worst] ? k : second;
	}
	return second;
}

// Whether a row says something about a region: it is least at some corner, or, where every triangle that is nearest
// somewhere must have a row, it may be that.
static bool is_needed( const bvb_region* r, const double* row, double largest, double limit )
{
	if ( r->complete )
	{
		return largest <= limit;
	}
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		if ( row[i] <= r->upper[i] )
		{
			return true;
		}
	}
	return false;
}

// Drops the rows that say nothing. No distance changes by more than the region's diameter within it.
static void keep_needed_rows( bvb_region* r, const double* largest )
{
	double limit = bv_min( r->bound, r->single ) + 2 * r->radius;
	int kept = 0;
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( !is_needed( r, r->row[k], largest[k], limit ) )
		{
			continue;
		}
		if ( r->best == k )
		{
			r->best = kept;
		}
		r->row_ref[kept] = r->row_ref[k];
		if ( kept != k )
		{
			memcpy( r->row[kept], r->row[k], (size_t)r->cell.corner.count * sizeof( double ) );
		}
		kept += 1;
	}
	r->rows = kept;
}

// Hands on what does not depend on the corners.
static void inherit_head( const bvb_region* whole, bvb_region* part )
{
	bvb_pad_points( &part->cell.corner );
	part->bound = whole->bound;
	part->shape = whole->shape;
	part->bisections = whole->bisections;
	part->complete = whole->complete;
	part->exact = part->complete ? UINT32_MAX : 0;
	part->middle = bvb_cell_middle( &part->cell );
	part->radius = bvb_cell_radius( &part->cell, part->middle );
	bv_vec3 d = bv_sub( part->middle, whole->middle );
	double moved = sqrt( bv_dot( d, d ) );
	part->cover_count = whole->cover_count;
	for ( int i = 0; i < whole->cover_count; ++i )
	{
		part->cover[i] = whole->cover[i];
		part->cover[i].moved += moved;
	}
}

void bvb_region_inherit_candidates( const bvb_region* whole, const bvb_index* index, bvb_region* part )
{
	inherit_head( whole, part );
	bvb_region_forget_rows( part );
	double largest[bvb_most_rows];
	for ( int k = 0; k < whole->rows; ++k )
	{
		bvb_region_add_row( part, index, whole->row_ref[k] );
		largest[k] = bvb_largest_of( part->row[k], part->cell.corner.count );
	}
	keep_needed_rows( part, largest );
}

void bvb_region_inherit( const bvb_region* whole, const uint8_t* from, bvb_region* part )
{
	inherit_head( whole, part );
	int n = part->cell.corner.count;
	for ( int i = 0; i < n && !part->complete; ++i )
	{
		bool known = from[i] < whole->cell.corner.count && whole->exact >> from[i] & 1;
		part->exact |= known ? 1u << i : 0;
	}
	double largest[bvb_most_rows];
	bvb_region_forget_rows( part );
	part->rows = whole->rows;
	memcpy( part->row_ref, whole->row_ref, (size_t)whole->rows * sizeof *part->row_ref );
	for ( int k = 0; k < whole->rows; ++k )
	{
		double* row = part->row[k];
		largest[k] = 0;
		for ( int i = 0; i < n; ++i )
		{
			double value = whole->row[k][from[i]];
			row[i] = value;
			part->upper[i] = bv_min( part->upper[i], value );
			largest[k] = bv_max( largest[k], value );
		}
		if ( largest[k] < part->single )
		{
			part->single = largest[k];
			part->best = k;
		}
	}
	keep_needed_rows( part, largest );
}

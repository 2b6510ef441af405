// What is known of regions, and handing it on. See region.h.

#include "offline/hausdorff/region.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Takes a row into account. Returns its largest value.
static double use_row( bvhaus_region* r, int k )
{
	const double* row = r->row[k];
	bvhaus_row_lower( row, r->cell.corner.count, r->upper );
	double largest = bvhaus_row_largest( row, r->cell.corner.count );
	int better = -( largest < r->single );
	r->best = ( k & better ) | ( r->best & ~better );
	r->single = bvmath_min( r->single, largest );
	return largest;
}

void bvhaus_region_forget_rows( bvhaus_region* r )
{
	r->rows = 0;
	r->best = 0;
	r->single = INFINITY;
	int count = bvhaus_whole_groups( r->cell.corner.count );
	for ( int i = 0; i < count; ++i )
	{
		r->upper[i] = INFINITY;
	}
}

void bvhaus_region_add_row( bvhaus_region* r, const bvhaus_index* index, bvhaus_index_ref ref )
{
	r->row_ref[r->rows] = ref;
	bvhaus_index_row( index, ref, &r->cell.corner, 0, r->cell.corner.count, r->row[r->rows] );
	use_row( r, r->rows++ );
}

void bvhaus_region_add_helper( bvhaus_region* r, const bvhaus_index* index, bvhaus_index_ref ref )
{
	int worst = -1;
	double most = -1;
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( r->row_ref[k] == ref )
		{
			return;
		}
		double largest =
			r->rows == bvhaus_most_rows ? bvhaus_row_largest( r->row[k], r->cell.corner.count ) : 0;
		if ( largest > most && k != r->best )
		{
			most = largest;
			worst = k;
		}
	}
	if ( r->rows < bvhaus_most_rows )
	{
		bvhaus_region_add_row( r, index, ref );
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
	bvhaus_index_row( index, ref, &r->cell.corner, 0, r->cell.corner.count, r->row[worst] );
	use_row( r, worst );
}

int bvhaus_region_second_row( const bvhaus_region* r )
{
	const double* best = r->row[r->best];
	int worst = 0;
	while ( best[worst] < r->single )
	{
		worst += 1;
	}
	int second = r->best;
	double least = r->single;
	for ( int k = 0; k < r->rows; ++k )
	{
		double value = r->row[k][worst];
		second = value < least ? k : second;
		least = bvmath_min( value, least );
	}
	return second;
}

// Drops the rows that hardly say anything: those that are least at no corner and larger somewhere than
// `limit`.
static void keep_needed_rows( bvhaus_region* r, const double* largest, double limit )
{
	int n = r->cell.corner.count;
	size_t size = (size_t)bvhaus_whole_groups( n ) * sizeof( double );
	int kept = 0;
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( largest[k] <= limit || k == r->best || bvhaus_row_touches( r->row[k], r->upper, n ) )
		{
			r->best = r->best == k ? kept : r->best;
			r->row_ref[kept] = r->row_ref[k];
			if ( kept != k )
			{
				memcpy( r->row[kept], r->row[k], size );
			}
			kept += 1;
		}
	}
	r->rows = kept;
}

// Hands on what does not depend on the corners.
static void inherit_head( const bvhaus_region* whole, bvhaus_region* part )
{
	part->bound = whole->bound;
	part->shape = whole->shape;
	part->bisections = whole->bisections;
	part->ball = whole->ball;
	part->ball_radius = whole->ball_radius;
	part->near = whole->near;
	part->winding = ( bv_interval ){ NAN, NAN };
	part->complete = whole->complete;
	part->thinned = whole->thinned;
	part->exact = part->complete ? UINT32_MAX : 0;
	part->middle = bvhaus_cell_middle( &part->cell );
	part->radius = bvhaus_cell_radius( &part->cell, part->middle );
	bv_vec3 d = bv_sub( part->middle, whole->middle );
	double moved = sqrt( bv_dot( d, d ) );
	part->cover_count = whole->cover_count;
	for ( int i = 0; i < whole->cover_count; ++i )
	{
		part->cover[i] = whole->cover[i];
		part->cover[i].moved += moved;
	}
}

// No distance changes by more than the region's diameter within it: where the least largest value of a row is
// `single`, rows of larger values are nearest nowhere.
static double nearest_limit( const bvhaus_region* r, double single )
{
	return single + 2 * r->radius;
}

void bvhaus_region_inherit_candidates( const bvhaus_region* whole, const bvhaus_index* index,
                                       bvhaus_region* part )
{
	inherit_head( whole, part );
	bvhaus_region_forget_rows( part );
	double largest[bvhaus_most_rows];
	for ( int k = 0; k < whole->rows; ++k )
	{
		bvhaus_region_add_row( part, index, whole->row_ref[k] );
		largest[k] = bvhaus_row_largest( part->row[k], part->cell.corner.count );
	}
	keep_needed_rows( part, largest, part->complete ? nearest_limit( part, part->single ) : 0 );
}

void bvhaus_region_inherit( const bvhaus_region* whole, const uint8_t* from, bool may_thin,
                            bvhaus_region* part )
{
	inherit_head( whole, part );
	uint32_t known = whole->exact & ( ( 1u << whole->cell.corner.count ) - 1 );
	for ( int i = 0; i < part->cell.corner.count && !part->complete; ++i )
	{
		part->exact |= ( known >> from[i] & 1 ) << i;
	}
	bvhaus_region_forget_rows( part );
	double largest[bvhaus_most_rows];
	int n = part->cell.corner.count;
	int rows = 0;
	int best = 0;
	double single = INFINITY;
	for ( int k = 0; k < whole->rows; ++k )
	{
		double* row = part->row[rows];
		bvhaus_row_take( whole->row[k], from, n, row );
		bvhaus_row_lower( row, n, part->upper );
		double l = bvhaus_row_largest( row, n );
		int better = -( l < single );
		best = ( rows & better ) | ( best & ~better );
		single = bvmath_min( l, single );
		part->row_ref[rows] = whole->row_ref[k];
		largest[rows] = l;
		rows += !part->complete | ( l <= nearest_limit( part, single ) );
	}
	part->rows = rows;
	part->best = best;
	part->single = single;
	if ( !part->complete || may_thin )
	{
		keep_needed_rows( part, largest, 0 );
		part->thinned |= part->complete && part->rows < rows;
	}
}

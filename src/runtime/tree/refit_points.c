// The vertices of a node and what they measure. See refit_points.h.

#include "runtime/tree/refit_points.h"

#include "runtime/simd/floats.h"

#include <math.h>

bvtree_refit_points bvtree_refit_points_of( const bvtree_refit* r, uint32_t number )
{
	uint32_t first = r->first_leaf[number];
	uint32_t end = r->end_leaf[number];
	return ( bvtree_refit_points ){
		.positions = r->positions,
		.later = r->later,
		.first = r->leaf_new[first],
		.end = r->leaf_new[end],
		.old = r->old + r->leaf_old[first],
		.old_count = r->leaf_old[end] - r->leaf_old[first],
	};
}

// Directions by coordinate, and what was measured along them so far.
typedef struct measuring
{
	bvsimd_floats center;
	bvsimd_floats scale;
	bvsimd_floats x;
	bvsimd_floats y;
	bvsimd_floats z;
	bvsimd_floats lower;
	bvsimd_floats upper;
} measuring;

BVSIMD_INLINE bvsimd_floats along( const measuring* m, const float* position )
{
	bvsimd_floats d = bvsimd_floats_subtract( bvsimd_floats_load( position ), m->center );
	d = bvsimd_floats_multiply( d, m->scale );
	bvsimd_floats x = bvsimd_floats_multiply( m->x, bvsimd_floats_all_of_0( d ) );
	bvsimd_floats y = bvsimd_floats_multiply( m->y, bvsimd_floats_all_of_1( d ) );
	bvsimd_floats z = bvsimd_floats_multiply( m->z, bvsimd_floats_all_of_2( d ) );
	return bvsimd_floats_add( bvsimd_floats_add( x, y ), z );
}

BVSIMD_INLINE void measure_one( measuring* m, const float* position )
{
	bvsimd_floats t = along( m, position );
	m->lower = bvsimd_floats_min( m->lower, t );
	m->upper = bvsimd_floats_max( m->upper, t );
}

enum
{
	// Up to so many old vertices, it takes longer to find out which are new ones than to measure these twice.
	few_old = 128,
};

BVSIMD_INLINE void measure_all( measuring* m, const bvtree_refit_points* points, float ( *positions )[3] )
{
	for ( uint32_t i = points->first; i < points->end; ++i )
	{
		measure_one( m, positions[i] );
	}
	bool few = points->old_count <= few_old;
	for ( uint32_t i = 0; i < points->old_count; ++i )
	{
		if ( few || points->old[i] < points->first )
		{
			measure_one( m, positions[points->old[i]] );
		}
	}
}

void bvtree_refit_measure_along( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                                 const float* columns, bvtree_refit_measure* out )
{
	measuring m = {
		.center = bvsimd_floats_load( unit->center ),
		.scale = bvsimd_floats_all( unit->scale ),
		.x = bvsimd_floats_load( columns ),
		.y = bvsimd_floats_load( columns + bvtree_refit_rows ),
		.z = bvsimd_floats_load( columns + 2 * bvtree_refit_rows ),
		.lower = bvsimd_floats_all( INFINITY ),
		.upper = bvsimd_floats_all( -INFINITY ),
	};
	measure_all( &m, points, points->positions );
	if ( points->later )
	{
		measure_all( &m, points, points->later );
	}
	bvsimd_floats_store( out->lower, m.lower );
	bvsimd_floats_store( out->upper, m.upper );
}

// A rectangle, by coordinates along its axes, and the greatest square of a distance so far.
typedef struct reaching
{
	measuring m; // along its axes; the fourth direction is 0
	bvsimd_floats middle;
	bvsimd_floats half;
	float square;
} reaching;

BVSIMD_INLINE void reach_one( reaching* r, const float* position )
{
	bvsimd_floats t = bvsimd_floats_abs( bvsimd_floats_subtract( along( &r->m, position ), r->middle ) );
	t = bvsimd_floats_max( bvsimd_floats_subtract( t, r->half ), bvsimd_floats_all( 0 ) );
	float rest[4];
	bvsimd_floats_store( rest, bvsimd_floats_multiply( t, t ) );
	float square = ( rest[0] + rest[1] ) + rest[2];
	r->square = square > r->square ? square : r->square;
}

BVSIMD_INLINE void reach_all( reaching* r, const bvtree_refit_points* points, float ( *positions )[3] )
{
	for ( uint32_t i = points->first; i < points->end; ++i )
	{
		reach_one( r, positions[i] );
	}
	for ( uint32_t i = 0; i < points->old_count; ++i )
	{
		if ( points->old[i] < points->first )
		{
			reach_one( r, positions[points->old[i]] );
		}
	}
}

// Coordinates along the axes err by BVTREE_REFIT_ROUNDING of the reach; the middle and the half extents are rounded to binary32, and err
// by 2^-24 of themselves. Squares, sums and root add less than 2^-22 of the distance.
double bvtree_refit_radius( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                            const bv_vec3 axis[3], bv_vec3 center, const double half[2] )
{
	float column[3][4] = { { 0 } };
	float middle[4] = { 0 };
	float halves[4] = { (float)( half[0] * unit->scale ), (float)( half[1] * unit->scale ), 0, 0 };
	const bv_vec3 from = { center.x - unit->center[0], center.y - unit->center[1],
		                   center.z - unit->center[2] };
	double size = unit->reach;
	for ( int k = 0; k < 3; ++k )
	{
		column[0][k] = (float)axis[k].x;
		column[1][k] = (float)axis[k].y;
		column[2][k] = (float)axis[k].z;
		middle[k] = (float)( bv_dot( axis[k], from ) * unit->scale );
		size += fabs( middle[k] ) + halves[k];
	}
	reaching r = {
		.m = { .center = bvsimd_floats_load( unit->center ),
		       .scale = bvsimd_floats_all( unit->scale ),
		       .x = bvsimd_floats_load( column[0] ),
		       .y = bvsimd_floats_load( column[1] ),
		       .z = bvsimd_floats_load( column[2] ) },
		.middle = bvsimd_floats_load( middle ),
		.half = bvsimd_floats_load( halves ),
	};
	reach_all( &r, points, points->positions );
	if ( points->later )
	{
		reach_all( &r, points, points->later );
	}
	double rounding = 2 * BVTREE_REFIT_ROUNDING * size;
	return ( sqrt( (double)r.square ) * ( 1 + 0x1p-20 ) + rounding ) * (double)unit->inverse;
}

static bv_vec3 point_at( const void* context, uint32_t index )
{
	const bvtree_refit_points* points = context;
	float( *positions )[3] = points->positions;
	uint32_t count = ( points->end - points->first ) + points->old_count;
	if ( index >= count )
	{
		index -= count;
		positions = points->later;
	}
	uint32_t is_new = points->end - points->first;
	const float* p = positions[index < is_new ? points->first + index : points->old[index - is_new]];
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

bvvol_point_list bvtree_refit_list( const bvtree_refit_points* points )
{
	uint32_t count = ( points->end - points->first ) + points->old_count;
	return ( bvvol_point_list ){ points, point_at, points->later ? 2 * count : count };
}

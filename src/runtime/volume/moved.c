// Volumes moved by the offset of a file. See moved.h.

#include "runtime/volume/moved.h"

#include "runtime/math/vec.h"
#include "runtime/math/wide.h"

// With u = 2^-53 each sum errs by at most u times itself, so two points by 2u of the sum of the magnitudes of
// their coordinates, and what is added to the numbers of the volume is rounded as well: 8u are enough.
double bvvol_moved_slack( bv_vec3 center, double extent, bv_vec3 by )
{
	return 0x1p-50 * ( bvmath_norm1( by ) + ( bvmath_norm1( center ) + 3 * extent ) );
}

// A prism is the intersection of its box and two slanted planes. With k = h0 / (2 h1), a point (s, t) of the
// prism has |s| <= k (h1 - t). If it moves by up to d along both axes, it is in the prism whose base is lower
// by d and whose tip is higher by d + d / k. A flat prism is made wider first, so that d / k stays small.
static void widen_prism( double d, bv_prism* prism )
{
	bv_obb* box = &prism->box;
	double* h = box->half_extents;
	if ( h[1] > 0 )
	{
		h[0] = bvmath_max( h[0], 0x1p-10 * h[1] );
		double k = h[0] / ( 2 * h[1] );
		double rise = d / k;
		h[0] += d + 2 * k * d;
		h[1] += d + rise / 2;
		h[2] += d;
		box->center = bv_add( box->center, bv_scale( rise / 2, box->axis[1] ) );
		return;
	}
	// A rectangle. Half of the way up, the prism is half as wide as at its base.
	h[0] = 4 * ( h[0] + d );
	h[1] = 2 * d;
	h[2] += d;
}

static void move_framed( const bvvol_kind* kind, bv_volume* v, bv_vec3 by )
{
	double half[3];
	bvvol_parts parts = { .radius = 0 };
	kind->part( v, &parts );
	kind->half_lengths( v, half );
	double d = bvvol_moved_slack( parts.center, ( half[0] + half[1] ) + half[2], by );
	parts.center = bv_add( parts.center, by );
	parts.radius += d;
	for ( uint32_t i = 0; i < kind->extents && !kind->has_radius && !kind->tapered; ++i )
	{
		parts.extents[i] += d;
	}
	kind->join( &parts, v );
	if ( kind->tapered )
	{
		widen_prism( 2 * d, &v->prism );
	}
}

static void move_bounds( const bvvol_kind* kind, bv_volume* v, bv_vec3 by )
{
	bvvol_bounds bounds = kind->bounds( v );
	const double axis[3] = { by.x, by.y, by.z };
	double magnitude = bvmath_norm1( by );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( !bv_kdop_uses( kind->planes, i ) )
		{
			continue;
		}
		double* lower = bounds.lower + i;
		double* upper = bounds.upper + i;
		if ( i < 3 )
		{
			*lower = bvmath_sum_down( *lower, axis[i] );
			*upper = bvmath_sum_up( *upper, axis[i] );
			continue;
		}
		// No coordinate of a point of the volume is above what the first three bounds have.
		double reach = 0;
		for ( int k = 0; k < 3; ++k )
		{
			reach += bvmath_max( fabs( bounds.lower[k] ), fabs( bounds.upper[k] ) );
		}
		double d = 0x1p-50 * ( magnitude + reach + fabs( *lower ) + fabs( *upper ) );
		double along = bv_dot( bv_kdop_direction( i ), by );
		*lower = ( *lower + along ) - d;
		*upper = ( *upper + along ) + d;
	}
}

bv_volume bvvol_moved( const bv_volume* volume, bv_vec3 by )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	bv_volume out = *volume;
	if ( kind->planes > 0 )
	{
		move_bounds( kind, &out, by );
	}
	else
	{
		move_framed( kind, &out, by );
	}
	return out;
}

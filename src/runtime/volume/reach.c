// Upper bounds of distances. See reach.h.

#include "runtime/volume/reach.h"

#include "runtime/math/vec.h"

#include <math.h>

double bvvol_distance_bound( bv_vec3 a, bv_vec3 b )
{
	return bvmath_length_up( bv_sub( a, b ) );
}

// With u = 2^-53, the difference, the product and the two sums of one projection each err by a factor of at
// most 1 + u, which makes at most 4u + O(u^2) times sum |axis_k| |d_k|, and |axis_k| <= 1 + 4u. The bound
// below is twice that.
bv_vec3 bvvol_obb_reach( const bv_obb* box, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, box->center );
	double error = 0x1p-50 * bvmath_norm1( d );
	return ( bv_vec3 ){ fabs( bv_dot( box->axis[0], d ) ) + error, fabs( bv_dot( box->axis[1], d ) ) + error,
		                fabs( bv_dot( box->axis[2], d ) ) + error };
}

// A coordinate errs as in bvvol_obb_reach. The two products and the difference of the slanted sides err by
// less than 2^-51 of either side of the comparison.
bool bvvol_prism_encloses( const bv_prism* prism, bv_vec3 point )
{
	const double* h = prism->box.half_extents;
	bv_vec3 reach = bvvol_obb_reach( &prism->box, point );
	bv_vec3 d = bv_sub( point, prism->box.center );
	double up = bv_dot( prism->box.axis[1], d ) + 0x1p-50 * bvmath_norm1( d );
	return reach.x <= h[0] && reach.y <= h[1] && reach.z <= h[2] &&
	       ( 2 * h[1] ) * reach.x * ( 1 + 0x1p-50 ) <= h[0] * ( h[1] - up );
}

// Any point of the segment is as far as the nearest one or farther, so t may be rounded as it likes. With u =
// 2^-53 the two differences, the product and the last difference err by at most u |d_k| + 3u |foot_k| beside
// what bvmath_length_up covers; the bound below is more than twice that, and exceeds what underflow loses.
double bvvol_capsule_reach( const bv_capsule* capsule, bv_vec3 point )
{
	double reach = bvmath_min( bvvol_distance_bound( point, capsule->ends[0] ),
	                           bvvol_distance_bound( point, capsule->ends[1] ) );
	bv_vec3 along = bv_sub( capsule->ends[1], capsule->ends[0] );
	bv_vec3 d = bv_sub( point, capsule->ends[0] );
	double t = bv_dot( d, along ) / bv_dot( along, along );

	// Not so when the ends coincide and t is not a number.
	if ( 0 < t && t < 1 )
	{
		bv_vec3 foot = bv_scale( t, along );
		double error = 0x1p-50 * ( bvmath_norm1( d ) + bvmath_norm1( foot ) ) + 0x1p-1000;
		reach = bvmath_min( reach, bvmath_length_up( bv_sub( d, foot ) ) + error );
	}
	return reach;
}

// As above: any point of the segment or rectangle will do. The four roundings err by at most 2u |d_k| + 2u |s
// axis0_k| + u |t axis1_k| beside what bvmath_length_up covers, and the coordinates of an axis add up to less
// than 2.
static double reach_of_box( bv_vec3 d, const bv_vec3* axis, const double* half_extents, uint32_t extents )
{
	if ( extents == 0 )
	{
		return bvmath_length_up( d );
	}
	bv_vec3 rest = d;
	double feet = 0;
	for ( uint32_t i = 0; i < extents; ++i )
	{
		double half = half_extents[i];
		double foot = bvmath_max( -half, bvmath_min( half, bv_dot( axis[i], d ) ) );
		rest = bv_sub( rest, bv_scale( foot, axis[i] ) );
		feet += fabs( foot );
	}
	double error = 0x1p-50 * ( bvmath_norm1( d ) + 2 * feet );

	// The center itself is exactly there: a volume that has shrunk to it has a radius of 0.
	return bvmath_norm1( d ) > 0 ? bvmath_length_up( rest ) + ( error + 0x1p-1000 ) : 0;
}

double bvvol_rounded_reach( const bvvol_rounded* v, uint32_t extents, bv_vec3 point )
{
	return reach_of_box( bv_sub( point, v->center ), v->axis, v->half_extents, extents );
}

double bvvol_rss_reach( const bv_rss* rss, bv_vec3 point )
{
	return reach_of_box( bv_sub( point, rss->center ), rss->axis, rss->half_extents, 2 );
}

// Whether the exact sum of four numbers is above 0. Each is added to numbers that do not overlap, the last of
// them the greatest (Shewchuk 1997, figure 6), so that the last that is not 0 decides.
static bool is_positive_sum( const double term[4] )
{
	double part[4];
	for ( int count = 0; count < 4; ++count )
	{
		double sum = term[count];
		for ( int i = 0; i < count; ++i )
		{
			double a = sum;
			double b = part[i];
			sum = a + b;
			double b_part = sum - a;
			part[i] = ( a - ( sum - b_part ) ) + ( b - b_part );
		}
		part[count] = sum;
	}
	int last = 3;
	while ( last > 0 && part[last] == 0 )
	{
		last -= 1;
	}
	return part[last] > 0;
}

bool bvvol_kdop_encloses( const bv_kdop* kdop, bv_vec3 point )
{
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		double x = d.x * point.x;
		double y = d.y * point.y;
		double z = d.z * point.z;
		if ( bv_kdop_uses( kdop->k, i ) &&
		     ( is_positive_sum( ( double[4] ){ x, y, z, -kdop->upper[i] } ) ||
		       is_positive_sum( ( double[4] ){ -x, -y, -z, kdop->lower[i] } ) ) )
		{
			return false;
		}
	}
	return true;
}

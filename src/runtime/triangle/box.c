// Separating axes of a triangle and a box. See box.h.

#include "runtime/triangle/box.h"

#include "runtime/math/vec.h"

#include <math.h>

// Whether the interval of two numbers lies outside of [-reach, reach].
static bool is_outside( double a, double b, double reach )
{
	return bvmath_min( a, b ) > reach || bvmath_max( a, b ) < -reach;
}

// The same of three numbers.
static bool are_outside( const double a[3], double reach )
{
	return bvmath_min( bvmath_min( a[0], a[1] ), a[2] ) > reach ||
	       bvmath_max( bvmath_max( a[0], a[1] ), a[2] ) < -reach;
}

// In units of 2^-53 and of what enters (the corner, the center, the extents), a coordinate along an axis errs
// by less than 10, its products with an axis' components and their sums by less than 8 more.
static double slack_of( const bv_vec3 corner[3], const bv_obb* box, double slack )
{
	const double* h = box->half_extents;
	double largest = bvmath_max( bvmath_norm1( corner[0] ),
	                             bvmath_max( bvmath_norm1( corner[1] ), bvmath_norm1( corner[2] ) ) );
	return slack + BVMATH_OVERLAP_ROUNDING *
	                   ( ( largest + bvmath_norm1( box->center ) ) + ( ( h[0] + h[1] ) + h[2] ) );
}

// With an axis m in the box's frame: a point of the box has at most sum half_i |m_i| along it, and one that
// is off by the slack in each coordinate at most slack sum |m_i| more. So no more than the extents need to
// grow by the slack, and this holds for any m, however it was rounded.
bool bvtri_overlaps_box( const bv_vec3 corner[3], const bv_obb* box, double slack )
{
	slack = slack_of( corner, box, slack );
	double half[3];
	double at[3][3]; // by axis, then by corner
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = box->half_extents[i] + slack;
		for ( int k = 0; k < 3; ++k )
		{
			at[i][k] = bv_dot( box->axis[i], bv_sub( corner[k], box->center ) );
		}
		if ( are_outside( at[i], half[i] ) )
		{
			return false;
		}
	}

	double edge[3][3];
	for ( int i = 0; i < 3; ++i )
	{
		edge[i][0] = at[i][1] - at[i][0];
		edge[i][1] = at[i][2] - at[i][1];
		edge[i][2] = at[i][0] - at[i][2];
	}
	// Of slivers what should be normal is anything: all three corners are looked at.
	bv_vec3 m = bv_cross( ( bv_vec3 ){ edge[0][0], edge[1][0], edge[2][0] },
	                      ( bv_vec3 ){ edge[0][1], edge[1][1], edge[2][1] } );
	double reach = ( half[0] * fabs( m.x ) + half[1] * fabs( m.y ) ) + half[2] * fabs( m.z );
	double along[3];
	for ( int k = 0; k < 3; ++k )
	{
		along[k] = ( m.x * at[0][k] + m.y * at[1][k] ) + m.z * at[2][k];
	}
	if ( are_outside( along, reach ) )
	{
		return false;
	}

	// Both ends of an edge are at one place along its product with an axis, but for rounding that the slack
	// covers: one of them and the third corner tell.
	for ( int k = 0; k < 3; ++k )
	{
		int third = k == 0 ? 2 : k - 1;
		for ( int i = 0; i < 3; ++i )
		{
			int u = i == 2 ? 0 : i + 1;
			int v = i == 0 ? 2 : i - 1;
			double mu = edge[v][k];
			double mv = edge[u][k];
			double from = mu * at[u][k] - mv * at[v][k];
			double to = mu * at[u][third] - mv * at[v][third];
			if ( is_outside( from, to, half[u] * fabs( mu ) + half[v] * fabs( mv ) ) )
			{
				return false;
			}
		}
	}
	return true;
}

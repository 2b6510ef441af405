// The least k-DOP with slabs of binary32 numbers (Klosowski, Held, Mitchell, Sowizral, Zikan 1998, "Efficient collision
// detection using bounding volume hierarchies of k-DOPs"), and its volume.

#include "base/core/round.h"
#include "base/core/vec.h"
#include "bvbuild/fit.h"
#include "fit/directions.h"

#include <math.h>

// a + b = sum + *tail exactly (Knuth).
static double two_sum( double a, double b, double* tail )
{
	double sum = a + b;
	double b_part = sum - a;
	double a_part = sum - b_part;
	*tail = ( a - a_part ) + ( b - b_part );
	return sum;
}

// The least binary32 number that is not below a + b + c. The sum becomes three numbers that do not overlap (Shewchuk
// 1997, figure 6): the greatest decides, and where it is a binary32 number itself the sign of the rest.
static float sum_up( double a, double b, double c )
{
	double low;
	double high = two_sum( a, b, &low );
	double lowest;
	double middle;
	double greatest = two_sum( two_sum( low, c, &lowest ), high, &middle );
	double rest = middle != 0 ? middle : lowest;
	float up = bv_float_up( greatest );
	return up == greatest && rest > 0 ? nextafterf( up, INFINITY ) : up;
}

// The least binary32 number that no point's projection exceeds.
// @param greatest  of the rounded projections
// @param error     of one of them at most, and as much again
static float slab_up( const bv_vec3* points, uint32_t count, bv_vec3 direction, double greatest,
                      double error )
{
	float up = bv_float_up( greatest + error );
	if ( up == bv_float_up( greatest - error ) )
	{
		return up;
	}
	up = -INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = { direction.x * points[i].x, direction.y * points[i].y, direction.z * points[i].z };
		if ( ( p.x + p.y ) + p.z >= greatest - error )
		{
			float sum = sum_up( p.x, p.y, p.z );
			up = sum > up ? sum : up;
		}
	}
	return up;
}

bv_status bvb_fit_kdop( const bv_vec3* points, uint32_t count, uint32_t k, bv_kdop* out )
{
	*out = ( bv_kdop ){ .k = k };
	if ( count == 0 || !bv_kdop_uses( k, 0 ) )
	{
		return bv_error_argument;
	}
	double lower[BV_KDOP_DIRECTIONS];
	double upper[BV_KDOP_DIRECTIONS];
	bvb_project( points[0], BV_KDOP_DIRECTIONS, lower );
	bvb_project( points[0], BV_KDOP_DIRECTIONS, upper );
	double magnitude = bv_norm1( points[0] );
	for ( uint32_t p = 1; p < count; ++p )
	{
		double at[BV_KDOP_DIRECTIONS];
		bvb_project( points[p], BV_KDOP_DIRECTIONS, at );
		for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			lower[i] = bv_min( lower[i], at[i] );
			upper[i] = bv_max( upper[i], at[i] );
		}
		magnitude = bv_max( magnitude, bv_norm1( points[p] ) );
	}
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( k, i ) )
		{
			// Two sums err by 2^-52 of the magnitude; along a coordinate axis nothing is added.
			double error = i < 3 ? 0 : 0x1p-50 * magnitude;
			bv_vec3 direction = bv_kdop_direction( i );
			out->lower[i] = -slab_up( points, count, bv_scale( -1, direction ), -lower[i], error ) + 0.0f;
			out->upper[i] = slab_up( points, count, direction, upper[i], error ) + 0.0f;
		}
	}
	return bv_ok;
}

enum
{
	most_planes = 2 * BV_KDOP_DIRECTIONS,
	most_corners = 4 + most_planes, // each cut adds one at most
};

// A half-space dot( normal, x ) <= offset.
typedef struct half_space
{
	double normal[3];
	double offset;
} half_space;

// A polygon in the coordinates u, v of a plane.
typedef struct polygon
{
	int count;
	double u[most_corners];
	double v[most_corners];
} polygon;

// Keeps what satisfies a u + b v <= c (Sutherland, Hodgman 1974).
static void cut( polygon* p, double a, double b, double c )
{
	polygon kept = { .count = 0 };
	for ( int i = 0; i < p->count; ++i )
	{
		int next = i + 1 < p->count ? i + 1 : 0;
		double here = a * p->u[i] + b * p->v[i] - c;
		double there = a * p->u[next] + b * p->v[next] - c;
		if ( here <= 0 )
		{
			kept.u[kept.count] = p->u[i];
			kept.v[kept.count++] = p->v[i];
		}

		// Rounding can make more crossings than the two of a convex polygon, of corners as good as on the line.
		if ( ( here < 0 && there > 0 ) || ( here > 0 && there < 0 ) )
		{
			if ( kept.count == most_corners )
			{
				break;
			}
			double t = here / ( here - there );
			kept.u[kept.count] = p->u[i] + t * ( p->u[next] - p->u[i] );
			kept.v[kept.count++] = p->v[i] + t * ( p->v[next] - p->v[i] );
		}
	}
	*p = kept;
}

static double area( const polygon* p )
{
	double sum = 0;
	for ( int i = 1; i + 1 < p->count; ++i )
	{
		sum += ( p->u[i] - p->u[0] ) * ( p->v[i + 1] - p->v[0] ) -
		       ( p->v[i] - p->v[0] ) * ( p->u[i + 1] - p->u[0] );
	}
	return fabs( sum ) / 2;
}

// The area of a face, seen along the coordinate axis w.
static double shadow_of_face( const half_space* plane, int count, int face, int w, const double half[3] )
{
	int u = ( w + 1 ) % 3;
	int v = ( w + 2 ) % 3;
	polygon p = { .count = 4,
		          .u = { -half[u], half[u], half[u], -half[u] },
		          .v = { -half[v], -half[v], half[v], half[v] } };
	const half_space* f = &plane[face];
	for ( int i = 0; i < count && p.count > 0; ++i )
	{
		// Of the face's plane the coordinate w is ( offset - n_u u - n_v v ) / n_w, and n_w is 1 or -1.
		const half_space* h = &plane[i];
		double m = h->normal[w] * f->normal[w];
		double a = h->normal[u] - m * f->normal[u];
		double b = h->normal[v] - m * f->normal[v];
		if ( a != 0 || b != 0 )
		{
			cut( &p, a, b, h->offset - m * f->offset );
		}
	}
	return area( &p );
}

// A third of the sum, over the faces, of area times distance from the middle of the box. A face of normal n seen along
// the axis w has |n_w| / |n| of its area, and its distance is offset / |n|: the roots cancel. Each face is cut out of
// its plane by itself, so that planes which only touch, or touch nothing, do no harm.
double bvb_kdop_volume( const bv_kdop* kdop )
{
	double middle[3];
	double half[3];
	for ( int i = 0; i < 3; ++i )
	{
		middle[i] = ( kdop->lower[i] + kdop->upper[i] ) / 2;
		half[i] = ( kdop->upper[i] - kdop->lower[i] ) / 2;
	}
	half_space plane[most_planes];
	int count = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kdop->k, i ) )
		{
			bv_vec3 d = bv_kdop_direction( i );
			double at = ( d.x * middle[0] + d.y * middle[1] ) + d.z * middle[2];
			plane[count++] = ( half_space ){ { d.x, d.y, d.z }, kdop->upper[i] - at };
			plane[count++] = ( half_space ){ { -d.x, -d.y, -d.z }, at - kdop->lower[i] };
		}
	}
	double sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		int w = plane[i].normal[0] != 0 ? 0 : plane[i].normal[1] != 0 ? 1 : 2;
		sum += plane[i].offset * shadow_of_face( plane, count, i, w, half );
	}
	return bv_max( sum / 3, 0 );
}

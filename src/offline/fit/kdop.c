// The least k-DOP with slabs of binary32 numbers (Klosowski, Held, Mitchell, Sowizral, Zikan 1998, "Efficient
// collision detection using bounding volume hierarchies of k-DOPs"), its volume, area and diameter.

#include "bvbuild/fit.h"
#include "offline/fit/directions.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// a + b = sum + *tail exactly (Knuth).
static double two_sum( double a, double b, double* tail )
{
	double sum = a + b;
	double b_part = sum - a;
	double a_part = sum - b_part;
	*tail = ( a - a_part ) + ( b - b_part );
	return sum;
}

// The least binary32 number that is not below a + b + c. The sum becomes three numbers that do not overlap
// (Shewchuk 1997, figure 6), the lowest of which can still be as large as half the greatest where those
// between cancel; put together once more, the greatest decides, and where it is a binary32 number itself the
// sign of the rest.
static float sum_up( double a, double b, double c )
{
	double low;
	double high = two_sum( a, b, &low );
	double lowest;
	double middle;
	double greatest = two_sum( two_sum( low, c, &lowest ), high, &middle );
	double least;
	middle = two_sum( middle, lowest, &least );
	greatest = two_sum( greatest, middle, &lowest );
	double rest = lowest != 0 ? lowest : least;
	float up = bvmath_float_up( greatest );
	return up == greatest && rest > 0 ? nextafterf( up, INFINITY ) : up;
}

// The least binary32 number that no point's projection exceeds.
// @param greatest  of the rounded projections
// @param error     of one of them at most, and as much again
static float slab_up( const bv_vec3* points, uint32_t count, bv_vec3 direction, double greatest,
                      double error )
{
	float up = bvmath_float_up( greatest + error );
	if ( up == bvmath_float_up( greatest - error ) )
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
	bvvol_project( points[0], BV_KDOP_DIRECTIONS, lower );
	bvvol_project( points[0], BV_KDOP_DIRECTIONS, upper );
	double magnitude = bvmath_norm1( points[0] );
	for ( uint32_t p = 1; p < count; ++p )
	{
		double at[BV_KDOP_DIRECTIONS];
		bvvol_project( points[p], BV_KDOP_DIRECTIONS, at );
		for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			lower[i] = bvmath_min( lower[i], at[i] );
			upper[i] = bvmath_max( upper[i], at[i] );
		}
		magnitude = bvmath_max( magnitude, bvmath_norm1( points[p] ) );
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
typedef struct kdop_polygon
{
	int count;
	double u[most_corners];
	double v[most_corners];
} kdop_polygon;

// Where each corner is: a u + b v - c. Returns whether one is outside.
static bool measure_sides( const kdop_polygon* p, double a, double b, double c, double side[most_corners] )
{
	bool outside = false;
	for ( int i = 0; i < p->count; ++i )
	{
		side[i] = a * p->u[i] + b * p->v[i] - c;
		outside = outside || side[i] > 0;
	}
	return outside;
}

// Keeps what satisfies a u + b v <= c (Sutherland, Hodgman 1974). Most planes cut nothing off.
static void cut( kdop_polygon* p, double a, double b, double c )
{
	double side[most_corners];
	if ( !measure_sides( p, a, b, c, side ) )
	{
		return;
	}
	kdop_polygon kept;
	kept.count = 0;
	for ( int i = 0; i < p->count; ++i )
	{
		int next = i + 1 < p->count ? i + 1 : 0;
		double here = side[i];
		double there = side[next];
		if ( here <= 0 )
		{
			kept.u[kept.count] = p->u[i];
			kept.v[kept.count++] = p->v[i];
		}

		// Rounding can make more crossings than the two of a convex polygon, of corners as good as on the
		// line.
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
	size_t corners = (size_t)kept.count;
	p->count = kept.count;
	memcpy( p->u, kept.u, corners * sizeof *p->u );
	memcpy( p->v, kept.v, corners * sizeof *p->v );
}

static double area( const kdop_polygon* p )
{
	double sum = 0;
	for ( int i = 1; i + 1 < p->count; ++i )
	{
		sum += ( p->u[i] - p->u[0] ) * ( p->v[i + 1] - p->v[0] ) -
		       ( p->v[i] - p->v[0] ) * ( p->u[i + 1] - p->u[0] );
	}
	return fabs( sum ) / 2;
}

// A face, seen along the coordinate axis w.
static void get_face( const half_space* plane, int count, int face, int w, const double half[3],
                      kdop_polygon* out )
{
	int u = ( w + 1 ) % 3;
	int v = ( w + 2 ) % 3;
	const double square[2][4] = { { -half[u], half[u], half[u], -half[u] },
		                          { -half[v], -half[v], half[v], half[v] } };
	out->count = 4;
	memcpy( out->u, square[0], sizeof square[0] );
	memcpy( out->v, square[1], sizeof square[1] );
	const half_space* f = &plane[face];
	for ( int i = 0; i < count && out->count > 0; ++i )
	{
		// Of the face's plane the coordinate w is ( offset - n_u u - n_v v ) / n_w, and n_w is 1 or -1.
		const half_space* h = &plane[i];
		double m = h->normal[w] * f->normal[w];
		double a = h->normal[u] - m * f->normal[u];
		double b = h->normal[v] - m * f->normal[v];
		if ( a != 0 || b != 0 )
		{
			cut( out, a, b, h->offset - m * f->offset );
		}
	}
}

// The planes of a k-DOP, relative to the middle of the box of the first three directions. Returns how many
// there are.
static int planes_of( const bv_kdop* kdop, half_space plane[most_planes], double half[3] )
{
	double middle[3];
	for ( int i = 0; i < 3; ++i )
	{
		middle[i] = ( kdop->lower[i] + kdop->upper[i] ) / 2;
		half[i] = ( kdop->upper[i] - kdop->lower[i] ) / 2;
	}
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
	return count;
}

// The coordinate axis along which a face is looked at.
static int view_of( const half_space* plane )
{
	return plane->normal[0] != 0 ? 0 : plane->normal[1] != 0 ? 1 : 2;
}

// A third of the sum, over the faces, of area times distance from the middle of the box. A face of normal n
// seen along the axis w has |n_w| / |n| of its area, and its distance is offset / |n|: the roots cancel. Each
// face is cut out of its plane by itself, so that planes which only touch, or touch nothing, do no harm.
double bvb_kdop_volume( const bv_kdop* kdop )
{
	half_space plane[most_planes];
	double half[3];
	int count = planes_of( kdop, plane, half );
	double sum = 0;
	kdop_polygon p;
	for ( int i = 0; i < count; ++i )
	{
		get_face( plane, count, i, view_of( plane + i ), half, &p );
		sum += plane[i].offset * area( &p );
	}
	return bvmath_max( sum / 3, 0 );
}

// The same faces, each as large as it is.
double bvb_kdop_area( const bv_kdop* kdop )
{
	half_space plane[most_planes];
	double half[3];
	int count = planes_of( kdop, plane, half );
	double sum = 0;
	kdop_polygon p;
	for ( int i = 0; i < count; ++i )
	{
		const double* n = plane[i].normal;
		get_face( plane, count, i, view_of( plane + i ), half, &p );
		sum += sqrt( ( n[0] * n[0] + n[1] * n[1] ) + n[2] * n[2] ) * area( &p );
	}
	return sum;
}

// Corners are those of the faces; of each face that was left nothing of, there are none.
double bvb_kdop_diameter( const bv_kdop* kdop )
{
	half_space plane[most_planes];
	double half[3];
	int count = planes_of( kdop, plane, half );
	double corner[most_planes * most_corners][3];
	int corners = 0;
	double largest = 0;
	kdop_polygon p;
	for ( int i = 0; i < count; ++i )
	{
		int w = view_of( plane + i );
		int u = ( w + 1 ) % 3;
		int v = ( w + 2 ) % 3;
		get_face( plane, count, i, w, half, &p );
		for ( int k = 0; k < p.count; ++k )
		{
			const double* n = plane[i].normal;
			double* c = corner[corners++];
			c[u] = p.u[k];
			c[v] = p.v[k];
			c[w] = n[w] * ( plane[i].offset - ( n[u] * c[u] + n[v] * c[v] ) );
			for ( int j = 0; j + 1 < corners; ++j )
			{
				double x = c[0] - corner[j][0];
				double y = c[1] - corner[j][1];
				double z = c[2] - corner[j][2];
				largest = bvmath_max( largest, ( x * x + y * y ) + z * z );
			}
		}
	}
	return sqrt( largest );
}

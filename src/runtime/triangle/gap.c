// Distances of two triangles. See gap.h.

#include "runtime/triangle/gap.h"

#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

// Both triangles relative to a corner of the first.
typedef struct gap_pair
{
	bv_vec3 a[3];
	bv_vec3 b[3];
	bv_vec3 side_a[3];
	bv_vec3 side_b[3];
	double rounding; // bounds what a distance along a line errs by
} gap_pair;

static void begin_pair( const bv_vec3 a[3], const bv_vec3 b[3], gap_pair* p )
{
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		p->a[i] = bv_sub( a[i], a[0] );
		p->b[i] = bv_sub( b[i], a[0] );
		extent = bvmath_max( extent, bvmath_max( bvmath_norm1( p->a[i] ), bvmath_norm1( p->b[i] ) ) );
	}
	for ( int i = 0; i < 3; ++i )
	{
		int next = i == 2 ? 0 : i + 1;
		p->side_a[i] = bv_sub( p->a[next], p->a[i] );
		p->side_b[i] = bv_sub( p->b[next], p->b[i] );
	}
	p->rounding = 0x1p-49 * extent;
}

static void take_sides( const bvtri_nearest_pair* near, int i, int j, bvtri_gap* out )
{
	out->square = near->square;
	out->point[0] = near->a;
	out->point[1] = near->b;
	for ( int k = 0; k < 3; ++k )
	{
		out->weight[0][k] = k == i ? 1 - near->s : k == ( i + 1 ) % 3 ? near->s : 0;
		out->weight[1][k] = k == j ? 1 - near->t : k == ( j + 1 ) % 3 ? near->t : 0;
	}
}

// How wide the slab between two points is once all corners are out of it, times the points' distance.
static double width_of( const gap_pair* p, bv_vec3 from, bv_vec3 to )
{
	bv_vec3 d = bv_sub( to, from );
	double a = bvmath_max( bvmath_max( bv_dot( d, p->a[0] ), bv_dot( d, p->a[1] ) ), bv_dot( d, p->a[2] ) );
	double b = bvmath_min( bvmath_min( bv_dot( d, p->b[0] ), bv_dot( d, p->b[1] ) ), bv_dot( d, p->b[2] ) );
	return b - a;
}

// What is known after some nearest points were found.
typedef enum gap_verdict
{
	verdict_open,   // nothing yet
	verdict_found,  // no others are nearer
	verdict_beyond, // none are nearer than the limit
} gap_verdict;

// The slab's width is never above the distance, but for rounding, and for nearest points it is the distance.
static gap_verdict judge( const gap_pair* p, bv_vec3 from, bv_vec3 to, double square, double limit )
{
	double distance = sqrt( square );
	double width = width_of( p, from, to );
	if ( width - p->rounding * distance > limit * distance )
	{
		return verdict_beyond;
	}
	return square > 0 && width >= square - p->rounding * distance && distance > 4 * p->rounding
	           ? verdict_found
	           : verdict_open;
}

static gap_verdict compare_sides( const gap_pair* p, double limit, bvtri_gap* best )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			bvtri_nearest_pair near;
			bvtri_nearest_on_segments( p->a[i], p->side_a[i], p->b[j], p->side_b[j], &near );
			if ( near.square < best->square )
			{
				take_sides( &near, i, j, best );
				gap_verdict v = judge( p, near.a, near.b, near.square, limit );
				if ( v != verdict_open )
				{
					return v;
				}
			}
		}
	}
	return verdict_open;
}

static void take_corner( const bv_vec3 point, const double weight[3], const bvtri_nearest* near, int of,
                         bvtri_gap* out )
{
	out->square = near->square;
	out->point[of] = point;
	out->point[1 - of] = near->point;
	for ( int k = 0; k < 3; ++k )
	{
		out->weight[of][k] = weight[k];
		out->weight[1 - of][k] = near->weight[k];
	}
}

// Corners of one that are nearest to the other.
static gap_verdict compare_corners( const gap_pair* p, const bvtri_framed_triangle* to, int of, double limit,
                                    bvtri_gap* best )
{
	const bv_vec3* from = of == 0 ? p->a : p->b;
	for ( int k = 0; k < 3; ++k )
	{
		bvtri_nearest near;
		bvtri_nearest_in_frame( from[k], to, &near );
		if ( near.square < best->square )
		{
			const double weight[3] = { k == 0, k == 1, k == 2 };
			take_corner( from[k], weight, &near, of, best );
			gap_verdict v = judge( p, best->point[0], best->point[1], best->square, limit );
			if ( v != verdict_open )
			{
				return v;
			}
		}
	}
	return verdict_open;
}

// Where sides of one run through the plane of the other. Those within it meet sides or have their ends in the
// other, if any of it does.
static void pierce( const gap_pair* p, const bvtri_framed_triangle* to, int of, bvtri_gap* best )
{
	const bv_vec3* from = of == 0 ? p->a : p->b;
	const bv_vec3* side = of == 0 ? p->side_a : p->side_b;
	bv_vec3 normal = bv_cross( to->base, to->height );
	double height[3];
	for ( int k = 0; k < 3; ++k )
	{
		height[k] = bv_dot( normal, bv_sub( from[k], to->corner[to->start] ) );
	}
	for ( int k = 0; k < 3; ++k )
	{
		int next = k == 2 ? 0 : k + 1;
		bool runs_through = ( height[k] <= 0 && height[next] > 0 ) || ( height[k] >= 0 && height[next] < 0 );
		if ( !runs_through )
		{
			continue;
		}
		double t = height[k] / ( height[k] - height[next] );
		bv_vec3 point = bv_add( from[k], bv_scale( t, side[k] ) );
		bvtri_nearest near;
		bvtri_nearest_in_frame( point, to, &near );
		if ( near.square < best->square )
		{
			double weight[3] = { 0, 0, 0 };
			weight[k] = 1 - t;
			weight[next] = t;
			take_corner( point, weight, &near, of, best );
		}
	}
}

static gap_verdict compare_faces( const gap_pair* p, double limit, bvtri_gap* best )
{
	bvtri_framed_triangle a;
	bvtri_framed_triangle b;
	bvtri_frame_triangle( p->b, &b );
	gap_verdict v = compare_corners( p, &b, 0, limit, best );
	if ( v == verdict_open )
	{
		bvtri_frame_triangle( p->a, &a );
		v = compare_corners( p, &a, 1, limit, best );
	}
	if ( v == verdict_open )
	{
		pierce( p, &b, 0, best );
		pierce( p, &a, 1, best );
	}
	return v;
}

bool bvtri_triangles_gap( const bv_vec3 a[3], const bv_vec3 b[3], double limit, bvtri_gap* out )
{
	gap_pair p;
	begin_pair( a, b, &p );
	*out = ( bvtri_gap ){ .square = INFINITY };
	gap_verdict v = compare_sides( &p, limit, out );
	v = v == verdict_open ? compare_faces( &p, limit, out ) : v;
	if ( v == verdict_open && out->square <= p.rounding * p.rounding )
	{
		out->square = 0;
		out->point[1] = out->point[0];
	}
	out->point[0] = bv_add( out->point[0], a[0] );
	out->point[1] = bv_add( out->point[1], a[0] );
	return v != verdict_beyond && sqrt( out->square ) < limit;
}

// Edges that meet triangles. See crossing.h.
//
// Based on: Eckstein 1998, figure 5.3, in signs of volumes instead of quotients. An edge whose ends are not on one side of the
// plane of a triangle meets it if its line passes all three sides in the same direction (Segura, Feito 1998). In the plane, it
// meets a side, or begins in the triangle.
//
// Points of one plane are projected along all three axes. At least one of the projections is one to one, and figures that meet
// do so in all of them: they meet if and only if all three projections do. The same holds for points of one line.
//
// Signs are computed in binary64 with a bound of its error (Shewchuk 1997), and exactly where that is not enough.

#include "runtime/triangle/crossing.h"

#include "runtime/math/exact.h"
#include "runtime/math/vec.h"

#include <math.h>

// Bounds errors of products that underflow, which are below 2^-1070, times a third factor below 2^202.
static const double underflow = 0x1p-860;

// Two triangles and the signs that decide about them.
typedef struct crossing_pair
{
	const bv_vec3* corner[2];
	int side[2][3]; // of each corner from the plane of the other triangle
	int line[3][3]; // on which sides edges of the first pass those of the second
	bool lost;
} crossing_pair;

static int exact_volume_sign( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d, bool* lost )
{
	bvmath_exact3 to[3];
	bvmath_exact3 from;
	bvmath_exact volume;
	bvmath_exact3_set( a, &from );
	bvmath_exact3_set( b, to );
	bvmath_exact3_set( c, to + 1 );
	bvmath_exact3_set( d, to + 2 );
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_exact3_subtract( to + i, &from, to + i );
	}
	bvmath_exact3_cross( to, to + 1, &from );
	bvmath_exact3_dot( &from, to + 2, &volume );
	*lost = *lost || volume.lost;
	return volume.lost ? 0 : volume.sign;
}

// The sign of dot( cross( b - a, c - a ), d - a ).
static int volume_sign( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d, bool* lost )
{
	bv_vec3 u = bv_sub( b, a );
	bv_vec3 v = bv_sub( c, a );
	bv_vec3 w = bv_sub( d, a );
	double volume = bv_dot( bv_cross( u, v ), w );
	double size = ( fabs( u.y * v.z ) + fabs( u.z * v.y ) ) * fabs( w.x ) +
	              ( fabs( u.z * v.x ) + fabs( u.x * v.z ) ) * fabs( w.y ) +
	              ( fabs( u.x * v.y ) + fabs( u.y * v.x ) ) * fabs( w.z );
	// The error is less than 8 * 2^-53 of the size.
	if ( fabs( volume ) > 0x1p-49 * size + underflow )
	{
		return volume > 0 ? 1 : -1;
	}
	return exact_volume_sign( a, b, c, d, lost );
}

// A point as seen along one of the axes.
typedef struct projected_point
{
	double u;
	double v;
} projected_point;

static projected_point seen_along( bv_vec3 p, int axis )
{
	return axis == 0   ? ( projected_point ){ p.y, p.z }
	       : axis == 1 ? ( projected_point ){ p.z, p.x }
	                   : ( projected_point ){ p.x, p.y };
}

static int exact_area_sign( projected_point a, projected_point b, projected_point c, bool* lost )
{
	const double to[4] = { b.u, b.v, c.u, c.v };
	bvmath_exact difference[4];
	bvmath_exact from;
	bvmath_exact product;
	bvmath_exact area;
	for ( int i = 0; i < 4; ++i )
	{
		bvmath_exact_set( to[i], difference + i );
		bvmath_exact_set( i % 2 ? a.v : a.u, &from );
		bvmath_exact_subtract( difference + i, &from, difference + i );
	}
	bvmath_exact_multiply( difference, difference + 3, &area );
	bvmath_exact_multiply( difference + 1, difference + 2, &product );
	bvmath_exact_subtract( &area, &product, &area );
	*lost = *lost || area.lost;
	return area.lost ? 0 : area.sign;
}

static int area_sign( projected_point a, projected_point b, projected_point c, bool* lost )
{
	double left = ( b.u - a.u ) * ( c.v - a.v );
	double right = ( b.v - a.v ) * ( c.u - a.u );
	double area = left - right;
	// The error is less than 4 * 2^-53 of both products.
	if ( fabs( area ) > 0x1p-50 * ( fabs( left ) + fabs( right ) ) + underflow )
	{
		return area > 0 ? 1 : -1;
	}
	return exact_area_sign( a, b, c, lost );
}

static bool are_mixed( const int sign[3] )
{
	bool above = sign[0] > 0 || sign[1] > 0 || sign[2] > 0;
	bool below = sign[0] < 0 || sign[1] < 0 || sign[2] < 0;
	return above && below;
}

static bool intervals_meet( double a, double b, double c, double d )
{
	return bvmath_max( a, b ) >= bvmath_min( c, d ) && bvmath_max( c, d ) >= bvmath_min( a, b );
}

static bool flat_segments_meet( const projected_point p[2], const projected_point q[2], bool* lost )
{
	return intervals_meet( p[0].u, p[1].u, q[0].u, q[1].u ) &&
	       intervals_meet( p[0].v, p[1].v, q[0].v, q[1].v ) &&
	       area_sign( p[0], p[1], q[0], lost ) * area_sign( p[0], p[1], q[1], lost ) <= 0 &&
	       area_sign( q[0], q[1], p[0], lost ) * area_sign( q[0], q[1], p[1], lost ) <= 0;
}

// Both are in one plane.
static bool segments_meet( bv_vec3 p0, bv_vec3 p1, bv_vec3 q0, bv_vec3 q1, bool* lost )
{
	bool meet = true;
	for ( int axis = 0; axis < 3 && meet; ++axis )
	{
		const projected_point p[2] = { seen_along( p0, axis ), seen_along( p1, axis ) };
		const projected_point q[2] = { seen_along( q0, axis ), seen_along( q1, axis ) };
		meet = flat_segments_meet( p, q, lost );
	}
	return meet;
}

// Whether a point in its plane is in a triangle that has an area. Of one without, signs are mixed for points off its line, and
// 0 on it.
static bool contains( const bv_vec3 corner[3], bv_vec3 point, bool* lost )
{
	bool has_area = false;
	for ( int axis = 0; axis < 3; ++axis )
	{
		int sign[3];
		projected_point at = seen_along( point, axis );
		for ( int k = 0; k < 3; ++k )
		{
			sign[k] = area_sign( seen_along( corner[k], axis ), seen_along( corner[( k + 1 ) % 3], axis ), at,
			                     lost );
			has_area = has_area || sign[k] != 0;
		}
		if ( are_mixed( sign ) )
		{
			return false;
		}
	}
	return has_area;
}

// An edge in the plane of a triangle, or any edge and a triangle without area.
// @param of  triangle that the edge is of
static bool meets_in_plane( crossing_pair* p, int of, int edge )
{
	const bv_vec3* other = p->corner[1 - of];
	bv_vec3 from = p->corner[of][edge];
	bv_vec3 to = p->corner[of][( edge + 1 ) % 3];
	for ( int k = 0; k < 3; ++k )
	{
		int line = of == 0 ? p->line[edge][k] : p->line[k][edge];
		if ( line == 0 && segments_meet( from, to, other[k], other[( k + 1 ) % 3], &p->lost ) )
		{
			return true;
		}
	}
	return contains( other, from, &p->lost );
}

static bool edge_meets( crossing_pair* p, int of, int edge )
{
	int from = p->side[of][edge];
	int to = p->side[of][( edge + 1 ) % 3];
	if ( from == 0 && to == 0 )
	{
		return meets_in_plane( p, of, edge );
	}
	int line[3];
	for ( int k = 0; k < 3; ++k )
	{
		line[k] = of == 0 ? p->line[edge][k] : p->line[k][edge];
	}
	return from * to <= 0 && !are_mixed( line );
}

// Whether no triangle is on one side of the plane of the other.
static bool planes_cross( crossing_pair* p )
{
	for ( int of = 0; of < 2; ++of )
	{
		const bv_vec3* plane = p->corner[1 - of];
		int sum = 0;
		for ( int k = 0; k < 3; ++k )
		{
			p->side[of][k] = volume_sign( plane[0], plane[1], plane[2], p->corner[of][k], &p->lost );
			sum += p->side[of][k];
		}
		if ( sum == 3 || sum == -3 )
		{
			return false;
		}
	}
	return true;
}

void bvtri_triangles_cross( const bv_vec3 a[3], const bv_vec3 b[3], bvtri_crossing* out )
{
	crossing_pair p = { .corner = { a, b } };
	*out = ( bvtri_crossing ){ .certain = true };
	if ( planes_cross( &p ) )
	{
		for ( int i = 0; i < 9; ++i )
		{
			p.line[i / 3][i % 3] =
				volume_sign( a[i / 3], a[( i / 3 + 1 ) % 3], b[i % 3], b[( i % 3 + 1 ) % 3], &p.lost );
		}
		for ( int i = 0; i < 6; ++i )
		{
			out->edges[i / 3] |= (uint8_t)( edge_meets( &p, i / 3, i % 3 ) << i % 3 );
		}
	}
	if ( p.lost )
	{
		*out = ( bvtri_crossing ){ .edges = { 7, 7 } };
	}
}

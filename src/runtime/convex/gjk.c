// GJK between two support functions. See gjk.h.
//
// Rounding: the error of the dot product of a point with v is less than 4 * 2^-53 |v| |point|. The error of
// the difference of two such products, divided by |v|, is less than 12 * 2^-53 |point|. `rounding`,
// subtracted from the lower bound, is 32 * 2^-53
// |point| or more.

#include "runtime/convex/gjk.h"

#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

static void solve_segment( bvconvex_gjk_simplex* s )
{
	bvtri_nearest_pair near;
	bv_vec3 along = bv_sub( s->vertex[1].at, s->vertex[0].at );
	bvtri_nearest_on_segments( s->vertex[0].at, along, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0, 0, 0 },
	                           &near );
	s->weight[0] = 1 - near.s;
	s->weight[1] = near.s;
	s->nearest = near.a;
	s->square = near.square;
}

// Takes the nearest point of one of the faces if it is nearer than what is known.
static void solve_face( bvconvex_gjk_simplex* s, int i, int j, int k )
{
	const bv_vec3 corner[3] = { s->vertex[i].at, s->vertex[j].at, s->vertex[k].at };
	bvtri_nearest near;
	bvtri_nearest_on_triangle( ( bv_vec3 ){ 0, 0, 0 }, corner, &near );
	if ( near.square < s->square )
	{
		s->weight[0] = s->weight[1] = s->weight[2] = s->weight[3] = 0;
		s->weight[i] = near.weight[0];
		s->weight[j] = near.weight[1];
		s->weight[k] = near.weight[2];
		s->nearest = near.point;
		s->square = near.square;
	}
}

// Whether the origin is inside of a tetrahedron, beyond doubt: in flat ones all four volumes are rounding.
static bool contains_origin( bvconvex_gjk_simplex* s )
{
	bv_vec3 a = s->vertex[0].at;
	bv_vec3 b = s->vertex[1].at;
	bv_vec3 c = s->vertex[2].at;
	bv_vec3 d = s->vertex[3].at;
	bv_vec3 bc = bv_cross( b, c );
	bv_vec3 da = bv_cross( d, a );
	double volume[4] = { bv_dot( bc, d ), -bv_dot( da, c ), bv_dot( da, b ), -bv_dot( bc, a ) };
	double size = bvmath_max( bvmath_max( bvmath_norm1( a ), bvmath_norm1( b ) ),
	                          bvmath_max( bvmath_norm1( c ), bvmath_norm1( d ) ) );
	double doubt = 0x1p-48 * ( size * size * size );
	bool positive = volume[0] > doubt && volume[1] > doubt && volume[2] > doubt && volume[3] > doubt;
	bool negative = volume[0] < -doubt && volume[1] < -doubt && volume[2] < -doubt && volume[3] < -doubt;
	if ( positive || negative )
	{
		double sum = ( volume[0] + volume[1] ) + ( volume[2] + volume[3] );
		for ( int i = 0; i < 4; ++i )
		{
			s->weight[i] = volume[i] / sum;
		}
		s->nearest = ( bv_vec3 ){ 0, 0, 0 };
		s->square = 0;
	}
	return positive || negative;
}

// If products overflow no weight is above 0: then the first vertex has to do.
static void drop_idle( bvconvex_gjk_simplex* s )
{
	int kept = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		if ( s->weight[i] > 0 )
		{
			s->vertex[kept] = s->vertex[i];
			s->weight[kept++] = s->weight[i];
		}
	}
	s->count = kept;
	if ( kept == 0 )
	{
		s->count = 1;
		s->weight[0] = 1;
		s->nearest = s->vertex[0].at;
		s->square = bv_dot( s->nearest, s->nearest );
	}
}

void bvconvex_gjk_solve( bvconvex_gjk_simplex* s )
{
	s->square = INFINITY;
	s->weight[0] = s->weight[1] = s->weight[2] = s->weight[3] = 0;
	if ( s->count == 1 )
	{
		s->weight[0] = 1;
		s->nearest = s->vertex[0].at;
		s->square = bv_dot( s->nearest, s->nearest );
	}
	else if ( s->count == 2 )
	{
		solve_segment( s );
	}
	else if ( s->count == 3 )
	{
		solve_face( s, 0, 1, 2 );
	}
	else if ( !contains_origin( s ) )
	{
		solve_face( s, 0, 1, 2 );
		solve_face( s, 0, 1, 3 );
		solve_face( s, 0, 2, 3 );
		solve_face( s, 1, 2, 3 );
	}
	drop_idle( s );
}

// The way from the origin to the nearest point. Of points next to the origin that is mostly rounding, but
// known to be normal to the face or the side that they are on.
bv_vec3 bvconvex_gjk_direction( double rounding, const bvconvex_gjk_simplex* nearest )
{
	bv_vec3 v = nearest->nearest;
	double near = 0x1p36 * rounding;
	if ( nearest->square > near * near || nearest->count < 2 )
	{
		return v;
	}
	bv_vec3 side = bv_sub( nearest->vertex[1].at, nearest->vertex[0].at );
	bv_vec3 across = v;
	if ( nearest->count == 2 )
	{
		for ( int i = 0; i < 2; ++i )
		{
			across = bv_sub( across, bv_scale( bv_dot( across, side ) / bv_dot( side, side ), side ) );
		}
	}
	else if ( nearest->count == 3 )
	{
		across = bv_cross( side, bv_sub( nearest->vertex[2].at, nearest->vertex[0].at ) );
		across = bv_dot( across, v ) < 0 ? bv_negate( across ) : across;
	}
	return bv_dot( across, v ) > 0 ? across : v;
}

bool bvconvex_gjk_is_inside( double rounding, const bvconvex_gjk_simplex* s )
{
	bool inside = s->count == 4;
	for ( int i = 0; i < 4 && inside; ++i )
	{
		bv_vec3 a = s->vertex[( i + 1 ) % 4].at;
		bv_vec3 b = s->vertex[( i + 2 ) % 4].at;
		bv_vec3 c = s->vertex[( i + 3 ) % 4].at;
		bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
		normal = bv_dot( normal, bv_sub( s->vertex[i].at, a ) ) > 0 ? bv_negate( normal ) : normal;
		double least =
			bvmath_min( bv_dot( normal, a ), bvmath_min( bv_dot( normal, b ), bv_dot( normal, c ) ) );
		inside = least > rounding * bv_length( normal );
	}
	return inside;
}

void bvconvex_gjk_describe( const bvconvex_gjk_simplex* nearest, bv_vec3 point[2] )
{
	point[0] = ( bv_vec3 ){ 0, 0, 0 };
	for ( int i = 0; i < nearest->count; ++i )
	{
		point[0] = bv_add( point[0], bv_scale( nearest->weight[i], nearest->vertex[i].first ) );
	}
	point[1] = bv_sub( point[0], nearest->nearest );
}

// Where to part a triangle. See cut.h.

#include "offline/simplify/cut.h"

// How far inside of each side of a triangle a point is, in its plane and times lengths: linear functions.
static void sides_of( const bvhaus_framed_triangle* t, bv_vec3 point, double out[3] )
{
	bv_vec3 d = bv_sub( point, t->origin );
	double s = bv_dot( d, t->u );
	double r = bv_dot( d, t->v );
	out[0] = r;
	out[1] = s * t->apex_v - r * t->apex_u;
	out[2] = r * ( t->apex_u - t->length ) - ( s - t->length ) * t->apex_v;
}

bvsimplify_cut bvsimplify_find_cut( const bv_vec3 corner[3], const bvhaus_framed_triangle* triangle,
                                    double tolerance )
{
	double inside[3][3];
	double length[3];
	int longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 side = bv_sub( corner[( k + 1 ) % 3], corner[k] );
		length[k] = sqrt( bv_dot( side, side ) );
		longest = length[k] > length[longest] ? k : longest;
		sides_of( triangle, corner[k], inside[k] );
	}
	int side = longest;
	double at = 0.5;
	double best = bvmath_min( length[longest] / 16, tolerance );
	for ( int i = 0; i < 9; ++i )
	{
		int k = i / 3;
		double from = inside[k][i % 3];
		double to = inside[( k + 1 ) % 3][i % 3];
		if ( ( from > 0 && to < 0 ) || ( from < 0 && to > 0 ) )
		{
			double s = from / ( from - to );
			double shorter = bvmath_min( s, 1 - s ) * length[k];
			if ( shorter > best )
			{
				best = shorter;
				side = k;
				at = s;
			}
		}
	}
	bv_vec3 way = bv_sub( corner[( side + 1 ) % 3], corner[side] );
	return ( bvsimplify_cut ){ bv_add( corner[side], bv_scale( at, way ) ), side, length[longest] };
}

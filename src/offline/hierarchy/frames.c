// A face's intervals. See frames.h.

#include "offline/hierarchy/frames.h"

static void project( bv_vec3 p, double out[bvhier_frame_directions] )
{
	static const double diagonal = 0x1.6a09e667f3bcdp-1; // sqrt( 1 / 2 )
	const double c[3] = { p.x, p.y, p.z };
	for ( int i = 0; i < 3; ++i )
	{
		double a = c[( i + 1 ) % 3];
		double b = c[( i + 2 ) % 3];
		out[i] = c[i];
		out[3 + 2 * i] = diagonal * ( a + b );
		out[4 + 2 * i] = diagonal * ( a - b );
	}
}

bvhier_framed bvhier_framed_face( const bvfit_face* face )
{
	bvhier_framed framed;
	double at[3][bvhier_frame_directions];
	for ( int k = 0; k < 3; ++k )
	{
		project( face->corner[k], at[k] );
	}
	for ( int i = 0; i < bvhier_frame_directions; ++i )
	{
		framed.upper[i] = (float)bvmath_max( at[0][i], bvmath_max( at[1][i], at[2][i] ) );
		framed.under[i] = (float)-bvmath_min( at[0][i], bvmath_min( at[1][i], at[2][i] ) );
	}
	return framed;
}

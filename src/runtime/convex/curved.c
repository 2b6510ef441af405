// The depth of shapes with curved surfaces. See curved.h.
//
// Any unit vector n gives an upper bound, the extent h(n) of the difference along it. Where surfaces are smooth, the
// gradient of h on the unit sphere is the part of the support point across n. Its zero is found by steps of Barzilai and
// Borwein, "Two-point step size gradient methods", IMA J. Numer. Anal. 8, 1988. EPA has come near enough for the
// iteration to begin with; the least bound counts, whether or not steps converge.

#include "runtime/convex/curved.h"

#include <math.h>

enum
{
	most_steps = 24,
};

void bvconvex_descend( const bvconvex_pair* pair, double relative, bvconvex_depth* depth )
{
	static const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bv_vec3 normal = depth->normal;
	bv_vec3 last_normal = normal;
	bv_vec3 last_across = { 0, 0, 0 };
	bv_vec3 apart = bv_sub( depth->point[0], depth->point[1] );
	double off = bv_length( bv_sub( apart, bv_scale( depth->upper, normal ) ) );
	double enough = relative * fabs( depth->upper ) + pair->rounding;
	for ( int step = 0; step < most_steps; ++step )
	{
		bvconvex_gjk_vertex v = bvconvex_gjk_support( &pair->search, bv_negate( normal ), none );
		double height = bv_dot( normal, v.at );
		bv_vec3 across = bv_sub( v.at, bv_scale( height, normal ) );
		if ( height + pair->rounding < depth->upper )
		{
			depth->upper = height + pair->rounding;
			depth->normal = normal;

			// Of all points of a flat side the support is any.
			if ( bv_length( across ) < off )
			{
				off = bv_length( across );
				depth->point[0] = v.first;
				depth->point[1] = bv_sub( v.first, v.at );
			}
		}
		bv_vec3 moved = bv_sub( normal, last_normal );
		double bend = bv_dot( moved, bv_sub( across, last_across ) );
		double size = bv_length( v.at );
		double pace = step > 0 && bend > 0 ? bv_dot( moved, moved ) / bend : 1 / size;
		double square = bv_dot( across, across );
		if ( !( pace * square > 0x1p-6 * enough ) || !( pace * square < INFINITY ) )
		{
			break;
		}
		last_normal = normal;
		last_across = across;
		normal = bv_normalize( bv_sub( normal, bv_scale( pace, across ) ) );
	}
}

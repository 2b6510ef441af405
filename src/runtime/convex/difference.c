// Planes through vertices of the difference, in exact arithmetic. See difference.h.
//
// Exact numbers are large: these functions keep few of them at a time.

#include "runtime/convex/difference.h"

#include "runtime/simd/bits.h"

#include <math.h>

BVSIMD_NOINLINE void subtract( bv_vec3 from, bv_vec3 to, bvmath_exact3* out )
{
	bvmath_exact3 start;
	bvmath_exact3_set( from, &start );
	bvmath_exact3_set( to, out );
	bvmath_exact3_subtract( out, &start, out );
}

static void find_edge( const bvconvex_difference* d, bvconvex_difference_vertex from,
                       bvconvex_difference_vertex to, bvmath_exact3* out )
{
	if ( d->exact )
	{
		bvconvex_pair_exact_edge( d->pair, from->name, to->name, out );
	}
	else
	{
		subtract( from->at, to->at, out );
	}
}

BVSIMD_NOINLINE void find_normal( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                  bvconvex_difference_vertex b, bvconvex_difference_vertex c,
                                  bvmath_exact3* out )
{
	bvmath_exact3 u;
	bvmath_exact3 v;
	find_edge( d, a, b, &u );
	find_edge( d, a, c, &v );
	bvmath_exact3_cross( &u, &v, out );
}

void bvconvex_difference_exact_normal( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                       bvconvex_difference_vertex b, bvconvex_difference_vertex c,
                                       bvmath_exact3* out )
{
	find_normal( d, a, b, c, out );
}

bv_vec3 bvconvex_difference_exact_direction( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                             bvconvex_difference_vertex b, bvconvex_difference_vertex c )
{
	bvmath_exact3 normal;
	find_normal( d, a, b, c, &normal );
	return bvmath_exact3_direction( &normal );
}

BVSIMD_NOINLINE int sign_along( const bvconvex_difference* d, const bvmath_exact3* normal,
                                bvconvex_difference_vertex from, bvconvex_difference_vertex to )
{
	bvmath_exact3 w;
	bvmath_exact sum;
	find_edge( d, from, to, &w );
	bvmath_exact3_dot( normal, &w, &sum );
	return sum.lost ? 0 : sum.sign;
}

int bvconvex_difference_exact_side( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                    bvconvex_difference_vertex b, bvconvex_difference_vertex c,
                                    bvconvex_difference_vertex e )
{
	bvmath_exact3 normal;
	find_normal( d, a, b, c, &normal );
	return sign_along( d, &normal, a, e );
}

// @return height / |normal|; `otherwise` if it is not known or the normal is null
BVSIMD_NOINLINE double quotient( const bvmath_exact3* normal, const bvmath_exact* height, double otherwise )
{
	bvmath_exact square;
	bvmath_exact3_dot( normal, normal, &square );
	return height->lost || square.lost || square.sign == 0 ? otherwise
	                                                       : bvmath_exact_over_root( height, &square );
}

BVSIMD_NOINLINE void find_product( const bvconvex_difference* d, const bvmath_exact3* along,
                                   bvconvex_difference_vertex v, bvmath_exact* out )
{
	bvmath_exact3 at;
	bvconvex_pair_exact_vertex( d->pair, v->name, &at );
	bvmath_exact3_dot( along, &at, out );
}

BVSIMD_NOINLINE double extent( const bvconvex_difference* d, const bvmath_exact3* along,
                               bvconvex_difference_vertex v, double otherwise )
{
	bvmath_exact height;
	find_product( d, along, v, &height );
	return quotient( along, &height, otherwise );
}

static double round_up( double x )
{
	return x + 0x1p-49 * fabs( x ) + 0x1p-999;
}

double bvconvex_difference_exact_height( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                         bvconvex_difference_vertex b, bvconvex_difference_vertex c )
{
	bvmath_exact3 normal;
	find_normal( d, a, b, c, &normal );
	return -round_up( -extent( d, &normal, a, 0 ) );
}

double bvconvex_difference_exact_extent( const bvconvex_difference* d, const bvmath_exact3* along,
                                         bvconvex_difference_vertex v )
{
	return round_up( extent( d, along, v, INFINITY ) );
}

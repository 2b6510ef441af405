// Planes through three vertices of the difference of two shapes: which side of one a vertex is on, their normals, and how high
// they are above the origin. In binary64, and in exact arithmetic where that is in doubt.

#pragma once

#include "runtime/convex/pair.h"
#include "runtime/math/exact.h"

/// How vertices are compared.
typedef struct bvconvex_difference
{
	const bvconvex_pair* pair;

	/// Vertices are where their names say, to the last bit, and everything is computed exactly. Of polytopes only. Otherwise they
	/// are where binary64 says.
	bool exact;
} bvconvex_difference;

/// A vertex that is compared with others.
typedef const bvconvex_gjk_vertex* bvconvex_difference_vertex;

/// @param out  receives ( b - a ) x ( c - a )
void bvconvex_difference_exact_normal( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                       bvconvex_difference_vertex b, bvconvex_difference_vertex c,
                                       bvmath_exact3* out );

/// @return the direction of ( b - a ) x ( c - a ), to rounding; 0 only if that is 0
bv_vec3 bvconvex_difference_exact_direction( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                             bvconvex_difference_vertex b, bvconvex_difference_vertex c );

/// @return the sign of ( b - a ) x ( c - a ) * ( e - a ), computed exactly
int bvconvex_difference_exact_side( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                    bvconvex_difference_vertex b, bvconvex_difference_vertex c,
                                    bvconvex_difference_vertex e );

/// @return not more than the height of the plane through the vertices; 0 if that is not known
double bvconvex_difference_exact_height( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                         bvconvex_difference_vertex b, bvconvex_difference_vertex c );

/// @return not less than how far a vertex is along a direction; infinite if that is not known
double bvconvex_difference_exact_extent( const bvconvex_difference* d, const bvmath_exact3* along,
                                         bvconvex_difference_vertex v );

/// @return the sign of ( b - a ) x ( c - a ) * ( e - a ): 1 if e is in front of the triangle
static inline int bvconvex_difference_side( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                            bvconvex_difference_vertex b, bvconvex_difference_vertex c,
                                            bvconvex_difference_vertex e )
{
	if ( !d->exact )
	{
		bv_vec3 u = bv_sub( b->at, a->at );
		bv_vec3 v = bv_sub( c->at, a->at );
		bv_vec3 w = bv_sub( e->at, a->at );
		double volume = bv_dot( bv_cross( u, v ), w );
		double doubt = 0x1p-49 * ( bvmath_norm1( u ) * bvmath_norm1( v ) * bvmath_norm1( w ) );
		if ( fabs( volume ) > doubt )
		{
			return volume > 0 ? 1 : -1;
		}
	}
	return bvconvex_difference_exact_side( d, a, b, c, e );
}

/// @return ( b - a ) x ( c - a ), or a vector of the same direction where that is mostly rounding
static inline bv_vec3 bvconvex_difference_normal( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                                  bvconvex_difference_vertex b, bvconvex_difference_vertex c )
{
	bv_vec3 u = bv_sub( b->at, a->at );
	bv_vec3 v = bv_sub( c->at, a->at );
	bv_vec3 normal = bv_cross( u, v );
	bool is_clear = bvmath_norm1( normal ) > 0x1p-24 * ( bvmath_norm1( u ) * bvmath_norm1( v ) );
	return is_clear && !d->exact ? normal : bvconvex_difference_exact_direction( d, a, b, c );
}

/// @return the height of the lowest of three vertices along the normal of their plane, without the pair's rounding; exactly
///         computed, not more than the height of the plane
static inline double bvconvex_difference_height( const bvconvex_difference* d, bvconvex_difference_vertex a,
                                                 bvconvex_difference_vertex b, bvconvex_difference_vertex c )
{
	if ( d->exact )
	{
		return bvconvex_difference_exact_height( d, a, b, c );
	}
	bv_vec3 normal = bvconvex_difference_normal( d, a, b, c );
	double length = bv_length( normal );
	double least = bv_dot( normal, a->at );
	least = bvmath_min( least, bv_dot( normal, b->at ) );
	least = bvmath_min( least, bv_dot( normal, c->at ) );
	return length > 0 ? least / length : 0;
}

// Intersection of two triangles by separating axes. Two convex polygons in space are disjoint if and only if
// a plane separates them that is normal to one of their normals, to a cross product of their edges, or, if
// they are coplanar, to an edge within their plane (Gottschalk 1996, theorem 1; Ericson 2005, section 5.2.1).
//
// A rounded cross product is as valid an axis as the exact one. Only the rounding of the projections must be
// bounded.

#include "runtime/triangle/pair.h"

#include "runtime/math/vec.h"

// Both triangles relative to a corner of the first, so that nothing depends on how far from the origin they
// lie.
typedef struct triangle_pair
{
	bv_vec3 a[3];
	bv_vec3 b[3];
	double tolerance; // bounds the error of a projection's gap, per unit of the axis's length
} triangle_pair;

// An axis in three numbers: as a structure it would be stored in parts and loaded as a whole, which takes
// twice the time of the test.
static bool separates_along( const triangle_pair* p, double x, double y, double z )
{
	bv_vec3 axis = { x, y, z };
	double a0 = bv_dot( axis, p->a[0] );
	double a1 = bv_dot( axis, p->a[1] );
	double a2 = bv_dot( axis, p->a[2] );
	double b0 = bv_dot( axis, p->b[0] );
	double b1 = bv_dot( axis, p->b[1] );
	double b2 = bv_dot( axis, p->b[2] );
	double above = bvmath_min( bvmath_min( b0, b1 ), b2 ) - bvmath_max( bvmath_max( a0, a1 ), a2 );
	double below = bvmath_min( bvmath_min( a0, a1 ), a2 ) - bvmath_max( bvmath_max( b0, b1 ), b2 );
	return bvmath_max( above, below ) > p->tolerance * bvmath_norm1( axis );
}

static inline bool separates( const triangle_pair* p, bv_vec3 axis )
{
	return separates_along( p, axis.x, axis.y, axis.z );
}

bool bvtri_triangles_intersect_within( const bv_vec3 a[3], const bv_vec3 b[3], double uncertainty )
{
	triangle_pair p;
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		p.a[i] = bv_sub( a[i], a[0] );
		p.b[i] = bv_sub( b[i], a[0] );
		extent = bvmath_max( extent, bvmath_max( bvmath_norm1( p.a[i] ), bvmath_norm1( p.b[i] ) ) );
	}

	// A projection errs by a difference, a product and two sums, 4 * 2^-53 |axis| |point| in all; two
	// projections and their difference by less than 10 of these units. The bound allows 16.
	p.tolerance = 0x1p-49 * extent + 2 * uncertainty;

	bv_vec3 edge_a[3] = { p.a[1], bv_sub( p.a[2], p.a[1] ), p.a[2] };
	bv_vec3 normal_a = bv_cross( edge_a[0], edge_a[1] );
	if ( separates( &p, normal_a ) )
	{
		return false;
	}
	bv_vec3 edge_b[3] = { bv_sub( p.b[1], p.b[0] ), bv_sub( p.b[2], p.b[1] ), bv_sub( p.b[2], p.b[0] ) };
	bv_vec3 normal_b = bv_cross( edge_b[0], edge_b[1] );
	if ( separates( &p, normal_b ) )
	{
		return false;
	}

	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			if ( separates( &p, bv_cross( edge_a[i], edge_b[j] ) ) )
			{
				return false;
			}
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( separates( &p, bv_cross( normal_a, edge_a[i] ) ) ||
		     separates( &p, bv_cross( normal_b, edge_b[i] ) ) )
		{
			return false;
		}
	}
	return true;
}

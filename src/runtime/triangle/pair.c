// Intersection of two triangles by separating axes. Two convex polygons in space are disjoint if and only if
// a plane separates them that is normal to one of their normals, to a cross product of their edges, or, if
// they are coplanar, to an edge within their plane (Gottschalk 1996, theorem 1; Ericson 2005, section 5.2.1).
//
// A rounded cross product is as valid an axis as the exact one. Only the rounding of the projections must be
// bounded.
//
// The axes are not enough for a triangle on a line or on a point: its normal and products with it are 0 or only
// rounding errors. Those of a thin triangle are off by up to 2^-52 of the longest edge divided by the
// height. Therefore, if a triangle is thin and no axis separates the pair, the distance decides.

#include "runtime/triangle/pair.h"

#include "runtime/math/vec.h"
#include "runtime/triangle/gap.h"

// Both triangles relative to a corner of the first, so that nothing depends on how far from the origin they
// lie.
typedef struct triangle_pair
{
	bv_vec3 a[3]; // the first is 0
	bv_vec3 b[3];
	double tolerance; // bounds the error of a projection's gap, per unit of the axis's length
} triangle_pair;

// An axis in three numbers: as a structure it would be stored in parts and loaded as a whole, which takes
// twice the time of the test.
static bool separates_along( const triangle_pair* p, double x, double y, double z )
{
	bv_vec3 axis = { x, y, z };
	double a1 = bv_dot( axis, p->a[1] );
	double a2 = bv_dot( axis, p->a[2] );
	double b0 = bv_dot( axis, p->b[0] );
	double b1 = bv_dot( axis, p->b[1] );
	double b2 = bv_dot( axis, p->b[2] );
	double above = bvmath_min( bvmath_min( b0, b1 ), b2 ) - bvmath_max( bvmath_max( 0, a1 ), a2 );
	double below = bvmath_min( bvmath_min( 0, a1 ), a2 ) - bvmath_max( bvmath_max( b0, b1 ), b2 );
	return bvmath_max( above, below ) > p->tolerance * bvmath_norm1( axis );
}

static inline bool separates( const triangle_pair* p, bv_vec3 axis )
{
	return separates_along( p, axis.x, axis.y, axis.z );
}

// @param normal  the product of two edges
// @return whether the height is below about 2^-10 of the longest edge, or there is no longest edge
static bool is_thin( bv_vec3 normal, const bv_vec3 edge[3] )
{
	double longest = bvmath_max( bvmath_max( bv_dot( edge[0], edge[0] ), bv_dot( edge[1], edge[1] ) ),
	                             bv_dot( edge[2], edge[2] ) );
	return bv_dot( normal, normal ) <= 0x1p-20 * ( longest * longest );
}

// No edge is longer than twice the extent, and sums of coordinates are at most sqrt( 3 ) times a length.
// @return whether neither triangle is thin, which most pairs show without the lengths of edges
static bool are_wide( bv_vec3 normal_a, bv_vec3 normal_b, double extent )
{
	return bvmath_min( bvmath_norm1( normal_a ), bvmath_norm1( normal_b ) ) > 0x1p-7 * ( extent * extent );
}

// A distance errs by at most 2^-46 of the sum of what corners are apart: see gap.h. A point of a triangle is
// off by at most sqrt( 3 ) times the uncertainty.
static bool may_touch( const triangle_pair* p, double extent, double uncertainty )
{
	// Fourth powers of distances must be normal numbers.
	if ( !( extent > 0x1p-200 && extent < 0x1p240 ) )
	{
		return true;
	}
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		sum += bvmath_norm1( p->a[i] ) + bvmath_norm1( p->b[i] );
	}
	bvtri_gap gap;
	return bvtri_triangles_gap( p->a, p->b, 0x1p-45 * sum + 4 * uncertainty, &gap );
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
	return are_wide( normal_a, normal_b, extent ) ||
	       ( !is_thin( normal_a, edge_a ) && !is_thin( normal_b, edge_b ) ) ||
	       may_touch( &p, extent, uncertainty );
}

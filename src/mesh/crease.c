// Which way a surface bends at an edge of two triangles. See crease.h.
//
// Where the angle is too large for a flat edge, d lies above or below the plane of a, b, c: Shewchuk's predicate
// decides exactly (base/offline/exact.h). That holds for coordinates that are multiples of 2^-340, as all are that
// a binary32 number or the steps of a grid can hold, and for triangles so small that they are scaled up, if they are
// multiples of 2^-340 of the largest coordinate there. Whether an edge is flat is measured with rounding, but points
// exactly in one plane are always told apart correctly.

#include "mesh/crease.h"

#include "base/core/vec.h"
#include "base/offline/exact.h"
#include "bvbuild/mesh.h"
#include "mesh/scale.h"

// The normals of the two triangles, of any length.
typedef struct normal_pair
{
	bv_vec3 left;
	bv_vec3 right;
} normal_pair;

// Whether the square of a normal and the product of two of them are far from overflow and underflow.
static bool is_ordinary( double square )
{
	return square > 0x1p-480 && square < 0x1p500;
}

static bv_vec3 normalize_exponent( bv_vec3 v )
{
	int exponent = 0;
	frexp( bvb_largest_component( v ), &exponent );
	return bvb_shift_exponent( v, -exponent );
}

static normal_pair find_normals( bv_vec3 along, bv_vec3 to_left, bv_vec3 to_right )
{
	return ( normal_pair ){ bv_cross( along, to_left ), bv_cross( to_right, along ) };
}

// The same normals, but for powers of two, also of slivers and of triangles whose products leave the range.
static normal_pair find_scaled_normals( bv_vec3 along, bv_vec3 to_left, bv_vec3 to_right )
{
	normal_pair n = find_normals( normalize_exponent( along ), normalize_exponent( to_left ),
	                              normalize_exponent( to_right ) );
	return ( normal_pair ){ normalize_exponent( n.left ), normalize_exponent( n.right ) };
}

// The points are in one plane: are c and d on different sides of the line through a and b?
static bool lie_apart( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	for ( int u = 0; u < 3; ++u )
	{
		int v = ( u + 1 ) % 3;
		bvb_vec2 from = { bv_component( a, u ), bv_component( a, v ) };
		bvb_vec2 to = { bv_component( b, u ), bv_component( b, v ) };
		double left = bvb_orient2d( from, to, ( bvb_vec2 ){ bv_component( c, u ), bv_component( c, v ) } );
		double right = bvb_orient2d( from, to, ( bvb_vec2 ){ bv_component( d, u ), bv_component( d, v ) } );
		if ( left != 0 && right != 0 )
		{
			return ( left > 0 ) != ( right > 0 );
		}
	}
	return false;
}

bv_edge_kind bvb_crease_kind( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	bv_vec3 along = bv_sub( b, a );
	bv_vec3 to_left = bv_sub( c, a );
	bv_vec3 to_right = bv_sub( d, a );
	normal_pair n = find_normals( along, to_left, to_right );
	double left = bv_dot( n.left, n.left );
	double right = bv_dot( n.right, n.right );
	if ( !is_ordinary( left ) || !is_ordinary( right ) )
	{
		n = find_scaled_normals( along, to_left, to_right );
		left = bv_dot( n.left, n.left );
		right = bv_dot( n.right, n.right );
		int exponent = 0;
		frexp( fmax( fmax( bvb_largest_component( a ), bvb_largest_component( b ) ),
		             fmax( bvb_largest_component( c ), bvb_largest_component( d ) ) ),
		       &exponent );
		a = bvb_shift_exponent( a, -exponent );
		b = bvb_shift_exponent( b, -exponent );
		c = bvb_shift_exponent( c, -exponent );
		d = bvb_shift_exponent( d, -exponent );
	}

	bv_vec3 turn = bv_cross( n.left, n.right );
	if ( bv_dot( n.left, n.right ) > 0 &&
	     bv_dot( turn, turn ) <= BVB_FLAT_SINE * BVB_FLAT_SINE * ( left * right ) )
	{
		return bv_edge_flat;
	}
	double side = bvb_orient3d( a, b, c, d );
	if ( side == 0 )
	{
		return lie_apart( a, b, c, d ) ? bv_edge_flat : bv_edge_convex;
	}
	return side > 0 ? bv_edge_concave : bv_edge_convex;
}

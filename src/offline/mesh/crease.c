// Classification of an edge as convex, concave or flat. See crease.h.
//
// If the angle is too large for a flat edge, the sign is decided exactly: whether d is above or below the
// plane of a, b, c (Shewchuk 1997, offline/base/exact.h). This requires coordinates that are multiples of
// 2^-340 and at most 2^120, as binary32 numbers and the grid of a mesh of record are. Very small or very
// large triangles are scaled first; then multiples of 2^-340 of their largest coordinate suffice. Whether an
// edge is flat is decided with rounding, but coplanar points are always classified correctly.

#include "offline/mesh/crease.h"

#include "bvbuild/mesh.h"
#include "offline/base/exact.h"
#include "offline/mesh/scale.h"
#include "runtime/math/vec.h"

// What two triangles are to each other. Normals may be as long as they like.
typedef struct bend
{
	double left;   // square of the left normal
	double right;  // square of the right one
	double facing; // their dot product
	double along;  // square of the edge
	double volume; // left normal x right normal = volume * edge
} bend;

static bend measure( bv_vec3 along, bv_vec3 to_left, bv_vec3 to_right )
{
	bv_vec3 left = bv_cross( along, to_left );
	bv_vec3 right = bv_cross( to_right, along );
	return ( bend ){ bv_dot( left, left ), bv_dot( right, right ), bv_dot( left, right ),
		             bv_dot( along, along ), bv_dot( left, to_right ) };
}

// Scales to a largest component in [0.5, 1) and returns the power of two that has been taken out.
static int normalize_exponent( bv_vec3* v )
{
	int exponent = 0;
	frexp( bvmath_largest( *v ), &exponent );
	*v = bvmesh_shift_exponent( *v, -exponent );
	return exponent;
}

// The same for slivers and for triangles whose products leave the range: vectors are scaled as they come.
static bend measure_scaled( bv_vec3 along, bv_vec3 to_left, bv_vec3 to_right )
{
	normalize_exponent( &along );
	normalize_exponent( &to_left );
	normalize_exponent( &to_right );
	bv_vec3 left = bv_cross( along, to_left );
	bv_vec3 right = bv_cross( to_right, along );
	normalize_exponent( &left );
	int exponent = normalize_exponent( &right );
	return ( bend ){ bv_dot( left, left ), bv_dot( right, right ), bv_dot( left, right ),
		             bv_dot( along, along ), ldexp( bv_dot( left, to_right ), -exponent ) };
}

// Whether what comes of the square of a normal is far from overflow and underflow.
static bool is_ordinary( double square )
{
	return square > 0x1p-480 && square < 0x1p500;
}

// The product is taken in an order that stays within the range.
static bool is_flat( const bend* b )
{
	return b->facing > 0 &&
	       ( b->volume * b->along ) * b->volume <= BVB_FLAT_SINE * BVB_FLAT_SINE * ( b->left * b->right );
}

// The points are in one plane: are c and d on different sides of the line through a and b?
static bool lie_apart( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	for ( int u = 0; u < 3; ++u )
	{
		int v = ( u + 1 ) % 3;
		bvbase_vec2 from = { bvmath_component( a, u ), bvmath_component( a, v ) };
		bvbase_vec2 to = { bvmath_component( b, u ), bvmath_component( b, v ) };
		double left = bvbase_orient2d(
			from, to, ( bvbase_vec2 ){ bvmath_component( c, u ), bvmath_component( c, v ) } );
		double right = bvbase_orient2d(
			from, to, ( bvbase_vec2 ){ bvmath_component( d, u ), bvmath_component( d, v ) } );
		if ( left != 0 && right != 0 )
		{
			return ( left > 0 ) != ( right > 0 );
		}
	}
	return false;
}

// Not bvmath_norm1, which branches on every sign.
static double add_components( bv_vec3 v )
{
	return ( fabs( v.x ) + fabs( v.y ) ) + fabs( v.z );
}

static bv_edge_kind kind_of_sharp( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	double side = bvbase_orient3d( a, b, c, d );
	if ( side == 0 )
	{
		return lie_apart( a, b, c, d ) ? bv_edge_flat : bv_edge_convex;
	}
	return side > 0 ? bv_edge_concave : bv_edge_convex;
}

static bv_edge_kind kind_of_extreme( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	bend bent = measure_scaled( bv_sub( b, a ), bv_sub( c, a ), bv_sub( d, a ) );
	if ( is_flat( &bent ) )
	{
		return bv_edge_flat;
	}
	int exponent = 0;
	frexp( bvmath_max( bvmath_max( bvmath_largest( a ), bvmath_largest( b ) ),
	                   bvmath_max( bvmath_largest( c ), bvmath_largest( d ) ) ),
	       &exponent );
	return kind_of_sharp( bvmesh_shift_exponent( a, -exponent ), bvmesh_shift_exponent( b, -exponent ),
	                      bvmesh_shift_exponent( c, -exponent ), bvmesh_shift_exponent( d, -exponent ) );
}

bv_edge_kind bvmesh_crease_kind( const bv_vec3* positions, const uint32_t vertex[4] )
{
	bv_vec3 a = positions[vertex[0]];
	bv_vec3 b = positions[vertex[1]];
	bv_vec3 c = positions[vertex[2]];
	bv_vec3 d = positions[vertex[3]];
	bv_vec3 along = bv_sub( b, a );
	bv_vec3 to_left = bv_sub( c, a );
	bv_vec3 to_right = bv_sub( d, a );
	bend bent = measure( along, to_left, to_right );
	if ( !is_ordinary( bent.left ) || !is_ordinary( bent.right ) )
	{
		return kind_of_extreme( a, b, c, d );
	}
	if ( is_flat( &bent ) )
	{
		return bv_edge_flat;
	}

	// The volume's rounding error is below half of this bound, as in bvbase_orient3d; mostly that settles it.
	double doubt =
		0x1p-49 * ( add_components( along ) * add_components( to_left ) * add_components( to_right ) );
	if ( bent.volume > doubt )
	{
		return bv_edge_concave;
	}
	return bent.volume < -doubt ? bv_edge_convex : kind_of_sharp( a, b, c, d );
}

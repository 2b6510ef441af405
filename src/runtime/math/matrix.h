// Matrices of three by three, and the rotations of poses.

#pragma once

#include "runtime/math/vec.h"

/// A matrix of three by three.
typedef struct bvmath_matrix
{
	bv_vec3 row[3];
} bvmath_matrix;

/// @return the matrix times the vector
static inline bv_vec3 bvmath_times( const bvmath_matrix* m, bv_vec3 v )
{
	return ( bv_vec3 ){ bv_dot( m->row[0], v ), bv_dot( m->row[1], v ), bv_dot( m->row[2], v ) };
}

/// @return whether vectors are orthonormal, each product to 1e-4, and right-handed
static inline bool bvmath_is_frame( bv_vec3 x, bv_vec3 y, bv_vec3 z )
{
	// A NaN is lost on the way to the largest error, and remains in the volume.
	double error = bvmath_max( fabs( bv_dot( x, x ) - 1 ), 0 );
	error = bvmath_max( fabs( bv_dot( y, y ) - 1 ), error );
	error = bvmath_max( fabs( bv_dot( z, z ) - 1 ), error );
	error = bvmath_max( fabs( bv_dot( x, y ) ), error );
	error = bvmath_max( fabs( bv_dot( x, z ) ), error );
	error = bvmath_max( fabs( bv_dot( y, z ) ), error );
	return error <= 1e-4 && bv_dot( bv_cross( x, y ), z ) > 0;
}

/// @return the vector, turned by the pose's rotation
static inline bv_vec3 bvmath_rotate( const bv_pose* pose, bv_vec3 v )
{
	const double( *r )[3] = pose->rotation;
	return ( bv_vec3 ){ ( r[0][0] * v.x + r[0][1] * v.y ) + r[0][2] * v.z,
		                ( r[1][0] * v.x + r[1][1] * v.y ) + r[1][2] * v.z,
		                ( r[2][0] * v.x + r[2][1] * v.y ) + r[2][2] * v.z };
}

/// @return the vector, turned by the transpose of the pose's rotation
static inline bv_vec3 bvmath_rotate_back( const bv_pose* pose, bv_vec3 v )
{
	const double( *r )[3] = pose->rotation;
	return ( bv_vec3 ){ ( r[0][0] * v.x + r[1][0] * v.y ) + r[2][0] * v.z,
		                ( r[0][1] * v.x + r[1][1] * v.y ) + r[2][1] * v.z,
		                ( r[0][2] * v.x + r[1][2] * v.y ) + r[2][2] * v.z };
}

/// The inverse by cofactors: the rotation is within 1e-4 of an orthonormal one, so that nothing cancels.
bvmath_matrix bvmath_inverse_of( const bv_pose* pose );

/// @param pose  rigid
/// @return the pose with the orthonormal matrix nearest to its rotation, each product to 2^-50 or so; one that is as
///         close already does not change
bv_pose bvmath_orthonormal( const bv_pose* pose );

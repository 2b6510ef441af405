// Status codes, vectors, poses and transforms, used by all other headers of the runtime library.
//
//     #include <bv/base.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_transform a = bv_transform_identity(), b = bv_transform_identity();
//         b.pose.translation.x = 3;                               // b is at (3, 0, 0) in the world
//         bv_transform b_in_a = bv_transform_between( &a, &b );   // coordinates of b to coordinates of a
//         bv_vec3 p = bv_transform_point( &b_in_a, ( bv_vec3 ){ 1, 0, 0 } );
//         printf( "%g %g %g\n", p.x, p.y, p.z );                  // 4 0 0
//         return 0;
//     }
//
// The runtime library, libbv, is written in C17. Of the standard library it needs the headers, and square
// roots and absolute values from libm. It never allocates memory and has no global state. Every function may
// be called from any number of threads at the same time.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BV_VERSION_MAJOR 0
#define BV_VERSION_MINOR 1
#define BV_VERSION_PATCH 0
#define BV_VERSION       "0.1.0"

/// The maximum depth of a hierarchy. The root is on level 0, so the deepest leaf is at most on level
/// BV_MAX_DEPTH.
#define BV_MAX_DEPTH 64

/// The result of a function that can fail. The command-line tools map each error to its own exit code.
typedef enum bv_status
{
	bv_ok = 0, ///< success

	/// Invalid argument: an option out of range, a null pointer, a pose that is not rigid.
	bv_error_argument,

	bv_error_input,       ///< an input is missing, unreadable or not a valid mesh
	bv_error_unsupported, ///< a format, version or feature that this build does not support
	bv_error_output,      ///< an output could not be written
	bv_error_memory,      ///< a memory allocation failed
	bv_error_limit,       ///< a limit of the library was exceeded
	bv_error_damaged,     ///< a .bvh file is not valid, or its checksums do not match
	bv_error_internal,    ///< a bug in this library
} bv_status;

/// Describes a status.
/// @return a short lower-case phrase, never null; static storage
const char* bv_status_text( bv_status status );

/// A point or a direction.
typedef struct bv_vec3
{
	double x; ///< first coordinate
	double y; ///< second coordinate
	double z; ///< third coordinate
} bv_vec3;

/// An interval that contains the true value of a quantity.
typedef struct bv_interval
{
	double lower; ///< lower bound of the true value
	double upper; ///< upper bound of the true value
} bv_interval;

/// A rigid motion: x -> rotation * x + translation.
typedef struct bv_pose
{
	double rotation[3][3]; ///< rows of an orthonormal matrix with determinant 1
	bv_vec3 translation;   ///< mesh units
} bv_pose;

/// @return the identity pose
bv_pose bv_pose_identity( void );

/// @return whether all numbers of the pose are finite, and its rotation is orthonormal to 1e-4 with a
/// positive determinant
bool bv_pose_is_rigid( const bv_pose* pose );

/// A similarity transform: x -> rotation * ( scale * m( x ) ) + translation. If `mirror` is set, m negates
/// the first coordinate; otherwise m is the identity.
typedef struct bv_transform
{
	bv_pose pose; ///< the rigid motion, applied last
	double scale; ///< uniform scale, from 2^-100 to 2^100
	bool mirror;  ///< reflect in the plane x = 0 first; front faces of triangles remain front faces
} bv_transform;

/// @return the identity transform
bv_transform bv_transform_identity( void );

/// @return the transform with the given pose, scale 1 and no reflection
bv_transform bv_transform_of_pose( const bv_pose* pose );

/// @return whether the pose is rigid and the scale is in its range
bool bv_transform_is_valid( const bv_transform* transform );

/// @return the image of the point
bv_vec3 bv_transform_point( const bv_transform* transform, bv_vec3 point );

/// Computes the transform from the coordinates of one object to those of another, from their placements in a
/// world. The translations are subtracted first, in binary64. Two objects that are close to each other
/// therefore lose no precision by being far from the world's origin.
/// @param a_in_world  from coordinates of `a` to world coordinates; valid
/// @param b_in_world  from coordinates of `b` to world coordinates; valid
/// @return from coordinates of `b` to those of `a`. The result is not valid if the ratio of the scales is out
/// of range, or if the rounding errors of both rotations together exceed the tolerance of bv_pose_is_rigid.
bv_transform bv_transform_between( const bv_transform* a_in_world, const bv_transform* b_in_world );

#ifdef __cplusplus
}
#endif

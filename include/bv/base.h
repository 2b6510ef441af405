// Status codes, vectors, poses and transforms, used by all other headers of the runtime library. Transforms
// are made from what engines have: quaternions, column-major matrices, translation-rotation-scale. Rotations
// are converted between quaternions, axis and angle, angles about fixed axes and matrices.
//
//     #include <bv/base.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         // The model matrix of a: a quarter turn about z, twice the size, moved to (10, 20, 0).
//         const float model[16] = { 0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 20, 0, 1 };
//         bv_transform a, b = bv_transform_translation( 3, 0, 0 ); // b is at (3, 0, 0)
//         if ( bv_transform_from_matrixf( model, &a ) != bv_ok )
//         {
//             return 1;                                           // shear, or a scale that differs by axis
//         }
//         bv_transform b_in_a = bv_transform_between( &a, &b );   // coordinates of b to coordinates of a
//         bv_vec3 p = bv_transform_point( &b_in_a, bv_vec3_make( 1, 0, 0 ) );
//         printf( "%g %g %g\n", p.x, p.y, p.z );                  // prints -10 3 0
//         return 0;
//     }
//
// The runtime library, libbv, is written in C17. Of the standard library it needs the headers, and square
// roots and absolute values from libm. It never allocates memory and has no global state. Every function may
// be called from any number of threads at the same time.

#pragma once

#include <math.h>
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

/// For programs that load the shared library: it can be another version than that of the headers.
/// @return BV_VERSION of the library; static storage
const char* bv_version( void );

/// The maximum depth of a hierarchy. The root is on level 0, so the deepest leaf is at most on level
/// BV_MAX_DEPTH.
#define BV_MAX_DEPTH 64

/// The maximum absolute value of lengths that queries accept: coordinates of points, directions and
/// translations, radii and half extents. Lengths that results are compared with, such as limits, may be
/// larger. It is 2^200, as a decimal because C++ has hexadecimal ones only since C++17.
#define BV_MAX_LENGTH 1606938044258990275541962092341162602522202993782792835301376.0

/// The maximum absolute value of angles that functions accept, in radians: 2^20, more than 160,000 turns.
#define BV_MAX_ANGLE 1048576.0

/// The result of a function that can fail. The command-line tools map each error to its own exit code.
typedef enum bv_status
{
	bv_ok = 0, ///< success

	/// Invalid argument: an option out of range, a null pointer, a pose that is not rigid.
	bv_error_argument,

	bv_error_input,       ///< an input is missing, unreadable or not a valid mesh
	bv_error_unsupported, ///< a format, version or feature that this build does not support
	bv_error_output,      ///< an output could not be written
	bv_error_memory,      ///< a memory allocation failed, or memory of the caller is too small
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

/// @return the vector with these coordinates
static inline bv_vec3 bv_vec3_make( double x, double y, double z )
{
	bv_vec3 out = { x, y, z };
	return out;
}

/// @return a + b
static inline bv_vec3 bv_add( bv_vec3 a, bv_vec3 b )
{
	return bv_vec3_make( a.x + b.x, a.y + b.y, a.z + b.z );
}

/// @return a - b: the vector from b to a
static inline bv_vec3 bv_sub( bv_vec3 a, bv_vec3 b )
{
	return bv_vec3_make( a.x - b.x, a.y - b.y, a.z - b.z );
}

/// @return the vector s times as long
static inline bv_vec3 bv_scale( double s, bv_vec3 a )
{
	return bv_vec3_make( s * a.x, s * a.y, s * a.z );
}

/// @return -a
static inline bv_vec3 bv_negate( bv_vec3 a )
{
	return bv_vec3_make( -a.x, -a.y, -a.z );
}

/// @return the dot product
static inline double bv_dot( bv_vec3 a, bv_vec3 b )
{
	return ( a.x * b.x + a.y * b.y ) + a.z * b.z;
}

/// @return the cross product
static inline bv_vec3 bv_cross( bv_vec3 a, bv_vec3 b )
{
	return bv_vec3_make( a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x );
}

/// @return the Euclidean length, for coordinates whose squares neither overflow nor underflow
static inline double bv_length( bv_vec3 a )
{
	return sqrt( bv_dot( a, a ) );
}

/// @return the unit vector in the same direction; the zero vector if the length is 0
static inline bv_vec3 bv_normalize( bv_vec3 a )
{
	double length = bv_length( a );
	return length > 0 ? bv_vec3_make( a.x / length, a.y / length, a.z / length ) : bv_vec3_make( 0, 0, 0 );
}

/// An interval that contains the true value of a quantity.
typedef struct bv_interval
{
	double lower; ///< lower bound of the true value
	double upper; ///< upper bound of the true value
} bv_interval;

/// Which part of a triangle a point is on. Edge i runs from corner i to the next corner.
typedef enum bv_feature
{
	bv_feature_corner_0 = 0, ///< corner 0
	bv_feature_corner_1,     ///< corner 1
	bv_feature_corner_2,     ///< corner 2
	bv_feature_edge_0,       ///< from corner 0 to corner 1, without these
	bv_feature_edge_1,       ///< from corner 1 to corner 2, without these
	bv_feature_edge_2,       ///< from corner 2 to corner 0, without these
	bv_feature_face,         ///< inside of the triangle
	bv_features,             ///< the number of features
} bv_feature;

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

/// @return the translation by (x, y, z)
bv_transform bv_transform_translation( double x, double y, double z );

/// A rotation as a unit quaternion w + x i + y j + z k.
typedef struct bv_quaternion
{
	double x; ///< axis times the sine of half the angle
	double y; ///< axis times the sine of half the angle
	double z; ///< axis times the sine of half the angle
	double w; ///< cosine of half the angle
} bv_quaternion;

/// @return the quaternion of no rotation
bv_quaternion bv_quaternion_identity( void );

/// @return whether all numbers are finite and the length differs from 1 by at most 1 %
bool bv_quaternion_is_valid( bv_quaternion q );

/// @return the product: rotates by `b` first, then by `a`. Its length is the product of both lengths
bv_quaternion bv_quaternion_multiply( bv_quaternion a, bv_quaternion b );

/// @return the rotation back, for a unit quaternion
bv_quaternion bv_quaternion_conjugate( bv_quaternion q );

/// @param q  of any length whose square neither overflows nor is 0
/// @return the rotated vector
bv_vec3 bv_quaternion_rotate( bv_quaternion q, bv_vec3 vector );

/// Makes a unit quaternion from a rotation by an angle about an axis, counterclockwise as seen from where the axis points.
/// @param axis   of any length except 0; finite
/// @param angle  radians; absolute value up to BV_MAX_ANGLE
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_quaternion_from_axis_angle( bv_vec3 axis, double angle, bv_quaternion* out );

/// The way back.
/// @param q      valid; not necessarily of length 1
/// @param axis   receives a unit vector; (1, 0, 0) if there is no rotation. If the angle is pi, its first coordinate that
///               is not 0 is positive
/// @param angle  receives the angle, from 0 to pi
/// @return bv_ok; bv_error_argument, with both unchanged, if the quaternion is not valid or a pointer is null
bv_status bv_quaternion_to_axis_angle( bv_quaternion q, bv_vec3* axis, double* angle );

/// Makes a unit quaternion from angles about fixed axes: rotates by angles.x about the x axis first, then by angles.y about
/// the y axis, then by angles.z about the z axis. These are roll, pitch and yaw of URDF. As a matrix it is Rz * Ry * Rx.
/// @param angles  radians; absolute values up to BV_MAX_ANGLE
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_quaternion_from_xyz( bv_vec3 angles, bv_quaternion* out );

/// The way back. If angles.y is a right angle, only the sum or the difference of the others matters. Then angles.x is 0.
///
/// The angles stand for the same rotation to 2^-48, also near that case, where the angles themselves can differ by much
/// from those that the quaternion was made from.
/// @param q       valid; not necessarily of length 1
/// @param angles  receives angles.x and angles.z from -pi to pi, and angles.y from -pi / 2 to pi / 2
/// @return bv_ok; bv_error_argument, with `*angles` unchanged, if the quaternion is not valid or the pointer is null
bv_status bv_quaternion_to_xyz( bv_quaternion q, bv_vec3* angles );

/// Interpolates between two rotations at constant angular speed about a fixed axis, the shorter way around: spherical linear
/// interpolation. If both are half a turn apart, either way is as short, and the signs of the quaternions decide.
/// @param a, b  valid; not necessarily of length 1
/// @param t     0 for `a` to 1 for `b`
/// @param out   receives a unit quaternion
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_quaternion_slerp( bv_quaternion a, bv_quaternion b, double t, bv_quaternion* out );

/// The same with quaternions interpolated linearly and normalized: about the same axis, faster in the middle.
bv_status bv_quaternion_nlerp( bv_quaternion a, bv_quaternion b, double t, bv_quaternion* out );

/// Makes a transform from a rotation about an axis, see bv_quaternion_from_axis_angle, and a translation.
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_transform_from_axis_angle( bv_vec3 axis, double angle, bv_vec3 translation, bv_transform* out );

/// Makes a transform from angles about fixed axes, see bv_quaternion_from_xyz, and a translation.
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if an argument is out of range
bv_status bv_transform_from_xyz( bv_vec3 angles, bv_vec3 translation, bv_transform* out );

/// Returns the rotation of a transform, which is applied after the reflection if `mirror` is set, as
/// bv_quaternion_to_axis_angle does.
/// @return bv_ok; bv_error_argument, with both unchanged, if the transform is not valid or a pointer is null
bv_status bv_transform_to_axis_angle( const bv_transform* transform, bv_vec3* axis, double* angle );

/// The same as angles about fixed axes, see bv_quaternion_to_xyz.
/// @return bv_ok; bv_error_argument, with `*angles` unchanged, if the transform is not valid or the pointer is null
bv_status bv_transform_to_xyz( const bv_transform* transform, bv_vec3* angles );

/// Makes a transform from a rotation and a translation. The quaternion is normalized.
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if the length of the quaternion differs from 1 by
/// more than 1 %, or a number is not finite
bv_status bv_transform_from_quaternion( bv_quaternion rotation, bv_vec3 translation, bv_transform* out );

/// The same from floats: quaternions as x, y, z, w.
bv_status bv_transform_from_quaternionf( const float rotation[4], const float translation[3],
                                         bv_transform* out );

/// Makes a transform from translation, rotation and uniform scale, as nodes of scenes have them: scaled
/// first, then rotated, then moved. A negative scale reflects in the origin; the result then has `mirror` set
/// and another rotation.
/// @return as bv_transform_from_quaternion; also bv_error_argument if the absolute value of the scale is out
/// of its range, such as 0
bv_status bv_transform_from_trs( bv_vec3 translation, bv_quaternion rotation, double scale,
                                 bv_transform* out );

/// The same from floats: quaternions as x, y, z, w.
bv_status bv_transform_from_trsf( const float translation[3], const float rotation[4], float scale,
                                  bv_transform* out );

/// Makes a transform from a column-major matrix: element 4 * column + row, translation in elements 12 to 14,
/// as in OpenGL, Vulkan, Unity and glTF. A reflection sets `mirror`.
///
/// Rounding errors of the matrix are removed: the rotation is the orthonormal matrix nearest to it, to
/// rounding, and the scale is the mean of the three axes. Divided by its scale, the matrix may deviate from
/// an orthonormal one by the tolerance of bv_pose_is_rigid, 1e-4. Quarter turns about the axes are exact.
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if the matrix has shear, a scale that differs by
/// axis or is out of range, such as 0, a last row that differs from 0 0 0 1 by more than 1e-6, or a number
/// that is not finite
bv_status bv_transform_from_matrix( const double matrix[16], bv_transform* out );

/// The same from floats.
bv_status bv_transform_from_matrixf( const float matrix[16], bv_transform* out );

/// Writes the transform as a column-major matrix, as bv_transform_from_matrix reads it.
void bv_transform_to_matrix( const bv_transform* transform, double matrix[16] );

/// The same in floats, each rounded once. Numbers beyond the range of float become infinite.
void bv_transform_to_matrixf( const bv_transform* transform, float matrix[16] );

/// @param transform  valid
/// @return the rotation of the pose, which is applied after the reflection if `mirror` is set; w is not
/// negative, and if it is 0, the first of x, y, z that is not 0 is positive
bv_quaternion bv_transform_to_quaternion( const bv_transform* transform );

/// @return the image of the point
bv_vec3 bv_transform_point( const bv_transform* transform, bv_vec3 point );

/// @return the image of a direction or normal: reflected and rotated, but neither scaled nor moved
bv_vec3 bv_transform_direction( const bv_transform* transform, bv_vec3 direction );

/// @param transform  valid
/// @return the transform back; exact to rounding, also if the rotation is not quite orthonormal
bv_transform bv_transform_inverse( const bv_transform* transform );

/// @return the transform x -> a( b( x ) ), the matrix product a * b. The deviation of its rotation is the sum
/// of both, which adds up in long chains: bv_transform_to_matrix and back removes it.
bv_transform bv_transform_compose( const bv_transform* a, const bv_transform* b );

/// Computes the transform from the coordinates of one object to those of another, from their placements in a
/// world. The translations are subtracted first, in binary64. Two objects that are close to each other
/// therefore lose no precision by being far from the world's origin.
/// @param a_in_world  from coordinates of `a` to world coordinates; valid
/// @param b_in_world  from coordinates of `b` to world coordinates; valid
/// @return from coordinates of `b` to those of `a`. The result is not valid if the ratio of the scales is out
/// of range, or if the rounding errors of both rotations together exceed the tolerance of bv_pose_is_rigid.
bv_transform bv_transform_between( const bv_transform* a_in_world, const bv_transform* b_in_world );

/// How long a search may run. Zero-initialized budgets are unlimited.
typedef struct bv_budget
{
	/// Stop after this number of tests of volumes and triangles. The last step can exceed it: of searches by up to 7 tests of volumes or
	/// 63 of triangles, of sweeps by up to 15 and 63 likewise. Default 0, no limit. With such a budget alone, answers do not depend on the
	/// machine.
	uint64_t tests;

	/// The current time, in any unit and from any start. Called about once per microsecond of work. Default null: no limit of time.
	double ( *now )( void* context );
	void* context; ///< passed to `now`; default null
	double until;  ///< stop when `now` returns this or more
} bv_budget;

#ifdef __cplusplus
}
#endif

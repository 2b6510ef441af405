// What every other header of the runtime library needs: status codes, vectors, poses and the version.
//
// The runtime library, libbv, is C17 with the standard library's headers and libm's square roots and magnitudes only. It
// never allocates, keeps no state, and every function may be called from any number of threads at once.

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

/// No hierarchy is deeper: the root is level 0, so the deepest leaf is on level BV_MAX_DEPTH at most.
#define BV_MAX_DEPTH 64

/// What a function that can fail returns. The tools turn each kind into an exit code of its own.
typedef enum bv_status
{
	bv_ok = 0,
	bv_error_argument,    ///< the caller's mistake: an option, a pointer, a pose that is not rigid
	bv_error_input,       ///< an input is missing, unreadable or is no valid mesh
	bv_error_unsupported, ///< a format, a version or a feature this build does not have
	bv_error_output,      ///< an output could not be written
	bv_error_memory,      ///< an allocation failed
	bv_error_limit,       ///< one of the library's own limits was exceeded
	bv_error_damaged,     ///< a .bvh file is not what its header and checksums say
	bv_error_internal,    ///< a bug in this library
} bv_status;

/// @return a short lower-case phrase for `status`, never null; static storage
const char* bv_status_text( bv_status status );

/// A point or a direction.
typedef struct bv_vec3
{
	double x; ///< first coordinate
	double y; ///< second coordinate
	double z; ///< third coordinate
} bv_vec3;

/// A number that is known to lie in [lower, upper].
typedef struct bv_interval
{
	double lower; ///< not above the true value
	double upper; ///< not below it
} bv_interval;

/// A rigid motion: x -> rotation * x + translation.
typedef struct bv_pose
{
	double rotation[3][3]; ///< rows of an orthonormal matrix of determinant 1
	bv_vec3 translation;   ///< in mesh units
} bv_pose;

/// @return the pose that moves nothing
bv_pose bv_pose_identity( void );

/// @return whether `pose` is finite and its rotation is orthonormal to 1e-4 with a positive determinant
bool bv_pose_is_rigid( const bv_pose* pose );

/// A rigid motion after a uniform scale and, where wanted, a reflection: x -> rotation * ( scale * m( x ) ) + translation,
/// where m turns the sign of the first coordinate if `mirror` is set.
typedef struct bv_transform
{
	bv_pose pose; ///< the rigid motion
	double scale; ///< above 0, from 2^-100 to 2^100
	bool mirror;  ///< whether x becomes -x before all else. Fronts of triangles stay fronts
} bv_transform;

/// @return the transform that moves nothing
bv_transform bv_transform_identity( void );

/// @return the pose with a scale of 1 and no reflection
bv_transform bv_transform_of_pose( const bv_pose* pose );

/// @return whether the pose is rigid and the scale is a number in its range
bool bv_transform_is_valid( const bv_transform* transform );

/// @return where the transform takes the point
bv_vec3 bv_transform_point( const bv_transform* transform, bv_vec3 point );

/// What takes coordinates of one object to those of another when both are placed in a world. The translations are subtracted
/// first, in binary64, so that two objects that are near each other lose nothing by being far from the world's origin.
/// @param a_in_world  takes coordinates of `a` to the world's; valid
/// @param b_in_world  the same of `b`; valid
/// @return what takes b's coordinates to a's; not valid itself where the scales are farther apart than its own may be, or where the
///         rotations are off by too much together
bv_transform bv_transform_between( const bv_transform* a_in_world, const bv_transform* b_in_world );

#ifdef __cplusplus
}
#endif

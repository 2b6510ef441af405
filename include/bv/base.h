// What every other header of the runtime library needs: status codes, vectors, poses and the version.
//
// The runtime library, libbv, is C17 with the standard library's headers and libm's sqrt and fabs only. It
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

#ifdef __cplusplus
}
#endif

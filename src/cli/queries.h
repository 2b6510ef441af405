// Queries between two files, pose by pose, as CSV on stdout.

#pragma once

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"

/// Which content of two files is compared: distances and contacts (--of).
typedef enum query_subject
{
	query_of_mesh = 0, ///< the triangles
	query_of_hull,     ///< the convex hulls
	query_of_parts,    ///< the convex parts
	query_subjects,    ///< the number of subjects
} query_subject;

/// @return "mesh", "hull", "parts"; null past the last
const char* query_subject_name( uint32_t subject );

/// @param summary  receives what the method does; may be null
/// @return the name of a method of bv_convex_distance; null past the last
const char* query_method_name( uint32_t method, const char** summary );

/// How OTHER, or FILE, gets from its pose at the beginning of a motion to that at the end (--motion-of).
typedef enum query_motion
{
	query_motion_slerp = 0, ///< bv_motion_slerp
	query_motion_nlerp,     ///< bv_motion_nlerp
	query_motion_screw,     ///< bv_motion_screw_between
	query_motions,          ///< the number of them
} query_motion;

/// @return "slerp", "nlerp", "screw"; null past the last
const char* query_motion_name( uint32_t motion );

/// What a query is asked for with.
typedef struct query_settings
{
	const char* poses;      ///< path of a file with a row for each pose; null for one pose, the identity
	const char* motions;    ///< path of a file with a row for each motion; null for collisions in poses
	query_motion motion_of; ///< --motion-of
	bool quiet;             ///< say nothing on stderr about how poses were read, and about units
	bool first;             ///< --first, of collisions
	uint32_t repeat;        ///< times each is run, at least 1; the median counts
	query_subject of;       ///< --of, of distances and contacts
	double speculative;     ///< --speculative, of contacts
	uint32_t method;        ///< --method, of hulls and parts: a bv_convex_method
} query_settings;

/// Prints pose,pairs,volume_tests,triangle_tests,microseconds; with motions one row per motion, with the columns that docs/cli.md
/// describes.
/// @param path   of the file
/// @param other  path of the file that is moved
/// @return bv_ok; bv_error_input if a file lacks a hierarchy, or a pose or a motion is invalid
bv_status print_collisions( const char* path, const bv_file* file, const char* other,
                            const query_settings* settings, bvb_arena* arena, bvb_error* error );

/// Prints one row per pose, with the columns that docs/cli.md describes.
/// @param path   of the file
/// @param other  path of the file that is moved
/// @return bv_ok; bv_error_input if a file lacks the content or a pose is invalid; bv_error_unsupported if the method does
/// not compare such shapes: then nothing is printed
bv_status print_distances( const char* path, const bv_file* file, const char* other,
                           const query_settings* settings, bvb_arena* arena, bvb_error* error );

/// Prints one row per contact point, with the columns that docs/cli.md describes. A pose without contacts has no row; how many these
/// are is said on stderr, and in how many poses meshes are deeper in each other than contacts say.
/// @return bv_ok; bv_error_input if a file lacks the content or a pose is invalid; bv_error_memory
bv_status print_contacts( const char* path, const bv_file* file, const char* other,
                          const query_settings* settings, bvb_arena* arena, bvb_error* error );

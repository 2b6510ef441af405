// Poses and motions from a file: translations, quaternions or matrices.

#pragma once

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"

/// Reads the poses of a table. What a row has is known from the header, or from the number of its values; see
/// docs/cli.md.
/// @param quiet  whether to say nothing on stderr about what was assumed and what is not used
/// @param poses  receives them, in the arena
/// @return bv_ok; bv_error_input, naming the line; bv_error_limit; bv_error_memory
bv_status read_poses( const char* path, bool quiet, bvb_arena* arena, bv_pose** poses, uint32_t* count,
                      bvb_error* error );

/// The poses of two files at the beginning and at the end of a motion.
typedef struct pose_motion
{
	bv_pose start[2]; ///< of FILE and of OTHER
	bv_pose end[2];   ///< likewise
	uint32_t line;    ///< of the file that they were read from, from 1
} pose_motion;

/// Reads the motions of a table. Its header names the columns: those of poses with the prefixes start_ and end_ for OTHER, and
/// a_start_ and a_end_ for FILE, which otherwise stays where it is. See docs/cli.md.
/// @param quiet    whether to say nothing on stderr about what is not used
/// @param motions  receives them, in the arena
/// @return as read_poses
bv_status read_motions( const char* path, bool quiet, bvb_arena* arena, pose_motion** motions,
                        uint32_t* count, bvb_error* error );

// Queries between two files, pose by pose, as CSV on stdout.

#pragma once

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"

/// What a query is asked for with.
typedef struct query_settings
{
	const char* poses; ///< path of a file with a row for each pose; null for one pose, the identity
	bool quiet;        ///< say nothing on stderr about how poses were read, and about units
	bool first;        ///< --first, of collisions
	uint32_t repeat;   ///< times each is run, at least 1; the median counts
} query_settings;

/// Prints pose,pairs,volume_tests,triangle_tests,microseconds.
/// @param path   of the file
/// @param other  path of the file that is moved
bv_status print_collisions( const char* path, const bv_file* file, const char* other,
                            const query_settings* settings, bvb_arena* arena, bvb_error* error );

/// Prints pose,distance,triangle_a,triangle_b, the nearest point of each,
/// volume_tests,triangle_tests,microseconds.
/// @param path   of the file
/// @param other  path of the file that is moved
bv_status print_distances( const char* path, const bv_file* file, const char* other,
                           const query_settings* settings, bvb_arena* arena, bvb_error* error );

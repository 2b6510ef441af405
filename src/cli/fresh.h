// Whether an output is what a build would write: by content, not by time.
//
// A .bvh file says which program made it of what, with which options, and which other files were read for it.
// All of that is compared; whatever is unexpected means that it is not up to date, and never an error.

#pragma once

#include "bvbuild/bvbuild.h"

#include <time.h>

/// What a build would say of its output, as far as that is known before the input is imported.
typedef struct recipe
{
	const char* input; ///< path
	const char* name;  ///< of the input, without folders
	const char* format;
	uint8_t hash[16];   ///< of the input's bytes
	bv_text parameters; ///< the options
	bool plain; ///< name and objects are as they would be in the file; else nothing is ever up to date
} recipe;

/// Hashes the input.
/// @param options  with `objects` as they are to be written down
/// @param arena    the recipe lives here
/// @return as bvb_hash_file
bv_status describe_build( const char* input, const bvb_asset_options* options, bvb_arena* arena, recipe* out,
                          bvb_error* error );

/// @return whether a file is what the recipe makes, and all side files are as they were
bool is_made_by( const bv_file* file, const recipe* r, bvb_arena* arena );

/// @param newest  receives when the last of the files that it depends on was changed, if so
/// @return whether there is a sound file at `output` that is what the recipe makes
bool is_up_to_date( const char* output, const recipe* r, struct timespec* newest );

/// Side files as they are now: those that were read or missing are one or the other now; the others stay.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_input when one cannot be read; bv_error_memory
bv_status look_at_side_files( const char* input, const bvb_side_files* before, bvb_arena* arena,
                              bvb_side_files* out );

/// The files that an output depends on.
typedef struct dependencies
{
	const char**

		/// the input, then side files that were read, then those that were named; with room for two more
		paths;

	uint32_t count;  ///< length of paths
	uint32_t needed; ///< how many of them shape the output: all but the named ones
} dependencies;

/// Finds them, as far as they are there.
/// @param parameters  of the output
/// @param arena       the list lives here
/// @return bv_ok; bv_error_memory; bv_error_damaged for parameters that bvbuild did not write
bv_status list_dependencies( const char* input, bv_text parameters, bvb_arena* arena, dependencies* out );

/// Takes the time at which a file was changed, if it is there and that is later.
void take_newer( const char* path, struct timespec* newest );

/// Makes an output newer than what it depends on, if it is older than any of it. That it cannot be is no
/// reason to complain.
/// @param newest  from is_up_to_date
/// @param always  make it newer in any case: who called may know of more that it depends on
void touch_output( const char* output, struct timespec newest, bool always );

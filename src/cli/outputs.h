// Names of output files.

#pragma once

#include "bvbuild/bvbuild.h"

/// @return whether two paths are one existing file
bool is_same_file( const char* a, const char* b );

/// @return whether an output is "-"
bool is_stdout( const char* output );

/// @param extension  with its dot
/// @return whether a path ends in it, after at least one more character
bool has_extension( const char* path, const char* extension );

/// FOLDER/NAME.bvh for the input .../NAME.extension, or FOLDER/NAME.ITEM.bvh.
/// @param item   null for none
/// @param full   whether the extension stays: FOLDER/NAME.extension.bvh
/// @param arena  the result lives here
/// @return null when out of memory
char* output_in_folder( const char* folder, const char* input, const char* item, bool full,
                        bvb_arena* arena );

/// Makes names distinct: of equal ones the later become NAME.2, NAME.3 and so on, whichever is free.
/// @param out    receives them, in the same order
/// @param arena  they live here
/// @return false when out of memory
bool make_distinct( const char* const* names, uint32_t count, bvb_arena* arena, char** out );

/// The files that one input is split into.
typedef struct split_files
{
	const char* input;                ///< its path
	char** paths;                     ///< of each item; null for those that become no file
	char** sorted;                    ///< the paths, ascending, without the nulls
	uint32_t count;                   ///< length of sorted
	const struct split_files* before; ///< those of the input before, or null
} split_files;

/// Names a file for each item that is wanted and has triangles: FOLDER/INPUT.ITEM.bvh. Of equal names the
/// later ones become ITEM.2, ITEM.3 and so on, whichever is free.
/// @param wanted  of each item; null for all
/// @param full    as for output_in_folder
/// @param before  the files of earlier inputs, none of which may be named again
/// @param arena   the result lives here
/// @return bv_ok; bv_error_argument when a file is an earlier input's; bv_error_memory
bv_status name_split_files( const bvb_items* items, const bool* wanted, const char* folder, const char* input,
                            bool full, const split_files* before, bvb_arena* arena, split_files* out,
                            bvb_error* error );

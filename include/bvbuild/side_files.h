// Side files: what an import read, looked for or found named besides its input, such as the .bin of a .gltf.
//
// They shape a .bvh file as its source does. Its parameters have a line for each, behind all options:
//
//     side-file:NAME=HASH      its bytes were read: their XXH3-128, canonical, 32 hexadecimal digits
//     side-file:NAME=missing   it was looked for in vain: no such regular file
//     side-file:NAME=named     the source names it and nothing of it was read, such as the .mtl of an .obj
//
// In NAME the bytes of control characters, those that are no UTF-8, % and = are written %XX, in hexadecimal
// digits.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a side file.
typedef enum bvb_side_file_use
{
	bvb_side_file_read = 0, ///< its bytes were read
	bvb_side_file_missing,  ///< it was looked for, and there was no such regular file
	bvb_side_file_named,    ///< its name was read, and its content shapes nothing
} bvb_side_file_use;

/// A side file.
typedef struct bvb_side_file
{
	const char* name;      ///< relative to the input's folder; absolute only where the input has it so
	bvb_side_file_use use; ///< what became of it
	uint8_t
		hash[16]; ///< of one that was read: XXH3-128 of its bytes, canonical (big-endian) order; else zeros
} bvb_side_file;

/// Side files in ascending order of their names as bytes; no name is there twice.
typedef struct bvb_side_files
{
	const bvb_side_file* files; ///< lives in an arena
	uint32_t count;             ///< length of files
} bvb_side_files;

/// Says them in words: the lines above.
/// @param arena  the text lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_side_files_text( const bvb_side_files* files, bvb_arena* arena, bv_text* out );

/// Finds them in a file's parameters. What is no such line is passed over.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_damaged for such a line that is not as above, or not in order; bv_error_memory
bv_status bvb_side_files_find( bv_text parameters, bvb_arena* arena, bvb_side_files* out );

#ifdef __cplusplus
}
#endif

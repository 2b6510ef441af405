// Side files: files that an import read, looked for or found named in its input, such as the .bin file of a
// .gltf file.
//
// Like the source, they determine the content of a .bvh file. They are therefore listed in its parameters,
// one per line, after all options:
//
//     side-file:NAME=HASH      it was read; the XXH3-128 of its bytes, 32 hexadecimal digits
//     side-file:NAME=missing   it was looked for, but there was no such regular file
//     side-file:NAME=named     the source names it, but it was not read, such as an .mtl file
//
// The hash is in canonical (big-endian) order. In NAME, control characters, bytes that are not valid UTF-8, %
// and = are written as %XX with two hexadecimal digits.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a side file was used.
typedef enum bvb_side_file_use
{
	bvb_side_file_read = 0, ///< it was read
	bvb_side_file_missing,  ///< it was looked for, but there was no such regular file
	bvb_side_file_named,    ///< only its name was read; its content does not affect the result
} bvb_side_file_use;

/// A side file.
typedef struct bvb_side_file
{
	/// Relative to the folder of the input; absolute only if the input has an absolute name.
	const char* name;

	bvb_side_file_use use; ///< how it was used
	uint8_t hash[16];      ///< XXH3-128 of its bytes, canonical (big-endian) order; 0 if it was not read
} bvb_side_file;

/// A list of side files, in ascending byte order of their names, without duplicates.
typedef struct bvb_side_files
{
	const bvb_side_file* files; ///< lives in an arena
	uint32_t count;             ///< length of files
} bvb_side_files;

/// Formats side files as the lines above.
/// @param arena  the text lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_side_files_text( const bvb_side_files* files, bvb_arena* arena, bv_text* out );

/// Parses the side files in a file's parameters. Other lines are skipped.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_damaged for a side-file line that is malformed or out of order; bv_error_memory
bv_status bvb_side_files_find( bv_text parameters, bvb_arena* arena, bvb_side_files* out );

#ifdef __cplusplus
}
#endif

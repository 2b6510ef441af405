// Whole text files: lists of arguments, settings, tables.

#pragma once

#include "bvbuild/base.h"

/// Reads a text file, without a UTF-8 mark at its begin.
/// @param arena  the text lives here
/// @param out    receives it, terminated, to be changed as wanted
/// @return bv_ok; bv_error_input when it cannot be read or is no text of UTF-8; bv_error_limit above 1 GiB;
///         bv_error_memory
bv_status bvbase_read_text_file( const char* path, bvb_arena* arena, char** out, bvb_error* error );

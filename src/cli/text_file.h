// Whole text files: lists of arguments, settings.

#pragma once

#include "bvbuild/base.h"

/// Reads a text file, without a UTF-8 mark at its begin.
/// @param arena  the text lives here
/// @param out    receives it, terminated, to be changed as wanted
/// @return bv_ok; bv_error_input when it cannot be read or has a NUL byte; bv_error_limit above 256 MiB;
///         bv_error_memory
bv_status read_text_file( const char* path, bvb_arena* arena, char** out, bvb_error* error );

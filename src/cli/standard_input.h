// A mesh from standard input.

#pragma once

#include "bvbuild/base.h"

/// @return whether an input is "-"
bool is_stdin( const char* input );

/// Reads standard input to its end.
/// @param data  receives the bytes, which the caller frees; null on errors
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status read_stdin( char** data, size_t* size, bvb_error* error );

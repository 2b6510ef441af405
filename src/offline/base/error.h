// One-line errors.

#pragma once

#include "bvbuild/base.h"

/// Formats the message and returns `status`, so that a failing function ends in one line.
/// @param error  may be null
#if defined( __GNUC__ )
__attribute__( ( format( printf, 3, 4 ) ) )
#endif
bv_status
bvbase_fail( bvb_error* error, bv_status status, const char* format, ... );

/// @return bv_error_memory, with its message
bv_status bvbase_fail_memory( bvb_error* error );

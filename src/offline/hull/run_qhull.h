// Runs qhull, silently and one command after another.

#pragma once

#include "bvbuild/base.h"

#include <libqhull_r/qhull_ra.h>

/// Reads a result.
/// @return bv_ok; bv_error_memory; bv_error_limit to have the next command tried
typedef bv_status bvhull_qhull_reader( qhT* qh, void* context );

enum
{
	bvhull_qhull_commands = 2, ///< the usual one, and that with joggled input (QJ) as the last resort
};

/// Runs qhull until a command works and its result is read.
/// @param points  finite
/// @return bv_ok; bv_error_memory; bv_error_limit when no command does
bv_status bvhull_run_qhull( const bv_vec3* points, uint32_t count,
                            const char* const commands[bvhull_qhull_commands], bvhull_qhull_reader* reader,
                            void* context, bvb_arena* scratch );

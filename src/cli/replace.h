// Which existing files may be replaced.

#pragma once

#include "bvbuild/base.h"

/// What is written to a file.
typedef enum written_kind
{
	written_bvh,
	written_page,
	written_json_report,
	written_log,
	written_depfile,
	written_ninja,
	written_export, ///< a mesh or a body
} written_kind;

/// Refuses to replace a file of another kind, judged by its content. A file that is empty or does not exist
/// may be replaced; whether it can be written is not checked.
/// @param forced  --force-output was given: any file may be replaced
/// @return bv_ok; bv_error_argument
bv_status check_replaced( const char* path, written_kind kind, bool forced, bvb_error* error );

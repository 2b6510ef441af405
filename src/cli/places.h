// No file that is written may be one that is read, or another one that is written.

#pragma once

#include "cli/plan.h"

/// Refuses that before anything is opened: of outputs, log, dep-file, reports and Ninja file against inputs,
/// configuration, costs and response files, and against each other. Other files that an import reads are not
/// known yet.
/// @return bv_ok; bv_error_argument
bv_status check_places( const settings* s, const plan* p, bvb_error* error );

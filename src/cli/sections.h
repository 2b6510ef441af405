// The option --sections.

#pragma once

#include "cli/build.h"

/// Takes names with commas between: of what is to be added, of what is to be left out with a '-' before, or none to begin
/// from nothing.
bv_status set_sections( void* context, const char* value, bvb_error* error );

// The option --sections.

#pragma once

#include "cli/settings.h"

/// Takes names with commas between: of what is to be added, of what is to be left out with a '-' before, or
/// none to begin from nothing.
bv_status set_sections( void* context, const char* value, bvb_error* error );

/// Adds the sections that --decompose and --simplify ask for. Before settle_sections.
/// @return bv_ok, or bv_error_argument for options that would change nothing, or exclude one another
bv_status add_sections( settings* s, bvb_error* error );

/// @return bv_ok, or bv_error_argument where a section that was asked for by name would not come about, or
///         needs another one
bv_status settle_sections( const settings* s, bvb_error* error );

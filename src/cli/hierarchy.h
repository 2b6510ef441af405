// The options of bvbuild that say how the hierarchy is built.

#pragma once

#include "cli/settings.h"

/// What is special about some of them; see asset/option_rows.h.
bv_status set_volume( void* context, const char* value, bvb_error* error );
bv_status set_improvement( void* context, const char* value, bvb_error* error );
bv_status set_cost_matrix( void* context, const char* value, bvb_error* error );
bv_status check_collapse( void* context, const char* value, bvb_error* error );

/// Lets what was asked for explicitly win over what a preset says.
/// @return bv_ok, or bv_error_argument for options that exclude one another
bv_status settle_hierarchy( settings* s, bvb_error* error );

/// Types of volumes, for the help text.
/// @param summary  what the type is; may be null
/// @return the name; null past the last
const char* volume_name( uint32_t index, const char** summary );

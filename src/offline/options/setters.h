// What rows of options call: checks and effects beyond storing a value of a common type. `context` is a
// bvb_build_options. See rows.c.

#pragma once

#include "bvbuild/options.h"

bv_status bvopt_add_object( void* context, const char* value, bvb_error* error );
bv_status bvopt_add_gate( void* context, const char* value, bvb_error* error );
bv_status bvopt_set_preset( void* context, const char* value, bvb_error* error );
bv_status bvopt_set_floor( void* context, const char* value, bvb_error* error );
bv_status bvopt_set_decompose( void* context, const char* value, bvb_error* error );
bv_status bvopt_set_volume( void* context, const char* value, bvb_error* error );
bv_status bvopt_set_improvement( void* context, const char* value, bvb_error* error );
bv_status bvopt_set_cost_matrix( void* context, const char* value, bvb_error* error );
bv_status bvopt_check_clip( void* context, const char* value, bvb_error* error );
bv_status bvopt_check_collapse( void* context, const char* value, bvb_error* error );

/// Takes names with commas between: NAME adds a section, -NAME removes it, none removes all.
bv_status bvopt_set_sections( void* context, const char* value, bvb_error* error );

/// Returns the types of volumes, and "mixed".
/// @param summary  receives what the type is; may be null
/// @return the name; null past the last
const char* bvopt_volume_name( uint32_t index, const char** summary );

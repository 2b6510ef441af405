// The options of bvbuild that say how convex parts are made.

#pragma once

#include "cli/settings.h"

/// What each of them does; see the table in bvbuild.c.
bv_status set_decompose( void* context, const char* value, bvb_error* error );
bv_status set_decomposer( void* context, const char* value, bvb_error* error );
bv_status set_decompose_mode( void* context, const char* value, bvb_error* error );
bv_status set_max_parts( void* context, const char* value, bvb_error* error );
bv_status set_max_part_vertices( void* context, const char* value, bvb_error* error );
bv_status set_min_thickness( void* context, const char* value, bvb_error* error );
bv_status set_probe_radius( void* context, const char* value, bvb_error* error );
bv_status set_decompose_effort( void* context, const char* value, bvb_error* error );
bv_status set_time_budget( void* context, const char* value, bvb_error* error );

/// Adds the section of parts if they are asked for. Before the sections are settled.
/// @return bv_ok, or bv_error_argument for options that would change nothing, or exclude one another
bv_status settle_decompose( settings* s, bvb_error* error );

// The options of bvbuild that say how the hierarchy is built.

#pragma once

#include "cli/settings.h"

/// What each of them does; see the table in bvbuild.c.
bv_status set_builder( void* context, const char* value, bvb_error* error );
bv_status set_splitter( void* context, const char* value, bvb_error* error );
bv_status set_volume( void* context, const char* value, bvb_error* error );
bv_status set_node_box( void* context, const char* value, bvb_error* error );
bv_status set_refit( void* context, const char* value, bvb_error* error );
bv_status set_byte_price( void* context, const char* value, bvb_error* error );
bv_status set_hit_tests( void* context, const char* value, bvb_error* error );
bv_status set_degree( void* context, const char* value, bvb_error* error );
bv_status set_improvement( void* context, const char* value, bvb_error* error );
bv_status set_max_degree( void* context, const char* value, bvb_error* error );
bv_status set_min_faces( void* context, const char* value, bvb_error* error );
bv_status set_quality( void* context, const char* value, bvb_error* error );
bv_status set_aggregate( void* context, const char* value, bvb_error* error );
bv_status set_cost_matrix( void* context, const char* value, bvb_error* error );
bv_status set_search_budget( void* context, const char* value, bvb_error* error );
bv_status set_seed( void* context, const char* value, bvb_error* error );
bv_status set_optimize( void* context, const char* value, bvb_error* error );
bv_status set_collapse( void* context, const char* value, bvb_error* error );
bv_status set_leaf_triangles( void* context, const char* value, bvb_error* error );
bv_status set_max_depth( void* context, const char* value, bvb_error* error );

/// Lets what was asked for explicitly win over what a preset says.
/// @return bv_ok, or bv_error_argument for options that exclude one another
bv_status settle_hierarchy( settings* s, bvb_error* error );

/// Types of volumes, for the help text.
/// @param summary  what the type is; may be null
/// @return the name; null past the last
const char* volume_name( uint32_t index, const char** summary );

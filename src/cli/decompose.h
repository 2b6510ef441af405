// The options of bvbuild that say how convex parts are made, and how far that is.

#pragma once

#include "cli/build.h"

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
bv_status set_progress( void* context, const char* value, bvb_error* error );

/// Adds the section of parts if they are asked for. Before the sections are settled.
/// @return bv_ok, or bv_error_argument for options that would change nothing, or exclude one another
bv_status settle_decompose( settings* s, bvb_error* error );

/// Long work that is told of on stderr.
typedef struct progress
{
	const char* tool;  ///< its name
	const char* input; ///< what is worked on
	bool shown;        ///< whether it is to be told of
	bool same_line;    ///< each time in place of the last, as on a terminal
	int percent;       ///< told last; below 0 at first
	double last;       ///< when that was
} progress;

/// @return what tells of the work on an input, or does not, as --progress wants
progress begin_progress( const settings* s, const char* input );

/// A bvb_decompose_progress whose context is a progress.
bool show_progress( void* context, double done );

/// Leaves the line of a terminal as it was before.
void end_progress( progress* p );

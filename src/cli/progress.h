// Long work that is told of on stderr: a line with a bar on a terminal, elsewhere a line for each stage and
// each tenth of it, where that is wanted.

#pragma once

#include "cli/build.h"

/// How the work on several inputs is told of. Starts a thread where it is, which draws and does nothing else.
typedef struct progress progress;

/// Begins to tell, as --progress wants.
/// @param count  of inputs
/// @return null where nothing is to be told, or memory or threads are short: nothing depends on it
progress* begin_progress( const settings* s, int count );

/// Says which input is worked on now. Nothing is shown before that took half a second, unless --progress
/// always is given.
/// @param p      null for none
/// @param input  its path; kept until the next one
/// @param index  counted from 0
void tell_input( progress* p, const char* input, int index );

/// Says how many inputs are done, where several are worked on at a time.
/// @param p  null for none
void tell_count( progress* p, int done, int failed );

/// A bvb_asset_progress whose context is a progress: also of the stages that are not bvb_asset_build's. Null
/// for none.
void tell_stage( void* context, bvb_stage stage, double done );

/// Takes away what is shown, so that a line can be printed.
void hide_progress( progress* p );

/// Ends it, and leaves the terminal as it was. Null is allowed.
void end_progress( progress* p );

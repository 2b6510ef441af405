// Selection of objects by the option --object.

#pragma once

#include "bvbuild/options.h"
#include "bvbuild/scene.h"

/// Selects the items whose name, or the name of an object in them, matches a pattern of the options.
/// @param name    of the source, for messages
/// @param wanted  receives a flag for each item, in the arena; null for all items
/// @return bv_ok; bv_error_input if no object matches a pattern; bv_error_memory
bv_status bvjob_select_objects( const bvb_scene* scene, const bvb_items* items,
                                const bvb_build_options* options, const char* name, bvb_arena* arena,
                                bool** wanted, bvb_error* error );

/// Formats the patterns as files record them: commas between them, and a backslash before each comma of a
/// pattern, which does not change what it matches.
/// @param out  receives the text, in the arena; null without patterns
/// @return bv_ok; bv_error_memory
bv_status bvjob_join_patterns( const bvb_build_options* options, bvb_arena* arena, const char** out,
                               bvb_error* error );

// Settings of many assets in one file, by patterns: --config FILE.json.
//
//     { "options": { "positions": "quantized" },
//       "assets": [ { "match": "props/**", "options": { "preset": "fast" } },
//                   { "match": ["hero.fbx", "boss*.glb"], "options": { "decompose": "1%", "gate": ["..."] } } ] }
//
// Of an input count "options", then those of each entry of "assets" that matches it, in their order: a later
// value takes the place of an earlier one, false or null takes it away. What the command line says counts
// after all of them.

#pragma once

#include "cli/options.h"

/// A file that was read. Lives in the arena it was read into.
typedef struct config config;

/// Reads and checks all of it, also what matches nothing.
/// @param line      whose options that are not about the whole run may be set
/// @param defaults  settings that no option has changed
/// @param size      bytes of them
/// @return bv_ok; bv_error_input when it cannot be read or is not JSON; bv_error_argument for what is no
///         option, and for values that the option does not take; bv_error_memory
bv_status read_config( const char* path, const command_line* line, const void* defaults, size_t size,
                       bvb_arena* arena, const config** out, bvb_error* error );

/// @return how many entries "assets" has
int count_rules( const config* c );

/// Finds which entries of "assets" match an input: by its path from the folder that the file is in, or by its
/// name alone.
/// @param matches  receives count_rules() answers
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status match_rules( const config* c, const char* input, bvb_arena* arena, bool* matches,
                       bvb_error* error );

/// Gathers what the file says of inputs that some entries match, as arguments.
/// @param lists  receives them in the order they count in; with room for one more behind them
/// @return bv_ok; bv_error_memory
bv_status gather_config( const config* c, const bool* matches, bvb_arena* arena, argument_list** lists,
                         int* count, bvb_error* error );

// Settings of many assets in one file, by patterns: --config FILE.json.
//
//     { "options": { "positions": "quantized" },
//       "assets": [ { "match": "props/**", "options": { "preset": "fast" } },
//                   { "match": ["hero.fbx", "boss*.glb"], "options": { "decompose": "1%", "gate": ["..."] } } ] }
//
// Of an input count "options", then those of each entry of "assets" that matches it, in their order: a later
// value takes the place of an earlier one, false or null takes it away. What the command line says counts
// after all of them.
//
// A pattern is compared with the path relative to the folder of the configuration; the working directory and
// --root do not matter. A pattern without a slash is compared with the last part of the path.

#pragma once

#include "cli/options.h"

/// An option with its value.
typedef struct config_setting
{
	const option* what;
	char** arguments;   ///< one per value; without any, the option is unset
	int count;          ///< length of arguments
	const char* origin; ///< as in "assets.json:4: assets[0]"
} config_setting;

/// Settings of the inputs that match one of the patterns.
typedef struct config_entry
{
	const char* name;      ///< as in "assets[0]"; empty for the general options
	int line;              ///< where it begins in the file
	const char** patterns; ///< none for the general options, which all inputs have
	bool* used;            ///< of each pattern: it matched an input that match_entries was called with
	int pattern_count;     ///< length of patterns, used
	config_setting* settings;
	int setting_count; ///< length of settings
	bool may_be_idle;  ///< "allow-unmatched": its patterns need not match anything
} config_entry;

/// A file that was read. Lives in the arena it was read into.
typedef struct config
{
	const char* path;
	const char* folder;  ///< that it is in: absolute, with links followed
	const char* written; ///< the same as `path` has it, with links as they are
	const command_line* line;
	config_entry general;
	config_entry* entries; ///< of "assets"
	int entry_count;       ///< length of entries
} config;

/// Reads and checks all of it, also what matches nothing.
/// @param line      whose options that are not about the whole run may be set
/// @param defaults  settings that no option has changed
/// @param size      bytes of them
/// @return bv_ok; bv_error_input when it cannot be read or is not JSON; bv_error_argument for what is no
///         option, and for values that the option does not take; bv_error_memory
bv_status read_config( const char* path, const command_line* line, const void* defaults, size_t size,
                       bvb_arena* arena, config** out, bvb_error* error );

/// An input's path from the folder of a configuration.
typedef struct config_path
{
	const char* real;    ///< with links followed
	const char* written; ///< as the input is written; null if that is the same, or another file
} config_path;

/// @return bv_ok; bv_error_input; bv_error_memory
bv_status find_config_path( const config* c, const char* input, bvb_arena* arena, config_path* out,
                            bvb_error* error );

/// @return whether a pattern matches an input
bool config_path_matches( const char* pattern, const config_path* path );

/// Finds which entries match an input, and notes which patterns do.
/// @param matches  receives `entry_count` answers
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status match_entries( config* c, const char* input, bvb_arena* arena, bool* matches, bvb_error* error );

/// Gathers what the file says of inputs that some entries match, as arguments.
/// @param lists  receives them in the order they count in; with room for one more behind them
/// @return bv_ok; bv_error_memory
bv_status gather_config( const config* c, const bool* matches, bvb_arena* arena, argument_list** lists,
                         int* count, bvb_error* error );

/// @param entry  index of an entry; -1 for the general options
/// @return whether a later entry says something else of an option
bool is_setting_replaced( const config* c, const bool* matches, int entry, const option* what );

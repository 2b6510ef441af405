// Dep-files: what outputs were made from, as rules for Make and Ninja.
//
// Both read the same text, each in its own way. Written is what GNU Make 4.3 and Ninja 1.11 read as the same
// names; see depfile.c for the few that there is no such text for.

#pragma once

#include "cli/plan.h"

/// An output and what it depends on.
typedef struct depfile_rule
{
	const char* output;
	const char** dependencies; ///< paths, each once; the input comes first
	uint32_t count;            ///< length of dependencies
} depfile_rule;

/// A list that grows.
typedef struct depfile_rules
{
	depfile_rule* rules; ///< lives in the arena of those who add
	uint32_t count;      ///< length of rules
	uint32_t room;       ///< for so many
} depfile_rules;

/// Adds a rule. Strings are not copied.
/// @return bv_ok; bv_error_memory
bv_status add_depfile_rule( depfile_rules* rules, const depfile_rule* rule, bvb_arena* arena,
                            bvb_error* error );

/// Refuses what is known to fail before anything is built: names that cannot be written.
/// @param arena  for what is needed meanwhile
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status check_depfile_rule( const char* path, const planned* asset, bvb_arena* arena, bvb_error* error );

/// Writes what outputs say that they depend on, and the files that their settings come from.
/// @param made  whether the output of each of the plan's assets is there; one that is not has no rule
/// @return as write_depfile
bv_status write_depfile_of( const char* path, const plan* p, const bool* made, bvb_arena* arena,
                            bvb_error* error );

/// @return whether a dependency can be written
bool is_depfile_name( const char* path );

/// Writes a rule for each output and an empty one for each dependency but the first, so that a file that is
/// gone is a reason to build and not an error.
/// @param path   of the dep-file
/// @param arena  for what is needed meanwhile
/// @return bv_ok; bv_error_argument for a name that Make and Ninja cannot both read; bv_error_output;
///         bv_error_memory
bv_status write_depfile( const char* path, const depfile_rules* rules, bvb_arena* arena, bvb_error* error );

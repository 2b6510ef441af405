// The steps of a build of one input. bvb_build takes all of them; bvbuild puts its own between them: names of
// outputs, the cache, progress and messages.

#pragma once

#include "bvbuild/build.h"
#include "offline/job/lost.h"

/// A source that has been read. Lives in an arena.
typedef struct bvjob_source
{
	const char* name;  ///< as given, for messages
	bvb_import import; ///< with the scene
	bool owns_scene;   ///< the scene lives in the arena, so that its arrays can be released
	bvb_items items;   ///< of the scene
	bool* wanted;      ///< whether each item is selected; null for all
} bvjob_source;

/// A file that has been built. Lives in an arena.
typedef struct bvjob_made
{
	bvb_asset asset;         ///< the result of all stages
	bvb_bytes bytes;         ///< the encoded file
	const bv_file* file;     ///< the same, open
	bvjob_lost_objects lost; ///< objects of which nothing is left
	double encoding_began;   ///< by bvbase_clock
} bvjob_made;

/// Reads a source, with the clip that the options of its stages name.
/// @return as bvb_import_file; bv_error_input if a vertex of a triangle is out of range; bv_error_argument if a
/// scene in memory lacks the clip
bv_status bvjob_read( const bvb_build_input* input, const bvb_build_options* options, bvb_arena* arena,
                      bvjob_source* out, bvb_error* error );

/// Finds and selects the items of a source.
/// @return bv_ok; bv_error_input if no object matches a pattern; bv_error_memory
bv_status bvjob_sort_out( bvjob_source* source, const bvb_build_options* options, bvb_arena* arena,
                          bvb_error* error );

/// Builds a file from items of a source and opens it.
/// @param asset    options of the stages; `objects` is what the file records
/// @param item     name of the only item, for messages; null for several
/// @param wanted   whether each item is used; null for all
/// @param arena    the result lives here
/// @return bv_ok; as bvb_scene_collect and bvb_asset_build, with a message that names the source
bv_status bvjob_make( const bvjob_source* source, const bvb_asset_options* asset, const char* item,
                      const bool* wanted, bvb_arena* arena, bvjob_made* out, bvb_error* error );

/// Copies the times of the stages of bvjob_make.
void bvjob_take_stages( const bvjob_made* made, bvb_report_build* build );

/// Copies a text as one line: control characters, which names of a source may have, become question marks.
/// @return the line, in the arena; null if out of memory
const char* bvjob_copy_line( const char* text, bvb_arena* arena );

/// A condition that does not hold, or that cannot be evaluated.
typedef struct bvjob_gate_failure
{
	bv_status status;   ///< bv_ok if the condition does not hold; otherwise why it cannot be evaluated
	const char* reason; ///< one line; lives in the arena
} bvjob_gate_failure;

/// Checks conditions on a report.
/// @param json      the report
/// @param arena     the result lives here
/// @param failures  receives `count` failures, in the order of the conditions
/// @return bv_ok; bv_error_input if the report cannot be read; bv_error_memory
bv_status bvjob_check_gates( const bvb_gates* gates, const char* json, bvb_arena* arena,
                             const bvjob_gate_failure** failures, uint32_t* count, bvb_error* error );

/// Formats what is said of an object of which nothing is left.
/// @return the text, in the arena; null if out of memory
const char* bvjob_lost_text( const bvjob_lost_object* lost, bvb_arena* arena );

// A whole build in one call: from a mesh file, its bytes, or triangles in memory to a .bvh file in memory, with
// what is to be said about it. This is what bvbuild does for one input and one output.
//
//     #include <bvbuild/build.h>
//     #include <stdio.h>
//
//     // Builds mesh.bvh from mesh.obj, with convex parts, and prints what should be fixed.
//     bv_status build( bvb_arena* arena, bvb_error* error )
//     {
//         const bvb_named_option named[] = { { "decompose", "1%" } };
//         const bvb_build_input input = { .name = "mesh.obj" };
//         bvb_build_options options;
//         bvb_build_result built;
//         bv_status status = bvb_build_options_read( named, 1, &options, error );
//         if ( status == bv_ok ) status = bvb_build( &input, &options, arena, &built, error );
//         if ( status != bv_ok ) return status;
//         for ( uint32_t i = 0; i < built.message_count; ++i )
//             printf( "%s\n", built.messages[i].text );
//         return bvb_write_file( "mesh.bvh", built.bytes.data, built.bytes.size, error );
//     }

#pragma once

#include "bvbuild/asset.h"
#include "bvbuild/options.h"
#include "bvbuild/report.h"
#include "bvbuild/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A source of triangles: a file, the bytes of a file, or a scene.
typedef struct bvb_build_input
{
	/// Path of a mesh file. With `data` or `scene`: what messages and the result call it; side files are looked
	/// for in the folder of this path.
	const char* name;

	const void* data;   ///< bytes of a mesh file; null to read the file `name`
	size_t size;        ///< bytes of data
	const char* format; ///< of data, as bvb_import_bytes takes it

	/// Triangles in memory, instead of a mesh file: only the mesh is required, see bvb_asset_build. Vertices of
	/// triangles must be in range. Null otherwise. Not changed and not kept.
	const bvb_scene* scene;
} bvb_build_input;

/// What a message is about.
typedef enum bvb_message_kind
{
	bvb_message_skipped = 0, ///< geometry that the import skipped
	bvb_message_gate,        ///< a condition of the options that does not hold
	bvb_message_problem,     ///< a finding of severity "bad", see bvb_find_problems
	bvb_message_lost_object, ///< an object of which nothing is left
} bvb_message_kind;

/// @return "skipped", "gate", "problem" or "lost object"
const char* bvb_message_kind_name( bvb_message_kind kind );

/// Something that the caller of a build should know. Strings are zero-terminated and have one line.
typedef struct bvb_message
{
	bvb_message_kind kind; ///< what it is about
	const char* text;      ///< a sentence
	const char* advice;    ///< what to do about it; null for none
} bvb_message;

/// A finished build. Everything lives in the arena.
typedef struct bvb_build_result
{
	bvb_bytes bytes;             ///< the .bvh file
	const bv_file* file;         ///< the same, open
	bvb_report_build build;      ///< times and memory of the stages, for bvb_report_json and bvb_report_html
	const bvb_message* messages; ///< what should be fixed: gates, problems and lost objects
	uint32_t message_count;      ///< length of messages

	/// All conditions hold. If options.strict is set: and there are no messages. If this is false, bvbuild
	/// writes no file and exits with code 6.
	bool passes;
} bvb_build_result;

/// Builds one file.
/// @param options  null for the defaults. `asset.objects` and `asset.scene_owner` are ignored: the patterns
///                 of `objects` are recorded
/// @param arena    the result lives here
/// @param out      receives the result; valid on success only
/// @return bv_ok, also if `passes` is false; bv_error_input if the source cannot be read, a vertex of a
/// triangle is out of range, or no object matches a pattern; bv_error_argument if a gate needs a key that
/// reports do not have; otherwise as bvb_import_file, bvb_scene_collect and bvb_asset_build
bv_status bvb_build( const bvb_build_input* input, const bvb_build_options* options, bvb_arena* arena,
                     bvb_build_result* out, bvb_error* error );

#ifdef __cplusplus
}
#endif

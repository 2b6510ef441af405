// Reports on a .bvh file as JSON or HTML, expressions and conditions on reports, and comparison of two files.
//
//     #include <bvbuild/report.h>
//     #include <stdio.h>
//
//     // Prints the report of a file, and returns whether its mesh is closed.
//     bool is_closed( const bv_file* file, bvb_arena* arena, bvb_error* error )
//     {
//         char* text;
//         bvb_report* report = NULL;
//         bool holds = false;
//         if ( bvb_report_json( file, NULL, arena, &text, error ) == bv_ok && fputs( text, stdout ) >= 0 &&
//              bvb_report_read( text, &report, error ) == bv_ok )
//             bvb_report_gate( report, "mesh.closed", arena, &holds, error );
//         bvb_report_free( report );
//         return holds;
//     }
//
// The keys of the JSON report and the language of expressions are specified in formats/report/README.md. All
// keys are always present. Their values are null if they are not available. New versions only add keys.

#pragma once

#include "bv/file.h"
#include "bvbuild/asset.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Properties of a build that are not stored in the file.
typedef struct bvb_report_build
{
	bvb_stage_use stages[bvb_stages]; ///< time and memory of each stage
	double total_seconds;             ///< wall-clock time of the build
	uint64_t peak_memory;             ///< maximum resident memory, bytes
} bvb_report_build;

/// Creates the JSON report of a file.
/// @param build  null for an inspection: the keys `time` and `memory` are omitted
/// @param arena  the text lives here
/// @param text   receives the report, zero-terminated, with a newline at the end
/// @return bv_ok; bv_error_memory
bv_status bvb_report_json( const bv_file* file, const bvb_report_build* build, bvb_arena* arena, char** text,
                           bvb_error* error );

/// Creates the JSON report for some expressions: the measures that none of them needs are not made, and their
/// values and findings are missing. So a table of a few columns of many files takes little time.
/// @param build        as bvb_report_json
/// @param expressions  `count` expressions or conditions
/// @param arena        the text lives here
/// @param text         as bvb_report_json
/// @return bv_ok; bv_error_argument for an invalid expression; bv_error_memory
bv_status bvb_report_json_for( const bv_file* file, const bvb_report_build* build,
                               const char* const* expressions, uint32_t count, bvb_arena* arena, char** text,
                               bvb_error* error );

/// Creates the report as a self-contained HTML page with plots, tables, a picture and, if scripts are
/// enabled, a 3D view. Its content is that of the JSON report. Equal files give equal pages, except for the
/// times of a build.
/// @param build  null for an inspection
/// @param arena  the result lives here
/// @param data   receives the page, UTF-8, not zero-terminated
/// @param size   receives its size in bytes
/// @return bv_ok; bv_error_memory
bv_status bvb_report_html( const bv_file* file, const bvb_report_build* build, bvb_arena* arena,
                           const void** data, size_t* size, bvb_error* error );

/// Something that should be fixed, as the report's `findings` have it. Strings are zero-terminated.
typedef struct bvb_problem
{
	const char* key;    ///< such as "mesh.inside_out"
	const char* text;   ///< a sentence
	const char* advice; ///< null for none
} bvb_problem;

/// Finds what is bad about a file, without measuring its hierarchy: the findings of severity "bad" except
/// those about overlap and cost. Takes little time.
/// @param arena     the problems live here
/// @param problems  receives them, `count` in number; may be null if that is 0
/// @return bv_ok; bv_error_memory
bv_status bvb_find_problems( const bv_file* file, bvb_arena* arena, const bvb_problem** problems,
                             uint32_t* count, bvb_error* error );

/// Finds the triangles of a place: what a finding shows, and what `bvinspect --triangles` prints.
/// @param place      as `findings[].show` of the report has it: "node:N", "level:N" or "part:N"; or "edges:KIND" for
///                   the triangles with an edge of the kind convex, concave, flat, boundary, flipped or non_manifold
/// @param arena      the result lives here
/// @param triangles  receives `count` triangles of the file in ascending order
/// @return bv_ok, also for no triangles; bv_error_argument for an unknown place; bv_error_input if the file has no
/// triangles, or no such node, level or part, or does not say which triangles parts cover (the section
/// `part-triangles`); bv_error_memory
bv_status bvb_find_triangles( const bv_file* file, const char* place, bvb_arena* arena,
                              const uint32_t** triangles, uint32_t* count, bvb_error* error );

/// A parsed report.
typedef struct bvb_report bvb_report;

/// Parses a report, or any other JSON object.
/// @param text  zero-terminated; not kept
/// @param out   receives the report, to be freed with bvb_report_free; null on failure
/// @return bv_ok; bv_error_input if the text is not a JSON object; bv_error_memory
bv_status bvb_report_read( const char* text, bvb_report** out, bvb_error* error );

/// Frees a report. Null is allowed.
void bvb_report_free( bvb_report* report );

/// Checks the syntax of an expression, without a report.
/// @param scratch  scratch memory
/// @return bv_ok; bv_error_argument, with the error and its position in the message; bv_error_memory
bv_status bvb_expression_check( const char* expression, bvb_arena* scratch, bvb_error* error );

/// The kinds of values.
typedef enum bvb_value_kind
{
	bvb_value_null = 0, ///< no value
	bvb_value_truth,    ///< true or false
	bvb_value_number,   ///< a number
	bvb_value_string,   ///< a string
} bvb_value_kind;

/// The value of an expression.
typedef struct bvb_value
{
	bvb_value_kind kind; ///< selects the valid member
	double number;       ///< a number; for a truth value 0 or 1
	const char* text;    ///< a string; for null the reason, such as "hull.volume is null"
} bvb_value;

/// Evaluates an expression.
/// @param arena  strings live here, and scratch memory
/// @return bv_ok; bv_error_argument for an invalid expression, for keys that the report does not have, or if
/// the value is a list or an object; bv_error_memory
bv_status bvb_report_evaluate( const bvb_report* report, const char* expression, bvb_arena* arena,
                               bvb_value* out, bvb_error* error );

/// Evaluates a condition.
/// @param scratch  scratch memory
/// @param holds    receives whether the condition is true
/// @param reason   receives the condition and the values that make it false; on failure an error message
/// @return as bvb_report_evaluate; also bv_error_argument if the value is neither true nor false
bv_status bvb_report_gate( const bvb_report* report, const char* condition, bvb_arena* scratch, bool* holds,
                           bvb_error* reason );

/// Options of bvb_report_compare.
typedef struct bvb_compare_options
{
	double relative; ///< measure distances until upper <= lower * (1 + relative); default 0.01
	double floor;    ///< or until upper <= lower + floor * (diagonal of the box of both); default 1e-6

	/// Stop after this many regions in each direction. The interval is then wider. Default 2^22.
	uint64_t max_regions;
} bvb_compare_options;

/// @return the defaults listed in bvb_compare_options
bvb_compare_options bvb_compare_options_default( void );

/// Compares two files: their reports, and the distance of their meshes. The keys are specified in
/// formats/report/README.md.
/// @param options  null for the defaults
/// @param arena    the text lives here
/// @param text     receives a JSON object, zero-terminated, with a newline at the end
/// @return bv_ok; bv_error_argument if a tolerance is negative or NaN; bv_error_memory
bv_status bvb_report_compare( const bv_file* before, const bv_file* after, const bvb_compare_options* options,
                              bvb_arena* arena, char** text, bvb_error* error );

#ifdef __cplusplus
}
#endif

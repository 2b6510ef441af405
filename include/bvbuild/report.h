// The report of a file: as JSON for programs, as one page of HTML for people, and conditions on it. The JSON's keys are listed in
// formats/report/README.md; all are present, null until a version computes them, and keys are only ever added.

#pragma once

#include "bv/file.h"
#include "bvbuild/asset.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What only the build knows.
typedef struct bvb_report_build
{
	bvb_stage_use stages[bvb_stages]; ///< what each stage took
	double total_seconds;             ///< all of it
	uint64_t peak_memory;             ///< bytes resident at the most
} bvb_report_build;

/// Writes the report of `file`.
/// @param build  null for an inspection: the keys `time` and `memory` are left out
/// @param text   receives a terminated string in `arena`, ending in a newline
/// @return bv_ok; bv_error_memory
bv_status bvb_report_json( const bv_file* file, const bvb_report_build* build, bvb_arena* arena, char** text,
                           bvb_error* error );

/// Writes the same report as one page of HTML that needs nothing beside it: plots, tables, a picture, and a 3D view where
/// scripts may run. Its content is that of the JSON report. Equal files give equal pages, except for a build's times.
/// @param build  null for an inspection
/// @param arena  the result lives here
/// @param data   receives the page, UTF-8
/// @param size   receives its bytes
/// @return bv_ok; bv_error_memory
bv_status bvb_report_html( const bv_file* file, const bvb_report_build* build, bvb_arena* arena,
                           const void** data, size_t* size, bvb_error* error );

/// A report that was read back, to ask for values in it.
typedef struct bvb_report bvb_report;

/// Reads a report, or any other JSON object.
/// @param text  terminated; not kept
/// @param out   to be freed with bvb_report_free; null on failure
/// @return bv_ok; bv_error_input when it is not a JSON object; bv_error_memory
bv_status bvb_report_read( const char* text, bvb_report** out, bvb_error* error );

/// Frees a report. Null is allowed.
void bvb_report_free( bvb_report* report );

/// Checks what can be checked of an expression without a report: its syntax. The language is specified in
/// formats/report/README.md.
/// @param scratch  memory for it
/// @return bv_ok; bv_error_argument with what is wrong and where; bv_error_memory
bv_status bvb_expression_check( const char* expression, bvb_arena* scratch, bvb_error* error );

/// Kinds of values.
typedef enum bvb_value_kind
{
	bvb_value_null = 0, ///< no value
	bvb_value_truth,    ///< true or false
	bvb_value_number,   ///< a number
	bvb_value_string,   ///< a string
} bvb_value_kind;

/// What an expression comes to.
typedef struct bvb_value
{
	bvb_value_kind kind; ///< which of the fields below counts
	double number;       ///< of a number; of a truth 0 or 1
	const char* text;    ///< of a string; of a null why it is one, as in "hull.volume is null"
} bvb_value;

/// Finds the value of an expression.
/// @param arena  texts live here, and scratch memory
/// @return bv_ok; bv_error_argument for what is no expression, for keys that the report does not have, and for lists and objects;
///         bv_error_memory
bv_status bvb_report_evaluate( const bvb_report* report, const char* expression, bvb_arena* arena,
                               bvb_value* out, bvb_error* error );

/// Finds whether a condition holds.
/// @param scratch  memory for it
/// @param holds    receives that
/// @param reason   receives the condition and the values that are at fault, where it does not hold; what is wrong with it on an
///                 error
/// @return bv_ok; as bvb_report_evaluate; bv_error_argument also for what is neither true nor false
bv_status bvb_report_gate( const bvb_report* report, const char* condition, bvb_arena* scratch, bool* holds,
                           bvb_error* reason );

/// How much work a comparison may take.
typedef struct bvb_compare_options
{
	double
		relative; ///< distances between the meshes are measured until upper <= lower * (1 + relative); default 0.01
	double floor;         ///< or until upper <= lower + floor * the diagonal of their box; default 1e-6
	uint64_t max_regions; ///< or after so many regions each way, whatever the interval is then; default 2^22
} bvb_compare_options;

/// @return the defaults above
bvb_compare_options bvb_compare_options_default( void );

/// Compares two files: what their reports say, and how far their meshes are from each other. The keys are listed in
/// formats/report/README.md.
/// @param options  null for the defaults
/// @param text     receives a JSON object, a terminated string in `arena`, ending in a newline
/// @return bv_ok; bv_error_argument if a tolerance is negative or NaN; bv_error_memory
bv_status bvb_report_compare( const bv_file* before, const bv_file* after, const bvb_compare_options* options,
                              bvb_arena* arena, char** text, bvb_error* error );

#ifdef __cplusplus
}
#endif

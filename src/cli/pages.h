// Pages of several files, and an index of them.

#pragma once

#include "bvbuild/bvbuild.h"
#include "cli/options.h"

/// A row of the index.
typedef struct pages_row
{
	const char* input;           ///< its path
	char* page;                  ///< path of its page
	const char* failure;         ///< why there is no page; null if there is one
	const bvb_value* values;     ///< of the index's columns; null without a page
	const bvb_problem* problems; ///< what is bad about it
	uint32_t problem_count;      ///< length of problems
} pages_row;

/// Pages to write.
typedef struct pages_plan
{
	const char* index; ///< path of the index; null: there is one page only
	pages_row* rows;   ///< of each input
	int count;         ///< length of rows
} pages_plan;

/// Names a page for each input, and the index, and makes their folders. If `out` is a folder or ends in a slash these are
/// out/index.html and out/NAME.html. Several inputs and OUT.html give OUT.html and OUT_pages/NAME.html. Equal
/// names become NAME.2 and so on.
/// @param arena  the plan lives here
/// @return bv_ok; bv_error_argument if the index would replace something else than a page, or an input;
/// bv_error_output; bv_error_memory
bv_status plan_pages( const char* out, const name_list* inputs, bool forced, bvb_arena* arena,
                      pages_plan* plan, bvb_error* error );

/// Writes the page of an input.
/// @param arena  scratch memory
/// @return bv_ok; bv_error_argument if that would replace something else than a page; bv_error_output;
/// bv_error_memory
bv_status write_page( const pages_plan* plan, const pages_row* row, bool forced, const bv_file* file,
                      bvb_arena* arena, bvb_error* error );

/// Records the row of an input for the index.
/// @param arena  it lives here
/// @return bv_ok; bv_error_memory
bv_status describe_page( pages_row* row, const bv_file* file, bvb_arena* arena, bvb_error* error );

/// Records that an input has no page, and why.
/// @param arena  the message lives here
void fail_page( pages_row* row, const char* message, bvb_arena* arena );

/// Writes the index.
/// @return bv_ok; bv_error_output; bv_error_memory
bv_status write_index( const pages_plan* plan, bvb_arena* arena, bvb_error* error );

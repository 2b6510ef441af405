// Several files side by side: a table for people, CSV and JSON lines for programs.

#pragma once

#include "bvbuild/bvbuild.h"
#include "cli/options.h"

enum
{
	max_columns = 32,
};

/// How files are listed.
typedef enum listing_form
{
	listing_table = 0, ///< aligned, for people
	listing_csv,       ///< RFC 4180
	listing_jsonl,     ///< one JSON object a line
} listing_form;

/// What is listed of each file.
typedef struct listing_settings
{
	listing_form form;                ///< how
	const char* columns[max_columns]; ///< expressions over the report; none for the default
	int column_count;                 ///< length of columns
	char* text;                       ///< holds them; to be freed
} listing_settings;

/// Takes expressions with commas between, whose syntax is checked.
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status set_columns( listing_settings* s, const char* value, bvb_error* error );

/// @return whether two columns are the same expression
bool has_equal_columns( const listing_settings* s );

/// Collects the expressions of all columns.
/// @param out  room for max_columns
/// @return how many they are; -1 if whole reports are wanted
int get_columns( const listing_settings* s, const char** out );

/// A row of a table that is being made.
typedef struct listing_row
{
	const char* path;        ///< of the file
	const char* name;        ///< the same in a table: what is no UTF-8 are question marks; else null
	const bvb_value* values; ///< of each column; null where whole reports are wanted
	const char* json;        ///< the report; null where that is not wanted
} listing_row;

/// Evaluates the columns of one file.
/// @param json   its report; kept
/// @param arena  the row lives here
/// @return bv_ok; bv_error_argument for a column that reports do not have; bv_error_memory
bv_status make_row( const listing_settings* s, const char* path, const char* json, bvb_arena* arena,
                    listing_row* out, bvb_error* error );

/// Prints what stands above the first row, in CSV.
void print_head( const listing_settings* s );

/// Prints a row as CSV or a JSON line.
/// @param arena  scratch memory
/// @return bv_ok; bv_error_memory
bv_status print_row( const listing_settings* s, const listing_row* row, bvb_arena* arena, bvb_error* error );

/// Prints all rows as a table.
void print_rows( const listing_settings* s, const listing_row* rows, int count );

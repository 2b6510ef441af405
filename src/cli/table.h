// Tables of numbers: CSV, or values between semicolons, tabs or blanks. A header names the columns, in any order;
// without one the number of values in a row says what they are. docs/cli.md has the rules for users.

#pragma once

#include "bvbuild/base.h"

enum
{
	most_table_columns = 80, ///< in a table_form, of all groups
	most_table_fields = 256, ///< values in a row
};

/// The order of the values in rows without a header.
typedef struct table_order
{
	int fields;     ///< values in a row, at most 16
	int column[16]; ///< which column each value is; -1: none, any text
} table_order;

/// What to read from a table.
typedef struct table_form
{
	/// Each column's name in lower case, and others for it behind '|'. One with a point also stands for all
	/// names that end in a point and it.
	const char* const* columns;
	int count;                 ///< of columns
	const table_order* orders; ///< of rows without a header, with different numbers of values
	int order_count;           ///< of orders; 0 if tables need a header
	const char* labels;        ///< names of columns to ignore without a message, as in columns; null for all
	const char* what;          ///< what a row is, in the plural, for messages

	/// Null, or prefixes of names, each of which stands for one more group of all columns: column i of group g is
	/// g * count + i. They are in lower case. A point is accepted for an underscore.
	const char* const* groups;
	int group_count; ///< of groups; 0 without prefixes
} table_form;

/// Rows of numbers. Lives in the arena it was read into.
typedef struct table
{
	double* values;                ///< row by row, each with all columns; 0 in columns that the file lacks
	uint32_t* lines;               ///< of each row, its line in the file, counted from 1
	uint32_t rows;                 ///< how many there are
	int field[most_table_columns]; ///< of each column, its place in a row, from 0; -1 if the file lacks it
	uint32_t head;                 ///< line of the header; 0 without a header
	int fields;                    ///< values in a row
	const char* unused; ///< name of the first column that is neither wanted nor a label; null if all are
} table;

/// @return bv_ok; bv_error_input if the file is missing, malformed or without rows; bv_error_limit;
/// bv_error_memory
bv_status read_table( const char* path, const table_form* form, bvb_arena* arena, table* out,
                      bvb_error* error );

/// Checks that the file has all columns of a range.
/// @return bv_ok; bv_error_input, naming the first one that is missing
bv_status require_columns( const char* path, const table_form* form, const table* t, int first, int count,
                           bvb_error* error );

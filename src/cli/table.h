// Tables of numbers: CSV with a head line, from which the columns asked for are used, in any order; others
// are passed over.

#pragma once

#include "bvbuild/base.h"

/// Rows of numbers. Lives in the arena it was read into.
typedef struct table
{
	double* values;  ///< row by row, each with the columns in the order asked for, all finite
	uint32_t* lines; ///< of each row, its line in the file, counted from 1
	uint32_t rows;   ///< how many there are
} table;

/// @param names  the columns that must be there
/// @param count  how many, at most 64
/// @param what   what a row is, in the plural, for messages
/// @return bv_ok; bv_error_input when the file is missing, malformed or without rows; bv_error_memory
bv_status read_table( const char* path, const char* const* names, int count, const char* what,
                      bvb_arena* arena, table* out, bvb_error* error );

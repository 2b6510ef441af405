// A file on its way out, in memory that grows. What fails for lack of memory is looked at once, at the end.

#pragma once

#include "bvbuild/base.h"

/// All zero in the beginning.
typedef struct bvexport_output
{
	char* data;    ///< malloc's
	size_t length; ///< bytes that are there
	size_t room;   ///< length of data
	bool failed;   ///< out of memory: nothing is added any more
} bvexport_output;

/// Adds bytes.
void bvexport_output_bytes( bvexport_output* o, const void* bytes, size_t count );

/// Adds a text.
void bvexport_output_text( bvexport_output* o, const char* text );

/// Adds a whole number in decimal digits.
void bvexport_output_count( bvexport_output* o, uint64_t value );

/// Adds a number as bvbase_print_number writes it.
void bvexport_output_number( bvexport_output* o, double value );

/// Adds a number as bvbase_print_float writes it.
void bvexport_output_float( bvexport_output* o, float value );

/// Adds a byte until the length is a multiple of four.
void bvexport_output_pad( bvexport_output* o, char byte );

/// Hands the bytes over to an arena; nothing is left here, whatever becomes of it.
/// @return bv_ok; bv_error_memory
bv_status bvexport_output_finish( bvexport_output* o, bvb_arena* arena, const void** data, size_t* size,
                                  bvb_error* error );

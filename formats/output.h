// A file on its way out, in memory that grows. What fails for lack of memory is looked at once, at the end.

#pragma once

#include "bvbuild/base.h"

/// All zero in the beginning.
typedef struct bvb_output
{
	char* data;    ///< malloc's
	size_t length; ///< bytes that are there
	size_t room;   ///< length of data
	bool failed;   ///< out of memory: nothing is added any more
} bvb_output;

/// Adds bytes.
void bvb_output_bytes( bvb_output* o, const void* bytes, size_t count );

/// Adds a text.
void bvb_output_text( bvb_output* o, const char* text );

/// Adds a whole number in decimal digits.
void bvb_output_count( bvb_output* o, uint64_t value );

/// Adds a number as bvb_print_number writes it.
void bvb_output_number( bvb_output* o, double value );

/// Adds a number as bvb_print_float writes it.
void bvb_output_float( bvb_output* o, float value );

/// Adds a byte until the length is a multiple of four.
void bvb_output_pad( bvb_output* o, char byte );

/// Hands the bytes over to an arena; nothing is left here, whatever becomes of it.
/// @return bv_ok; bv_error_memory
bv_status bvb_output_finish( bvb_output* o, bvb_arena* arena, const void** data, size_t* size,
                             bvb_error* error );

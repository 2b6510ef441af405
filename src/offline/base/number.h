// Parsing and formatting of numbers.

#pragma once

#include <stdint.h>

/// Reads one decimal number as C writes them, without hexadecimal digits: 1, +1, -.5, 5., 1e-3, and in any
/// case inf, infinity, nan, nan(...). Rounded correctly to binary64 (to nearest, ties to even), overflow to
/// infinity, whatever the locale. What follows the number is not looked at.
/// @param s    where the number begins; no blanks are skipped
/// @param end  of the text; nothing beyond is read
/// @return where the number ends, or null when there is none
const char* bvbase_read_number( const char* s, const char* end, double* out );

/// Bytes that any number printed by bvbase_print_number fits into.
#define BVBASE_NUMBER_BYTES 40

/// Writes a finite number as a terminated decimal number of as few of 15 to 17 digits as read back equal,
/// with a point whatever the locale. Zero has no sign.
void bvbase_print_number( char out[BVBASE_NUMBER_BYTES], double value );

/// The same of a binary32 number, with as few of 6 to 9 digits as read back equal as binary32.
void bvbase_print_float( char out[BVBASE_NUMBER_BYTES], float value );

/// @param digits  1 to 15
/// @return the least number of so many decimal digits that is not below `value`: what an upper bound may be
///         shown as
double bvbase_round_up( double value, int digits );

/// @return the greatest that is not above it: the same for a lower bound
double bvbase_round_down( double value, int digits );

/// A number for people, as a value, so that several calls can stand in one printf.
typedef struct bvbase_short_number
{
	char text[BVBASE_NUMBER_BYTES]; ///< terminated
} bvbase_short_number;

/// @return the number with commas between groups of three digits
bvbase_short_number bvbase_group( uint64_t value );

/// @param digits  1 to 17
/// @return a whole number below 1e15 with commas, or another one of so many digits, with a point whatever the
///         locale
bvbase_short_number bvbase_shorten( double value, int digits );

/// @return "s", or nothing for one
const char* bvbase_plural( uint64_t count );

// Text of any bytes as clean UTF-8.

#pragma once

#include <stddef.h>

/// Copies a text. What is not well-formed UTF-8, and each control character, becomes U+FFFD.
/// @param out  room for three bytes per byte of the source; not terminated
/// @return the length of the copy
size_t bvbase_clean_text( const char* source, char* out );

// Patterns of shells.

#pragma once

#include <stdbool.h>

/// Matches a whole name: * any characters, ? one, [a-z] or [!a-z] one of a set; a backslash takes what they
/// mean from them. As fnmatch of POSIX in the locale "C", byte by byte.
/// @param hidden  whether a dot at the beginning needs one in the pattern
bool bvbase_match( const char* pattern, const char* name, bool hidden );

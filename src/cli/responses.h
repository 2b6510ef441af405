// Response files: @FILE among the arguments stands for the arguments in that file.

#pragma once

#include "cli/options.h"

/// Makes `call->all` of `call->given`, with the arguments of response files in their place, and lists these
/// files. Their arguments are separated by blanks and line ends; '...' and "..." keep blanks, and a backslash
/// keeps the character behind it, except within '...'. GCC, Ninja and CMake write and read the same. A response
/// file may name others, not itself. Behind -- an @ is a part of a name, and so it is in ./@FILE.
/// @param arena  the texts live here; those that were given are kept as they are
/// @return bv_ok; bv_error_input when a file cannot be read; bv_error_argument for quotes without an end, and
///         for files that name each other more than 16 deep; bv_error_limit for one above 256 MiB;
///         bv_error_memory
bv_status expand_responses( invocation* call, bvb_arena* arena, bvb_error* error );

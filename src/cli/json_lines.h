// Where the values of a JSON text are, which cJSON does not keep.

#pragma once

#include "bvbuild/base.h"

#include <cjson/cJSON.h>

/// Parses a whole text. `valueint` of each item becomes the line that it begins in, counted from 1.
/// @param path  of the file, for messages
/// @param out   receives the document, to be freed by cJSON_Delete; null on failure
/// @return bv_ok; bv_error_input with line, column and what is wrong there
bv_status parse_json( const char* path, const char* text, cJSON** out, bvb_error* error );

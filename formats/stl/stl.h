// STL: a strict reader of both its kinds, ASCII and binary.

#pragma once

#include "bvbuild/import.h"

/// Reads triangles, with three vertices of its own for each. The winding counts; normals, attributes, and the
/// colors that some programs put into attributes or into the header of a binary file are skipped.
///
/// A binary file is known by its size, which its number of triangles fixes: headers may begin with `solid` as
/// well. Zeros may follow its triangles as long as all attributes are zero too. Its object has the name "".
/// In a text each `solid` begins the object that it names. Coordinates are rounded correctly to binary64.
/// Coordinates that are nan or inf are passed on.
/// @param name   the file's name, for messages
/// @param data   `size` bytes; nothing beyond is read
/// @param arena  the mesh lives here
/// @param out    receives the scene; the other fields are left alone
/// @return bv_ok; bv_error_input when the file is malformed, with the line of a text or the size that a
///         binary file should have, or has no triangles; bv_error_limit; bv_error_memory
bv_status bvstl_read_stl( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error );

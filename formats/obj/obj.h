// Wavefront OBJ: a strict reader of its polygons.

#pragma once

#include "bvbuild/import.h"

/// Reads vertices and faces; polygons are cut into triangles. Objects are named by `o`, or in a file without
/// any by `g`; groups and materials are kept, and so are the names of material libraries, the first 256 of
/// them, which are not read. Texture coordinates, normals and free-form geometry are skipped. Coordinates are
/// rounded correctly to binary64; `nan`, `inf` and numbers beyond its range are passed on as such. Faces may
/// refer to vertices that are defined later.
/// @param name   the file's name, for messages
/// @param data   `size` bytes; nothing beyond is read
/// @param arena  the mesh lives here
/// @param out    receives scene, points, lines and side files; the other fields are left alone
/// @return bv_ok; bv_error_input, with the line, when the text is malformed or has no face;
///         bv_error_unsupported when it includes another file; bv_error_limit; bv_error_memory
bv_status bvobj_read_obj( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error );

/// The same by so many threads, with the same result.
/// @param threads  0 for as many as there are processors, where the text is long
bv_status bvobj_read_obj_by( const char* name, const char* data, size_t size, uint32_t threads,
                             bvb_arena* arena, bvb_import* out, bvb_error* error );

// PLY: a strict reader of its polygons and triangle strips.

#pragma once

#include "bvbuild/import.h"

/// Reads text and both binary encodings. Of the elements, `vertex`, `face` and `tristrips` are used and
/// `edge` is counted; any others, and all properties but x, y, z, vertex_indices and vertex_index, are
/// skipped: materials and colors of faces too. All belongs to one object without a name. Vertices and faces
/// are counted from 0, as the format does.
///
/// Polygons are cut into triangles; faces of 1 or 2 corners count as points and lines, and so do strips of 1
/// or 2. A strip ends at -1 or with its list; each of its triangles is a face, every other one turned around.
/// Coordinates in text are rounded correctly to binary64 also where the header declares less; `nan`, `inf`
/// and numbers beyond the range are passed on as such. Text may break its lines anywhere.
///
/// What follows the last element may be white space, in binary files also zero bytes.
/// @param name   the file's name, for messages
/// @param data   `size` bytes; nothing beyond is read
/// @param arena  the mesh lives here
/// @param out    receives scene, points and lines; the other fields are left alone
/// @return bv_ok; bv_error_input, with line or byte, when the file is malformed, cut off or has no face;
///         bv_error_unsupported when it is of another version; bv_error_limit; bv_error_memory
bv_status bvply_read_ply( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error );

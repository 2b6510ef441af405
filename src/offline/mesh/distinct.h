// The mesh of record of a source with distinct vertices, as most indexed files have.

#pragma once

#include "bvbuild/mesh.h"

/// Makes what bvb_mesh_record makes, but leaves alone what it is not for: vertices that share a position as
/// it is stored, positions out of range, welding, normalizing, other forms than floats, and whatever is an
/// error.
/// @param out   receives all but the form
/// @param done  receives whether it was for this; otherwise `out` is to be made anew
/// @return bv_ok; bv_error_memory
bv_status bvmesh_record_distinct( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                                  bvb_record* out, bool* done, bvb_error* error );

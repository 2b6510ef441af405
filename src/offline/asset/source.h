// Where the triangles of record come from.

#pragma once

#include "bvbuild/asset.h"

/// Finds the source face and the names of each triangle of record.
/// @param scene  what the record was made from
/// @param mesh   of record, with its origin
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvasset_map_source( const bvb_scene* scene, const bvb_mesh* mesh, bvb_arena* arena,
                              bvb_source_map* out, bvb_error* error );

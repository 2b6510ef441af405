// Properties of a mesh that do not depend on its hierarchy: topology, hull, mass, bounding volumes of the
// whole mesh.

#pragma once

#include "bvbuild/asset.h"

/// Runs these stages on the mesh of record, beside each other where there are threads for that, with the same
/// result for any number of them.
/// @param arena  what is found lives here
/// @param out    has options, record, and the tree if one is wanted; receives what the sections that are
///               wanted need, and what each stage took: shares of the time that all took together
/// @return bv_ok; bv_error_argument for an unknown method of fitting; bv_error_limit; bv_error_memory
bv_status bvasset_describe( bvb_arena* arena, bvb_asset* out, bvb_error* error );

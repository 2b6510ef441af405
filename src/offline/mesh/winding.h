// Winding numbers with a count of the work, for tests of the hierarchy.

#pragma once

#include "bvbuild/mesh.h"

/// bvb_winding_number.
/// @param evaluated  grows by the number of triangles whose solid angle was computed
double bvmesh_winding_number_counted( const bvb_winding* winding, bv_vec3 point, uint64_t* evaluated );

/// @return the number of triangles in all closings
uint32_t bvmesh_winding_closing_triangles( const bvb_winding* winding );

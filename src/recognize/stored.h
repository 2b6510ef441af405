// Primitives in mesh units, as a file stores them: binary32 numbers, frames of boxes as quaternions.

#pragma once

#include "recognize/cloud.h"
#include "recognize/shape.h"

/// The nearest primitive that can be stored. What rounding moves is made up for where the cloud shows how.
bv_primitive bvb_shape_store( const bvb_cloud* cloud, const bvb_shape* shape );

/// The shape that a stored primitive is.
bvb_shape bvb_shape_stored( const bvb_place* place, const bv_primitive* primitive );

// Primitives in mesh units, as a file stores them: binary32 numbers, frames of boxes as quaternions.

#pragma once

#include "offline/recognize/cloud.h"
#include "offline/recognize/shape.h"

/// The nearest primitive that can be stored. What rounding moves is made up for where the cloud shows how.
bv_primitive bvrecog_shape_store( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// The shape that a stored primitive is.
bvrecog_shape bvrecog_shape_stored( const bvrecog_place* place, const bv_primitive* primitive );

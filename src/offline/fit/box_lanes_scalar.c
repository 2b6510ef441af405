// One lane at a time. See box_lanes.h.

#include "runtime/simd/level_scalar.h"

#include "offline/fit/box_lanes_kernels.h"

const bvfit_box_level* bvfit_box_level_scalar( void )
{
	return &box_level;
}

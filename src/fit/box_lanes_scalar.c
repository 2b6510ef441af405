// One lane at a time. See box_lanes.h.

#include "base/core/level_scalar.h"

#include "fit/box_lanes_kernels.h"

const bvb_box_level* bvb_box_level_scalar( void )
{
	return &box_level;
}

// One lane at a time, for machines without a wider level, and what wider levels are compared with. See
// lanes.h.

#include "base/core/lanes.h"

#include "base/core/level_scalar.h"

#include "base/core/lanes_kernels.h"

const bv_lanes* bv_lanes_scalar( void )
{
	return &lanes_table;
}

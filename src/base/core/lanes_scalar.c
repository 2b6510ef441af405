// One lane at a time, for machines without a wider level. Tests compare the wider levels with it. See
// lanes.h.

#include "base/core/lanes.h"

#include "base/core/level_scalar.h"

#include "base/core/lanes_kernels.h"

const bv_lanes* bv_lanes_scalar( void )
{
	return &lanes_table;
}

// One lane at a time, for machines without a wider level. Tests compare the wider levels with it. See
// lanes.h.

#include "runtime/tree/lanes.h"

#include "runtime/simd/level_scalar.h"

#include "runtime/tree/lanes_kernels.h"

const bvtree_lanes* bvtree_lanes_scalar( void )
{
	return &lanes_table;
}

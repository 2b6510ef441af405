// One lane at a time, for every machine. See lanes.h.

#include "runtime/simd/bits.h"
#include "world/particles/lanes.h"

#include "runtime/simd/level_scalar.h"

#include "world/particles/lanes_kernels.h"

const bvwnear_lanes* bvwnear_lanes_scalar( void )
{
	return &lanes_table;
}

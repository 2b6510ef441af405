// The fifteen axes of sat.h for one pair of boxes in binary64.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LANES_INLINE static inline

typedef double lanes;
typedef double lanes_number; // of a number that is the same in all lanes

LANES_INLINE lanes lanes_all( double x )
{
	return x;
}

LANES_INLINE lanes lanes_abs( lanes a )
{
	return fabs( a );
}

LANES_INLINE uint32_t lanes_above( lanes a, lanes b )
{
	return a > b;
}

#include "runtime/volume/sat.h"

// Sets those of the first frame's axis i.
static inline void bvvol_set_cosines( bvvol_cosines* cosines, int i, bv_vec3 axis, const bv_vec3 second[3] )
{
	for ( int j = 0; j < 3; ++j )
	{
		cosines->of[i][j] = bv_dot( axis, second[j] );
		cosines->size[i][j] = fabs( cosines->of[i][j] );
	}
}

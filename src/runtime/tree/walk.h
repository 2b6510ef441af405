// The hierarchy of a file as used by searches.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/descent.h"
#include "runtime/tree/leaf.h"
#include "runtime/tree/spot.h"

#include <math.h>

/// @return whether the file has a hierarchy; `view` is that of the file either way
static inline bool bvtree_walk_begin( const bv_file* file, bvfile_view* view )
{
	*view = bvfile_view_of( file );
	return view->hierarchy;
}

/// @param corner  receives the positions of the triangle's corners
void bvtree_walk_corners( const bvfile_view* view, uint32_t triangle, bv_vec3 corner[3] );

// The hierarchy of a file as used by searches.

#pragma once

#include "base/core/descent.h"
#include "base/core/vec.h"
#include "runtime/leaf.h"
#include "runtime/spot.h"

#include <math.h>

#ifdef __GNUC__
#define WALK_INLINE static inline __attribute__( ( always_inline ) )
#else
#define WALK_INLINE static inline
#endif

/// @return whether the file has a hierarchy; `view` is that of the file either way
static inline bool bv_walk_begin( const bv_file* file, bvh_view* view )
{
	*view = bvh_view_of( file );
	return view->hierarchy;
}

/// @param corner  receives the positions of the triangle's corners
void bv_walk_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] );

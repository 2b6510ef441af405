// Extents of a set along nine directions, which form four frames: the coordinate axes, and each coordinate
// axis with the diagonals of the two others. Extents merge exactly and quickly, and the smallest of the four
// boxes approximates an oriented box better than the axis-aligned box does. Only for estimates: rounding to
// binary32 is not outwards.

#pragma once

#include "offline/fit/surface.h"
#include "runtime/math/vec.h"

#include <stdbool.h>

enum
{
	bvhier_frame_directions = 9, // the axes, then pairs in the planes normal to each
};

/// The intervals of one set.
typedef struct bvhier_framed
{
	float upper[bvhier_frame_directions]; ///< greatest projection, mesh units
	float under[bvhier_frame_directions]; ///< minus the least
} bvhier_framed;

/// @return those of a face
bvhier_framed bvhier_framed_face( const bvfit_face* face );

/// @return those of two sets together
static inline bvhier_framed bvhier_framed_merge( const bvhier_framed* a, const bvhier_framed* b )
{
	bvhier_framed both;
	for ( int i = 0; i < bvhier_frame_directions; ++i )
	{
		both.upper[i] = a->upper[i] > b->upper[i] ? a->upper[i] : b->upper[i];
		both.under[i] = a->under[i] > b->under[i] ? a->under[i] : b->under[i];
	}
	return both;
}

static inline double bvhier_framed_side( const bvhier_framed* f, int direction )
{
	return (double)f->upper[direction] + (double)f->under[direction];
}

/// @return half the area of the box in one of the frames, square mesh units
/// @param frame  0: upright; 1 to 3: turned about the axis before that number
static inline double bvhier_framed_area_in( const bvhier_framed* f, int frame )
{
	double a = bvhier_framed_side( f, frame == 0 ? 0 : frame - 1 );
	double b = bvhier_framed_side( f, frame == 0 ? 1 : 1 + 2 * frame );
	double c = bvhier_framed_side( f, frame == 0 ? 2 : 2 + 2 * frame );
	return a * ( b + c ) + b * c;
}

/// @return half the area of the box, square mesh units: the upright one's, or the least of the four
static inline double bvhier_framed_area( const bvhier_framed* f, bool turned )
{
	double area = bvhier_framed_area_in( f, 0 );
	for ( int i = 1; turned && i < 4; ++i )
	{
		double other = bvhier_framed_area_in( f, i );
		area = other < area ? other : area;
	}
	return area;
}

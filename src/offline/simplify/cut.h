// Where to part a triangle that is near several others, but near none as a whole.

#pragma once

#include "offline/hausdorff/distance.h"

/// A cut from a point on a side to the corner opposite.
typedef struct bvsimplify_cut
{
	bv_vec3 point;  ///< on the side from corner `side` to the next
	int side;       ///< 0, 1 or 2
	double longest; ///< length of the longest side
} bvsimplify_cut;

/// Parts a triangle where it leaves what is above and below another one: parts of a flat surface are then
/// near one of its triangles each, to rounding. Where that would part off less than a sixteenth and the
/// tolerance, its longest side is halved.
bvsimplify_cut bvsimplify_find_cut( const bv_vec3 corner[3], const bvhaus_framed_triangle* triangle,
                                    double tolerance );

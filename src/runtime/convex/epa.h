// How deep two convex shapes overlap: the expanding polytope algorithm.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/pair.h"

/// The depth of two shapes without their radii: the length of the shortest translation that separates them.
/// Negative if they are apart.
typedef struct bvconvex_depth
{
	/// The depth is not below this if it is above 0; otherwise it is not known whether the shapes overlap.
	double lower;

	double upper;     ///< and not above this
	bv_vec3 normal;   ///< unit vector; moving the second by `upper` along it separates the shapes
	bv_vec3 point[2]; ///< of both, next to each other once that is done; in the pair's coordinates

	// For bvconvex_epa itself: the points are not as near to each other as they should be; where they were found, and how
	// far the second shape was moved for it.
	bool is_rough;
	bvconvex_gjk_simplex nearest;
	bv_vec3 moved;
} bvconvex_depth;

/// @param start     vertices of the difference, at least one, solved
/// @param relative  the search ends when the interval is that wide relative to its upper end, or narrower than
///                  rounding
/// @param cache     receives the last polytope; null for none
void bvconvex_epa( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                   bv_convex_cache* cache, bvconvex_depth* out );

/// The same with a polytope of fewer vertices, which takes less stack, and not the scratch memory of the pair. For those that only
/// need a part of the depth.
void bvconvex_epa_roughly( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                           bvconvex_depth* out );

/// Guesses where the boundary of a convex shape is nearest to the origin.
/// @param vertex  three of a face, and the one that is farthest along its normal
/// @param lower, upper  what the distance is known to be between
/// @param along   receives the direction of the guess, of any length
/// @return the guessed distance; 0 for none
typedef double bvconvex_epa_guess( const bv_vec3 vertex[4], double lower, double upper, bv_vec3* along );

/// The same with guesses in each round. The search ends with the first one that is right, to the relative width: the
/// upper bound then is that of the guess, and the lower one is farther from it than without.
void bvconvex_epa_guided( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                          bvconvex_epa_guess* guess, bvconvex_depth* out );

// Pairs of polytopes that are too close to each other for binary64: the same iteration as GJK, in exact
// arithmetic, which therefore ends with the nearest points and a proof that they are.

#pragma once

#include "runtime/convex/pair.h"

/// The distance of two polytopes without their radii.
typedef struct bvconvex_exact_gap
{
	bool known; ///< false: some coordinates differ too much in size, and nothing else is defined
	bool meets; ///< they have a point in common

	bool radius_known; ///< the next one is defined
	bool meets_round;  ///< the shapes with their radii have a point in common

	int count; ///< of the points that the nearest ones are between; 0 inside of a tetrahedron
	uint32_t name[4][2];
	double weight[4];
	double lower;  ///< of the distance, 0 if they meet
	double upper;  ///< at most 2^-49 above it, relatively
	bv_vec3 along; ///< unit vector from the first to the second, to rounding; 0 if they meet
} bvconvex_exact_gap;

/// @param start  whose vertices the iteration begins with
/// @param from   the distance of the difference from this point is found; null for the origin
void bvconvex_exact_distance( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start,
                              const bv_vec3* from, bvconvex_exact_gap* out );

/// @param point  receives the points of both shapes that are nearest, in the pair's coordinates
void bvconvex_exact_describe( const bvconvex_pair* pair, const bvconvex_exact_gap* gap, bv_vec3 point[2] );

/// @param along  not 0
/// @return the vertex of the difference that is farthest along it, rounded once
bvconvex_gjk_vertex bvconvex_exact_support( const bvconvex_pair* pair, const bvmath_exact3* along );

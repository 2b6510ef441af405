// Polytopes that are nearly in contact: intervals that are as narrow as binary64 can tell, from sums and products in
// twice its precision.
//
// Bounds hold for any direction and any simplex. Those of the last step of a search in binary64 are good enough.

#pragma once

#include "runtime/convex/pair.h"
#include "runtime/math/wide.h"

/// @return a vertex of the difference. Its error is at most 2^-92 of the coordinates
bvmath_wide3 bvconvex_near_vertex( const bvconvex_pair* pair, const uint32_t name[2] );

/// @param along  not 0, coordinates up to 2^300
/// @param near   names to begin with
/// @return not less than along * v / |along| for any vertex v of the difference, and above the greatest of them by at
///         most 2^-50 of itself and 2^-92 of the coordinates
double bvconvex_near_support( const bvconvex_pair* pair, bv_vec3 along, const uint32_t near[2] );

/// @param names   of three vertices of the difference
/// @param normal  receives the cross product of two edges
/// @return not more than the distance from the origin of the plane through the vertices, in front of which it is not
double bvconvex_near_height( const bvconvex_pair* pair, const uint32_t* const names[3], bv_vec3* normal );

/// A direction, for heights along it.
typedef struct bvconvex_near_plane
{
	const bvconvex_pair* pair;
	bv_vec3 along;     ///< not 0, of any length
	double length;     ///< of that vector
	bvmath_wide3 own;  ///< the vector in the second shape's coordinates, with the scale
	bvmath_wide shift; ///< product of the vector and the placement's translation
	bvmath_wide box
		[2]
		[4]; ///< of each shape that is a box, products with its center and the way from there to three faces
} bvconvex_near_plane;

/// What is known of a plane through three vertices of the difference.
typedef struct bvconvex_near_level
{
	double lower; ///< not more than the height of the lowest of them
	double upper; ///< not less than the height of any vertex of the difference
} bvconvex_near_level;

/// Both bounds are as near to what they bound as 2^-50 of it and 2^-92 of the coordinates.
/// @param names  of the vertices, which should be among the highest ones along their normal
/// @param enough  if the bounds differ by more, the normal is computed with more digits
/// @param plane   receives the normal
/// @return false if it is not known
bool bvconvex_near_plane_of( const bvconvex_pair* pair, const uint32_t* const names[3], double enough,
                             bvconvex_near_plane* plane, bvconvex_near_level* out );

/// @return not more than how high a vertex is along the normal, with the same error
double bvconvex_near_plane_height( const bvconvex_near_plane* plane, const uint32_t name[2] );

/// The distance of polytopes that are apart.
typedef struct bvconvex_near_gap
{
	double lower;  ///< of the distance; 0 or less if they may touch
	double upper;  ///< and not above this
	bv_vec3 along; ///< unit vector from the first to the second, normal to a slab `lower` wide
} bvconvex_near_gap;

/// @param s    solved, of 1 to 3 vertices; its weights and nearest point are improved
void bvconvex_near_distance( const bvconvex_pair* pair, bvconvex_gjk_simplex* s, bvconvex_near_gap* out );

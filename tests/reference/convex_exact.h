// The signed distance of two convex polytopes, in exact arithmetic.
//
// The Minkowski difference b - a contains the origin exactly if the shapes have a point in common. Otherwise their
// distance is that of the origin from the difference: GJK with integers finds the nearest point w, and the result is
// proven by w alone, which is a convex combination of vertices of the difference, while no vertex v has dot( v, w ) <
// dot( w, w ). If the difference contains the origin, the depth is the smallest distance of the origin from a plane
// through a face of the difference. A polytope inside of the difference is expanded by support points (EPA) until the
// face nearest to the origin is one that no vertex of the difference is beyond: the depth is then between the distance
// from that face and itself. All comparisons that matter are exact: what rounding errors could change is decided with
// integers.
//
// A shape is the convex hull of the given binary64 numbers, moved by the given matrix without rounding, even where
// the matrix is not quite orthonormal. A corner of a box is the center plus or minus half extents times axes, again
// without rounding.
//
// GJK: Gilbert, Johnson, Keerthi 1988. EPA: van den Bergen 2001.

#pragma once

#include "bv/shape.h"

#include <gmp.h>

/// Memory for comparisons, of one thread.
typedef struct convex_exact convex_exact;

/// Result of convex_exact_compare.
typedef struct convex_exact_result
{
	/// 1 if the shapes are apart; 0 if they touch; -1 if their depth is above 0. Shapes that have a common point
	/// while their difference is flat, such as two segments that cross, or two triangles in one plane, touch.
	int sign;

	double lower; ///< the signed distance, rounded down: minus the depth if the depth is above 0
	double upper; ///< rounded up: equal to lower, or the next larger binary64 number
	double size;  ///< largest coordinate of both shapes, before and after placement, and of translations
} convex_exact_result;

convex_exact* convex_exact_create( void );
void convex_exact_destroy( convex_exact* memory );

/// Finds the signed distance.
/// @param placement  of a; of b; each null for the identity
/// @return false unless both shapes are polytopes of finite coordinates with radius 0: points, graphs, corners, boxes, hulls
/// and parts
bool convex_exact_compare( convex_exact* memory, const bv_convex* a, const bv_transform* placement_a,
                           const bv_convex* b, const bv_transform* placement_b, convex_exact_result* result );

/// @param square  receives the square of the distance or depth of the last comparison
void convex_exact_square( const convex_exact* memory, mpq_t square );

/// @return how many support points the last comparison needed
uint32_t convex_exact_supports( const convex_exact* memory );

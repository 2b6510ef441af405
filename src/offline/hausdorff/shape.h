// What a cell is a piece of, where that is not the cell itself: a ball, a cylinder or a polytope of many
// sides, or the surface of one. Cells of such shapes hold more than their piece of the shape; as they get
// smaller they are brought nearer to it by planes that leave the shape whole.

#pragma once

#include "offline/hausdorff/cell.h"

/// A kind of shape.
typedef enum bvhaus_shape_kind
{
	bvhaus_shape_ball,     ///< round a point
	bvhaus_shape_cylinder, ///< round a line; its ends are up to the cells
	bvhaus_shape_polytope, ///< between planes
} bvhaus_shape_kind;

/// A shape.
typedef struct bvhaus_shape
{
	bvhaus_shape_kind kind;
	bool hollow;    ///< only the surface of the ball or the cylinder counts
	bv_vec3 center; ///< of the ball, on the axis, or inside of the polytope; mesh units
	bv_vec3 axis;   ///< of the cylinder, unit; of a ball, towards a point that counts
	bv_vec3 across; ///< of a cylinder, unit, from its axis towards a side that counts; null where all do
	double radius;  ///< of the ball or the cylinder, mesh units
	const bvhaus_plane* planes; ///< of the polytope; none of them cuts off a corner

	/// offsets of the same planes within which every point is certainly one of the polytope; null where these
	/// are the planes' own
	const double* inner;

	uint32_t plane_count; ///< length of planes
} bvhaus_shape;

/// Brings a cell nearer to the shape, and finds out which of its corners are points that count.
/// @param spare  memory
/// @return false when nothing of the shape is in the cell
bool bvhaus_shape_tighten( const bvhaus_shape* shape, bvhaus_cell* cell, bvhaus_cut* spare );

/// @return a point of the shape that counts, near `point` when that is near the shape
bv_vec3 bvhaus_shape_project( const bvhaus_shape* shape, bv_vec3 point );

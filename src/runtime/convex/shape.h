// Convex shapes as used by queries. Triangles are transformed to the coordinates of the shape. The bounding
// box of the shape is transformed to the coordinates of the file, where the volumes are.

#pragma once

#include "bv/shape.h"

#include "runtime/convex/hull_gap.h"
#include "runtime/file/view.h"
#include "runtime/math/range.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/similarity.h"

/// A convex shape, ready for queries. Must not be copied.
typedef struct bvconvex_prepared
{
	bvconvex_hull hull; ///< without the radius
	double radius;      ///< of the edges
	bv_vec3 point[8];   ///< of the hull, if it is made of so few that the shape has no array of them
	const bv_convex* convex;
	bvfile_hull_view file_hull; ///< of a file's hull

	/// of the same hull; its head is null if the file has no section for it
	bvfile_hull_topology_view topology;

	const bvfile_mesh* mesh;         ///< of the same file
	const bv_vec3* offset;           ///< of the same file, or of that of a part; null for none
	const void* positions;           ///< of the same file
	const float ( *part_points )[3]; ///< of a part
	uint32_t count;                  ///< of points of a file's hull or a part
} bvconvex_prepared;

/// @return false, and what `out` is then is not to be used, if the shape is null or invalid
bool bvconvex_shape_prepare( const bv_convex* shape, bvconvex_prepared* out );

/// @return the shape's box, along the axes of the query, with its radius
bvvol_rounded bvconvex_shape_box( const bvconvex_prepared* shape );

/// @return the same, or a box along the edges at the shape's first point if that is smaller: of a box, in
/// any order of its corners, the box itself
bvvol_rounded bvconvex_shape_oriented_box( const bvconvex_prepared* shape );

/// Moves a triangle of a file to where it is placed.
/// @return by how much each coordinate can be off
double bvconvex_place_triangle( const bvvol_similarity* placed, const bv_vec3 corner[3], bv_vec3 out[3] );

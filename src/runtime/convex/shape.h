// Convex shapes as used by queries. Triangles are transformed to the coordinates of the shape. The bounding
// box of the shape is transformed to the coordinates of the file, where the volumes are.

#pragma once

#include "bv/shape.h"

#include "runtime/convex/hull_gap.h"
#include "runtime/file/view.h"
#include "runtime/math/exact.h"
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
	bv_vec3 middle;                  ///< a point in or next to the shape
	uint32_t corners;                ///< of a polytope; 0 for a shape with a curved surface or a callback
	const uint32_t* first_neighbor;  ///< of each corner, and one more; null if neighbors are not known
	const uint32_t* neighbors;       ///< of all corners one after another
	double reach; ///< no coordinate of its points exceeds this, nor of what they are computed from
} bvconvex_prepared;

/// @return false, and what `out` is then is not to be used, if the shape is null, invalid or a half-space
bool bvconvex_shape_prepare( const bv_convex* shape, bvconvex_prepared* out );

/// The same without the box around the shape, which pairs of shapes do not need. It can be a half-space, which has
/// neither a hull nor corners.
bool bvconvex_shape_read( const bv_convex* shape, bvconvex_prepared* out );

/// @param near  as for bvconvex_support_function
/// @return the point of the shape that is farthest along a vector; without the radius
bvconvex_support bvconvex_shape_support( const bvconvex_prepared* shape, const bv_vec3* along,
                                         uint32_t near );

/// @param name  receives that of the corner that is farthest along a vector
/// @return the product of that corner and the vector
static inline double bvconvex_box_height( const bv_obb* box, bv_vec3 along, uint32_t* name )
{
	double height = bv_dot( along, box->center );
	*name = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		double part = bv_dot( along, box->axis[k] );
		*name |= (uint32_t)( part > 0 ) << k;
		height += fabs( part ) * box->half_extents[k];
	}
	return height;
}

/// @param index  below `corners`: the name that supports have
/// @return a corner of a polytope, to rounding
bv_vec3 bvconvex_shape_corner( const bvconvex_prepared* shape, uint32_t index );

/// @param index  below `corners`, of any kind but bv_convex_of_box
/// @param out    receives the corner as stored and what is to be added to it
void bvconvex_shape_stored_corner( const bvconvex_prepared* shape, uint32_t index, bv_vec3 out[2] );

/// Finds the corners of a polytope that may be the farthest along a vector, within rounding errors.
/// @param near   as for bvconvex_support_function
/// @param doubt  by how much less a corner's product with the vector may be
/// @param out    receives their indices
/// @return how many there are, or a number above `most`: then `out` is not to be used
uint32_t bvconvex_shape_highest( const bvconvex_prepared* shape, bv_vec3 along, uint32_t near, double doubt,
                                 uint32_t* out, uint32_t most );

/// Finds the corners of a polytope that are as far along a vector as one of its farthest corners, within rounding errors.
/// @param corner  that one
/// @param doubt   by how much less another corner's product with the vector may be
/// @param out     receives their indices
/// @return how many there are, or a number above `most`: then `out` is not to be used
uint32_t bvconvex_shape_level( const bvconvex_prepared* shape, bv_vec3 along, uint32_t corner, double doubt,
                               uint32_t* out, uint32_t most );

/// @param index  below `corners`
/// @param out    receives the corner exactly
void bvconvex_shape_exact_corner( const bvconvex_prepared* shape, uint32_t index, bvmath_exact3* out );

/// @return the shape's box, along the axes of the query, with its radius
bvvol_rounded bvconvex_shape_box( const bvconvex_prepared* shape );

/// @return the same, or a box along the edges at the shape's first point if that is smaller: of a box, in
/// any order of its corners, the box itself
bvvol_rounded bvconvex_shape_oriented_box( const bvconvex_prepared* shape );

/// Moves a triangle of a file to where it is placed.
/// @return by how much each coordinate can be off
double bvconvex_place_triangle( const bvvol_similarity* placed, const bv_vec3 corner[3], bv_vec3 out[3] );

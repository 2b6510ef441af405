// Some points, with their coordinates in columns: the farthest one along a vector is found faster.

#pragma once

#include "runtime/convex/shape.h"

enum
{
	bvconvex_columns_least = 16, ///< fewer points are compared faster one by one
	bvconvex_columns_most = 32,
};

/// The coordinates x, y and z of points in one row each. Unused columns repeat the first point.
typedef struct bvconvex_columns
{
	double row[3][bvconvex_columns_most];
} bvconvex_columns;

/// Copies the points of a shape, for queries that need many support points.
/// @return false, and `out` is then not to be used, if the shape is not made of bvconvex_columns_least to
/// bvconvex_columns_most points
bool bvconvex_columns_set( const bvconvex_prepared* shape, bvconvex_columns* out );

/// @return the index of the first point among the farthest along a vector
uint32_t bvconvex_columns_farthest( const bvconvex_columns* columns, const bv_vec3* along );

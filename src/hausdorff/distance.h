// Distances of several points at once to one triangle or one box: what nearly all time of measuring is spent on.

#pragma once

#include "bv/volume.h"

enum
{
	bvb_row = 32,  ///< most points of a row
	bvb_lanes = 4, ///< rows are computed in whole groups of so many
};

/// Points, coordinate by coordinate, in columns. Behind the last one the first is repeated up to a whole group, and so are
/// the values of rows: the largest and the least of whole groups are those of the points.
typedef struct bvb_points
{
	double x[bvb_row]; ///< mesh units
	double y[bvb_row]; ///< mesh units
	double z[bvb_row]; ///< mesh units
	int count;         ///< how many there are
} bvb_points;

/// @return `count` rounded up to a multiple of bvb_lanes
static inline int bvb_whole_groups( int count )
{
	return ( count + bvb_lanes - 1 ) & -bvb_lanes;
}

/// Repeats a point behind the last one of some columns, up to a whole group.
/// @param first  column of the point, the first of whole groups
static inline void bvb_pad_points( bvb_points* points, int first, int count )
{
	for ( int i = first + count; i % bvb_lanes != 0; ++i )
	{
		points->x[i] = points->x[first];
		points->y[i] = points->y[first];
		points->z[i] = points->z[first];
	}
}

/// A triangle in a frame of its own: corners (0, 0), (length, 0) and (apex_u, apex_v) in the plane of u and v. Since the
/// longest side lies on u, its corners are those of the true triangle to a few units in the last place of the
/// coordinates and of the longest side, however thin it is.
typedef struct bvb_framed_triangle
{
	bv_vec3 origin;          ///< a corner, mesh units
	bv_vec3 u;               ///< unit vector along the longest side
	bv_vec3 v;               ///< unit vector in the plane, towards the third corner
	bv_vec3 normal;          ///< unit vector at right angles to the plane
	double length;           ///< of the longest side
	double apex_u;           ///< of the third corner
	double apex_v;           ///< of the third corner, not negative
	double inverse_square_a; ///< 1 / squared length of the side from the origin to the third corner
	double inverse_square_b; ///< 1 / squared length of the side from the other end to the third corner
} bvb_framed_triangle;

/// @param corner  not all on one point
bvb_framed_triangle bvb_frame_triangle( const bv_vec3 corner[3] );

/// The distances of points to the triangle. Their error is a few units in the last place of the coordinates and the
/// distance.
/// @param first  column of the first of them, the first of whole groups
/// @param row    only the columns of these points are set
void bvb_triangle_row( const bvb_framed_triangle* triangle, const bvb_points* points, int first, int count,
                       double row[bvb_row] );

/// The same for one point.
double bvb_triangle_distance( const bvb_framed_triangle* triangle, bv_vec3 point );

/// @return the point of the triangle that is nearest to `point`, to rounding
bv_vec3 bvb_nearest_on_triangle( const bvb_framed_triangle* triangle, bv_vec3 point );

/// A solid box.
typedef struct bvb_solid_box
{
	bv_vec3 center;         ///< mesh units
	bv_vec3 axis[3];        ///< orthonormal
	double half_extents[3]; ///< mesh units
} bvb_solid_box;

/// The distances of points to the box, 0 inside of it. As bvb_triangle_row.
void bvb_box_row( const bvb_solid_box* box, const bvb_points* points, int first, int count,
                  double row[bvb_row] );

/// The same for one point.
double bvb_box_distance( const bvb_solid_box* box, bv_vec3 point );

/// Its square.
double bvb_box_square( const bvb_solid_box* box, bv_vec3 point );

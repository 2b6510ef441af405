// Distances of points to eight triangles or boxes at once, in binary32.
//
// All is in a frame near by and in units of its size, so that binary32 is exact to some millionths of that. Points come in
// pairs, one above the other.

#pragma once

#include "hausdorff/distance.h"

enum
{
	bvb_lanes_of_group = 8,
};

/// Where coordinates count from: those of a point p are scale * dot( axis[i], p - center ).
typedef struct bvb_local_frame
{
	bv_vec3 center;  ///< mesh units
	bv_vec3 axis[3]; ///< orthonormal
	double scale;    ///< a power of two
} bvb_local_frame;

/// Eight frames, lane by lane.
typedef struct bvb_group_frames
{
	float axis[3][3][bvb_lanes_of_group]; ///< of each unit vector the coordinates
	float at[3][bvb_lanes_of_group];      ///< along each of them, where the local center is
} bvb_group_frames;

/// Eight triangles, lane by lane, as in bvb_framed_triangle: the axes are u, v and normal.
typedef struct bvb_triangle_group
{
	bvb_group_frames frame;                     ///< from the triangle's origin
	float length[bvb_lanes_of_group];           ///< of the longest side
	float apex_u[bvb_lanes_of_group];           ///< of the third corner
	float apex_v[bvb_lanes_of_group];           ///< of the third corner, not negative
	float inverse_square_a[bvb_lanes_of_group]; ///< as in bvb_framed_triangle
	float inverse_square_b[bvb_lanes_of_group]; ///< as in bvb_framed_triangle
} bvb_triangle_group;

/// Eight boxes, lane by lane, each with triangles in it.
typedef struct bvb_box_group
{
	bvb_group_frames frame;            ///< from the box's center
	float half[3][bvb_lanes_of_group]; ///< half extents
	float error[bvb_lanes_of_group];   ///< no point of the box is farther from its triangles
} bvb_box_group;

/// Fills a group.
/// @param count  1 .. 8; further lanes are far away from everything
/// @return the largest coordinate of a corner, or more
double bvb_triangle_group_set( bvb_triangle_group* group, const bvb_framed_triangle* const* triangles,
                               int count, const bvb_local_frame* frame );

/// Fills a group.
/// @param count   1 .. 8; further lanes are far away from everything
/// @param errors  of each box, mesh units
/// @return the largest coordinate of a box, or more
double bvb_box_group_set( bvb_box_group* group, const bvb_solid_box* const* boxes, const double* errors,
                          int count, const bvb_local_frame* frame );

/// Upright segments, all from the same lowest to the same highest third coordinate.
typedef struct bvb_segments
{
	const float* x; ///< of each, the first coordinate
	const float* y; ///< of each, the second one
	int count;      ///< how many there are
	float low;      ///< third coordinate of the lower end
	float high;     ///< of the upper end
} bvb_segments;

/// Looks at both ends of each segment.
/// @param most   receives for each segment, eight numbers for each, the larger squared distance to each triangle
/// @param least  is lowered, for each segment the numbers of the lower ends and then of the upper ones, to the squared
///               distances of that end; may be null
void bvb_triangle_group_squares( const bvb_triangle_group* group, const bvb_segments* segments,
                                 float ( *most )[bvb_lanes_of_group],
                                 float ( *least )[2][bvb_lanes_of_group] );

/// The same for boxes: squares of the distance to the box plus its error, which is no less than that to its triangles.
void bvb_box_group_squares( const bvb_box_group* group, const bvb_segments* segments,
                            float ( *most )[bvb_lanes_of_group], float ( *least )[2][bvb_lanes_of_group] );

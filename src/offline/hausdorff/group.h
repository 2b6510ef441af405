// Distances of points to eight triangles or boxes at once, in binary32.
//
// All is in a frame near by and in units of its size, so that binary32 is exact to some millionths of that.
// Points come in pairs, one above the other.

#pragma once

#include "offline/hausdorff/distance.h"

enum
{
	bvhaus_lanes_of_group = 8,
};

/// Where coordinates count from: those of a point p are scale * dot( axis[i], p - center ).
typedef struct bvhaus_local_frame
{
	bv_vec3 center;  ///< mesh units
	bv_vec3 axis[3]; ///< orthonormal
	double scale;    ///< a power of two
} bvhaus_local_frame;

/// Eight frames, lane by lane.
typedef struct bvhaus_group_frames
{
	float axis[3][3][bvhaus_lanes_of_group]; ///< of each unit vector the coordinates
	float at[3][bvhaus_lanes_of_group];      ///< along each of them, where the local center is
} bvhaus_group_frames;

/// Eight triangles, lane by lane, as in bvhaus_framed_triangle: the axes are u, v and normal.
typedef struct bvhaus_triangle_group
{
	bvhaus_group_frames frame;                     ///< from the triangle's origin
	float length[bvhaus_lanes_of_group];           ///< of the longest side
	float apex_u[bvhaus_lanes_of_group];           ///< of the third corner
	float apex_v[bvhaus_lanes_of_group];           ///< of the third corner, not negative
	float inverse_square_a[bvhaus_lanes_of_group]; ///< as in bvhaus_framed_triangle
	float inverse_square_b[bvhaus_lanes_of_group]; ///< as in bvhaus_framed_triangle
} bvhaus_triangle_group;

/// Eight boxes, lane by lane, each with triangles in it.
typedef struct bvhaus_box_group
{
	bvhaus_group_frames frame;            ///< from the box's center
	float half[3][bvhaus_lanes_of_group]; ///< half extents
	float error[bvhaus_lanes_of_group];   ///< no point of the box is farther from its triangles
} bvhaus_box_group;

/// Fills a group.
/// @param count  1 .. 8; further lanes are far away from everything
/// @return the largest coordinate of a corner, or more
double bvhaus_triangle_group_set( bvhaus_triangle_group* group,
                                  const bvhaus_framed_triangle* const* triangles, int count,
                                  const bvhaus_local_frame* frame );

/// Fills a group.
/// @param count   1 .. 8; further lanes are far away from everything
/// @param errors  of each box, mesh units
/// @return the largest coordinate of a box, or more
double bvhaus_box_group_set( bvhaus_box_group* group, const bvhaus_solid_box* const* boxes,
                             const double* errors, int count, const bvhaus_local_frame* frame );

/// Upright segments, all from the same lowest to the same highest third coordinate.
typedef struct bvhaus_segments
{
	const float* x; ///< of each, the first coordinate
	const float* y; ///< of each, the second one
	int count;      ///< how many there are
	float low;      ///< third coordinate of the lower end
	float high;     ///< of the upper end
} bvhaus_segments;

/// Looks at both ends of each segment.
/// @param most   receives for each segment, eight numbers for each, the larger squared distance to each
///               triangle
/// @param least  is lowered, for each segment the numbers of the lower ends and then of the upper ones, to
///               the squared distances of that end; may be null
void bvhaus_triangle_group_squares( const bvhaus_triangle_group* group, const bvhaus_segments* segments,
                                    float ( *most )[bvhaus_lanes_of_group],
                                    float ( *least )[2][bvhaus_lanes_of_group] );

/// The same for boxes: squares of the distance to the box plus its error, which is no less than that to its
/// triangles.
void bvhaus_box_group_squares( const bvhaus_box_group* group, const bvhaus_segments* segments,
                               float ( *most )[bvhaus_lanes_of_group],
                               float ( *least )[2][bvhaus_lanes_of_group] );

// Closed forms of pairs of convex shapes: cells of a table by the kinds of both cores, which are the shapes without
// their radii.
//
// A cell finds nearest points or a direction of least overlap by a formula. The bounds do not depend on whether the
// formula was right: the signed distance of two cores is
//   - at most the distance of any two points of them, and
//   - at least the gap between them along any unit vector n, min n * b - max n * a, be it negative or not.
// Only a lower bound of the distance of cores that overlap needs more: see closed_axes.c.
//
// Rounding: cores are placed in binary64. The pair's rounding bounds what that and a projection on a unit vector err.
// `doubt` is twice that.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/distance.h"

/// What a core is.
typedef enum bvconvex_core_kind
{
	bvconvex_core_point = 0,
	bvconvex_core_segment,
	bvconvex_core_triangle,
	bvconvex_core_box,
	bvconvex_core_half_space,
	bvconvex_core_other, ///< known by its supports only
	bvconvex_core_kinds,
} bvconvex_core_kind;

/// A shape without its radius, in the pair's coordinates.
typedef struct bvconvex_core
{
	const bvconvex_body* body;
	int which; ///< of the pair's bodies
	bvconvex_core_kind kind;
	int corners;       ///< of `corner`; 0 of a box, a half-space and others
	bv_vec3 corner[3]; ///< of a point, a segment, a triangle
	bv_vec3 center;    ///< of a box; of a half-space, a point of its plane
	bv_vec3 axis
		[3]; ///< of a box: of length 1 and at right angles to 1e-3; of a half-space the first is its normal
	double half[3]; ///< half extents of a box along its axes
} bvconvex_core;

/// Two cores, ordered by kind.
typedef struct bvconvex_cores
{
	const bvconvex_pair* pair;
	const bvconvex_core* core[2];
	double doubt;
	double relative; ///< width of the interval, relative to the signed distance
	double radius;   ///< of both
	bool decides;    ///< only whether the distance is above the radius is of interest
	bv_vec3 hint;    ///< unit vector from the first to the second that separated them before; 0 for none
} bvconvex_cores;

/// Finds the signed distance of two cores.
/// @param out  has the bounds -infinity and infinity; receives better ones where the formula applies, and what else there
///             is, from the first core to the second
typedef void bvconvex_closed_form( const bvconvex_cores* cores, bv_convex_result* out );

bvconvex_closed_form bvconvex_closed_points;       ///< two points
bvconvex_closed_form bvconvex_closed_segments;     ///< points and segments, not two points
bvconvex_closed_form bvconvex_closed_point_face;   ///< a point and a triangle
bvconvex_closed_form bvconvex_closed_segment_face; ///< a segment and a triangle
bvconvex_closed_form bvconvex_closed_faces;        ///< two triangles
bvconvex_closed_form bvconvex_closed_point_box;    ///< a point and a box
bvconvex_closed_form bvconvex_closed_axes; ///< a box and anything but a point; no upper bound of cores
										   ///< that are apart
bvconvex_closed_form
	bvconvex_closed_half_space; ///< the first or the second is a half-space, the other is not
bvconvex_closed_form bvconvex_closed_half_spaces; ///< two half-spaces

/// The extent of a core along a direction.
typedef struct bvconvex_range
{
	double least;
	double most;
} bvconvex_range;

/// @param core  neither a half-space nor other
static inline bvconvex_range bvconvex_core_range( const bvconvex_core* core, bv_vec3 along )
{
	if ( core->kind == bvconvex_core_box )
	{
		double center = bv_dot( along, core->center );
		double reach = ( core->half[0] * fabs( bv_dot( along, core->axis[0] ) ) +
		                 core->half[1] * fabs( bv_dot( along, core->axis[1] ) ) ) +
		               core->half[2] * fabs( bv_dot( along, core->axis[2] ) );
		return ( bvconvex_range ){ center - reach, center + reach };
	}
	double first = bv_dot( along, core->corner[0] );
	bvconvex_range out = { first, first };
	for ( int i = 1; i < core->corners; ++i )
	{
		double at = bv_dot( along, core->corner[i] );
		out.least = bvmath_min( out.least, at );
		out.most = bvmath_max( out.most, at );
	}
	return out;
}

/// @return a unit vector at right angles to another vector; any of 0
bv_vec3 bvconvex_any_normal( bv_vec3 along );

/// Takes two points for the nearest ones: they are an upper bound, and the slab normal to the line through them a lower
/// one.
/// @param otherwise  normal of the slab if the points are too near for a direction; of any length and sign, or 0
void bvconvex_take_points( const bvconvex_cores* cores, bv_vec3 a, bv_vec3 b, bv_vec3 otherwise,
                           bv_convex_result* out );

/// How two cores lie along the axes of a separating axis test.
typedef struct bvconvex_axes_result
{
	double upper;   ///< the depth is not above this; negative if they are apart
	double lower;   ///< the depth is not below this if it is above 0
	bv_vec3 normal; ///< unit vector of the upper bound, from the first to the second
} bvconvex_axes_result;

/// The search ends at an axis along which the cores are apart: if only a decision is of interest, by more than the radius.
/// @param cores  one of them is a triangle or a box
/// @return false if a core is too flat for the test
bool bvconvex_test_axes( const bvconvex_cores* cores, bvconvex_axes_result* out );

/// @return whether the cores are certainly apart; if only a decision is of interest, by more than the radius
static inline bool bvconvex_axes_separate( const bvconvex_cores* cores, const bvconvex_axes_result* axes )
{
	return -axes->upper > ( cores->decides ? cores->radius : 0 );
}

/// Describes an overlap, with the points where it is deepest.
void bvconvex_take_overlap( const bvconvex_cores* cores, const bvconvex_axes_result* axes,
                            bv_convex_result* out );

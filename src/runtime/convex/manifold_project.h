// Support features of shapes, projected along the normal of a contact, and the heights of the surfaces above them.
//
// A shape with a radius has a rounded surface above the feature of its core. The height of the surface is that of the offset
// plane, or of the cylinder or ball around a side. Above the projection of the core's feature this is the surface of the
// shape, because the normal is in the normal cone of the corner that the feature has been found from.

#pragma once

#include "runtime/convex/manifold.h"

/// A projected feature. Heights are along its own direction, outwards.
typedef struct bvconvex_projected
{
	uint32_t count; ///< 0 for a plane
	uint32_t sides;
	uint32_t name[bvconvex_feature_most];
	double x[bvconvex_feature_most];
	double y[bvconvex_feature_most];
	double height[bvconvex_feature_most];
	double along[bvconvex_feature_most][2]; ///< unit vector from each corner to the next
	double length[bvconvex_feature_most];

	/// Of each of its corners, the sides of the other feature that it is inside of, and those that it is outside of; neither of
	/// those that it is on.
	uint32_t inside[bvconvex_feature_most];
	uint32_t outside[bvconvex_feature_most];

	bool is_face;
	double slope[2];  ///< of a face: what the height changes by
	double normal[3]; ///< of a face
	uint32_t face;
	double radius;
	double disc;       ///< of a face that is a circle; otherwise 0
	double center[3];  ///< of the circle
	double bend;       ///< of the side of a cylinder: its radius; otherwise 0
	double inwards[3]; ///< from the side to the axis
	double equal;      ///< lengths that differ by as much are equal
} bvconvex_projected;

static inline uint32_t bvconvex_next_corner( const bvconvex_projected* o, uint32_t i )
{
	return i + 1 == o->count ? 0 : i + 1;
}

static inline double bvconvex_height_of_plane( const bvconvex_projected* o, double x, double y )
{
	return o->height[0] + ( o->slope[0] * ( x - o->x[0] ) + o->slope[1] * ( y - o->y[0] ) );
}

/// @return where on a side a point is, from 0 to the length of the side
static inline double bvconvex_place_on_side( const bvconvex_projected* o, uint32_t side, double x, double y )
{
	double at = o->along[side][0] * ( x - o->x[side] ) + o->along[side][1] * ( y - o->y[side] );
	return bvmath_max( 0, bvmath_min( at, o->length[side] ) );
}

static inline double bvconvex_height_on_side( const bvconvex_projected* o, uint32_t side, double place )
{
	uint32_t k = bvconvex_next_corner( o, side );
	return o->height[side] + place / o->length[side] * ( o->height[k] - o->height[side] );
}

/// @return how far a point is inside of a side
static inline double bvconvex_depth_in_side( const bvconvex_projected* o, uint32_t side, double x, double y )
{
	return o->along[side][0] * ( y - o->y[side] ) - o->along[side][1] * ( x - o->x[side] );
}

static inline double bvconvex_distance_from_corner( const bvconvex_projected* o, uint32_t i, double x,
                                                    double y )
{
	double dx = x - o->x[i];
	double dy = y - o->y[i];
	return sqrt( dx * dx + dy * dy );
}

static inline double bvconvex_distance_from_side( const bvconvex_projected* o, uint32_t side, double x,
                                                  double y )
{
	double place = bvconvex_place_on_side( o, side, x, y );
	double dx = x - ( o->x[side] + place * o->along[side][0] );
	double dy = y - ( o->y[side] + place * o->along[side][1] );
	return sqrt( dx * dx + dy * dy );
}

/// @return how far a point of the plane of a circle is from its center, as a part of the radius
static inline double bvconvex_part_of_disc( const bvconvex_projected* o, double x, double y )
{
	double from[2] = { x - o->center[0], y - o->center[1] };
	double up = o->slope[0] * from[0] + o->slope[1] * from[1];
	return sqrt( from[0] * from[0] + from[1] * from[1] + up * up ) / o->disc;
}

/// @param sign  1 for the shape that the normal leads out of, -1 for the other
/// @param equal  lengths that differ by as much are equal
void bvconvex_project( const bvconvex_contact_feature* f, const bvconvex_frame* frame, int sign, double equal,
                       bvconvex_projected* out );

/// @param core  the height of the core above the point
/// @return the height of the surface there
double bvconvex_surface_height( const bvconvex_projected* o, double x, double y, double core );

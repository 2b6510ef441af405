// Contact points of a pair of convex shapes, in three steps: what of each shape is farthest along the normal
// (manifold_feature.c, manifold_polytope.c), where these features face each other (manifold_meet.c), and which four points of that are kept
// (manifold_choose.c).

#pragma once

#include "bv/contact.h"
#include "runtime/convex/pair.h"

enum
{
	bvconvex_feature_most = 32, ///< corners of a feature
	bvconvex_rim_points = 24,   ///< that stand for a circle, besides the farthest one
	bvconvex_touches_most = 96  ///< points where features meet
};

/// Faces count whose normals are at most 3 degrees from that of the contact, and likewise edges.
#define BVCONVEX_FEATURE_SINE 0.0523359562429438

/// What of a shape is farthest along a direction: a corner, an edge, a face or a plane; without the radius, in the pair's
/// coordinates.
typedef struct bvconvex_contact_feature
{
	uint32_t count; ///< of corners: 1, 2, more for a face, 0 for the plane of a half-space
	uint32_t name[bvconvex_feature_most];  ///< of each corner
	bv_vec3 corner[bvconvex_feature_most]; ///< of a plane one point
	bool ordered;                          ///< the corners of a face are in order around it
	bv_vec3 normal;                        ///< of a face or a plane: unit vector, outwards
	uint32_t face;                         ///< the identity of a face or a plane
	double radius;                         ///< that the shape has around this
	double disc;                           ///< of the end of a cylinder or a cone: its radius; otherwise 0
	bv_vec3 center;                        ///< of the disc
	double bend;                           ///< of the side of a cylinder: the cylinder's radius; otherwise 0
	bv_vec3 inwards;                       ///< from the side to the axis, if it bends
} bvconvex_contact_feature;

/// @param along    unit vector, outwards
/// @param near     as for bvconvex_support_function
/// @param witness  a point of the core that is farthest along it
/// @param out      contains the farthest corner
void bvconvex_feature_find( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                            bv_vec3 witness, bvconvex_contact_feature* out );

/// The same for a polytope that is no box.
/// @param out  empty
void bvconvex_feature_of_polytope( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                                   bvconvex_contact_feature* out );

/// Adds a corner.
static inline void bvconvex_feature_add( uint32_t name, bv_vec3 at, bvconvex_contact_feature* out )
{
	out->name[out->count] = name;
	out->corner[out->count++] = at;
}

/// @return what contacts know a corner, an edge or a face by
uint32_t bvconvex_identity_of_corner( uint32_t name );
uint32_t bvconvex_identity_of_edge( uint32_t from, uint32_t to );
uint32_t bvconvex_identity_of_face( const uint32_t* name, uint32_t count );

/// A point where the features of both shapes face each other.
typedef struct bvconvex_touch
{
	double x; ///< in the plane of the normal
	double y;
	double height[2]; ///< along the normal, of the surface of each shape
	double separation;
	uint32_t feature[2]; ///< identities
} bvconvex_touch;

/// Coordinates of contacts: the third axis is the normal.
typedef struct bvconvex_frame
{
	bv_vec3 origin; ///< in the pair's coordinates
	bv_vec3 axis[3];
} bvconvex_frame;

/// Points, and how far apart they may be and count as one.
typedef struct bvconvex_touches
{
	bvconvex_touch at[bvconvex_touches_most];
	uint32_t count;
	double size;         ///< of both features
	uint32_t witness[2]; ///< features of the contact that is the deepest point of the distance; 0 for none
	double aside[2];     ///< of this contact, from the middle to its point on the second shape
	double equal;        ///< lengths that differ by as much are equal
} bvconvex_touches;

/// @param core  nearest or deepest points of the cores: the origin is half way between them
bvconvex_frame bvconvex_frame_of( bv_vec3 normal, const bv_vec3 core[2] );

/// @param t       one of `touches`
/// @param origin  of the pair's coordinates
void bvconvex_touch_describe( const bvconvex_touches* touches, const bvconvex_touch* t,
                              const bvconvex_frame* frame, bv_vec3 origin, bv_contact* out );

/// Finds the corners of the region where two features face each other.
/// @param witness  nearest or deepest points of the cores: a contact, unless one that is found is as deep
/// @param upper    the separation of the deepest contact is not above this
/// @param out      receives one point at least
void bvconvex_features_meet( const bvconvex_contact_feature feature[2], const bvconvex_frame* frame,
                             const bv_vec3 witness[2], double upper, double rounding, bvconvex_touches* out );

/// Keeps at most four: a deepest one, and those with which it has the largest area. Orders them by their features.
/// @param most  separations above this are dropped, except the least
/// @param near  of points that are as near to each other only one is kept; 0 for all
void bvconvex_touches_choose( bvconvex_touches* touches, double most, double near );

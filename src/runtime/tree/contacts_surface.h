// Triangles of placed meshes, and which normals the surface that they form has at a point.

#pragma once

#include "bv/contact.h"
#include "runtime/file/view.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"
#include "runtime/volume/similarity.h"

/// Normals count as the same whose angle has at most this sine: 0.06 degrees.
#define BVTREE_SAME_SINE 0x1p-10

/// The sine of what counts as flat, as bv_edge_flat.
#define BVTREE_FLAT_SINE 0x1p-12

/// @return whether two unit vectors count as the same normal
static inline bool bvtree_is_along( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 turn = bv_cross( a, b );
	return bv_dot( a, b ) > 0 && bv_dot( turn, turn ) <= BVTREE_SAME_SINE * BVTREE_SAME_SINE;
}

/// A triangle near the other body.
typedef struct bvtree_near
{
	bv_vec3 corner[3];
	bv_vec3 normal; ///< unit vector of the side that shapes are pushed to; 0 if it is too thin to have one
	bv_aabb box;
	double size;       ///< the longest side
	double winding;    ///< 1 if corners are counterclockwise around the normal, otherwise -1
	double separation; ///< for the caller
	uint32_t vertex[3];
	uint32_t triangle;
	uint32_t mesh;
	uint32_t state; ///< for the caller; 0 at first
} bvtree_near;

/// @return a lower bound of the distance of a point from a triangle: that from its box along an axis
static inline double bvtree_near_gap( const bvtree_near* t, bv_vec3 point )
{
	const bv_aabb* box = &t->box;
	double x = bvmath_max( box->lower.x - point.x, point.x - box->upper.x );
	double y = bvmath_max( box->lower.y - point.y, point.y - box->upper.y );
	double z = bvmath_max( box->lower.z - point.z, point.z - box->upper.z );
	return bvmath_max( x, bvmath_max( y, z ) );
}

/// Where triangles are read from, and how.
typedef struct bvtree_near_source
{
	bvfile_view view;
	bvvol_similarity placed;
	uint32_t mesh;     ///< its number
	bool is_two_sided; ///< normals lead to the side of the plane where `middle` is
	bv_vec3 middle;
} bvtree_near_source;

/// @param triangle  of the file
void bvtree_near_read( const bvtree_near_source* source, uint32_t triangle, bvtree_near* out );

/// @return what contacts know a feature of a triangle by
uint32_t bvtree_near_identity( const bvtree_near* t, bv_feature feature );

/// @return the feature with such an identity
bv_feature bvtree_near_feature( const bvtree_near* t, uint32_t identity );

/// All triangles that can be at a point.
typedef struct bvtree_surface
{
	const bvtree_near* near;
	const uint32_t* index; ///< of each of them in `near`; null for the first `count`
	uint32_t count;
	double tolerance; ///< triangles that are this near to each other meet
	double slack;     ///< lengths that differ by as much are equal
	double size;      ///< of the other body
} bvtree_surface;

static inline const bvtree_near* bvtree_surface_at( const bvtree_surface* s, uint32_t i )
{
	return s->near + ( s->index ? s->index[i] : i );
}

/// @return how far from a point of a triangle others may be that meet there
double bvtree_surface_reach( const bvtree_surface* s, const bvtree_near* owner );

/// @return whether a triangle is at a point
bool bvtree_surface_meets( const bvtree_near* t, bv_vec3 point, double reach, bvtri_nearest* out );

/// Finds out whether the surface has a normal at a point: no triangle there is in front of the plane through the point.
/// @param owner  the triangle that has the contact
/// @param point  of that triangle
/// @param faces  receives whether the normal leads out of the front of the surface there, if it has it
bool bvtree_surface_allows( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point, bv_vec3 normal,
                            bool* faces );

/// @return the sum of the normals at a point, weighted by angles; 0 if they cancel each other
bv_vec3 bvtree_surface_pseudonormal( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point );

/// @return whether a triangle that faces the owner lies on the point: then there is nothing in front of either of them
bool bvtree_surface_has_opposite( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point );

/// @return whether the surface ends at a point: an edge there belongs to one triangle
bool bvtree_surface_ends( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point );

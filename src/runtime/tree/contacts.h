// Contacts of a convex shape and the triangles near it, in four steps: gather the triangles (contacts.c), find the contacts of
// each (contacts_pair.c), keep those with normals that the surface has (contacts_surface.c), and join them by normals
// (contacts_join.c).
//
// All triangles and contacts are in coordinates of the shape. Everything but local variables is in memory of the caller, because
// distances need nearly all of the stack that a query may take.

#pragma once

#include "runtime/convex/distance.h"
#include "runtime/convex/manifold.h"
#include "runtime/tree/contacts_join.h"
#include "runtime/tree/contacts_surface.h"

enum
{
	bvtree_most_exits = 32, ///< normals that are remembered
};

/// How far the search for a triangle's contacts is.
typedef enum bvtree_near_state
{
	bvtree_near_done = 0, ///< its contacts are known, if it has any
	bvtree_near_doubtful, ///< the shape overlaps it, but has no contact with a normal that is allowed
} bvtree_near_state;

/// A direction that shapes are pushed in, and how far all contacts push in it.
typedef struct bvtree_exit
{
	bv_vec3 normal;
	double depth;
	double lowest; ///< the shape's least product with the normal
} bvtree_exit;

/// A query. Must not be moved.
typedef struct bvtree_contacts
{
	bvconvex_query query;     ///< of the triangle looked at, as a, and the shape
	bvconvex_columns columns; ///< of the shape
	bv_convex triangle;
	const bv_convex* shape;
	bv_obb box;         ///< around the shape
	bool is_ball;       ///< the shape is a point with a radius
	bv_vec3 middle;     ///< of the shape
	double shape_size;  ///< half of the diagonal of the box around it
	double speculative; ///< contacts are reported up to this separation
	double tolerance;   ///< triangles that are this near to each other meet
	double slack;       ///< lengths that differ by as much are equal
	bv_mesh_sides sides;

	bvtree_near* near;
	uint32_t near_count;
	uint32_t near_most;
	bool has_opposites; ///< some of the triangles may face each other

	bvtree_touch* touch;
	uint32_t touch_count;

	bvtree_exit exit[bvtree_most_exits];
	uint32_t exit_count;
	bv_vec3 plane_normal; ///< of the last triangle whose face has contacts; 0 for none
	double plane_offset;
} bvtree_contacts;

/// Makes `query` that of a triangle, moved, and the shape.
/// @return false if coordinates are out of range
bool bvtree_contacts_place( bvtree_contacts* q, const bvtree_near* t, bv_vec3 moved );

/// Finds the signed distance of the placed triangle and the shape, with points in coordinates of the pair.
void bvtree_contacts_distance( bvtree_contacts* q, bv_convex_result* out );

/// Adds at most four contacts of the placed triangle along a normal.
/// @param found  the distance; null if the normal is that of the face. Without it, only features that face each other have contacts
/// @return how many
uint32_t bvtree_contacts_along( bvtree_contacts* q, const bvtree_near* t, bv_vec3 normal,
                                const bv_convex_result* found );

/// Finds the distance of a placed triangle and a ball, and adds the contact at the point of the triangle that is nearest to the middle.
/// @param out      receives bounds and the normal; points are unset
/// @param is_face  receives whether the point is inside of the triangle
/// @return 1; 0 if they are farther apart than contacts may be
uint32_t bvtree_contacts_of_ball( bvtree_contacts* q, const bvtree_near* t, bv_convex_result* out,
                                  bool* is_face );

/// Adds the contact of the shape's point that is deepest along the normal of the placed triangle, and of the point of the
/// triangle nearest to that.
/// @return how many
uint32_t bvtree_contacts_beside( bvtree_contacts* q, const bvtree_near* t );

/// @return the shape's least product with a unit vector
double bvtree_contacts_lowest( bvtree_contacts* q, bv_vec3 along );

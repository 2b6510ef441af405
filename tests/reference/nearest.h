// The distance of a point to triangles by looking at every one, to judge nearest-face searches by.
//
// Shares nothing with src. The nearest point of a triangle is sought in its interior and on its three sides, and every
// candidate is a convex combination of corners: rounding can make a distance too great, of needles mostly, but never less
// than that to some point of the triangle.

#pragma once

#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A triangle, ready for many points.
typedef struct nearest_face
{
	bv_vec3 corner[3];  ///< mesh units
	bv_vec3 side[3];    ///< from corner k to the next
	double inverse[3];  ///< 1 over each side's squared length; 0 if that is 0
	bv_vec3 inwards[3]; ///< normal to side k in the plane, towards the triangle
	bool thin; ///< its interior may be missed by the rounding of `inwards`, so that sides are looked at too
} nearest_face;

/// Triangles, ready for many points.
typedef struct nearest_faces
{
	nearest_face* face; ///< count of them
	uint32_t count;     ///< at least 1
} nearest_faces;

nearest_face nearest_face_of( const bv_vec3 corner[3] );

/// Prepares triangles first ... first + count - 1 of a mesh.
/// @param out  to be freed by nearest_free
/// @return false when there are none or no memory
bool nearest_prepare( const bvb_mesh* mesh, uint32_t first, uint32_t count, nearest_faces* out );

void nearest_free( nearest_faces* faces );

/// @param point  receives the nearest point; may be null
/// @return the square of the distance
double nearest_on_face( const nearest_face* face, bv_vec3 x, bv_vec3* point );

/// @param point  receives the nearest point; may be null
/// @return the distance to the nearest of all triangles
double nearest_distance( const nearest_faces* faces, bv_vec3 x, bv_vec3* point );

/// The same, in arithmetic of 113 bits.
/// @return the distance, correctly rounded but for a unit in the last place
double nearest_distance_exact( const nearest_faces* faces, bv_vec3 x );

/// How often the triangles wrap around a point: the sum of their solid angles (van Oosterom and Strackee 1983, equation 8)
/// over 4 pi.
double nearest_winding( const nearest_faces* faces, bv_vec3 x );

#ifdef __cplusplus
}
#endif

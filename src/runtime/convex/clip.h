// Cuts convex polyhedra by planes, in memory of the caller's.
//
// On which side of the plane a corner is, is decided once, and edges are cut once for both of their faces, so
// that whatever rounding decides both halves are closed. Faces are cut as by I. E. Sutherland, G. W. Hodgman,
// "Reentrant polygon clipping", 1974, all at once; the new corners, joined up, are the face that both halves
// get.

#pragma once

#include "bv/base.h"

/// A convex polyhedron.
typedef struct bvconvex_polytope
{
	bv_vec3* corners;      ///< its corners
	uint32_t corner_count; ///< length of corners; 0: empty
	uint32_t* loops;       ///< corners of face after face, in order around each
	uint32_t* first;       ///< where in loops each face begins; face_count + 1 of them
	uint32_t face_count;   ///< faces
} bvconvex_polytope;

/// How much a polyhedron has room for.
typedef struct bvconvex_polytope_room
{
	uint32_t corners;
	uint32_t sides; ///< of all faces: length of loops
	uint32_t faces;
} bvconvex_polytope_room;

/// An edge that is cut.
typedef struct bvconvex_crossing
{
	bv_vec3 at;     ///< the new corner
	uint32_t below; ///< corner of the whole
	uint32_t above; ///< ...
	uint32_t next;  ///< for the work

	/// crossings round the new face of the half below; where there are several, one after another
	uint32_t ring;

	bool ends; ///< whether that is the last one of a face
} bvconvex_crossing;

/// Where faces of halves begin, and with that in which order new corners come. Sums round a face depend on it
/// by rounding.
typedef enum bvconvex_clip_order
{
	bvconvex_clip_as_before, ///< with what is left of the side that they began with
	bvconvex_clip_with_old,  ///< with a corner of the whole
} bvconvex_clip_order;

/// A cut, before its halves are made. The caller sets the first four.
typedef struct bvconvex_clip
{
	bvconvex_clip_order order;
	bvconvex_crossing* crossing; ///< room for `most` of them
	uint32_t most;               ///< as many as a polyhedron has sides is always enough
	uint32_t* number;            ///< room for the corners of the whole: where they go in a half
	uint32_t count;              ///< of crossings: new corners of each half
	uint32_t listed;             ///< of them, in new faces

	/// each face is cut once or not at all, and there is one new face: not so where only rounding tells
	/// heights apart
	bool plain;
} bvconvex_clip;

/// Finds the edges that a plane cuts.
/// @param height  of each corner above the plane; those above 0 are above it, all others below
/// @return false if there is no room
bool bvconvex_clip_find( const bvconvex_polytope* whole, const double* height, bvconvex_clip* clip );

/// Makes a half. Corners keep the order of the whole's, and new ones follow.
/// @param above  which half
/// @param room   of the half, whose arrays the caller gives
/// @return false if there is not enough; the half is not to be used then
bool bvconvex_clip_half( const bvconvex_polytope* whole, const double* height, const bvconvex_clip* clip,
                         bool above, const bvconvex_polytope_room* room, bvconvex_polytope* half );

// The pieces that the cells of an octree cut faces into: what is covered as a whole by spheres about the
// medial axis.

#pragma once

#include "offline/literature/spheres/octree.h"

/// Pieces of faces, convex, in the order of the octree's leaves, which is that of a space-filling curve.
typedef struct bvlit_face_pieces
{
	bvlit_octree octree;    ///< whose leaves they are in, all in one level
	bv_vec3* corners;       ///< of all pieces
	uint32_t* first_corner; ///< of each piece, and the end
	uint32_t* face;         ///< of each piece: what it is a piece of
	bv_vec3* middle;        ///< of each piece: the mean of its corners
	uint32_t* first_piece;  ///< of each cell that is a leaf: it has one piece for each of its faces
	uint32_t count;         ///< of pieces, at least 1
} bvlit_face_pieces;

/// Cuts the faces of a mesh: as many leaves as it has faces, but not fewer than some thousand if it can be
/// divided, or more than ten thousand or so.
/// @param more   room in `middle` for so many points besides
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvlit_cut_faces( const bvb_mesh* mesh, uint32_t more, bvb_arena* arena, bvlit_face_pieces* out );

/// @return how many corners a piece has
static inline uint32_t bvlit_corner_count( const bvlit_face_pieces* pieces, uint32_t piece )
{
	return pieces->first_corner[piece + 1] - pieces->first_corner[piece];
}

/// @return a piece that is about as near to a point of the surface as any: of the leaf it is in, that with
///         the nearest middle
uint32_t bvlit_piece_near( const bvlit_face_pieces* pieces, bv_vec3 point );

/// @return the distance of the farthest point
double bvlit_reach_of( const bv_vec3* points, uint32_t count, bv_vec3 center );

/// @return the distance of a piece's farthest point
static inline double bvlit_reach_of_piece( const bvlit_face_pieces* pieces, uint32_t piece, bv_vec3 center )
{
	return bvlit_reach_of( pieces->corners + pieces->first_corner[piece], bvlit_corner_count( pieces, piece ),
	                       center );
}

/// @return the sphere, larger by what rounding may take from it
bv_sphere bvlit_grown_sphere( bv_vec3 center, double radius );

/// @return the least sphere round points, at least one
bv_sphere bvlit_least_sphere( const bv_vec3* points, uint32_t count );

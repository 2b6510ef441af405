// Pieces of a mesh's triangles, each of them near one face of the surface that stands for them: together they prove that all
// of the mesh is near the surface, and a change of some faces is a matter of their pieces alone.

#pragma once

#include "base/core/vec.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"
#include "hausdorff/distance.h"

/// A piece.
typedef struct bvb_piece
{
	bv_vec3 corner[3];
	uint32_t next;   ///< of the same face
	uint32_t target; ///< of a change that is tried: which of the new faces it is near
} bvb_piece;

/// All pieces. They are in blocks, so that none ever moves.
typedef struct bvb_pieces
{
	bvb_piece** blocks;   ///< of bvb_piece_block each
	uint32_t block_count; ///< length of blocks
	uint32_t used;        ///< of the last block
	uint32_t* first;      ///< of each face, a piece; BVB_NO_PIECE for none
	bvb_arena* arena;     ///< where blocks come from
	double tolerance;     ///< what is no farther is near
	double least;         ///< pieces of this size are not parted any more
} bvb_pieces;

#define BVB_NO_PIECE UINT32_MAX

/// A piece for each triangle, near the face of the same number.
/// @param arena  kept
/// @return false when out of memory
bool bvb_pieces_create( const bvb_mesh* mesh, double tolerance, bvb_arena* arena, bvb_pieces* out );

/// Finds for each piece of a face one of others that it is near, and parts pieces where there is only one for each of their
/// corners.
/// @return false when there is none, or out of memory
bool bvb_pieces_find( bvb_pieces* p, uint32_t face, const bvb_framed_triangle* faces, uint32_t count );

/// Takes all pieces of a face away.
/// @return the first of them
uint32_t bvb_pieces_take( bvb_pieces* p, uint32_t face );

/// Gives pieces that were taken to the faces that were found for them.
/// @param first   of the pieces
/// @param number  of each of the faces that were looked at
void bvb_pieces_give( bvb_pieces* p, uint32_t first, const uint32_t* number );

// Pieces of a mesh's triangles, each of them near one face of the surface that stands for them: together they
// prove that all of the mesh is near the surface, and a change of some faces is a matter of their pieces
// alone. Pieces are halves of pieces or whole triangles. What a change takes away as a whole is put together
// again before it is parted anew, so that pieces are no smaller than the surface wants them.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"
#include "offline/hausdorff/distance.h"
#include "runtime/math/vec.h"

/// A piece.
typedef struct bvsimplify_piece
{
	bv_vec3 corner[3];
	uint32_t parent;   ///< what this is a half of; BVSIMPLIFY_NO_PIECE of a whole triangle
	uint32_t half[2];  ///< what it is parted into; BVSIMPLIFY_NO_PIECE if it is not
	uint32_t next;     ///< of the same face
	uint32_t target;   ///< which of the new faces it is near
	uint32_t depth;    ///< how often it was parted
	uint32_t taken;    ///< the last change that was to take all of it away
	uint32_t whole;    ///< the last change that was to put it together again
	uint32_t anew;     ///< what that change has in its place
	uint32_t next_top; ///< of what that change puts together
} bvsimplify_piece;

/// All pieces. They are in blocks, so that none ever moves.
typedef struct bvsimplify_pieces
{
	bvsimplify_piece** blocks; ///< of piece_block each
	uint32_t block_count;      ///< length of blocks
	uint32_t used;             ///< of the last block
	uint32_t most_blocks;      ///< there are never more
	uint32_t spare;            ///< a piece that is not used; BVSIMPLIFY_NO_PIECE for none
	uint32_t* first;           ///< of each face, a piece; BVSIMPLIFY_NO_PIECE for none
	uint32_t change;           ///< number of the change that is tried
	uint32_t top;              ///< a piece that it puts together; BVSIMPLIFY_NO_PIECE for none
	bvb_arena* arena;          ///< where blocks come from
	double tolerance;          ///< what is no farther is near
	double least;              ///< pieces of this size are not parted any more
} bvsimplify_pieces;

#define BVSIMPLIFY_NO_PIECE UINT32_MAX

/// A piece for each triangle, near the face of the same number.
/// @param arena  kept
/// @return false when out of memory
bool bvsimplify_pieces_create( const bvb_mesh* mesh, double tolerance, bvb_arena* arena,
                               bvsimplify_pieces* out );

/// Finds for all pieces of some faces others that they are near, and parts pieces where there is only one for
/// each of their corners. Nothing changes until bvsimplify_pieces_keep.
/// @param old    faces whose pieces these are
/// @param faces  that they are to be near
/// @return false when there are none, that takes too many pieces, or out of memory
bool bvsimplify_pieces_find( bvsimplify_pieces* p, const uint32_t* old, uint32_t old_count,
                             const bvhaus_framed_triangle* faces, uint32_t count );

/// Gives all pieces to the faces that were found for them.
/// @param old     as for bvsimplify_pieces_find
/// @param number  of each of the faces that were looked at
void bvsimplify_pieces_keep( bvsimplify_pieces* p, const uint32_t* old, uint32_t old_count,
                             const uint32_t* number );

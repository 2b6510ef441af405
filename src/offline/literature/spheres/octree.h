// Octrees of a surface: cells that faces pass through, and the pieces of faces in them. What Palmer's and
// Hubbard's trees share.

#pragma once

#include "bv/shape.h"
#include "bvbuild/mesh.h"
#include "offline/base/arena.h"
#include "offline/literature/spheres/sphere_tree.h"

enum
{
	bvlit_piece_corners =
		12, ///< a triangle, cut by the six planes of a cell and the three through its middle
};

/// A convex piece of a face.
typedef struct bvlit_piece
{
	bv_vec3 corner[bvlit_piece_corners]; ///< in order round the piece
	uint32_t count;                      ///< how many there are, at least 1
} bvlit_piece;

/// Cuts a face with the planes of a box.
/// @param box  that the face passes through; where rounding says that it does not, the piece is what of it is
///             nearest
void bvlit_piece_of_face( const bvb_mesh* mesh, uint32_t face, const bv_aabb* box, bvlit_piece* out );

/// A box that a face passes through. The boxes of its children are those of its eight octants that faces pass
/// through.
typedef struct bvlit_octree_cell
{
	bv_aabb box;          ///< mesh units
	uint32_t first_child; ///< children are neighbors, in the order of octants: x counts 1, y 2, z 4
	uint32_t children;    ///< 0 for a leaf, else 1 .. 8
	uint32_t first_face;  ///< begin of its range of bvlit_octree.face
	uint32_t faces;       ///< length of it
	uint32_t depth;       ///< of the root 0
} bvlit_octree_cell;

/// Cells level by level. A face is in all cells that it passes through, and a piece of it on the plane
/// between two is in one.
typedef struct bvlit_octree
{
	bvlit_octree_cell* cells; ///< the root first
	uint32_t cell_count;      ///< at least 1
	uint32_t* face;           ///< of each cell a range
	uint32_t face_count;      ///< length of face
	bool cut_short;           ///< whether there were to be more cells than there may
} bvlit_octree;

/// What cells are divided.
typedef struct bvlit_octree_rule
{
	bool cubes;          ///< whether the root is a cube; else it is the box round all faces
	uint32_t leaf_faces; ///< only cells of more faces are divided
	bool apart; ///< only cells whose faces can be told apart there: not where they share a corner or side
	uint32_t max_depth;   ///< only cells above are divided
	uint32_t most_cells;  ///< no more cells than this, at least 1
	uint32_t most_listed; ///< faces of all cells together, at least the mesh's
} bvlit_octree_rule;

/// Makes one.
/// @param arena  the result lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_memory
bv_status bvlit_octree_create( const bvb_mesh* mesh, const bvlit_octree_rule* rule, bvb_arena* arena,
                               bvlit_octree* out );

/// Makes one of cubes whose leaves are all in one level, the deepest that has few enough.
/// @param max_depth   no deeper than this
/// @param most_leaves not fewer than 1
/// @param arena       the result lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_memory
bv_status bvlit_octree_create_even( const bvb_mesh* mesh, uint32_t max_depth, uint32_t most_leaves,
                                    bvb_arena* arena, bvlit_octree* out );

/// Makes a sphere tree of the cells: each has the sphere round it, and leaves list the cells' faces.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvlit_spheres_of_octree( const bvlit_octree* octree, bvb_arena* arena, bvlit_sphere_tree* out );

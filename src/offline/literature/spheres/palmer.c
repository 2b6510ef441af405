// Sphere trees by I. J. Palmer, R. L. Grimsdale, "Collision detection for animation using sphere-trees",
// Computer Graphics Forum 14(2), 1995: the box round all faces is divided into octants as long as a cell
// holds more than two faces, and each cell that holds any is enclosed by a sphere. A face is in all cells
// that it passes through.
//
// Two faces a cell are what the paper found to be good; how many is an option here. Where more faces than
// that meet in a corner or side, no division takes them apart: a cell whose faces all share one that is in
// the cell stays whole. And there are at most 16 cells for each face, or 4096, so that faces which run
// through each other end the division too: then the cells that are left, all of the last two levels, stay as
// they are.

#include "offline/literature/spheres/octree.h"
#include "offline/literature/spheres/sphere_tree.h"

enum
{
	cells_per_face = 16,
	cells_at_least = 4096,
	listed_per_face = 64,
};

static uint32_t at_most( uint64_t count )
{
	return count < UINT32_MAX / 2 ? (uint32_t)count : UINT32_MAX / 2;
}

bv_status bvlit_spheres_palmer_grimsdale( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                          bvb_arena* arena, bvlit_sphere_tree* out )
{
	uint64_t count = mesh->triangle_count;
	bvlit_octree_rule rule = {
		.leaf_faces = options->leaf_faces,
		.apart = true,
		.max_depth = options->max_depth,
		.most_cells = at_most( cells_at_least + cells_per_face * count ),
		.most_listed = at_most( cells_at_least + listed_per_face * count ),
	};
	bvlit_octree octree;
	bv_status status = bvlit_octree_create( mesh, &rule, arena, &octree );
	if ( status != bv_ok )
	{
		return status;
	}
	return bvlit_spheres_of_octree( &octree, arena, out );
}

// Sphere trees as their papers make them, from a mesh alone. What a sphere stands for is a piece of the surface, such as the part
// of it in a cell of an octree, and a face may be in several leaves. src/hierarchy/build_spheres.c makes hierarchies for files of
// them.

#pragma once

#include "base/offline/arena.h"
#include "bv/volume.h"
#include "bvbuild/mesh.h"

/// One sphere.
typedef struct bvb_sphere_node
{
	bv_sphere sphere; ///< mesh units
	uint32_t
		first_child; ///< index of the first of `children` nodes, above the node's own; children are neighbours
	uint32_t children;   ///< 0 for a leaf, else 1 .. BVB_MAX_CHILDREN
	uint32_t first_face; ///< of a leaf: begin of its range of bvb_sphere_tree.face
	uint32_t faces;      ///< of a leaf: length of that range, may be 0; 0 for other nodes
} bvb_sphere_node;

/// A tree of spheres. Every point of every face is in the sphere of some leaf that lists the face, and in those of all nodes above
/// that leaf, up to rounding.
typedef struct bvb_sphere_tree
{
	bvb_sphere_node* nodes; ///< node_count of them, the root first
	uint32_t node_count;    ///< at least 1
	uint32_t* face;         ///< indices of the mesh's triangles, leaf by leaf; each is there at least once
	uint32_t face_count;    ///< length of face
} bvb_sphere_tree;

/// How to make one.
typedef struct bvb_sphere_options
{
	uint32_t
		leaf_faces; ///< cells of at most so many faces are not divided, at least 1; of builders with cells
	uint32_t max_depth; ///< no node is deeper, 0 .. BV_MAX_DEPTH
	uint64_t seed;      ///< of builders that choose at random
	int team;           ///< how many threads there may be; the result is the same for any number
} bvb_sphere_options;

/// Makes one.
/// @param mesh   of record: no degenerate triangles, at least one triangle
/// @param arena  the result lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_memory
typedef bv_status bvb_sphere_builder( const bvb_mesh* mesh, const bvb_sphere_options* options,
                                      bvb_arena* arena, bvb_sphere_tree* out );

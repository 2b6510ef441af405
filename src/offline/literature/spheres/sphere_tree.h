// Sphere trees as their papers make them, from a mesh alone. What a sphere stands for is a piece of the
// surface, such as the part of it in a cell of an octree, and a face may be in several leaves.
// src/offline/literature/build_spheres.c makes hierarchies for files of them.

#pragma once

#include "bv/shape.h"
#include "bvbuild/mesh.h"
#include "offline/base/arena.h"

/// One sphere.
typedef struct bvlit_sphere_node
{
	bv_sphere sphere; ///< mesh units

	/// index of the first of `children` nodes, above the node's own; children are neighbors
	uint32_t first_child;

	uint32_t children;   ///< 0 for a leaf, else 1 .. BVB_MAX_CHILDREN
	uint32_t first_face; ///< of a leaf: begin of its range of bvlit_sphere_tree.face
	uint32_t faces;      ///< of a leaf: length of that range, may be 0; 0 for other nodes
} bvlit_sphere_node;

/// A tree of spheres. Every point of every face is in the sphere of some leaf that lists the face, and in
/// those of all nodes above that leaf, up to rounding.
typedef struct bvlit_sphere_tree
{
	bvlit_sphere_node* nodes; ///< node_count of them, the root first
	uint32_t node_count;      ///< at least 1
	uint32_t* face;           ///< indices of the mesh's triangles, leaf by leaf; each is there at least once
	uint32_t face_count;      ///< length of face
} bvlit_sphere_tree;

/// How to make one.
typedef struct bvlit_sphere_options
{
	/// cells of at most so many faces are not divided, at least 1; of builders with cells
	uint32_t leaf_faces;

	uint32_t max_depth; ///< no node is deeper, 0 .. BV_MAX_DEPTH
	uint64_t seed;      ///< of builders that choose at random
	int team;           ///< how many threads there may be; the result is the same for any number
} bvlit_sphere_options;

/// Makes one.
/// @param mesh   of record: no degenerate triangles, at least one triangle
/// @param arena  the result lives here, and scratch memory comes from here
/// @return bv_ok; bv_error_memory
typedef bv_status bvlit_sphere_builder( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                        bvb_arena* arena, bvlit_sphere_tree* out );

/// Spheres on grids in the faces, halved: Quinlan 1994.
bvlit_sphere_builder bvlit_spheres_quinlan;

/// The same with faces for leaves: Eckstein 1998.
bvlit_sphere_builder bvlit_spheres_quinlan_faces;

/// Octants of no more than two faces, or as many as leaf_faces says: Palmer, Grimsdale 1995.
bvlit_sphere_builder bvlit_spheres_palmer_grimsdale;

/// Octants of one size, their spheres annealed by the certified directed Hausdorff distance: Hubbard 1995.
bvlit_sphere_builder bvlit_spheres_hubbard_octree;

/// The same by Hubbard's estimate of the distance.
bvlit_sphere_builder bvlit_spheres_hubbard_octree_estimate;

/// The same with the spheres round the octants, as they are before.
bvlit_sphere_builder bvlit_spheres_hubbard_octree_plain;

/// Spheres about inner Voronoi vertices of samples of the surface, merged eight at a time: Hubbard 1996.
bvlit_sphere_builder bvlit_spheres_hubbard_medial;

/// Spheres of a medial axis that is refined where they protrude, reduced to eight at a time: Bradshaw,
/// O'Sullivan 2004.
bvlit_sphere_builder bvlit_spheres_adaptive_medial;

/// Spheres that protrude as little as may be, merged from the leaves up. Ours.
bvlit_sphere_builder bvlit_spheres_merged;

/// @return the distance from a point to a surface, mesh units
typedef double bvlit_dodecahedron_distance( void* context, bv_vec3 point );

/// Hubbard's estimate of the directed Hausdorff distance from a sphere's surface (1995, as Eckstein 1998,
/// section 3.5, has it): the greatest distance from the corners of a dodecahedron on it, and the length of
/// the dodecahedron's sides besides.
/// @return mesh units
double bvlit_dodecahedron_estimate( bvlit_dodecahedron_distance* distance_of, void* context,
                                    const bv_sphere* sphere );

/// Whether simulated annealing goes from one state to another (Metropolis and others 1953): always to what is
/// no worse, otherwise with the probability e^( -( after - before ) / heat ).
/// @param before, after  energies
/// @param heat           the temperature, in units of energy; at 0 nothing worse is taken
/// @param random         moves on where chance decides
bool bvlit_annealing_takes( double before, double after, double heat, uint64_t* random );

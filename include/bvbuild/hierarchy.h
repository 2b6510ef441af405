// Bounding volume hierarchies over a mesh of record.
//
// The top-down frame of J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.6: start with all
// triangles, split every node's set until it is small enough, the depth limit is reached, or the splitter
// cannot separate it.

#pragma once

#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A hierarchy; its nodes are read through the functions below. Lives in the arena it was made in.
typedef struct bvb_tree bvb_tree;

/// How to build.
typedef struct bvb_hierarchy_options
{
	const char* splitter;    ///< a name of bvb_splitter_name; default "gottschalk"
	const char* node_box;    ///< a name of bvb_node_box_name; default "dito"
	uint32_t leaf_triangles; ///< sets of at most so many triangles are leaves; default 1
	uint32_t max_depth;      ///< 0 .. BV_MAX_DEPTH; default BV_MAX_DEPTH
	uint32_t threads;        ///< 0, the default, means all processors; the result is the same for any number
} bvb_hierarchy_options;

/// @return the defaults above
bvb_hierarchy_options bvb_hierarchy_options_default( void );

/// @return the name of the splitter `index`, with what it does in `summary` unless that is null; null
///         past the last
const char* bvb_splitter_name( uint32_t index, const char** summary );

/// @return the name of the way `index` of fitting a node's box, with what it does in `summary` unless that is null;
///         null past the last
const char* bvb_node_box_name( uint32_t index, const char** summary );

/// Builds a binary tree of oriented boxes, and puts the mesh into the tree's order: the triangles of
/// every node become one range, and vertices are numbered by first use.
/// @param mesh   without degenerate triangles; reordered in place
/// @param arena  the tree lives here; scratch memory is taken from elsewhere and returned
/// @return bv_ok; bv_error_argument for an unknown splitter or node_box, leaf_triangles 0, a mesh without triangles
///         or a depth above BV_MAX_DEPTH; bv_error_memory
bv_status bvb_hierarchy_build( bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* arena,
                               bvb_tree** out, bvb_error* error );

/// One node.
typedef struct bvb_node
{
	uint32_t first_child;    ///< index of the first of `children` nodes; children of a node are neighbours
	uint32_t children;       ///< 0 for a leaf, else at least 2
	uint32_t first_triangle; ///< the triangles below are a range of the mesh's triangles
	uint32_t triangles;      ///< length of that range, at least 1
	bv_obb box;              ///< as decoded from its stored form
} bvb_node;

/// @return the number of nodes; node 0 is the root, and every child's index is above its parent's
uint32_t bvb_tree_node_count( const bvb_tree* tree );

/// @param index  below bvb_tree_node_count
bvb_node bvb_tree_node( const bvb_tree* tree, uint32_t index );

/// Makes a tree of nodes that are kept elsewhere, such as in a file.
/// @param node   gives one of them as bvb_tree_node would, in the same order
/// @param count  how many there are, at least 1
/// @param arena  the tree lives here
/// @return null when out of memory
bvb_tree* bvb_tree_from( bvb_node ( *node )( const void* context, uint32_t index ), const void* context,
                         uint32_t count, bvb_arena* arena );

/// Gives the root another box if that has less volume: the root's is worth more work than those of all the nodes.
/// @param box  encloses all triangles; a result of bvb_fit_obb
void bvb_tree_improve_root( bvb_tree* tree, const bv_obb* box );

#ifdef __cplusplus
}
#endif

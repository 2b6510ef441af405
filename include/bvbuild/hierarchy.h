// Builds bounding volume hierarchies over a mesh of record.
//
//     #include <bvbuild/hierarchy.h>
//     #include <stdio.h>
//
//     // Builds a tree of oriented boxes with up to four triangles per leaf. Reorders the mesh.
//     bv_status build( bvb_mesh* mesh, bvb_arena* arena, bvb_tree** tree, bvb_error* error )
//     {
//         bvb_hierarchy_options options = bvb_hierarchy_options_default();
//         options.leaf_triangles = 4;
//         bv_status status = bvb_hierarchy_build( mesh, &options, arena, tree, error );
//         if ( status == bv_ok )
//             printf( "%u nodes\n", (unsigned)bvb_tree_node_count( *tree ) );
//         return status;
//     }
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.6. The top-down builder starts
// with all triangles and splits the set of each node until it is small enough, the maximum depth is reached,
// or the splitter cannot separate it. Other builders use their own methods.

#pragma once

#include "bv/inspect.h"
#include "bv/shape.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A hierarchy, read through the functions of this header. Lives in the arena of the function that made it.
typedef struct bvb_tree bvb_tree;

/// The quality measure of a node or of a split. Smaller is better (Eckstein 1998, section 3.5).
typedef enum bvb_quality_measure
{
	bvb_quality_area = 0, ///< surface area of the volume; the default
	bvb_quality_volume,   ///< volume of the volume
	bvb_quality_diameter, ///< diameter of the volume

	/// Maximum distance from a point of the volume to the triangles: the upper bound of the solid error,
	/// certified to a tenth.
	bvb_quality_hausdorff,
} bvb_quality_measure;

/// How the qualities of several nodes are combined.
typedef enum bvb_aggregate
{
	bvb_aggregate_mean = 0, ///< mean; the default
	bvb_aggregate_max,      ///< maximum
} bvb_aggregate;

/// @return the name of a bvb_quality_measure, as in --quality; null past the last
const char* bvb_quality_name( uint32_t quality );

/// @return the name of a bvb_aggregate, as in --aggregate; null past the last
const char* bvb_aggregate_name( uint32_t aggregate );

/// Options of bvb_hierarchy_build.
typedef struct bvb_hierarchy_options
{
	const char* builder;  ///< a name of bvb_builder_name; default "sah"
	const char* splitter; ///< a name of bvb_splitter_name, for the builder "topdown"; default "sah"

	/// Allowed types of volumes: a set of bits 1 << bv_volume_type. If several are allowed, each node has the
	/// type with the best quality. Default bv_volume_obb.
	uint32_t volume_types;

	/// If several types are allowed: the mean number of tests that follow when a volume is hit. Each is
	/// charged at the mean cost of the types, in addition to the volume's own test. With 0 only the latter
	/// counts, as in Eckstein 1998. Default 2.
	double hit_tests;

	/// How oriented boxes are fitted: a name of bvb_node_box_name; default "pca". The builders "sah" and
	/// "binned" work with axis-aligned boxes and fit oriented boxes to the finished tree, unless there are
	/// several types of volumes, a refit, or subtrees are moved.
	const char* node_box;

	/// How oriented boxes are fitted again after the tree is finished: a name of bvb_node_box_name. Null, the
	/// default, for no refit.
	const char* refit;

	uint32_t degree;     ///< children per node, 2 to BVB_MAX_DEGREE; 0 for adaptive; default 2
	double improvement;  ///< adaptive: fraction of the node's quality to reach, at most 1; default 0.75
	uint32_t max_degree; ///< adaptive: maximum number of children, 2 to BVB_MAX_DEGREE; default 6

	/// Adaptive: a node with fewer triangles becomes a leaf if no split improves it enough. Default 2.
	uint32_t min_faces;

	bvb_quality_measure quality; ///< the measure to minimize; default bvb_quality_area

	/// How the qualities of several nodes are combined; default bvb_aggregate_mean.
	bvb_aggregate aggregate;

	bv_costs costs;         ///< costs of the steps of a query; default bvb_costs_default
	uint64_t search_budget; ///< branch and bound: maximum number of open problems per node; default 100000
	uint64_t seed;          ///< seed of splitters that use random numbers; default 0

	/// For degree 2: maximum number of rounds of moving subtrees to positions with a lower expected cost.
	/// Subtrees deep below the convex hull have less weight. Default 0.
	uint32_t optimize;

	/// For degree 2: collapse the tree. Removes nodes that cost more than they save, and fills leaves with up
	/// to leaf_triangles triangles. The value is the maximum number of children, 2 to BVB_MAX_CHILDREN. If
	/// max_depth restricts the tree, it can become more expensive than before. Default 0: do not collapse.
	uint32_t collapse;

	/// For collapsed trees: the price of a byte of the stored hierarchy per triangle of the mesh, in the unit
	/// of the costs. Collapsing minimizes the expected cost of a query plus this price times the number of
	/// bytes per triangle. Default 100.
	double byte_price;

	uint32_t leaf_triangles; ///< maximum number of triangles per leaf; default 1
	uint32_t max_depth;      ///< 0 to BV_MAX_DEPTH; default BV_MAX_DEPTH
	uint32_t threads;        ///< 0, the default, for all processors; same result for any number
} bvb_hierarchy_options;

/// The maximum number of parts that a splitter makes of a node.
#define BVB_MAX_DEGREE 6

/// The maximum number of children of a node of a collapsed tree.
#define BVB_MAX_CHILDREN 8

/// The maximum cost of a step.
#define BVB_MAX_COST 1e9

/// The maximum price of a byte.
#define BVB_MAX_BYTE_PRICE 1e9

/// The maximum number of tests that follow a hit.
#define BVB_MAX_HIT_TESTS 1e6

/// @return the defaults listed in bvb_hierarchy_options
bvb_hierarchy_options bvb_hierarchy_options_default( void );

/// Returns the built-in costs. They were measured once, with AVX2, and are the same on all machines, so that
/// files are the same.
bv_costs bvb_costs_default( void );

/// Parses costs. The text has a line `TYPE TYPE COST` for each pair of volume types, and the lines `triangles
/// COST`, `opening COST` and `leaf COST`, in any order. The order of the two types is not significant. Empty
/// lines and lines that start with # are skipped. Missing pairs with a prism or a later type get the costs of the same pairs
/// with a rectangle swept sphere.
/// @param text   `size` bytes, not zero-terminated
/// @return bv_ok; bv_error_input for an invalid line, a missing or duplicate pair, or a cost that is not
/// positive and at most BVB_MAX_COST; the message contains the line
bv_status bvb_costs_parse( const char* text, size_t size, bv_costs* out, bvb_error* error );

/// Measures the costs on this machine, in nanoseconds of processor time: those that best explain the time of
/// bv_mesh_collide near contact, on trees of all types. Takes some seconds.
/// @return bv_ok; bv_error_memory
bv_status bvb_costs_measure( bv_costs* out, bvb_error* error );

/// Returns the names of the builders.
/// @param index    counted from 0
/// @param summary  receives a description; may be null
/// @return the name; null past the last
const char* bvb_builder_name( uint32_t index, const char** summary );

/// Properties of a builder: which options it uses.
typedef struct bvb_builder_traits
{
	bool divides;  ///< uses the option `splitter`
	bool random;   ///< uses the option `seed`
	bool measures; ///< uses the option `quality`, even with one type of volume
	bool binary;   ///< makes only trees of degree 2, before collapsing

	/// Chooses the number of children itself: `degree` must be 2, and `optimize` and `collapse` must be 0.
	bool own_degree;

	bool sized;      ///< supports only qualities based on size: not bvb_quality_hausdorff
	bool own_boxes;  ///< fits oriented boxes by its own rules: ignores `node_box` if all nodes are boxes
	bool own_leaves; ///< ignores `leaf_triangles`

	uint32_t volume_types;   ///< types of its paper, as in bvb_hierarchy_options; 0 for any
	uint32_t leaf_triangles; ///< value of its paper; 0 if ignored
} bvb_builder_traits;

/// @return properties of the builder with that name; null if there is no such builder
const bvb_builder_traits* bvb_builder_traits_of( const char* name );

/// Returns the names of the splitters.
/// @param index    counted from 0
/// @param summary  receives a description; may be null
/// @return the name; null past the last
const char* bvb_splitter_name( uint32_t index, const char** summary );

/// Returns the names of the methods for fitting the box of a node.
/// @param index    counted from 0
/// @param summary  receives a description; may be null
/// @return the name; null past the last
const char* bvb_node_box_name( uint32_t index, const char** summary );

/// Builds a tree and reorders the mesh: the triangles of every node become consecutive, and vertices are
/// numbered by first use.
/// @param mesh   without degenerate triangles; reordered in place
/// @param arena  the tree lives here; scratch memory is allocated elsewhere and freed
/// @return bv_ok; bv_error_argument for an unknown name, an option that is out of range, or a mesh without
/// triangles; bv_error_memory
bv_status bvb_hierarchy_build( bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* arena,
                               bvb_tree** out, bvb_error* error );

/// A node of a tree.
typedef struct bvb_node
{
	uint32_t first_child;    ///< index of the first child; the children of a node are consecutive
	uint32_t children;       ///< number of children: 0 for a leaf, otherwise at least 2
	uint32_t first_triangle; ///< first triangle of the subtree; its triangles are consecutive in the mesh
	uint32_t triangles;      ///< number of triangles of the subtree, at least 1
	bv_volume volume;        ///< as decoded from its stored form
} bvb_node;

/// @return the number of nodes; node 0 is the root, and the index of a child is larger than that of its
/// parent
uint32_t bvb_tree_node_count( const bvb_tree* tree );

/// @param index  less than bvb_tree_node_count
/// @return the node
bvb_node bvb_tree_node( const bvb_tree* tree, uint32_t index );

/// Creates a tree from nodes that are stored elsewhere, for example in a file.
/// @param node     a function like bvb_tree_node, with the same order of nodes
/// @param context  passed to `node`
/// @param count    number of nodes, at least 1
/// @param arena    the tree lives here
/// @return the tree; null if out of memory
bvb_tree* bvb_tree_from( bvb_node ( *node )( const void* context, uint32_t index ), const void* context,
                         uint32_t count, bvb_arena* arena );

/// Rounds the volumes of all nodes except the root to their stored form: integer codes in a frame shared by
/// siblings. Each rounded volume encloses the triangles of its subtree. Required before a tree is encoded;
/// errors are measured for the rounded volumes.
/// @param mesh     in the order of the tree
/// @param threads  0 for all processors; same result for any number
/// @param arena    receives additional data of the tree
/// @return bv_ok; bv_error_memory
bv_status bvb_tree_snap( bvb_tree* tree, const bvb_mesh* mesh, uint32_t threads, bvb_arena* arena,
                         bvb_error* error );

/// Replaces the box of the root, oriented or axis-aligned, if the given box has a smaller volume. This allows
/// a more expensive fit for the root than for the other nodes.
/// @param types  volume types allowed by the build; without oriented boxes, nothing is changed
/// @param box    encloses all triangles; a result of bvb_fit_obb
void bvb_tree_improve_root( bvb_tree* tree, uint32_t types, const bv_obb* box );

#ifdef __cplusplus
}
#endif

// Bounding volume hierarchies over a mesh of record.
//
// The top-down frame of J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.6: start with all
// triangles, split every node's set until it is small enough, the depth limit is reached, or the splitter
// cannot separate it. Other builders make whole trees in their own ways.

#pragma once

#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A hierarchy; its nodes are read through the functions below. Lives in the arena it was made in.
typedef struct bvb_tree bvb_tree;

/// The measure that builders minimize for a node, or for the parts of a split (Eckstein 1998, section 3.5).
typedef enum bvb_quality_measure
{
	bvb_quality_area = 0, ///< surface area of the volume; the default
	bvb_quality_volume,   ///< its volume
	bvb_quality_diameter, ///< its diameter
	bvb_quality_hausdorff, ///< how far a point of it can be from the triangles: the certified upper bound of the solid
						   ///< distance, to a tenth
} bvb_quality_measure;

/// How the measures of several nodes are combined.
typedef enum bvb_aggregate
{
	bvb_aggregate_mean = 0, ///< their mean; the default
	bvb_aggregate_max,      ///< their maximum
} bvb_aggregate;

/// @return the word for a bvb_quality_measure, as in --quality; null past the last
const char* bvb_quality_name( uint32_t quality );

/// @return the word for a bvb_aggregate, as in --aggregate; null past the last
const char* bvb_aggregate_name( uint32_t aggregate );

/// How to build.
typedef struct bvb_hierarchy_options
{
	const char* builder;  ///< a name of bvb_builder_name; default "sah"
	const char* splitter; ///< a name of bvb_splitter_name, for topdown; default "sah"

	/// A bit, 1 << type, for each type that nodes may have; of several each node takes that of the best quality. Default
	/// bv_volume_obb.
	uint32_t volume_types;

	/// Only with several volume types: the average number of tests that follow a hit. Each is charged at the mean cost of the
	/// types, in addition to the volume's own test. 0 counts only the volume's own test, as in Eckstein 1998. Default 2.
	double hit_tests;

	/// How oriented boxes are fitted: a name of bvb_node_box_name; default "pca". Builders that go by aligned boxes ("sah",
	/// "binned") leave it to the finished tree, unless there are several types of volumes, a refit, or nodes are moved.
	const char* node_box;

	/// How they are fitted again once the tree is finished: a name of bvb_node_box_name; null, the default: not at all.
	const char* refit;

	uint32_t degree; ///< children of each node, 2 .. BVB_MAX_DEGREE; 0: as many as improve enough; default 2
	double
		improvement; ///< of degree 0: the share of the node's quality that is enough, at most 1; default 0.75
	uint32_t max_degree; ///< of degree 0: no more children than this, 2 .. BVB_MAX_DEGREE; default 6
	uint32_t min_faces; ///< of degree 0: with fewer, a node that nothing improves enough is a leaf; default 2

	bvb_quality_measure quality; ///< the measure to minimize; default bvb_quality_area
	bvb_aggregate aggregate;     ///< how several nodes are combined; default bvb_aggregate_mean
	bv_costs costs;              ///< of tests in a query; default bvb_costs_default
	uint64_t search_budget;      ///< of branch-and-bound: open problems looked at in one node; default 100000
	uint64_t seed;               ///< of splitters that choose at random; default 0

	/// Of degree 2: most rounds of moving subtrees to where the tree is expected to cost less; what lies deep below the convex
	/// hull counts less. Default 0.
	uint32_t optimize;

	/// Of degree 2: nodes that cost more than they save are left out, and leaves get up to leaf_triangles; most children, 2 ..
	/// BVB_MAX_CHILDREN. A max_depth that binds can make the tree dearer than as built. Default 0: as built.
	uint32_t collapse;

	/// Only with collapse: the price of one byte of the hierarchy per triangle of the mesh, in the unit of `costs`. The collapse
	/// minimizes the expected cost of a query plus this price times the bytes per triangle. Default 100.
	double byte_price;

	uint32_t leaf_triangles; ///< sets of at most so many triangles are leaves; default 1
	uint32_t max_depth;      ///< 0 .. BV_MAX_DEPTH; default BV_MAX_DEPTH
	uint32_t threads;        ///< 0, the default, means all processors; the result is the same for any number
} bvb_hierarchy_options;

/// The largest number of parts that a splitter makes of a node.
#define BVB_MAX_DEGREE 6

/// The largest number of children in a collapsed tree.
#define BVB_MAX_CHILDREN 8

/// The largest cost.
#define BVB_MAX_COST 1e9

/// The largest byte_price.
#define BVB_MAX_BYTE_PRICE 1e9

/// The largest hit_tests.
#define BVB_MAX_HIT_TESTS 1e6

/// @return the defaults above
bvb_hierarchy_options bvb_hierarchy_options_default( void );

/// The costs that are shipped: measured once, with AVX2, the same on every machine, so that files are.
bv_costs bvb_costs_default( void );

/// Reads costs from text: a line for each pair of types, `TYPE TYPE COST`, and the lines `triangles COST`,
/// `opening COST` and `leaf COST`, in any order; lines that begin with # and empty ones are skipped. Either order
/// of two types is the same pair. Pairs with prisms that are missing cost what the same pairs with rectangle swept spheres do.
/// @param text   `size` bytes, not terminated
/// @return bv_ok; bv_error_input with the line, for one that is no such line, for a pair that is missing or there twice,
///         or a cost that is not a number above 0 and at most BVB_MAX_COST
bv_status bvb_costs_parse( const char* text, size_t size, bv_costs* out, bvb_error* error );

/// Measures what the steps of queries cost on this machine, nanoseconds of the processor's time: those that explain best
/// how long bv_collide takes near contact on trees of all types. Takes some seconds.
/// @return bv_ok; bv_error_memory
bv_status bvb_costs_measure( bv_costs* out, bvb_error* error );

/// @return the name of the builder `index`, with what it does in `summary` unless that is null; null past the last
const char* bvb_builder_name( uint32_t index, const char** summary );

/// Which options a builder uses, and which trees it makes.
typedef struct bvb_builder_traits
{
	bool divides;  ///< uses the splitter of the options
	bool random;   ///< uses the seed
	bool measures; ///< the quality counts, whatever volumes there are
	bool binary;   ///< makes trees of degree 2 only, before they are collapsed
	bool
		own_degree; ///< makes trees of as many children as it likes: degree stays at 2, optimize and collapse at 0
	bool sized;      ///< of quality it knows the sizes of volumes only: not bvb_quality_hausdorff
	bool own_boxes;  ///< boxes come from rules of its own: node_box says nothing while all nodes have them
	bool own_leaves; ///< ignores leaf_triangles
	uint32_t volume_types;   ///< those of its paper, as in bvb_hierarchy_options; 0 if it is for any
	uint32_t leaf_triangles; ///< as its paper has it; 0 if that says nothing
} bvb_builder_traits;

/// @return the traits of the named builder; null for an unknown name
const bvb_builder_traits* bvb_builder_traits_of( const char* name );

/// @return the name of the splitter `index`, with what it does in `summary` unless that is null; null
///         past the last
const char* bvb_splitter_name( uint32_t index, const char** summary );

/// @return the name of the way `index` of fitting a node's box, with what it does in `summary` unless that is null;
///         null past the last
const char* bvb_node_box_name( uint32_t index, const char** summary );

/// Builds a tree, and puts the mesh into its order: the triangles of every node become one range, and vertices are
/// numbered by first use.
/// @param mesh   without degenerate triangles; reordered in place
/// @param arena  the tree lives here; scratch memory is taken from elsewhere and returned
/// @return bv_ok; bv_error_argument for an unknown name, an option out of the range given above, or a mesh without
///         triangles; bv_error_memory
bv_status bvb_hierarchy_build( bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* arena,
                               bvb_tree** out, bvb_error* error );

/// One node.
typedef struct bvb_node
{
	uint32_t first_child;    ///< index of the first of `children` nodes; children of a node are neighbors
	uint32_t children;       ///< 0 for a leaf, else at least 2
	uint32_t first_triangle; ///< the triangles below are a range of the mesh's triangles
	uint32_t triangles;      ///< length of that range, at least 1
	bv_volume volume;        ///< as decoded from its stored form
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

/// Gives every node but the root a volume that the file can hold: in a frame that its parent's children share, with whole
/// numbers for codes, enclosing the triangles below. What is encoded has been through this, and errors are those of these
/// volumes.
/// @param mesh     in the tree's order
/// @param threads  0 for all processors; the result is the same for any number
/// @param arena    more of the tree lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_tree_snap( bvb_tree* tree, const bvb_mesh* mesh, uint32_t threads, bvb_arena* arena,
                         bvb_error* error );

/// Gives the root another box if it is a box, oriented or not, and that has less volume: the root's is worth more work than
/// those of all the nodes.
/// @param types  those that nodes may have, as the tree was built; without oriented boxes nothing is done
/// @param box    encloses all triangles; a result of bvb_fit_obb
void bvb_tree_improve_root( bvb_tree* tree, uint32_t types, const bv_obb* box );

#ifdef __cplusplus
}
#endif

// A deformable mesh as it is in memory: the head, an image of a file, and arrays of the refit. See bvworld/deform.h.

#pragma once

#include "bvworld/deform.h"
#include "runtime/tree/refit.h"

/// Of an image, at most: mesh, positions, triangles, nodes, errors.
#define BVWDEFORM_SECTIONS 5

/// What a hierarchy has, and how large the arrays are.
typedef struct bvwdeform_counts
{
	uint32_t vertices;
	uint32_t nodes;
	uint32_t inner;
	uint32_t leaves;
	uint64_t listed; ///< most vertices in the lists of all leaves
	uint32_t blocks; ///< see bvtree_refit
	bool sums;       ///< likewise
	bool measured;   ///< some volumes are no axis-aligned boxes, for which boxes of nodes are enough
} bvwdeform_counts;

/// Children of an inner node, bit 1 << lane of each.
typedef struct bvwdeform_lanes
{
	uint8_t moved;   ///< have a vertex that moved
	uint8_t resized; ///< have another box than when they were measured
} bvwdeform_lanes;

/// Where vertices occur, for refits of those that are listed. Null with options.no_lists.
typedef struct bvwdeform_lists
{
	uint32_t* first;        ///< by vertex, and one more: where its nodes begin in `node` and `node_lanes`
	uint32_t* node;         ///< indices of the inner nodes with a leaf that has a vertex
	uint8_t* node_lanes;    ///< of each of these: bit 1 << lane of each child that is such a leaf
	uint64_t* waiting;      ///< a bit per inner node that has something to be fitted
	bvwdeform_lanes* lanes; ///< by index of an inner node
	float ( *before )[3];   ///< where the vertices of a list were, if they are at most `most_before`
	uint32_t most_before;
} bvwdeform_lists;

/// Certified errors. `head` is null without options.errors.
typedef struct bvwdeform_errors
{
	bvfile_errors* head;               ///< of the image
	uint8_t ( *nodes )[2];             ///< of the image: codes by number of a node
	const uint8_t ( *kept )[2];        ///< of the file
	const bvfile_hierarchy* kept_head; ///< of the file
	const uint32_t* kept_words;        ///< nodes of the file
	uint8_t* anew; ///< by number of a node: it has other triangles than in the file; null without rebuilds
	float*
		spread; ///< by number of a node: how far vertices are from where a similarity takes them, mesh units
	uint8_t* levels; ///< by index of an inner node
} bvwdeform_errors;

/// Nodes that have the axes of volumes.
typedef struct bvwdeform_axes
{
	bvfile_hierarchy* head; ///< of the root
	uint32_t* words;        ///< of the inner nodes
} bvwdeform_axes;

/// What rebuilds need. Null pointers without options.rebuild_triangles.
typedef struct bvwdeform_rebuild
{
	uint32_t* number; ///< by triangle of the image: its number in the file
	double* tried;    ///< by index of an inner node: cost per area of its triangles after the latest rebuild
	bvwdeform_axes axes; ///< what a refit takes for those in the file
	bvwdeform_axes saved;

	// Of as many triangles as are rebuilt at a time.
	bvtree_refit_box* box;
	uint32_t* sorted[3];
	uint32_t* spare;
	uint8_t* side;
	uint64_t* work; ///< two per triangle

	uint32_t* seen;  ///< by vertex
	uint64_t forgot; ///< triangles of subtrees since bvwdeform_find_distinct
} bvwdeform_rebuild;

/// A subtree as it was when the deformable mesh was made.
typedef struct bvwdeform_rest
{
	double cost;             ///< sum over its nodes of surface times tests that follow a hit
	double area;             ///< of its triangles
	uint32_t first_triangle; ///< its triangles are consecutive
	uint32_t triangles;
} bvwdeform_rest;

/// Leaves along a space-filling curve: the position on the curve, and in the low half which leaf it is.
typedef struct bvwdeform_curve
{
	uint64_t* leaves;
	uint64_t* spare; ///< for sorting them
} bvwdeform_curve;

struct bvw_deform
{
	uint64_t magic;
	uint64_t bytes;
	bvw_deform_options options;
	bvwdeform_counts counts;
	const bv_file* source;
	bv_vec3 offset;
	bvfile_header* image;
	float ( *positions )[3]; ///< of the image
	float ( *later )[3];     ///< null without options.motion
	float ( *reference )[3]; ///< positions in the file; null unless something needs them
	bvtree_refit refit;
	bvwdeform_lists lists;
	bvwdeform_errors errors;
	bvwdeform_rest* rest; ///< by index of an inner node; a single entry if the root is a leaf
	bvwdeform_curve curve;
	bvwdeform_rebuild rebuild;
	double cost_at_begin; ///< see bvw_deform_quality_result
	int finest;           ///< of the grid
	const void* posed_by; ///< the skin that set all positions and volumes last; null after other refits
};

/// Where the arrays begin, bytes from the head.
typedef struct bvwdeform_layout
{
	uint64_t image;
	uint64_t image_positions;
	uint64_t image_triangles;
	uint64_t image_nodes;
	uint64_t image_errors;
	uint64_t later;
	uint64_t reference;
	uint64_t inner;
	uint64_t first_leaf;
	uint64_t end_leaf;
	uint64_t leaf_begin;
	uint64_t leaf_vertices;
	uint64_t distinct;
	uint64_t shared;
	uint64_t boxes;
	uint64_t measures;
	uint64_t vertex_first;
	uint64_t vertex_node;
	uint64_t vertex_lanes;
	uint64_t waiting;
	uint64_t lanes;
	uint64_t before;
	uint64_t spread;
	uint64_t levels;
	uint64_t rest;
	uint64_t curve_leaves;
	uint64_t curve_spare;
	uint64_t rebuild_number;
	uint64_t rebuild_tried;
	uint64_t rebuild_heads;
	uint64_t rebuild_words[2];
	uint64_t rebuild_anew;
	uint64_t rebuild_box;
	uint64_t rebuild_sorted[3];
	uint64_t rebuild_spare;
	uint64_t rebuild_side;
	uint64_t rebuild_work;
	uint64_t rebuild_seen;
	uint64_t end;
} bvwdeform_layout;

/// The inner nodes and the leaves with their vertices. Counts only if arrays are null.
typedef struct bvwdeform_topology
{
	bvtree_refit_inner* inner;
	uint32_t* first_leaf;
	uint32_t* end_leaf;
	uint32_t* leaf_begin;
	uint32_t* vertices;
} bvwdeform_topology;

/// Visits the hierarchy of a file.
/// @param out  arrays of the sizes that `counts` has; null to count only
/// @return the length of the lists of all leaves
uint32_t bvwdeform_read_topology( const bvfile_view* view, const bvwdeform_topology* out );

/// Finds the distinct vertices of inner nodes, if volumes are measured by vertices.
/// @param seen  room for a number per vertex
void bvwdeform_find_distinct( bvw_deform* deform, uint32_t* seen );

/// Lets the inner nodes of a subtree, whose leaves have other vertices, be measured by the lists of their leaves until
/// bvwdeform_find_distinct. Nothing is skipped until then.
/// @param index  of an inner node
void bvwdeform_forget_distinct( bvw_deform* deform, uint32_t index );

/// Fills the lists by vertex.
/// @param seen  room for a number per vertex
void bvwdeform_list_nodes( bvw_deform* deform, uint32_t* seen );

/// Lists the vertices of the leaves of a subtree again, whose triangles have changed.
/// @param index  of an inner node
void bvwdeform_list_subtree( bvw_deform* deform, uint32_t index );

/// @return bytes of the triangles of an image that can be rebuilt: clusters that share no vertices
uint64_t bvwdeform_apart_bytes( const bvfile_mesh* mesh );

/// Writes the triangles of a file in that form.
/// @param to  bvwdeform_apart_bytes
void bvwdeform_write_apart( const bvfile_view* view, bvfile_triangles* to );

/// Replaces triangles of an image that can be rebuilt.
void bvwdeform_set_triangles( bvw_deform* deform, uint32_t first, uint32_t count,
                              uint32_t ( *const corner )[3] );

/// @param listed  not all vertices are needed
/// @return whether pointers, strides and counts are valid
bool bvwdeform_are_arrays( const bvw_deform* deform, const bvw_vertices* from, bool listed );

/// @param listed  numbers of vertices; null for all
/// @return whether the positions from `first` to `end`, of the list or of all, are there and in range
bool bvwdeform_are_in_range( const bvw_deform* deform, const bvw_vertices* from, const uint32_t* listed,
                             uint32_t first, uint32_t end );

/// Stores positions of a range of vertices.
void bvwdeform_store( const bvw_deform* deform, const bvw_vertices* from, uint32_t first, uint32_t end,
                      float ( *to )[3] );

/// Stores the positions of some vertices.
void bvwdeform_store_listed( const bvw_deform* deform, const bvw_vertices* from, const uint32_t* listed,
                             uint32_t count, float ( *to )[3] );

/// Keeps where the vertices of a list are, for bvwdeform_fit_listed.
void bvwdeform_keep_listed( const bvw_deform* deform, const uint32_t* listed, uint32_t count );

/// Takes the positions of all vertices, and fits all nodes.
/// @param from   null: positions are there already
/// @param later  of the end of a step; null without one
/// @param tasks  null for the calling thread only
/// @return false, and nothing changes, if positions are out of range
bool bvwdeform_fit_all( bvw_deform* deform, const bvw_vertices* from, const bvw_vertices* later,
                        const bvw_tasks* tasks, bvw_deform_report* report );

/// Sets the box of an inner node by its vertices.
/// @param lanes  bit 1 << lane of each child whose box is not set yet, if it is a leaf
void bvwdeform_box_node( const bvtree_refit* r, uint32_t index, uint32_t lanes );

/// Fits the volumes of an inner node's children.
void bvwdeform_fit_children( bvw_deform* deform, uint32_t index, bvtree_refit_what what );

/// Fits the volume of the root, after all others.
/// @param resized  see bvtree_refit_root
void bvwdeform_fit_root( bvw_deform* deform, bool resized );

/// Begins a refit to boxes. The box of the root must be set.
void bvwdeform_begin_boxes( bvw_deform* deform );

/// Fits all nodes to the boxes of the leaves, whatever the vertices are.
void bvwdeform_fit_boxes( bvw_deform* deform, bvw_deform_report* report );

/// Fits the nodes of vertices that were stored. `lists.before` must have where they were, if there is room for all of them.
void bvwdeform_fit_listed( bvw_deform* deform, const uint32_t* listed, uint32_t count,
                           bvw_deform_report* report );

/// Fits the nodes above some subtrees whose vertices have another order: rotations and errors are found by a sample of it.
/// @param index  inner nodes, the roots of the subtrees
/// @param count  at most BVW_DEFORM_WORST
void bvwdeform_fit_ancestors( bvw_deform* deform, const uint32_t* index, uint32_t count );

/// Sets the errors of the children of an inner node that was fitted.
/// @param moves  bit 1 << lane of each child with a vertex that moved
void bvwdeform_set_errors( bvw_deform* deform, uint32_t index, uint32_t moves );

/// Sets the error of the root after it was fitted.
void bvwdeform_set_root_error( bvw_deform* deform );

/// Sums up the errors of all nodes.
void bvwdeform_sum_errors( bvw_deform* deform );

/// @return whether it is one
bool bvwdeform_is_valid( const bvw_deform* deform );

/// Keeps the quality of all subtrees. Nodes must have been fitted.
void bvwdeform_keep_quality( bvw_deform* deform );

/// Keeps the quality of a subtree that was rebuilt and of those in it.
/// @param index  of an inner node
void bvwdeform_keep_subtree( bvw_deform* deform, uint32_t index );

/// @param index  of an inner node
/// @return the sum over its nodes, and over the siblings of its root, of surface times tests that follow a hit
double bvwdeform_subtree_cost( const bvw_deform* deform, uint32_t index );

/// The subtrees whose volumes have grown most beyond their triangles.
typedef struct bvwdeform_worst
{
	uint32_t count;
	uint32_t index[BVW_DEFORM_WORST]; ///< of the root of each, an inner node
	bvw_deform_subtree subtree[BVW_DEFORM_WORST];
	double cost; ///< of the hierarchy
} bvwdeform_worst;

/// @param most  no subtree has more triangles
void bvwdeform_find_worst( const bvw_deform* deform, uint32_t most, bvwdeform_worst* out );

/// Finds the cost of a hierarchy that puts leaves together which follow one another on a space-filling curve.
/// @param area  sum over the leaves of the area of the first triangle times the number of triangles
/// @return the sum over its nodes, leaves as well, of surfaces times the tests that follow a hit. Surfaces are those of axis-aligned boxes
///         or, if volumes have axes of their own, of boxes with the same moments
double bvwdeform_curve_cost( const bvw_deform* deform, double area );

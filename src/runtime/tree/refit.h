// Refitting: new volumes for the nodes of a hierarchy whose vertices have moved. Nodes keep their triangles, their place and their type
// of volume; only volumes, and the grids that they are on, change.
//
// Each leaf has a list of its vertices. Those of a node are in the lists of its leaves, which follow one another; some are there several times.
// If vertices are numbered by first use, those that occur first in an inner node are consecutive. It lists only its other ones, so that each
// vertex is measured once.
//
// A refit has two passes over the inner nodes: axis-aligned boxes of all nodes from the leaves up, then the volumes in any order. Both can
// skip nodes whose vertices did not move, and the results are the same bits. Nodes with few such vertices are measured by these alone
// where that is enough: see refit_points.h.
//
// Vertices that move along lines during a step have two positions. A volume that contains both contains the vertex at all times between,
// because volumes are convex.

#pragma once

#include "runtime/file/view.h"
#include "runtime/tree/lanes.h"

enum
{
	bvtree_refit_rows = 4,   ///< directions that are measured together
	bvtree_refit_blocks = 3, ///< of rows that any type of volume needs
	bvtree_refit_slack = 4,  ///< bytes that can be read behind the last position
};

/// An inner node, in the order in which they are stored.
typedef struct bvtree_refit_inner
{
	uint32_t place;  ///< of the node, words
	uint32_t number; ///< of the node
	uint32_t parent; ///< index of the parent; of the root 0
	uint32_t end;    ///< index behind the last node of its subtree
} bvtree_refit_inner;

/// In place of an index: the lists of leaves are used.
#define BVTREE_REFIT_UNLISTED UINT32_MAX

/// The vertices of an inner node, each once. Unless vertices were numbered by first use when they were found, none is its own.
typedef struct bvtree_refit_distinct
{
	uint32_t own;     ///< first vertex that no leaf before those of the node has; they are consecutive
	uint32_t own_end; ///< behind the last one
	uint32_t
		shared; ///< index of the first other vertex in the list of them; BVTREE_REFIT_UNLISTED if they are not in it
	uint32_t shared_end; ///< behind the last one; lists have an even length
} bvtree_refit_distinct;

/// The box of a node, with room to load and store four numbers at a time.
typedef struct bvtree_refit_box
{
	float lower[4]; ///< the fourth is not used
	float upper[4];
} bvtree_refit_box;

/// Extents of a node's vertices along four directions, in units and from a center that follow from its box.
typedef struct bvtree_refit_measure
{
	float lower[bvtree_refit_rows];
	float upper[bvtree_refit_rows];
} bvtree_refit_measure;

/// Vertices that have moved since nodes were measured.
typedef struct bvtree_refit_moved
{
	const uint32_t* vertex; ///< numbers
	uint32_t count;
	float ( *before )
		[3]; ///< of each of them: where it was; bvtree_refit_slack bytes can be read behind the last one
} bvtree_refit_moved;

/// A hierarchy that is refitted. All arrays are memory of the owner.
typedef struct bvtree_refit
{
	bvfile_hierarchy* head; ///< what is written
	uint32_t* words;        ///< of the inner nodes, likewise
	const uint32_t*
		kept; ///< words of the nodes before any refit: their rotations are the ones that volumes have
	const bvfile_hierarchy* kept_head;

	float ( *positions )[3]; ///< of vertices
	float ( *later )[3];     ///< of vertices at the end of a step; null if they do not move in between
	float ( *reference )
		[3]; ///< of vertices before any refit: frames turn as they have turned since; null if frames stay

	const bvtree_refit_inner* inner;
	uint32_t inner_count;
	const uint32_t* first_leaf; ///< by number of a node; leaves count in the order of their triangles
	const uint32_t* end_leaf;   ///< by number of a node: behind its last leaf
	const uint32_t*
		leaf_begin; ///< of each leaf, and one more: where its list begins; lists have an even length
	const uint32_t* vertices;              ///< of all leaves
	const bvtree_refit_distinct* distinct; ///< by index of an inner node
	const uint32_t* shared;                ///< see bvtree_refit_distinct
	bool
		skips; ///< the box of each node encloses its own vertices, so that parts of large nodes can be skipped
	bvtree_refit_box* boxes;        ///< by number of a node
	bvtree_refit_measure* measures; ///< by number of a node, `blocks` each; null if `blocks` is 0
	uint32_t blocks;                ///< the most that a type among the volumes needs
	bool sums;                      ///< there are k-DOPs
	bool is_common;                 ///< see bvtree_refit_is_common
	bool by_boxes; ///< volumes enclose the boxes of their nodes, whatever the vertices are; frames stay
	const bvtree_lanes* lanes; ///< for nodes that have only oriented or only aligned boxes

	/// Measures of nodes with few of them are brought up to date by them. Null if it is not known which these are, or if axes turn.
	const bvtree_refit_moved* moved;
} bvtree_refit;

/// @return an inner node by index
static inline const bvfile_packed_node* bvtree_refit_inner_at( const bvtree_refit* r, uint32_t index )
{
	return (const bvfile_packed_node*)( r->words + r->inner[index].place );
}

/// @return whether the axes of volumes turn with the vertices
static inline bool bvtree_refit_turns( const bvtree_refit* r )
{
	return r->reference && !r->by_boxes;
}

/// Finds how many blocks of measures a set of volume types needs.
/// @param types  bit 1 << type of each
uint32_t bvtree_refit_blocks_of( uint32_t types );

/// Sets the box of a leaf by its vertices.
/// @param number  of the node
void bvtree_refit_leaf_box( const bvtree_refit* r, uint32_t number );

/// Sets the box of an inner node by those of its children. If it is a leaf, the root has no inner node: see bvtree_refit_leaf_box.
/// @param index  of the inner node
void bvtree_refit_join_boxes( const bvtree_refit* r, uint32_t index );

/// Makes the grid of all nodes from the box of the root. It depends on that box only.
/// @param finest  receives what bvtree_refit_node gets
void bvtree_refit_grid( const bvtree_refit* r, bvfile_node_grid* grid, int* finest );

/// Whether the box of the root and the grid have numbers with which nodes can be fitted in binary32. If this changes, all nodes have to be
/// measured.
bool bvtree_refit_is_common( const bvtree_refit* r, int finest );

/// What of a node has to be fitted anew.
typedef struct bvtree_refit_what
{
	uint32_t moved;   ///< bit 1 << lane of each child that has a vertex that moved
	uint32_t resized; ///< bit 1 << lane of each child with another box than when it was measured
	bool regrid;      ///< the grid of all nodes is another one: all children are written
	bool all;         ///< all children are measured and written
	uint32_t exact;   ///< with by_boxes: bit 1 << lane of each child whose vertices are measured nevertheless
} bvtree_refit_what;

/// Fits the volumes of a node's children. The boxes of all of them must be set, and be within the box of the root: the grid reaches no farther.
/// @param index   of the inner node
/// @param finest  see bvtree_refit_grid
void bvtree_refit_node( const bvtree_refit* r, uint32_t index, int finest, bvtree_refit_what what );

/// Fits the volume of the root.
/// @param resized  its box is another one than when it was measured
void bvtree_refit_root( const bvtree_refit* r, bool resized );

// Triangles and the boxes above them, ready for finding the nearest ones.

#pragma once

#include "hausdorff/distance.h"
#include "hausdorff/split.h"
#include "tree/tree.h"

/// A triangle or a node of an index.
typedef uint32_t bvb_index_ref;

#define BVB_REF_TRIANGLE 0x80000000u

/// In place of a reference: there is none.
#define BVB_NO_REF UINT32_MAX

enum
{
	bvb_direct_triangles =
		64, ///< a search looks at so few triangles without boxes: none of them waits to be framed
};

/// A node with at least two triangles below it.
typedef struct bvb_index_node
{
	double error; ///< no point of its box is farther from the triangles below, mesh units; may be infinite
	uint32_t first_child;    ///< in bvb_index.children
	uint32_t child_count;    ///< at least 2; 0 while the node has not been opened
	uint32_t first_triangle; ///< the triangles below are a range
	uint32_t triangles;      ///< length of it, at least 2
} bvb_index_node;

/// A hierarchy over triangles. One of a tree is complete and may be shared. One of triangles alone is made as it is needed: its
/// nodes are opened and its triangles framed when a search comes to them. Lives in the arena it was made in.
typedef struct bvb_index
{
	bvb_framed_triangle* triangles; ///< in the index's order; null where only corners matter
	bvb_placed_triangle* placed;    ///< the same as they were given; null for a tree
	bvb_index_node* nodes;          ///< those below a node come before it
	bvb_solid_box* solid_boxes; ///< of each node, encloses the triangles below; null where boxes are aligned
	bv_aabb* aligned_boxes;     ///< or this
	bvb_index_ref* children;    ///< of each node, a range
	uint32_t triangle_count;    ///< length of triangles
	uint32_t room;              ///< how many triangles there is memory for
	uint32_t node_count;        ///< length of nodes
	bvb_index_ref root;         ///< all triangles
	bvb_index_ref* tree; ///< of each node of the tree that this was made from, what stands for it; else null
	double reach;        ///< no coordinate is larger; not known of a tree
} bvb_index;

/// @param box  receives the box that a volume is, if it is one
/// @return whether it is
bool bvb_volume_is_box( const bv_volume* volume, bv_obb* box );

/// An index over a tree: one node for each inner node of it, and more within leaves of several triangles. Nodes whose volume
/// is a box have that box and an infinite error, others a box round their triangles and its diagonal.
/// @param mesh  in the order of the tree
/// @return null when out of memory
bvb_index* bvb_index_of_tree( const bvb_mesh* mesh, const bvb_tree* tree, bvb_arena* arena );

/// An index over triangles alone: axis-aligned boxes, parted as bvb_split_triangles says.
/// @param mesh    not kept
/// @param which   indices of the triangles; null for all
/// @param count   at least 1
/// @param framed  whether distances to the triangles will be asked for
/// @return null when out of memory
bvb_index* bvb_index_of_triangles( const bvb_mesh* mesh, const uint32_t* which, uint32_t count, bool framed,
                                   bvb_arena* arena );

/// Puts other triangles in the place of an index's own, which takes memory only where they are more than it ever had.
/// @param index  with framed triangles
/// @return the index, or one in its place; null when out of memory, then it is as it was
bvb_index* bvb_index_refill( bvb_index* index, const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                             bvb_arena* arena );

/// Makes what is below a node known, where it is not yet.
void bvb_index_open( const bvb_index* index, bvb_index_ref ref );

/// Makes all of an index known, so that several threads may ask it at once.
void bvb_index_open_all( const bvb_index* index );

/// @return a node whose children are known
static inline const bvb_index_node* bvb_index_opened( const bvb_index* index, bvb_index_ref ref )
{
	const bvb_index_node* node = index->nodes + ref;
	if ( node->child_count == 0 )
	{
		bvb_index_open( index, ref );
	}
	return node;
}

static inline bool bvb_ref_is_triangle( bvb_index_ref ref )
{
	return ref & BVB_REF_TRIANGLE;
}

static inline const bvb_framed_triangle* bvb_ref_triangle( const bvb_index* index, bvb_index_ref ref )
{
	return index->triangles + ( ref & ~BVB_REF_TRIANGLE );
}

/// @return the distance to a triangle, or to a node's box, which is no more than that to the triangles in it
double bvb_index_distance( const bvb_index* index, bvb_index_ref ref, bv_vec3 point );

/// Upper bounds of the distance from points to the triangles below a node, each convex in the point: the distance to the node's
/// box plus the node's error.
/// @param first  as in bvb_triangle_row
void bvb_index_node_row( const bvb_index* index, bvb_index_ref node, const bvb_points* points, int first,
                         int count, double row[bvb_row] );

/// The same for a triangle or a node.
static inline void bvb_index_row( const bvb_index* index, bvb_index_ref ref, const bvb_points* points,
                                  int first, int count, double row[bvb_row] )
{
	if ( bvb_ref_is_triangle( ref ) )
	{
		bvb_triangle_row( bvb_ref_triangle( index, ref ), points, first, count, row );
	}
	else
	{
		bvb_index_node_row( index, ref, points, first, count, row );
	}
}

/// How far a point is from the triangles below a reference, and which is nearest.
typedef struct bvb_nearest
{
	double distance;   ///< to the nearest triangle, mesh units
	bvb_index_ref ref; ///< it
} bvb_nearest;

/// Looks for a nearer triangle than one that is known.
/// @param from   where to look
/// @param known  what is known; its distance may be infinite
/// @return the nearest triangle, or `known` when none below `from` is nearer
bvb_nearest bvb_index_nearest( const bvb_index* index, bvb_index_ref from, bv_vec3 point, bvb_nearest known );

/// Looks for any triangle that is near enough, and for the nearest one if none is.
/// @param within  no nearer one is looked for than this
bvb_nearest bvb_index_within( const bvb_index* index, bvb_index_ref from, bv_vec3 point, double within,
                              bvb_nearest known );

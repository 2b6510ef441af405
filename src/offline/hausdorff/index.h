// Triangles and the boxes above them, ready for finding the nearest ones.

#pragma once

#include "offline/hausdorff/distance.h"
#include "offline/hausdorff/split.h"
#include "offline/tree/tree.h"

/// A triangle or a node of an index.
typedef uint32_t bvhaus_index_ref;

#define BVHAUS_REF_TRIANGLE 0x80000000u

/// In place of a reference: there is none.
#define BVHAUS_NO_REF UINT32_MAX

enum
{
	bvhaus_direct_triangles =
		64, ///< a search looks at so few triangles without boxes: none of them waits to be framed
};

/// A node with at least two triangles below it.
typedef struct bvhaus_index_node
{
	double error; ///< no point of its box is farther from the triangles below, mesh units; may be infinite
	uint32_t first_child;    ///< in bvhaus_index.children
	uint32_t child_count;    ///< at least 2; 0 while the node has not been opened
	uint32_t first_triangle; ///< the triangles below are a range
	uint32_t triangles;      ///< length of it, at least 2
} bvhaus_index_node;

/// A hierarchy over triangles. One of a tree is complete and may be shared. One of triangles alone is made as
/// it is needed: its nodes are opened and its triangles framed when a search comes to them. Lives in the
/// arena it was made in.
typedef struct bvhaus_index
{
	bvhaus_framed_triangle* triangles; ///< in the index's order; null where only corners matter
	bvhaus_placed_triangle* placed;    ///< the same as they were given; null for a tree
	bvhaus_index_node* nodes;          ///< those below a node come before it

	/// of each node, encloses the triangles below; null where boxes are aligned
	bvhaus_solid_box* solid_boxes;

	bv_aabb* aligned_boxes;     ///< or this
	bvhaus_index_ref* children; ///< of each node, a range
	uint32_t triangle_count;    ///< length of triangles
	uint32_t room;              ///< how many triangles there is memory for
	uint32_t node_count;        ///< length of nodes
	bvhaus_index_ref root;      ///< all triangles

	/// of each node of the tree that this was made from, what stands for it; else null
	bvhaus_index_ref* tree;

	double reach; ///< no coordinate is larger; not known of a tree
} bvhaus_index;

/// @param box  receives the box that a volume is, if it is one
/// @return whether it is
bool bvhaus_volume_is_box( const bv_volume* volume, bv_obb* box );

/// An index over a tree: one node for each inner node of it, and more within leaves of several triangles.
/// Nodes whose volume is a box have that box and an infinite error, others a box round their triangles and
/// its diagonal.
/// @param mesh  in the order of the tree
/// @return null when out of memory
bvhaus_index* bvhaus_index_of_tree( const bvb_mesh* mesh, const bvb_tree* tree, bvb_arena* arena );

/// An index over triangles alone: axis-aligned boxes, parted as bvhaus_split_triangles says.
/// @param mesh    not kept
/// @param which   indices of the triangles; null for all
/// @param count   at least 1
/// @param framed  whether distances to the triangles will be asked for
/// @return null when out of memory
bvhaus_index* bvhaus_index_of_triangles( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                         bool framed, bvb_arena* arena );

/// Puts other triangles in the place of an index's own, which takes memory only where they are more than it
/// ever had.
/// @param index  with framed triangles
/// @return the index, or one in its place; null when out of memory, then it is as it was
bvhaus_index* bvhaus_index_refill( bvhaus_index* index, const bvb_mesh* mesh, const uint32_t* which,
                                   uint32_t count, bvb_arena* arena );

/// Makes what is below a node known, where it is not yet.
void bvhaus_index_open( const bvhaus_index* index, bvhaus_index_ref ref );

/// Makes all of an index known, so that several threads may ask it at once.
void bvhaus_index_open_all( const bvhaus_index* index );

/// @return a node whose children are known
static inline const bvhaus_index_node* bvhaus_index_opened( const bvhaus_index* index, bvhaus_index_ref ref )
{
	const bvhaus_index_node* node = index->nodes + ref;
	if ( node->child_count == 0 )
	{
		bvhaus_index_open( index, ref );
	}
	return node;
}

static inline bool bvhaus_ref_is_triangle( bvhaus_index_ref ref )
{
	return ref & BVHAUS_REF_TRIANGLE;
}

static inline const bvhaus_framed_triangle* bvhaus_ref_triangle( const bvhaus_index* index,
                                                                 bvhaus_index_ref ref )
{
	return index->triangles + ( ref & ~BVHAUS_REF_TRIANGLE );
}

/// @return the distance to a triangle, or to a node's box, which is no more than that to the triangles in it
double bvhaus_index_distance( const bvhaus_index* index, bvhaus_index_ref ref, bv_vec3 point );

/// Upper bounds of the distance from points to the triangles below a node, each convex in the point: the
/// distance to the node's box plus the node's error.
/// @param first  as in bvhaus_triangle_row
void bvhaus_index_node_row( const bvhaus_index* index, bvhaus_index_ref node, const bvhaus_points* points,
                            int first, int count, double row[bvhaus_row] );

/// The same for a triangle or a node.
static inline void bvhaus_index_row( const bvhaus_index* index, bvhaus_index_ref ref,
                                     const bvhaus_points* points, int first, int count,
                                     double row[bvhaus_row] )
{
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		bvhaus_triangle_row( bvhaus_ref_triangle( index, ref ), points, first, count, row );
	}
	else
	{
		bvhaus_index_node_row( index, ref, points, first, count, row );
	}
}

/// How far a point is from the triangles below a reference, and which is nearest.
typedef struct bvhaus_nearest
{
	double distance;      ///< to the nearest triangle, mesh units
	bvhaus_index_ref ref; ///< it
} bvhaus_nearest;

/// Looks for a nearer triangle than one that is known.
/// @param from   where to look
/// @param known  what is known; its distance may be infinite
/// @return the nearest triangle, or `known` when none below `from` is nearer
bvhaus_nearest bvhaus_index_nearest( const bvhaus_index* index, bvhaus_index_ref from, bv_vec3 point,
                                     bvhaus_nearest known );

/// Looks for any triangle that is near enough, and for the nearest one if none is.
/// @param within  no nearer one is looked for than this
bvhaus_nearest bvhaus_index_within( const bvhaus_index* index, bvhaus_index_ref from, bv_vec3 point,
                                    double within, bvhaus_nearest known );

// Upper bounds of the distance of two meshes by pairs of their nodes.

#pragma once

#include "runtime/tree/spot.h"

/// The least bound so far, and what bounds are made of.
typedef struct bvtree_upper
{
	double bound;     ///< the distance of the meshes is not above this; infinity before any pair was examined
	uint32_t node[2]; ///< numbers of the nodes that it follows from
	uint32_t best_parent[2]; ///< these nodes
	uint32_t best_lane[2];   ///< the same
	const bvfile_view* view[2];
	const uint8_t ( *errors[2] )[2]; ///< of nodes, by number; null if a file has none
	const bvvol_similarity* to_a;    ///< takes coordinates of b to those of a
	double scale;                    ///< of sizes of b, to those of a
	double size;                     ///< of the smallest pair of nodes so far
	bool is_new;                     ///< it was not examined
	bool has_roots;                  ///< the roots were examined
	uint32_t parent[2];              ///< that pair
	uint8_t lane[2];                 ///< of the same
} bvtree_upper;

/// @param a, b  views that are kept
/// @param to_a  is kept
void bvtree_upper_begin( const bvfile_view* a, const bvfile_view* b, const bvvol_similarity* to_a,
                         bvtree_upper* out );

/// Remembers a pair of nodes if it is the smallest one so far. Small nodes have small errors, and a bound takes as long as two
/// openings, so that only the smallest pair is examined, when an answer is wanted.
/// @param a, b  their sizes are those of inner nodes, 0 for leaves
static inline void bvtree_upper_remember( bvtree_upper* u, const bvtree_spot* a, const bvtree_spot* b )
{
	double size = a->size + u->scale * b->size;
	if ( size < u->size )
	{
		u->size = size;
		u->is_new = true;
		u->parent[0] = a->parent;
		u->parent[1] = b->parent;
		u->lane[0] = (uint8_t)a->lane;
		u->lane[1] = (uint8_t)b->lane;
	}
}

/// Improves the bound by a pair of nodes. Only their parents and lanes are used.
void bvtree_upper_improve_by( bvtree_upper* u, const bvtree_spot* a, const bvtree_spot* b );

/// Improves the bound by the roots and by the smallest pair of nodes.
void bvtree_upper_improve( bvtree_upper* u );

/// @return the sum of the solid errors of two nodes in coordinates of a; of files without errors, of the sizes of their volumes
double bvtree_upper_errors( const bvtree_upper* u, const bvtree_spot* a, const bvtree_spot* b );

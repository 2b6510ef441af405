// Splitters: rules that divide a node's faces into parts.

#pragma once

#include "bv/volume.h"
#include "fit/surface.h"

/// A node's faces, as indices to permute.
typedef struct bvb_face_set
{
	const bvb_face* faces; ///< of the whole mesh
	uint32_t* order;       ///< the set: `count` indices into faces
	uint32_t count;        ///< at least 2
	const bv_obb* box;     ///< the set's oriented box
} bvb_face_set;

/// Permutes set->order so that the parts follow one another.
/// @param degree  how many parts are wanted, at least 2
/// @param parts   receives the size of each part, none of them 0
/// @return how many parts there are, at most degree; 1 when the rule can't separate the set
typedef uint32_t bvb_split_function( const bvb_face_set* set, uint32_t degree, uint32_t* parts );

/// One row of the table of splitters.
typedef struct bvb_splitter
{
	const char* name;          ///< value of --splitter
	const char* summary;       ///< one line for --help, with the source
	bvb_split_function* split; ///< the rule
} bvb_splitter;

bvb_split_function bvb_split_gottschalk;

/// @return the table's row of that name, or null
const bvb_splitter* bvb_splitter_find( const char* name );

/// Not a splitter but the frame's safeguard: halves the set at the median of the midpoints along the box's
/// longest axis.
/// @param keys  room for set->count keys
/// @return the size of the first part
uint32_t bvb_halve( const bvb_face_set* set, double* keys );

/// @return the indices of the box's axes, the longest first
void bvb_longest_axes( const bv_obb* box, int order[3] );

// Where the stored positions of files are placed. Callers place meshes whose positions include the offset of
// their file. The queries with names in bvtree_ work on positions as stored, without it; the public functions
// turn the placement into that of stored positions.

#pragma once

#include "bv/file.h"
#include "runtime/file/view.h"

/// @return the offset of a file; null for none, and for no file
static inline const bv_vec3* bvtree_offset_of( const bv_file* file )
{
	return file ? bvfile_offset_of( (const bvfile_header*)file ) : NULL;
}

/// bvtree_place with an offset.
/// @param to, of  null for none
const bv_transform* bvtree_place_far( const bv_vec3* to, const bv_vec3* of, const bv_transform* placement,
                                      bv_transform* storage );

/// Turns the placement of a mesh into that of its stored positions.
///
/// The translation is computed in twice the precision of binary64 and rounded once, so that two meshes that
/// are close to each other lose nothing by being far from 0.
/// @param to         file whose coordinates the placement leads to; null for others
/// @param of         file that is placed; null is allowed
/// @param placement  from coordinates of `of`, which may be invalid; null for the identity
/// @param storage    receives the result unless it is `placement`
/// @return the placement of stored positions, valid if `placement` is and if it is in range; null for the
///         identity
static inline const bv_transform* bvtree_place( const bv_file* to, const bv_file* of,
                                                const bv_transform* placement, bv_transform* storage )
{
	const bv_vec3* a = bvtree_offset_of( to );
	const bv_vec3* b = bvtree_offset_of( of );
	return a || b ? bvtree_place_far( a, b, placement, storage ) : placement;
}

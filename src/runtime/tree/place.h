// Where the stored positions of files are placed. Callers place meshes whose positions include the offset of
// their file. The queries with names in bvtree_ work on positions as stored, without it; the public functions
// turn the placement into that of stored positions.

#pragma once

#include "bv/file.h"

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
const bv_transform* bvtree_place( const bv_file* to, const bv_file* of, const bv_transform* placement,
                                  bv_transform* storage );

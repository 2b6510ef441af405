// New leaves for the triangles of a subtree, and new axes for its volumes. See rebuild.c.

#pragma once

#include "world/deform/deform.h"

/// Makes the boxes of the triangles of a subtree at their present positions, and sorts them along each axis, in memory of deform->rebuild.
/// @param index  of an inner node with at most options.rebuild_triangles triangles
void bvwrebuild_sort( bvw_deform* deform, uint32_t index );

/// Assigns the triangles of a subtree, which bvwrebuild_sort has sorted, to its leaves. Nothing is changed but memory of deform->rebuild.
/// @param index  of an inner node with at most options.rebuild_triangles triangles
/// @param order  receives for each triangle the number of the one that takes its place, both counted from the first of the subtree
void bvwrebuild_assign( bvw_deform* deform, uint32_t index, uint32_t* order );

/// Finds axes for volumes of the children of an inner node that fit the present positions of their vertices.
/// @param lanes  bit 1 << lane of each of these children
void bvwrebuild_fit_axes( bvw_deform* deform, uint32_t index, uint32_t lanes );

/// Likewise for the root.
void bvwrebuild_fit_root_axes( bvw_deform* deform );

/// Writes the axes of the volumes of the children into the image, which refits leave as they are unless axes turn.
void bvwrebuild_write_axes( bvw_deform* deform, uint32_t index, uint32_t lanes );

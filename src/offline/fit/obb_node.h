// The box of a hierarchy's node: fitted millions of times, without a hull and without memory. See obb_node.c.

#pragma once

#include "offline/fit/surface.h"
#include "runtime/volume/packed_obb.h"

/// Fits a box to faces[order[0]] ... faces[order[count - 1]].
/// @param count  at least 1
/// @return a box that encloses them: bvvol_obb_reach of each corner is within its half extents
typedef bvvol_packed_obb bvfit_node_box_function( const bvfit_face* faces, const uint32_t* order,
                                                  uint32_t count );

/// One way to do it.
typedef struct bvfit_node_box
{
	const char* name;             ///< as in bvb_hierarchy_options
	const char* summary;          ///< one line
	bvfit_node_box_function* fit; ///< may be called from several threads at once
	bool lanes;                   ///< whether box_lanes.h does it, too, for all nodes of a tree
} bvfit_node_box;

/// @return null when none has the name
const bvfit_node_box* bvfit_node_box_find( const char* name );

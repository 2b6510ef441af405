// How trees are built that tests and benches measure boxes, distances and splitters on: of oriented boxes alone, from the top down,
// by the surface area heuristic and DiTO-14, whatever the defaults are.

#pragma once

#include "bvbuild/hierarchy.h"

static inline bvb_hierarchy_options box_tree_options( void )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = "topdown";
	options.volume_types = 1u << bv_volume_obb;
	options.node_box = "dito-area";
	return options;
}

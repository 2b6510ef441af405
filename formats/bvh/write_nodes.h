// The hierarchy's section on its way into the file.

#pragma once

#include "bvbuild/hierarchy.h"
#include "formats/bvh/layout.h"

/// @param tree  its volumes are snapped
/// @return bytes of the section
uint64_t bvh_measure_nodes( const bvb_tree* tree );

/// Writes the section.
/// @param out  so many zeros
void bvh_write_nodes( const bvb_tree* tree, const bv_costs* costs, bvh_hierarchy* out );

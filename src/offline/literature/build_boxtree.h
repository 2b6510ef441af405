// Builders that merge boxes in pairs: G. Barequet and others, "BOXTREE: A hierarchical representation for
// surfaces in 3D", 1996. See build_boxtree.c.

#pragma once

#include "offline/hierarchy/builders.h"

bvhier_build_function bvlit_build_boxtree;         ///< boxes by all three eigenvectors
bvhier_build_function bvlit_build_boxtree_max;     ///< boxes by that of the greatest eigenvalue
bvhier_build_function bvlit_build_boxtree_min;     ///< boxes by that of the smallest eigenvalue
bvhier_build_function bvlit_build_boxtree_pie_max; ///< prisms along that of the greatest eigenvalue
bvhier_build_function bvlit_build_boxtree_pie_min; ///< prisms along that of the smallest eigenvalue

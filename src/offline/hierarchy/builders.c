// The table of builders. To add one: a file with the function, which declares it, and here its declaration
// and its row.

#include "offline/hierarchy/builders.h"

#include "offline/literature/build_boxtree.h"
#include "offline/literature/build_spheres.h"

#include <string.h>

bvhier_build_function bvhier_build_sah;
bvhier_bare_function bvhier_build_sah_is_bare;
bvhier_build_function bvhier_build_ploc;
bvhier_build_function bvhier_build_binned;
bvhier_bare_function bvhier_build_binned_is_bare;

enum
{
	spheres_alone = 1 << bv_volume_sphere,
};

static const bvhier_builder builders[] = {
	{
		.name = "topdown",
		.summary = "top-down: a splitter divides the faces of each node (Eckstein 1998, 3.6)",
		.build = bvhier_build_topdown,
		.traits = { .divides = true, .random = true, .measures = true },
	},
	{
		.name = "sah",
		.summary =
			"surface area heuristic on axis-aligned boxes (Wald 2007), then volumes fitted to the nodes",
		.build = bvhier_build_sah,
		.bare = bvhier_build_sah_is_bare,
		.upright = true,
	},
	{
		.name = "ploc",
		.summary = "mutual nearest neighbors along a Morton curve merged (Meister, Bittner 2018)",
		.build = bvhier_build_ploc,
		.traits = { .binary = true },
	},
	{
		.name = "binned",
		.summary = "binned surface area heuristic over runs of a Morton curve (Pantaleoni, Luebke 2010); "
				   "builds wide nodes directly",
		.build = bvhier_build_binned,
		.bare = bvhier_build_binned_is_bare,
		.upright = true,
		.collapses = true,
		.traits = { .binary = true },
	},
	{
		.name = "boxtree",
		.summary = "BOXTREE: pairs with the smallest parents merged, boxes by three principal axes (Barequet "
				   "et al. 1996)",
		.build = bvlit_build_boxtree,
		.traits = { .binary = true,
	                .measures = true,
	                .sized = true,
	                .own_boxes = true,
	                .volume_types = 1 << bv_volume_obb },
	},
	{
		.name = "boxtree-max",
		.summary = "the same, boxes by the axis of the largest eigenvalue",
		.build = bvlit_build_boxtree_max,
		.traits = { .binary = true,
	                .measures = true,
	                .sized = true,
	                .own_boxes = true,
	                .volume_types = 1 << bv_volume_obb },
	},
	{
		.name = "boxtree-min",
		.summary = "the same, boxes by the axis of the smallest eigenvalue",
		.build = bvlit_build_boxtree_min,
		.traits = { .binary = true,
	                .measures = true,
	                .sized = true,
	                .own_boxes = true,
	                .volume_types = 1 << bv_volume_obb },
	},
	{
		.name = "boxtree-pie-max",
		.summary = "the same with prisms along the axis of the largest eigenvalue, \"pie slices\"",
		.build = bvlit_build_boxtree_pie_max,
		.traits = { .binary = true, .measures = true, .sized = true, .volume_types = 1 << bv_volume_prism },
	},
	{
		.name = "boxtree-pie-min",
		.summary = "the same along the axis of the smallest eigenvalue; "
				   "all five pair by axis-aligned boxes if --volume names another type",
		.build = bvlit_build_boxtree_pie_min,
		.traits = { .binary = true, .measures = true, .sized = true, .volume_types = 1 << bv_volume_prism },
	},
	{
		.name = "quinlan",
		.summary = "spheres on grids in the faces' planes, divided top-down (Quinlan 1994)",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_quinlan },
		.traits = { .own_degree = true, .volume_types = spheres_alone, .leaf_triangles = 1 },
	},
	{
		.name = "quinlan-faces",
		.summary =
			"smallest spheres of the faces, divided top-down (Quinlan 1994, modified by Eckstein 1998)",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_quinlan_faces },
		.traits = { .own_degree = true, .volume_types = spheres_alone, .leaf_triangles = 1 },
	},
	{
		.name = "palmer-grimsdale",
		.summary = "spheres around octants, divided down to two faces (Palmer, Grimsdale 1995)",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_palmer_grimsdale },
		.traits = { .own_degree = true, .volume_types = spheres_alone, .leaf_triangles = 2 },
	},
	{
		.name = "hubbard-octree",
		.summary = "spheres around octants, annealed by certified distance (Hubbard 1995)",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_hubbard_octree },
		.traits = { .own_degree = true, .own_leaves = true, .random = true, .volume_types = spheres_alone },
	},
	{
		.name = "hubbard-octree-estimate",
		.summary = "the same with Hubbard's estimate of the distance from a dodecahedron's corners",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_hubbard_octree_estimate },
		.traits = { .own_degree = true, .own_leaves = true, .random = true, .volume_types = spheres_alone },
	},
	{
		.name = "hubbard-octree-plain",
		.summary = "the same without annealing",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_hubbard_octree_plain },
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
	{
		.name = "hubbard-medial",
		.summary = "spheres of the medial axis, merged eight at a time (Hubbard 1996)",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_hubbard_medial },
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
	{
		.name = "adaptive-medial",
		.summary = "spheres of a medial axis, refined where they protrude (Bradshaw, O'Sullivan 2004)",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_adaptive_medial },
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
	{
		.name = "sphere-merge",
		.summary = "spheres that protrude as little as possible, merged bottom-up",
		.build = bvlit_build_spheres,
		.how = &( bvlit_spheres_how ){ bvlit_spheres_merged },
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
};

enum
{
	builder_count = sizeof builders / sizeof builders[0],
};

const bvhier_builder* bvhier_builder_find( const char* name )
{
	for ( int i = 0; i < builder_count; ++i )
	{
		if ( strcmp( builders[i].name, name ) == 0 )
		{
			return builders + i;
		}
	}
	return NULL;
}

const bvb_builder_traits* bvb_builder_traits_of( const char* name )
{
	const bvhier_builder* builder = bvhier_builder_find( name );
	return builder ? &builder->traits : NULL;
}

const char* bvb_builder_name( uint32_t index, const char** summary )
{
	if ( index >= builder_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = builders[index].summary;
	}
	return builders[index].name;
}

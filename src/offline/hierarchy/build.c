// The table of builders, and a build from the options to the tree. See build.h.

#include "offline/hierarchy/build.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/fit_boxes.h"
#include "offline/hierarchy/split.h"

#include <math.h>
#include <omp.h>
#include <string.h>

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
		.spheres = bvlit_spheres_quinlan,
		.traits = { .own_degree = true, .volume_types = spheres_alone, .leaf_triangles = 1 },
	},
	{
		.name = "quinlan-faces",
		.summary =
			"smallest spheres of the faces, divided top-down (Quinlan 1994, modified by Eckstein 1998)",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_quinlan_faces,
		.traits = { .own_degree = true, .volume_types = spheres_alone, .leaf_triangles = 1 },
	},
	{
		.name = "palmer-grimsdale",
		.summary = "spheres around octants, divided down to two faces (Palmer, Grimsdale 1995)",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_palmer_grimsdale,
		.traits = { .own_degree = true, .volume_types = spheres_alone, .leaf_triangles = 2 },
	},
	{
		.name = "hubbard-octree",
		.summary = "spheres around octants, annealed by certified distance (Hubbard 1995)",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_hubbard_octree,
		.traits = { .own_degree = true, .own_leaves = true, .random = true, .volume_types = spheres_alone },
	},
	{
		.name = "hubbard-octree-estimate",
		.summary = "the same with Hubbard's estimate of the distance from a dodecahedron's corners",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_hubbard_octree_estimate,
		.traits = { .own_degree = true, .own_leaves = true, .random = true, .volume_types = spheres_alone },
	},
	{
		.name = "hubbard-octree-plain",
		.summary = "the same without annealing",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_hubbard_octree_plain,
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
	{
		.name = "hubbard-medial",
		.summary = "spheres of the medial axis, merged eight at a time (Hubbard 1996)",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_hubbard_medial,
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
	{
		.name = "adaptive-medial",
		.summary = "spheres of a medial axis, refined where they protrude (Bradshaw, O'Sullivan 2004)",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_adaptive_medial,
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
	{
		.name = "sphere-merge",
		.summary = "spheres that protrude as little as possible, merged bottom-up",
		.build = bvlit_build_spheres,
		.spheres = bvlit_spheres_merged,
		.traits = { .own_degree = true, .own_leaves = true, .volume_types = spheres_alone },
	},
};

enum
{
	builder_count = sizeof builders / sizeof builders[0],
	parallel_faces = 1024, // fewer are not worth a second thread
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

const char* bvb_quality_name( uint32_t quality )
{
	static const char* const words[] = { "area", "volume", "diameter", "hausdorff" };
	return quality < sizeof words / sizeof *words ? words[quality] : NULL;
}

const char* bvb_aggregate_name( uint32_t aggregate )
{
	static const char* const words[] = { "mean", "max" };
	return aggregate < sizeof words / sizeof *words ? words[aggregate] : NULL;
}

bvb_hierarchy_options bvb_hierarchy_options_default( void )
{
	return ( bvb_hierarchy_options ){
		.builder = "sah",
		.splitter = "sah",
		.volume_types = 1u << bv_volume_obb,
		.hit_tests = 2,
		.node_box = "pca",
		.degree = 2,
		.improvement = 0.75,
		.max_degree = BVB_MAX_DEGREE,
		.min_faces = 2,
		.costs = bvb_costs_default(),
		.search_budget = 100000,
		.byte_price = 100,
		.leaf_triangles = 1,
		.max_depth = BV_MAX_DEPTH,
	};
}

static bv_status check_names( const bvb_hierarchy_options* o, bvb_error* error )
{
	if ( !bvhier_builder_find( o->builder ) )
	{
		return bvbase_fail( error, bv_error_argument, "unknown builder '%s'", o->builder );
	}
	if ( !bvhier_splitter_find( o->splitter ) )
	{
		return bvbase_fail( error, bv_error_argument, "unknown splitter '%s'", o->splitter );
	}
	for ( int i = 0; i < 2; ++i )
	{
		const char* name = i == 0 ? o->node_box : o->refit;
		if ( ( i == 0 || name ) && !bvfit_node_box_find( name ) )
		{
			return bvbase_fail( error, bv_error_argument, "unknown method of fitting nodes '%s'", name );
		}
	}
	return bv_ok;
}

static bool are_costs( const bv_costs* costs )
{
	const double steps[] = { costs->triangles, costs->opening, costs->leaf };
	bool good = true;
	for ( int i = 0; i < 3; ++i )
	{
		good = good && steps[i] > 0 && steps[i] <= BVB_MAX_COST;
	}
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			double cost = costs->volumes[i][k];
			good = good && cost > 0 && cost <= BVB_MAX_COST && cost == costs->volumes[k][i];
		}
	}
	return good;
}

static bool is_degree( uint32_t degree )
{
	return degree >= 2 && degree <= BVB_MAX_DEGREE;
}

static bv_status check( const bvb_mesh* mesh, const bvb_hierarchy_options* o, bvb_error* error )
{
	bv_status status = check_names( o, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( o->leaf_triangles == 0 || o->max_depth > BV_MAX_DEPTH || o->threads > 1024 )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the leaf size, depth or number of threads is out of range" );
	}
	if ( ( o->degree != 0 && !is_degree( o->degree ) ) || !is_degree( o->max_degree ) ||
	     !( o->improvement > 0 && o->improvement <= 1 ) )
	{
		return bvbase_fail( error, bv_error_argument, "the degree or the improvement is out of range" );
	}
	if ( o->collapse == 1 || o->collapse > BVB_MAX_CHILDREN ||
	     ( ( o->optimize || o->collapse ) && o->degree != 2 ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the collapse is out of range, or the tree is not binary" );
	}
	if ( !( o->byte_price >= 0 && o->byte_price <= BVB_MAX_BYTE_PRICE ) )
	{
		return bvbase_fail( error, bv_error_argument, "the byte price is out of range" );
	}
	const bvb_builder_traits* traits = bvb_builder_traits_of( o->builder );
	if ( traits->binary && o->degree != 2 )
	{
		return bvbase_fail( error, bv_error_argument, "the builder %s makes binary trees only", o->builder );
	}
	if ( traits->sized && o->quality == bvb_quality_hausdorff )
	{
		return bvbase_fail( error, bv_error_argument, "the builder %s supports quality by volume size only",
		                    o->builder );
	}
	if ( traits->own_degree && ( o->degree != 2 || o->optimize || o->collapse ) )
	{
		return bvbase_fail( error, bv_error_argument, "the builder %s chooses the degree itself",
		                    o->builder );
	}
	if ( o->volume_types == 0 || o->volume_types >> bv_volume_types ||
	     (unsigned)o->quality > bvb_quality_hausdorff || (unsigned)o->aggregate > bvb_aggregate_max ||
	     !are_costs( &o->costs ) || !( o->hit_tests >= 0 && o->hit_tests <= BVB_MAX_HIT_TESTS ) )
	{
		return bvbase_fail( error, bv_error_argument, "a volume type, a quality or a cost is invalid" );
	}
	if ( mesh->triangle_count == 0 || mesh->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvbase_fail( error, bv_error_argument, "the mesh has no triangles or too many" );
	}
	return bv_ok;
}

static bvfit_face* make_faces( const bvb_mesh* mesh, int team, bvb_arena* arena )
{
	bvfit_face* faces = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *faces );
	uint32_t count = faces ? mesh->triangle_count : 0;
#pragma omp parallel for schedule( dynamic, 4096 ) num_threads( team ) if ( team > 1 )
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		faces[i] = bvfit_face_of(
			( bv_vec3[3] ){ mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] } );
	}
	return faces;
}

bool bvhier_build_make_room( const bvhier_build* build, bvb_arena* arena )
{
	size_t nodes = 2 * (size_t)build->count - 1;
	bvb_tree* tree = build->tree;
	tree->nodes = bvb_arena_allocate( arena, nodes, sizeof *tree->nodes );
	tree->volumes = bvb_arena_allocate( arena, nodes, tree->stride );
	return tree->nodes && tree->volumes;
}

bvhier_worker* bvhier_build_worker( const bvhier_build* build )
{
	return build->workers + omp_get_thread_num();
}

static bool make_workers( bvhier_build* build )
{
	build->workers = bvb_arena_allocate( build->scratch, (size_t)build->team, sizeof *build->workers );
	for ( int i = 0; build->workers && i < build->team; ++i )
	{
		build->workers[i].arena = bvbase_arena_create_scratch( build->scratch );
		if ( !build->workers[i].arena )
		{
			return false;
		}
	}
	return build->workers;
}

// Zeros where memory is short, so that bvhier_build_end finds its way.
static bool make_all( bvhier_build* build )
{
	bvb_arena* scratch = build->scratch;
	uint32_t count = build->count;
	build->failed = bvb_arena_allocate( scratch, 1, sizeof *build->failed );
	build->order = bvbase_arena_allocate_unset( scratch, count, sizeof *build->order );
	build->tree = bvb_arena_allocate( scratch, 1, sizeof *build->tree );
	if ( !make_workers( build ) || !build->failed || !build->order || !build->tree )
	{
		return false;
	}
	build->tree->stride = bvorder_stride( build->options->volume_types );
	if ( build->bare )
	{
		return true;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		build->order[i] = i;
	}
	build->faces = make_faces( build->mesh, build->team, scratch );
	build->corners = bvb_arena_allocate( scratch, 3 * (size_t)count, sizeof *build->corners );
	return build->faces && build->corners && bvhier_build_make_room( build, scratch );
}

bv_status bvhier_build_begin( const bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* owner,
                              bvhier_build* out, bvb_error* error )
{
	*out = ( bvhier_build ){ .options = options, .mesh = mesh, .count = mesh->triangle_count };
	bv_status status = check( mesh, options, error );
	if ( status != bv_ok )
	{
		return status;
	}
	const bvhier_builder* row = bvhier_builder_find( options->builder );
	out->bare = row->bare && !options->optimize && !options->refit &&
	            ( row->collapses || !options->collapse ) && row->bare( mesh, options );
	out->node_box = bvfit_node_box_find( options->node_box );
	out->quality = bvhier_quality_make( options, mesh );
	out->scratch = bvbase_arena_create_scratch( owner );
	out->team = out->count >= parallel_faces ? bvbase_thread_team_in( owner, options->threads ) : 1;
	return out->scratch && make_all( out ) ? bv_ok : bvbase_fail_memory( error );
}

void bvhier_build_end( bvhier_build* build )
{
	for ( int i = 0; build->workers && i < build->team; ++i )
	{
		bvb_arena_destroy( build->workers[i].arena );
	}
	bvb_arena_destroy( build->scratch );
}

bv_volume bvhier_build_fit( const bvhier_build* build, bvhier_worker* worker, const bvfit_face_list* list,
                            double* quality )
{
	uint32_t types = build->options->volume_types;
	bool choose = types & ( types - 1 );
	bv_volume best = { .type = bv_volume_types };
	double least = INFINITY;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( !( types >> i & 1 ) )
		{
			continue;
		}
		bv_volume volume = bvfit_volume_fit_type( (bv_volume_type)i, list );
		double good = 0;
		if ( ( choose || quality ) &&
		     !bvhier_quality_of( &build->quality, list, &volume, &worker->target, worker->arena, &good ) )
		{
#pragma omp atomic write
			*build->failed = true;
		}
		if ( best.type == bv_volume_types || good < least )
		{
			best = volume;
			least = good;
		}
	}
	if ( quality )
	{
		*quality = least;
	}
	return best;
}

// Collapsing chooses leaves itself. No smaller than the depth lets a balanced tree have, though: the builders' bounds on
// the depth depend on it.
static uint32_t least_leaf( const bvhier_build* build )
{
	uint32_t levels = build->options->max_depth;
	uint32_t least = levels >= 32 ? 1 : ( ( build->count - 1 ) >> levels ) + 1;
	return least < build->options->leaf_triangles ? least : build->options->leaf_triangles;
}

static bv_status make_tree( const bvhier_build* build )
{
	const bvb_hierarchy_options* options = build->options;
	const bvhier_builder* builder = bvhier_builder_find( options->builder );
	bool later = options->collapse && ( !builder->collapses || options->optimize );
	bvb_hierarchy_options fine = *options;
	if ( later )
	{
		fine.leaf_triangles = least_leaf( build );
		fine.collapse = 0;
	}
	bvhier_build first = *build;
	first.options = &fine;
	bv_status status = builder->build( &first );
	if ( status == bv_ok && options->optimize )
	{
		status = bvhier_optimize( &first );
	}
	if ( status == bv_ok && later )
	{
		status = bvhier_collapse( build );
	}
	// Behind the collapse, which leaves out most of the nodes.
	if ( status == bv_ok && options->refit )
	{
		first.node_box = bvfit_node_box_find( options->refit );
		bvhier_fit_nodes( &first );
	}
	bool mixed = options->volume_types & ( options->volume_types - 1 );
	bool arranged = builder->collapses && !options->optimize && !mixed;
	return status == bv_ok && !*build->failed && !arranged ? bvhier_arrange( build ) : status;
}

static bv_status build( bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* arena,
                        bvb_tree** out, bvb_error* error )
{
	bvhier_build build;
	bv_status status = bvhier_build_begin( mesh, options, arena, &build, error );
	build.keep = arena;
	if ( status == bv_ok )
	{
		status = make_tree( &build );
		if ( status == bv_ok && !*build.failed &&
		     bvorder_order_mesh( mesh, build.order, build.team, build.scratch ) )
		{
			*out = build.bare && build.tree->node_count ? bvorder_keep( build.tree, arena )
			                                            : bvorder_create( build.tree, arena );
		}
		status = *out ? bv_ok : bvbase_fail_memory( error );
	}
	bvhier_build_end( &build );
	return status;
}

static bv_status fit_by_lanes( bvb_tree* tree, const bvb_mesh* mesh, uint32_t threads, bvb_arena* owner )
{
	int team = mesh->triangle_count >= parallel_faces ? bvbase_thread_team_in( owner, threads ) : 1;
	bvb_arena* scratch = bvbase_arena_create_scratch( owner );
	bv_status status = scratch ? bvhier_fit_boxes( tree, mesh, team, scratch ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	return status;
}

static bv_status fit_one_by_one( bvb_tree* tree, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                                 bvb_arena* owner, bvb_error* error )
{
	bvhier_build build;
	bv_status status = bvhier_build_begin( mesh, options, owner, &build, error );
	if ( status == bv_ok )
	{
		build.tree = tree;
		bvhier_fit_nodes( &build );
		status = *build.failed ? bv_error_memory : bv_ok;
	}
	bvhier_build_end( &build );
	return status;
}

// Gives the nodes of a finished tree oriented boxes, its mesh being in its order.
static bv_status fit_last( bvb_tree* tree, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                           bvb_arena* arena, bvb_error* error )
{
	tree->stride = bvorder_stride( options->volume_types );
	tree->volumes = bvbase_arena_allocate_unset( arena, tree->node_count, tree->stride );
	if ( !tree->volumes )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvfit_node_box_find( options->node_box )->lanes
	                       ? fit_by_lanes( tree, mesh, options->threads, arena )
	                       : fit_one_by_one( tree, mesh, options, arena, error );
	return status == bv_error_memory ? bvbase_fail_memory( error ) : status;
}

// Where a builder goes by aligned boxes, so does the collapse, and oriented ones are fitted to the nodes that are left. Whoever
// moves nodes, or fits boxes again, wants the real ones before.
static bool fits_last( const bvb_hierarchy_options* o )
{
	const bvhier_builder* builder = bvhier_builder_find( o->builder );
	return builder && builder->upright && o->volume_types == 1u << bv_volume_obb && !o->refit && !o->optimize;
}

bv_status bvb_hierarchy_build( bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* arena,
                               bvb_tree** out, bvb_error* error )
{
	*out = NULL;
	bvb_hierarchy_options aligned = *options;
	bv_status status = check( mesh, options, error );
	if ( status != bv_ok || !fits_last( options ) )
	{
		return status == bv_ok ? build( mesh, options, arena, out, error ) : status;
	}
	aligned.volume_types = 1u << bv_volume_aabb;
	status = build( mesh, &aligned, arena, out, error );
	if ( status == bv_ok )
	{
		status = fit_last( *out, mesh, options, arena, error );
		*out = status == bv_ok ? *out : NULL;
	}
	return status;
}

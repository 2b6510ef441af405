// A build from the options to the tree: the builder, then optimization, collapse, refit and order. See
// build.h, builders.c.

#include "offline/hierarchy/build.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/builders.h"
#include "offline/hierarchy/fit_boxes.h"
#include "offline/hierarchy/splitters.h"

enum
{
	parallel_faces = 1024, // fewer are not worth a second thread
};

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
	bv_status status = bvhier_check_options( mesh, options, error );
	if ( status != bv_ok )
	{
		return status;
	}
	const bvhier_builder* row = bvhier_builder_find( options->builder );
	out->builder = row;
	out->splitter = bvhier_splitter_find( options->splitter );
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

// Collapsing chooses leaves itself. No smaller than the depth lets a balanced tree have, though: the
// builders' bounds on the depth depend on it.
static uint32_t least_leaf( const bvhier_build* build )
{
	uint32_t levels = build->options->max_depth;
	uint32_t least = levels >= 32 ? 1 : ( ( build->count - 1 ) >> levels ) + 1;
	return least < build->options->leaf_triangles ? least : build->options->leaf_triangles;
}

static bv_status make_tree( const bvhier_build* build )
{
	const bvb_hierarchy_options* options = build->options;
	const bvhier_builder* builder = build->builder;
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

// Where a builder goes by aligned boxes, so does the collapse, and oriented ones are fitted to the nodes that
// are left. Whoever moves nodes, or fits boxes again, wants the real ones before.
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
	bv_status status = bvhier_check_options( mesh, options, error );
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

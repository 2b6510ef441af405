// Fitting of all volumes of a finished tree. See refit.h.

#include "offline/hierarchy/refit.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/hierarchy/build.h"
#include "offline/hierarchy/fit_boxes.h"

#include <string.h>

enum
{
	task_faces = 512,      // below this a subtree is not worth a task of its own
	parallel_faces = 1024, // nor is a tree worth a second thread
};

// The children first: their points have the same room as their parent's.
static void fit_subtree( const bvhier_build* build, bvb_tree* tree, uint32_t index )
{
	const bvorder_stored_node* node = tree->nodes + index;
	for ( uint32_t k = 0; k < node->children; ++k )
	{
		uint32_t child = node->first_child + k;
#pragma omp task if ( k + 1 < node->children && tree->nodes[child].triangles >= task_faces )
		fit_subtree( build, tree, child );
	}
#pragma omp taskwait
	bvfit_face_list list = bvhier_build_list( build, node->first_triangle, node->triangles );
	bv_volume volume = bvfit_volume_fit_type( node->type, &list );
	bvorder_set_volume( tree, index, &volume );
}

static bv_status fit_by_types( bvb_tree* tree, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                               bvb_arena* owner, bvb_error* error )
{
	bvhier_build build;
	bv_status status = bvhier_build_begin( mesh, options, owner, &build, error );
	if ( status == bv_ok )
	{
#pragma omp parallel num_threads( build.team ) if ( build.team > 1 )
#pragma omp single
		fit_subtree( &build, tree, 0 );
	}
	bvhier_build_end( &build );
	return status;
}

bv_status bvhier_refit( bvb_tree* tree, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                        bvb_arena* owner, bvb_error* error )
{
	const bvfit_node_box* box = bvfit_node_box_find( options->refit ? options->refit : options->node_box );
	tree->frames = NULL;
	if ( !( options->volume_types == 1u << bv_volume_obb && box && box->lanes ) )
	{
		bvb_hierarchy_options plain = *options;
		plain.builder = "topdown"; // needs faces, unlike some others
		plain.node_box = box ? box->name : plain.node_box;
		plain.optimize = 0;
		plain.collapse = 0;
		return fit_by_types( tree, mesh, &plain, owner, error );
	}
	int team = mesh->triangle_count >= parallel_faces ? bvbase_thread_team_in( owner, options->threads ) : 1;
	bvb_arena* scratch = bvbase_arena_create_scratch( owner );
	bv_status status = scratch ? bvhier_fit_boxes( tree, mesh, team, scratch ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	return status == bv_error_memory ? bvbase_fail_memory( error ) : status;
}

bvb_tree* bvhier_copy( const bvb_tree* tree, bvb_arena* arena )
{
	bvb_tree* copy = bvb_arena_allocate( arena, 1, sizeof *copy );
	bvorder_stored_node* nodes = bvb_arena_allocate( arena, tree->node_count, sizeof *nodes );
	uint8_t* volumes = bvb_arena_allocate( arena, tree->node_count, tree->stride );
	if ( !copy || !nodes || !volumes )
	{
		return NULL;
	}
	memcpy( nodes, tree->nodes, tree->node_count * sizeof *nodes );
	memcpy( volumes, tree->volumes, (size_t)tree->node_count * tree->stride );
	*copy = ( bvb_tree ){
		.nodes = nodes, .volumes = volumes, .stride = tree->stride, .node_count = tree->node_count
	};
	return copy;
}

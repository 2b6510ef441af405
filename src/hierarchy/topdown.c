// The top-down frame: start with all faces, split each node's set until it is small enough, the depth limit
// is reached, or the splitter can't separate it. J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998,
// section 3.6.
//
// One rule is added: where a split would leave more faces than the levels below it can hold in leaves of the
// wanted size, the set is halved instead. Without it one lopsided split a level fills the depth limit with
// one huge leaf.

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "base/offline/threads.h"
#include "fit/obb_node.h"
#include "hierarchy/split.h"
#include "tree/tree.h"

enum
{
	max_degree = 2,
	task_faces = 512, // below this a set is not worth a task of its own
};

// What all nodes of one build share. Each task writes its own range of `order`, `keys` and `nodes` only.
typedef struct builder
{
	const bvb_face* faces;
	const bvb_splitter* splitter;
	const bvb_node_box* node_box;
	uint32_t* order;
	double* keys;
	bvb_stored_node* nodes;
	uint32_t leaf_triangles;
	uint32_t max_depth;
} builder;

// Whether `levels` more levels of halving bring `count` faces into leaves of the wanted size.
static bool fits_below( const builder* b, uint32_t count, uint32_t levels )
{
	return levels >= 32 || ( (uint64_t)b->leaf_triangles << levels ) >= count;
}

static uint32_t split( const builder* b, const bvb_stored_node* node, uint32_t level,
                       uint32_t parts[max_degree] )
{
	bv_obb box = bv_obb_unpack( &node->box );
	bvb_face_set set = {
		.faces = b->faces,
		.order = b->order + node->first_triangle,
		.count = node->triangles,
		.box = &box,
	};
	uint32_t levels = b->max_depth - level;
	uint32_t count = b->splitter->split( &set, max_degree, parts );
	if ( count > 1 && fits_below( b, node->triangles, levels ) )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			if ( !fits_below( b, parts[i], levels - 1 ) )
			{
				parts[0] = bvb_halve( &set, b->keys + node->first_triangle );
				parts[1] = node->triangles - parts[0];
				return 2;
			}
		}
	}
	return count;
}

// Fits node `index` to its set, splits it, and builds what is below in nodes[free ...]: all descendants of a
// set of n faces have room in 2n - 2 nodes, so that every task knows its place beforehand.
static void build( const builder* b, uint32_t index, uint32_t level, uint32_t free )
{
	bvb_stored_node* node = b->nodes + index;
	node->box = b->node_box->fit( b->faces, b->order + node->first_triangle, node->triangles );
	if ( node->triangles <= b->leaf_triangles || level == b->max_depth )
	{
		return;
	}
	uint32_t parts[max_degree];
	uint32_t count = split( b, node, level, parts );
	if ( count == 1 )
	{
		return;
	}

	node->first_child = free;
	node->children = count;
	uint32_t first_triangle = node->first_triangle;
	uint32_t next_free = free + count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		b->nodes[free + i] = ( bvb_stored_node ){ .first_triangle = first_triangle, .triangles = parts[i] };
#pragma omp task if ( parts[i] >= task_faces ) firstprivate( i, next_free )
		build( b, free + i, level + 1, next_free );
		first_triangle += parts[i];
		next_free += 2 * parts[i] - 2;
	}
}

static void build_all( const builder* b, uint32_t count, uint32_t threads )
{
	b->nodes[0] = ( bvb_stored_node ){ .triangles = count };
	int team = count >= 2 * task_faces ? bvb_thread_team( threads ) : 1;
#pragma omp parallel num_threads( team ) if ( team > 1 )
#pragma omp single
	build( b, 0, 0, 1 );
}

static bvb_face* make_faces( const bvb_mesh* mesh, bvb_arena* arena )
{
	bvb_face* faces = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *faces );
	for ( uint32_t i = 0; faces && i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		faces[i] = bvb_face_of(
			( bv_vec3[3] ){ mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] } );
	}
	return faces;
}

static bv_status check( const bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_error* error )
{
	if ( !bvb_splitter_find( options->splitter ) )
	{
		return bvb_fail( error, bv_error_argument, "no splitter is called '%s'", options->splitter );
	}
	if ( !bvb_node_box_find( options->node_box ) )
	{
		return bvb_fail( error, bv_error_argument, "no way of fitting nodes is called '%s'",
		                 options->node_box );
	}
	if ( options->leaf_triangles == 0 || options->max_depth > BV_MAX_DEPTH || options->threads > 1024 )
	{
		return bvb_fail( error, bv_error_argument, "leaf size, depth or number of threads is out of range" );
	}
	if ( mesh->triangle_count == 0 || mesh->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvb_fail( error, bv_error_argument, "no triangles, or too many" );
	}
	return bv_ok;
}

bvb_hierarchy_options bvb_hierarchy_options_default( void )
{
	return ( bvb_hierarchy_options ){
		.splitter = "gottschalk",
		.node_box = "dito",
		.leaf_triangles = 1,
		.max_depth = BV_MAX_DEPTH,
	};
}

bv_status bvb_hierarchy_build( bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* arena,
                               bvb_tree** out, bvb_error* error )
{
	bv_status status = check( mesh, options, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvb_fail_memory( error );
	}

	uint32_t count = mesh->triangle_count;
	builder b = {
		.faces = make_faces( mesh, scratch ),
		.splitter = bvb_splitter_find( options->splitter ),
		.node_box = bvb_node_box_find( options->node_box ),
		.order = bvb_arena_allocate( scratch, count, sizeof *b.order ),
		.keys = bvb_arena_allocate( scratch, count, sizeof *b.keys ),
		.nodes = bvb_arena_allocate( scratch, 2 * (size_t)count - 1, sizeof *b.nodes ),
		.leaf_triangles = options->leaf_triangles,
		.max_depth = options->max_depth,
	};
	*out = NULL;
	if ( b.faces && b.order && b.keys && b.nodes )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			b.order[i] = i;
		}
		build_all( &b, count, options->threads );
		if ( bvb_tree_order_mesh( mesh, b.order, scratch ) )
		{
			*out = bvb_tree_create( b.nodes, arena );
		}
	}
	bvb_arena_destroy( scratch );
	return *out ? bv_ok : bvb_fail_memory( error );
}

// Binned SAH for axis-aligned boxes, fast: the tree that the frame makes with the splitter `sah`, to the last
// bit. I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007. For other volumes the
// same tree is made, and they are fitted to its nodes: cuts in the frames of the nodes' own oriented boxes
// are little better, once nodes may choose between both.
//
// Each face is a box of 32 bytes that moves along with its set, so that all passes read memory in order; a
// child's box comes out of the bins, and the bounds of its midpoints out of the pass that sorts faces to both
// sides. Whatever this can't do as the frame does (sets whose boxes have one midpoint, sets that the depth
// limit wants halved) is left to the splitters on a copy of the set; other degrees, and corners that are no
// binary32 numbers are left to the frame.

#include "offline/hierarchy/build_sah.h"

#include "offline/base/arena.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/builders.h"
#include "offline/hierarchy/splitters.h"

#include <string.h>

// In the table of builders.c.
bvhier_build_function bvhier_build_sah;
bvhier_bare_function bvhier_build_sah_is_bare;

enum
{
	task_faces = 4096, // below this a set is not worth a task of its own
};

typedef struct sah_frame
{
	const bvhier_build* build;
	bool* gaps; // set when a leaf holds several faces, with an atomic write

	// the faces in the tree's order so far; sorting a set goes from one to the other
	bvhier_sah_item* items[2];
} sah_frame;

// A node to be built. Its items are in items[side].
typedef struct sah_task
{
	uint32_t index; // of the node
	uint32_t level; // of the node
	uint32_t free;  // where nodes below it have room
	int side;
	bvhier_sah_box box;
	bvhier_sah_places places;
} sah_task;

// Whether `levels` more levels of halving bring `count` faces into leaves of the wanted size.
static bool fits_below( const bvhier_build* build, uint32_t count, uint32_t levels )
{
	return levels >= 32 || ( (uint64_t)build->options->leaf_triangles << levels ) >= count;
}

static bool is_too_deep( const bvhier_build* build, uint32_t count, uint32_t below, uint32_t levels )
{
	uint32_t more = below < count - below ? count - below : below;
	return !fits_below( build, more, levels - 1 ) && fits_below( build, count, levels );
}

// Sorts a node's faces into those of its children, in the other of the two arrays. Returns how many are in
// the first, 0 for a leaf.
static uint32_t divide( const sah_frame* f, const sah_task* t, bvhier_sah_halves* out )
{
	const bvhier_build* build = f->build;
	const bvorder_stored_node* node = build->tree->nodes + t->index;
	uint32_t count = node->triangles;
	uint32_t levels = build->options->max_depth - t->level;
	const bvhier_sah_item* from = f->items[t->side] + node->first_triangle;
	bvhier_sah_item* to = f->items[!t->side] + node->first_triangle;
	if ( count <= build->options->leaf_triangles || levels == 0 )
	{
		return 0;
	}
	uint32_t first = bvhier_sah_divide( from, count, &t->places, to, out );
	if ( first == 0 )
	{
		first = bvhier_sah_divide_by( bvhier_split_sah, build, from, count, &t->box, to, out );
	}
	if ( first > 0 && is_too_deep( build, count, first, levels ) )
	{
		first = bvhier_sah_divide_by( bvhier_split_median, build, from, count, &t->box, to, out );
	}
	return first;
}

static void set_node( const sah_frame* f, uint32_t index, uint32_t first, uint32_t count,
                      const bvhier_sah_box* b )
{
	bvb_tree* tree = f->build->tree;
	float stored[6] = { b->lower[0], b->lower[1], b->lower[2], b->upper[0], b->upper[1], b->upper[2] };
	tree->nodes[index] =
		( bvorder_stored_node ){ .first_triangle = first, .triangles = count, .type = bv_volume_aabb };
	memcpy( tree->volumes + (size_t)tree->stride * index, stored, sizeof stored );
}

static void make_leaf( const sah_frame* f, const bvorder_stored_node* node, int side )
{
	uint32_t first = node->first_triangle;
	for ( uint32_t i = 0; i < node->triangles; ++i )
	{
		f->build->order[first + i] = f->items[side][first + i].face;
	}
	if ( node->triangles > 1 )
	{
#pragma omp atomic write
		*f->gaps = true;
	}
}

// Builds what is below a node in nodes[free ...]: all descendants of a set of n faces have room in 2n - 2
// nodes, so that every task knows its place beforehand.
static void build( const sah_frame* f, const sah_task* t )
{
	bvorder_stored_node* node = f->build->tree->nodes + t->index;
	bvhier_sah_halves halves;
	uint32_t below = divide( f, t, &halves );
	if ( below == 0 )
	{
		make_leaf( f, node, t->side );
		return;
	}
	node->first_child = t->free;
	node->children = 2;
	uint32_t first = node->first_triangle;
	uint32_t free = t->free + 2;
	for ( uint32_t i = 0; i < 2; ++i )
	{
		sah_task child = { t->free + i, t->level + 1, free, !t->side, halves.box[i], halves.places[i] };
		uint32_t faces = i == 0 ? below : node->triangles - below;
		set_node( f, child.index, first, faces, halves.box + i );
		if ( faces == 1 )
		{
			make_leaf( f, f->build->tree->nodes + child.index, child.side );
		}
		else if ( i == 0 && faces >= task_faces )
		{
#pragma omp task firstprivate( child )
			build( f, &child );
		}
		else
		{
			build( f, &child );
		}
		first += faces;
		free += 2 * faces - 2;
	}
}

static bool is_exact( bv_vec3 p )
{
	return (double)(float)p.x == p.x && (double)(float)p.y == p.y && (double)(float)p.z == p.z;
}

// Whether it can be done here.
static bool is_fast( const bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	bool fast = options->degree == 2;
	for ( uint32_t i = 0; fast && i < mesh->vertex_count; ++i )
	{
		fast = is_exact( mesh->positions[i] );
	}
	return fast;
}

bool bvhier_build_sah_is_bare( const bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	return options->volume_types == 1u << bv_volume_aabb && is_fast( mesh, options );
}

// Adding 0 makes +0 of -0.
static bvbase_float4 corner_of( bv_vec3 p )
{
	return ( bvbase_float4 ){ (float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f, 0 };
}

// Makes the items and what is around all.
static void make_items( const bvhier_build* job, bvhier_sah_item* items, sah_task* root )
{
	const bvb_mesh* mesh = job->mesh;
	root->box = bvhier_sah_no_box;
	root->places = bvhier_sah_no_places;
	for ( uint32_t i = 0; i < job->count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i].corner;
		bvbase_float4 a = corner_of( mesh->positions[corner[0]] );
		bvbase_float4 b = corner_of( mesh->positions[corner[1]] );
		bvbase_float4 c = corner_of( mesh->positions[corner[2]] );
		bvhier_sah_item made;
		made.lower = bvbase_least4( bvbase_least4( a, b ), c );
		made.upper = bvbase_greatest4( bvbase_greatest4( a, b ), c );
		bvhier_sah_grow( &root->box, made.lower, made.upper );
		bvhier_sah_add_place( &root->places, bvhier_sah_place_of( &made ) );
		made.face = i;
		items[i] = made;
	}
}

// Fills a tree that has room.
static bv_status build_fast( const bvhier_build* job, bool* gaps )
{
	sah_frame f = { .build = job, .gaps = gaps };
	for ( int i = 0; i < 2; ++i )
	{
		f.items[i] = bvb_arena_allocate( job->scratch, job->count, sizeof *f.items[i] );
	}
	if ( !f.items[0] || !f.items[1] )
	{
		return bv_error_memory;
	}
	sah_task root = { .free = 1 };
	make_items( job, f.items[0], &root );
	set_node( &f, 0, 0, job->count, &root.box );
#pragma omp parallel num_threads( job->team ) if ( job->team > 1 )
#pragma omp single
	build( &f, &root );
	return bv_ok;
}

// Leaves of one face each leave no gaps, but where a set can't be cut: then the nodes are in canonical order
// at once, and can stay where they are.
static bv_status build_bare( const bvhier_build* job )
{
	bool stay = job->options->leaf_triangles == 1;
	bool gaps = false;
	if ( !bvhier_build_make_room( job, stay ? job->keep : job->scratch ) )
	{
		return bv_error_memory;
	}
	bv_status status = build_fast( job, &gaps );
	if ( status == bv_ok && stay && gaps )
	{
		bvorder_close_gaps( job->tree );
	}
	else if ( stay )
	{
		job->tree->node_count = 2 * job->count - 1;
	}
	return status;
}

// The same nodes with boxes of their own, which the final volumes then replace.
static bv_status build_and_fit( const bvhier_build* job )
{
	bvb_hierarchy_options options = *job->options;
	options.volume_types = 1u << bv_volume_aabb;
	bvb_tree boxes = { .nodes = job->tree->nodes, .stride = bvorder_stride( options.volume_types ) };
	boxes.volumes = bvb_arena_allocate( job->scratch, 2 * (size_t)job->count - 1, boxes.stride );
	if ( !boxes.volumes )
	{
		return bv_error_memory;
	}
	const bvhier_splitter by_area = { .split = bvhier_split_sah };
	bvhier_build upright = *job;
	upright.options = &options;
	upright.splitter = &by_area;
	upright.tree = &boxes;
	upright.quality = bvhier_quality_make( &options, job->mesh );
	bool gaps = false;
	bv_status status =
		is_fast( job->mesh, &options ) ? build_fast( &upright, &gaps ) : bvhier_build_topdown( &upright );
	if ( status == bv_ok )
	{
		bvhier_fit_nodes( job );
	}
	return status;
}

bv_status bvhier_build_sah( const bvhier_build* job )
{
	return job->bare ? build_bare( job ) : build_and_fit( job );
}

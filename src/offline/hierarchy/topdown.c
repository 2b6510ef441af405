// Top-down construction. Starts with all faces and splits each node's set until it is small enough, the depth
// limit is reached, or the splitter cannot separate it. The number of children is fixed, or it is the
// smallest number whose quality is a given share of the node's quality.
//
// One rule is added: if a split would leave more faces than the remaining levels can hold in leaves of the
// wanted size, the set is halved instead. Otherwise one lopsided split per level would reach the depth limit
// with one huge leaf.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.6, figures 3.1 and 3.2.

#include "offline/base/arena.h"
#include "offline/base/random.h"
#include "offline/hierarchy/builders.h"
#include "offline/hierarchy/splitters.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	task_faces = 512, // below this a set is not worth a task of its own
};

// What all nodes share. Each task writes its own range of the arrays only, which are of one entry a face.
typedef struct topdown_frame
{
	const bvhier_build* build;
	const bvhier_splitter* splitter;
	double* keys;
	uint8_t* part;      // of the faces, as a splitter last said
	uint8_t* best_part; // as the best of several said
	uint32_t* order;    // the faces sorted by part
} topdown_frame;

// A division of a node's faces. The parts are not empty.
typedef struct topdown_division
{
	uint32_t count;
	uint32_t faces[BVB_MAX_DEGREE];
	bv_volume volume[BVB_MAX_DEGREE]; // when they were fitted already
	double quality[BVB_MAX_DEGREE];
} topdown_division;

// A node to be built.
typedef struct topdown_task
{
	uint32_t index; // of the node
	uint32_t level; // of the node
	uint32_t free;  // where nodes below it have room
	bool fitted;    // its volume is in place ...
	double quality; // ... and this is known, where divisions are compared
} topdown_task;

static void fail( const bvhier_build* build )
{
#pragma omp atomic write
	*build->failed = true;
}

// Whether `levels` more levels of halving bring `count` faces into leaves of the wanted size.
static bool fits_below( const bvhier_build* build, uint32_t count, uint32_t levels )
{
	return levels >= 32 || ( (uint64_t)build->options->leaf_triangles << levels ) >= count;
}

static bvhier_face_set set_of( const topdown_frame* f, const bvorder_stored_node* node,
                               const bv_volume* volume )
{
	uint32_t first = node->first_triangle;
	return ( bvhier_face_set ){
		.build = f->build,
		.worker = bvhier_build_worker( f->build ),
		.list = bvhier_build_list( f->build, first, node->triangles ),
		.volume = volume,
		.keys = f->keys + first,
		.seed =
			bvbase_mix( bvbase_mix( f->build->options->seed ) + ( (uint64_t)first << 32 | node->triangles ) ),
	};
}

// Renames the parts that are not empty to 0, 1, ... and counts their faces.
static void number_parts( uint8_t* part, uint32_t count, topdown_division* out )
{
	uint32_t faces[BVB_MAX_DEGREE] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		faces[part[i]] += 1;
	}
	uint8_t number[BVB_MAX_DEGREE];
	out->count = 0;
	for ( int k = 0; k < BVB_MAX_DEGREE; ++k )
	{
		number[k] = (uint8_t)out->count;
		if ( faces[k] > 0 )
		{
			out->faces[out->count++] = faces[k];
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		part[i] = number[part[i]];
	}
}

// Sorts the faces by part, each part in the old order, into f->order.
static void sort_by_part( const topdown_frame* f, const bvorder_stored_node* node, const uint8_t* part,
                          const topdown_division* d )
{
	uint32_t end[BVB_MAX_DEGREE];
	uint32_t first = node->first_triangle;
	for ( uint32_t k = 0; k < d->count; ++k )
	{
		end[k] = k == 0 ? 0 : end[k - 1] + d->faces[k - 1];
	}
	for ( uint32_t i = 0; i < node->triangles; ++i )
	{
		f->order[first + end[part[i]]++] = f->build->order[first + i];
	}
}

static bool is_too_deep( const bvhier_build* build, const bvorder_stored_node* node, uint32_t levels,
                         const topdown_division* d )
{
	bool deep = false;
	for ( uint32_t i = 0; i < d->count; ++i )
	{
		deep = deep || !fits_below( build, d->faces[i], levels - 1 );
	}
	return d->count > 1 && deep && fits_below( build, node->triangles, levels );
}

// Lets the splitter divide a node's faces into `degree` parts at most.
// @param levels  how many there may be below the node
static void divide( const topdown_frame* f, const bvorder_stored_node* node, const bv_volume* volume,
                    uint32_t levels, uint32_t degree, topdown_division* out )
{
	bvhier_face_set set = set_of( f, node, volume );
	uint8_t* part = f->part + node->first_triangle;
	degree = degree < node->triangles ? degree : node->triangles;
	if ( !f->splitter->split( &set, degree, f->splitter->how, part ) )
	{
		fail( f->build );
		memset( part, 0, node->triangles );
	}
	number_parts( part, node->triangles, out );
	if ( is_too_deep( f->build, node, levels, out ) )
	{
		bvhier_split_median( &set, 2, NULL, part );
		number_parts( part, node->triangles, out );
	}
}

// Fits the parts of a division, which leads to its quality.
static double fit_parts( const topdown_frame* f, const bvorder_stored_node* node, const uint8_t* part,
                         topdown_division* d )
{
	sort_by_part( f, node, part, d );
	uint32_t first = node->first_triangle;
	for ( uint32_t k = 0; k < d->count; ++k )
	{
		bvfit_face_list list = bvhier_build_list( f->build, first, d->faces[k] );
		list.order = f->order + first;
		d->volume[k] = bvhier_build_fit( f->build, bvhier_build_worker( f->build ), &list, &d->quality[k] );
		first += d->faces[k];
	}
	return bvhier_quality_together( &f->build->quality, d->quality, d->count );
}

// The least number of children that improves enough, or the best there is (figure 3.2). Leaves the faces
// sorted by part. Returns false for a leaf.
static bool divide_as_needed( const topdown_frame* f, const bvorder_stored_node* node,
                              const bv_volume* volume, double quality, uint32_t levels,
                              topdown_division* out )
{
	const bvb_hierarchy_options* options = f->build->options;
	uint8_t* part = f->part + node->first_triangle;
	uint8_t* best_part = f->best_part + node->first_triangle;
	double least = INFINITY;
	out->count = 1;
	for ( uint32_t degree = 2; degree <= options->max_degree && degree <= node->triangles; ++degree )
	{
		topdown_division d;
		divide( f, node, volume, levels, degree, &d );
		double together = d.count > 1 ? fit_parts( f, node, part, &d ) : INFINITY;
		if ( d.count > 1 && ( out->count == 1 || together < least ) )
		{
			least = together;
			*out = d;
			memcpy( best_part, part, node->triangles );
		}
		if ( together <= options->improvement * quality )
		{
			break;
		}
	}
	if ( out->count == 1 ||
	     ( least > options->improvement * quality && node->triangles < options->min_faces ) )
	{
		return false;
	}
	sort_by_part( f, node, best_part, out );
	return true;
}

static bool divide_node( const topdown_frame* f, const topdown_task* t, const bv_volume* volume,
                         double quality, topdown_division* out )
{
	const bvhier_build* build = f->build;
	const bvorder_stored_node* node = build->tree->nodes + t->index;
	uint32_t levels = build->options->max_depth - t->level;
	if ( node->triangles <= build->options->leaf_triangles || levels == 0 )
	{
		return false;
	}
	if ( build->options->degree == 0 )
	{
		return divide_as_needed( f, node, volume, quality, levels, out );
	}
	divide( f, node, volume, levels, build->options->degree, out );
	if ( out->count > 1 )
	{
		sort_by_part( f, node, f->part + node->first_triangle, out );
	}
	return out->count > 1;
}

// Fits a node to its set, splits it, and builds what is below in nodes[free ...]: all descendants of a
// set of n faces have room in 2n - 2 nodes, so that every task knows its place beforehand.
static void build( const topdown_frame* f, topdown_task t )
{
	bvb_tree* tree = f->build->tree;
	bvorder_stored_node* node = tree->nodes + t.index;
	bool variable = f->build->options->degree == 0;
	if ( !t.fitted )
	{
		bvfit_face_list list = bvhier_build_list( f->build, node->first_triangle, node->triangles );
		bv_volume fitted = bvhier_build_fit( f->build, bvhier_build_worker( f->build ), &list,
		                                     variable ? &t.quality : NULL );
		bvorder_set_volume( tree, t.index, &fitted );
	}
	bv_volume volume = bvorder_volume( tree, t.index );
	topdown_division d;
	if ( !divide_node( f, &t, &volume, t.quality, &d ) )
	{
		return;
	}

	uint32_t first = node->first_triangle;
	memcpy( f->build->order + first, f->order + first, node->triangles * sizeof *f->order );
	node->first_child = t.free;
	node->children = d.count;
	uint32_t free = t.free + d.count;
	for ( uint32_t i = 0; i < d.count; ++i )
	{
		topdown_task child = { t.free + i, t.level + 1, free, variable, d.quality[i] };
		tree->nodes[child.index] =
			( bvorder_stored_node ){ .first_triangle = first, .triangles = d.faces[i] };
		if ( variable )
		{
			bvorder_set_volume( tree, child.index, &d.volume[i] );
		}
		first += d.faces[i];
		free += 2 * d.faces[i] - 2;
#pragma omp task if ( child.index + 1 < t.free + d.count && d.faces[i] >= task_faces ) firstprivate( child )
		build( f, child );
	}
}

bv_status bvhier_build_topdown( const bvhier_build* job )
{
	uint32_t count = job->count;
	topdown_frame f = {
		.build = job,
		.splitter = job->splitter,
		.keys = bvb_arena_allocate( job->scratch, count, sizeof *f.keys ),
		.part = bvb_arena_allocate( job->scratch, count, sizeof *f.part ),
		.best_part = bvb_arena_allocate( job->scratch, count, sizeof *f.best_part ),
		.order = bvb_arena_allocate( job->scratch, count, sizeof *f.order ),
	};
	if ( !f.keys || !f.part || !f.best_part || !f.order )
	{
		return bv_error_memory;
	}
	job->tree->nodes[0] = ( bvorder_stored_node ){ .triangles = count };
#pragma omp parallel num_threads( job->team ) if ( job->team > 1 )
#pragma omp single
	build( &f, ( topdown_task ){ .index = 0, .level = 0, .free = 1 } );
	return bv_ok;
}

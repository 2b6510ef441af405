// Errors of every node of a tree, bottom up. See bvbuild/hausdorff.h.
//
// Subtrees are measured in parallel, then the remaining nodes level by level. Every node finds its
// descendants finished, so the result is the same for any number of threads.

#include "offline/hausdorff/tree_errors.h"

#include "bvbuild/fit.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/hausdorff/box.h"
#include "offline/hausdorff/prisms.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>

enum
{
	subtree_triangles = 1024, // larger ones are not measured by one thread alone

	// Of one search: more than any other mesh that was tried has needed. Where triangles are everywhere in a
	// volume, as those of all triples of a cube's corners are, a search may need more than anybody will wait
	// for.
	most_regions = 1 << 18,
};

// Of the absolute tolerance: sides whose half extents are no larger make no difference but their thickness.
static const double thin_share = 0.25;

// What a thread needs for volumes that are no boxes.
typedef struct tree_errors_worker
{
	bvb_arena* arena;
	bvb_hausdorff_target* target;
} tree_errors_worker;

typedef struct measurer
{
	const bvb_mesh* mesh;
	const bvb_tree* tree;
	const bvb_tree_errors_options* options;
	unsigned bounds;
	bvhaus_index* index;
	bvhaus_search** search;      // one a thread
	bvhaus_prisms** prisms;      // one a thread
	tree_errors_worker* workers; // one a thread, where volumes are not all boxes
	uint64_t* regions;           // of each thread
	const uint32_t* all;         // 0, 1, 2, ... where volumes are not all boxes
	uint32_t done;               // nodes, counted where someone is told of them
	bool failed;                 // out of memory
	bvb_node_error* nodes;
} measurer;

static double diagonal_of( const double half_extents[3] )
{
	const double* e = half_extents;
	return 2 * sqrt( ( e[0] * e[0] + e[1] * e[1] ) + e[2] * e[2] );
}

// Every point of a box is nearer to a triangle than its farthest corner: the distance is a convex function.
static bv_interval measure_leaf( const bvhaus_framed_triangle* triangle, const bv_obb* box )
{
	double slack = 0x1p-45 * ( bvmath_norm1( box->center ) + diagonal_of( box->half_extents ) );
	bvhaus_cell cell;
	bvhaus_cell_make_box( box->center, box->axis, box->half_extents, &cell );
	double row[bvhaus_row];
	bvhaus_triangle_row( triangle, &cell.corner, 0, cell.corner.count, row );
	double largest = 0;
	for ( int i = 0; i < cell.corner.count; ++i )
	{
		largest = bvmath_max( largest, row[i] );
	}
	return ( bv_interval ){ bvmath_max( largest - slack, 0 ), largest + slack };
}

// By regions. All memory is taken at once: intervals must not depend on how much there is.
static bool search_box( const measurer* m, bvhaus_index_ref ref, const bvhaus_goal* goal, double size,
                        double thin, bvb_hausdorff found[2] )
{
	const bvhaus_solid_box* box = &m->index->solid_boxes[ref];
	bvhaus_search* s = m->search[omp_get_thread_num()];
	bool ready;
#pragma omp critical( bvhaus_tree_errors_memory )
	ready = bvhaus_search_reserve( s );
	if ( ready )
	{
		bvhaus_search_begin( s, m->index, ref, box->axis, size, goal );
		bvhaus_search_box( s, box, thin, &found[0], &found[1] );
	}
	return ready;
}

static bool measure_inner( const measurer* m, bvhaus_index_ref ref, bv_interval* surface, bv_interval* solid,
                           uint64_t* regions )
{
	const bvhaus_solid_box* box = &m->index->solid_boxes[ref];
	double diagonal = diagonal_of( box->half_extents );
	bvhaus_goal goal = { .relative = m->options->relative,
		                 .absolute = m->options->floor * diagonal,
		                 .max_regions = most_regions,
		                 .bounds = m->bounds };
	bvb_hausdorff found[2];
	double size = bvmath_norm1( box->center ) + diagonal;
	double thin = thin_share * goal.absolute;
	bvhaus_prisms* prisms = m->bounds & bvhaus_bound_prisms ? m->prisms[omp_get_thread_num()] : NULL;
	bool done =
		prisms && bvhaus_prisms_measure( prisms, m->index, ref, &goal, size, thin, &found[0], &found[1] );
	if ( !done && !search_box( m, ref, &goal, size, thin, found ) )
	{
		return false;
	}
	*solid = ( bv_interval ){ found[0].lower, found[0].upper };
	*surface = ( bv_interval ){ found[1].lower, found[1].upper };
	*regions += found[1].regions;
	return true;
}

// A volume that is no box, by itself.
static bool measure_volume( const measurer* m, uint32_t at, const bv_volume* volume, bv_interval* surface,
                            bv_interval* solid, uint64_t* regions )
{
	static const bvb_hausdorff_measure measures[2] = { bvb_hausdorff_solid, bvb_hausdorff_surface };
	const bvorder_stored_node* node = m->tree->nodes + at;
	const uint32_t* which = m->all + node->first_triangle;
	tree_errors_worker* w = m->workers + omp_get_thread_num();
	bvb_error error;
	bv_status status =
		w->target
			? bvb_hausdorff_target_reset( w->target, m->mesh, which, node->triangles, &error )
			: bvb_hausdorff_target_create( m->mesh, which, node->triangles, w->arena, &w->target, &error );
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		bvb_hausdorff found;
		bvb_hausdorff_options options = { .measure = measures[i],
			                              .relative = m->options->relative,
			                              .absolute = m->options->floor * bvb_diameter_of( volume ),
			                              .max_regions = most_regions };
		status = bvb_hausdorff_volume( w->target, volume, &options, &found );
		*( i == 0 ? solid : surface ) = ( bv_interval ){ found.lower, found.upper };
		*regions += found.regions;
	}
	return status == bv_ok;
}

// Only the first thread tells, so that what it tells grows.
static void tell( measurer* m )
{
	uint32_t done;
	if ( !m->options->progress )
	{
		return;
	}
#pragma omp atomic capture
	done = ++m->done;
	if ( omp_get_thread_num() == 0 )
	{
		m->options->progress( m->options->progress_context, (double)done / m->tree->node_count );
	}
}

static void measure_node( measurer* m, uint32_t at )
{
	bvhaus_index_ref ref = m->index->tree[at];
	uint64_t* regions = m->regions + omp_get_thread_num();
	bv_interval surface = { 0, 0 };
	bv_interval solid = { 0, 0 };
	bv_volume_type type = m->tree->nodes[at].type;
	bool good = true;
	if ( type != bv_volume_obb && type != bv_volume_aabb )
	{
		bv_volume volume = bvorder_volume( m->tree, at );
		good = measure_volume( m, at, &volume, &surface, &solid, regions );
	}
	else if ( bvhaus_ref_is_triangle( ref ) )
	{
		bv_volume volume = bvorder_volume( m->tree, at );
		bv_obb box;
		bvhaus_volume_is_box( &volume, &box );
		solid = surface = measure_leaf( bvhaus_ref_triangle( m->index, ref ), &box );
		*regions += 1;
	}
	else
	{
		good = measure_inner( m, ref, &surface, &solid, regions );
		m->index->nodes[ref].error = solid.upper;
	}
	if ( !good )
	{
#pragma omp atomic write
		m->failed = true;
	}
	m->nodes[at] = ( bvb_node_error ){ bvmath_float_down( surface.lower ), bvmath_float_up( surface.upper ),
		                               bvmath_float_down( solid.lower ), bvmath_float_up( solid.upper ) };
	tell( m );
}

static void measure_subtree( measurer* m, uint32_t at )
{
	const bvorder_stored_node* node = m->tree->nodes + at;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		measure_subtree( m, node->first_child + i );
	}
	measure_node( m, at );
}

static bool is_upper( const bvb_tree* tree, uint32_t at )
{
	return tree->nodes[at].triangles > subtree_triangles && tree->nodes[at].children > 0;
}

// The nodes that are too large for one thread, and those just below them. In canonical order parents come
// first, so that each list is read from its end.
typedef struct tree_errors_plan
{
	uint32_t* upper;
	uint32_t* level; // of each upper node
	uint32_t upper_count;
	uint32_t* subtrees;
	uint32_t subtree_count;
} tree_errors_plan;

static bool make_plan( const bvb_tree* tree, bvb_arena* scratch, tree_errors_plan* out )
{
	uint32_t count = 0;
	uint32_t children = 1;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		count += is_upper( tree, i );
		children += is_upper( tree, i ) ? tree->nodes[i].children : 0;
	}
	out->upper = bvb_arena_allocate( scratch, count, sizeof *out->upper );
	out->level = bvb_arena_allocate( scratch, count, sizeof *out->level );
	out->subtrees = bvb_arena_allocate( scratch, children, sizeof *out->subtrees );
	uint32_t* queue = bvb_arena_allocate( scratch, children, sizeof *queue );
	if ( !out->upper || !out->level || !out->subtrees || !queue )
	{
		return false;
	}

	// Breadth first, so that levels follow one another.
	uint32_t* queue_level = bvb_arena_allocate( scratch, children, sizeof *queue_level );
	if ( !queue_level )
	{
		return false;
	}
	uint32_t end = 1;
	out->upper_count = out->subtree_count = 0;
	queue[0] = 0;
	for ( uint32_t i = 0; i < end; ++i )
	{
		uint32_t at = queue[i];
		if ( !is_upper( tree, at ) )
		{
			out->subtrees[out->subtree_count++] = at;
			continue;
		}
		out->level[out->upper_count] = queue_level[i];
		out->upper[out->upper_count++] = at;
		for ( uint32_t k = 0; k < tree->nodes[at].children; ++k, ++end )
		{
			queue[end] = tree->nodes[at].first_child + k;
			queue_level[end] = queue_level[i] + 1;
		}
	}
	return true;
}

static void measure_all( measurer* m, const tree_errors_plan* p, int team )
{
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( team ) if ( team > 1 )
	for ( uint32_t i = 0; i < p->subtree_count; ++i )
	{
		measure_subtree( m, p->subtrees[i] );
	}
	for ( uint32_t end = p->upper_count; end > 0; )
	{
		uint32_t first = end - 1;
		while ( first > 0 && p->level[first - 1] == p->level[end - 1] )
		{
			first -= 1;
		}
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( team ) if ( team > 1 )
		for ( uint32_t i = first; i < end; ++i )
		{
			measure_node( m, p->upper[i] );
		}
		end = first;
	}
}

static bool has_boxes_only( const bvb_tree* tree )
{
	bool boxes = true;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		bv_volume_type type = tree->nodes[i].type;
		boxes = boxes && ( type == bv_volume_obb || type == bv_volume_aabb );
	}
	return boxes;
}

static bool make_workers( measurer* m, int count, bvb_arena* scratch )
{
	uint32_t triangles = m->mesh->triangle_count;
	uint32_t* all = bvb_arena_allocate( scratch, triangles, sizeof *all );
	tree_errors_worker* workers = bvb_arena_allocate( scratch, (size_t)count, sizeof *workers );
	bool good = all && workers;
	for ( uint32_t i = 0; good && i < triangles; ++i )
	{
		all[i] = i;
	}
	int made = 0;
	while ( good && made < count )
	{
		workers[made].arena = bvbase_arena_create_scratch( scratch );
		good = workers[made++].arena;
	}
	m->all = all;
	m->workers = good ? workers : NULL;
	while ( !good && made > 0 )
	{
		bvb_arena_destroy( workers[--made].arena );
	}
	return good;
}

static bool measure_tree( measurer* m, uint32_t threads, bvb_arena* scratch, uint64_t* regions )
{
	tree_errors_plan p;
	if ( !make_plan( m->tree, scratch, &p ) )
	{
		return false;
	}
	int team = p.subtree_count > 1 ? bvbase_thread_team_in( scratch, threads ) : 1;
	team = (uint32_t)team < p.subtree_count ? team : (int)p.subtree_count;
	m->index = bvhaus_index_of_tree( m->mesh, m->tree, scratch );
	m->search = bvb_arena_allocate( scratch, (size_t)team, sizeof *m->search );
	m->prisms = bvb_arena_allocate( scratch, (size_t)team, sizeof *m->prisms );
	m->regions = bvb_arena_allocate( scratch, (size_t)team, sizeof *m->regions );
	if ( !m->index || !m->search || !m->prisms || !m->regions )
	{
		return false;
	}

	// Where memory is short fewer threads will do.
	int ready = 0;
	while ( ready < team && ( m->search[ready] = bvhaus_search_create( scratch ) ) &&
	        ( m->prisms[ready] = bvhaus_prisms_create( scratch ) ) )
	{
		ready += 1;
	}
	if ( ready == 0 )
	{
		return false;
	}
	if ( !has_boxes_only( m->tree ) && !make_workers( m, ready, scratch ) )
	{
		return false;
	}
	measure_all( m, &p, ready );
	if ( m->options->progress )
	{
		m->options->progress( m->options->progress_context, 1 ); // others may have measured the last node
	}
	*regions = 0;
	for ( int i = 0; i < ready; ++i )
	{
		*regions += m->regions[i];
	}
	for ( int i = 0; m->workers && i < ready; ++i )
	{
		bvb_arena_destroy( m->workers[i].arena );
	}
	return !m->failed;
}

// Sums and largest values of a set of nodes.
typedef struct tree_errors_tally
{
	double sum[4]; // surface lower and upper, solid lower and upper
	double max[4];
	uint64_t count;
} tree_errors_tally;

static void count_node( tree_errors_tally* t, const bvb_node_error* e )
{
	double value[4] = { e->surface_lower, e->surface_upper, e->solid_lower, e->solid_upper };
	for ( int i = 0; i < 4; ++i )
	{
		t->sum[i] += value[i];
		t->max[i] = bvmath_max( t->max[i], value[i] );
	}
	t->count += 1;
}

static bv_error_summary summarize( const tree_errors_tally* t, int first )
{
	// What adding so many numbers can have rounded away.
	double rounding = (double)t->count * 0x1p-52;
	double count = (double)t->count;
	return ( bv_error_summary ){
		.mean = { t->sum[first] / count * ( 1 - rounding ), t->sum[first + 1] / count * ( 1 + rounding ) },
		.max = { t->max[first], t->max[first + 1] },
	};
}

static bv_errors_of errors_of( const tree_errors_tally* t )
{
	return ( bv_errors_of ){ summarize( t, 0 ), summarize( t, 2 ) };
}

static void add_tally( tree_errors_tally* to, const tree_errors_tally* t )
{
	for ( int i = 0; i < 4; ++i )
	{
		to->sum[i] += t->sum[i];
		to->max[i] = bvmath_max( to->max[i], t->max[i] );
	}
	to->count += t->count;
}

static bool summarize_levels( const bvb_tree* tree, bvb_arena* arena, bvb_arena* scratch,
                              bvb_tree_errors* out )
{
	uint8_t* level = bvb_arena_allocate( scratch, tree->node_count, sizeof *level );
	tree_errors_tally all = { 0 };
	tree_errors_tally nodes[BV_MAX_DEPTH + 1] = { 0 };
	tree_errors_tally leaves[BV_MAX_DEPTH + 1] = { 0 };
	if ( !level )
	{
		return false;
	}
	out->level_count = 1;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		const bvorder_stored_node* node = tree->nodes + i;
		uint8_t here = level[i];
		out->level_count = here + 1u > out->level_count ? here + 1u : out->level_count;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			level[node->first_child + k] = here + 1;
		}
		count_node( &all, out->nodes + i );
		count_node( &nodes[here], out->nodes + i );
		if ( node->children == 0 )
		{
			count_node( &leaves[here], out->nodes + i );
		}
	}
	out->levels = bvb_arena_allocate( arena, out->level_count, sizeof *out->levels );
	if ( !out->levels )
	{
		return false;
	}
	tree_errors_tally above = { 0 };
	for ( uint32_t i = 0; i < out->level_count; ++i )
	{
		tree_errors_tally cut = nodes[i];
		add_tally( &cut, &above );
		add_tally( &above, &leaves[i] );
		out->levels[i] = ( bv_level_errors ){ errors_of( &nodes[i] ), errors_of( &cut ) };
	}
	out->all = errors_of( &all );
	out->surface = ( bv_interval ){ out->nodes[0].surface_lower, out->nodes[0].surface_upper };
	out->solid = ( bv_interval ){ out->nodes[0].solid_lower, out->nodes[0].solid_upper };
	return true;
}

bvb_tree_errors_options bvb_tree_errors_options_default( void )
{
	return ( bvb_tree_errors_options ){ .relative = 0.1, .floor = 0.01 };
}

void bvb_tree_errors_to( bvb_tree_errors_options* options, double relative )
{
	options->relative = relative;
	options->floor = relative / 10;
}

bv_status bvhaus_tree_with( const bvb_mesh* mesh, const bvb_tree* tree,
                            const bvb_tree_errors_options* options, unsigned bounds, bvb_arena* arena,
                            bvb_tree_errors* out, bvb_error* error )
{
	if ( !( options->relative > 0 && options->relative < INFINITY ) ||
	     !( options->floor >= 0 && options->floor < INFINITY ) || options->threads > 1024 )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the tolerance or the number of threads is out of range" );
	}
	*out = ( bvb_tree_errors ){ .relative = options->relative,
		                        .floor = options->floor,
		                        .node_count = tree->node_count };
	out->nodes = bvb_arena_allocate( arena, tree->node_count, sizeof *out->nodes );
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	measurer m = { .mesh = mesh, .tree = tree, .options = options, .bounds = bounds, .nodes = out->nodes };
	bool good = out->nodes && scratch && measure_tree( &m, options->threads, scratch, &out->regions ) &&
	            summarize_levels( tree, arena, scratch, out );
	bvb_arena_destroy( scratch );
	return good ? bv_ok : bvbase_fail_memory( error );
}

bv_status bvb_hausdorff_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                              const bvb_tree_errors_options* options, bvb_arena* arena, bvb_tree_errors* out,
                              bvb_error* error )
{
	unsigned bounds =
		options->regions_only ? bvhaus_bounds_all & ~(unsigned)bvhaus_bound_prisms : bvhaus_bounds_all;
	return bvhaus_tree_with( mesh, tree, options, bounds, arena, out, error );
}

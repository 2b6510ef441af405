// How far nodes' volumes are from the optimum of their type. Sets of points are the corners of convex hulls,
// those of an upper node the hull of its children's, so that no large set is looked at again on each level.

#include "bvbuild/assess.h"
#include "bvbuild/fit.h"
#include "offline/assess/nodes.h"
#include "offline/assess/optimum.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/sort.h"
#include "offline/base/threads.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	parallel_triangles = 512,
};

// One node that is looked at.
typedef struct fitness_fitting
{
	uint32_t node;
	uint32_t point_count;
	uint32_t* points; // vertices of the mesh; lives in one of the arenas
	bv_status status;
	bool flat;
	double volume; // ratios; of a flat one that of volumes means nothing
	double area;
} fitness_fitting;

typedef struct fitness_work
{
	const bv_file* file;
	bvassess_assessed all;
	uint32_t* chosen;
	uint32_t first_chosen[BV_MAX_DEPTH + 2]; // of each level
	uint32_t* place;                         // of each node, its fitting
	bv_volume* volumes;                      // of fittings
	fitness_fitting* fittings;

	// what upper nodes need of lower ones; else those that are extreme in the k-DOPs' directions
	bool by_hulls;

	int threads;
	bvb_arena** arenas; // of each thread
} fitness_work;

static bv_status choose( fitness_work* k, const bvb_fitness_options* options, bvb_arena* scratch )
{
	k->chosen = bvb_arena_allocate( scratch, k->all.count, sizeof *k->chosen );
	k->place = bvb_arena_allocate( scratch, k->all.count, sizeof *k->place );
	if ( !k->chosen || !k->place )
	{
		return bv_error_memory;
	}
	memset( k->place, 0xff, k->all.count * sizeof *k->place );
	uint32_t count = 0;
	for ( uint32_t level = 0; level < k->all.levels; ++level )
	{
		k->first_chosen[level] = count;
		count += bvassess_choose_nodes( &k->all, level, false, options->nodes, k->chosen + count );
	}
	k->first_chosen[k->all.levels] = count;
	k->volumes = bvb_arena_allocate( scratch, count, sizeof *k->volumes );
	k->fittings = bvb_arena_allocate( scratch, count, sizeof *k->fittings );
	if ( !k->volumes || !k->fittings )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		k->fittings[i].node = k->chosen[i];
		k->place[k->chosen[i]] = i;
	}
	bvassess_get_volumes( k->file, k->place, k->volumes );
	return bv_ok;
}

// The points of all children, if they were all looked at.
static bool count_of_children( const fitness_work* k, const bvassess_assessed_node* node, uint64_t* count )
{
	*count = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		uint32_t place = k->place[node->first_child + i];
		if ( place == UINT32_MAX )
		{
			return false;
		}
		*count += k->fittings[place].point_count;
	}
	return node->children > 0;
}

// Sorts vertices and keeps each once. Those of neighboring triangles have numbers that are near each other,
// mostly.
static uint32_t keep_once( uint32_t* vertices, uint32_t count, bvb_arena* scratch )
{
	uint32_t least = UINT32_MAX;
	uint32_t most = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		least = vertices[i] < least ? vertices[i] : least;
		most = vertices[i] > most ? vertices[i] : most;
	}
	uint64_t span = (uint64_t)most - least + 1;
	bool* seen = span / 16 <= count ? bvb_arena_allocate( scratch, span, sizeof *seen ) : NULL;
	if ( !seen )
	{
		return bvbase_sort_unique( vertices, count );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		seen[vertices[i] - least] = true;
	}
	uint32_t kept = 0;
	for ( uint64_t i = 0; i < span; ++i )
	{
		if ( seen[i] )
		{
			vertices[kept++] = least + (uint32_t)i;
		}
	}
	return kept;
}

// Vertices whose hull is that of all of the node's.
// @return null when out of memory
static uint32_t* gather( const fitness_work* k, const bvassess_assessed_node* node, bvb_arena* scratch,
                         uint32_t* count )
{
	uint64_t total;
	bool from_children = count_of_children( k, node, &total );
	total = from_children ? total : 3 * (uint64_t)node->triangles;
	uint32_t* vertices = bvb_arena_allocate( scratch, total, sizeof *vertices );
	uint32_t* to = vertices;
	for ( uint32_t i = 0; vertices && from_children && i < node->children; ++i )
	{
		const fitness_fitting* child = k->fittings + k->place[node->first_child + i];
		memcpy( to, child->points, child->point_count * sizeof *to );
		to += child->point_count;
	}
	for ( uint32_t i = 0; vertices && !from_children && i < node->triangles; ++i )
	{
		bv_file_get_triangle( k->file, node->first_triangle + i, to );
		to += 3;
	}
	*count = vertices ? keep_once( vertices, (uint32_t)total, scratch ) : 0;
	return vertices;
}

// For k-DOPs and aligned boxes: of all points the first that is farthest each way.
static uint32_t keep_extremes( const bv_vec3* points, uint32_t count, uint32_t* vertices )
{
	uint32_t kept[2 * BV_KDOP_DIRECTIONS];
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		uint32_t least = 0;
		uint32_t most = 0;
		for ( uint32_t p = 1; p < count; ++p )
		{
			double at = bv_dot( d, points[p] );
			least = at < bv_dot( d, points[least] ) ? p : least;
			most = at > bv_dot( d, points[most] ) ? p : most;
		}
		kept[2 * i] = least;
		kept[2 * i + 1] = most;
	}
	uint32_t left = bvbase_sort_unique( kept, 2 * BV_KDOP_DIRECTIONS );
	for ( uint32_t i = 0; i < left; ++i )
	{
		vertices[i] = vertices[kept[i]];
	}
	return left;
}

static void compare( const bv_volume* own, const bvassess_optimum* best, fitness_fitting* f )
{
	double volume = bvb_volume_of( own );
	double area = bvb_area_of( own );
	f->flat = best->flat;
	f->volume = f->flat ? 1 : bvmath_max( volume / best->volume, 1 );
	f->area = best->area > 0 ? bvmath_max( area / best->area, 1 ) : 1;
}

static bv_vec3* get_points( const fitness_work* k, const uint32_t* vertices, uint32_t count,
                            bvb_arena* scratch )
{
	bv_vec3* points = bvb_arena_allocate( scratch, count, sizeof *points );
	for ( uint32_t i = 0; points && i < count; ++i )
	{
		points[i] = bvfile_local_vertex( k->file, vertices[i] );
	}
	return points;
}

static bv_status keep_points( const uint32_t* vertices, uint32_t count, bvb_arena* keep, fitness_fitting* f )
{
	f->points = bvb_arena_allocate( keep, count, sizeof *f->points );
	if ( !f->points )
	{
		return bv_error_memory;
	}
	memcpy( f->points, vertices, count * sizeof *f->points );
	f->point_count = count;
	return bv_ok;
}

static bv_status fit( const fitness_work* k, fitness_fitting* f, bvb_arena* scratch, bvb_arena* keep )
{
	const bvassess_assessed_node* node = k->all.nodes + f->node;
	const bv_volume* own = k->volumes + k->place[f->node];
	uint32_t count;
	uint32_t* vertices = gather( k, node, scratch, &count );
	bv_vec3* points = vertices ? get_points( k, vertices, count, scratch ) : NULL;
	if ( !points )
	{
		return bv_error_memory;
	}
	bvb_hull hull = { 0 };
	bv_status status = k->by_hulls ? bvb_hull_compute( points, count, scratch, &hull, NULL ) : bv_ok;
	if ( status != bv_ok )
	{
		return status;
	}
	bvassess_optimum best;
	status = bvassess_find_optimum( own->type, points, count, k->by_hulls ? &hull : NULL, scratch, &best );
	if ( status != bv_ok )
	{
		return status;
	}
	compare( own, &best, f );
	for ( uint32_t i = 0; i < hull.vertex_count; ++i )
	{
		hull.vertices[i] = vertices[hull.vertices[i]];
	}
	return k->by_hulls ? keep_points( hull.vertices, hull.vertex_count, keep, f )
	                   : keep_points( vertices, keep_extremes( points, count, vertices ), keep, f );
}

static void fit_level( fitness_work* k, uint32_t level )
{
	int64_t first = k->first_chosen[level];
	int64_t end = k->first_chosen[level + 1];
#pragma omp parallel for num_threads( k->threads ) schedule( dynamic, 1 )
	for ( int64_t i = first; i < end; ++i )
	{
		bvb_arena* keep = k->arenas[omp_get_thread_num()];
		bvb_arena* scratch = bvbase_arena_create_scratch( keep );
		k->fittings[i].status = scratch ? fit( k, k->fittings + i, scratch, keep ) : bv_error_memory;
		bvb_arena_destroy( scratch );
	}
}

static bool open_arenas( fitness_work* k, const bvb_arena* owner, bvb_arena* scratch )
{
	bool opened = true;
	k->arenas = bvb_arena_allocate( scratch, (size_t)k->threads, sizeof *k->arenas );
	for ( int i = 0; k->arenas && i < k->threads; ++i )
	{
		k->arenas[i] = bvbase_arena_create_scratch( owner );
		opened &= k->arenas[i] != NULL;
	}
	return k->arenas && opened;
}

// Nodes of one type on one level. Means are sums at first, of the inverse.
typedef bvb_fitness cells[BV_MAX_DEPTH + 1][bv_volume_types];

static void add_ratio( bvb_ratio* to, bool first, double ratio, uint32_t node )
{
	if ( first || ratio > to->max )
	{
		to->max = ratio;
		to->worst = node;
	}
	to->mean += 1 / ratio;
}

static void add( bvb_fitness* to, const fitness_fitting* f )
{
	add_ratio( &to->area, to->measured == 0, f->area, f->node );
	if ( !f->flat )
	{
		add_ratio( &to->volume, to->measured == to->flat, f->volume, f->node );
	}
	to->measured += 1;
	to->flat += f->flat;
}

static void fill( const fitness_work* k, cells* of )
{
	for ( uint32_t i = 0; i < k->all.count; ++i )
	{
		( *of )[k->all.nodes[i].level][k->all.nodes[i].type].nodes += 1;
	}
	for ( uint32_t i = 0; i < k->first_chosen[k->all.levels]; ++i )
	{
		const bvassess_assessed_node* node = k->all.nodes + k->fittings[i].node;
		add( &( *of )[node->level][node->type], k->fittings + i );
	}
}

// Cells put together. Each counts as if all of its nodes had been looked at.
typedef struct fitness_tally
{
	bvb_fitness sum;
	double volumes; // how many nodes the sums stand for
	double areas;
} fitness_tally;

static void join_ratios( bvb_ratio* to, bool first, const bvb_ratio* from, double weight )
{
	if ( first || from->max > to->max )
	{
		to->max = from->max;
		to->worst = from->worst;
	}
	to->mean += weight * from->mean;
}

static void join( fitness_tally* to, const bvb_fitness* cell )
{
	to->sum.nodes += cell->nodes;
	if ( cell->measured == 0 )
	{
		return;
	}
	double weight = (double)cell->nodes / (double)cell->measured;
	join_ratios( &to->sum.area, to->sum.measured == 0, &cell->area, weight );
	to->areas += (double)cell->nodes;
	if ( cell->measured > cell->flat )
	{
		join_ratios( &to->sum.volume, to->sum.measured == to->sum.flat, &cell->volume, weight );
		to->volumes += weight * (double)( cell->measured - cell->flat );
	}
	to->sum.measured += cell->measured;
	to->sum.flat += cell->flat;
}

static bvb_fitness end( fitness_tally* of )
{
	of->sum.area.mean = of->areas > 0 ? of->areas / of->sum.area.mean : 0;
	of->sum.volume.mean = of->volumes > 0 ? of->volumes / of->sum.volume.mean : 0;
	return of->sum;
}

static void sum_up( cells* of, uint32_t levels, bvb_fitnesses* out )
{
	fitness_tally all = { 0 };
	fitness_tally types[bv_volume_types] = { 0 };
	for ( uint32_t i = 0; i < levels; ++i )
	{
		fitness_tally level = { 0 };
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			join( &level, &( *of )[i][type] );
			join( &all, &( *of )[i][type] );
			join( &types[type], &( *of )[i][type] );
		}
		out->level[i] = end( &level );
	}
	out->all = end( &all );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		out->type[type] = end( &types[type] );
	}
}

static bv_status assess( fitness_work* k, const bvb_fitness_options* options, bvb_arena* scratch,
                         bvb_fitnesses* out, bvb_error* error )
{
	bv_status status = bvassess_nodes( k->file, scratch, &k->all, error );
	if ( status != bv_ok )
	{
		return status;
	}
	cells* of = bvb_arena_allocate( scratch, 1, sizeof *of );
	if ( !of || choose( k, options, scratch ) != bv_ok )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t level = k->all.levels; level-- > 0; )
	{
		fit_level( k, level );
	}
	for ( uint32_t i = 0; i < k->first_chosen[k->all.levels]; ++i )
	{
		if ( k->fittings[i].status != bv_ok )
		{
			return bvbase_fail_memory( error );
		}
	}
	fill( k, of );
	sum_up( of, k->all.levels, out );
	return bv_ok;
}

bvb_fitness_options bvb_fitness_options_default( void )
{
	return ( bvb_fitness_options ){ .nodes = 128 };
}

static bool takes_hulls( const bv_hierarchy_info* info )
{
	bool takes = false;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		takes |= info->of_type[i] > 0 && bvassess_optimum_takes_hull( (bv_volume_type)i );
	}
	return takes;
}

bv_status bvb_assess_fitness( const bv_file* file, const bvb_fitness_options* options, bvb_arena* arena,
                              bvb_fitnesses* out, bvb_error* error )
{
	bvb_fitness_options o = options ? *options : bvb_fitness_options_default();
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	*out = ( bvb_fitnesses ){ 0 };
	if ( info.nodes == 0 || !bv_file_get_mesh( file ).has_triangles )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy over triangles" );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	fitness_work k = { .file = file,
		               .by_hulls = takes_hulls( &info ),
		               .threads = bvbase_thread_team_for( arena, o.threads, triangles, parallel_triangles ) };
	bv_status status = scratch && open_arenas( &k, arena, scratch ) ? assess( &k, &o, scratch, out, error )
	                                                                : bvbase_fail_memory( error );
	for ( int i = 0; scratch && k.arenas && i < k.threads; ++i )
	{
		bvb_arena_destroy( k.arenas[i] );
	}
	bvb_arena_destroy( scratch );
	return status;
}

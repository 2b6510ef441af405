// The stages between the hierarchy and its errors. None of them is divided: what is not needed by another
// runs beside it, the longest first.

#include "offline/asset/describe.h"

#include "offline/base/arena.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/fit/obb_method.h"
#include "offline/fit/swept.h"
#include "offline/hull/outer.h"

#include <string.h>

enum
{
	worth_a_thread = 2000, // triangles
};

static bool wants( const bvb_asset* asset, bvb_section section )
{
	return asset->options.sections >> section & 1;
}

static bool wants_body( const bvb_asset* asset )
{
	return asset->options.density != 0 || asset->options.mass != 0;
}

static bool wants_mass( const bvb_asset* asset )
{
	return wants( asset, bvb_section_mass ) || wants_body( asset );
}

static bool needs_hull( const bvb_asset* asset )
{
	return wants( asset, bvb_section_hull ) || wants( asset, bvb_section_bounds ) || wants_mass( asset ) ||
	       ( wants( asset, bvb_section_primitives ) && asset->options.recognize.value != 0 );
}

// The root of a tree of oriented boxes gets the box of the whole mesh.
static bool needs_box( const bvb_asset* asset )
{
	return wants( asset, bvb_section_bounds ) ||
	       ( asset->tree && asset->options.hierarchy.volume_types >> bv_volume_obb & 1 );
}

// What one thread does, in memory of its own.
typedef struct describe_task
{
	bvb_asset* asset;
	const bvhull_outer* outer; // points of the mesh that a hull or a volume can touch
	bvb_arena* arena;          // the asset's when the task is done
	bvb_arena* scratch;        // goes with the task
	double last;               // when the stage began that it is at
	double seconds[bvb_stages];
	bv_status status;
	bvb_error error;
} describe_task;

static void end( describe_task* t, bvb_stage stage )
{
	double before = t->last;
	t->last = bvbase_clock();
	t->seconds[stage] += t->last - before;
}

// What edges and adjacency hold.
static bool keep_edges( const bvb_adjacency* adjacency, bvb_arena* arena, bvb_asset* out )
{
	uint32_t triangles = out->record.mesh.triangle_count;
	bool good = true;
	if ( wants( out, bvb_section_edges ) )
	{
		out->edges = bvb_arena_allocate( arena, triangles, sizeof *out->edges );
		for ( uint32_t h = 0; out->edges && h < 3 * triangles; ++h )
		{
			out->edges[h / 3] |= (uint16_t)( adjacency->edges[adjacency->edge[h]].kind << 3 * ( h % 3 ) );
		}
		good = out->edges;
	}
	if ( wants( out, bvb_section_adjacency ) )
	{
		out->adjacency = bvb_arena_allocate( arena, adjacency->edge_count, sizeof *out->adjacency );
		good = good && out->adjacency;
		if ( out->adjacency )
		{
			memcpy( out->adjacency, adjacency->edges, adjacency->edge_count * sizeof *out->adjacency );
		}
	}
	return good;
}

static bv_status find_topology( describe_task* t )
{
	bvb_asset* out = t->asset;
	bvb_adjacency adjacency;
	bool wanted = wants( out, bvb_section_edges ) || wants( out, bvb_section_adjacency );
	bv_status status = bvb_mesh_topology( &out->record.mesh, t->scratch, &out->topology,
	                                      wanted ? &adjacency : NULL, &t->error );
	return status == bv_ok && wanted && !keep_edges( &adjacency, t->arena, out )
	           ? bvbase_fail_memory( &t->error )
	           : status;
}

// Whether the mesh bounds a solid is known by then.
static bv_status connect( describe_task* t )
{
	bvb_asset* out = t->asset;
	bv_status status = find_topology( t );
	end( t, bvb_stage_topology );
	if ( status == bv_ok && wants_mass( out ) )
	{
		out->has_mass[bv_mass_of_solid] =
			out->topology.closed && bvb_mass_of_solid( &out->record.mesh, &out->mass[bv_mass_of_solid] );
		end( t, bvb_stage_mass );
	}
	return status;
}

static bv_status fit_box( describe_task* t )
{
	bvb_asset* out = t->asset;
	const bvb_hull* hull = needs_hull( out ) ? &out->hull : NULL;
	const bvb_mesh* mesh = &out->record.mesh;
	bool all = bvfit_obb_needs_inner( out->options.obb.method );
	bv_status status =
		bvb_fit_obb( all ? mesh->positions : t->outer->points, all ? mesh->vertex_count : t->outer->count,
	                 all ? NULL : hull, &out->options.obb, t->scratch, &out->bounds.obb );
	if ( status == bv_error_argument )
	{
		return bvbase_fail( &t->error, status, "unknown method of fitting boxes '%s'",
		                    out->options.obb.method );
	}
	return status == bv_ok ? bv_ok : bvbase_fail_memory( &t->error );
}

// Mass and box of the hull are found from it, as long as its corners are the outer points.
static bv_status wrap( describe_task* t )
{
	bvb_asset* out = t->asset;
	const bv_vec3* points = t->outer->points;
	bv_status status = bv_ok;
	if ( needs_hull( out ) )
	{
		status = bvb_hull_compute( points, t->outer->count, t->arena, &out->hull, &t->error );
	}
	end( t, bvb_stage_hull );
	if ( status == bv_ok && wants_mass( out ) )
	{
		bv_status found = bvb_hull_mass( points, &out->hull, t->scratch, &out->mass[bv_mass_of_hull], NULL );
		out->has_mass[bv_mass_of_hull] = found == bv_ok;
		status = found == bv_error_memory ? bvbase_fail_memory( &t->error ) : bv_ok;
		end( t, bvb_stage_mass );
	}
	if ( status == bv_ok && needs_box( out ) )
	{
		status = fit_box( t );
		end( t, bvb_stage_fit );
	}
	if ( status == bv_ok && wants( out, bvb_section_hull_topology ) && out->hull.kind == bv_hull_polyhedron )
	{
		status = bvb_hull_merge( points, &out->hull, 0, t->arena, &out->hull_polygons, &t->error );
		end( t, bvb_stage_hull );
	}
	bvhull_outer_map( t->outer, &out->hull );
	return status;
}

static bv_status integrate( describe_task* t )
{
	bvb_asset* out = t->asset;
	bv_mass surface;
	bool has_surface = bvb_mass_of_surface( &out->record.mesh, &surface );
	out->area = has_surface ? surface.mass : 0;
	if ( wants_mass( out ) )
	{
		out->mass[bv_mass_of_surface] = surface;
		out->has_mass[bv_mass_of_surface] = has_surface;
	}
	end( t, bvb_stage_mass );
	return bv_ok;
}

static bv_status fit_straight( describe_task* t )
{
	const bvhull_outer* outer = t->outer;
	bv_file_bounds* bounds = &t->asset->bounds;
	bv_status status = bv_ok;
	bounds->aabb = bvb_fit_aabb( outer->points, outer->count );
	if ( wants( t->asset, bvb_section_bounds ) )
	{
		status = bvb_fit_kdop( outer->points, outer->count, 2 * BV_KDOP_DIRECTIONS, &bounds->kdop );
	}
	end( t, bvb_stage_fit );
	return status == bv_ok ? bv_ok : bvbase_fail_memory( &t->error );
}

static bv_status fit_round( describe_task* t )
{
	if ( !wants( t->asset, bvb_section_bounds ) )
	{
		return bv_ok;
	}
	const bv_vec3* points = t->outer->points;
	uint32_t count = t->outer->count;
	bv_file_bounds* bounds = &t->asset->bounds;
	bv_status status = bvb_fit_sphere( points, count, &bounds->sphere );
	status =
		status == bv_ok ? bvfit_capsule_beside( points, count, &bounds->sphere, &bounds->capsule ) : status;
	status = status == bv_ok ? bvfit_rss_beside( points, count, &bounds->capsule, &bounds->rss ) : status;
	end( t, bvb_stage_fit );
	return status == bv_ok ? bv_ok : bvbase_fail_memory( &t->error );
}

typedef bv_status describe_work( describe_task* t );

// The longest first.
static describe_work* const works[] = { wrap, fit_round, connect, integrate, fit_straight };

enum
{
	work_count = sizeof works / sizeof works[0],
};

static void run( describe_work* what, describe_task* t )
{
	t->scratch = bvbase_arena_create_scratch( t->arena );
	t->last = bvbase_clock();
	t->status = t->scratch ? what( t ) : bvbase_fail_memory( &t->error );
	bvb_arena_destroy( t->scratch );
}

// They ran beside each other for `wall` seconds: each stage gets its share of these.
static void take_time( const describe_task* tasks, double wall, bvb_stage_use* stages )
{
	double sum = 0;
	double seconds[bvb_stages] = { 0 };
	for ( int i = 0; i < work_count; ++i )
	{
		for ( int k = 0; k < bvb_stages; ++k )
		{
			seconds[k] += tasks[i].seconds[k];
			sum += tasks[i].seconds[k];
		}
	}
	for ( int k = bvb_stage_topology; k <= bvb_stage_fit; ++k )
	{
		stages[k].seconds = sum > 0 ? seconds[k] / sum * wall : 0;
		stages[k].memory = seconds[k] > 0 ? bvbase_peak_memory() : 0;
	}
}

static bv_status find_body( bvb_asset* out, bvb_error* error )
{
	out->has_body = wants_body( out );
	bool from_mass = out->options.mass != 0;
	double value = from_mass ? out->options.mass : out->options.density;
	return out->has_body ? bvb_body_make( out->mass, out->has_mass, &out->bounds.aabb, from_mass, value,
	                                      &out->body, error )
	                     : bv_ok;
}

bv_status bvasset_describe( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	describe_task tasks[work_count] = { { .asset = NULL } };
	double begin = bvbase_clock();
	bvhull_outer outer;
	const bvb_mesh* mesh = &out->record.mesh;
	int team =
		bvbase_thread_team_for( arena, out->options.hierarchy.threads, mesh->triangle_count, worth_a_thread );
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bool memory =
		scratch && bvhull_outer_points( mesh->positions, mesh->vertex_count, team, scratch, &outer ) == bv_ok;
	for ( int i = 0; i < work_count; ++i )
	{
		tasks[i].asset = out;
		tasks[i].outer = &outer;
		tasks[i].arena = bvbase_arena_create_scratch( arena );
		memory = memory && tasks[i].arena;
	}
	if ( memory )
	{
#pragma omp parallel for num_threads( team ) schedule( dynamic, 1 ) if ( team > 1 )
		for ( int i = 0; i < work_count; ++i )
		{
			run( works[i], &tasks[i] );
		}
	}
	bv_status status = memory ? bv_ok : bvbase_fail_memory( error );
	for ( int i = 0; i < work_count; ++i )
	{
		if ( status == bv_ok && tasks[i].status != bv_ok )
		{
			status = tasks[i].status;
			if ( error )
			{
				*error = tasks[i].error;
			}
		}
		bool kept = tasks[i].arena && bvbase_arena_absorb( arena, tasks[i].arena );
		status = status == bv_ok && !kept ? bvbase_fail_memory( error ) : status;
	}
	bvb_arena_destroy( scratch );
	take_time( tasks, bvbase_clock() - begin, out->stages );
	return status == bv_ok ? find_body( out, error ) : status;
}

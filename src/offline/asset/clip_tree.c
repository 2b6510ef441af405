// The hierarchy of a clip: built at some samples, fitted to all of them, and judged by the sum of costs. See clip.h.

#include "offline/asset/clip.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/hierarchy/expected.h"
#include "offline/hierarchy/refit.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// A hierarchy that is tried.
typedef struct tree_candidate
{
	bvb_tree* tree;
	uint32_t* order; // of the triangles, as indices into the mesh of record
	double* costs;   // at each sample
} tree_candidate;

typedef struct tree_search
{
	const bvasset_clip* clip;
	const bvb_hierarchy_options* options;
	const bvb_mesh* mesh; // of record
	uint32_t* vertices;   // of the scene, for each of the mesh
	bvb_arena* arena;     // of candidates
	tree_candidate candidates[BVB_MAX_CLIP_CANDIDATES];
} tree_search;

// The mesh of record at another sample. Positions are rounded as those of a file are, which keeps them in range.
static void take_pose( const tree_search* s, uint32_t sample, bvb_mesh* mesh )
{
	memcpy( mesh->triangles, s->mesh->triangles, s->mesh->triangle_count * sizeof *mesh->triangles );
	mesh->triangle_count = s->mesh->triangle_count;
	mesh->vertex_count = s->mesh->vertex_count;
	for ( uint32_t v = 0; v < s->mesh->vertex_count; ++v )
	{
		bv_vec3 p = bvasset_clip_position( s->clip, s->vertices[v], sample );
		mesh->positions[v] = sample == s->clip->record ? s->mesh->positions[v]
		                                               : ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		mesh->origin[i] = i;
	}
}

static bool make_mesh( const tree_search* s, bvb_arena* arena, bvb_mesh* out )
{
	*out = ( bvb_mesh ){ 0 };
	out->positions = bvb_arena_allocate( arena, s->mesh->vertex_count, sizeof *out->positions );
	out->triangles = bvb_arena_allocate( arena, s->mesh->triangle_count, sizeof *out->triangles );
	out->origin = bvb_arena_allocate( arena, s->mesh->triangle_count, sizeof *out->origin );
	return out->positions && out->triangles && out->origin;
}

// The expected cost refers to the surface of the root: a pose without any has no cost.
static double cost_of( const tree_search* s, const bvb_tree* tree )
{
	bv_volume root = bvorder_volume( tree, 0 );
	double cost = bvb_area_of( &root ) > 0 ? bvhier_expected_cost( tree, s->options ) : 0;
	return isfinite( cost ) ? cost : 0;
}

// The triangles at a sample, in the order of a candidate.
static void order_pose( const tree_search* s, const tree_candidate* c, uint32_t sample, bvb_mesh* mesh )
{
	take_pose( s, sample, mesh );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		mesh->triangles[i] = s->mesh->triangles[c->order[i]];
	}
}

// The result does not depend on the number of threads: each fits nodes of one sample.
static bv_status measure( const tree_search* s, tree_candidate* c, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	bvb_mesh pose;
	bv_status status = scratch && make_mesh( s, scratch, &pose ) ? bv_ok : bvbase_fail_memory( error );
	bvb_tree* tree = status == bv_ok ? bvhier_copy( c->tree, scratch ) : NULL;
	status = status == bv_ok && !tree ? bvbase_fail_memory( error ) : status;
	for ( uint32_t i = 0; i < s->clip->scene->clip->samples && status == bv_ok; ++i )
	{
		order_pose( s, c, i, &pose );
		status = bvhier_refit( tree, &pose, s->options, scratch, error );
		c->costs[i] = status == bv_ok ? cost_of( s, tree ) : 0;
	}
	bvb_arena_destroy( scratch );
	return status;
}

static bv_status try_sample( const tree_search* s, uint32_t sample, tree_candidate* c, bvb_error* error )
{
	bvb_mesh mesh;
	c->costs = bvb_arena_allocate( s->arena, s->clip->scene->clip->samples, sizeof *c->costs );
	if ( !c->costs || !make_mesh( s, s->arena, &mesh ) )
	{
		return bvbase_fail_memory( error );
	}
	take_pose( s, sample, &mesh );
	bv_status status = bvb_hierarchy_build( &mesh, s->options, s->arena, &c->tree, error );
	c->order = mesh.origin;
	return status == bv_ok ? measure( s, c, error ) : status;
}

static double sum_of( const double* costs, uint32_t count )
{
	double sum = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum += costs[i];
	}
	return sum;
}

static uint32_t find_worst( const double* costs, uint32_t count )
{
	uint32_t worst = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		worst = costs[i] > costs[worst] ? i : worst;
	}
	return worst;
}

// The first candidate is that of the mesh of record, which decides ties. Then its cost tells the worst sample.
static uint32_t sample_of( const tree_search* s, int number )
{
	uint32_t samples = s->clip->scene->clip->samples;
	return number == 0                            ? s->clip->record
	       : number < BVB_MAX_CLIP_CANDIDATES - 1 ? (uint32_t)number * ( samples - 1 ) / 4
	                                              : find_worst( s->candidates[0].costs, samples );
}

static bool is_tried( const bvb_clip_asset* out, uint32_t sample )
{
	for ( uint32_t i = 0; i < out->candidate_count; ++i )
	{
		if ( out->candidates[i].sample == sample )
		{
			return true;
		}
	}
	return false;
}

static bv_status search( tree_search* s, bvb_clip_asset* out, bvb_error* error )
{
	uint32_t samples = s->clip->scene->clip->samples;
	bv_status status = bv_ok;
	for ( int i = 0; i < BVB_MAX_CLIP_CANDIDATES && status == bv_ok; ++i )
	{
		uint32_t sample = sample_of( s, i );
		if ( is_tried( out, sample ) )
		{
			continue;
		}
		tree_candidate* c = &s->candidates[out->candidate_count];
		status = try_sample( s, sample, c, error );
		if ( status == bv_ok )
		{
			double sum = sum_of( c->costs, samples );
			out->candidates[out->candidate_count] =
				( bvb_clip_candidate ){ sample, c->tree->node_count, sum };
			out->chosen = sum < out->candidates[out->chosen].cost ? out->candidate_count : out->chosen;
			out->candidate_count += 1;
		}
	}
	return status;
}

// The mesh of record in the order of the hierarchy, and the hierarchy fitted to it.
static bv_status take( const tree_search* s, const tree_candidate* c, bvb_mesh* mesh, bvb_arena* arena,
                       bvb_tree** tree, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	int team = bvbase_thread_team_in( arena, s->options->threads );
	bool good = scratch && bvorder_order_mesh( mesh, c->order, team, scratch );
	*tree = good ? bvhier_copy( c->tree, arena ) : NULL;
	bvb_arena_destroy( scratch );
	return *tree ? bvhier_refit( *tree, mesh, s->options, arena, error ) : bvbase_fail_memory( error );
}

static bv_status build( tree_search* s, bvb_mesh* mesh, bvb_arena* arena, bvb_clip_asset* out,
                        bvb_tree** tree, bvb_error* error )
{
	uint32_t samples = s->clip->scene->clip->samples;
	s->vertices = bvb_arena_allocate( s->arena, mesh->vertex_count, sizeof *s->vertices );
	out->costs = bvb_arena_allocate( arena, samples, sizeof *out->costs );
	out->rebuilt = bvb_arena_allocate( arena, samples, sizeof *out->rebuilt );
	if ( !s->vertices || !out->costs || !out->rebuilt )
	{
		return bvbase_fail_memory( error );
	}
	bvasset_clip_find_vertices( s->clip, mesh, s->vertices );
	bv_status status = search( s, out, error );
	if ( status != bv_ok )
	{
		return status;
	}
	const tree_candidate* best = &s->candidates[out->chosen];
	memcpy( out->costs, best->costs, samples * sizeof *out->costs );
	for ( uint32_t i = 0; i < out->candidate_count; ++i )
	{
		uint32_t sample = out->candidates[i].sample;
		out->rebuilt[sample] = s->candidates[i].costs[sample];
	}
	return take( s, best, mesh, arena, tree, error );
}

bv_status bvasset_clip_build( const bvasset_clip* c, const bvb_hierarchy_options* options, bvb_mesh* mesh,
                              bvb_arena* arena, bvb_clip_asset* out, bvb_tree** tree, bvb_error* error )
{
	const bvb_mesh record = *mesh;
	tree_search s = { .clip = c, .options = options, .mesh = &record };
	s.arena = bvbase_arena_create_scratch( arena );
	*tree = NULL;
	bv_status status = s.arena ? build( &s, mesh, arena, out, tree, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( s.arena );
	return status;
}

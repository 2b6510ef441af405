// One small, fixed workload on one thread, for counting its instructions (instructions.py).
//
//   bench_instructions WORK MESH
//
// WORK is import (a file up to welded triangles), fast or balanced (the preset's hierarchy with volumes as
// in a file), errors (the certified distances of balanced's nodes), or queries (all pairs of the mesh with
// itself in twenty poses, with balanced's tree). Only measured() is to be counted. Its result is printed, so
// that the compiler cannot remove any of it.
//
// Exit codes: 1 usage, 2 the work failed.

#include "tests/bench/judge.h"

enum
{
	pose_count = 20,
	simple_count = 1000,
};

// What is prepared before, and what comes of the work.
typedef struct job
{
	const char* path;
	judge_mesh loaded;
	bvb_mesh mesh; // a copy in loaded's arena, for trees to order
	bvb_asset_options options;
	bvb_tree* tree;
	judge_tree queried;
	bvb_error error;
	uint64_t result; // how much it found or made
} job;

typedef struct work
{
	const char* name;
	const char* preset;
	bv_status ( *prepare )( job* j );
	bv_status ( *run )( job* j );
} work;

static bv_status load( job* j )
{
	bv_status status = judge_load( j->path, bvb_positions_float, &j->loaded, &j->error );
	if ( status == bv_ok )
	{
		j->mesh = j->loaded.asset.record.mesh;
	}
	return status;
}

static bv_status build( job* j )
{
	bvb_arena* arena = j->loaded.arena;
	bv_status status = bvb_hierarchy_build( &j->mesh, &j->options.hierarchy, arena, &j->tree, &j->error );
	status = status == bv_ok ? bvb_tree_snap( j->tree, &j->mesh, 1, arena, &j->error ) : status;
	j->result = status == bv_ok ? bvb_tree_node_count( j->tree ) : 0;
	return status;
}

static bv_status load_and_build( job* j )
{
	bv_status status = load( j );
	return status == bv_ok ? build( j ) : status;
}

static bv_status measure_errors( job* j )
{
	bvb_tree_errors errors;
	bv_status status =
		bvb_hausdorff_tree( &j->mesh, j->tree, &j->options.errors, j->loaded.arena, &errors, &j->error );
	j->result = status == bv_ok ? errors.regions : 0;
	return status;
}

static bv_status load_and_judge( job* j )
{
	bv_status status = load( j );
	return status == bv_ok ? judge_build( &j->loaded, &j->options.hierarchy, &j->queried, &j->error )
	                       : status;
}

// Turned about each axis in turn by the angle of the triangle 3, 4, 5, from deep inside to well apart.
static bv_pose pose_of( int i )
{
	bv_pose pose = { .translation = { 0.08 * i, 0.04 * i, 0.02 * i } };
	int axis = i % 3;
	int u = ( axis + 1 ) % 3;
	int v = ( axis + 2 ) % 3;
	pose.rotation[axis][axis] = 1;
	pose.rotation[u][u] = pose.rotation[v][v] = 0.6;
	pose.rotation[u][v] = -0.8;
	pose.rotation[v][u] = 0.8;
	return pose;
}

static bv_status query( job* j )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < pose_count && status == bv_ok; ++i )
	{
		bv_collide_options options = bv_collide_options_default();
		bv_collide_result result = { 0 };
		bv_pose pose = pose_of( i );
		bv_transform there = bv_transform_of_pose( &pose );
		status = bv_mesh_collide( j->queried.file, j->queried.file, &there, &options, &result );
		j->result += result.pairs;
	}
	return status;
}

// A point of the cube of this half length, by additive recurrence with the powers of the plastic number's
// generalization to three dimensions (M. Roberts 2018): the same on each machine.
static bv_vec3 spread_point( int i, double half )
{
	static const double step[3] = { 0.8191725133961645, 0.6710436067037893, 0.5497004779019703 };
	double at[3];
	for ( int k = 0; k < 3; ++k )
	{
		double x = step[k] * ( i + 1 );
		at[k] = half * ( 2 * ( x - floor( x ) ) - 1 );
	}
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}

// From the outside to a point of the bounds.
static bv_ray ray_of( int i )
{
	bv_vec3 from = spread_point( i, 1 );
	bv_vec3 to = spread_point( i + simple_count, 0.5 );
	from.z = from.z < 0 ? from.z - 1 : from.z + 1;
	return ( bv_ray ){ from, { to.x - from.x, to.y - from.y, to.z - from.z }, 0, INFINITY };
}

static bv_status cast_rays( job* j )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < simple_count && status == bv_ok; ++i )
	{
		bv_ray ray = ray_of( i );
		bv_ray_options options = bv_ray_options_default();
		bv_ray_result result;
		options.any = i % 4 == 3;
		status = bv_mesh_cast_ray( j->queried.file, NULL, &ray, &options, &result );
		j->result += result.found;
	}
	return status;
}

static bv_status find_points( job* j )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < simple_count && status == bv_ok; ++i )
	{
		bv_closest_result result;
		status = bv_mesh_closest_point( j->queried.file, NULL, spread_point( i, 1 ), NULL, &result );
		j->result += result.at.triangle;
	}
	return status;
}

static bv_status find_overlaps( job* j )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < simple_count && status == bv_ok; ++i )
	{
		bv_vec3 at = spread_point( i, 0.7 );
		bv_sphere ball = { at, 0.1 };
		bv_aabb box = { { at.x - 0.1, at.y - 0.1, at.z - 0.1 }, { at.x + 0.1, at.y + 0.1, at.z + 0.1 } };
		bv_overlap_result result;
		status = i % 2 ? bv_mesh_overlap_sphere( j->queried.file, NULL, &ball, NULL, &result )
		               : bv_mesh_overlap_aabb( j->queried.file, NULL, &box, NULL, &result );
		j->result += result.triangles;
	}
	return status;
}

static bv_status cast_shapes( job* j )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < simple_count && status == bv_ok; ++i )
	{
		bv_ray ray = ray_of( i );
		bv_vec3 points[8];
		for ( int k = 0; k < 8; ++k )
		{
			points[k] =
				( bv_vec3 ){ ray.origin.x + ( k & 1 ? 0.05 : -0.05 ), ray.origin.y + ( k & 2 ? 0.05 : -0.05 ),
				             ray.origin.z + ( k & 4 ? 0.05 : -0.05 ) };
		}
		bv_convex ball = bv_convex_points( &ray.origin, 1, 0.05 );
		bv_convex box = bv_convex_points( points, 8, 0 );
		bv_cast_result result;
		status =
			bv_mesh_cast_convex( j->queried.file, NULL, i % 2 ? &ball : &box, ray.direction, NULL, &result );
		j->result += result.found;
	}
	return status;
}

static bv_status make_arena( job* j )
{
	j->loaded.arena = bvb_arena_create();
	return j->loaded.arena ? bv_ok : bv_error_memory;
}

static bv_status import( job* j )
{
	bvb_import_options options = bvb_import_options_default();
	bvb_import read;
	bvb_mesh welded;
	bv_status status = bvb_import_file( j->path, &options, j->loaded.arena, &read, &j->error );
	status =
		status == bv_ok ? bvb_mesh_weld( &read.scene.mesh, 0, j->loaded.arena, &welded, &j->error ) : status;
	j->result = status == bv_ok ? welded.triangle_count : 0;
	return status;
}

static const work works[] = {
	{ "import", "fast", make_arena, import },
	{ "fast", "fast", load, build },
	{ "balanced", "balanced", load, build },
	{ "errors", "balanced", load_and_build, measure_errors },
	{ "queries", "balanced", load_and_judge, query },
	{ "rays", "balanced", load_and_judge, cast_rays },
	{ "points", "balanced", load_and_judge, find_points },
	{ "overlaps", "balanced", load_and_judge, find_overlaps },
	{ "casts", "balanced", load_and_judge, cast_shapes },
};

// Found by its name: what it calls is counted.
__attribute__( ( noinline ) ) bv_status measured( bv_status ( *run )( job* j ), job* j );

bv_status measured( bv_status ( *run )( job* j ), job* j )
{
	bv_status status = run( j );
	// Not the last thing that is done: a jump in its place would leave the function before the work begins.
	__asm__ volatile( "" ::: "memory" );
	return status;
}

int main( int count, char** arguments )
{
	const work* chosen = NULL;
	for ( size_t i = 0; count == 3 && i < sizeof works / sizeof works[0]; ++i )
	{
		chosen = strcmp( works[i].name, arguments[1] ) == 0 ? works + i : chosen;
	}
	if ( !chosen )
	{
		fprintf( stderr, "usage: bench_instructions "
		                 "import|fast|balanced|errors|queries|rays|points|overlaps|casts MESH\n" );
		return 1;
	}
	job j = { .path = arguments[2], .error.message = "out of memory" };
	bvb_preset_options( chosen->preset, &j.options );
	j.options.hierarchy.threads = j.options.errors.threads = 1;
	bv_status status = chosen->prepare( &j );
	status = status == bv_ok ? measured( chosen->run, &j ) : status;
	if ( status != bv_ok )
	{
		fprintf( stderr, "bench_instructions: %s\n", j.error.message );
		return 2;
	}
	printf( "%llu\n", (unsigned long long)j.result );
	if ( j.queried.arena )
	{
		judge_fell( &j.queried );
	}
	judge_unload( &j.loaded );
	return 0;
}

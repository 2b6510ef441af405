// The table of bench_paths about broad phases: many copies of the casing side by side. Either one part is led out of one of them and all
// others stand still, or all parts shake, as those of an engine that runs.

#pragma once

#include "tests/bench/paths_static.h"
#include "tests/bench/random.h"

enum
{
	copies = 49, // of the casing, in a square
	most_objects = copies * most_parts + 1,
	most_world_pairs = 65536,
};

typedef struct world_cell
{
	spread time; // of moving boxes and of an update, microseconds
	double tests;
} world_cell;

typedef struct world_table
{
	uint32_t objects;
	double pairs;                    // mean
	world_cell cell[2][bvw_methods]; // one part moves, all move
} world_table;

// Boxes of all objects; the part that moves is the first one.
typedef struct world_boxes
{
	bv_aabb box[most_objects];
	uint32_t count;
} world_boxes;

static inline bv_aabb move_box( const bv_aabb* box, bv_vec3 by )
{
	return ( bv_aabb ){ bv_add( box->lower, by ), bv_add( box->upper, by ) };
}

static inline void make_boxes( const path_scene* s, const mesh_files* files, world_boxes* out )
{
	const double side = 5; // of a casing and of what is around it
	out->count = 1;
	out->box[0] = box_of_mesh( files, s->mover, s->path.pose );
	for ( int i = 0; i < copies; ++i )
	{
		bv_vec3 by = bv_vec3_make( side * ( i % 7 ), side * ( i / 7 ), 0 );
		for ( int k = 0; k < s->part_count; ++k )
		{
			bv_aabb box = box_of_mesh( files, s->part[k].mesh, &s->part[k].placement );
			out->box[out->count++] = move_box( &box, by );
		}
	}
}

static inline bvw_broadphase* make_world( bvw_method method, const world_boxes* boxes, bool all_move )
{
	const bvw_broadphase_options options = {
		.objects = boxes->count, .pairs = most_world_pairs, .method = method, .moving = all_move ? 1 : 0.001
	};
	size_t bytes = bvw_broadphase_bytes( &options );
	void* memory = malloc( bytes );
	bvw_broadphase* world = NULL;
	if ( !memory )
	{
		give_up( "out of memory" );
	}
	require_ok( bvw_broadphase_begin( memory, bytes, &options, &world ), "a broad phase" );
	for ( uint32_t i = 0; i < boxes->count; ++i )
	{
		const bvw_object object = { .box = boxes->box[i] };
		require_ok( bvw_broadphase_add( world, i, &object ), "an object" );
	}
	return world;
}

// Where all objects are after a step.
static inline void place_boxes( const path_scene* s, const mesh_files* files, const world_boxes* at_rest,
                                int step, bool all_move, world_boxes* out )
{
	const bv_vec3 shake = bv_vec3_make( 0.02, 0.02, 0.02 );
	out->count = at_rest->count;
	out->box[0] = box_of_mesh( files, s->mover, s->path.pose + step );
	for ( uint32_t i = 1; all_move && i < at_rest->count; ++i )
	{
		double x = shake.x * ( 2 * random_unit() - 1 );
		double y = shake.y * ( 2 * random_unit() - 1 );
		out->box[i] = move_box( at_rest->box + i, bv_vec3_make( x, y, shake.z * ( 2 * random_unit() - 1 ) ) );
	}
}

static inline void update_world( bvw_broadphase* world, const world_boxes* boxes, bool all_move,
                                 bvw_changes* changes )
{
	uint32_t count = all_move ? boxes->count : 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		require_ok( bvw_broadphase_move( world, i, boxes->box + i ), "a box" );
	}
	require_ok( bvw_broadphase_update( world, changes ), "an update" );
}

// The pairs of a broad phase, as a number that differs if they do.
static inline uint64_t hash_of_pairs( const bvw_broadphase* world, uint32_t* count )
{
	static bvw_pair pairs[most_world_pairs];
	uint64_t hash = 14695981039346656037u;
	require_ok( bvw_broadphase_pairs( world, pairs, most_world_pairs, count ), "pairs" );
	for ( uint32_t i = 0; i < *count; ++i )
	{
		hash = ( hash ^ pairs[i].a ) * 1099511628211u;
		hash = ( hash ^ pairs[i].b ) * 1099511628211u;
	}
	return hash;
}

typedef struct world_run
{
	double seconds[bvw_methods][most_rounds][most_steps];
	uint64_t hash[most_steps]; // of the first method
} world_run;

static inline void run_world( const path_scene* s, const mesh_files* files, const world_boxes* at_rest,
                              bvw_method method, int round, bool all_move, world_table* t, world_run* out )
{
	static world_boxes boxes;
	bvw_broadphase* world = make_world( method, at_rest, all_move );
	world_cell* cell = t->cell[all_move] + method;
	bvw_changes changes;
	random_state = 88172645463325252u;
	boxes = *at_rest;
	require_ok( bvw_broadphase_update( world, &changes ), "an update" );
	cell->tests = 0;
	for ( int step = 0; step < s->path.count; ++step )
	{
		place_boxes( s, files, at_rest, step, all_move, &boxes );
		double start = core_now();
		uint32_t pairs = 0;
		update_world( world, &boxes, all_move, &changes );
		out->seconds[method][round][step] = core_now() - start;
		cell->tests += (double)changes.tests / s->path.count;
		uint64_t hash = hash_of_pairs( world, &pairs );
		if ( method == bvw_method_default + 1 && round == 0 )
		{
			out->hash[step] = hash;
			t->pairs += pairs / ( 2.0 * s->path.count );
		}
		if ( hash != out->hash[step] )
		{
			contradict( "%s, step %d: the broad phase %s finds other pairs", s->name, step,
			            bvw_method_name( method ) );
		}
	}
	free( world );
}

static inline void measure_world( const path_scene* s, const mesh_files* files, int rounds, world_table* t )
{
	static world_boxes at_rest;
	static world_run run;
	make_boxes( s, files, &at_rest );
	t->objects = at_rest.count;
	for ( int all_move = 0; all_move < 2; ++all_move )
	{
		for ( int k = 0; k < rounds; ++k )
		{
			for ( int m = bvw_method_default + 1; m < bvw_methods; ++m )
			{
				run_world( s, files, &at_rest, (bvw_method)m, k, all_move != 0, t, &run );
			}
		}
		for ( int m = bvw_method_default + 1; m < bvw_methods; ++m )
		{
			t->cell[all_move][m].time = spread_of_rounds( run.seconds[m], rounds, s->path.count );
		}
	}
}

static inline void print_world( const world_table* t )
{
	printf( "%d casings side by side, %u boxes, %.0f pairs on average. One part is led out and nothing else "
	        "moves, or all parts shake. "
	        "Microseconds of a step.\n\n"
	        "| method | one: tests | mean | 99 %% | greatest | all: tests | mean | 99 %% | greatest |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
	        (int)copies, t->objects, t->pairs );
	for ( int m = bvw_method_default + 1; m < bvw_methods; ++m )
	{
		printf( "| %s |", bvw_method_name( (bvw_method)m ) );
		for ( int all_move = 0; all_move < 2; ++all_move )
		{
			const world_cell* cell = t->cell[all_move] + m;
			printf( " %.0f | %.1f | %.1f | %.1f |", cell->tests, cell->time.mean, cell->time.high,
			        cell->time.greatest );
		}
		printf( "\n" );
	}
	printf( "\n" );
}

// The table of bench_paths about static queries: all pairs of triangles of the part that moves and of those near it, by hierarchy and
// by expansion rule.

#pragma once

#include "tests/bench/paths_trees.h"

enum
{
	most_rounds = 9,
	most_scenes = 4,
};

static const char* const expansion_names[bv_expansions] = { "larger", "both", "hybrid" };

// A hierarchy with an expansion rule.
typedef struct static_row
{
	int tree;
	bv_expansion expansion;
	spread tests[most_scenes];
	spread time[most_scenes]; // microseconds
} static_row;

typedef struct static_table
{
	static_row row[tree_count + 16];
	int count;
	uint64_t steps;
	uint64_t meeting;      // steps with a contact
	uint64_t other_counts; // steps in which a row finds another number of pairs
} static_table;

static inline void list_static_rows( static_table* t )
{
	for ( int tree = 0; tree < tree_count; ++tree )
	{
		int expansions = tree_rows[tree].is_expanded ? bv_expansions : 1;
		for ( int e = 0; e < expansions; ++e )
		{
			t->row[t->count++] = ( static_row ){ .tree = tree, .expansion = (bv_expansion)e };
		}
	}
}

// Answers of the first row, with which the others are compared.
typedef struct path_answers
{
	near_parts near[most_steps];
	static_answer answer[most_steps];
} path_answers;

static inline void answer_path( const path_scene* s, const mesh_files* base, path_answers* out )
{
	const bv_collide_options options = { .first = false };
	for ( int i = 0; i < s->path.count; ++i )
	{
		out->near[i] = parts_near_pose( s, base, s->path.pose + i, 0 );
		out->answer[i] = collide_pose( s, base, out->near + i, s->path.pose + i, &options );
	}
}

// Tests of each step; and whether a row says the same as the first one.
static inline void count_path( const path_scene* s, const mesh_files* files, const path_answers* known,
                               static_table* t, static_row* row, int scene )
{
	const bv_collide_options options = { .expansion = row->expansion };
	double tests[most_steps];
	for ( int i = 0; i < s->path.count; ++i )
	{
		static_answer a = collide_pose( s, files, known->near + i, s->path.pose + i, &options );
		if ( ( a.pairs > 0 ) != ( known->answer[i].pairs > 0 ) )
		{
			contradict( "%s, step %d: tree %d and rule %s say %s", s->name, i, row->tree,
			            expansion_names[row->expansion], a.pairs > 0 ? "meets" : "free" );
		}
		t->other_counts += a.pairs != known->answer[i].pairs;
		tests[i] = (double)a.tests;
	}
	row->tests[scene] = spread_of( tests, s->path.count );
}

static inline void time_path( const path_scene* s, const mesh_files* files, const path_answers* known,
                              const static_row* row, double* seconds )
{
	const bv_collide_options options = { .expansion = row->expansion };
	for ( int i = 0; i < s->path.count; ++i )
	{
		double start = core_now();
		(void)collide_pose( s, files, known->near + i, s->path.pose + i, &options );
		seconds[i] = core_now() - start;
	}
}

// The median of the rounds is the time of a step.
static inline spread spread_of_rounds( double ( *seconds )[most_steps], int rounds, int steps )
{
	double micros[most_steps];
	for ( int i = 0; i < steps; ++i )
	{
		double of_step[most_rounds];
		for ( int k = 0; k < rounds; ++k )
		{
			of_step[k] = 1e6 * seconds[k][i];
		}
		micros[i] = median( of_step, rounds );
	}
	return spread_of( micros, steps );
}

// Rows take turns in each round.
static inline void measure_static( const path_scene* s, int scene, const mesh_files* files, int rounds,
                                   static_table* t )
{
	static path_answers known;
	double( *seconds )[most_rounds][most_steps] = malloc( (size_t)t->count * sizeof *seconds );
	if ( !seconds )
	{
		give_up( "out of memory" );
	}
	answer_path( s, files, &known );
	t->steps += (uint64_t)s->path.count;
	for ( int i = 0; i < s->path.count; ++i )
	{
		t->meeting += known.answer[i].pairs > 0;
	}
	for ( int r = 0; r < t->count; ++r )
	{
		count_path( s, files + t->row[r].tree, &known, t, t->row + r, scene );
	}
	for ( int k = 0; k < rounds; ++k )
	{
		for ( int r = 0; r < t->count; ++r )
		{
			time_path( s, files + t->row[r].tree, &known, t->row + r, seconds[r][k] );
		}
	}
	for ( int r = 0; r < t->count; ++r )
	{
		t->row[r].time[scene] = spread_of_rounds( seconds[r], rounds, s->path.count );
	}
	free( seconds );
}

// @param build  seconds of each tree
static inline void print_static( const static_table* t, const path_scene* scenes, int scene_count,
                                 const double* build )
{
	printf(
		"Static queries, all pairs, by hierarchy and expansion rule. Costs of a step: tests of volumes and "
		"triangles, and "
		"microseconds.\n\n"
		"| path | splitter or preset | volumes | children | expansion | build, s | tests, mean | tests, 99 "
		"%% | tests, "
		"greatest | us, mean | us, 99 %% | us, greatest |\n"
		"| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int s = 0; s < scene_count; ++s )
	{
		for ( int r = 0; r < t->count; ++r )
		{
			const static_row* row = t->row + r;
			const tree_row* tree = tree_rows + row->tree;
			const char* children = tree->children + strspn( tree->children, "-" );
			printf( "| %s | %s | %s | %s | %s | %.2f | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f |\n",
			        scenes[s].name, tree->splitter, tree->volume, *children ? children : "8, collapsed",
			        expansion_names[row->expansion], build[row->tree], row->tests[s].mean, row->tests[s].high,
			        row->tests[s].greatest, row->time[s].mean, row->time[s].high, row->time[s].greatest );
		}
	}
	printf( "\n%llu steps, %llu with a contact. All hierarchies and rules agree on which; the number "
	        "of pairs differs in "
	        "%llu answers.\n\n",
	        (unsigned long long)t->steps, (unsigned long long)t->meeting,
	        (unsigned long long)t->other_counts );
}

// The curves that figures D.41 to D.44 of 1998 show: tests of each step, by expansion rule, of one hierarchy. The number of pairs is 0 in
// free steps.
static inline void write_curves( FILE* file, const path_scene* s, const mesh_files* base,
                                 const mesh_files* files )
{
	static path_answers known;
	answer_path( s, base, &known );
	for ( int i = 0; i < s->path.count; ++i )
	{
		fprintf( file, "%s,%d,%llu", s->name, i, (unsigned long long)known.answer[i].pairs );
		for ( int e = 0; e < bv_expansions; ++e )
		{
			const bv_collide_options options = { .expansion = (bv_expansion)e };
			static_answer a = collide_pose( s, files, known.near + i, s->path.pose + i, &options );
			fprintf( file, ",%llu", (unsigned long long)a.tests );
		}
		fprintf( file, "\n" );
	}
}

// The table of bench_paths about budgets: after each step, the distances of the part that moves and of all parts near it are searched in
// one pool until a number of tests is spent. What is known then, by the order of searches and the rule of the pool.

#pragma once

#include "tests/bench/paths_static.h"

enum
{
	most_budgets = 4,
	most_pool_rows = bv_search_goals * bvw_pool_rules * ( bv_search_orders - 1 ),
};

static const uint64_t budgets[most_budgets] = { 100, 1000, 10000, 100000 };
static const char* const order_names[bv_search_orders] = { "default", "gap", "quality", "first in",
	                                                       "last in" };
static const char* const rule_names[bvw_pool_rules] = { "widest", "shares" };
static const char* const goal_names[bv_search_goals] = { "distance", "collision" };

// How near a part must be for a search, as part of the size of the one that moves.
static const double search_margin = 0.25;

// What is known after the tests of one budget, over all steps.
typedef struct budget_cell
{
	int steps;
	int decided;   // steps of which it is known whether the part touches another one
	double widest; // sum of the widths of the widest answer of a pair, as parts of the size
	spread gap;    // of the distance to the nearest part, as part of the size
	double gaps[most_scenes * most_steps];
} budget_cell;

typedef struct budget_row
{
	bv_search_goal goal;
	bvw_pool_rule rule;
	bv_search_order order;
	budget_cell cell[most_budgets];
} budget_row;

typedef struct budget_table
{
	budget_row row[most_pool_rows];
	int count;
	int steps; // with a part near
} budget_table;

static inline void list_budget_rows( budget_table* t )
{
	for ( int i = 0; i < most_pool_rows; ++i )
	{
		int orders = bv_search_orders - 1;
		t->row[t->count++] =
			( budget_row ){ .goal = (bv_search_goal)( i / orders / bvw_pool_rules ),
			                .rule = (bvw_pool_rule)( i / orders % bvw_pool_rules ),
			                .order = (bv_search_order)( bv_search_order_default + 1 + i % orders ) };
	}
}

// The step's answer: of all pairs together.
typedef struct known_distance
{
	double lower;
	double upper;
	bool meets;
	bool apart;
} known_distance;

// Searches of one step.
typedef struct search_pool
{
	bvw_pool_item item[most_parts];
	uint32_t count;
	double scale[most_parts]; // from coordinates of a search to those of the world
} search_pool;

static inline void begin_searches( const path_scene* s, const mesh_files* files, const near_parts* near,
                                   int step, const budget_row* row, search_pool* out )
{
	static double memory[most_parts][BV_SEARCH_AMPLE / sizeof( double )];
	const bv_search_options options = { .goal = row->goal, .order = row->order };
	out->count = (uint32_t)near->count;
	for ( int i = 0; i < near->count; ++i )
	{
		const scene_part* part = s->part + near->part[i];
		bv_transform mover_in_part = bv_transform_between( &part->placement, s->path.pose + step );
		out->scale[i] = part->placement.scale;
		out->item[i] = ( bvw_pool_item ){ .weight = part->placement.scale };
		require_ok( bv_search_begin( files->of[part->mesh], files->of[s->mover], &mover_in_part, &options,
		                             memory[i], sizeof memory[i], &out->item[i].search ),
		            "a search" );
	}
}

static inline known_distance look_at_pool( const search_pool* pool )
{
	known_distance out = { INFINITY, INFINITY, false, true };
	for ( uint32_t i = 0; i < pool->count; ++i )
	{
		bv_search_answer a;
		require_ok( bv_search_look( pool->item[i].search, &a ), "a search" );
		out.lower = fmin( out.lower, pool->scale[i] * a.lower );
		out.upper = fmin( out.upper, pool->scale[i] * a.upper );
		out.meets = out.meets || a.verdict == bv_search_meets;
		out.apart = out.apart && a.verdict == bv_search_apart;
	}
	return out;
}

static inline known_distance exact_distance( const path_scene* s, const mesh_files* files,
                                             const near_parts* near, int step )
{
	known_distance out = { INFINITY, INFINITY, false, true };
	for ( int i = 0; i < near->count; ++i )
	{
		const scene_part* part = s->part + near->part[i];
		bv_transform mover_in_part = bv_transform_between( &part->placement, s->path.pose + step );
		bv_distance_result r;
		require_ok( bv_mesh_distance( files->of[part->mesh], files->of[s->mover], &mover_in_part, NULL, &r ),
		            "a distance" );
		out.lower = out.upper = fmin( out.upper, part->placement.scale * r.distance );
		out.meets = out.meets || r.distance == 0;
	}
	out.apart = !out.meets;
	return out;
}

static inline void check_bounds( const path_scene* s, int step, const budget_row* row,
                                 const known_distance* known, const known_distance* truth )
{
	const double rounding = 1e-12 * s->size;
	bool is_wrong = ( known->apart && truth->meets ) || ( known->meets && truth->apart ) ||
	                known->lower > truth->lower + rounding || known->upper < truth->upper - rounding;
	if ( is_wrong )
	{
		contradict( "%s, step %d: a search by %s says %.9g to %.9g, the distance is %.9g", s->name, step,
		            order_names[row->order], known->lower, known->upper, truth->lower );
	}
}

static inline void run_budgets( const path_scene* s, const mesh_files* files, const near_parts* near,
                                int step, const known_distance* truth, budget_row* row )
{
	search_pool pool;
	uint32_t scratch[most_parts + 1];
	const bvw_pool_options options = { .rule = row->rule };
	for ( int i = 0; i < most_budgets; ++i )
	{
		const bv_budget budget = { .tests = budgets[i] };
		begin_searches( s, files, near, step, row, &pool );
		bvw_pool_report report;
		require_ok(
			bvw_pool_run( pool.item, pool.count, &options, &budget, scratch, sizeof scratch, &report ),
			"a pool" );
		known_distance known = look_at_pool( &pool );
		check_bounds( s, step, row, &known, truth );
		budget_cell* cell = row->cell + i;
		cell->widest += report.widest / s->size;
		cell->decided += known.meets || known.apart;
		cell->gaps[cell->steps++] = ( known.upper - known.lower ) / s->size;
	}
}

static inline void measure_budgets( const path_scene* s, const mesh_files* files, budget_table* t )
{
	for ( int step = 0; step < s->path.count; ++step )
	{
		near_parts near = parts_near_pose( s, files, s->path.pose + step, search_margin * s->size );
		if ( near.count == 0 )
		{
			continue;
		}
		known_distance truth = exact_distance( s, files, &near, step );
		t->steps += 1;
		for ( int r = 0; r < t->count; ++r )
		{
			run_budgets( s, files, &near, step, &truth, t->row + r );
		}
	}
}

static inline double mean_widest( const budget_cell* cell )
{
	return cell->widest / cell->steps;
}

// Searches for collisions end without a distance.
static inline void print_gap( const budget_row* row, double gap )
{
	if ( row->goal == bv_search_collision )
	{
		printf( " - |" );
	}
	else
	{
		printf( " %.3g |", 100 * gap );
	}
}

static inline void print_budgets( budget_table* t )
{
	printf( "Searches of all pairs near the part in one pool, preset balanced: %d steps of all paths. "
	        "Decided: percent of the "
	        "steps of which it is known whether the part touches another one. Gap: width of the interval of "
	        "the distance to the nearest "
	        "part, percent of half the diagonal of the part. Widest pair: mean of the widest interval of a "
	        "pair.\n\n| goal | rule | order |",
	        t->steps );
	for ( int i = 0; i < most_budgets; ++i )
	{
		printf( " decided, %llu tests |", (unsigned long long)budgets[i] );
	}
	for ( int i = 0; i < most_budgets; ++i )
	{
		printf( " mean gap, %llu |", (unsigned long long)budgets[i] );
	}
	printf( " gap, 99 %%, 1000 | greatest gap, 1000 | widest pair, 1000 |\n| --- | --- | --- |" );
	for ( int i = 0; i < 2 * most_budgets + 3; ++i )
	{
		printf( " ---: |" );
	}
	printf( "\n" );
	for ( int r = 0; r < t->count; ++r )
	{
		budget_row* row = t->row + r;
		printf( "| %s | %s | %s |", goal_names[row->goal], rule_names[row->rule], order_names[row->order] );
		for ( int i = 0; i < most_budgets; ++i )
		{
			row->cell[i].gap = spread_of( row->cell[i].gaps, row->cell[i].steps );
			printf( " %.1f |", 100.0 * row->cell[i].decided / row->cell[i].steps );
		}
		for ( int i = 0; i < most_budgets; ++i )
		{
			print_gap( row, row->cell[i].gap.mean );
		}
		print_gap( row, row->cell[1].gap.high );
		print_gap( row, row->cell[1].gap.greatest );
		print_gap( row, mean_widest( row->cell + 1 ) );
		printf( "\n" );
	}
	printf( "\n" );
}

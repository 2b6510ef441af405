// The verdicts of bench_paths on the conclusions of Eckstein 1998, chapter 10.

#pragma once

#include "tests/bench/paths_budgets.h"
#include "tests/bench/paths_claims.h"
#include "tests/bench/paths_static.h"
#include "tests/bench/paths_sweeps.h"
#include "tests/bench/paths_world.h"

enum
{
	claim_measures = 3,
};

static const char* const measure_names[claim_measures] = { "tests", "time", "peaks" };

static inline const static_row* find_static_row( const static_table* t, const claim_level* level )
{
	int tree = find_tree( level->splitter, level->volume, level->children );
	for ( int r = 0; r < t->count; ++r )
	{
		if ( t->row[r].tree == tree && t->row[r].expansion == level->expansion )
		{
			return t->row + r;
		}
	}
	give_up( "there is no row of tree %d", tree );
}

static inline double measure_of( const static_row* row, int measure, int scene )
{
	return measure == 0 ? row->tests[scene].mean
	                    : ( measure == 1 ? row->time[scene].mean : row->time[scene].greatest );
}

// Geometric mean over the paths.
static inline double cost_ratio( const static_row* a, const static_row* b, int measure, int scene_count )
{
	double sum = 0;
	for ( int s = 0; s < scene_count; ++s )
	{
		sum += log( measure_of( a, measure, s ) / measure_of( b, measure, s ) );
	}
	return exp( sum / scene_count );
}

// @return which measures the claim holds for, as bits
static inline int judge_static( const static_table* t, const static_claim* c, int scene_count )
{
	int holds = 0;
	for ( int m = 0; m < claim_measures; ++m )
	{
		bool good = true;
		for ( int i = c->good; i < most_levels && c->level[i].label; ++i )
		{
			for ( int k = 0; k < c->good; ++k )
			{
				good = good &&
				       cost_ratio( find_static_row( t, c->level + i ), find_static_row( t, c->level + k ), m,
				                   scene_count ) >= 0.01 * c->percent;
			}
		}
		holds |= good << m;
	}
	return holds;
}

static inline void print_static_claim( const static_table* t, const static_claim* c, int scene_count )
{
	const char* separator = "";
	int holds = judge_static( t, c, scene_count );
	const static_row* first = find_static_row( t, c->level );
	printf( "| %s | %s | ", c->figures, c->claim );
	for ( int i = 0; i < most_levels && c->level[i].label; ++i )
	{
		const static_row* row = find_static_row( t, c->level + i );
		const char* bold = i < c->good ? "**" : "";
		printf( "%s%s%s%s %.2f/%.2f/%.2f", separator, bold, c->level[i].label, bold,
		        cost_ratio( row, first, 0, scene_count ), cost_ratio( row, first, 1, scene_count ),
		        cost_ratio( row, first, 2, scene_count ) );
		separator = "; ";
	}
	if ( holds == 0 || holds == 7 )
	{
		printf( " | %s |\n", holds ? "holds" : "does not hold" );
		return;
	}
	separator = " | holds for ";
	for ( int m = 0; m < claim_measures; ++m )
	{
		if ( holds >> m & 1 )
		{
			printf( "%s%s", separator, measure_names[m] );
			separator = " and ";
		}
	}
	printf( " only |\n" );
}

static inline const char* word_of( bool holds )
{
	return holds ? "holds" : "does not hold";
}

// @return the greatest time of a step on any path, microseconds
static inline double worst_step( const static_table* t, const claim_level* level, int scene_count )
{
	double worst = 0;
	for ( int s = 0; s < scene_count; ++s )
	{
		worst = fmax( worst, find_static_row( t, level )->time[s].greatest );
	}
	return worst;
}

static inline void print_feasible( const static_table* t, const double* build, int scene_count )
{
	static const claim_level balls = VOLUME_LEVEL( "balls", "kcenter", "sphere", "5" );
	static const claim_level boxes = RATE_LEVEL( "kmeans", "0.75" );
	double seconds = build[find_tree( "branch-and-bound", "obb", "--degree 2" )];
	double ratio = seconds / build[find_tree( "kmeans", "obb", "--degree 2" )];
	double worst = worst_step( t, &balls, scene_count );
	printf( "| 10.1.5 | branch and bound is not feasible | all meshes take %.1f s, %.0f times as long as by "
	        "`kmeans`; nodes of more than 16 faces are divided "
	        "by `kmeans` | %s |\n",
	        seconds, ratio, ratio < 100 ? "does not hold for small nodes; others are not tested" : "holds" );
	printf( "| 10.1.6 | balls around centers (`kcenter`) take up to seconds for a step | up to %.0f ms; %.1f "
	        "times the time of `kmeans` with "
	        "boxes | %s |\n",
	        1e-3 * worst,
	        cost_ratio( find_static_row( t, &balls ), find_static_row( t, &boxes ), 1, scene_count ),
	        word_of( worst >= 1e6 ) );
}

static inline void print_static_verdicts( const static_table* t, const double* build, int scene_count )
{
	static const claim_level best[] = { RATE_LEVEL( "insertion", "0.75" ), RATE_LEVEL( "kmeans", "0.75" ),
		                                RATE_LEVEL( "gottschalk-points", "0.75" ) };
	const double worst_of_1998 = 40e3;
	double worst = 0;
	for ( size_t i = 0; i < sizeof static_claims / sizeof *static_claims; ++i )
	{
		print_static_claim( t, static_claims + i, scene_count );
	}
	for ( int i = 0; i < 3; ++i )
	{
		worst = fmax( worst, worst_step( t, best + i, scene_count ) );
	}
	printf( "| D.37-40 | the best three take at most 40 ms for a step | %.1f ms | %s |\n", 1e-3 * worst,
	        word_of( worst <= worst_of_1998 ) );
	print_feasible( t, build, scene_count );
}

// Splitters by their numbers of children, relative to the preset balanced.
static inline void print_splitters( const static_table* t, int scene_count )
{
	static const char* const splitters[] = { "zachmann", "gottschalk-points", "kmeans", "insertion" };
	static const char* const children[] = { "--degree 2",        "--degree 3",         "--degree 4",
		                                    "--degree 5",        "--degree 6",         "--improvement 0.5",
		                                    "--improvement 0.6", "--improvement 0.75", "--improvement 0.9" };
	static const claim_level base = RULE_LEVEL( "balanced", "preset balanced", "-", bv_expand_larger );
	printf( "Boxes by splitter and children, relative to the preset balanced: mean tests / mean time / "
	        "greatest time of a step, geometric means of the "
	        "paths.\n\n| splitter | degree 2 | 3 | 4 | 5 | 6 | rate 0.5 | 0.6 | 0.75 | 0.9 |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < 4; ++i )
	{
		printf( "| %s |", splitters[i] );
		for ( int k = 0; k < 9; ++k )
		{
			const claim_level level = { "", splitters[i], "obb", children[k], bv_expand_larger };
			printf( " %.2f/%.1f/%.1f |",
			        cost_ratio( find_static_row( t, &level ), find_static_row( t, &base ), 0, scene_count ),
			        cost_ratio( find_static_row( t, &level ), find_static_row( t, &base ), 1, scene_count ),
			        cost_ratio( find_static_row( t, &level ), find_static_row( t, &base ), 2, scene_count ) );
		}
		printf( "\n" );
	}
	printf( "\n" );
}

// Presets step by step, as means, 99th percentiles and peaks.
static inline void print_presets( const static_table* t, const path_scene* scenes, int scene_count )
{
	static const char* const presets[] = { "preset fast", "preset balanced", "preset best" };
	static const char* const volumes[] = { "aabb", "obb", "obb" };
	printf( "| path | preset | mean tests | 99 %% | greatest | mean us | 99 %% | greatest | greatest / mean "
	        "us |\n"
	        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < 3 * scene_count; ++i )
	{
		const claim_level level = { "", presets[i % 3], volumes[i % 3], "-", bv_expand_larger };
		const spread* tests = find_static_row( t, &level )->tests + i / 3;
		const spread* time = find_static_row( t, &level )->time + i / 3;
		printf( "| %s | %s | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |\n", scenes[i / 3].name,
		        strrchr( presets[i % 3], ' ' ) + 1, tests->mean, tests->high, tests->greatest, time->mean,
		        time->high, time->greatest, time->greatest / time->mean );
	}
	printf( "\n" );
}

static inline double apart( double a, double b )
{
	return 100 * ( fmax( a, b ) / fmin( a, b ) - 1 );
}

// Trees with and without node-quality are the same to all rules except the hybrid one: what differs is noise.
static inline void print_noise( const static_table* t, int scene_count )
{
	static const char* const splitters[] = { "kmeans", "insertion" };
	double mean = 0;
	double high = 0;
	double greatest = 0;
	for ( int i = 0; i < 4 * scene_count; ++i )
	{
		bv_expansion rule = i % 4 < 2 ? bv_expand_larger : bv_expand_both;
		const claim_level plain = RULE_LEVEL( "", splitters[i % 2], "--improvement 0.75", rule );
		const claim_level same = RULE_LEVEL( "", splitters[i % 2], "--improvement 0.75, node-quality", rule );
		const spread* a = find_static_row( t, &plain )->time + i / 4;
		const spread* b = find_static_row( t, &same )->time + i / 4;
		mean = fmax( mean, apart( a->mean, b->mean ) );
		high = fmax( high, apart( a->high, b->high ) );
		greatest = fmax( greatest, apart( a->greatest, b->greatest ) );
	}
	printf( "Noise: times of %d pairs of rows with equal trees differ by up to %.1f %% (mean), %.1f %% (99th "
	        "percentile) and %.1f %% "
	        "(greatest).\n\n",
	        4 * scene_count, mean, high, greatest );
}

// Sums over the paths, and geometric means of times.
typedef struct sweep_sums
{
	int steps;
	int contacts;
	int free_ends;
	int missed;
	int late;
	double times_static;
	double high;     // worst path, microseconds
	double greatest; // worst path, microseconds
} sweep_sums;

static inline sweep_sums sum_sweeps( sweep_table ( *t )[most_strides], int scene_count, int stride, int mode )
{
	sweep_sums out = { 0 };
	for ( int s = 0; s < scene_count; ++s )
	{
		const sweep_table* of = t[s] + stride;
		const sweep_cell* cell = of->cell + mode;
		out.steps += of->steps;
		out.contacts += of->contacts;
		out.free_ends += of->free_ends;
		out.missed += cell->missed;
		out.late += cell->late;
		out.times_static += log( cell->time.mean / of->cell[mode_end].time.mean ) / scene_count;
		out.high = fmax( out.high, cell->time.high );
		out.greatest = fmax( out.greatest, cell->time.greatest );
	}
	out.times_static = exp( out.times_static );
	return out;
}

static inline void print_modes( sweep_table ( *t )[most_strides], int scene_count )
{
	printf( "All paths. Times static: geometric mean of the paths. Late: by more than 0.001 of the step.\n\n"
	        "| poses per step | mode | contacts | missed | late | times static | us, greatest |\n"
	        "| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < most_strides * most_modes; ++i )
	{
		sweep_sums sums = sum_sweeps( t, scene_count, i / most_modes, i % most_modes );
		printf( "| %d | %s | %d | %d | %d | %.2f | %.0f |\n", strides[i / most_modes],
		        sweep_mode_rows[i % most_modes].name, sums.contacts, sums.missed, sums.late,
		        sums.times_static, sums.greatest );
	}
	printf( "\n" );
}

static inline void print_sweep_verdicts( sweep_table ( *t )[most_strides], int scene_count, int screw )
{
	sweep_sums fine = sum_sweeps( t, scene_count, 0, mode_dynamic );
	sweep_sums coarse = sum_sweeps( t, scene_count, 1, mode_dynamic );
	sweep_sums mixed = sum_sweeps( t, scene_count, 0, 1 );
	sweep_sums few = sum_sweeps( t, scene_count, 0, 2 );
	sweep_sums five = sum_sweeps( t, scene_count, 1, 2 );
	const sweep_table* thread = t[screw];
	printf( "| D.49-56 | dynamic tests cost more than static ones | %.2f times as much, %.2f in steps of "
	        "five poses | %s |\n",
	        fine.times_static, coarse.times_static, word_of( fine.times_static > 1 ) );
	printf( "| D.49-56 | paths that static tests call free are not | %d of %d contacts are in steps with "
	        "free ends; in steps of five poses "
	        "%d of %d | %s |\n",
	        fine.free_ends, fine.contacts, coarse.free_ends, coarse.contacts,
	        word_of( fine.free_ends + coarse.free_ends > 0 ) );
	printf( "| D.49-56 | 5 samples miss contacts | %d of %d, and %d are late; in steps of five poses %d of "
	        "%d, and %d | %s |\n",
	        few.missed, few.contacts, few.late, five.missed, five.contacts, five.late,
	        word_of( few.missed + five.missed > 0 ) );
	printf( "| D.49-56 | mixed tests cost less than dynamic ones | %.2f and %.2f times static; mixed ones "
	        "miss %d and report %d late | %s |\n",
	        mixed.times_static, fine.times_static, mixed.missed, mixed.late,
	        word_of( mixed.times_static < fine.times_static ) );
	printf( "| D.49-56 | linear interpolation and regula falsi stay fit for interaction | sweeps of meshes "
	        "have the certified finder only; "
	        "for pairs of features see [Moving objects](motion.md) | cannot be tested here |\n" );
	printf( "| D.57 | a plane that slides on a runway is interactive | the paths have no response to "
	        "contacts; for these see "
	        "[Contacts](contacts.md) | cannot be tested here |\n" );
	double high = thread[0].cell[mode_dynamic].time.high;
	double end = thread[0].cell[mode_end].time.high;
	printf( "| D.58 | a screw turned out of a nut is interactive: 99 %% of the steps take at most 40 ms | "
	        "static %.1f ms, dynamic %.1f ms, "
	        "greatest %.1f ms | %s |\n",
	        1e-3 * end, 1e-3 * high, 1e-3 * thread[0].cell[mode_dynamic].time.greatest,
	        end <= 40e3 && high > 40e3 ? "holds for static tests only" : word_of( high <= 40e3 ) );
	printf( "| D.59 | a falling rod with impulses is nearly real time | the paths have no dynamics; see "
	        "[Contacts](contacts.md) | cannot be "
	        "tested here |\n" );
}

static inline const budget_row* find_budget_row( const budget_table* t, bv_search_goal goal,
                                                 bvw_pool_rule rule, bv_search_order order )
{
	for ( int i = 0; i < t->count; ++i )
	{
		if ( t->row[i].goal == goal && t->row[i].rule == rule && t->row[i].order == order )
		{
			return t->row + i;
		}
	}
	give_up( "there is no such row of budgets" );
}

static inline double decided_percent( const budget_row* row, int budget )
{
	return 100.0 * row->cell[budget].decided / row->cell[budget].steps;
}

// What an order attains with 1,000 tests in a pool: more is better.
static inline double merit_of_order( const budget_row* row )
{
	return row->goal == bv_search_collision ? decided_percent( row, 1 ) : -100 * row->cell[1].gap.mean;
}

static inline void print_order_verdict( const budget_table* t, bv_search_goal goal, const char* claim,
                                        const char* unit )
{
	const double equal = 0.5;
	const char* separator = "";
	double quality = merit_of_order( find_budget_row( t, goal, bvw_pool_widest, bv_search_by_quality ) );
	bool is_best = true;
	printf( "| 8.1 | the order by quality, least first, %s | %s: ", claim, unit );
	for ( int order = bv_search_order_default + 1; order < bv_search_orders; ++order )
	{
		double merit = merit_of_order( find_budget_row( t, goal, bvw_pool_widest, (bv_search_order)order ) );
		printf( "%s%s %.1f", separator, order_names[order], fabs( merit ) );
		is_best = is_best && quality + equal >= merit;
		separator = ", ";
	}
	printf( " | %s |\n", word_of( is_best ) );
}

static inline void print_budget_verdicts( const budget_table* t )
{
	const budget_row* gap = find_budget_row( t, bv_search_distance, bvw_pool_widest, bv_search_by_gap );
	const budget_row* shares = find_budget_row( t, bv_search_distance, bvw_pool_shares, bv_search_by_gap );
	const budget_row* meets = find_budget_row( t, bv_search_collision, bvw_pool_widest, bv_search_last_in );
	const budget_row* parts = find_budget_row( t, bv_search_collision, bvw_pool_shares, bv_search_last_in );
	printf( "| 8 | answers within a budget are never free when the parts touch, and bounds are sound | %d "
	        "steps, %d orders, rules and "
	        "goals, %d budgets: no contradiction to the whole search | holds |\n",
	        t->steps, t->count, (int)most_budgets );
	printf( "| 8 | answers converge as the budget grows | distance, by gap: decided %.0f, %.0f, %.0f and "
	        "%.0f %%; mean gap %.3g, %.3g, %.3g "
	        "and %.3g %% | %s |\n",
	        decided_percent( gap, 0 ), decided_percent( gap, 1 ), decided_percent( gap, 2 ),
	        decided_percent( gap, 3 ), 100 * gap->cell[0].gap.mean, 100 * gap->cell[1].gap.mean,
	        100 * gap->cell[2].gap.mean, 100 * gap->cell[3].gap.mean,
	        word_of( decided_percent( gap, 3 ) >= decided_percent( gap, 0 ) &&
	                 gap->cell[3].gap.mean < gap->cell[0].gap.mean ) );
	printf( "| 8.1 | a shared pool is better than shares of the budget: collisions | decided with 1,000 "
	        "tests: pool %.1f %%, shares %.1f %% | "
	        "%s |\n",
	        decided_percent( meets, 1 ), decided_percent( parts, 1 ),
	        word_of( decided_percent( meets, 1 ) > decided_percent( parts, 1 ) ) );
	bool narrows = mean_widest( gap->cell + 1 ) < mean_widest( shares->cell + 1 );
	bool is_nearer = gap->cell[1].gap.mean < shares->cell[1].gap.mean;
	printf( "| 8.1 | the same: distances | with 1,000 tests: widest interval of a pair %.1f and %.1f %%, of "
	        "the nearest part %.1f and %.1f %% | "
	        "%s |\n",
	        100 * mean_widest( gap->cell + 1 ), 100 * mean_widest( shares->cell + 1 ),
	        100 * gap->cell[1].gap.mean, 100 * shares->cell[1].gap.mean,
	        narrows && !is_nearer ? "holds for the widest interval only" : word_of( narrows && is_nearer ) );
	print_order_verdict( t, bv_search_collision, "decides as many steps as any other",
	                     "decided with 1,000 tests, %" );
	print_order_verdict( t, bv_search_distance, "narrows distances most", "mean gap with 1,000 tests, %" );
}

static inline void print_world_verdicts( const world_table* t )
{
	const world_cell* one = t->cell[0];
	const world_cell* all = t->cell[1];
	printf( "| 6.2 (line 3168) | sweep and prune along one axis is better where most objects stand still | "
	        "one of %u boxes moves: `linked` "
	        "%.1f us, `interval` %.1f us | %s |\n",
	        t->objects, one[bvw_method_linked].time.mean, one[bvw_method_interval].time.mean,
	        word_of( one[bvw_method_linked].time.mean < one[bvw_method_interval].time.mean ) );
	printf( "| 6.2 (line 3168) | along two axes where many move | all move: `linked` %.1f us, `interval` "
	        "%.1f us | %s |\n",
	        all[bvw_method_linked].time.mean, all[bvw_method_interval].time.mean,
	        word_of( all[bvw_method_interval].time.mean < all[bvw_method_linked].time.mean ) );
}

static inline void begin_verdict_table( const char* what )
{
	printf( "%s\n\n| figures or section | claim | here | verdict |\n| --- | --- | --- | --- |\n", what );
}

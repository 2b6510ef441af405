// One budget for many searches: against all allocations of few slices, and against even shares. What searches answer is judged by
// test_tree_search and test_motion_budget.

#include "queries.h"

#include "bvworld/pool.h"

enum
{
	most_items = 1000,
	usual_items = 60,
	slice = 64,
	few = 3,         // items of which all allocations are tried
	few_slices = 16, // that are given to them
	most_excess =
		200, // tests by which a run exceeds its budget: a step of a search, or a pair of triangles of a sweep
};

typedef struct scene
{
	const bv_file* file[4];
	bv_transform placed[most_items];
	bv_motion motion[most_items][2];
	double memory[most_items][BV_SEARCH_AMPLE / sizeof( double )];
	bvw_pool_item item[most_items];
	uint32_t count;
	uint32_t scratch[most_items + 1];
} scene;

static void place_all( fixture* f, int round, scene* s )
{
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double far = round % 2 ? 2.2 + 0.05 * random_unit( f ) : 1 + 4 * random_unit( f );
		s->placed[i] = random_transform( f, 1, false, bv_scale( far, bv_normalize( random_around( f ) ) ) );
	}
}

static scene* make_scene( fixture* f, int round, uint32_t count )
{
	scene* s = bvb_arena_allocate( f->arena, 1, sizeof *s );
	s->count = count;
	for ( int i = 0; i < 4; ++i )
	{
		bvb_mesh ball = bumpy_ball( f, 6 + 4 * (uint32_t)i );
		bvb_asset_options options = plain_options();
		options.errors.relative = 0.2;
		options.hierarchy.collapse = 8;
		options.hierarchy.leaf_triangles = 1 + 3 * (uint32_t)i;
		s->file[i] = build_file( f, &ball, &options );
	}
	place_all( f, round, s );
	return s;
}

static const bv_file* file_of( const scene* s, uint32_t i )
{
	return s->file[i % 4];
}

static void begin_search( scene* s, uint32_t i )
{
	s->item[i] = ( bvw_pool_item ){ .width = -1 };
	assert_int_equal( bv_search_begin( file_of( s, i ), file_of( s, i / 4 ), s->placed + i, NULL,
	                                   s->memory[i], sizeof s->memory[i], &s->item[i].search ),
	                  bv_ok );
}

static void begin_sweep( scene* s, uint32_t i )
{
	bv_transform home = bv_transform_identity();
	s->item[i] = ( bvw_pool_item ){ .width = -1 };
	assert_int_equal( bv_motion_still( &home, s->motion[i] ), bv_ok );
	assert_int_equal( bv_motion_slerp( s->placed + i, &home, bv_vec3_make( 0, 0, 0 ), s->motion[i] + 1 ),
	                  bv_ok );
	assert_int_equal( bv_sweep_begin( file_of( s, i ), s->motion[i], file_of( s, i / 4 ), s->motion[i] + 1,
	                                  NULL, s->memory[i], sizeof s->memory[i], &s->item[i].sweep ),
	                  bv_ok );
}

static void begin_all( scene* s )
{
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		begin_search( s, i );
	}
}

static bvw_pool_report run( scene* s, const bvw_pool_options* options, const bv_budget* budget )
{
	bvw_pool_report report;
	assert_int_equal(
		bvw_pool_run( s->item, s->count, options, budget, s->scratch, bvw_pool_bytes( s->count ), &report ),
		bv_ok );
	double widest = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		widest = fmax( widest, s->item[i].width );
	}
	assert_true( report.widest == widest && ( widest == 0 || s->item[report.index].width == widest ) );
	return report;
}

// The width of each search after each number of slices, alone.
static void measure_alone( scene* s, double width[few][few_slices + 1] )
{
	const bv_budget one = { .tests = slice };
	for ( uint32_t i = 0; i < few; ++i )
	{
		bv_search_answer a;
		begin_search( s, i );
		assert_int_equal( bv_search_look( s->item[i].search, &a ), bv_ok );
		for ( int k = 0; k <= few_slices; ++k )
		{
			width[i][k] = a.done ? 0 : a.upper - a.lower;
			assert_int_equal( bv_search_run( s->item[i].search, &one, &a ), bv_ok );
		}
	}
}

static double best_allocation( double width[few][few_slices + 1] )
{
	double best = INFINITY;
	for ( int i = 0; i <= few_slices; ++i )
	{
		for ( int k = 0; i + k <= few_slices; ++k )
		{
			double widest = fmax( fmax( width[0][i], width[1][k] ), width[2][few_slices - i - k] );
			best = fmin( best, widest );
		}
	}
	return best;
}

static void the_widest_answer_is_as_narrow_as_any_allocation_makes_it( void** state )
{
	fixture* f = *state;
	int narrowed = 0;
	scene* s = make_scene( f, 0, few );
	for ( int round = 0; round < 40; ++round )
	{
		double width[few][few_slices + 1];
		measure_alone( s, width );
		begin_all( s );
		bvw_pool_report report = { .widest = 0 };
		for ( int k = 0; k < few_slices; ++k )
		{
			const bv_budget one = { .tests = slice };
			report = run( s, &( bvw_pool_options ){ .slice = slice }, &one );
		}
		double best = best_allocation( width );
		assert_true( report.widest <= best );
		narrowed += best < 0.5 * fmax( fmax( width[0][0], width[1][0] ), width[2][0] );
		place_all( f, round + 1, s );
	}
	assert_true( narrowed > 10 );
}

// Weights of a viewer: the inverse of the distance from a point.
static void weigh( scene* s )
{
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 way = bv_sub( s->placed[i].pose.translation, bv_vec3_make( 3, 0, 0 ) );
		s->item[i].weight = 1 / ( 0.1 + bv_length( way ) );
	}
}

// A thousand pairs in the first round. With weights, both rules have them.
static void the_pool_is_better_than_even_and_weighted_shares( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 60 : 6;
	scene* s = make_scene( f, 0, most_items );
	double ratio = 0; // greatest of the widths
	for ( int round = 0; round < rounds; ++round )
	{
		for ( uint64_t each = 50; each <= 800; each *= 4 )
		{
			const bv_budget budget = { .tests = each * s->count };
			for ( int weighted = 0; weighted < 2; ++weighted )
			{
				bvw_pool_report by_rule[bvw_pool_rules];
				for ( int rule = 0; rule < bvw_pool_rules; ++rule )
				{
					const bvw_pool_options options = { .rule = (bvw_pool_rule)rule };
					begin_all( s );
					if ( weighted )
					{
						weigh( s );
					}
					by_rule[rule] = run( s, &options, &budget );
				}
				const bvw_pool_report* pool = by_rule + bvw_pool_widest;
				const bvw_pool_report* shares = by_rule + bvw_pool_shares;
				assert_true( pool->widest < shares->widest || pool->widest == 0 );
				assert_true( shares->tests <= budget.tests + s->count * (uint64_t)most_excess );
				assert_true( pool->open == 0 || pool->tests >= budget.tests );
				assert_true( pool->tests < budget.tests + most_excess );
				ratio = fmax( ratio, shares->widest > 0 ? pool->widest / shares->widest : 0 );
			}
		}
		s->count = round % 20 == 19 ? most_items : usual_items;
		place_all( f, round + 1, s );
	}
	print_message( "the pool's widest answer is at most %.2f of that of shares\n", ratio );
}

// Small budgets, sweeps among searches: in the end each answer is that of the search alone.
static void all_items_are_finished_as_if_alone( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f, 0, 12 );
	bv_search_answer answer[12];
	bv_sweep_result swept[12];
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( i % 3 == 2 )
		{
			begin_sweep( s, i );
			assert_int_equal( bv_sweep_run( s->item[i].sweep, NULL, NULL, swept + i ), bv_ok );
			begin_sweep( s, i );
			continue;
		}
		begin_search( s, i );
		assert_int_equal( bv_search_run( s->item[i].search, NULL, answer + i ), bv_ok );
		begin_search( s, i );
	}
	bvw_pool_report report = { .open = 1 };
	double before = INFINITY;
	int runs = 0;
	for ( ; report.open > 0; ++runs )
	{
		const bv_budget budget = { .tests = 500 };
		report = run( s, NULL, &budget );
		assert_true( report.widest <= before );
		before = report.widest;
	}
	assert_true( runs > 5 && report.widest == 0 );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		assert_true( s->item[i].is_done );
		if ( i % 3 == 2 )
		{
			bv_sweep_result r;
			bool done = false;
			assert_int_equal( bv_sweep_look( s->item[i].sweep, &done, &r ), bv_ok );
			assert_true( done && r.lower == swept[i].lower && r.upper == swept[i].upper &&
			             r.steps == swept[i].steps );
			assert_true( s->item[i].tests == r.volume_tests + r.triangle_tests + r.steps );
			continue;
		}
		bv_search_answer a;
		assert_int_equal( bv_search_look( s->item[i].search, &a ), bv_ok );
		assert_true( a.lower == answer[i].lower && a.upper == answer[i].upper );
		assert_true( s->item[i].tests == answer[i].volume_tests + answer[i].triangle_tests );
	}
	report = run( s, NULL, NULL );
	assert_true( report.tests == 0 );
}

static double look_at( void* context )
{
	double* time = context;
	return ( *time )++;
}

static void clocks_and_widths_end_a_run( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f, 1, 8 );
	begin_all( s );
	double clock = 0;
	bv_budget budget = { .now = look_at, .context = &clock, .until = 0 };
	bvw_pool_report report = run( s, NULL, &budget );
	assert_true( report.tests == 0 && report.open == 8 && clock == 1 );
	budget.until = 50;
	report = run( s, NULL, &budget );
	assert_true( report.tests > 0 && report.open > 0 && clock >= 51 && clock <= 53 );
	const bvw_pool_options options = { .enough = 0.4 };
	report = run( s, &options, NULL );
	assert_true( report.widest <= 0.4 && report.open == 0 );
	uint32_t undone = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		undone += !s->item[i].is_done;
	}
	assert_true( undone > 0 );
}

// With ten times the weight, a search is to become a tenth as wide.
static void weights_are_factors_of_widths( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f, 1, 20 );
	begin_all( s );
	s->item[7].weight = 10;
	const bv_budget budget = { .tests = 4000 };
	bvw_pool_report report = run( s, NULL, &budget );
	bv_search_answer a;
	assert_int_equal( bv_search_look( s->item[7].search, &a ), bv_ok );
	assert_true( a.done || s->item[7].width >= 9.9 * ( a.upper - a.lower ) );
	assert_true( 10 * ( a.upper - a.lower ) <= report.widest );

	// Of shares, it gets ten times as many tests, to a step.
	const bvw_pool_options shares = { .rule = bvw_pool_shares };
	begin_all( s );
	s->item[7].weight = 10;
	(void)run( s, &shares, &budget );
	uint64_t share = 4000 / 29;
	assert_true( s->item[7].is_done || s->item[7].tests >= 10 * share );
	assert_true( s->item[6].tests < share + most_excess );
}

// Meshes that meet: as soon as that is known, nothing is left to do.
static void pairs_that_meet_are_done( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f, 0, 60 );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		s->placed[i] = bv_transform_translation( 0, 0.02 * ( 1 + i ), 0 );
	}
	begin_all( s );
	bvw_pool_report report = run( s, NULL, NULL );
	assert_true( report.open == 0 );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_search_answer a;
		assert_int_equal( bv_search_look( s->item[i].search, &a ), bv_ok );
		assert_true( a.done && s->item[i].is_done );
	}
}

// Shares of time, of extreme budgets, and by extreme weights.
static void shares_are_kept_for_all_budgets_and_weights( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f, 1, 6 );
	const bvw_pool_options shares = { .rule = bvw_pool_shares };
	double clock = 0;
	const bv_budget budgets[] = {
		{ .now = look_at, .context = &clock, .until = 120 },
		{ .now = look_at, .context = &clock, .until = INFINITY },
		{ .tests = UINT64_MAX },
		{ .tests = 600 },
		{ .tests = 600, .now = look_at, .context = &clock, .until = 1e300 },
	};
	for ( size_t k = 0; k < 3 * sizeof budgets / sizeof *budgets; ++k )
	{
		begin_all( s );
		s->item[1].weight = k % 3 == 0 ? 0 : 0x1p100;
		s->item[2].weight = k % 3 == 2 ? 0x1p-100 : 0;
		clock = 0;
		const bv_budget* budget = budgets + k / 3;
		bvw_pool_report report = run( s, &shares, budget );
		uint64_t tests = 0;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			bv_search_answer a;
			assert_int_equal( bv_search_look( s->item[i].search, &a ), bv_ok );
			assert_true( a.done == s->item[i].is_done );
			tests += s->item[i].tests - 1; // that of the roots
		}
		assert_int_equal( report.tests, tests );
		assert_true( tests > 0 && report.open <= s->count );
		bool is_unlimited = k / 3 == 1 || k / 3 == 2;
		assert_true( !is_unlimited || k % 3 > 0 || report.open == 0 );
	}
}

static void invalid_arguments_change_nothing( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f, 1, 2 );
	begin_all( s );
	size_t bytes = bvw_pool_bytes( 2 );
	bvw_pool_report report = { .tests = 77 };
	const bvw_pool_options wrong[] = { { .rule = bvw_pool_rules }, { .enough = -1 }, { .enough = NAN } };
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal( bvw_pool_run( s->item, 2, wrong + i, NULL, s->scratch, bytes, &report ),
		                  bv_error_argument );
	}
	const bv_budget never = { .now = look_at, .until = NAN };
	assert_int_equal( bvw_pool_run( s->item, 2, NULL, &never, s->scratch, bytes, &report ),
	                  bv_error_argument );
	assert_int_equal( bvw_pool_run( NULL, 2, NULL, NULL, s->scratch, bytes, &report ), bv_error_argument );
	assert_int_equal( bvw_pool_run( s->item, 2, NULL, NULL, NULL, bytes, &report ), bv_error_argument );
	assert_int_equal( bvw_pool_run( s->item, 2, NULL, NULL, (char*)s->scratch + 1, bytes, &report ),
	                  bv_error_argument );
	assert_int_equal( bvw_pool_run( s->item, 2, NULL, NULL, s->scratch, bytes - 1, &report ),
	                  bv_error_memory );
	static const double weights[] = { -1, NAN, INFINITY, 1e-31, 1e31 };
	for ( int i = 0; i < 5; ++i )
	{
		s->item[1].weight = weights[i];
		assert_int_equal( bvw_pool_run( s->item, 2, NULL, NULL, s->scratch, bytes, &report ),
		                  bv_error_argument );
	}
	s->item[1] = ( bvw_pool_item ){ .weight = 1 };
	assert_int_equal( bvw_pool_run( s->item, 2, NULL, NULL, s->scratch, bytes, &report ), bv_error_argument );
	s->item[1].search = s->item[0].search;
	s->item[1].sweep = (bv_sweep*)s->memory[1];
	assert_int_equal( bvw_pool_run( s->item, 2, NULL, NULL, s->scratch, bytes, &report ), bv_error_argument );
	assert_true( report.tests == 77 && s->item[0].width == -1 && !s->item[0].is_known );
	assert_int_equal( bvw_pool_run( NULL, 0, NULL, NULL, NULL, 0, &report ), bv_ok );
	assert_true( report.tests == 0 && report.widest == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_widest_answer_is_as_narrow_as_any_allocation_makes_it ),
		fixture_test( the_pool_is_better_than_even_and_weighted_shares ),
		fixture_test( all_items_are_finished_as_if_alone ),
		fixture_test( clocks_and_widths_end_a_run ),
		fixture_test( weights_are_factors_of_widths ),
		fixture_test( pairs_that_meet_are_done ),
		fixture_test( shares_are_kept_for_all_budgets_and_weights ),
		fixture_test( invalid_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

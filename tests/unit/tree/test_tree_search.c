// Searches that are stopped at any moment: every answer holds, none is wider than the one before, and the last one is that of the
// whole query. The distance comes from all pairs of triangles in arithmetic of 113 bits (tests/reference/gaps.h).

#include "queries.h"

#include "bv/inspect.h"
#include "bv/search.h"

#include "runtime/tree/levels.h"
#include "tests/reference/gaps.h"

enum
{
	step_tests = 64, // the most tests that a search takes beyond its budget: pairs of a block of triangles
};

static double memory[2][BV_SEARCH_AMPLE / sizeof( double )];

// Two files, one placed, and how far they are apart.
typedef struct placed_pair
{
	const bv_file* a;
	const bv_file* b;
	bv_transform t;
	double distance;
	double rounding; // more than distances err by
} placed_pair;

static const bv_file* file_with_errors( fixture* f, const bvb_mesh* mesh, int round )
{
	bvb_asset_options options = plain_options();
	options.record.positions = round % 2 == 0 ? bvb_positions_float : bvb_positions_quantized;
	options.hierarchy.leaf_triangles = 1 + (uint32_t)round % 3;
	options.hierarchy.volume_types = 1u << round % bv_volume_types;
	options.hierarchy.collapse = round % 3 == 1 ? 8 : 0;
	options.errors.relative = round % 5 == 4 ? 0 : 0.2;
	return build_file( f, mesh, &options );
}

// The farthest corner of a triangle from its first one.
static double radius_of( const bv_vec3 corner[3] )
{
	return fmax( length( minus( corner[1], corner[0] ) ), length( minus( corner[2], corner[0] ) ) );
}

static double distance_of_all( const placed_pair* p )
{
	bv_transform none = bv_transform_identity();
	double least = INFINITY;
	for ( uint32_t k = 0; k < bv_file_get_mesh( p->b ).triangles; ++k )
	{
		bv_vec3 moved[3];
		get_placed( p->b, k, &p->t, moved );
		double radius = radius_of( moved );
		for ( uint32_t i = 0; i < bv_file_get_mesh( p->a ).triangles; ++i )
		{
			bv_vec3 corner[3];
			get_placed( p->a, i, &none, corner );
			double apart = length( minus( corner[0], moved[0] ) ) - ( radius + radius_of( corner ) );
			if ( apart * ( 1 - 1e-12 ) < least )
			{
				least = fmin( least, gap_of_triangles( corner, moved ) );
			}
		}
	}
	return least;
}

// Meshes that overlap, nearly touch, or are far apart.
static void place( fixture* f, int round, placed_pair* p )
{
	static const double ways[4] = { 0.15, 0.6, 1.2, 30 };
	double scale = round % 3 == 0 ? 1 : pow( 10, random_unit( f ) - 0.5 );
	double far = ways[round % 4] * ( 1 + scale );
	p->t = random_transform( f, scale, round % 2 == 1, ( bv_vec3 ){ 0, 0, 0 } );
	p->t.pose.translation = plus( ( bv_vec3 ){ 0, 0, 0 }, far, random_around( f ) );
	p->distance = distance_of_all( p );
	p->rounding = 1e-12 * ( 1 + scale + far );
}

static placed_pair random_pair( fixture* f, int round, uint32_t count )
{
	bvb_mesh soup_a = random_soup( f, count, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_mesh soup_b = random_soup( f, count, ( bv_vec3 ){ 0, 0, 0 } );
	placed_pair p = { .a = file_with_errors( f, &soup_a, round ),
		              .b = file_with_errors( f, &soup_b, round / 2 ) };
	place( f, round, &p );
	return p;
}

static bv_search* begin( const placed_pair* p, const bv_search_options* options, size_t bytes )
{
	bv_search* out = NULL;
	assert_int_equal( bv_search_begin( p->a, p->b, &p->t, options, memory[0], bytes, &out ), bv_ok );
	assert_ptr_equal( out, memory[0] );
	return out;
}

static uint64_t tests_of( const bv_search_answer* answer )
{
	return answer->volume_tests + answer->triangle_tests;
}

static void assert_holds( const placed_pair* p, bv_search_goal goal, const bv_search_answer* answer )
{
	bool is_apart = p->distance > p->rounding;
	if ( !( answer->lower <= p->distance + p->rounding && p->distance <= answer->upper + p->rounding ) )
	{
		fail_msg( "%.17g is not in %.17g ... %.17g", p->distance, answer->lower, answer->upper );
	}
	assert_true( answer->lower <= answer->upper );
	assert_true( answer->verdict != bv_search_meets || p->distance <= p->rounding );
	assert_true( answer->verdict != bv_search_apart || p->distance > 0 );
	assert_true( !answer->done || answer->verdict != bv_search_open );
	assert_true( !answer->done || !is_apart || answer->verdict == bv_search_apart );
	assert_true( goal == bv_search_distance || answer->lower == 0 );
	assert_true( answer->node[0] < bv_file_get_hierarchy( p->a ).nodes &&
	             answer->node[1] < bv_file_get_hierarchy( p->b ).nodes );
	if ( answer->found && goal == bv_search_distance )
	{
		bv_vec3 between = minus( answer->point[0], answer->point[1] );
		assert_true( length( between ) + p->rounding >= answer->upper );
	}
}

static void assert_no_wider( const bv_search_answer* answer, const bv_search_answer* before )
{
	assert_true( answer->lower >= before->lower && answer->upper <= before->upper );
	assert_true( before->verdict == bv_search_open || answer->verdict == before->verdict );
	assert_true( answer->found || !before->found );
	assert_true( answer->done || !before->done );
}

// What does not depend on where answers were asked for: all but upper bounds by errors.
static void assert_same( const bv_search_answer* x, const bv_search_answer* y )
{
	assert_true( x->verdict == y->verdict && x->done == y->done && x->found == y->found );
	assert_true( x->lower == y->lower && ( !x->done || !x->found || x->upper == y->upper ) );
	assert_memory_equal( x->triangle, y->triangle, sizeof x->triangle );
	assert_memory_equal( x->point, y->point, sizeof x->point );
	assert_true( x->volume_tests == y->volume_tests && x->triangle_tests == y->triangle_tests );
}

static bv_search_options options_of( int index )
{
	return ( bv_search_options ){ .goal = (bv_search_goal)( index % bv_search_goals ),
		                          .order = (bv_search_order)( index / bv_search_goals % bv_search_orders ) };
}

enum
{
	kinds_of_search = bv_search_goals * bv_search_orders,
};

// Runs a search to its end with budgets of `tests`, or of random numbers of tests if that is 0.
static bv_search_answer run_in_parts( fixture* f, const placed_pair* p, const bv_search_options* options,
                                      size_t bytes, uint64_t tests, uint64_t* answers )
{
	bv_search_answer before;
	bv_search_answer answer;
	bv_search* search = begin( p, options, bytes );
	assert_int_equal( bv_search_look( search, &before ), bv_ok );
	assert_holds( p, options->goal, &before );
	while ( !before.done )
	{
		const bv_budget budget = { .tests = tests > 0 ? tests : 1 + random_bits( f ) % 200 };
		assert_int_equal( bv_search_run( search, &budget, &answer ), bv_ok );
		assert_holds( p, options->goal, &answer );
		assert_no_wider( &answer, &before );
		assert_true( tests_of( &answer ) < tests_of( &before ) + budget.tests + step_tests );
		before = answer;
		*answers += 1;
	}
	return before;
}

static void check_all_kinds( fixture* f, const placed_pair* p, int round, uint64_t* answers )
{
	for ( int i = 0; i < kinds_of_search; ++i )
	{
		bv_search_options options = options_of( i );
		size_t bytes = ( round + i ) % 3 == 0 ? BV_SEARCH_LEAST : BV_SEARCH_AMPLE;
		bv_search_answer last = run_in_parts( f, p, &options, bytes, 1, answers );
		bv_search_answer whole;
		assert_int_equal( bv_search_run( begin( p, &options, bytes ), NULL, &whole ), bv_ok );
		assert_same( &whole, &last );
		last = run_in_parts( f, p, &options, bytes, 0, answers );
		assert_same( &whole, &last );
	}
}

static void answers_hold_after_every_step( void** state )
{
	fixture* f = *state;
	uint64_t answers = 0;
	int rounds = is_thorough() ? 1200 : 12;
	int places = is_thorough() ? 8 : 2;
	for ( int round = 0; round < rounds; ++round )
	{
		placed_pair p = random_pair( f, round, is_thorough() ? 80 : 40 );
		for ( int i = 0; i < places; ++i )
		{
			check_all_kinds( f, &p, round + i, &answers );
			place( f, round + i + 1, &p );
		}
	}
	assert_true( answers > 10000 );
	if ( is_thorough() )
	{
		print_message( "%llu answers of %d searches\n", (unsigned long long)answers,
		               2 * rounds * places * kinds_of_search );
	}
}

static void final_answers_are_those_of_the_queries( void** state )
{
	fixture* f = *state;
	int meeting = 0;
	for ( int round = 0; round < 60; ++round )
	{
		placed_pair p = random_pair( f, round, 60 );
		bv_distance_result distance;
		bv_collide_result pair;
		const bv_collide_options first = { .first = true };
		assert_int_equal( bv_mesh_distance( p.a, p.b, &p.t, NULL, &distance ), bv_ok );
		assert_int_equal( bv_mesh_collide( p.a, p.b, &p.t, &first, &pair ), bv_ok );
		meeting += pair.pairs > 0;
		for ( int i = 0; i < kinds_of_search; ++i )
		{
			bv_search_options options = options_of( i );
			bv_search_answer answer;
			assert_int_equal( bv_search_run( begin( &p, &options, BV_SEARCH_AMPLE ), NULL, &answer ), bv_ok );
			assert_true( answer.done );
			if ( options.goal == bv_search_collision )
			{
				assert_true( ( answer.verdict == bv_search_meets ) == ( pair.pairs > 0 ) );
				assert_true( answer.verdict != bv_search_open );
				continue;
			}
			assert_true( answer.found && answer.lower == distance.distance &&
			             answer.upper == distance.distance );
		}
		const bv_search_options collision = { .goal = bv_search_collision };
		bv_search_answer answer;
		assert_int_equal( bv_search_run( begin( &p, &collision, BV_SEARCH_AMPLE ), NULL, &answer ), bv_ok );
		assert_true( answer.volume_tests == pair.volume_tests &&
		             answer.triangle_tests == pair.triangle_tests );
		assert_memory_equal( answer.triangle, pair.triangles, sizeof pair.triangles );
	}
	assert_true( meeting > 10 && meeting < 50 );
}

// Stops within a run are at steps of the run of single steps.
static void stops_are_at_the_same_steps( void** state )
{
	fixture* f = *state;
	static bv_search_answer at[20000];
	for ( int round = 0; round < 6; ++round )
	{
		placed_pair p = random_pair( f, round, 80 );
		for ( int i = 0; i < kinds_of_search; ++i )
		{
			bv_search_options options = options_of( i );
			const bv_budget one = { .tests = 1 };
			uint32_t count = 0;
			bv_search* search = begin( &p, &options, BV_SEARCH_AMPLE );
			assert_int_equal( bv_search_look( search, at ), bv_ok );
			while ( !at[count].done )
			{
				assert_true( ++count < sizeof at / sizeof *at );
				assert_int_equal( bv_search_run( search, &one, at + count ), bv_ok );
			}
			search = begin( &p, &options, BV_SEARCH_AMPLE );
			bv_search_answer answer = { .done = false };
			for ( uint32_t k = 0; !answer.done; )
			{
				const bv_budget budget = { .tests = 1 + random_bits( f ) % 90 };
				assert_int_equal( bv_search_run( search, &budget, &answer ), bv_ok );
				while ( k < count && tests_of( at + k ) < tests_of( &answer ) )
				{
					++k;
				}
				// The last step can take no tests.
				k += at[k].done != answer.done;
				assert_same( at + k, &answer );
			}
		}
	}
}

// If two roots have a point in common, the surfaces are no farther apart than the solid errors of both: Eckstein 1998, section 8.1.
static void roots_that_overlap_bound_the_distance_by_their_errors( void** state )
{
	fixture* f = *state;
	int bounded = 0;
	for ( int round = 0; round < 40; ++round )
	{
		bvb_mesh ball = bumpy_ball( f, 8 );
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << ( round % 2   ? bv_volume_obb
		                                         : round % 4 ? bv_volume_aabb
		                                                     : bv_volume_sphere );
		options.errors.relative = 0.05;
		const bv_file* file = build_file( f, &ball, &options );
		bv_file_errors errors;
		assert_true( bv_file_get_errors( file, &errors ) );
		placed_pair p = { .a = file,
			              .b = file,
			              .t = random_transform( f, 0.5 + random_unit( f ), round % 3 == 0,
			                                     random_around( f ) ) };
		bv_search_answer answer;
		assert_int_equal( bv_search_look( begin( &p, NULL, BV_SEARCH_AMPLE ), &answer ), bv_ok );
		double most = errors.solid.upper * ( 1 + p.t.scale );
		bool overlaps = length( p.t.pose.translation ) < 0.5 * ( 1 + p.t.scale );
		bounded += overlaps;
		// A byte of a code is 1/16 wide.
		assert_true( !overlaps || answer.upper <= 1.07 * most );
		assert_true( answer.volume_tests == 1 && answer.triangle_tests == 0 && !answer.found );
	}
	assert_true( bounded > 5 );
}

typedef struct fake_clock
{
	double time;
	uint32_t looks;
} fake_clock;

static double look_at( void* context )
{
	fake_clock* c = context;
	c->looks += 1;
	return c->time++;
}

static void the_clock_stops_a_search( void** state )
{
	fixture* f = *state;
	placed_pair p = random_pair( f, 0, 100 );
	for ( int i = 0; i < kinds_of_search; ++i )
	{
		bv_search_options options = options_of( i );
		bv_search* search = begin( &p, &options, BV_SEARCH_AMPLE );
		bv_search_answer before;
		bv_search_answer answer;
		assert_int_equal( bv_search_look( search, &before ), bv_ok );
		fake_clock clock = { .time = 0 };

		// Without time, the answer is that of the roots.
		bv_budget budget = { .now = look_at, .context = &clock, .until = 0 };
		assert_int_equal( bv_search_run( search, &budget, &answer ), bv_ok );
		assert_int_equal( tests_of( &answer ), tests_of( &before ) );
		assert_int_equal( clock.looks, 1 );

		// With it, there are few tests between two looks: eight, or those of triangles, each of which takes as long as some others.
		budget.until = 10;
		assert_int_equal( bv_search_run( search, &budget, &answer ), bv_ok );
		assert_true( answer.done || clock.time == 11 );
		assert_true( answer.done || tests_of( &answer ) >= tests_of( &before ) + 9 );
		assert_true( tests_of( &answer ) <= tests_of( &before ) + 9 * ( 8 + step_tests ) );

		// The number of tests ends it before the time does.
		before = answer;
		clock.time = 0;
		budget.until = 1e6;
		budget.tests = 5;
		assert_int_equal( bv_search_run( search, &budget, &answer ), bv_ok );
		assert_true( answer.done || tests_of( &answer ) >= tests_of( &before ) + 5 );
		assert_true( tests_of( &answer ) < tests_of( &before ) + 5 + step_tests );
	}
}

static void all_levels_give_the_same_answers( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 8; ++round )
	{
		placed_pair p = random_pair( f, round, 60 );
		for ( int i = 0; i < kinds_of_search; ++i )
		{
			bv_search_options options = options_of( i );
			for ( uint32_t level = 1; bvtree_lanes_level( level ); ++level )
			{
				bv_search* search[2];
				bv_search_answer answer[2] = { { .done = false } };
				for ( int k = 0; k < 2; ++k )
				{
					const bvtree_lanes* lanes = bvtree_lanes_level( k == 0 ? 0 : level );
					assert_int_equal( bvtree_search_begin_in( lanes, p.a, p.b, &p.t, &options, memory[k],
					                                          BV_SEARCH_AMPLE, search + k ),
					                  bv_ok );
				}
				while ( !answer[0].done )
				{
					const bv_budget budget = { .tests = 20 };
					assert_int_equal( bv_search_run( search[0], &budget, answer ), bv_ok );
					assert_int_equal( bv_search_run( search[1], &budget, answer + 1 ), bv_ok );
					assert_same( answer, answer + 1 );
					assert_true( answer[0].upper == answer[1].upper );
				}
			}
		}
	}
}

static void limits_and_tolerances_are_those_of_distances( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		placed_pair p = random_pair( f, 4 * round + 3, 40 );
		bv_search_answer answer;
		bv_search_options options = { .limit = p.distance * ( 1 + 1e-9 ) };
		assert_int_equal( bv_search_run( begin( &p, &options, BV_SEARCH_LEAST ), NULL, &answer ), bv_ok );
		assert_true( answer.found && answer.done );
		options.limit = p.distance * ( 1 - 1e-9 );
		assert_int_equal( bv_search_run( begin( &p, &options, BV_SEARCH_LEAST ), NULL, &answer ), bv_ok );
		assert_true( !answer.found && answer.done && answer.verdict == bv_search_apart );
		assert_true( answer.lower == options.limit && answer.upper >= p.distance );
		options = ( bv_search_options ){ .relative = 0.2, .absolute = 0.1 };
		assert_int_equal( bv_search_run( begin( &p, &options, BV_SEARCH_LEAST ), NULL, &answer ), bv_ok );
		assert_holds( &p, bv_search_distance, &answer );
		assert_true( answer.upper <= 1.2 * answer.lower + 0.1 + p.rounding );
	}
}

static void answers_with_limits_and_tolerances_hold_when_stopped( void** state )
{
	fixture* f = *state;
	uint64_t answers = 0;
	for ( int round = 0; round < 60; ++round )
	{
		placed_pair p = random_pair( f, round, 40 );
		for ( int i = 0; i < 3 * bv_search_orders; ++i )
		{
			bv_search_options options = { .order = (bv_search_order)( i % bv_search_orders ) };
			bv_search_answer before;
			bv_search_answer answer;
			options.limit = i / bv_search_orders == 0 ? p.distance * ( 0.5 + random_unit( f ) ) : 0;
			options.relative = i / bv_search_orders == 1 ? 2 * random_unit( f ) : 0;
			options.absolute = i / bv_search_orders == 2 ? p.distance * random_unit( f ) : 0;
			bv_search* search = begin( &p, &options, i % 2 ? BV_SEARCH_LEAST : BV_SEARCH_AMPLE );
			assert_int_equal( bv_search_look( search, &before ), bv_ok );
			for ( ; !before.done; before = answer )
			{
				const bv_budget budget = { .tests = 1 + random_bits( f ) % 40 };
				assert_int_equal( bv_search_run( search, &budget, &answer ), bv_ok );
				assert_no_wider( &answer, &before );
				assert_true( answer.lower <= p.distance + p.rounding &&
				             p.distance <= answer.upper + p.rounding );
				++answers;
			}
			assert_true( before.verdict != bv_search_open || before.lower == 0 );
		}
	}
	assert_true( answers > 5000 );
}

// Scales whose cubes are out of the range of float: a far larger or smaller mesh whose surface passes through the other one.
static void bounds_by_errors_do_not_depend_on_the_scale( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.1;
	const bv_file* file = build_file( f, &ball, &options );
	static const int exponents[3] = { 0, 60, -60 };
	for ( int i = 0; i < 3; ++i )
	{
		const bv_search_options collision = { .goal = bv_search_collision };
		bv_transform t = bv_transform_identity();
		bv_vec3 vertex = bv_file_get_vertex( file, 0 );
		t.scale = ldexp( 1, exponents[i] );
		t.pose.translation = exponents[i] > 0 ? bv_scale( -t.scale, vertex ) : vertex;
		const placed_pair p = { .a = file, .b = file, .t = t };
		bv_search_answer a;
		bv_search* search = begin( &p, &collision, BV_SEARCH_AMPLE );
		assert_int_equal( bv_search_look( search, &a ), bv_ok );
		double before = a.upper;
		assert_int_equal( bv_search_run( search, &( bv_budget ){ .tests = 24 }, &a ), bv_ok );
		assert_true( !a.done && a.upper < 0.9 * before );
	}
}

static void the_triangles_of_a_previous_answer_come_first( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		placed_pair p = random_pair( f, round, 60 );
		for ( int i = 0; i < kinds_of_search; ++i )
		{
			bv_search_options options = options_of( i );
			bv_search_answer whole;
			bv_search_answer again;
			assert_int_equal( bv_search_run( begin( &p, &options, BV_SEARCH_AMPLE ), NULL, &whole ), bv_ok );
			if ( !whole.found )
			{
				continue;
			}
			options.last = whole.triangle;
			bv_search* search = begin( &p, &options, BV_SEARCH_AMPLE );
			assert_int_equal( bv_search_look( search, &again ), bv_ok );
			assert_true( again.found && again.upper == whole.upper );
			assert_int_equal( bv_search_run( search, NULL, &again ), bv_ok );
			assert_true( again.done && again.lower == whole.lower && again.upper == whole.upper );
			assert_true( tests_of( &again ) <= tests_of( &whole ) + 1 );
		}
	}
}

static const bv_file* file_with_faces( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset_options options = plain_options();
	options.sections |= 1u << bvb_section_node_faces;
	return build_file( f, mesh, &options );
}

static void assert_near( bv_vec3 x, bv_vec3 y )
{
	assert_true( length( minus( x, y ) ) < 1e-5 );
}

// Faces of the roots: of a closed box the box, of a thin one without sides two rectangles. Before any step.
static void faces_of_nodes_stand_for_triangles( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bvb_mesh sheet = box_mesh( f, 8, 8, 0.25 );
	for ( uint32_t i = 0; i < sheet.triangle_count; ++i )
	{
		// Only the upper side.
		const bv_vec3* p = sheet.positions;
		const uint32_t* c = sheet.triangles[i].corner;
		bool is_up = p[c[0]].z > 0 && p[c[1]].z > 0 && p[c[2]].z > 0;
		if ( !is_up )
		{
			sheet.triangles[i--] = sheet.triangles[--sheet.triangle_count];
		}
	}
	assert_int_equal( sheet.triangle_count, 2 );
	const bv_file* files[2] = { file_with_faces( f, &cube ), file_with_errors( f, &cube, 0 ) };
	const bv_file* plate = file_with_faces( f, &sheet );
	static double room[BV_SEARCH_LEAST / sizeof( double )];
	for ( int i = 0; i < 2; ++i )
	{
		bv_search* search;
		bv_search_indication r;
		bv_transform t = bv_transform_translation( 3, 0.25, 0 );
		assert_int_equal( bv_search_begin( files[i], files[i], &t, NULL, room, sizeof room, &search ),
		                  bv_ok );
		assert_int_equal( bv_search_indicate( search, &r ), bv_ok );
		assert_false( r.is_exact );
		assert_near( r.normal, ( bv_vec3 ){ 1, 0, 0 } );
		assert_true( fabs( r.point[0].x - 1 ) < 1e-6 && fabs( r.point[1].x - 3 ) < 1e-6 );
	}
	// The sheet, whose front is up, and a cube that it cuts.
	for ( int goal = 0; goal < bv_search_goals; ++goal )
	{
		bv_search* search;
		bv_search_indication r;
		bv_transform t = bv_transform_translation( 3.5, 4, -0.4 );
		const bv_search_options options = { .goal = (bv_search_goal)goal };
		assert_int_equal( bv_search_begin( plate, files[0], &t, &options, room, sizeof room, &search ),
		                  bv_ok );
		assert_int_equal( bv_search_indicate( search, &r ), bv_ok );
		assert_false( r.is_exact );
		assert_near( r.normal, ( bv_vec3 ){ 0, 0, 1 } );
		assert_near( r.point[0], r.point[1] );
		assert_true( fabs( r.point[0].z - 0.25 ) < 1e-6 );
	}
}

static void indications_of_known_triangles_are_exact( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 40; ++round )
	{
		placed_pair p = random_pair( f, round, 40 );
		for ( int i = 0; i < kinds_of_search; ++i )
		{
			bv_search_options options = options_of( i );
			bv_search* search = begin( &p, &options, BV_SEARCH_AMPLE );
			bv_search_answer answer;
			bv_search_indication r;
			assert_int_equal( bv_search_run( search, NULL, &answer ), bv_ok );
			assert_int_equal( bv_search_indicate( search, &r ), bv_ok );
			assert_true( r.is_exact == answer.found );
			if ( !answer.found )
			{
				continue;
			}
			bv_vec3 between = minus( r.point[1], r.point[0] );
			double apart = length( between );
			assert_true( fabs( apart - answer.upper ) <= p.rounding );
			assert_true( apart == 0 ||
			             length( minus( between, bv_scale( apart, r.normal ) ) ) < 1e-9 * apart );
			assert_true( options.goal == bv_search_collision ||
			             length( minus( r.point[0], answer.point[0] ) ) <= p.rounding );
		}
	}
}

static void invalid_arguments_change_nothing( void** state )
{
	fixture* f = *state;
	placed_pair p = random_pair( f, 0, 20 );
	bv_search* search = NULL;
	bv_search_options options;
	bv_search_answer answer = { .lower = -1 };
	const uint32_t far[2] = { 0, 1000 };
	const bv_search_options wrong[] = {
		{ .goal = bv_search_goals },
		{ .order = bv_search_orders },
		{ .limit = -1 },
		{ .limit = NAN },
		{ .relative = NAN },
		{ .absolute = -1 },
		{ .last = far },
		{ .goal = bv_search_collision, .limit = 1 },
		{ .goal = bv_search_collision, .relative = 1 },
		{ .goal = bv_search_collision, .absolute = 1 },
		{ .goal = bv_search_collision, .last = far },
	};
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal( bv_search_begin( p.a, p.b, &p.t, wrong + i, memory[0], BV_SEARCH_AMPLE, &search ),
		                  bv_error_argument );
	}
	options = bv_search_options_default();
	bv_transform t = p.t;
	t.scale = -1;
	assert_int_equal( bv_search_begin( p.a, p.b, &t, NULL, memory[0], BV_SEARCH_AMPLE, &search ),
	                  bv_error_argument );
	assert_int_equal( bv_search_begin( NULL, p.b, &p.t, &options, memory[0], BV_SEARCH_AMPLE, &search ),
	                  bv_error_argument );
	assert_int_equal( bv_search_begin( p.a, NULL, &p.t, &options, memory[0], BV_SEARCH_AMPLE, &search ),
	                  bv_error_argument );
	assert_int_equal( bv_search_begin( p.a, p.b, &p.t, &options, NULL, BV_SEARCH_AMPLE, &search ),
	                  bv_error_argument );
	assert_int_equal(
		bv_search_begin( p.a, p.b, &p.t, &options, (char*)memory[0] + 4, BV_SEARCH_LEAST, &search ),
		bv_error_argument );
	assert_int_equal( bv_search_begin( p.a, p.b, &p.t, &options, memory[0], BV_SEARCH_AMPLE, NULL ),
	                  bv_error_argument );
	assert_int_equal( bv_search_begin( p.a, p.b, &p.t, &options, memory[0], BV_SEARCH_LEAST - 1, &search ),
	                  bv_error_memory );
	assert_null( search );
	assert_int_equal( bv_search_run( NULL, NULL, &answer ), bv_error_argument );
	assert_int_equal( bv_search_look( NULL, &answer ), bv_error_argument );
	search = begin( &p, NULL, BV_SEARCH_LEAST );
	assert_int_equal( bv_search_look( search, NULL ), bv_error_argument );
	bv_search_indication indication;
	assert_int_equal( bv_search_indicate( NULL, &indication ), bv_error_argument );
	assert_int_equal( bv_search_indicate( search, NULL ), bv_error_argument );
	fake_clock clock = { 0 };
	const bv_budget never = { .now = look_at, .context = &clock, .until = NAN };
	assert_int_equal( bv_search_run( search, &never, &answer ), bv_error_argument );
	assert_true( answer.lower == -1 && clock.looks == 0 );
	assert_int_equal( bv_search_run( search, NULL, NULL ), bv_ok );
	assert_int_equal( bv_search_look( search, &answer ), bv_ok );
	assert_true( answer.done );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( answers_hold_after_every_step ),
		fixture_test( final_answers_are_those_of_the_queries ),
		fixture_test( stops_are_at_the_same_steps ),
		fixture_test( roots_that_overlap_bound_the_distance_by_their_errors ),
		fixture_test( the_clock_stops_a_search ),
		fixture_test( all_levels_give_the_same_answers ),
		fixture_test( limits_and_tolerances_are_those_of_distances ),
		fixture_test( answers_with_limits_and_tolerances_hold_when_stopped ),
		fixture_test( bounds_by_errors_do_not_depend_on_the_scale ),
		fixture_test( the_triangles_of_a_previous_answer_come_first ),
		fixture_test( faces_of_nodes_stand_for_triangles ),
		fixture_test( indications_of_known_triangles_are_exact ),
		fixture_test( invalid_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

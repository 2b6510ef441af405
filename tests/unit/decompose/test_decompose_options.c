// What options do: each changes something, none that is out of range is accepted, threads change nothing, and whatever ends the
// work early leaves a result that is whole.

#include "decomposed.h"

#include "offline/base/clock.h"
#include "offline/decompose/schedule.h"

static bvb_decompose_options some_parts( uint32_t max_parts )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.max_parts = max_parts;
	options.effort = 0;
	options.max_vertices = 32;
	return options;
}

// The solid with an effort, the soup without; each also the other way in `make thorough`.
static void results_are_the_same_with_any_number_of_threads( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { torus( f, 0.3, is_thorough() ? 10 : 8, 4 ), crossing_sheets( f ) };
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t effort = 0; effort <= 1; ++effort )
		{
			if ( effort == (uint32_t)i && !is_thorough() )
			{
				continue;
			}
			bvb_decompose_options options = some_parts( 3 );
			options.effort = effort;
			options.threads = 1;
			bvb_decomposition one = decompose( f, &meshes[i], &options );
			static const uint32_t threads[] = { 1, 3 };
			for ( int k = 0; k < 2; ++k )
			{
				options.threads = threads[k];
				bvb_decomposition other = decompose( f, &meshes[i], &options );
				check_same( &one, &other );
			}
		}
	}
}

// Also by every method, and with a tolerance.
static void results_of_every_method_are_the_same_with_any_number_of_threads( void** state )
{
	fixture* f = *state;
	bool all = is_thorough();
	bvb_mesh meshes[] = { all ? torus( f, 0.3, 16, 6 ) : torus( f, 0.3, 8, 4 ), bumpy_ball( f, all ? 6 : 4 ),
		                  jack( f ) };
	const char* method;
	for ( uint32_t m = 0; ( method = bvb_decomposer_name( m, NULL ) ) != NULL; ++m )
	{
		for ( int i = 0; i < 3; ++i )
		{
			bvb_mesh mesh = record_of( f, &meshes[i] );
			bvb_decompose_options options = some_parts( all ? 9 : 5 );
			options.method = method;
			options.tolerance = 0.1;
			options.threads = 1;
			bvb_decomposition one = decompose( f, &mesh, &options );
			options.threads = 3;
			bvb_decomposition other = decompose( f, &mesh, &options );
			check_same( &one, &other );
		}
	}
}

// Too little memory is an error like any other, wherever it runs out, and enough gives what plenty gives.
static void little_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { letter_u( f ), crossing_sheets( f ), single_triangle( f ) };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_decompose_options options = some_parts( 6 );
		options.threads = 1 + (uint32_t)i % 2;
		bvb_decomposition plenty = decompose( f, &meshes[i], &options );
		bv_status status = bv_error_memory;
		uint32_t failed = 0;
		for ( size_t bytes = 512; status != bv_ok && bytes < (size_t)1 << 32; bytes += bytes / 16 )
		{
			bvb_arena* arena = bvb_arena_create_limited( bytes );
			bvb_decomposition d;
			bvb_error error = { "" };
			assert_non_null( arena );
			status = bvb_decompose( &meshes[i], &options, arena, &d, &error );
			assert_true( status == bv_ok || status == bv_error_memory );
			if ( status == bv_ok )
			{
				assert_true( bvb_arena_bytes( arena ) <= bytes );
				check_same( &plenty, &d );
			}
			failed += status != bv_ok;
			bvb_arena_destroy( arena );
		}
		assert_int_equal( status, bv_ok );
		assert_true( failed > 0 );
	}
}

static void check_refused( fixture* f, const bvb_decompose_options* options )
{
	bvb_mesh mesh = letter_l( f );
	bvb_decomposition d;
	bvb_error error = { "" };
	assert_int_equal( bvb_decompose( &mesh, options, f->arena, &d, &error ), bv_error_argument );
	assert_true( strlen( error.message ) > 0 );
	assert_null( strchr( error.message, '\n' ) );
	assert_int_equal( bvb_decompose( &mesh, options, f->arena, &d, NULL ), bv_error_argument );
}

static void options_out_of_range_are_refused( void** state )
{
	fixture* f = *state;
	bvb_decompose_options options = some_parts( 4 );
	options.method = "plane";
	check_refused( f, &options );
	options.method = "";
	check_refused( f, &options );

	options = some_parts( 4 );
	options.mode = (bvb_decompose_mode)( bvb_decompose_surface + 1 );
	check_refused( f, &options );

	const uint32_t parts[] = { 0, BVB_MAX_PARTS + 1, UINT32_MAX };
	const uint32_t vertices[] = { 0, 3, BVB_MAX_PART_VERTICES + 1, UINT32_MAX };
	const uint32_t efforts[] = { BVB_MAX_DECOMPOSE_EFFORT + 1, UINT32_MAX };
	for ( int i = 0; i < 3; ++i )
	{
		options = some_parts( parts[i] );
		check_refused( f, &options );
	}
	for ( int i = 0; i < 4; ++i )
	{
		options = some_parts( 4 );
		options.max_vertices = vertices[i];
		check_refused( f, &options );
	}
	for ( int i = 0; i < 2; ++i )
	{
		options = some_parts( 4 );
		options.effort = efforts[i];
		check_refused( f, &options );
	}

	const double lengths[] = { -1, -1e-300, NAN, -INFINITY };
	for ( int i = 0; i < 4; ++i )
	{
		double* const of[] = { &options.tolerance, &options.min_thickness, &options.probe_radius,
			                   &options.time_budget };
		for ( int k = 0; k < 4; ++k )
		{
			options = some_parts( 4 );
			*of[k] = lengths[i];
			check_refused( f, &options );
		}
	}
}

// The ends of all ranges are in them.
static void options_at_the_ends_of_their_ranges_are_accepted( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = letter_l( f );
	const uint32_t ends[][3] = { { 1, 4, 0 },
		                         { 2, BVB_MAX_PART_VERTICES, BVB_MAX_DECOMPOSE_EFFORT },
		                         { BVB_MAX_PARTS, 4, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.max_parts = ends[i][0];
		options.max_vertices = ends[i][1];
		options.effort = ends[i][2];
		options.tolerance = i == 2 ? 10 : 0;
		bvb_decomposition d = decompose( f, &mesh, &options );
		check_parts( f, &mesh, &options, &d );
		check_cover( f, &mesh, &d, 200 );
	}
}

static void check_early( fixture* f, const bvb_mesh* mesh, const bvb_decompose_options* options )
{
	bvb_decomposition d = decompose( f, mesh, options );
	assert_true( d.out_of_time );
	check_parts( f, mesh, options, &d );
	check_cover( f, mesh, &d, 500 );
	check_concavity( mesh, &d, 500 );
}

// Whatever there is when time is up is finished.
static void a_time_budget_ends_with_a_valid_result( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 8 );
	bvb_mesh meshes[] = { record_of( f, &ball ), torus( f, 0.3, 24, 8 ), crossing_sheets( f ) };
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t fewest = is_thorough() ? 1 : 1 + (uint32_t)i % 2;
		for ( uint32_t threads = fewest; threads <= ( is_thorough() ? 2 : fewest ); ++threads )
		{
			bvb_decompose_options options = some_parts( 64 );
			options.effort = 2;
			options.threads = threads;
			options.time_budget = 1e-9;
			check_early( f, &meshes[i], &options );
		}
	}
}

// Of one part there is nothing to search for.
static void certificates_that_are_late_are_rough( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 8 );
	bvb_mesh mesh = record_of( f, &ball );
	bvb_decompose_options options = some_parts( 1 );
	bvb_decomposition without = decompose( f, &mesh, &options );
	options.time_budget = 1e-9;
	bvb_decomposition with = decompose( f, &mesh, &options );
	assert_true( without.concavity.upper <= 1.1 * without.concavity.lower );
	assert_true( with.concavity.upper > 1.1 * with.concavity.lower );
	assert_true( with.concavity.upper >= without.concavity.lower && with.concavity.upper < INFINITY );
	check_concavity( &mesh, &with, 500 );
}

static void a_large_time_budget_changes_nothing( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = is_thorough() ? torus( f, 0.3, 24, 8 ) : torus( f, 0.3, 12, 4 );
	bvb_decompose_options options = some_parts( 12 );
	bvb_decomposition without = decompose( f, &mesh, &options );
	options.time_budget = 1e6;
	bvb_decomposition with = decompose( f, &mesh, &options );
	assert_false( with.out_of_time );
	check_same( &without, &with );
}

// What a callback was told.
typedef struct told
{
	uint32_t calls;
	uint32_t most; // after so many it says no
	double last;
} told;

static bool tell( void* context, double done )
{
	told* t = context;
	assert_true( done >= t->last && done <= 1 );
	t->last = done;
	t->calls += 1;
	return t->calls <= t->most;
}

static void progress_grows_and_may_be_ended( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = is_thorough() ? torus( f, 0.3, 10, 4 ) : torus( f, 0.3, 6, 3 );
	bvb_decompose_options options = some_parts( 4 );
	options.effort = 1;
	bvb_decomposition without = decompose( f, &mesh, &options );
	for ( uint32_t threads = 1; threads <= 2; ++threads )
	{
		told all = { .most = UINT32_MAX };
		options.threads = threads;
		options.progress = tell;
		options.progress_context = &all;
		bvb_decomposition with = decompose( f, &mesh, &options );
		check_same( &without, &with );
		assert_true( all.calls >= 4 );
		assert_true( all.last == 1 );

		for ( uint32_t most = 0; most < all.calls - 2; most += 1 + all.calls / 4 )
		{
			told some = { .most = most };
			options.progress_context = &some;
			check_early( f, &mesh, &options );
		}
	}
}

// A convex shape is cut because its hull has too few corners. Parts that are then made in a hurry are boxes, which are
// farther off than that hull was.
static void what_ends_early_is_no_worse_than_one_part( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = icosphere( f, 2 );
	bvb_mesh mesh = record_of( f, &ball );
	bvb_decompose_options options = some_parts( 1 );
	options.tolerance = 0.02;
	bvb_decomposition whole = decompose( f, &mesh, &options );
	options.max_parts = 64;
	bvb_decomposition full = decompose( f, &mesh, &options );
	assert_true( full.part_count > 1 && full.concavity.upper <= 0.02 && whole.concavity.lower > 0.02 );
	for ( uint32_t most = 0; most < 12; ++most )
	{
		told some = { .most = most };
		options.progress = tell;
		options.progress_context = &some;
		bvb_decomposition d = decompose( f, &mesh, &options );
		assert_true( d.out_of_time && d.concavity.upper <= whole.concavity.upper );
		check_parts( f, &mesh, &options, &d );
		check_concavity( &mesh, &d, 100 );
	}
}

// Certificates next to open edges take most of the time, and what they leave uncertain is a wide interval. Machines
// are busy: five times the budget is allowed. There are too many holes to close them first.
static void a_time_budget_includes_certificates_of_open_meshes( void** state )
{
	fixture* f = *state;
	static const double budget = 0.3;
	bvb_mesh ball = bumpy_ball( f, 20 );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < ball.triangle_count; ++i )
	{
		ball.triangles[kept] = ball.triangles[i];
		kept += i % 12 != 0;
	}
	ball.triangle_count = kept;
	bvb_mesh mesh = record_of( f, &ball );
	told all = { .most = UINT32_MAX };
	bvb_decompose_options options = some_parts( 64 );
	options.effort = 0;
	options.threads = 1;
	options.time_budget = budget;
	options.progress = tell;
	options.progress_context = &all;
	double begin = bvbase_clock();
	bvb_decomposition d = decompose( f, &mesh, &options );
	double seconds = bvbase_clock() - begin;
	assert_true( seconds < 5 * budget );
	assert_true( all.calls >= 2 && all.last >= 0.9 && ( all.last == 1 ) == !d.out_of_time );
	assert_true( d.out_of_time && d.concavity.upper > 1.1 * d.concavity.lower );
	check_parts( f, &mesh, &options, &d );
	check_cover( f, &mesh, &d, 100 );
	check_concavity( &mesh, &d, 100 );
}

// Certificates go on until 96% of a budget, as src/offline/decompose/README.md says, and what is made of them has the rest.
static void certificates_end_shortly_before_the_budget( void** state )
{
	(void)state;
	static const double budget = 1e6;
	static const struct
	{
		double elapsed; // of the budget
		bool goes_on;
	} cases[] = { { 0, true }, { 0.95, true }, { 0.97, false } };
	bvdecomp_shape shape = { .mesh.triangle_count = 1000 };
	bvb_decompose_options options = some_parts( 8 );
	options.time_budget = budget;
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvdecomp_schedule schedule;
		bvdecomp_schedule_begin( &options, &schedule );
		schedule.begin -= cases[i].elapsed * budget;
		bvdecomp_schedule_divide( &schedule, &shape );
		bvdecomp_schedule_begin_proof( &schedule, 1 );
		assert_true( bvdecomp_schedule_proof( &schedule, 0.5 ) == cases[i].goes_on );
	}
}

// The least width of a part across its faces.
static double width_of( fixture* f, const bvb_part* part )
{
	axes normals = normals_of( f, part );
	double least = INFINITY;
	for ( uint32_t i = 0; i < normals.count; ++i )
	{
		double lower = INFINITY;
		double upper = -INFINITY;
		for ( uint32_t k = 0; k < part->vertex_count; ++k )
		{
			double at = dot( normals.axis[i], plus( part->positions[k], -1, part->positions[0] ) );
			lower = fmin( lower, at );
			upper = fmax( upper, at );
		}
		least = fmin( least, ( upper - lower ) / length( normals.axis[i] ) );
	}
	return least;
}

// A part of what is exactly flat, in whatever direction, has a thickness, but not much of one.
static void flat_meshes_become_thin_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { flat_sheet( f ), single_triangle( f ), double_sided_sheet( f ) };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_decompose_options options = some_parts( 1 );
		bvb_decomposition d = decompose( f, &meshes[i], &options );
		check_parts( f, &meshes[i], &options, &d );
		check_cover( f, &meshes[i], &d, 500 );
		double thin = 0x1p-12 * diagonal_of( &meshes[i] );
		assert_true( width_of( f, &d.parts[0] ) >= 0.99 * thin );
		assert_true( d.concavity.upper <= 4 * thin );
	}
}

static void parts_are_as_thick_as_asked( void** state )
{
	fixture* f = *state;
	bvb_mesh plate = grid_box( f, 1, 0.7, 0.01, 2 );
	bvb_mesh meshes[] = { flat_sheet( f ), crossing_sheets( f ), record_of( f, &plate ), letter_l( f ) };
	for ( int i = 0; i < 4; ++i )
	{
		bvb_decompose_options options = some_parts( 6 );
		bvb_decomposition without = decompose( f, &meshes[i], &options );
		options.min_thickness = 0.125;
		bvb_decomposition d = decompose( f, &meshes[i], &options );
		check_parts( f, &meshes[i], &options, &d );
		check_cover( f, &meshes[i], &d, 500 );
		check_concavity( &meshes[i], &d, 500 );
		for ( uint32_t k = 0; k < d.part_count; ++k )
		{
			bv_vec3 extent = plus( d.parts[k].box.upper, -1, d.parts[k].box.lower );
			assert_true( fmin( extent.x, fmin( extent.y, extent.z ) ) >= 0.125 * ( 1 - 1e-6 ) );
		}

		// Of the L no part is that thin.
		if ( i == 3 )
		{
			check_same( &without, &d );
		}
		else
		{
			assert_true( without.concavity.upper < d.concavity.upper );
		}
	}
}

// Between two boxes a ball of radius 0.06 does not find room where the gap is 0.1 wide: it dips in by less than 0.04 at the
// rim, where the hull's side is bare.
static void gaps_that_no_probe_enters_are_filled( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = two_boxes( f, 0.1 );
	bvb_decompose_options options = some_parts( 16 );
	options.tolerance = 0.04;
	assert_true( decompose( f, &mesh, &options ).part_count >= 2 );
	options.probe_radius = 0.06;
	bvb_decomposition d = decompose( f, &mesh, &options );
	assert_int_equal( d.part_count, 1 );
	check_parts( f, &mesh, &options, &d );
	check_cover( f, &mesh, &d, 500 );

	// A wide gap is open to it all the same.
	mesh = letter_u( f );
	options.probe_radius = 0.3;
	assert_true( decompose( f, &mesh, &options ).part_count >= 3 );
}

// More is tried, and it is not in vain.
static void effort_is_worth_something( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { is_thorough() ? torus( f, 0.3, 10, 5 ) : torus( f, 0.3, 6, 3 ),
		                  is_thorough() ? plus_sign( f ) : letter_u( f ) };
	uint64_t steps[BVB_MAX_DECOMPOSE_EFFORT + 1] = { 0 };
	double upper[BVB_MAX_DECOMPOSE_EFFORT + 1] = { 0 };
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t effort = 0; effort <= BVB_MAX_DECOMPOSE_EFFORT; ++effort )
		{
			bvb_decompose_options options = some_parts( 4 );
			options.effort = effort;
			bvb_decomposition d = decompose( f, &meshes[i], &options );
			steps[effort] += d.steps;
			upper[effort] += d.concavity.upper / diagonal_of( &meshes[i] );
		}
	}
	print_message( "distances by effort: %g, %g, %g\n", upper[0], upper[1], upper[2] );
	assert_true( steps[0] < steps[1] && steps[1] < steps[2] );
	assert_true( upper[1] <= upper[0] && upper[2] <= upper[1] );
}

static bool differs( const bvb_decomposition* a, const bvb_decomposition* b )
{
	return a->part_count != b->part_count || a->vertices != b->vertices ||
	       !same_bytes( &a->concavity, &b->concavity, sizeof a->concavity );
}

static void every_option_that_shapes_parts_changes_some( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = torus( f, 0.3, 16, 6 );
	bvb_decompose_options plain = some_parts( 7 );
	bvb_decomposition reference = decompose( f, &mesh, &plain );
	enum
	{
		variants = 6,
	};
	bvb_decompose_options options[variants];
	for ( int i = 0; i < variants; ++i )
	{
		options[i] = plain;
	}
	options[0].mode = bvb_decompose_surface;
	options[1].tolerance = 0.3;
	options[2].max_parts = 5;
	options[3].max_vertices = 8;
	options[4].min_thickness = 1;
	options[5].probe_radius = 0.75;
	for ( int i = 0; i < variants; ++i )
	{
		bvb_decomposition d = decompose( f, &mesh, &options[i] );
		assert_true( differs( &reference, &d ) );
	}

	// No two methods do the same.
	bvb_decomposition made[16];
	const char* method;
	for ( uint32_t m = 0; ( method = bvb_decomposer_name( m, NULL ) ) != NULL; ++m )
	{
		bvb_decompose_options by = plain;
		by.method = method;
		made[m] = decompose( f, &mesh, &by );
		for ( uint32_t k = 0; k < m; ++k )
		{
			assert_true( differs( &made[k], &made[m] ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( results_are_the_same_with_any_number_of_threads ),
		fixture_test( results_of_every_method_are_the_same_with_any_number_of_threads ),
		fixture_test( little_memory_is_an_error ),
		fixture_test( options_out_of_range_are_refused ),
		fixture_test( options_at_the_ends_of_their_ranges_are_accepted ),
		fixture_test( a_time_budget_ends_with_a_valid_result ),
		fixture_test( certificates_that_are_late_are_rough ),
		fixture_test( a_large_time_budget_changes_nothing ),
		fixture_test( progress_grows_and_may_be_ended ),
		fixture_test( what_ends_early_is_no_worse_than_one_part ),
		fixture_test( a_time_budget_includes_certificates_of_open_meshes ),
		fixture_test( certificates_end_shortly_before_the_budget ),
		fixture_test( flat_meshes_become_thin_parts ),
		fixture_test( parts_are_as_thick_as_asked ),
		fixture_test( gaps_that_no_probe_enters_are_filled ),
		fixture_test( effort_is_worth_something ),
		fixture_test( every_option_that_shapes_parts_changes_some ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

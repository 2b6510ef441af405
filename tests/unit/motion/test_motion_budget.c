// Sweeps of meshes that are stopped at any moment: every result holds, none is wider than the one before, and the last one is that of
// bv_sweep_meshes. Meshes are free before `lower` by static queries at many times, and by the final interval.

#include "queries.h"
#include "turning.h"

#include "bv/motion.h"

enum
{
	header_bytes = BV_SWEEP_LEAST - 4096, // of the memory of a sweep; the rest is for pairs
	most_step = 63,                       // tests by which a step of a descent exceeds a budget
	most_proof = 3,                       // tests by which a step of a pair of triangles does
};

static double memory[BV_SWEEP_AMPLE / sizeof( double )];
static double scratch[BV_SWEEP_AMPLE / sizeof( double )];

typedef struct moving_pair
{
	const bv_file* file[2];
	bv_motion motion[2];
	bv_sweep_options options;
	size_t bytes;
	bv_sweep_result last; // of bv_sweep_meshes
} moving_pair;

// Sets what the query that is not stopped finds.
static void sweep_at_once( moving_pair* p )
{
	bv_sweep_options whole = p->options;
	whole.scratch = scratch;
	whole.scratch_bytes = p->bytes - header_bytes;
	assert_int_equal( bv_sweep_meshes( p->file[0], p->motion, p->file[1], p->motion + 1, &whole, &p->last ),
	                  bv_ok );
}

static void move( fixture* f, int round, moving_pair* p )
{
	double far = round % 3 == 0 ? 0.5 : 2.5;
	for ( int i = 0; i < 2; ++i )
	{
		bool differs = round % 4 == 3 && i == 1;
		p->motion[i] = round % 6 == 5 && i == 0
		                   ? stay( random_around( f ) )
		                   : turning( f, round / ( 1 + 3 * i ), far, differs ? 0.5 : 1, differs );
	}
	p->options =
		( bv_sweep_options ){ .separation = round % 5 == 4 ? 0.1 : 0, .limit = round % 7 == 6 ? 0.4 : 0 };
	p->bytes = round % 2 ? BV_SWEEP_LEAST : BV_SWEEP_AMPLE;
	sweep_at_once( p );
}

static moving_pair random_pair( fixture* f, int round, uint32_t count )
{
	moving_pair p = { .bytes = 0 };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh soup = random_soup( f, count, ( bv_vec3 ){ 0, 0, 0 } );
		p.file[i] = file_of_round( f, &soup, round / ( 1 + i ) );
	}
	move( f, round, &p );
	return p;
}

static bv_sweep* begin( const moving_pair* p )
{
	bv_sweep* out = NULL;
	assert_int_equal( bv_sweep_begin( p->file[0], p->motion, p->file[1], p->motion + 1, &p->options, memory,
	                                  p->bytes, &out ),
	                  bv_ok );
	assert_ptr_equal( out, memory );
	return out;
}

static uint64_t tests_of( const bv_sweep_result* r )
{
	return r->volume_tests + r->triangle_tests + r->steps;
}

static void assert_same( const bv_sweep_result* x, const bv_sweep_result* y )
{
	assert_true( x->found == y->found && x->certain == y->certain && x->complete == y->complete );
	assert_true( x->at_start == y->at_start && x->lower == y->lower && x->upper == y->upper );
	assert_memory_equal( x->triangle, y->triangle, sizeof x->triangle );
	assert_memory_equal( x->feature, y->feature, sizeof x->feature );
	assert_memory_equal( x->point, y->point, sizeof x->point );
	assert_memory_equal( &x->normal, &y->normal, sizeof x->normal );
	assert_true( x->volume_tests == y->volume_tests && x->triangle_tests == y->triangle_tests &&
	             x->steps == y->steps );
}

// The final interval is judged by test_motion_sweep.
static void assert_holds( const moving_pair* p, const bv_sweep_result* r, const bv_sweep_result* before )
{
	assert_true( r->lower >= before->lower && r->upper <= before->upper );
	assert_true( !p->last.found || r->lower <= p->last.upper );
	assert_true( r->lower <= p->last.lower && r->upper >= p->last.lower );
	assert_true( !isfinite( r->upper ) || ( r->found && r->certain && p->last.found ) );
}

// @param tests  of each budget; 0 for random numbers
static bv_sweep_result run_in_parts( fixture* f, const moving_pair* p, uint64_t tests, uint64_t* results,
                                     double* free_until )
{
	bv_sweep_result before = { .lower = 0, .upper = INFINITY };
	bv_sweep_result r = before;
	bv_sweep* sweep = begin( p );
	bool done = false;
	while ( !done )
	{
		const bv_budget budget = { .tests = tests > 0 ? tests : 1 + random_bits( f ) % 500 };
		assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_ok );
		if ( !done )
		{
			assert_false( r.complete );
			assert_holds( p, &r, &before );
			*free_until = fmax( *free_until, r.lower );
		}
		before = r;
		*results += 1;
	}
	return r;
}

static bv_transform place_at( const moving_pair* p, double time )
{
	bv_transform placed[2];
	assert_int_equal( bv_motion_at( p->motion, time, placed ), bv_ok );
	assert_int_equal( bv_motion_at( p->motion + 1, time, placed + 1 ), bv_ok );
	return bv_transform_between( placed, placed + 1 );
}

// By static queries, which share no code with windows of time.
static void assert_free_until( const moving_pair* p, double time )
{
	for ( int i = 0; i < 16 && time > 0; ++i )
	{
		bv_transform t = place_at( p, time * ( 1 - 1e-9 ) * i / 16 );
		bv_collide_result r;
		const bv_collide_options first = { .first = true };
		assert_int_equal( bv_mesh_collide( p->file[0], p->file[1], &t, &first, &r ), bv_ok );
		assert_int_equal( r.pairs, 0 );
	}
}

static void results_hold_whenever_a_sweep_is_stopped( void** state )
{
	fixture* f = *state;
	uint64_t results = 0;
	uint32_t found = 0;
	uint32_t narrowed = 0;
	int rounds = is_thorough() ? 400 : 24;
	int places = is_thorough() ? 40 : 6;
	for ( int round = 0; round < rounds; ++round )
	{
		moving_pair p = random_pair( f, round, 60 );
		for ( int i = 0; i < places; ++i )
		{
			double free_until = 0;
			bv_sweep_result r = run_in_parts( f, &p, 1, &results, &free_until );
			assert_same( &r, &p.last );
			r = run_in_parts( f, &p, 0, &results, &free_until );
			assert_same( &r, &p.last );
			assert_free_until( &p, free_until );
			found += r.found;
			narrowed += free_until > 0;
			move( f, round + i + 1, &p );
		}
	}
	assert_true( found > 20 && narrowed > 20 );
	if ( is_thorough() )
	{
		print_message( "%llu results of %d sweeps, %u found, %u narrowed before their end\n",
		               (unsigned long long)results, 2 * rounds * places, found, narrowed );
	}
}

static double look_at( void* context )
{
	double* time = context;
	return ( *time )++;
}

static void budgets_are_kept( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 12; ++round )
	{
		moving_pair p = random_pair( f, 2 * round + 1, 100 );
		bv_sweep* sweep = begin( &p );
		bv_sweep_result r;
		bool done = true;
		double clock = 0;

		// Without time nothing is known.
		bv_budget budget = { .now = look_at, .context = &clock, .until = 0 };
		assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_ok );
		assert_true( !done && !r.found && !r.complete && !r.certain && r.lower == 0 && isinf( r.upper ) );
		assert_true( tests_of( &r ) == 0 && clock == 1 );
		budget.until = 20;
		assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_ok );
		assert_true( done || clock == 21 );

		// Steps end soon after the budget.
		uint64_t before = tests_of( &r );
		const bv_budget few = { .tests = 10 };
		bv_sweep_result next;
		assert_int_equal( bv_sweep_run( sweep, &few, &done, &next ), bv_ok );
		assert_true( done || tests_of( &next ) >= before + 10 );
		assert_true( tests_of( &next ) <= before + 10 + 16 + most_step );
		assert_int_equal( bv_sweep_run( sweep, NULL, &done, NULL ), bv_ok );
		assert_true( done );
		assert_int_equal( bv_sweep_run( sweep, NULL, NULL, &r ), bv_ok );
		assert_same( &r, &p.last );
	}
}

// Triangles in two planes at a distance. One mesh spins about the normal of both: they never touch, and the shorter the distance,
// the more steps it takes to prove that.
static moving_pair grazing_pair( fixture* f, int round, uint32_t count, double gap )
{
	moving_pair p = { .bytes = round % 2 ? BV_SWEEP_LEAST : BV_SWEEP_AMPLE };
	const bv_vec3 normal = { 0, 0, 1 };
	bv_transform above = at( 0.2 * random_unit( f ), 0.2 * random_unit( f ), gap );
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = random_soup( f, count, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_vec3 first[3] = { { -0.5, -0.4, 0 }, { 0.6, -0.3, 0 }, { 0.1, 0.55, 0 } };
		for ( uint32_t k = 0; k < 3 * count; ++k )
		{
			mesh.positions[k] = k < 3 ? first[k] : mesh.positions[k];
			mesh.positions[k].z = 0;
		}
		p.file[i] = file_of_round( f, &mesh, round );
	}
	p.motion[0] = stay( ( bv_vec3 ){ 0, 0, 0 } );
	assert_int_equal(
		bv_motion_screw( &above, ( bv_vec3 ){ 0, 0, 0 }, normal, 2 + random_unit( f ), 0, p.motion + 1 ),
		bv_ok );
	sweep_at_once( &p );
	return p;
}

static void assert_still_open( const bv_sweep_result* r )
{
	assert_false( r->complete );
	assert_true( isinf( r->upper ) );
}

// @param most  tests by which a step may exceed the budget
// @return the number of calls that ended within the pursuit of a pair
static int run_grazing_pair( const moving_pair* p, uint64_t tests, uint64_t most )
{
	bv_sweep* sweep = begin( p );
	bv_sweep_result before = { .lower = 0, .upper = INFINITY };
	const bv_budget budget = { .tests = tests };
	bool done = false;
	int within = 0;
	while ( !done )
	{
		bv_sweep_result r;
		assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_ok );
		uint64_t taken = tests_of( &r ) - tests_of( &before );
		assert_true( taken <= tests + most && ( done || taken >= tests ) );
		if ( !done )
		{
			assert_still_open( &r );
			assert_holds( p, &r, &before );
			within += r.steps > before.steps;
		}
		before = r;
	}
	assert_same( &before, &p->last );
	return within;
}

static void sweeps_stop_within_a_pair_that_grazes( void** state )
{
	fixture* f = *state;
	uint64_t most = 0;
	int rounds = is_thorough() ? 60 : 6;
	for ( int round = 0; round < rounds; ++round )
	{
		moving_pair p = grazing_pair( f, round, 1, pow( 10, -4 - 2 * ( round % 6 ) ) );
		int within = run_grazing_pair( &p, 8, most_proof );
		assert_true( within >= (int)( p.last.steps / ( 8 + most_proof ) ) - 1 );
		most = p.last.steps > most ? p.last.steps : most;

		// No contact is proven, because there is none.
		assert_true( isinf( p.last.upper ) && ( p.last.found || p.last.lower == 1 ) );
	}
	assert_true( most > 60000 );
}

static void sweeps_stop_within_each_of_many_pairs( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 40 : 4;
	for ( int round = 0; round < rounds; ++round )
	{
		moving_pair p = grazing_pair( f, round, 6, pow( 10, -3 - round % 4 ) );
		assert_true( run_grazing_pair( &p, 1 + (uint64_t)( 7 * round ) % 40, 15 + most_step ) > 10 );
	}
}

// Each look at the clock takes one unit of time, and the next one comes at the latest after a step of the pair.
static void clocks_are_looked_at_within_a_pair( void** state )
{
	fixture* f = *state;
	moving_pair p = grazing_pair( f, 0, 1, 1e-7 );
	bv_sweep* sweep = begin( &p );
	bv_sweep_result before = { .lower = 0 };
	bool done = false;
	double clock = 0;
	for ( int calls = 0; !done; ++calls )
	{
		const bv_budget budget = { .now = look_at, .context = &clock, .until = clock + 20 };
		bv_sweep_result r;
		assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_ok );
		assert_true( tests_of( &r ) - tests_of( &before ) <= 20 * ( 1 + most_proof ) );
		assert_true( done || clock == 21.0 * ( calls + 1 ) );
		before = r;
	}
	assert_true( p.last.steps > 1000 );
	assert_same( &before, &p.last );
}

static void pose_of_nothing( const void* context, double time, bv_pose* out )
{
	*out = bv_pose_identity();
	out->rotation[0][0] = time > *(const double*)context ? 7 : 1;
}

static void a_callback_without_a_pose_ends_a_sweep( void** state )
{
	fixture* f = *state;
	moving_pair p = random_pair( f, 1, 20 );
	double until = 2;
	p.motion[0] = bv_motion_callback( pose_of_nothing, &until, ( bv_vec3 ){ 0, 0, 0 }, 1, 1 );
	p.motion[1] = p.motion[0];
	bv_sweep* sweep = begin( &p );
	bv_sweep_result r = { .lower = -1 };
	bool done = false;
	until = -1;
	assert_int_equal( bv_sweep_run( sweep, NULL, &done, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_run( sweep, NULL, &done, &r ), bv_error_argument );
	assert_true( r.lower == -1 && !done );
}

static void a_callback_can_fail_within_a_pair( void** state )
{
	fixture* f = *state;
	moving_pair p = grazing_pair( f, 0, 1, 1e-7 );
	double until = 2;
	p.motion[0] = bv_motion_callback( pose_of_nothing, &until, ( bv_vec3 ){ 0, 0, 0 }, 0, 0 );
	bv_sweep* sweep = begin( &p );
	const bv_budget budget = { .tests = 100 };
	bv_sweep_result r;
	bool done = true;
	assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_ok );
	assert_true( !done && r.steps > 50 );
	until = -1;
	for ( int i = 0; i < 2; ++i )
	{
		r.lower = -1;
		assert_int_equal( bv_sweep_run( sweep, &budget, &done, &r ), bv_error_argument );
		assert_true( r.lower == -1 && !done );
	}
}

static void invalid_arguments_change_nothing( void** state )
{
	fixture* f = *state;
	moving_pair p = random_pair( f, 1, 20 );
	const bv_file* a = p.file[0];
	bv_motion* m = p.motion;
	bv_sweep* sweep = NULL;
	bv_sweep_result r = { .lower = -1 };
	bv_motion invalid = m[0];
	invalid.scale = -1;
	const bv_sweep_options wrong[] = { { .limit = 2 },
		                               { .tolerance = NAN },
		                               { .separation = -1 },
		                               { .scratch = scratch, .scratch_bytes = sizeof scratch } };
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal( bv_sweep_begin( a, m, a, m + 1, wrong + i, memory, sizeof memory, &sweep ),
		                  bv_error_argument );
	}
	for ( int mode = 1; mode < bv_sweep_modes; ++mode )
	{
		const bv_sweep_options other = { .mode = (bv_sweep_mode)mode };
		assert_int_equal( bv_sweep_begin( a, m, a, m + 1, &other, memory, sizeof memory, &sweep ),
		                  bv_error_unsupported );
	}
	assert_int_equal( bv_sweep_begin( NULL, m, a, m + 1, NULL, memory, sizeof memory, &sweep ),
	                  bv_error_argument );
	assert_int_equal( bv_sweep_begin( a, NULL, a, m + 1, NULL, memory, sizeof memory, &sweep ),
	                  bv_error_argument );
	assert_int_equal( bv_sweep_begin( a, m, NULL, m + 1, NULL, memory, sizeof memory, &sweep ),
	                  bv_error_argument );
	assert_int_equal( bv_sweep_begin( a, m, a, &invalid, NULL, memory, sizeof memory, &sweep ),
	                  bv_error_argument );
	assert_int_equal( bv_sweep_begin( a, m, a, m + 1, NULL, NULL, sizeof memory, &sweep ),
	                  bv_error_argument );
	assert_int_equal( bv_sweep_begin( a, m, a, m + 1, NULL, (char*)memory + 4, BV_SWEEP_LEAST, &sweep ),
	                  bv_error_argument );
	assert_int_equal( bv_sweep_begin( a, m, a, m + 1, NULL, memory, BV_SWEEP_LEAST - 1, &sweep ),
	                  bv_error_memory );
	assert_int_equal( bv_sweep_begin( a, m, a, m + 1, NULL, memory, sizeof memory, NULL ),
	                  bv_error_argument );
	assert_null( sweep );
	assert_int_equal( bv_sweep_run( NULL, NULL, NULL, &r ), bv_error_argument );
	sweep = begin( &p );
	double clock = 0;
	const bv_budget never = { .now = look_at, .context = &clock, .until = NAN };
	assert_int_equal( bv_sweep_run( sweep, &never, NULL, &r ), bv_error_argument );
	assert_true( r.lower == -1 && clock == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( results_hold_whenever_a_sweep_is_stopped ),
		fixture_test( budgets_are_kept ),
		fixture_test( sweeps_stop_within_a_pair_that_grazes ),
		fixture_test( sweeps_stop_within_each_of_many_pairs ),
		fixture_test( clocks_are_looked_at_within_a_pair ),
		fixture_test( a_callback_without_a_pose_ends_a_sweep ),
		fixture_test( a_callback_can_fail_within_a_pair ),
		fixture_test( invalid_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

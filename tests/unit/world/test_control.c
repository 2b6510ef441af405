// Control of random scenes: against all pairs by brute force, triangles of 113 bits, and answers of runs that are interrupted.

#include "controls.h"

#include "tests/reference/gaps.h"

enum
{
	most_triangles = 1024, // of a mesh
};

// All pairs, each searched to its end, and after each stop those of the groups that stopped once more.
typedef struct brute
{
	scene* s;
	bool stopped[most_objects];
	bv_sweep_result pair[most_objects][most_objects];
	double from[most_objects][most_objects];
	bool is_open[most_objects][most_objects];
	uint32_t a; // the present event
	uint32_t b;
	double memory[BV_SWEEP_AMPLE / sizeof( double )];
} brute;

static bool is_moving( const brute* b, uint32_t i )
{
	return b->s->moves[i] && !b->stopped[i];
}

static void sweep_pair( brute* b, uint32_t i, uint32_t k, double from )
{
	scene* s = b->s;
	b->is_open[i][k] = !same_group( s, i, k ) && ( is_moving( b, i ) || is_moving( b, k ) );
	if ( b->is_open[i][k] )
	{
		bv_sweep_options options = { .from = from,
			                         .separation = s->separation + clearance,
			                         .scratch = b->memory,
			                         .scratch_bytes = sizeof b->memory };
		b->from[i][k] = from;
		assert_int_equal( bv_sweep_meshes( s->file[s->of[i]], s->motion + i, s->file[s->of[k]], s->motion + k,
		                                   &options, &b->pair[i][k] ),
		                  bv_ok );
	}
}

// The way of a group is that of its first object, whose pivot all turn about.
static void begin_brute( brute* b, scene* s )
{
	memset( b, 0, sizeof *b );
	b->s = s;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		uint32_t lead = i > 0 && same_group( s, i, i - 1 ) ? i - 1 : i;
		bv_transform back = bv_transform_inverse( s->start + i );
		bv_vec3 pivot = bv_transform_point( s->start + lead, s->pivot[lead] );
		pivot = lead == i ? s->pivot[i] : bv_transform_point( &back, pivot );
		const bv_transform* goal = s->moves[i] ? s->goal + i : s->start + i;
		assert_int_equal( bv_motion_slerp( s->start + i, goal, pivot, s->motion + i ), bv_ok );
	}
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t k = i + 1; k < s->count; ++k )
		{
			sweep_pair( b, i, k, 0 );
		}
	}
}

static const bv_sweep_result* next_event( brute* b )
{
	const bv_sweep_result* first = NULL;
	for ( uint32_t i = 0; i < b->s->count; ++i )
	{
		for ( uint32_t k = i + 1; k < b->s->count; ++k )
		{
			if ( b->is_open[i][k] && b->pair[i][k].found && ( !first || b->pair[i][k].lower < first->lower ) )
			{
				first = &b->pair[i][k];
				b->a = i;
				b->b = k;
			}
		}
	}
	return first;
}

// Stops the groups of two objects.
static void stop_both( brute* b, uint32_t first, uint32_t second, double time )
{
	scene* s = b->s;
	bool stops[most_objects] = { false };
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		stops[i] = is_moving( b, i ) && ( same_group( s, i, first ) || same_group( s, i, second ) );
		if ( stops[i] )
		{
			bv_transform at;
			assert_int_equal( bv_motion_at( s->motion + i, time, &at ), bv_ok );
			assert_int_equal( bv_motion_still( &at, s->motion + i ), bv_ok );
			b->stopped[i] = true;
		}
	}
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t k = i + 1; k < s->count; ++k )
		{
			if ( stops[i] || stops[k] )
			{
				sweep_pair( b, i, k, time );
			}
		}
	}
}

typedef struct tally
{
	uint64_t events;
	uint64_t ties; // scenes that were left at events within the same bracket
	uint64_t all_pairs;
	uint64_t pairs;
	uint64_t swept;
	uint64_t swept_until_first; // with bvw_stop_all
	uint64_t chains;            // contacts with an object that had stopped before
} tally;

static const double width = 1e-6; // of brackets, by default

// Whether events are those of the brute force, in its order, with brackets that contain the same time. Events within the
// same bracket have no order: then the comparison ends.
static void compare_events( brute* b, const bvw_control_report* report, tally* t )
{
	double stop[most_objects];
	memset( stop, 0, sizeof stop );
	for ( uint32_t i = 0; i < report->contact_count; ++i )
	{
		const bvw_control_contact* c = report->contacts + i;
		const bv_sweep_result* truth = next_event( b );
		assert_non_null( truth );
		const bv_sweep_result* same = &b->pair[c->a][c->b];
		assert_true( b->is_open[c->a][c->b] && same->found );
		assert_true( fabs( c->sweep.lower - same->lower ) <= 3 * width );
		// Stops are a unit in the last place before contacts.
		assert_true( c->sweep.lower <= same->upper + 1e-15 && same->lower <= c->sweep.upper + 1e-15 );
		assert_true( c->sweep.certain == same->certain || same->lower - truth->lower <= 4 * width );
		if ( c->a != b->a || c->b != b->b )
		{
			assert_true( same->lower - truth->lower <= 4 * width );
			++t->ties;
			return;
		}
		t->chains += b->stopped[c->a] || b->stopped[c->b];
		++t->events;
		stop_both( b, c->a, c->b, c->sweep.lower );
	}
	assert_null( next_event( b ) );
}

// A triangle and its box.
typedef struct placed_triangle
{
	bv_vec3 corner[3];
	bv_vec3 lower;
	bv_vec3 upper;
} placed_triangle;

static uint32_t place_triangles( const bv_file* file, const bv_transform* at, placed_triangle* out )
{
	uint32_t count = bv_file_get_mesh( file ).triangles;
	assert_true( count <= most_triangles );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3* c = out[i].corner;
		get_placed( file, i, at, c );
		out[i].lower =
			bv_vec3_make( fmin( fmin( c[0].x, c[1].x ), c[2].x ), fmin( fmin( c[0].y, c[1].y ), c[2].y ),
		                  fmin( fmin( c[0].z, c[1].z ), c[2].z ) );
		out[i].upper =
			bv_vec3_make( fmax( fmax( c[0].x, c[1].x ), c[2].x ), fmax( fmax( c[0].y, c[1].y ), c[2].y ),
		                  fmax( fmax( c[0].z, c[1].z ), c[2].z ) );
	}
	return count;
}

static bool boxes_touch( const placed_triangle* a, const placed_triangle* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static bool triangles_meet( const scene* s, uint32_t i, const bv_transform* at_i, uint32_t k,
                            const bv_transform* at_k )
{
	static placed_triangle triangle[2][most_triangles];
	uint32_t count[2] = { place_triangles( s->file[s->of[i]], at_i, triangle[0] ),
		                  place_triangles( s->file[s->of[k]], at_k, triangle[1] ) };
	for ( uint32_t x = 0; x < count[0]; ++x )
	{
		for ( uint32_t y = 0; y < count[1]; ++y )
		{
			if ( boxes_touch( triangle[0] + x, triangle[1] + y ) &&
			     gap_of_triangles( triangle[0][x].corner, triangle[1][y].corner ) == 0 )
			{
				return true;
			}
		}
	}
	return false;
}

// Where an object is at a time, if it rests from its stop on. Motions are those of the brute force before any stop.
static bv_transform place_of( const scene* s, uint32_t i, double time )
{
	bvw_stop stop;
	bv_transform at;
	assert_int_equal( bvw_control_get_stop( s->control, i, &stop ), bv_ok );
	assert_int_equal( bv_motion_at( s->motion + i, fmin( time, stop.time ), &at ), bv_ok );
	return at;
}

// No two objects overlap at a time, unless they do at time 0. All their triangles are compared, in 113 bits.
static void assert_free( const scene* s, double time )
{
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_transform at_i = place_of( s, i, time );
		for ( uint32_t k = i + 1; k < s->count; ++k )
		{
			bv_transform at_k = place_of( s, k, time );
			bv_vec3 apart = bv_sub( at_i.pose.translation, at_k.pose.translation );
			bool moves = s->moves[i] || s->moves[k];
			if ( same_group( s, i, k ) || !moves || bv_length( apart ) > 5 ||
			     !triangles_meet( s, i, &at_i, k, &at_k ) )
			{
				continue;
			}
			assert_true( triangles_meet( s, i, s->start + i, k, s->start + k ) );
			bvw_stop stop;
			bvw_control_get_stop( s->control, i, &stop );
			assert_true( stop.time == 0 || !s->moves[i] );
			bvw_control_get_stop( s->control, k, &stop );
			assert_true( stop.time == 0 || !s->moves[k] );
		}
	}
}

static void count_pairs( const scene* s, const bvw_control_report* report, tally* t )
{
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t k = i + 1; k < s->count; ++k )
		{
			t->all_pairs += !same_group( s, i, k ) && ( s->moves[i] || s->moves[k] );
		}
	}
	t->pairs += report->pairs;
	t->swept += report->swept;
}

static void contacts_are_those_of_all_pairs( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	brute* b = bvb_arena_allocate( f->arena, 1, sizeof *b );
	tally t = { .events = 0 };
	int rounds = is_thorough() ? 10000 : 40;
	for ( int round = 0; round < rounds; ++round )
	{
		// Few groups in most scenes: the time of the brute force grows with the square of their number.
		uint32_t groups = 3 + (uint32_t)( ( is_thorough() ? 48 : 20 ) * pow( random_unit( f ), 3 ) );
		bvw_control_report report;
		fill_scene( s, groups, round );
		bvw_control* c = begin_control( s, 60, (bvw_method)( round % bvw_methods ) );
		bvw_control_input input = input_of( s );
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		assert_true( report.done && report.open == 0 );
		count_pairs( s, &report, &t );
		begin_brute( b, s );
		bv_motion ways[most_objects];
		memcpy( ways, s->motion, sizeof ways );
		compare_events( b, &report, &t );
		memcpy( s->motion, ways, sizeof ways );
		if ( round % 8 == 0 )
		{
			assert_free( s, 1 );
			assert_free( s, random_unit( f ) );
		}
		bvw_control_contact first = { .a = 0 };
		first = report.contact_count > 0 ? report.contacts[0] : first;
		bool any = report.contact_count > 0;
		input.rule = bvw_stop_all;
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		assert_true( report.done && report.contact_count == any );
		t.swept_until_first += report.swept;
		if ( any )
		{
			assert_true( report.contacts[0].a == first.a && report.contacts[0].b == first.b );
			assert_true( report.until <= first.sweep.lower &&
			             report.until >= first.sweep.lower * ( 1 - 0x1p-51 ) );
			assert_memory_equal( &report.contacts[0].sweep.point, &first.sweep.point,
			                     sizeof first.sweep.point );
		}
	}
	print_message(
		"%d scenes: %llu contacts, %llu of them with objects that had stopped; %llu scenes end in ties\n"
		"pairs: %llu, %llu of them near each other, %llu searched, %llu until the first contact\n",
		rounds, (unsigned long long)t.events, (unsigned long long)t.chains, (unsigned long long)t.ties,
		(unsigned long long)t.all_pairs, (unsigned long long)t.pairs, (unsigned long long)t.swept,
		(unsigned long long)t.swept_until_first );
	assert_true( t.events > (uint64_t)rounds && t.chains > 10 && t.ties * 20 < (uint64_t)rounds );
}

// What the present run says of all objects.
typedef struct answers
{
	bvw_stop stop[most_objects];
	bvw_control_report report;
	bvw_control_contact contacts[most_objects];
} answers;

static void take_answers( const scene* s, const bvw_control_report* report, answers* out )
{
	memset( out, 0, sizeof *out );
	out->report = *report;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		assert_int_equal( bvw_control_get_stop( s->control, i, out->stop + i ), bv_ok );
		assert_true( !report->done || out->stop[i].is_final );
		assert_true( out->stop[i].lead == ( i > 0 && same_group( s, i, i - 1 ) ? i - 1 : i ) );
	}
	memcpy( out->contacts, report->contacts, report->contact_count * sizeof *report->contacts );
}

// No object stops earlier, and what is final remains.
static void assert_no_earlier( const scene* s, const answers* before, const answers* now )
{
	double least = 1;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		assert_true( now->stop[i].time >= before->stop[i].time );
		assert_true( !before->stop[i].is_final || now->stop[i].time == before->stop[i].time );
		least = s->moves[i] ? fmin( least, now->stop[i].time ) : least;
	}
	assert_true( now->report.until == least );
	assert_true( now->report.contact_count >= before->report.contact_count );
	for ( uint32_t i = 0; i < before->report.contact_count; ++i )
	{
		assert_true( same_contact( before->contacts + i, now->contacts + i ) );
	}
}

// Pairs are listed in order, with states that agree with the report.
static void assert_pairs( const scene* s, const bvw_control_report* report )
{
	uint32_t of_state[bvw_pair_states] = { 0 };
	bvw_control_pair before = { .a = 0 };
	for ( uint32_t i = 0; i < report->pairs; ++i )
	{
		bvw_control_pair p;
		assert_true( bvw_control_get_pair( s->control, i, &p ) );
		assert_true( p.a < p.b && ( i == 0 || p.a > before.a || ( p.a == before.a && p.b > before.b ) ) );
		assert_true( p.until >= 0 && p.until <= 1 && ( s->moves[p.a] || s->moves[p.b] ) );
		++of_state[p.state];
		before = p;
	}
	assert_false( bvw_control_get_pair( s->control, report->pairs, &before ) );
	assert_true( of_state[bvw_pair_open] == report->open );
	assert_true( of_state[bvw_pair_contact] == report->contact_count );
	assert_true( of_state[bvw_pair_undecided] == report->undecided );
}

static void assert_final( const scene* s, const answers* whole, const answers* now )
{
	assert_true( now->report.contact_count == whole->report.contact_count );
	for ( uint32_t i = 0; i < now->report.contact_count; ++i )
	{
		assert_true( same_contact( whole->contacts + i, now->contacts + i ) );
	}
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		assert_true( now->stop[i].time == whole->stop[i].time &&
		             now->stop[i].contact == whole->stop[i].contact );
	}
}

// Runs a step with budgets of a few tests. After each run the answer is sound: it is not later than the final one, and
// objects that stop there do not overlap.
static void run_in_pieces( scene* s, bvw_control* c, const bvw_control_input* input, uint64_t most_tests,
                           const answers* whole, answers room[2] )
{
	bvw_control_report report;
	assert_int_equal( bvw_control_find( c, input, &report ), bv_ok );
	take_answers( s, &report, room );
	uint32_t runs = 0;
	for ( ; !report.done; ++runs )
	{
		bv_budget budget = { .tests = 1 + (uint64_t)( (double)most_tests * random_unit( s->f ) ) };
		assert_int_equal( bvw_control_run( c, &budget, &report ), bv_ok );
		assert_true( report.tests < budget.tests + 200 );
		take_answers( s, &report, room + 1 );
		assert_pairs( s, &report );
		assert_no_earlier( s, room, room + 1 );
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			assert_true( room[1].stop[i].time <= whole->stop[i].time );
		}
		room[0] = room[1];
		if ( runs % 64 == 3 )
		{
			assert_free( s, random_unit( s->f ) );
		}
	}
	assert_final( s, whole, room );
}

static void steps_can_be_interrupted( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	brute* b = bvb_arena_allocate( f->arena, 1, sizeof *b );
	answers* whole = bvb_arena_allocate( f->arena, 3, sizeof *whole );
	int rounds = is_thorough() ? 1000 : 6;
	for ( int round = 0; round < rounds; ++round )
	{
		bvw_control_report report;
		fill_scene( s, 3 + (uint32_t)( 12 * random_unit( f ) ), round );
		bvw_control* c = begin_control( s, 60, bvw_method_default );
		bvw_control_input input = input_of( s );
		input.rule = round % 3 == 2 ? bvw_stop_all : bvw_stop_groups;
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		take_answers( s, &report, whole );
		begin_brute( b, s );
		run_in_pieces( s, c, &input, round % 4 == 0 ? 1 : 400, whole, whole + 1 );
	}
}

// With memory for one sweep, searches are dropped and begin again. Brackets differ, but not by more than their width for each stop, and
// few tests are lost.
static void dropped_sweeps_begin_again_where_they_were( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	answers* whole = bvb_arena_allocate( f->arena, 2, sizeof *whole );
	uint64_t tests[2] = { 0, 0 };
	for ( int round = 0; round < 20; ++round )
	{
		bvw_control_report report;
		fill_scene( s, 12, round );
		for ( uint32_t i = 0; i < 2; ++i )
		{
			bvw_control* c = begin_control( s, i == 0 ? 60 : 1, bvw_method_default );
			bvw_control_input input = input_of( s );
			assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
			take_answers( s, &report, whole + i );
			tests[i] += report.tests;
		}
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			assert_true( fabs( whole[0].stop[i].time - whole[1].stop[i].time ) < 1e-4 );
		}
	}
	assert_true( tests[1] <= 1.3 * (double)tests[0] );
}

// Four pairs of balls slide past each other at the same times. With memory for one sweep, each takes it from the others again and again.
static void dropped_sweeps_share_a_limit( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	const uint64_t most = 2000;
	s->count = 8;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bool slides = i % 2 == 1;
		s->of[i] = 1;
		s->moves[i] = slides;
		s->start[i] = bv_transform_translation( slides ? -3 : 0, 10.0 * ( i / 2 ) + ( slides ? 1.4 : 0 ), 0 );
		s->goal[i] = s->start[i];
		s->goal[i].pose.translation.x = 3;
	}
	bvw_control_report report;
	bvw_control* c = begin_control( s, 1, bvw_method_default );
	bvw_control_input input = input_of( s );
	input.sweep.most_tests = most;
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.pairs == 4 && report.undecided == 4 );
	assert_true( report.tests > 4 * most && report.tests <= 4 * ( most + 200 ) );
}

// Whatever the budget is, objects do not overlap at any time of the step. To finish moves objects at least as far as to apply what the run
// has reported.
static void steps_within_budgets_are_consistent( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	brute* b = bvb_arena_allocate( f->arena, 1, sizeof *b );
	double gain = 0;
	int rounds = is_thorough() ? 400 : 5;
	for ( int round = 0; round < rounds; ++round )
	{
		bvw_control_report report;
		fill_scene( s, 3 + (uint32_t)( 12 * random_unit( f ) ), round );
		bvw_control* c = begin_control( s, 1 + (uint32_t)round % 4, bvw_method_default );
		bvw_control_input input = input_of( s );
		begin_brute( b, s );
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		uint64_t need = report.tests;
		for ( int part = 0; part < 2; ++part )
		{
			const bv_budget budget = { .tests = 1 + (uint64_t)( (double)need * random_unit( f ) ) };
			assert_int_equal( bvw_control_find( c, &input, &report ), bv_ok );
			assert_int_equal( bvw_control_run( c, &budget, &report ), bv_ok );
			double mean = report.mean;
			assert_int_equal( bvw_control_finish( c, &report ), bv_ok );
			assert_true( report.mean >= mean && report.open == 0 );
			assert_pairs( s, &report );
			gain += report.mean - mean;
			for ( uint32_t i = 0; i < s->count; ++i )
			{
				bvw_stop stop;
				assert_int_equal( bvw_control_get_stop( c, i, &stop ), bv_ok );
				assert_true( stop.is_final );
			}
			assert_free( s, 1 );
			assert_free( s, random_unit( f ) );
			assert_int_equal( bvw_control_step( c, &input, &budget, &report ), bv_ok );
			assert_true( report.tests < budget.tests + 200 );
		}
	}
	assert_true( gain > 0 );
}

// Balls in a plane, each of which moves to and fro near its neighbors. With half of the tests that all need, they take turns.
static void no_object_starves( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	enum
	{
		side = 5,
		steps = 60,
	};
	uint32_t since[side * side] = { 0 };
	uint64_t need = 0;
	double sum = 0;
	uint32_t longest = 0;
	s->count = side * side;
	s->separation = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		s->of[i] = i % 2 ? 1 : 4;
		s->group[i] = 0;
		s->moves[i] = true;
		s->pivot[i] = bv_vec3_make( 0, 0, 0 );
		s->start[i] = bv_transform_translation( 2.25 * ( i % side ), 2.25 * ( i / side ), 0 );
		s->goal[i] = s->start[i];
	}
	bvw_control* c = begin_control( s, 8, bvw_method_default );
	bvw_control_input input = input_of( s );
	for ( int step = 0; step < steps; ++step )
	{
		bvw_control_report report;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			bv_transform goal = now_at( s, i );
			bv_vec3 home = s->start[i].pose.translation;
			goal.pose.translation = bv_add( home, bv_scale( 0.3, random_around( f ) ) );
			assert_int_equal( bvw_control_set_goal( c, i, &goal ), bv_ok );
		}
		if ( step == 0 )
		{
			assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
			need = report.tests;
			assert_true( report.pairs > s->count / 2 );
		}
		const bv_budget half = { .tests = need / 2 };
		assert_int_equal( bvw_control_step( c, &input, &half, &report ), bv_ok );
		sum += report.mean;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			bvw_stop stop;
			assert_int_equal( bvw_control_get_stop( c, i, &stop ), bv_ok );
			bool is_decided = stop.time == 1 || ( stop.contact != BVW_NO_CONTACT &&
			                                      report.contacts[stop.contact].sweep.complete );
			since[i] = is_decided ? 0 : since[i] + 1;
			longest = longest > since[i] ? longest : since[i];
		}
		assert_int_equal( bvw_control_apply( c ), bv_ok );
	}
	print_message( "with half of the tests, objects go %.2f of their way, and wait for up to %u steps\n",
	               sum / steps, longest );
	// Without turns, some of them never move.
	assert_true( longest < steps / 2 && sum / steps > 0.1 );
}

#define fixture_test( name ) cmocka_unit_test_setup_teardown( name, fixture_setup, fixture_teardown )

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( contacts_are_those_of_all_pairs ),
		fixture_test( steps_can_be_interrupted ),
		fixture_test( dropped_sweeps_begin_again_where_they_were ),
		fixture_test( dropped_sweeps_share_a_limit ),
		fixture_test( steps_within_budgets_are_consistent ),
		fixture_test( no_object_starves ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

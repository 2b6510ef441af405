// Control: how far objects of whole scenes can move, against all pairs by brute force, closed forms, and triangles of 113 bits.

#include "queries.h"
#include "sliding.h"

#include "bvworld/bvworld.h"
#include "tests/reference/gaps.h"

static const double clearance = 1e-7; // of most tests: times differ by less than their brackets

enum
{
	most_objects = 100,
	files = 6,
	memory_bytes = 4 << 20,
};

typedef struct scene
{
	fixture* f;
	const bv_file* file[files];
	uint32_t count;
	uint32_t group[most_objects]; // 0 for none
	uint32_t of[most_objects];    // file
	bv_transform start[most_objects];
	bv_transform goal[most_objects];
	bv_vec3 pivot[most_objects];
	bool moves[most_objects];
	bv_motion motion[most_objects]; // of the brute force
	double separation;
	double* memory;
	bvw_control* control;
} scene;

static scene* make_scene( fixture* f )
{
	scene* s = bvb_arena_allocate( f->arena, 1, sizeof *s );
	memset( s, 0, sizeof *s );
	s->f = f;
	s->memory = bvb_arena_allocate( f->arena, memory_bytes / sizeof( double ), sizeof( double ) );
	for ( int i = 0; i < files; ++i )
	{
		bvb_mesh mesh = i % 3 == 0   ? box_mesh( f, 0.6 + 0.2 * i, 1, 1 )
		                : i % 3 == 1 ? bumpy_ball( f, 4 + (uint32_t)i )
		                             : random_soup( f, 40, ( bv_vec3 ){ 0, 0, 0 } );
		s->file[i] = file_of_round( f, &mesh, i );
	}
	return s;
}

static bv_transform random_goal( const scene* s, uint32_t i, double way )
{
	fixture* f = s->f;
	bv_transform turn = random_transform( f, 1, false, bv_scale( way, random_around( f ) ) );
	bv_transform goal = s->start[i];
	bv_transform turned = bv_transform_compose( &turn, &goal );
	goal.pose.translation = bv_add( goal.pose.translation, turn.pose.translation );
	if ( i % 3 != 0 )
	{
		memcpy( goal.pose.rotation, turned.pose.rotation, sizeof goal.pose.rotation );
	}
	return goal;
}

// Groups of one or two objects; those of a group move as one.
static void fill_scene( scene* s, uint32_t groups, int round )
{
	fixture* f = s->f;
	double side = ( round % 4 == 0 ? 1.3 : 2 ) * cbrt( groups ) + 1;
	double way = round % 3 == 0 ? 0.5 : round % 3 == 1 ? 2 : side;
	s->count = 0;
	s->separation = round % 10 == 4 ? 0.05 : round % 10 == 9 ? 0.6 : 0;
	for ( uint32_t g = 1; g <= groups; ++g )
	{
		uint32_t size = random_unit( f ) < 0.3 ? 2 : 1;
		bool moves = round % 7 != 6 || random_unit( f ) < 0.5;
		for ( uint32_t k = 0; k < size; ++k )
		{
			uint32_t i = s->count++;
			double scale = round % 2 ? 0.5 + random_unit( f ) : 1;
			bv_vec3 at = k == 0 ? bv_scale( side, random_point( f ) )
			                    : bv_add( s->start[i - 1].pose.translation, random_around( f ) );
			s->group[i] = size > 1 ? g : 0;
			s->of[i] = (uint32_t)( random_unit( f ) * files );
			s->start[i] = random_transform( f, scale, round % 8 == 3, at );
			s->pivot[i] = random_around( f );
			s->moves[i] = moves;
			s->goal[i] = random_goal( s, i, way );
			if ( k > 0 )
			{
				bv_transform back = bv_transform_inverse( s->start + i - 1 );
				bv_transform by = bv_transform_compose( s->goal + i - 1, &back );
				s->goal[i] = bv_transform_compose( &by, s->start + i );
			}
		}
	}
}

static bvw_control* begin_control( scene* s, uint32_t sweeps, bvw_method method )
{
	bvw_control_options options = {
		.broadphase = { .objects = most_objects, .pairs = 5000, .method = method },
		.sweeps = sweeps,
		.sweep_bytes = sweeps > 40 ? BV_SWEEP_LEAST : 0
	};
	assert_true( bvw_control_bytes( &options ) <= memory_bytes );
	assert_int_equal( bvw_control_begin( s->memory, memory_bytes, &options, &s->control ), bv_ok );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bvw_control_object object = {
			.file = s->of[i], .placement = s->start[i], .pivot = s->pivot[i], .group = s->group[i]
		};
		assert_int_equal( bvw_control_add( s->control, i, &object ), bv_ok );
		assert_int_equal( bvw_control_set_goal( s->control, i, s->moves[i] ? s->goal + i : NULL ), bv_ok );
	}
	return s->control;
}

static bvw_control_input input_of( const scene* s )
{
	return ( bvw_control_input ){ .files = s->file,
		                          .file_count = files,
		                          .sweep = { .separation = s->separation },
		                          .clearance = clearance };
}

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

static bool same_group( const scene* s, uint32_t a, uint32_t b )
{
	return a == b || ( s->group[a] > 0 && s->group[a] == s->group[b] );
}

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
		bv_sweep_options options = {
			.from = from, .separation = s->separation, .scratch = b->memory, .scratch_bytes = sizeof b->memory
		};
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
		assert_true( c->sweep.lower <= same->upper && same->lower <= c->sweep.upper );
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

static bool triangles_meet( const scene* s, uint32_t i, const bv_transform* at_i, uint32_t k,
                            const bv_transform* at_k )
{
	const bv_file* a = s->file[s->of[i]];
	const bv_file* c = s->file[s->of[k]];
	for ( uint32_t x = 0; x < bv_file_get_mesh( a ).triangles; ++x )
	{
		bv_vec3 of_a[3];
		get_placed( a, x, at_i, of_a );
		for ( uint32_t y = 0; y < bv_file_get_mesh( c ).triangles; ++y )
		{
			bv_vec3 of_c[3];
			get_placed( c, y, at_k, of_c );
			bool apart = false;
			for ( int axis = 0; axis < 3 && !apart; ++axis )
			{
				double least[2] = { INFINITY, INFINITY };
				double greatest[2] = { -INFINITY, -INFINITY };
				for ( int p = 0; p < 6; ++p )
				{
					bv_vec3 v = p < 3 ? of_a[p] : of_c[p - 3];
					double at = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
					least[p / 3] = fmin( least[p / 3], at );
					greatest[p / 3] = fmax( greatest[p / 3], at );
				}
				apart = least[0] > greatest[1] || least[1] > greatest[0];
			}
			if ( !apart && gap_of_triangles( of_a, of_c ) == 0 )
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

static bool same_contact( const bvw_control_contact* x, const bvw_control_contact* y )
{
	return x->a == y->a && x->b == y->b && x->sweep.lower == y->sweep.lower &&
	       x->sweep.upper == y->sweep.upper &&
	       memcmp( &x->sweep.point, &y->sweep.point, sizeof x->sweep.point ) == 0 &&
	       memcmp( x->sweep.triangle, y->sweep.triangle, sizeof x->sweep.triangle ) == 0;
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
	assert_true( of_state[bvw_pair_contact] + of_state[bvw_pair_undecided] == report->contact_count );
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

// With memory for one sweep, searches are dropped and begin again. Brackets differ, but not by more than their width for each stop.
static void dropped_sweeps_begin_again_where_they_were( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	answers* whole = bvb_arena_allocate( f->arena, 2, sizeof *whole );
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
		}
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			assert_true( fabs( whole[0].stop[i].time - whole[1].stop[i].time ) < 1e-4 );
		}
	}
}

// A control with boxes of side 1 in a row along x, each moved by its way.
static bvw_control* row_of_boxes( scene* s, uint32_t count, const double* at, const double* way )
{
	s->count = count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		s->of[i] = 0;
		s->start[i] = bv_transform_translation( at[i], 0.01 * i, 0.02 * i );
		s->goal[i] = bv_transform_translation( at[i] + way[i], 0.01 * i, 0.02 * i );
		s->moves[i] = way[i] != 0;
		s->group[i] = 0;
		s->pivot[i] = ( bv_vec3 ){ 0, 0, 0 };
		s->separation = 0;
	}
	return begin_control( s, 0, bvw_method_default );
}

static scene* make_boxes( fixture* f )
{
	scene* s = make_scene( f );
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	for ( int i = 0; i < files; ++i )
	{
		s->file[i] = file_of_round( f, &box, i );
	}
	return s;
}

static void assert_stop( const scene* s, uint32_t number, double time, uint32_t contact )
{
	bvw_stop stop;
	assert_int_equal( bvw_control_get_stop( s->control, number, &stop ), bv_ok );
	assert_true( stop.is_final && stop.contact == contact );
	assert_true( stop.time <= time && stop.time > time - 2e-6 );
}

// Three bodies along a line. When one has stopped, the time of the next contact is that with a body at rest. In the second half, a
// contact that would have been is gone.
static void a_chain_of_three_bodies_is_consistent( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	bvw_control_report report;
	bvw_control_input input = input_of( s );

	// The second body moves by -1, and the first one by 3. The third body moves by -2 from a gap of .8 to the second one.
	const double at[] = { 0, 2, 3.8 };
	const double way[] = { 3, -1, -2 };
	bvw_control* c = row_of_boxes( s, 3, at, way );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_int_equal( report.contact_count, 2 );
	// Stopped at .25, the second body is at 1.75. The third one reaches 2.75 at 1.05 / 2.
	assert_stop( s, 0, 0.25, 0 );
	assert_stop( s, 1, 0.25, 0 );
	assert_stop( s, 2, 0.525, 1 );
	assert_true( report.contacts[1].a == 1 && report.contacts[1].b == 2 );

	// If nothing were searched again, the third body would move until .8, and overlap the second one.
	bv_motion ways[3];
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bv_motion_slerp( s->start + i, s->goal + i, s->pivot[i], ways + i ), bv_ok );
	}
	bv_sweep_result alone;
	assert_int_equal( bv_sweep_meshes( s->file[0], ways + 1, s->file[0], ways + 2, NULL, &alone ), bv_ok );
	assert_true( alone.found && fabs( alone.lower - 0.8 ) < 2e-6 );

	const double at_2[] = { 0, 2, 6 };
	const double way_2[] = { 2, 2.5, -3 };
	c = row_of_boxes( s, 3, at_2, way_2 );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	// The second and the third body meet where 3 + 2.5 t = 6 - 3 t, at 6 / 11. The first one would reach the second one at 13 / 11.
	assert_int_equal( report.contact_count, 1 );
	assert_stop( s, 1, 6 / 11.0, 0 );
	assert_stop( s, 2, 6 / 11.0, 0 );
	assert_stop( s, 0, 1, BVW_NO_CONTACT );
}

static void apply_moves_to_stops_and_goals( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 3, 10 };
	const double way[] = { 4, 0, 1.125 };
	bvw_control* c = row_of_boxes( s, 3, at, way );
	bvw_control_input input = input_of( s );
	bvw_control_report report;
	bvw_control_object object;
	assert_int_equal( bvw_control_apply( c ), bv_error_argument );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_int_equal( bvw_control_apply( c ), bv_ok );
	assert_true( bvw_control_get( c, 0, &object ) );
	assert_true( object.placement.pose.translation.x <= 2 && object.placement.pose.translation.x > 2 - 1e-5 );
	assert_true( bvw_control_get( c, 1, &object ) && object.placement.pose.translation.x == 3 );
	assert_true( bvw_control_get( c, 2, &object ) && object.placement.pose.translation.x == 11.125 );
	bvw_stop stop;
	assert_int_equal( bvw_control_get_stop( c, 0, &stop ), bv_error_argument );

	// What has stopped can move away, and along. It stays where it is if it is pushed on.
	bv_transform away = bv_transform_translation( 0, 0, 5 );
	assert_int_equal( bvw_control_set_goal( c, 0, &away ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_int_equal( report.contact_count, 0 );
	away = bv_transform_translation( 3, 0, 0 );
	assert_int_equal( bvw_control_set_goal( c, 0, &away ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.contact_count == 1 && report.until < 1e-4 );
	// Without a goal there is nothing to do.
	assert_int_equal( bvw_control_set_goal( c, 0, NULL ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.pairs == 0 && report.done && report.until == 1 );
}

// Two boxes side by side turn together by half a turn, in either direction, about the pivot of the first one, which moves along a
// line from x = 2 to -2. As they are of one group they do not touch each other, and as they move as one they keep their distance.
// Walls are in the way of the second one only: corners of the first one are at most the square root of 2 from the pivot.
static void groups_move_as_one( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	bvw_control_options options = { .broadphase = { .objects = 8 } };
	assert_int_equal( bvw_control_begin( s->memory, memory_bytes, &options, &s->control ), bv_ok );
	bvw_control* c = s->control;
	bv_transform turn = bv_transform_identity();
	turn.pose.rotation[0][0] = turn.pose.rotation[1][1] = -1; // half a turn about z
	for ( uint32_t i = 0; i < 2; ++i )
	{
		bvw_control_object object = { .placement = bv_transform_translation( 2 + i, 0, 0 ), .group = 3 };
		bv_transform goal = bv_transform_compose( &turn, &object.placement );
		assert_int_equal( bvw_control_add( c, 5 + i, &object ), bv_ok );
		assert_int_equal( bvw_control_set_goal( c, 5 + i, &goal ), bv_ok );
	}
	for ( uint32_t i = 0; i < 2; ++i )
	{
		bvw_control_object wall = { .placement = bv_transform_translation( -0.5, i == 0 ? 1.6 : -2.6, 0 ) };
		assert_int_equal( bvw_control_add( c, i, &wall ), bv_ok );
	}
	bvw_control_input input = input_of( s );
	bvw_control_report report;
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_int_equal( report.contact_count, 1 );
	assert_true( report.contacts[0].a < 2 && report.contacts[0].b == 6 );
	bvw_stop stop[2];
	assert_int_equal( bvw_control_get_stop( c, 5, stop ), bv_ok );
	assert_int_equal( bvw_control_get_stop( c, 6, stop + 1 ), bv_ok );
	assert_true( stop[0].time == stop[1].time && stop[0].contact == stop[1].contact && stop[0].time > 0 );
	assert_int_equal( bvw_control_apply( c ), bv_ok );
	bvw_control_object at[2];
	assert_true( bvw_control_get( c, 5, at ) && bvw_control_get( c, 6, at + 1 ) );
	bv_transform between = bv_transform_between( &at[0].placement, &at[1].placement );
	assert_true( fabs( between.pose.translation.x - 1 ) < 1e-12 &&
	             fabs( between.pose.translation.y ) < 1e-12 );
	assert_true( fabs( between.pose.rotation[0][0] - 1 ) < 1e-12 );
}

static bv_transform now_at( const scene* s, uint32_t i )
{
	bvw_control_object object;
	assert_true( bvw_control_get( s->control, i, &object ) );
	return object.placement;
}

// Two objects fly at each other, are pushed against each other some times, and go back the way they have come: all of it.
static void objects_that_have_stopped_can_leave_each_other( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	int contacts = 0;
	for ( int round = 0; round < ( is_thorough() ? 2000 : 150 ); ++round )
	{
		fill_scene( s, 2, 7 * round + round / 4 % 2 );
		bv_vec3 far = bv_scale( round % 3 == 0 ? 1e6 : 0, random_around( f ) );
		s->count = 2;
		s->separation = round % 5 == 0 ? 0.1 : 0;
		for ( uint32_t i = 0; i < 2; ++i )
		{
			s->group[i] = 0;
			s->moves[i] = true;
			s->start[i].pose.translation = bv_add( far, bv_vec3_make( i == 0 ? -3 : 3, 0, 0 ) );
			s->goal[i] = random_goal( s, i, 1 );
			s->goal[i].pose.translation = bv_add( far, bv_scale( 0.1, random_around( f ) ) );
		}
		bvw_control* c = begin_control( s, 0, bvw_method_default );
		bvw_control_input input = input_of( s );
		input.clearance = 0;
		bvw_control_report report;
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		if ( report.contact_count == 0 || report.until == 0 )
		{
			continue;
		}
		++contacts;
		assert_int_equal( bvw_control_apply( c ), bv_ok );
		for ( int push = 0; push < round % 4 * 5; ++push )
		{
			for ( uint32_t i = 0; i < 2; ++i )
			{
				assert_int_equal( bvw_control_set_goal( c, i, s->goal + i ), bv_ok );
			}
			assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
			assert_true( report.contact_count == 1 );
			assert_int_equal( bvw_control_apply( c ), bv_ok );
		}
		for ( uint32_t i = 0; i < 2; ++i )
		{
			assert_int_equal( bvw_control_set_goal( c, i, s->start + i ), bv_ok );
		}
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		assert_true( report.until == 1 && report.contact_count == 0 );
		assert_int_equal( bvw_control_apply( c ), bv_ok );
		assert_true( now_at( s, 0 ).pose.translation.x == s->start[0].pose.translation.x );
	}
	assert_true( contacts > ( is_thorough() ? 1000 : 80 ) );
}

// Cubes that are pushed a thousand times keep most of their clearance. Then one goes round, and comes back from the other side.
static void pushes_do_not_bring_objects_nearer( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 3 };
	const double way[] = { 4, 0 };
	bvw_control* c = row_of_boxes( s, 2, at, way );
	bvw_control_input input = input_of( s );
	bvw_control_report report;
	input.clearance = 1e-5;
	for ( int push = 0; push < 1000; ++push )
	{
		bv_transform goal = bv_transform_translation( 4, 0, 0 );
		assert_int_equal( bvw_control_set_goal( c, 0, &goal ), bv_ok );
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		assert_true( report.contact_count == 1 && report.contacts[0].sweep.found );
		assert_int_equal( bvw_control_apply( c ), bv_ok );
		double gap = 2 - now_at( s, 0 ).pose.translation.x;
		assert_true( gap >= 0.25e-5 && gap <= 1.5e-5 );
	}
	// A motion that leaves at first and comes back: it stops where it has come back, not at the start.
	bv_transform here = now_at( s, 0 );
	bv_transform back = bv_transform_translation( 0, 0.0, 0 );
	bv_transform there = bv_transform_translation( 4, 0.0, 0 );
	bv_motion parts[2];
	const double ends[] = { 0.5, 1 };
	assert_int_equal( bv_motion_slerp( &here, &back, s->pivot[0], parts ), bv_ok );
	assert_int_equal( bv_motion_slerp( &back, &there, s->pivot[0], parts + 1 ), bv_ok );
	bv_motion both = bv_motion_sequence( parts, ends, 2 );
	assert_int_equal( bvw_control_set_motion( c, 0, &both ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.contact_count == 1 );
	// From 0 to 4 in half a step: 2 is reached at .75.
	assert_stop( s, 0, 0.75, 0 );
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

// A cube that jumps into another one stops before it jumps, in answers of runs that were interrupted as well.
static void jumps_are_not_taken( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 5 };
	const double way[] = { 1, 0 };
	static const double ends[] = { 0.5, 1 };
	for ( int rule = 0; rule < bvw_stop_rules; ++rule )
	{
		for ( uint64_t tests = 0; tests < 40; ++tests )
		{
			bvw_control* c = row_of_boxes( s, 2, at, way );
			bvw_control_input input = input_of( s );
			bvw_control_report report;
			bv_motion parts[2] = { slide( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 0, 0 ) ),
				                   slide( bv_vec3_make( 4.9, 0.1, 0.1 ), bv_vec3_make( 4.9, 0.3, 0.1 ) ) };
			bv_motion jump = bv_motion_sequence( parts, ends, 2 );
			const bv_budget budget = { .tests = tests };
			input.rule = (bvw_stop_rule)rule;
			assert_int_equal( bvw_control_set_motion( c, 0, &jump ), bv_ok );
			assert_int_equal( bvw_control_find( c, &input, &report ), bv_ok );
			assert_int_equal( bvw_control_run( c, &budget, &report ), bv_ok );
			assert_true( tests > 0 || ( report.done && report.contact_count == 1 ) );
			assert_int_equal( bvw_control_apply( c ), bv_ok );
			bv_vec3 where = now_at( s, 0 ).pose.translation;
			assert_true( where.x >= 0 && where.x <= 1 && where.y == 0 );
			assert_true( tests > 0 || where.x > 0.999 );
		}
	}
}

// What has stopped and is pushed on with ignore_touching does not touch: it is not ignored, and does not get through.
static void pushes_do_not_go_through( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 3, 0 };
	const double way[] = { -6, 0 };
	for ( int round = 0; round < 3; ++round )
	{
		bvw_control* c = row_of_boxes( s, 2, at, way );
		bvw_control_input input = input_of( s );
		bvw_control_report report;
		input.clearance = 0;
		input.ignore_touching = true;
		input.sweep.separation = round == 0 ? 0 : round == 1 ? 0.01 : 0.3;
		for ( int push = 0; push < 10; ++push )
		{
			bv_transform goal = bv_transform_translation( -3, 0, 0 );
			assert_int_equal( bvw_control_set_goal( c, 0, &goal ), bv_ok );
			assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
			assert_true( report.contact_count == 1 && report.touching == 0 );
			assert_int_equal( bvw_control_apply( c ), bv_ok );
			assert_true( now_at( s, 0 ).pose.translation.x > 1 );
		}
	}
}

// Half a turn has two ways. All objects of a group take the same one, whatever rounding makes of their goals.
static void groups_take_the_same_half_turn( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	for ( int round = 0; round < 300; ++round )
	{
		bvw_control_options options = { .broadphase = { .objects = 4 } };
		assert_int_equal( bvw_control_begin( s->memory, memory_bytes, &options, &s->control ), bv_ok );
		bv_motion turn;
		bv_transform by;
		bv_transform identity = bv_transform_identity();
		bv_vec3 axis = round % 3 == 0 ? bv_vec3_make( 1, 1, 0 ) : random_around( f );
		assert_int_equal(
			bv_motion_screw( &identity, random_around( f ), axis, 3.14159265358979323846, 0, &turn ), bv_ok );
		assert_int_equal( bv_motion_at( &turn, 1, &by ), bv_ok );
		bv_transform before[3];
		for ( uint32_t i = 0; i < 3; ++i )
		{
			before[i] = random_transform( f, 1, false, bv_scale( 4, random_around( f ) ) );
			bvw_control_object object = { .file = 0, .placement = before[i], .group = 2 };
			bv_transform goal = bv_transform_compose( &by, before + i );
			assert_int_equal( bvw_control_add( s->control, i, &object ), bv_ok );
			assert_int_equal( bvw_control_set_goal( s->control, i, &goal ), bv_ok );
		}
		// A wall that the group meets on some way.
		bvw_control_object wall = { .file = 0,
			                        .placement = random_transform( f, 4, false, random_around( f ) ) };
		assert_int_equal( bvw_control_add( s->control, 3, &wall ), bv_ok );
		bvw_control_input input = { .files = s->file, .file_count = files, .ignore_touching = true };
		bvw_control_report report;
		const bv_budget budget = { .tests = 1 + (uint64_t)( 400 * random_unit( f ) ) };
		assert_int_equal( bvw_control_step( s->control, &input, &budget, &report ), bv_ok );
		assert_int_equal( bvw_control_apply( s->control ), bv_ok );
		for ( uint32_t i = 1; i < 3; ++i )
		{
			bv_transform now[2] = { now_at( s, 0 ), now_at( s, i ) };
			bv_transform kept = bv_transform_between( before, before + i );
			bv_transform between = bv_transform_between( now, now + 1 );
			bv_vec3 moved = bv_sub( kept.pose.translation, between.pose.translation );
			assert_true( bv_length( moved ) < 1e-9 );
		}
	}
}

// Objects that rest, of a group that moves, do not touch other objects that rest: their distance does not change.
static void what_rests_does_not_stop_its_group( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 0.5, 5 };
	const double way[] = { 0, 0, 1 };
	bvw_control* c = row_of_boxes( s, 3, at, way );
	bvw_control_input input = input_of( s );
	bvw_control_report report;
	bvw_control_object object;
	for ( uint32_t i = 1; i < 3; ++i )
	{
		assert_true( bvw_control_get( c, i, &object ) );
		object.group = 1;
		assert_int_equal( bvw_control_remove( c, i ), bv_ok );
		assert_int_equal( bvw_control_add( c, i, &object ), bv_ok );
	}
	assert_int_equal( bvw_control_set_goal( c, 2, s->goal + 2 ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.until == 1 && report.pairs == 0 );

	// A goal with a slightly different scale is reached with that of the placement, which was searched.
	bv_transform larger = s->goal[2];
	larger.scale = 1 + 0x1p-15;
	assert_int_equal( bvw_control_set_goal( c, 2, &larger ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_int_equal( bvw_control_apply( c ), bv_ok );
	assert_true( now_at( s, 2 ).scale == 1 && now_at( s, 2 ).pose.translation.x == 6 );

	// The same index means a larger mesh in the next step.
	bvb_mesh large = box_mesh( f, 10, 10, 10 );
	const double at_2[] = { 0, 19 };
	const double way_2[] = { 0, 0 };
	c = row_of_boxes( s, 2, at_2, way_2 );
	assert_true( bvw_control_get( c, 1, &object ) );
	object.file = 1;
	assert_int_equal( bvw_control_remove( c, 1 ), bv_ok );
	assert_int_equal( bvw_control_add( c, 1, &object ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_int_equal( bvw_control_apply( c ), bv_ok );
	s->file[0] = file_of_round( f, &large, 0 );
	bv_transform goal = bv_transform_translation( 3, 0.01, 0.02 );
	assert_int_equal( bvw_control_set_goal( c, 1, &goal ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.contact_count == 1 );
	assert_stop( s, 1, 9 / 16.0, 0 );
}

// Changes of all kinds between steps: a control that was changed says what a new one with the same objects says.
static void steps_after_changes_are_those_of_a_new_control( void** state )
{
	fixture* f = *state;
	scene* s = make_scene( f );
	enum
	{
		many = 8,
	};
	char* memory = bvb_arena_allocate( f->arena, memory_bytes / sizeof( double ), sizeof( double ) );
	const bvw_control_options options = { .broadphase = { .objects = many, .pairs = 200 }, .sweeps = 4 };
	const bvw_control_options plain = { .broadphase = { .objects = many, .method = bvw_method_all_pairs },
		                                .sweeps = 4 };
	bvw_control* old = NULL;
	assert_int_equal( bvw_control_begin( s->memory, memory_bytes, &options, &old ), bv_ok );
	uint32_t contacts = 0;
	for ( int step = 0; step < ( is_thorough() ? 5000 : 400 ); ++step )
	{
		bvw_control* new = NULL;
		assert_int_equal( bvw_control_begin( memory, memory_bytes, &plain, &new ), bv_ok );
		for ( uint32_t i = 0; i < many; ++i )
		{
			bvw_control_object object;
			bvw_stop stop;
			bool is_used = bvw_control_get( old, i, &object );
			bv_transform place = random_transform( f, 1, false, bv_scale( 3, random_around( f ) ) );
			double what = random_unit( f );
			if ( !is_used && what < 0.3 )
			{
				object = ( bvw_control_object ){ .file = (uint32_t)( random_unit( f ) * files ),
					                             .placement = place,
					                             .group = (uint32_t)( random_unit( f ) * 12 ) % 9 % 4 };
				assert_int_equal( bvw_control_add( old, i, &object ), bv_ok );
				is_used = true;
			}
			else if ( is_used && what < 0.05 )
			{
				assert_int_equal( bvw_control_remove( old, i ), bv_ok );
				is_used = false;
			}
			else if ( is_used && what < 0.15 )
			{
				assert_int_equal( bvw_control_set_placement( old, i, &place ), bv_ok );
				assert_int_equal( bvw_control_get_stop( old, i, &stop ), bv_error_argument );
			}
			if ( is_used )
			{
				bv_transform goal;
				assert_true( bvw_control_get( old, i, &object ) );
				goal = object.placement;
				goal.pose.translation = bv_add( goal.pose.translation, random_around( f ) );
				const bv_transform* asked = random_unit( f ) < 0.5 ? &goal : NULL;
				assert_int_equal( bvw_control_add( new, i, &object ), bv_ok );
				assert_int_equal( bvw_control_set_goal( old, i, asked ), bv_ok );
				assert_int_equal( bvw_control_set_goal( new, i, asked ), bv_ok );
			}
		}
		bvw_control_input input = { .files = s->file,
			                        .file_count = files,
			                        .ignore_touching = step % 3 == 0,
			                        .rule = step % 5 == 0 ? bvw_stop_all : bvw_stop_groups,
			                        .sweep = { .separation = step % 4 == 0 ? 0.3 : 0 } };
		bvw_control_report report[2];
		if ( step % 7 == 0 )
		{
			// A step that was begun and is not wanted.
			assert_int_equal( bvw_control_find( old, &input, report ), bv_ok );
			assert_int_equal( bvw_control_run( old, &( bv_budget ){ .tests = 50 }, report ), bv_ok );
		}
		assert_int_equal( bvw_control_step( old, &input, NULL, report ), bv_ok );
		assert_int_equal( bvw_control_step( new, &input, NULL, report + 1 ), bv_ok );
		assert_true( report[0].pairs == report[1].pairs && report[0].swept == report[1].swept &&
		             report[0].touching == report[1].touching && report[0].tests == report[1].tests &&
		             report[0].until == report[1].until && report[0].mean == report[1].mean &&
		             report[0].contact_count == report[1].contact_count );
		for ( uint32_t i = 0; i < report[0].contact_count; ++i )
		{
			assert_true( same_contact( report[0].contacts + i, report[1].contacts + i ) );
		}
		contacts += report[0].contact_count;
		if ( step % 11 != 0 )
		{
			assert_int_equal( bvw_control_apply( old ), bv_ok );
		}
	}
	assert_true( contacts > 100 );
}

static bool is_wanted( void* context, uint32_t a, uint32_t b )
{
	uint32_t* asked = context;
	asked[0] = a;
	asked[1] = b;
	return false;
}

static void layers_callbacks_and_touching_pairs_are_left_out( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 3 };
	const double way[] = { 4, 0 };
	bvw_control* c = row_of_boxes( s, 2, at, way );
	bvw_control_input input = input_of( s );
	bvw_control_report report;
	uint32_t asked[2] = { 9, 9 };
	input.callback = is_wanted;
	input.context = asked;
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.pairs == 0 && report.contact_count == 0 && asked[0] == 0 && asked[1] == 1 );
	input.callback = NULL;

	bvw_control_object object;
	assert_true( bvw_control_get( c, 1, &object ) );
	object.category = 4;
	object.mask = 2;
	assert_int_equal( bvw_control_remove( c, 1 ), bv_ok );
	assert_int_equal( bvw_control_add( c, 1, &object ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.pairs == 0 && report.contact_count == 0 );

	// Boxes that overlap at the start. The third one is free until .5.
	const double at_2[] = { 0, 0.5, 2.5 };
	const double way_2[] = { 2, 0, 0 };
	c = row_of_boxes( s, 3, at_2, way_2 );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.until == 0 && report.contacts[0].sweep.at_start );
	input.ignore_touching = true;
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.touching == 1 && report.contact_count == 1 && report.contacts[0].b == 2 );
	assert_stop( s, 0, 0.75, 0 );
}

// The wall is passed: only the certified mode sees it. At the end, nothing touches.
static void modes_are_those_of_sweeps( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 3 };
	const double way[] = { 40, 0 };
	bvw_control_input input = input_of( s );
	bvw_control_report report;
	static const uint32_t found[bv_sweep_modes] = { [bv_sweep_mode_dynamic] = 1 };
	for ( int mode = 0; mode < bv_sweep_modes; ++mode )
	{
		bvw_control* c = row_of_boxes( s, 2, at, way );
		input.sweep = ( bv_sweep_options ){ .mode = (bv_sweep_mode)mode, .samples = 3 };
		assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
		assert_int_equal( report.contact_count, found[mode] );
	}
	// With a separation of .5 it is met earlier: the gap of 2 closes to that at 1.5 / 40.
	bvw_control* c = row_of_boxes( s, 2, at, way );
	input.sweep = ( bv_sweep_options ){ .separation = 0.5 };
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_stop( s, 0, 1.5 / 40, 0 );
	// A limit of tests that is too small for an answer stops objects without a contact.
	c = row_of_boxes( s, 2, at, way );
	input.sweep = ( bv_sweep_options ){ .most_tests = 1 };
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( !report.done && report.undecided == 1 && !report.contacts[0].sweep.complete );
	assert_true( report.contacts[0].sweep.lower <= 2 / 40.0 );
}

static void not_a_pose( const void* context, double time, bv_pose* out )
{
	(void)context;
	*out = bv_pose_identity();
	out->rotation[0][0] = time > 0 ? NAN : 1;
}

static double no_time( void* context )
{
	(void)context;
	return 0;
}

static void wrong_arguments_are_refused( void** state )
{
	fixture* f = *state;
	scene* s = make_boxes( f );
	const double at[] = { 0, 3 };
	const double way[] = { 4, 0 };
	bvw_control* c = row_of_boxes( s, 2, at, way );
	bvw_control_report report = { .pairs = 77 };
	bvw_control_options options = { .broadphase = { .objects = 0 } };
	assert_int_equal( bvw_control_bytes( &options ), 0 );
	options.broadphase.objects = 4;
	options.sweeps = BVW_MAX_SWEEPS + 1;
	assert_int_equal( bvw_control_bytes( &options ), 0 );
	options.sweeps = 0;
	options.sweep_bytes = BV_SWEEP_LEAST - 1;
	assert_int_equal( bvw_control_bytes( &options ), 0 );
	options.sweep_bytes = 0;
	bvw_control* other = NULL;
	assert_int_equal( bvw_control_begin( s->memory, bvw_control_bytes( &options ) - 1, &options, &other ),
	                  bv_error_memory );
	assert_null( other );

	bvw_control_object object = { .placement = bv_transform_identity() };
	assert_int_equal( bvw_control_add( c, 0, &object ), bv_error_argument );
	assert_int_equal( bvw_control_add( c, most_objects, &object ), bv_error_argument );
	object.group = most_objects + 1;
	assert_int_equal( bvw_control_add( c, 2, &object ), bv_error_argument );
	object.group = 0;
	object.placement.scale = NAN;
	assert_int_equal( bvw_control_add( c, 2, &object ), bv_error_argument );
	assert_int_equal( bvw_control_remove( c, 2 ), bv_error_argument );
	assert_int_equal( bvw_control_set_placement( c, 0, &object.placement ), bv_error_argument );
	bv_transform mirrored = bv_transform_identity();
	mirrored.mirror = true;
	assert_int_equal( bvw_control_set_goal( c, 0, &mirrored ), bv_error_argument );
	bv_motion bad = bv_motion_callback( not_a_pose, NULL, ( bv_vec3 ){ 0, 0, 0 }, 1, 1 );

	const bvw_control_input good = input_of( s );
	for ( int i = 0; i < 7; ++i )
	{
		bvw_control_input input = good;
		input.files = i == 0 ? NULL : input.files;
		input.file_count = i == 1 ? 0 : input.file_count;
		input.rule = i == 2 ? bvw_stop_rules : input.rule;
		input.sweep.tolerance = i == 3 ? NAN : 0;
		input.sweep.from = i == 4 ? 0.5 : 0;
		input.sweep.limit = i == 5 ? 0.5 : 0;
		input.sweep.scratch = i == 6 ? s->memory : NULL;
		assert_int_equal( bvw_control_find( c, &input, &report ), bv_error_argument );
		assert_int_equal( bvw_control_run( c, NULL, &report ), bv_error_argument );
		assert_int_equal( report.pairs, 77 );
	}
	assert_int_equal( bvw_control_find( c, &good, &report ), bv_ok );
	const bv_budget budget = { .until = NAN, .now = no_time };
	assert_int_equal( bvw_control_run( c, &budget, &report ), bv_error_argument );
	assert_int_equal( bvw_control_set_motion( c, 0, &bad ), bv_ok );
	assert_int_equal( bvw_control_run( c, NULL, &report ), bv_error_argument );
	assert_int_equal( bvw_control_step( c, &good, NULL, &report ), bv_error_argument );

	// More pairs than there is room for.
	options = ( bvw_control_options ){ .broadphase = { .objects = 4, .pairs = 1 } };
	assert_int_equal( bvw_control_begin( s->memory, memory_bytes, &options, &c ), bv_ok );
	object.placement = bv_transform_identity();
	for ( uint32_t i = 0; i < 3; ++i )
	{
		assert_int_equal( bvw_control_add( c, i, &object ), bv_ok );
		assert_int_equal( bvw_control_set_goal( c, i, &object.placement ), bv_ok );
	}
	assert_int_equal( bvw_control_step( c, &good, NULL, &report ), bv_error_memory );
}

#define fixture_test( name ) cmocka_unit_test_setup_teardown( name, fixture_setup, fixture_teardown )

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( contacts_are_those_of_all_pairs ),
		fixture_test( steps_can_be_interrupted ),
		fixture_test( dropped_sweeps_begin_again_where_they_were ),
		fixture_test( a_chain_of_three_bodies_is_consistent ),
		fixture_test( apply_moves_to_stops_and_goals ),
		fixture_test( groups_move_as_one ),
		fixture_test( objects_that_have_stopped_can_leave_each_other ),
		fixture_test( pushes_do_not_bring_objects_nearer ),
		fixture_test( steps_within_budgets_are_consistent ),
		fixture_test( no_object_starves ),
		fixture_test( jumps_are_not_taken ),
		fixture_test( pushes_do_not_go_through ),
		fixture_test( groups_take_the_same_half_turn ),
		fixture_test( what_rests_does_not_stop_its_group ),
		fixture_test( steps_after_changes_are_those_of_a_new_control ),
		fixture_test( layers_callbacks_and_touching_pairs_are_left_out ),
		fixture_test( modes_are_those_of_sweeps ),
		fixture_test( wrong_arguments_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

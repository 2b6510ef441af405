// Control step by step: stops of few objects in closed form, and steps that follow each other.

#include "controls.h"

static void assert_stop_before( const scene* s, uint32_t number, double time )
{
	bvw_stop stop;
	assert_int_equal( bvw_control_get_stop( s->control, number, &stop ), bv_ok );
	assert_true( stop.is_final && stop.contact == BVW_NO_CONTACT && stop.time <= time );
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

	// The same from half of the clearance on.
	here.pose.translation.x = 2 - 0.5e-5;
	assert_int_equal( bv_motion_slerp( &here, &back, s->pivot[0], parts ), bv_ok );
	both = bv_motion_sequence( parts, ends, 2 );
	assert_int_equal( bvw_control_set_motion( c, 0, &both ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.contact_count == 1 );
	assert_stop( s, 0, 0.75, 0 );
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

	// It remains ignored when one of the two has stopped.
	const double way_3[] = { 2, 0.25, 0 };
	c = row_of_boxes( s, 3, at_2, way_3 );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( report.touching == 1 && report.contact_count == 1 );
	assert_stop( s, 0, 0.75, 0 );
	assert_stop( s, 1, 1, BVW_NO_CONTACT );
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
	// It passes by at a distance of .3, so that their boxes do not touch. They are .5 apart when .4 are left along x.
	const double way_2[] = { 4, 0 };
	c = row_of_boxes( s, 2, at, way_2 );
	bv_transform aside = bv_transform_translation( 3, 1.3, 0 );
	assert_int_equal( bvw_control_set_placement( c, 1, &aside ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_stop( s, 0, 0.4, 0 );
	// Corner against corner, where the balls around them touch as late as they do.
	c = row_of_boxes( s, 2, at, way_2 );
	bv_transform corner = bv_transform_translation( 2, 2, 2 );
	bv_transform through = bv_transform_translation( 4, 4, 4 );
	input.sweep.separation = 0;
	assert_int_equal( bvw_control_set_placement( c, 1, &corner ), bv_ok );
	assert_int_equal( bvw_control_set_goal( c, 0, &through ), bv_ok );
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_stop( s, 0, 0.25, 0 );
	// A limit of tests that is too small for an answer stops objects without a contact.
	c = row_of_boxes( s, 2, at, way );
	input.sweep = ( bv_sweep_options ){ .most_tests = 1 };
	assert_int_equal( bvw_control_step( c, &input, NULL, &report ), bv_ok );
	assert_true( !report.done && report.undecided == 1 && report.contact_count == 0 );
	assert_stop_before( s, 0, 2 / 40.0 );
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
		fixture_test( a_chain_of_three_bodies_is_consistent ),
		fixture_test( apply_moves_to_stops_and_goals ),
		fixture_test( groups_move_as_one ),
		fixture_test( objects_that_have_stopped_can_leave_each_other ),
		fixture_test( pushes_do_not_bring_objects_nearer ),
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

// Poses of motions against the definition in long double, and against closed forms.

#include "motion_support.h"

static const double pi = 3.14159265358979323846;

static const bv_vec3 origin = { 0, 0, 0 };

static bv_transform at( const bv_motion* m, double time )
{
	bv_transform t;
	assert_int_equal( bv_motion_at( m, time, &t ), bv_ok );
	return t;
}

static double reach_at( const bv_motion* m, double time, const bv_sphere* ball )
{
	double reach;
	assert_int_equal( bv_motion_reach( m, time, time, time, ball, &reach ), bv_ok );
	return reach;
}

static void assert_point( const bv_motion* m, double time, bv_vec3 x, double a, double b, double c )
{
	bv_transform t = at( m, time );
	bv_vec3 y = bv_transform_point( &t, x );
	if ( !( fabs( y.x - a ) + fabs( y.y - b ) + fabs( y.z - c ) < 1e-13 ) )
	{
		fail_msg( "(%.17g, %.17g, %.17g) in place of (%g, %g, %g)", y.x, y.y, y.z, a, b, c );
	}
}

static double sizes_of( const bv_motion* m )
{
	double scale = m->scale == 0 ? 1 : m->scale;
	return scale * bv_length( m->pivot ) + bv_length( m->start.translation ) + bv_length( m->shift );
}

// What bv_motion_reach says of one time bounds the error of the pose, and is not much: 2^-42 of all lengths.
static void poses_err_by_what_reach_says( void** state )
{
	fixture* f = *state;
	int count = is_thorough() ? 10000000 : 100000;
	for ( int i = 0; i < count; ++i )
	{
		bv_motion m = random_motion( f );
		bv_sphere ball = random_ball( f );
		double time = i % 8 == 0 ? 0 : i % 8 == 1 ? 1 : random_unit( f );
		bv_transform t = at( &m, time );
		double reach = reach_at( &m, time, &ball );
		assert_true( bv_transform_is_valid( &t ) );
		double size = sizes_of( &m ) + t.scale * ( bv_length( ball.center ) + ball.radius );
		assert_true( reach <= 0x1p-42 * size + 1e-300 );
		for ( int k = 0; k < 4; ++k )
		{
			long_point x = random_ball_point( f, &ball );
			long double off = long_distance( exact_image( &m, time, x ), long_transformed( &t, x ) );
			// Beside it, long double errs by 2^-58 of the lengths.
			if ( !( off <= reach + 0x1p-58L * size ) )
			{
				fail_msg( "kind %d, time %g: off by %Lg, said %g", (int)m.kind, time, off, reach );
			}
		}
	}
}

// To the signs of zeros.
static void assert_same_bits( const bv_transform* a, const bv_transform* b )
{
	for ( int i = 0; i < 9; ++i )
	{
		assert_true( a->pose.rotation[i / 3][i % 3] == b->pose.rotation[i / 3][i % 3] );
	}
	bv_vec3 apart = bv_sub( a->pose.translation, b->pose.translation );
	assert_true( apart.x == 0 && apart.y == 0 && apart.z == 0 );
	assert_true( a->scale == b->scale && a->mirror == b->mirror );
}

static void assert_same_pose( const bv_transform* a, const bv_transform* b, double size )
{
	for ( int i = 0; i < 9; ++i )
	{
		assert_true( fabs( a->pose.rotation[i / 3][i % 3] - b->pose.rotation[i / 3][i % 3] ) < 0x1p-46 );
	}
	assert_true( bv_length( bv_sub( a->pose.translation, b->pose.translation ) ) <= 0x1p-44 * size );
}

// The start bit by bit, if its rotation is orthonormal to rounding; the end to rounding.
static void ends_are_the_poses_given( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_transform start =
			random_placement( f, i % 2 ? 1 : 0.1 + random_unit( f ), i % 3 == 0, random_size( f ) );
		bv_transform end = random_end( f, &start );
		bv_vec3 pivot = random_vector( f, random_size( f ) );
		bv_motion m[3];
		assert_int_equal( bv_motion_slerp( &start, &end, pivot, m ), bv_ok );
		assert_int_equal( bv_motion_nlerp( &start, &end, pivot, m + 1 ), bv_ok );
		assert_int_equal( bv_motion_screw_between( &start, &end, m + 2 ), bv_ok );
		for ( int k = 0; k < 3; ++k )
		{
			bv_transform first = at( m + k, 0 );
			bv_transform last = at( m + k, 1 );
			assert_same_bits( &first, &start );
			assert_same_pose( &last, &end, sizes_of( m + k ) );
		}
		bv_motion still;
		assert_int_equal( bv_motion_still( &start, &still ), bv_ok );
		bv_transform any = at( &still, random_unit( f ) );
		assert_same_bits( &any, &start );
		bv_sphere ball = random_ball( f );
		assert_true( reach_at( &still, 0.5, &ball ) == 0 );
	}
}

// Equal rotations: the translation is all there is, and its sums are rounded once.
static void translations_do_not_turn( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000; ++i )
	{
		bv_transform start = random_placement( f, 2, true, 10 );
		bv_transform end = start;
		end.pose.translation = random_vector( f, 10 );
		bv_motion m;
		assert_int_equal( bv_motion_slerp( &start, &end, random_vector( f, 1e6 ), &m ), bv_ok );
		assert_true( m.angle == 0 );
		double t = random_unit( f );
		bv_transform p = at( &m, t );
		bv_vec3 by = bv_sub( end.pose.translation, start.pose.translation );
		assert_memory_equal( p.pose.rotation, start.pose.rotation, sizeof p.pose.rotation );
		assert_true( p.pose.translation.x == start.pose.translation.x + t * by.x );
	}
}

// A quarter turn about z at the pivot (1, 0, 0), which moves along x by 8: halfway the turn is 45 degrees.
static void slerp_turns_about_the_pivot( void** state )
{
	(void)state;
	bv_transform start = bv_transform_identity();
	bv_transform end;
	const double r = sqrt( 0.5 );
	assert_int_equal(
		bv_transform_from_axis_angle( bv_vec3_make( 0, 0, 7 ), pi / 2, bv_vec3_make( 9, -1, 0 ), &end ),
		bv_ok );
	bv_motion m;
	assert_int_equal( bv_motion_slerp( &start, &end, bv_vec3_make( 1, 0, 0 ), &m ), bv_ok );
	assert_point( &m, 0.5, bv_vec3_make( 1, 0, 0 ), 5, 0, 0 );
	assert_point( &m, 0.5, bv_vec3_make( 2, 0, 3 ), 5 + r, r, 3 );
	assert_point( &m, 1, bv_vec3_make( 2, 0, 3 ), 9, 1, 3 );
	// A third of the way of nlerp: tan( half the angle ) = sin 45 / ( 2 + cos 45 ).
	assert_int_equal( bv_motion_nlerp( &start, &end, bv_vec3_make( 1, 0, 0 ), &m ), bv_ok );
	double angle = 2 * atan( r / ( 2 + r ) );
	assert_point( &m, 1 / 3.0, bv_vec3_make( 2, 0, 0 ), 1 + 8 / 3.0 + cos( angle ), sin( angle ), 0 );
	assert_point( &m, 0.5, bv_vec3_make( 2, 0, 3 ), 5 + r, r, 3 );
}

// A nut on a bolt along z through (1, 1, 0): 5,000 turns with a lead of 0.01, forward and back.
static void screws_make_any_number_of_turns( void** state )
{
	(void)state;
	bv_transform start = bv_transform_translation( 1, 1, 0 );
	start.scale = 2;
	bv_motion m;
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		assert_int_equal( bv_motion_screw( &start, bv_vec3_make( 1, 1, 5 ), bv_vec3_make( 0, 0, 1e-3 ),
		                                   sign * 2 * pi * 5000, 50, &m ),
		                  bv_ok );
		bv_transform t = at( &m, 2501.25 / 5000 );
		// The angle is a rounded one: 2 pi is off by 2.4e-16.
		bv_vec3 x = bv_transform_point( &t, bv_vec3_make( 0.5, 0, 0 ) );
		assert_true( fabs( x.x - 1 ) < 1e-11 && fabs( x.y - ( 1 + sign ) ) < 1e-11 &&
		             fabs( x.z - 25.0125 ) < 1e-11 );
	}
	// Half a turn about x through (0, 0, 1) takes (0, 0, 0) over the top to (4, 0, 2); with a reflection, too.
	bv_transform mirrored = bv_transform_identity();
	mirrored.mirror = true;
	assert_int_equal(
		bv_motion_screw( &mirrored, bv_vec3_make( 9, 0, 1 ), bv_vec3_make( 1, 0, 0 ), -pi, 4, &m ), bv_ok );
	assert_point( &m, 0.5, bv_vec3_make( -3, 0, 0 ), 5, -1, 1 );
	assert_point( &m, 1, bv_vec3_make( -3, 0, 0 ), 7, 0, 2 );
}

// Half of the screw, done twice, is the whole, for the path of a screw is the same at all times.
static void screws_between_poses_are_uniform( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 5000; ++i )
	{
		bv_transform start = random_placement( f, 1, false, 10 );
		bv_transform end = random_placement( f, 1, false, 10 );
		bv_motion m;
		assert_int_equal( bv_motion_screw_between( &start, &end, &m ), bv_ok );
		bv_transform middle = at( &m, 0.5 );
		bv_transform back = bv_transform_inverse( &start );
		bv_transform half = bv_transform_compose( &middle, &back );
		bv_transform whole = bv_transform_compose( &half, &middle );
		assert_same_pose( &whole, &end, 100 * ( 1 + sizes_of( &m ) ) );
		// The shift is along the axis, and the axis stays where it is.
		assert_true( bv_length( bv_cross( m.axis, m.shift ) ) < 1e-13 * ( 1 + sizes_of( &m ) ) );
	}
}

// Poses from floats are off by 1e-7: the motion starts at the nearest orthonormal one.
static void poses_from_floats_are_made_orthonormal( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		bv_transform start = random_placement( f, 1, false, 1 );
		for ( int k = 0; k < 9; ++k )
		{
			start.pose.rotation[k / 3][k % 3] = (float)start.pose.rotation[k / 3][k % 3];
		}
		bv_motion m;
		assert_int_equal( bv_motion_slerp( &start, &start, origin, &m ), bv_ok );
		assert_true( m.angle == 0 && bv_motion_is_valid( &m ) );
		bv_transform p = at( &m, 0.3 );
		for ( int k = 0; k < 9; ++k )
		{
			assert_true( fabs( p.pose.rotation[k / 3][k % 3] - start.pose.rotation[k / 3][k % 3] ) < 2e-7 );
		}
		m.start = start.pose;
		assert_false( bv_motion_is_valid( &m ) );
	}
}

static void sequences_run_their_parts( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 300; ++i )
	{
		enum
		{
			most = 9,
		};
		bv_motion parts[most];
		double ends[most];
		uint32_t count = 1 + (uint32_t)( random_bits( f ) % most );
		for ( uint32_t k = 0; k < count; ++k )
		{
			do
			{
				parts[k] = random_motion( f );
			} while ( parts[k].kind == bv_motion_of_turn && fabs( parts[k].angle ) > 100 );
			parts[k].scale = 2;
			parts[k].mirror = false;
			ends[k] = ( k + 1 ) / (double)count;
		}
		bv_motion m = bv_motion_sequence( parts, ends, count );
		assert_true( bv_motion_is_valid( &m ) );
		for ( int n = 0; n < 20; ++n )
		{
			uint32_t k = (uint32_t)( random_bits( f ) % count );
			double begin = k > 0 ? ends[k - 1] : 0;
			double local = n == 0 ? 0 : random_unit( f );
			double time = begin + local * ( ends[k] - begin );
			time = time < ends[k] ? time : begin;
			bv_transform p = at( &m, time );
			bv_transform q = at( parts + k, ( time - begin ) / ( ends[k] - begin ) );
			assert_same_bits( &p, &q );
		}
		bv_transform last = at( &m, 1 );
		bv_transform wanted = at( parts + count - 1, 1 );
		assert_same_bits( &last, &wanted );
	}
}

typedef struct wheel
{
	double angle;
	bool bad;
	double time;
	double value;
} wheel;

static void wheel_pose( const void* context, double time, bv_pose* out )
{
	const wheel* w = context;
	double a = w->angle * time;
	*out =
		( bv_pose ){ { { cos( a ), -sin( a ), 0 }, { sin( a ), cos( a ), 0 }, { 0, 0, 1 } }, { time, 0, 0 } };
	if ( w->bad && time >= w->time )
	{
		out->rotation[1][2] = w->value;
	}
}

static void nothing( const void* context, double time, bv_pose* out )
{
	(void)context;
	(void)time;
	(void)out;
}

static void far_pose( const void* context, double time, bv_pose* out )
{
	(void)context;
	*out = bv_pose_identity();
	out->translation.x = time * INFINITY;
}

// Poses from which nothing can be computed are errors, at the times at which the callback returns them.
static void callbacks_are_checked( void** state )
{
	(void)state;
	wheel w = { .angle = 2, .time = 0.5 };
	bv_motion m = bv_motion_callback( wheel_pose, &w, origin, 1, 2 );
	assert_point( &m, 0.25, bv_vec3_make( 1, 0, 0 ), 0.25 + cos( 0.5 ), sin( 0.5 ), 0 );
	m.scale = 3;
	m.mirror = true;
	assert_point( &m, 0.25, bv_vec3_make( -1, 0, 0 ), 0.25 + 3 * cos( 0.5 ), 3 * sin( 0.5 ), 0 );
	const double bad[] = { NAN, INFINITY, 0.1, 1e300 };
	w.bad = true;
	for ( int i = 0; i < 4; ++i )
	{
		bv_transform t = { .scale = 7 };
		double reach = 7;
		const bv_sphere ball = { .radius = 1 };
		w.value = bad[i];
		assert_int_equal( bv_motion_at( &m, 0.4, &t ), bv_ok );
		t.scale = 7;
		assert_int_equal( bv_motion_at( &m, 0.5, &t ), bv_error_argument );
		assert_int_equal( bv_motion_reach( &m, 0.1, 0.9, 0.6, &ball, &reach ), bv_error_argument );
		assert_true( t.scale == 7 && reach == 7 );
	}
	bv_transform t;
	m = bv_motion_callback( nothing, NULL, origin, 1, 2 );
	assert_int_equal( bv_motion_at( &m, 0, &t ), bv_error_argument );
	m = bv_motion_callback( far_pose, NULL, origin, 1, 2 );
	assert_int_equal( bv_motion_at( &m, 0, &t ), bv_error_argument );
	assert_int_equal( bv_motion_at( &m, 1, &t ), bv_error_argument );
}

static void assert_invalid( const bv_motion* m )
{
	const bv_sphere ball = { .radius = 1 };
	bv_transform t = { .scale = 7 };
	double x = 7;
	assert_false( bv_motion_is_valid( m ) );
	assert_int_equal( bv_motion_at( m, 0.5, &t ), bv_error_argument );
	assert_int_equal( bv_motion_reach( m, 0, 1, 0.5, &ball, &x ), bv_error_argument );
	assert_int_equal( bv_motion_speed( m, 0, 1, &ball, &x ), bv_error_argument );
	assert_true( t.scale == 7 && x == 7 );
}

static void bad_motions_are_rejected( void** state )
{
	(void)state;
	const double bad[] = { NAN, INFINITY, -INFINITY, 1.01 * BV_MAX_LENGTH };
	bv_transform start = bv_transform_identity();
	bv_transform end;
	assert_int_equal(
		bv_transform_from_axis_angle( bv_vec3_make( 1, 2, 3 ), 1, bv_vec3_make( 1, 0, 0 ), &end ), bv_ok );
	bv_motion good;
	bv_motion good_nlerp;
	assert_int_equal( bv_motion_slerp( &start, &end, origin, &good ), bv_ok );
	assert_int_equal( bv_motion_nlerp( &start, &end, origin, &good_nlerp ), bv_ok );
	assert_invalid( NULL );
	bv_motion m = { .kind = bv_motion_of_pose };
	assert_invalid( &m );
	for ( int k = 0; k < 5; ++k )
	{
		m = good;
		m.kind = k < 3    ? (bv_motion_kind)( bv_motion_kinds + k )
		         : k == 3 ? (bv_motion_kind)-1
		                  : bv_motion_of_callback;
		assert_invalid( &m );
	}
	for ( int i = 0; i < 4; ++i )
	{
		double* const numbers[] = {
			&m.pivot.y, &m.shift.z, &m.axis.x, &m.angle, &m.start.translation.x, &m.start.rotation[1][1],
			&m.scale
		};
		for ( int k = 0; k < 7; ++k )
		{
			m = good;
			*numbers[k] = bad[i];
			assert_invalid( &m );
			m = good_nlerp;
			*numbers[k] = bad[i];
			assert_invalid( &m );
		}
		m = bv_motion_callback( wheel_pose, NULL, origin, bad[i], 1 );
		assert_invalid( &m );
		m = bv_motion_callback( wheel_pose, NULL, origin, 1, bad[i] );
		assert_invalid( &m );
		m = bv_motion_callback( wheel_pose, NULL, bv_vec3_make( 0, bad[i], 0 ), 1, 1 );
		assert_invalid( &m );
		assert_int_equal( bv_motion_slerp( &start, &end, bv_vec3_make( bad[i], 0, 0 ), &good ),
		                  bv_error_argument );
		assert_int_equal(
			bv_motion_screw( &start, bv_vec3_make( 0, bad[i], 0 ), bv_vec3_make( 1, 0, 0 ), 1, 1, &good ),
			bv_error_argument );
		assert_int_equal( bv_motion_screw( &start, origin, bv_vec3_make( 1, 0, 0 ), bad[i], 1, &good ),
		                  bv_error_argument );
		assert_int_equal( bv_motion_screw( &start, origin, bv_vec3_make( 1, 0, 0 ), 1, bad[i], &good ),
		                  bv_error_argument );
		bv_transform wrong = end;
		wrong.pose.translation.x = bad[i];
		assert_int_equal( bv_motion_still( &wrong, &good ), bv_error_argument );
		assert_int_equal( bv_motion_slerp( &start, &wrong, origin, &good ), bv_error_argument );
		assert_int_equal( bv_motion_nlerp( &wrong, &end, origin, &good ), bv_error_argument );
		assert_int_equal( bv_motion_screw_between( &start, &wrong, &good ), bv_error_argument );
	}
	m = good;
	m.angle = 1.01 * BV_MAX_ANGLE;
	assert_invalid( &m );
	m = good;
	m.axis = bv_vec3_make( 0, 0, 0.999 );
	assert_invalid( &m );
	const double nlerp_angles[] = { -0.1, 3.15 };
	for ( int i = 0; i < 2; ++i )
	{
		m = good_nlerp;
		m.angle = nlerp_angles[i];
		assert_invalid( &m );
	}
	m = bv_motion_callback( NULL, NULL, origin, 1, 1 );
	assert_invalid( &m );
	m = bv_motion_callback( wheel_pose, NULL, origin, -1, 1 );
	assert_invalid( &m );
	m = bv_motion_callback( wheel_pose, NULL, origin, 1, -1e-300 );
	assert_invalid( &m );
	m = good;
	m.scale = 0x1p101;
	assert_invalid( &m );
	m.scale = -1;
	assert_invalid( &m );
	bv_transform wrong = end;
	wrong.scale = 1.001;
	assert_int_equal( bv_motion_slerp( &start, &wrong, origin, &good ), bv_error_argument );
	wrong.scale = 1;
	wrong.mirror = true;
	assert_int_equal( bv_motion_slerp( &start, &wrong, origin, &good ), bv_error_argument );
	assert_int_equal( bv_motion_screw( &start, origin, origin, 1, 1, &good ), bv_error_argument );
	assert_int_equal( bv_motion_still( NULL, &good ), bv_error_argument );
	assert_int_equal( bv_motion_still( &start, NULL ), bv_error_argument );
	assert_int_equal( bv_motion_slerp( NULL, &end, origin, &good ), bv_error_argument );
	assert_int_equal( bv_motion_slerp( &start, NULL, origin, &good ), bv_error_argument );
	assert_int_equal( bv_motion_slerp( &start, &end, origin, NULL ), bv_error_argument );
	assert_int_equal( bv_motion_screw( &start, origin, bv_vec3_make( 1, 0, 0 ), 1, 1, NULL ),
	                  bv_error_argument );
	assert_int_equal( bv_motion_screw_between( &start, &end, NULL ), bv_error_argument );
	// Nothing above has changed it.
	assert_true( good.kind == bv_motion_of_turn && fabs( good.angle - 1 ) < 1e-14 &&
	             bv_motion_is_valid( &good ) );
}

static void bad_sequences_are_rejected( void** state )
{
	(void)state;
	bv_transform start = bv_transform_identity();
	bv_motion parts[3];
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bv_motion_still( &start, parts + i ), bv_ok );
	}
	const double ends[3] = { 0.25, 0.5, 1 };
	bv_motion m = bv_motion_sequence( parts, ends, 3 );
	assert_true( bv_motion_is_valid( &m ) );
	const double wrong[][3] = { { 0, 0.5, 1 },   { -0.1, 0.5, 1 },     { 0.5, 0.5, 1 },
		                        { 0.6, 0.5, 1 }, { 0.25, 0.5, 2 },     { 0.25, 0.5, 0.9 },
		                        { NAN, 0.5, 1 }, { 0.25, NAN, 1 },     { 0.25, 0.5, NAN },
		                        { 0.25, 1, 1 },  { 0.25, INFINITY, 1 } };
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		m = bv_motion_sequence( parts, wrong[i], 3 );
		assert_invalid( &m );
	}
	m = bv_motion_sequence( parts, ends, 0 );
	assert_invalid( &m );
	m = bv_motion_sequence( NULL, ends, 3 );
	assert_invalid( &m );
	m = bv_motion_sequence( parts, NULL, 3 );
	assert_invalid( &m );
	parts[1].scale = 2;
	m = bv_motion_sequence( parts, ends, 3 );
	assert_invalid( &m );
	parts[1].scale = 0;
	assert_true( bv_motion_is_valid( &m ) );
	parts[2].mirror = true;
	assert_invalid( &m );
	parts[2].mirror = false;
	parts[2].start.rotation[0][0] = 2;
	assert_invalid( &m );
	parts[2] = bv_motion_sequence( parts, ends + 2, 1 );
	assert_invalid( &m );
}

static void bad_times_are_rejected( void** state )
{
	(void)state;
	bv_transform start = bv_transform_identity();
	bv_motion m;
	assert_int_equal( bv_motion_still( &start, &m ), bv_ok );
	const bv_sphere ball = { .radius = 1 };
	const bv_sphere bad_balls[] = {
		{ .radius = -1 }, { .radius = NAN }, { { NAN, 0, 0 }, 1 }, { { 0, 0, INFINITY }, 1 }
	};
	const double times[] = { -1e-300, 1.1, NAN, INFINITY };
	bv_transform t = { .scale = 7 };
	double x = 7;
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bv_motion_at( &m, times[i], &t ), bv_error_argument );
		assert_int_equal( bv_motion_reach( &m, times[i], 1, 0.5, &ball, &x ), bv_error_argument );
		assert_int_equal( bv_motion_reach( &m, 0, times[i], 0.5, &ball, &x ), bv_error_argument );
		assert_int_equal( bv_motion_reach( &m, 0, 1, times[i], &ball, &x ), bv_error_argument );
		assert_int_equal( bv_motion_speed( &m, times[i], 1, &ball, &x ), bv_error_argument );
		assert_int_equal( bv_motion_speed( &m, 0, times[i], &ball, &x ), bv_error_argument );
		assert_int_equal( bv_motion_reach( &m, 0, 1, 0.5, bad_balls + i, &x ), bv_error_argument );
		assert_int_equal( bv_motion_speed( &m, 0, 1, bad_balls + i, &x ), bv_error_argument );
	}
	assert_int_equal( bv_motion_reach( &m, 0.5, 1, 0.4, &ball, &x ), bv_error_argument );
	assert_int_equal( bv_motion_reach( &m, 0, 0.5, 0.6, &ball, &x ), bv_error_argument );
	assert_int_equal( bv_motion_reach( &m, 0, 1, 0.5, NULL, &x ), bv_error_argument );
	assert_int_equal( bv_motion_reach( &m, 0, 1, 0.5, &ball, NULL ), bv_error_argument );
	assert_int_equal( bv_motion_speed( &m, 0.5, 0.4, &ball, &x ), bv_error_argument );
	assert_int_equal( bv_motion_speed( &m, 0, 1, NULL, &x ), bv_error_argument );
	assert_int_equal( bv_motion_speed( &m, 0, 1, &ball, NULL ), bv_error_argument );
	assert_int_equal( bv_motion_at( &m, 0, NULL ), bv_error_argument );
	assert_true( t.scale == 7 && x == 7 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( poses_err_by_what_reach_says ),
		fixture_test( ends_are_the_poses_given ),
		fixture_test( translations_do_not_turn ),
		cmocka_unit_test( slerp_turns_about_the_pivot ),
		cmocka_unit_test( screws_make_any_number_of_turns ),
		fixture_test( screws_between_poses_are_uniform ),
		fixture_test( poses_from_floats_are_made_orthonormal ),
		fixture_test( sequences_run_their_parts ),
		cmocka_unit_test( callbacks_are_checked ),
		cmocka_unit_test( bad_motions_are_rejected ),
		cmocka_unit_test( bad_sequences_are_rejected ),
		cmocka_unit_test( bad_times_are_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

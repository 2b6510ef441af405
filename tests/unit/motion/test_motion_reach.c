// Bounds of displacements and speeds: never below what points do in long double, and equal to closed forms where these are
// attained.

#include "motion_support.h"

#include "runtime/motion/advance.h"

static const double pi = 3.14159265358979323846;

static const bv_vec3 origin = { 0, 0, 0 };

static double reach_of( const bv_motion* m, double from, double to, double reference, const bv_sphere* ball )
{
	double reach;
	assert_int_equal( bv_motion_reach( m, from, to, reference, ball, &reach ), bv_ok );
	return reach;
}

static double speed_of( const bv_motion* m, double from, double to, const bv_sphere* ball )
{
	double speed;
	assert_int_equal( bv_motion_speed( m, from, to, ball, &speed ), bv_ok );
	return speed;
}

// Where a point of an object of a sequence is, in the exact time of its part. Poses of motions are compared with the
// definition in test_motion_poses.c.
static long_point sequence_image( const bv_motion* m, double time, long_point x )
{
	uint32_t k = 0;
	while ( k + 1 < m->count && time >= m->ends[k] )
	{
		++k;
	}
	double begin = k > 0 ? m->ends[k - 1] : 0;
	return exact_image( m->parts + k, ( time - begin ) / ( m->ends[k] - begin ), x );
}

static double size_of( const bv_motion* m )
{
	double scale = m->scale == 0 ? 1 : m->scale;
	double size = scale * bv_length( m->pivot ) + bv_length( m->start.translation ) + bv_length( m->shift );
	for ( uint32_t i = 0; m->kind == bv_motion_of_sequence && i < m->count; ++i )
	{
		const bv_motion* p = m->parts + i;
		size += scale * bv_length( p->pivot ) + bv_length( p->start.translation ) + bv_length( p->shift );
	}
	return size;
}

// An interval of any width, and a time in it: often an end or the middle.
static void random_span( fixture* f, double span[3] )
{
	double width = random_bits( f ) % 2 ? random_unit( f ) : pow( 10, -12 * random_unit( f ) );
	span[0] = random_unit( f ) * ( 1 - width );
	span[1] = fmin( span[0] + width, 1 );
	if ( random_bits( f ) % 8 == 0 )
	{
		span[random_bits( f ) % 2] = span[0] > 0.5 ? 1 : 0;
		span[1] = fmax( span[0], span[1] );
	}
	uint64_t kind = random_bits( f ) % 4;
	double middle = span[0] + ( span[1] - span[0] ) * ( kind == 2 ? 0.5 : random_unit( f ) );
	span[2] = kind == 0 ? span[0] : kind == 1 ? span[1] : fmin( fmax( middle, span[0] ), span[1] );
}

static double random_time( fixture* f, const double span[3] )
{
	uint64_t kind = random_bits( f ) % 4;
	double t = span[0] + ( span[1] - span[0] ) * random_unit( f );
	return kind == 0 ? span[0] : kind == 1 ? span[1] : fmin( fmax( t, span[0] ), span[1] );
}

static void no_point_is_farther_than_reach( void** state )
{
	fixture* f = *state;
	int count = is_thorough() ? 2500000 : 25000;
	for ( int i = 0; i < count; ++i )
	{
		bv_motion m = random_motion( f );
		bv_sphere ball = random_ball( f );
		double span[3];
		random_span( f, span );
		double reach = reach_of( &m, span[0], span[1], span[2], &ball );
		double size =
			size_of( &m ) + ( m.scale == 0 ? 1 : m.scale ) * ( bv_length( ball.center ) + ball.radius );
		bv_transform at;
		assert_int_equal( bv_motion_at( &m, span[2], &at ), bv_ok );
		for ( int k = 0; k < 4; ++k )
		{
			double time = random_time( f, span );
			long_point x = random_ball_point( f, &ball );
			long double moved = long_distance( exact_image( &m, time, x ), long_transformed( &at, x ) );
			if ( !( moved <= reach + 0x1p-58L * size ) )
			{
				fail_msg( "kind %d: moved by %Lg, said %g", (int)m.kind, moved, reach );
			}
		}
	}
}

// The worst point is known: the one of the ball that is farthest from the axis, on the side to which the pivot shifts across
// the axis. For screws and turns the bound is attained up to half a turn, and for translations always.
static void reach_is_attained( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_transform start = random_placement( f, 0.5 + random_unit( f ), i % 2, 3 );
		bv_vec3 axis = random_direction( f );
		bv_vec3 point = random_vector( f, 3 );
		double turn = i % 5 == 0 ? 0 : pi * random_signed( f );
		bv_motion m;
		assert_int_equal( bv_motion_screw( &start, point, axis, turn, random_signed( f ), &m ), bv_ok );
		if ( i % 3 == 0 )
		{
			bv_transform end;
			assert_int_equal( bv_motion_at( &m, 1, &end ), bv_ok );
			assert_int_equal( bv_motion_nlerp( &start, &end, m.pivot, &m ), bv_ok );
		}
		bv_sphere ball = { random_vector( f, 2 ), random_unit( f ) };
		double span[3];
		random_span( f, span );
		if ( span[1] - span[0] < 1e-6 )
		{
			continue;
		}
		// Nlerp can turn more on the side that is shorter.
		span[2] = m.kind == bv_motion_of_nlerp ? span[0] : span[2];
		// Away from the axis, in object coordinates.
		bv_transform back = bv_transform_inverse( &start );
		bv_vec3 along = bv_transform_direction( &back, m.axis );
		bv_vec3 arm = bv_sub( ball.center, m.pivot );
		arm = bv_normalize( bv_sub( arm, bv_scale( bv_dot( arm, along ), along ) ) );
		long_point x = long_of( bv_add( ball.center, bv_scale( ball.radius, arm ) ) );
		bv_transform at;
		assert_int_equal( bv_motion_at( &m, span[2], &at ), bv_ok );
		long double moved = 0;
		for ( int k = 0; k < 2; ++k )
		{
			moved =
				fmaxl( moved, long_distance( exact_image( &m, span[k], x ), long_transformed( &at, x ) ) );
		}
		double reach = reach_of( &m, span[0], span[1], span[2], &ball );
		if ( !( reach <= moved * ( 1 + 1e-7 ) + 1e-12 ) && fabs( m.angle ) * ( span[1] - span[0] ) < 3 )
		{
			fail_msg( "moved by %Lg, said %g, angle %g", moved, reach, m.angle );
		}
	}
}

// 2 rho sin( theta / 2 ) + |ds| for a pivot that moves across the axis, and 2 rho + |ds| from half a turn on.
static void reach_of_slerp_is_the_closed_form( void** state )
{
	(void)state;
	bv_transform start = bv_transform_identity();
	const bv_sphere ball = { { 4, 0, 9 }, 0.5 };
	for ( double theta = 1e-6; theta < 20; theta *= 1.7 )
	{
		bv_motion m;
		assert_int_equal(
			bv_motion_screw( &start, bv_vec3_make( 1, 0, 0 ), bv_vec3_make( 0, 0, 1 ), theta, 0, &m ),
			bv_ok );
		m.shift = bv_vec3_make( 3, 4, 0 );
		double wanted = 2 * 3.5 * sin( fmin( theta, pi ) / 2 ) + 5;
		double reach = reach_of( &m, 0, 1, 0, &ball );
		assert_true( reach >= wanted && reach < wanted * ( theta > 2.9 && theta < pi ? 1.002 : 1 + 1e-12 ) );
		double half = reach_of( &m, 0, 1, 0.5, &ball );
		double wanted_half = 2 * 3.5 * sin( fmin( theta / 2, pi ) / 2 ) + 2.5;
		assert_true( half >= wanted_half &&
		             half < wanted_half * ( theta > 5.8 && theta < 2 * pi ? 1.002 : 1 + 1e-12 ) );
	}
}

// Beyond the closed form of speeds, which the differences of two close times do not exceed, and attain for some.
static void speeds_are_bounded_and_attained( void** state )
{
	fixture* f = *state;
	double closest = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_motion m = random_motion( f );
		bv_sphere ball = random_ball( f );
		double span[3];
		random_span( f, span );
		double speed = speed_of( &m, span[0], span[1], &ball );
		double a = random_time( f, span );
		double b = random_time( f, span );
		if ( a != b )
		{
			long_point x = random_ball_point( f, &ball );
			long double moved = long_distance( exact_image( &m, a, x ), exact_image( &m, b, x ) );
			double size =
				size_of( &m ) + ( m.scale == 0 ? 1 : m.scale ) * ( bv_length( ball.center ) + ball.radius );
			long double allowed = speed * fabsl( (long double)b - a );
			assert_true( moved <= allowed + 0x1p-57L * size );
			closest = fmax( closest, allowed > 0 ? (double)( moved / allowed ) : 0 );
		}
	}
	assert_true( closest > 0.999 );
}

// The angular speed of nlerp over an angle of 2 h is greatest in the middle: 4 tan( h / 2 ), not 2 h.
static void nlerp_is_fastest_in_the_middle( void** state )
{
	(void)state;
	bv_transform start = bv_transform_identity();
	const bv_sphere ball = { { 2, 0, 0 }, 0 };
	for ( int i = 1; i <= 20; ++i )
	{
		double h = pi / 2 * i / 20;
		bv_transform end;
		bv_motion m;
		assert_int_equal( bv_transform_from_axis_angle( bv_vec3_make( 0, 0, 1 ), 2 * h, origin, &end ),
		                  bv_ok );
		assert_int_equal( bv_motion_nlerp( &start, &end, origin, &m ), bv_ok );
		double wanted = 2 * 4 * tan( h / 2 );
		double speed = speed_of( &m, 0, 1, &ball );
		assert_true( fabs( speed - wanted ) < 1e-9 * wanted );
		// Differences in the middle.
		long_point x = long_of( ball.center );
		long double d =
			long_distance( exact_image( &m, 0.5 - 1e-6, x ), exact_image( &m, 0.5 + 1e-6, x ) ) / 2e-6L;
		assert_true( fabsl( d - wanted ) < 1e-6 * wanted && d <= speed * ( 1 + 1e-10 ) );
		// At the ends 2 sin h, and in between what the closest time to the middle has.
		assert_true( fabs( speed_of( &m, 1, 1, &ball ) - 2 * 2 * sin( h ) ) < 1e-9 );
		assert_true( speed_of( &m, 0, 0.25, &ball ) < wanted && speed_of( &m, 0.25, 0.5, &ball ) == speed );
	}
}

enum
{
	most_parts = 6,
};

// Parts that continue each other, or jump.
static bv_motion random_sequence( fixture* f, bool jumps, bv_motion parts[most_parts],
                                  double ends[most_parts] )
{
	double scale = random_bits( f ) % 2 ? 1 : 0.1 + random_unit( f );
	bool mirror = random_bits( f ) % 2;
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % most_parts );
	bv_transform start = random_placement( f, scale, mirror, 2 );
	for ( uint32_t k = 0; k < count; ++k )
	{
		bv_transform end = random_end( f, &start );
		bv_vec3 pivot = random_vector( f, random_size( f ) );
		assert_int_equal( ( k % 2 ? bv_motion_nlerp : bv_motion_slerp )( &start, &end, pivot, parts + k ),
		                  bv_ok );
		ends[k] = k + 1 == count ? 1 : ( k > 0 ? ends[k - 1] : 0 ) + random_unit( f ) / count;
		start = jumps ? random_placement( f, scale, mirror, 2 ) : end;
	}
	bv_motion m = bv_motion_sequence( parts, ends, count );
	assert_true( bv_motion_is_valid( &m ) );
	return m;
}

static void no_point_of_a_sequence_is_farther_than_reach( void** state )
{
	fixture* f = *state;
	int count = is_thorough() ? 1000000 : 15000;
	for ( int i = 0; i < count; ++i )
	{
		bv_motion parts[most_parts];
		double ends[most_parts];
		bool jumps = i % 2;
		bv_motion m = random_sequence( f, jumps, parts, ends );
		bv_sphere ball = random_ball( f );
		double span[3];
		random_span( f, span );
		if ( i % 4 < 2 )
		{
			// Around the end of a part, or with it as an end.
			double end = ends[random_bits( f ) % m.count];
			double before = random_unit( f ) * pow( 10, -9 * random_unit( f ) );
			span[0] = fmax( 0, end - ( i % 3 == 0 ? 0 : before ) );
			span[1] = fmin( 1, end + ( i % 3 == 1 ? 0 : before * random_unit( f ) ) );
			span[2] = random_bits( f ) % 2 ? span[0] : span[1];
		}
		double reach = reach_of( &m, span[0], span[1], span[2], &ball );
		double speed = speed_of( &m, span[0], span[1], &ball );
		double size =
			size_of( &m ) + ( m.scale == 0 ? 1 : m.scale ) * ( bv_length( ball.center ) + ball.radius );
		bv_transform at;
		assert_int_equal( bv_motion_at( &m, span[2], &at ), bv_ok );
		for ( int k = 0; k < 4; ++k )
		{
			double time = random_time( f, span );
			double end = nextafter( span[1], 0 );
			// A jump at the end of the interval does not belong to it.
			time = jumps && time == span[1] && end >= span[0] ? end : time;
			long_point x = random_ball_point( f, &ball );
			long_point there = sequence_image( &m, time, x );
			long double moved = long_distance( there, long_transformed( &at, x ) );
			// The part's own time is rounded here, as binary64.
			assert_true( moved <= reach + 0x1p-48L * size );
			long double travelled = long_distance( there, sequence_image( &m, span[0], x ) );
			assert_true( isinf( speed ) ||
			             travelled <= speed * fabsl( (long double)time - span[0] ) + 0x1p-44L * size );
		}
	}
}

// Two parts that move a point by 1 along x and then by 1 along y. Over both, no point is farther than sqrt( 2 ) from the start;
// the sum of the parts is 2. From where they meet it is 1.
static void reach_of_sequences_is_not_much( void** state )
{
	(void)state;
	bv_transform place[3] = { bv_transform_identity(), bv_transform_translation( 1, 0, 0 ),
		                      bv_transform_translation( 1, 1, 0 ) };
	bv_motion parts[2];
	const double ends[2] = { 0.25, 1 };
	assert_int_equal( bv_motion_slerp( place, place + 1, origin, parts ), bv_ok );
	assert_int_equal( bv_motion_slerp( place + 1, place + 2, origin, parts + 1 ), bv_ok );
	bv_motion m = bv_motion_sequence( parts, ends, 2 );
	const bv_sphere ball = { { 5, 6, 7 }, 100 };
	assert_true( fabs( reach_of( &m, 0, 1, 0.25, &ball ) - 1 ) < 1e-9 );
	assert_true( reach_of( &m, 0, 1, 0, &ball ) < 1.7 && reach_of( &m, 0, 1, 0, &ball ) >= sqrt( 2 ) );
	assert_true( fabs( reach_of( &m, 0, 0.25, 0, &ball ) - 1 ) < 1e-9 );
	assert_true( fabs( reach_of( &m, 0.125, 0.25, 0.125, &ball ) - 0.5 ) < 1e-9 );
	assert_true( fabs( speed_of( &m, 0, 1, &ball ) - 4 ) < 1e-9 );
	assert_true( fabs( speed_of( &m, 0.25, 1, &ball ) - 4 / 3.0 ) < 1e-9 );
	// Twice as far: the object jumps by 1.
	assert_int_equal( bv_motion_still( place + 2, parts + 1 ), bv_ok );
	assert_true( isinf( speed_of( &m, 0, 1, &ball ) ) && speed_of( &m, 0.25, 1, &ball ) == 0 );
	assert_true( reach_of( &m, 0.24, 0.26, 0.24, &ball ) >= 1.0007 &&
	             reach_of( &m, 0.26, 0.9, 0.5, &ball ) < 1e-12 );
	assert_true( reach_of( &m, 0.24, 0.25, 0.245, &ball ) < 0.0201 );
}

// A part that turns by 2^20 rad: its own time is rounded, and 2^-53 of it is an angle of 2^-33.
static void reach_has_the_rounding_of_own_times( void** state )
{
	fixture* f = *state;
	bv_transform start = bv_transform_identity();
	bv_motion parts[3];
	const double ends[3] = { 0.1, 0.7, 1 };
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal(
			bv_motion_screw( &start, origin, bv_vec3_make( 0, 0, 1 ), BV_MAX_ANGLE, 0, parts + i ), bv_ok );
	}
	bv_motion m = bv_motion_sequence( parts, ends, 3 );
	const bv_sphere ball = { { 1, 0, 0 }, 0 };
	double worst = 0;
	for ( int i = 0; i < 10000; ++i )
	{
		double time = 0.1 + 0.6 * random_unit( f );
		long double own = ( (long double)time - ends[0] ) / ( (long double)ends[1] - ends[0] );
		long_point wanted = { { cosl( own * (long double)BV_MAX_ANGLE ),
			                    sinl( own * (long double)BV_MAX_ANGLE ), 0 } };
		bv_transform at;
		assert_int_equal( bv_motion_at( &m, time, &at ), bv_ok );
		double off = (double)long_distance( long_transformed( &at, long_of( ball.center ) ), wanted );
		// The product of long doubles is rounded to 2^-44.
		assert_true( off <= reach_of( &m, time, time, time, &ball ) + 0x1p-42 );
		worst = fmax( worst, off );
	}
	assert_true( worst > 0x1p-36 );
}

typedef struct wrapped
{
	bv_motion motion;
	double factor; // how much faster than it says
} wrapped;

static void wrapped_pose( const void* context, double time, bv_pose* out )
{
	const wrapped* w = context;
	bv_transform t;
	assert_int_equal( bv_motion_at( &w->motion, fmin( 1, time * w->factor ), &t ), bv_ok );
	*out = t.pose;
}

// The same motion by a callback, with its own speeds as what the caller says.
static void callbacks_are_bounded_by_their_speeds( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20000; ++i )
	{
		wrapped w = { random_motion( f ), 1 };
		const bv_motion* m = &w.motion;
		bool moves = m->kind != bv_motion_of_pose;
		double spin = m->kind == bv_motion_of_nlerp ? 4 * tan( m->angle / 4 ) : fabs( m->angle );
		bv_motion c =
			bv_motion_callback( wrapped_pose, &w, m->pivot, moves ? bv_length( m->shift ) * ( 1 + 1e-15 ) : 0,
		                        moves ? spin * ( 1 + 1e-15 ) : 0 );
		c.scale = m->scale;
		c.mirror = m->mirror;
		bv_sphere ball = random_ball( f );
		double span[3];
		random_span( f, span );
		double reach = reach_of( &c, span[0], span[1], span[2], &ball );
		bv_transform at;
		assert_int_equal( bv_motion_at( &c, span[2], &at ), bv_ok );
		for ( int k = 0; k < 3; ++k )
		{
			bv_transform there;
			assert_int_equal( bv_motion_at( &c, random_time( f, span ), &there ), bv_ok );
			long_point x = random_ball_point( f, &ball );
			long double moved = long_distance( long_transformed( &there, x ), long_transformed( &at, x ) );
			assert_true( moved <= reach * ( 1 + 0x1p-60L ) );
		}
	}
}

// A callback that is faster than it says: bounds are too small, and that is all that happens.
static void callbacks_that_lie_are_believed( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 1000; ++i )
	{
		wrapped w = { random_motion( f ), 1000 };
		bv_motion c = bv_motion_callback( wrapped_pose, &w, origin, random_unit( f ), 0 );
		c.scale = w.motion.scale;
		bv_sphere ball = random_ball( f );
		double reach = reach_of( &c, 0, 1, 0.5, &ball );
		assert_true( reach >= 0 && reach <= 1 + 1e-6 * size_of( &w.motion ) +
		                                        1e-6 * ( bv_length( ball.center ) + 1e3 ) * c.scale );
	}
}

// Coordinates of 2^200, scales of 2^100 and denormals: finite bounds, still above what points do.
static void extreme_lengths_are_bounded( void** state )
{
	fixture* f = *state;
	const double sizes[] = { BV_MAX_LENGTH, 0x1p-1070, 0x1p-300, 0x1p100, 0 };
	const double scales[] = { 0x1p-100, 0x1p100, 1 };
	for ( int i = 0; i < 20000; ++i )
	{
		double size = sizes[random_bits( f ) % 5];
		bv_transform start = random_placement( f, scales[i % 3], i % 2, size / 4 );
		bv_transform end = random_end( f, &start );
		end.pose.translation = random_vector( f, size / 4 );
		bv_motion m;
		bv_status status =
			i % 2 ? bv_motion_slerp( &start, &end, random_vector( f, sizes[random_bits( f ) % 5] ), &m )
				  : bv_motion_screw_between( &start, &end, &m );
		bv_sphere ball = { random_vector( f, sizes[random_bits( f ) % 5] ), random_unit( f ) * size };
		if ( status != bv_ok )
		{
			// The shift or the pivot would be out of range.
			assert_int_equal( status, bv_error_argument );
			continue;
		}
		double reach = reach_of( &m, 0.25, 0.75, 0.5, &ball );
		bv_transform at;
		assert_int_equal( bv_motion_at( &m, 0.5, &at ), bv_ok );
		long_point x = long_of( ball.center );
		long double moved = long_distance( exact_image( &m, 0.75, x ), long_transformed( &at, x ) );
		double all = size_of( &m ) + m.scale * bv_length( ball.center );
		assert_true( isfinite( reach ) && moved <= reach + 0x1p-57L * all );
	}
}

// The ball around points that sweeps use, also where squares vanish.
static void ball_of_points_contains_them( void** state )
{
	fixture* f = *state;
	enum
	{
		most_points = 40,
	};
	const double sizes[] = { 1, 0x1p-30, 0x1p60, 0x1p-540, 0x1p-1060 };
	for ( int round = 0; round < 5000; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = 1 + round % most_points;
		for ( uint32_t i = 0; i < count; ++i )
		{
			points[i] = bv_scale( sizes[round % 5] * random_unit( f ), random_direction( f ) );
		}
		bv_convex shape = bv_convex_points( points, count, 0 );
		bv_sphere ball;
		assert_true( bvmotion_ball_of( &shape, &ball ) );
		for ( uint32_t i = 0; i < count; ++i )
		{
			long double x = (long double)points[i].x - ball.center.x;
			long double y = (long double)points[i].y - ball.center.y;
			long double z = (long double)points[i].z - ball.center.z;
			assert_true( sqrtl( x * x + y * y + z * z ) <= ball.radius );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_point_is_farther_than_reach ),
		fixture_test( reach_is_attained ),
		cmocka_unit_test( reach_of_slerp_is_the_closed_form ),
		fixture_test( speeds_are_bounded_and_attained ),
		cmocka_unit_test( nlerp_is_fastest_in_the_middle ),
		fixture_test( no_point_of_a_sequence_is_farther_than_reach ),
		cmocka_unit_test( reach_of_sequences_is_not_much ),
		fixture_test( reach_has_the_rounding_of_own_times ),
		fixture_test( callbacks_are_bounded_by_their_speeds ),
		fixture_test( callbacks_that_lie_are_believed ),
		fixture_test( extreme_lengths_are_bounded ),
		fixture_test( ball_of_points_contains_them ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

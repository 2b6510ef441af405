// Swept volumes: no point of a volume leaves them, at any time, in long double; closed forms for how large they are; and
// what the printed forms miss.

#include "motion_support.h"

#include "tests/reference/swept.h"

static const double pi = 3.14159265358979323846;

static const bv_vec3 origin = { 0, 0, 0 };

static double size_along( const double half[3] )
{
	return half[0] + half[1] + half[2];
}

// A volume of any type. Frames are as files have them, or only orthonormal to 1e-5.
static bv_volume random_volume( fixture* f, bv_volume_type type )
{
	bv_volume v = { .type = type };
	bv_vec3 center = random_vector( f, random_size( f ) );
	double half[3] = { random_size( f ), random_size( f ), random_size( f ) };
	bv_transform frame = random_placement( f, 1, false, 0 );
	bv_vec3 axis[3];
	for ( int i = 0; i < 3; ++i )
	{
		double( *r )[3] = frame.pose.rotation;
		axis[i] = bv_vec3_make( r[0][i], r[1][i], r[2][i] );
	}
	switch ( type )
	{
	case bv_volume_obb:
	case bv_volume_prism:
		v.obb.center = center;
		memcpy( v.obb.axis, axis, sizeof axis );
		memcpy( v.obb.half_extents, half, sizeof half );
		if ( random_bits( f ) % 2 )
		{
			v.obb.axis[1] = bv_add( v.obb.axis[1], random_vector( f, 1e-5 ) );
		}
		break;
	case bv_volume_aabb:
		v.aabb.lower = bv_sub( center, bv_vec3_make( half[0], half[1], half[2] ) );
		v.aabb.upper = bv_add( center, bv_vec3_make( half[0], half[1], half[2] ) );
		break;
	case bv_volume_sphere: v.sphere = ( bv_sphere ){ center, half[0] }; break;
	case bv_volume_rss:
		v.rss.center = center;
		memcpy( v.rss.axis, axis, sizeof axis );
		memcpy( v.rss.half_extents, half, 2 * sizeof *half );
		v.rss.radius = half[2];
		break;
	default:
		v.kdop.k = type == bv_volume_kdop14 ? 14 : type == bv_volume_kdop18 ? 18 : 26;
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			if ( bv_kdop_uses( v.kdop.k, i ) )
			{
				bv_vec3 d = bv_kdop_direction( i );
				// Corners are cut off.
				double reach =
					0.8 * ( fabs( d.x ) * half[0] + fabs( d.y ) * half[1] + fabs( d.z ) * half[2] );
				v.kdop.lower[i] = bv_dot( d, center ) - ( i < 3 ? reach / 0.8 : reach );
				v.kdop.upper[i] = bv_dot( d, center ) + ( i < 3 ? reach / 0.8 : reach );
			}
		}
	}
	return v;
}

static long double along_of( bv_vec3 axis, long_point x, bv_vec3 center )
{
	return axis.x * ( x.x[0] - center.x ) + axis.y * ( x.x[1] - center.y ) + axis.z * ( x.x[2] - center.z );
}

// By how much a point is outside of a volume, from the definitions in bv/shape.h; 0 inside.
static long double outside_of( const bv_volume* v, long_point x )
{
	long double out = 0;
	switch ( v->type )
	{
	case bv_volume_obb:
	case bv_volume_prism:
		for ( int i = 0; i < 3; ++i )
		{
			out =
				fmaxl( out, fabsl( along_of( v->obb.axis[i], x, v->obb.center ) ) - v->obb.half_extents[i] );
		}
		if ( v->type == bv_volume_prism && v->obb.half_extents[1] > 0 )
		{
			const double* h = v->obb.half_extents;
			long double s = fabsl( along_of( v->obb.axis[0], x, v->obb.center ) );
			long double t = along_of( v->obb.axis[1], x, v->obb.center );
			// Both sides of the definition times 2 h1, over a length.
			out = fmaxl( out, ( 2 * h[1] * s - h[0] * ( h[1] - t ) ) / hypotl( 2 * h[1], h[0] ) );
		}
		return out;
	case bv_volume_aabb:
	{
		const double lower[3] = { v->aabb.lower.x, v->aabb.lower.y, v->aabb.lower.z };
		const double upper[3] = { v->aabb.upper.x, v->aabb.upper.y, v->aabb.upper.z };
		for ( int i = 0; i < 3; ++i )
		{
			out = fmaxl( out, fmaxl( lower[i] - x.x[i], x.x[i] - upper[i] ) );
		}
		return out;
	}
	case bv_volume_sphere:
		return fmaxl( 0, long_distance( x, long_of( v->sphere.center ) ) - v->sphere.radius );
	case bv_volume_rss:
	{
		long double square = 0;
		for ( int i = 0; i < 3; ++i )
		{
			long double d = fabsl( along_of( v->rss.axis[i], x, v->rss.center ) );
			d = fmaxl( 0, d - ( i < 2 ? v->rss.half_extents[i] : 0 ) );
			square += d * d;
		}
		return fmaxl( 0, sqrtl( square ) - v->rss.radius );
	}
	default:
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			if ( bv_kdop_uses( v->kdop.k, i ) )
			{
				long double d = along_of( bv_kdop_direction( i ), x, origin );
				out = fmaxl( out, fmaxl( v->kdop.lower[i] - d, d - v->kdop.upper[i] ) );
			}
		}
		return out;
	}
}

// A point that the volume certainly has: drawn in a box around it until one is inside.
static bool draw_point( fixture* f, const bv_volume* v, long_point* out )
{
	for ( int attempt = 0; attempt < 20; ++attempt )
	{
		// The volume's own box: of half extents and axes, or of the first three slabs.
		bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
		double half[3];
		bv_vec3 center;
		switch ( v->type )
		{
		case bv_volume_obb:
		case bv_volume_prism:
			center = v->obb.center;
			memcpy( axis, v->obb.axis, sizeof axis );
			memcpy( half, v->obb.half_extents, sizeof half );
			break;
		case bv_volume_rss:
			center = v->rss.center;
			memcpy( axis, v->rss.axis, sizeof axis );
			half[0] = v->rss.half_extents[0] + v->rss.radius;
			half[1] = v->rss.half_extents[1] + v->rss.radius;
			half[2] = v->rss.radius;
			break;
		case bv_volume_sphere:
			center = v->sphere.center;
			half[0] = half[1] = half[2] = v->sphere.radius;
			break;
		case bv_volume_aabb:
			center = bv_scale( 0.5, bv_add( v->aabb.lower, v->aabb.upper ) );
			half[0] = ( v->aabb.upper.x - v->aabb.lower.x ) / 2;
			half[1] = ( v->aabb.upper.y - v->aabb.lower.y ) / 2;
			half[2] = ( v->aabb.upper.z - v->aabb.lower.z ) / 2;
			break;
		default:
			center = bv_vec3_make( v->kdop.lower[0] + v->kdop.upper[0], v->kdop.lower[1] + v->kdop.upper[1],
			                       v->kdop.lower[2] + v->kdop.upper[2] );
			center = bv_scale( 0.5, center );
			for ( int i = 0; i < 3; ++i )
			{
				half[i] = ( v->kdop.upper[i] - v->kdop.lower[i] ) / 2;
			}
		}
		*out = long_of( center );
		for ( int i = 0; i < 3; ++i )
		{
			// Often on the surface.
			double s = random_bits( f ) % 3 ? random_signed( f ) : random_bits( f ) % 2 ? 1 : -1;
			s *= half[i] * ( 1 - 1e-14 );
			out->x[0] += (long double)s * axis[i].x;
			out->x[1] += (long double)s * axis[i].y;
			out->x[2] += (long double)s * axis[i].z;
		}
		if ( outside_of( v, *out ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static double volume_size( const bv_volume* v )
{
	switch ( v->type )
	{
	case bv_volume_obb:
	case bv_volume_prism: return bv_length( v->obb.center ) + size_along( v->obb.half_extents );
	case bv_volume_rss:
		return bv_length( v->rss.center ) + v->rss.half_extents[0] + v->rss.half_extents[1] + v->rss.radius;
	case bv_volume_sphere: return bv_length( v->sphere.center ) + v->sphere.radius;
	case bv_volume_aabb: return bv_length( v->aabb.lower ) + bv_length( v->aabb.upper );
	default:
	{
		double sum = 0;
		for ( int i = 0; i < 3; ++i )
		{
			sum += fabs( v->kdop.lower[i] ) + fabs( v->kdop.upper[i] );
		}
		return sum;
	}
	}
}

static bv_volume sweep( const bv_motion* m, double from, double to, const bv_volume* v, bv_volume_type type,
                        bv_swept_rule rule )
{
	bv_volume out;
	assert_int_equal( bv_motion_swept_volume( m, from, to, v, type, rule, &out ), bv_ok );
	assert_true( out.type == type );
	return out;
}

static const int points_each = 5;

// All types made of all types, by both rules, for all kinds of motions that long double evaluates.
static void no_point_leaves_a_swept_volume( void** state )
{
	fixture* f = *state;
	int count = is_thorough() ? 2500000 : 25000;
	int drawn = 0;
	for ( int i = 0; i < count; ++i )
	{
		bv_volume v = random_volume( f, (bv_volume_type)( i % bv_volume_types ) );
		bv_volume_type type = (bv_volume_type)( i / bv_volume_types % bv_volume_types );
		bv_motion m = random_motion( f );
		double from = random_bits( f ) % 4 ? random_unit( f ) : 0;
		double to = random_bits( f ) % 4   ? from + ( 1 - from ) * random_unit( f )
		            : random_bits( f ) % 2 ? 1
		                                   : from;
		bv_swept_rule rule = random_bits( f ) % 2 ? bv_swept_by_reach : bv_swept_by_ends;
		bv_volume swept = sweep( &m, from, to, &v, type, rule );
		double size = volume_size( &swept );
		for ( int k = 0; k < points_each; ++k )
		{
			long_point x;
			if ( !draw_point( f, &v, &x ) )
			{
				continue;
			}
			uint64_t kind = random_bits( f ) % 4;
			double time = kind == 0 ? from : kind == 1 ? to : from + ( to - from ) * random_unit( f );
			drawn += 1;
			long double outside = outside_of( &swept, exact_image( &m, time, x ) );
			// Long double rounds, too.
			if ( !( outside <= 0x1p-56L * size ) )
			{
				fail_msg( "motion %d, %s of %s, rule %d: %Lg outside", (int)m.kind,
				          bv_volume_type_name( type ), bv_volume_type_name( v.type ), (int)rule, outside );
			}
		}
	}
	assert_true( drawn > count * points_each * 0.8 );
}

static double ball_radius( const bv_motion* m, const bv_volume* v, bv_swept_rule rule )
{
	return sweep( m, 0, 1, v, bv_volume_sphere, rule ).sphere.radius;
}

static void assert_near( double a, double b )
{
	if ( !( fabs( a - b ) <= 1e-6 * fabs( b ) ) )
	{
		fail_msg( "%.17g in place of %.17g", a, b );
	}
}

// Closed forms. A ball of radius 1 moves by 6: by ends, a box is 8 long and 2 wide, by reach 8 in all directions. It turns by
// the angle a at the distance 10 from the axis: half of the chord and the arc's 11 a^2 / 8, or 2 * 11 sin( a / 4 ).
static void sizes_are_closed_forms( void** state )
{
	(void)state;
	const bv_volume ball = { .type = bv_volume_sphere, .sphere = { { 10, 0, 0 }, 1 } };
	const bv_transform start = bv_transform_identity();
	bv_transform end = bv_transform_translation( 4, 4, 2 );
	bv_motion m;
	assert_int_equal( bv_motion_slerp( &start, &end, origin, &m ), bv_ok );
	bv_volume box = sweep( &m, 0, 1, &ball, bv_volume_obb, bv_swept_by_ends );
	assert_near( box.obb.half_extents[0], 4 );
	assert_near( box.obb.half_extents[1], 1 );
	assert_near( box.obb.half_extents[2], 1 );
	assert_near( bv_dot( box.obb.axis[0], bv_vec3_make( 4, 4, 2 ) ), 6 );
	box = sweep( &m, 0, 1, &ball, bv_volume_obb, bv_swept_by_reach );
	assert_near( size_along( box.obb.half_extents ), 12 );
	bv_volume capsule = sweep( &m, 0, 1, &ball, bv_volume_rss, bv_swept_by_ends );
	assert_near( capsule.rss.half_extents[0], 3 );
	assert_near( capsule.rss.half_extents[1] + capsule.rss.radius, 1 );
	bv_volume upright = sweep( &m, 0.5, 1, &ball, bv_volume_aabb, bv_swept_by_ends );
	assert_near( upright.aabb.lower.x, 11 );
	assert_near( upright.aabb.upper.x, 15 );
	assert_near( upright.aabb.upper.z, 3 );
	bv_volume slabs = sweep( &m, 0, 1, &ball, bv_volume_kdop26, bv_swept_by_ends );
	assert_near( slabs.kdop.upper[3], 20 + sqrt( 3 ) );
	assert_near( slabs.kdop.lower[3], 10 - sqrt( 3 ) );
	for ( double a = 0.01; a < 3; a *= 1.5 )
	{
		assert_int_equal( bv_motion_screw( &start, origin, bv_vec3_make( 0, 0, 1 ), a, 0, &m ), bv_ok );
		assert_near( ball_radius( &m, &ball, bv_swept_by_ends ), 10 * sin( a / 2 ) + 1 + 11 * a * a / 8 );
		assert_near( ball_radius( &m, &ball, bv_swept_by_reach ), 1 + 2 * 11 * sin( a / 4 ) );
	}
}

// What does not move is as large as it was: to the float quaternion of frames and rounding.
static void still_volumes_do_not_grow( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 2000; ++i )
	{
		bv_volume v = random_volume( f, (bv_volume_type)( i % 2 ? bv_volume_rss : bv_volume_sphere ) );
		bv_transform start = random_placement( f, 2, i % 3 == 0, 5 );
		bv_motion m;
		assert_int_equal( bv_motion_still( &start, &m ), bv_ok );
		for ( int rule = 0; rule < bv_swept_rules; ++rule )
		{
			bv_volume swept = sweep( &m, 0, 1, &v, v.type, (bv_swept_rule)rule );
			double size = 2 * volume_size( &v ) + 20;
			if ( i % 2 )
			{
				assert_true( fabs( swept.rss.radius - 2 * v.rss.radius ) < 2e-6 * size );
				double before = 2 * ( v.rss.half_extents[0] + v.rss.half_extents[1] );
				assert_true( fabs( swept.rss.half_extents[0] + swept.rss.half_extents[1] - before ) <
				             2e-6 * size );
			}
			else
			{
				assert_true( fabs( swept.sphere.radius - 2 * v.sphere.radius ) < 1e-12 * size );
			}
		}
	}
}

// A box is what its axes hold between planes. With the second one tilted by e towards the first, corners have y up to
// h1 + e h0, although h1 is as far as the axes times the half extents reach.
static void boxes_with_tilted_axes_are_enclosed( void** state )
{
	(void)state;
	const double tilt = 9e-5;
	bv_volume v = { .type = bv_volume_obb };
	v.obb.axis[0] = bv_vec3_make( 1, 0, 0 );
	v.obb.axis[1] = bv_vec3_make( tilt, 1, 0 );
	v.obb.axis[2] = bv_vec3_make( 0, 0, 1 );
	v.obb.half_extents[0] = 1000;
	v.obb.half_extents[1] = 1;
	v.obb.half_extents[2] = 1;
	const long_point corner = { { -1000 * ( 1 - 1e-12 ), ( 1 + tilt * 1000 ) * ( 1 - 1e-12 ), 1 } };
	assert_true( outside_of( &v, corner ) == 0 );
	bv_transform start = bv_transform_identity();
	bv_motion m;
	assert_int_equal( bv_motion_still( &start, &m ), bv_ok );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		for ( int rule = 0; rule < bv_swept_rules; ++rule )
		{
			bv_volume swept = sweep( &m, 0, 1, &v, (bv_volume_type)type, (bv_swept_rule)rule );
			assert_true( outside_of( &swept, corner ) == 0 );
		}
	}
}

static void circle_pose( const void* context, double time, bv_pose* out )
{
	const bv_motion* m = context;
	bv_transform t;
	assert_int_equal( bv_motion_at( m, time, &t ), bv_ok );
	*out = t.pose;
}

// Neither rule is one for callbacks and sequences: by reach, and conservative.
static void callbacks_and_sequences_are_swept( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 4000; ++i )
	{
		bv_motion inner;
		do
		{
			inner = random_motion( f );
		} while ( inner.kind != bv_motion_of_turn );
		bv_motion parts[2] = { inner, inner };
		parts[1].start = inner.start;
		const double ends[2] = { 0.5, 1 };
		bv_motion m = bv_motion_callback( circle_pose, &inner, inner.pivot,
		                                  bv_length( inner.shift ) * ( 1 + 1e-15 ), fabs( inner.angle ) );
		m.scale = inner.scale;
		m.mirror = inner.mirror;
		if ( i % 2 )
		{
			m = bv_motion_sequence( parts, ends, 2 );
		}
		bv_volume v = random_volume( f, (bv_volume_type)( i % bv_volume_types ) );
		bv_volume_type type = (bv_volume_type)( i / bv_volume_types % bv_volume_types );
		bv_volume swept = sweep( &m, 0.25, 0.75, &v, type, i % 3 ? bv_swept_by_ends : bv_swept_by_reach );
		for ( int k = 0; k < points_each; ++k )
		{
			long_point x;
			if ( draw_point( f, &v, &x ) )
			{
				double time = 0.25 + 0.5 * random_unit( f );
				double own = i % 2 ? ( time < 0.5 ? 2 * time : 2 * time - 1 ) : time;
				assert_true( outside_of( &swept, exact_image( &inner, own, x ) ) <=
				             0x1p-48L * volume_size( &swept ) );
			}
		}
	}
}

static bool leaves_ball( const bv_sphere* ball, long_point x, double tolerance )
{
	return long_distance( x, long_of( ball->center ) ) > ball->radius + tolerance;
}

// The printed rule by ends: volumes around both poses, which points leave between them. Of 100,000 random points, motions up to
// half a turn and boxes, or balls in their centers: balls of balls 3,560, AABBs of balls 11,068, boxes of balls 23,911,
// balls of boxes 968, AABBs of boxes 5,741, boxes of boxes 9,591. At the ends themselves it is 0, unless the center of a
// box is taken in the coordinates of the box, as printed: 62,474.
static void printed_ends_miss_the_arc( void** state )
{
	fixture* f = *state;
	enum
	{
		made = 6,
	};
	int left[made] = { 0 };
	int left_at_ends = 0;
	int left_in_box_coordinates = 0;
	int left_by_ours = 0;
	const int count = is_thorough() ? 100000 : 20000;
	for ( int i = 0; i < count; ++i )
	{
		bv_transform start = random_placement( f, 1, false, 1 );
		bv_transform turn = bv_transform_identity();
		assert_int_equal( bv_transform_from_axis_angle( random_direction( f ), pi * random_unit( f ),
		                                                random_vector( f, 1 ), &turn ),
		                  bv_ok );
		bv_transform end = bv_transform_compose( &turn, &start );
		bv_motion m;
		assert_int_equal( bv_motion_slerp( &start, &end, random_vector( f, 1 ), &m ), bv_ok );
		bv_transform last;
		assert_int_equal( bv_motion_at( &m, 1, &last ), bv_ok );
		bv_volume v = { .type = bv_volume_obb };
		v.obb.center = random_vector( f, 1 );
		for ( int k = 0; k < 3; ++k )
		{
			v.obb.axis[k] = bv_vec3_make( k == 0, k == 1, k == 2 );
			v.obb.half_extents[k] = 0.1 + random_unit( f );
		}
		const bv_volume ball = { .type = bv_volume_sphere, .sphere = { v.obb.center, 0.3 } };
		const bv_pose* a = &m.start;
		const bv_pose* b = &last.pose;
		bv_volume around[made] = {
			{ .type = bv_volume_sphere, .sphere = printed_ball_of_ball( &ball.sphere, a, b ) },
			{ .type = bv_volume_aabb, .aabb = printed_aabb_of_ball( &ball.sphere, a, b ) },
			{ .type = bv_volume_obb, .obb = printed_box_of_ball( &ball.sphere, a, b ) },
			{ .type = bv_volume_sphere, .sphere = printed_ball_of_box( &v.obb, a, b ) },
			{ .type = bv_volume_aabb, .aabb = printed_aabb_of_box( &v.obb, a, b ) },
			{ .type = bv_volume_obb, .obb = printed_box_of_box( &v.obb, a, b, true ) },
		};
		const bv_volume local = { .type = bv_volume_obb, .obb = printed_box_of_box( &v.obb, a, b, false ) };
		double time = random_unit( f );
		double nearest_end = time < 0.5 ? 0 : 1;
		for ( int k = 0; k < made; ++k )
		{
			const bv_volume* what = k < 3 ? &ball : &v;
			long_point x;
			if ( !draw_point( f, what, &x ) )
			{
				continue;
			}
			left[k] += outside_of( around + k, exact_image( &m, time, x ) ) > 1e-9;
			left_at_ends += outside_of( around + k, exact_image( &m, nearest_end, x ) ) > 1e-9;
			left_in_box_coordinates +=
				k == 5 && outside_of( &local, exact_image( &m, nearest_end, x ) ) > 1e-9;
			bv_volume ours = sweep( &m, 0, 1, what, around[k].type, bv_swept_by_ends );
			left_by_ours += outside_of( &ours, exact_image( &m, time, x ) ) > 1e-9;
		}
	}
	for ( int k = 0; k < made; ++k )
	{
		if ( !( left[k] > count / 200 ) )
		{
			fail_msg( "only %d of %d points left printed volume %d", left[k], count, k );
		}
	}
	assert_int_equal( left_at_ends, 0 );
	assert_true( left_in_box_coordinates > count / 3 );
	assert_int_equal( left_by_ours, 0 );
}

// A ball that moves along the first axis, or not at all, has no printed box.
static void printed_box_of_a_ball_is_not_a_number( void** state )
{
	(void)state;
	const bv_volume ball = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 1 } };
	const double moves[3] = { 0, 3, -3 };
	for ( int i = 0; i < 3; ++i )
	{
		bv_transform start = bv_transform_identity();
		bv_transform end = bv_transform_translation( moves[i], 0, 0 );
		bv_obb printed = printed_box_of_ball( &ball.sphere, &start.pose, &end.pose );
		assert_true( isnan( printed.axis[1].y ) );
		bv_motion m;
		assert_int_equal( bv_motion_slerp( &start, &end, origin, &m ), bv_ok );
		bv_volume ours = sweep( &m, 0, 1, &ball, bv_volume_obb, bv_swept_by_ends );
		assert_near( size_along( ours.obb.half_extents ), 3 + fabs( moves[i] ) / 2 );
	}
}

// The object's origin is 10 from the world's and turns by 1 rad about that: it moves by a chord of 2 * 10 sin( 1 / 2 ) along a
// line if it is its pivot. The printed length is that of an axis through the world's origin, and of no translation. A point
// that this axis passes through at the start has the printed length 0, although it is moved by 1.22 halfway; and the ball is
// left.
static void printed_length_is_of_another_motion( void** state )
{
	(void)state;
	bv_transform start = bv_transform_translation( 10, 0, 0 );
	bv_transform relative;
	const bv_vec3 axis = { 0, 0, 1 };
	assert_int_equal( bv_transform_from_axis_angle( axis, 1, origin, &relative ), bv_ok );
	bv_transform end = bv_transform_compose( &relative, &start );
	bv_motion m;
	assert_int_equal( bv_motion_slerp( &start, &end, origin, &m ), bv_ok );

	// The point that is at the world's origin at the start, nearly, for at the origin itself 0 is divided by 0.
	const bv_sphere point = { { -10, 0, 0 }, 0 };
	assert_true( isnan( printed_motion_length( origin, 0.1, axis, &relative.pose ) ) );
	double length = printed_motion_length( bv_vec3_make( 1e-9, 0, 0 ), 0, axis, &relative.pose );
	assert_true( length < 1e-8 );
	long_point at_start = exact_image( &m, 0, long_of( point.center ) );
	long_point half = exact_image( &m, 0.5, long_of( point.center ) );
	assert_near( (double)long_distance( at_start, half ), 1.2241743810962724 );
	double reach;
	assert_int_equal( bv_motion_reach( &m, 0, 1, 0, &point, &reach ), bv_ok );
	assert_true( reach > 1.2241743810962724 );

	// A ball around it by the printed rule, and by ours.
	const bv_sphere grown = {
		{ 1e-9, 0, 0 }, 0.1 + printed_motion_length( bv_vec3_make( 1e-9, 0, 0 ), 0.1, axis, &relative.pose )
	};
	assert_true( leaves_ball( &grown, half, 1 ) );
	const bv_volume ball = { .type = bv_volume_sphere, .sphere = { point.center, 0.1 } };
	for ( int rule = 0; rule < bv_swept_rules; ++rule )
	{
		bv_volume ours = sweep( &m, 0, 1, &ball, bv_volume_sphere, (bv_swept_rule)rule );
		assert_false( leaves_ball( &ours.sphere, half, 0 ) );
	}

	// Far from the world's origin, the printed length has nothing to do with the object: 1,000 away, half a degree about its
	// own origin is an enlargement by 17 for a ball of radius 1; it moves by 0.0087.
	bv_transform far = bv_transform_translation( 1000, 0, 0 );
	assert_int_equal( bv_transform_from_axis_angle( axis, pi / 360, bv_vec3_make( 1000, 0, 0 ), &end ),
	                  bv_ok );
	assert_int_equal( bv_motion_slerp( &far, &end, origin, &m ), bv_ok );
	bv_transform back = bv_transform_inverse( &far );
	bv_transform rel = bv_transform_compose( &end, &back );
	double printed = printed_motion_length( far.pose.translation, 1, axis, &rel.pose );
	const bv_sphere unit = { { 0, 0, 0 }, 1 };
	assert_int_equal( bv_motion_reach( &m, 0, 1, 0, &unit, &reach ), bv_ok );
	assert_true( printed > 17 && reach < 0.0088 );
}

static void bad_volumes_are_rejected( void** state )
{
	fixture* f = *state;
	bv_transform start = bv_transform_identity();
	bv_motion m;
	assert_int_equal( bv_motion_still( &start, &m ), bv_ok );
	bv_volume out = { .type = bv_volume_sphere, .sphere = { .radius = 7 } };
	const bv_volume ball = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 1 } };
	const double bad[] = { NAN, INFINITY, -1, 1.01 * BV_MAX_LENGTH };
	for ( int i = 0; i < 4; ++i )
	{
		bv_volume v = ball;
		v.sphere.radius = bad[i];
		assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &v, bv_volume_obb, 0, &out ), bv_error_argument );
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			v = random_volume( f, (bv_volume_type)type );
			double x = bad[i] < 0 ? -bad[2] * INFINITY : bad[i];
			switch ( type )
			{
			case bv_volume_obb:
			case bv_volume_prism: v.obb.half_extents[1] = bad[i]; break;
			case bv_volume_aabb: v.aabb.lower.y = x; break;
			case bv_volume_sphere: v.sphere.center.z = x; break;
			case bv_volume_rss: v.rss.half_extents[0] = bad[i]; break;
			default: v.kdop.lower[2] = x;
			}
			assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &v, bv_volume_obb, 0, &out ),
			                  bv_error_argument );
		}
		assert_int_equal( bv_motion_swept_volume( &m, i == 0 ? NAN : -0.1, 1, &ball, bv_volume_obb, 0, &out ),
		                  bv_error_argument );
		assert_int_equal( bv_motion_swept_volume( &m, 0, i == 0 ? NAN : 1.1, &ball, bv_volume_obb, 0, &out ),
		                  bv_error_argument );
	}
	bv_volume v = random_volume( f, bv_volume_obb );
	v.obb.axis[0] = bv_scale( 1.001, v.obb.axis[0] );
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &v, bv_volume_obb, 0, &out ), bv_error_argument );
	v = random_volume( f, bv_volume_kdop18 );
	v.type = bv_volume_kdop26;
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &v, bv_volume_obb, 0, &out ), bv_error_argument );
	v.type = bv_volume_types;
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &v, bv_volume_obb, 0, &out ), bv_error_argument );
	assert_int_equal( bv_motion_swept_volume( &m, 0.6, 0.5, &ball, bv_volume_obb, 0, &out ),
	                  bv_error_argument );
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &ball, bv_volume_types, 0, &out ),
	                  bv_error_argument );
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &ball, bv_volume_obb, bv_swept_rules, &out ),
	                  bv_error_argument );
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, NULL, bv_volume_obb, 0, &out ), bv_error_argument );
	assert_int_equal( bv_motion_swept_volume( NULL, 0, 1, &ball, bv_volume_obb, 0, &out ),
	                  bv_error_argument );
	assert_int_equal( bv_motion_swept_volume( &m, 0, 1, &ball, bv_volume_obb, 0, NULL ), bv_error_argument );
	assert_true( out.type == bv_volume_sphere && out.sphere.radius == 7 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_point_leaves_a_swept_volume ),
		cmocka_unit_test( sizes_are_closed_forms ),
		fixture_test( still_volumes_do_not_grow ),
		cmocka_unit_test( boxes_with_tilted_axes_are_enclosed ),
		fixture_test( callbacks_and_sequences_are_swept ),
		fixture_test( printed_ends_miss_the_arc ),
		cmocka_unit_test( printed_box_of_a_ball_is_not_a_number ),
		cmocka_unit_test( printed_length_is_of_another_motion ),
		fixture_test( bad_volumes_are_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

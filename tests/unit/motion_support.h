// Random motions, and where they take points, in long double and from the definition in bv/motion.h.

#pragma once

#include "support.h"

#include "bv/motion.h"
#include "tests/reference/rotations.h"

#include <float.h>

typedef struct long_point
{
	long double x[3];
} long_point;

static inline long_point long_of( bv_vec3 v )
{
	return ( long_point ){ { v.x, v.y, v.z } };
}

static inline long double long_distance( long_point a, long_point b )
{
	long double x = a.x[0] - b.x[0];
	long double y = a.x[1] - b.x[1];
	long double z = a.x[2] - b.x[2];
	return sqrtl( x * x + y * y + z * z );
}

static inline long_point long_image( const long_matrix* m, long_point p )
{
	long_point out;
	for ( int i = 0; i < 3; ++i )
	{
		out.x[i] = m->at[i][0] * p.x[0] + m->at[i][1] * p.x[1] + m->at[i][2] * p.x[2];
	}
	return out;
}

static inline long_matrix long_rotation( const bv_pose* pose )
{
	long_matrix out;
	for ( int i = 0; i < 9; ++i )
	{
		out.at[i / 3][i % 3] = pose->rotation[i / 3][i % 3];
	}
	return out;
}

static inline long_point long_scaled( double scale, bool mirror, long_point p )
{
	long double s = scale == 0 ? 1 : scale;
	return ( long_point ){ { mirror ? -s * p.x[0] : s * p.x[0], s * p.x[1], s * p.x[2] } };
}

// Where a transform takes a point, without rounding to binary64.
static inline long_point long_transformed( const bv_transform* t, long_point p )
{
	long_matrix r = long_rotation( &t->pose );
	long_point out = long_image( &r, long_scaled( t->scale, t->mirror, p ) );
	long_point by = long_of( t->pose.translation );
	for ( int i = 0; i < 3; ++i )
	{
		out.x[i] += by.x[i];
	}
	return out;
}

// The product of time and angle is split into two exact parts: long double has too few digits for many turns.
static inline long_matrix long_turn( const bv_motion* m, double time )
{
	if ( m->kind == bv_motion_of_nlerp )
	{
		long double h = (long double)m->angle / 2;
		return rotation_about( m->axis,
		                       2 * atan2l( time * sinl( h ), 1 - (long double)time + time * cosl( h ) ) );
	}
	double high = time * m->angle;
	double low = fma( time, m->angle, -high );
	long_matrix a = rotation_about( m->axis, high );
	long_matrix b = rotation_about( m->axis, low );
	return long_matrix_product( &a, &b );
}

// Of a motion that is neither a callback nor a sequence: Rot( R x - R p ) + R p + s + t shift.
static inline long_point exact_image( const bv_motion* m, double time, long_point x )
{
	long_matrix r = long_rotation( &m->start );
	long_point p = long_image( &r, long_scaled( m->scale, m->mirror, long_of( m->pivot ) ) );
	long_point from = long_image( &r, long_scaled( m->scale, m->mirror, x ) );
	bool turns = m->kind != bv_motion_of_pose && m->angle != 0;
	bool shifts = m->kind != bv_motion_of_pose;
	long_point out = from;
	if ( turns )
	{
		long_matrix turn = long_turn( m, time );
		for ( int i = 0; i < 3; ++i )
		{
			from.x[i] -= p.x[i];
		}
		out = long_image( &turn, from );
		for ( int i = 0; i < 3; ++i )
		{
			out.x[i] += p.x[i];
		}
	}
	long_point s = long_of( m->start.translation );
	long_point shift = long_of( m->shift );
	for ( int i = 0; i < 3; ++i )
	{
		out.x[i] += s.x[i] + ( shifts ? time * shift.x[i] : 0 );
	}
	return out;
}

static inline double random_signed( fixture* f )
{
	return 2 * random_unit( f ) - 1;
}

static inline bv_vec3 random_vector( fixture* f, double size )
{
	double x = size * random_signed( f );
	double y = size * random_signed( f );
	return ( bv_vec3 ){ x, y, size * random_signed( f ) };
}

// Uniform on the sphere.
static inline bv_vec3 random_direction( fixture* f )
{
	bv_vec3 v;
	do
	{
		v = random_vector( f, 1 );
	} while ( bv_length( v ) > 1 || bv_length( v ) < 0.1 );
	return bv_normalize( v );
}

// Sizes from 1e-3 to 1e3, or 0.
static inline double random_size( fixture* f )
{
	return random_bits( f ) % 8 == 0 ? 0 : pow( 10, 6 * random_unit( f ) - 3 );
}

static inline bv_transform random_placement( fixture* f, double scale, bool mirror, double away )
{
	bv_transform t;
	double angle = 3.2 * random_signed( f );
	bv_vec3 axis = random_direction( f );
	assert_int_equal( bv_transform_from_axis_angle( axis, angle, random_vector( f, away ), &t ), bv_ok );
	t.scale = scale;
	t.mirror = mirror;
	return t;
}

// A pose at an angle from another one: of all sizes, 0 and half a turn among them.
static inline bv_transform random_end( fixture* f, const bv_transform* start )
{
	static const double angles[] = { 0, 1e-15, 1e-9, 1e-3, 0.1, 1, 2, 3.1, 3.14159265358979323846 };
	double angle = angles[random_bits( f ) % 9] * ( random_bits( f ) % 2 ? 1 : random_unit( f ) );
	bv_transform turn;
	assert_int_equal(
		bv_transform_from_axis_angle( random_direction( f ), angle, bv_vec3_make( 0, 0, 0 ), &turn ), bv_ok );
	bv_transform end = bv_transform_compose( &turn, start );
	end.pose.translation = bv_add( start->pose.translation, random_vector( f, random_size( f ) ) );
	return end;
}

// Neither a callback nor a sequence.
static inline bv_motion random_motion( fixture* f )
{
	double scale = random_bits( f ) % 2 ? 1 : pow( 10, 4 * random_unit( f ) - 2 );
	bv_transform start = random_placement( f, scale, random_bits( f ) % 2, random_size( f ) );
	bv_transform end = random_end( f, &start );
	bv_vec3 pivot = random_vector( f, random_size( f ) );
	bv_motion m;
	bv_status status = bv_error_internal;
	switch ( random_bits( f ) % 5 )
	{
	case 0: status = bv_motion_still( &start, &m ); break;
	case 1: status = bv_motion_slerp( &start, &end, pivot, &m ); break;
	case 2: status = bv_motion_nlerp( &start, &end, pivot, &m ); break;
	case 3: status = bv_motion_screw_between( &start, &end, &m ); break;
	case 4:
		status = bv_motion_screw( &start, random_vector( f, random_size( f ) ), random_vector( f, 5 ),
		                          random_signed( f ) * pow( 10, 7 * random_unit( f ) - 3 ),
		                          random_signed( f ) * random_size( f ), &m );
		break;
	}
	assert_int_equal( status, bv_ok );
	return m;
}

// A point of a ball, on its surface every other time.
static inline long_point random_ball_point( fixture* f, const bv_sphere* ball )
{
	bv_vec3 d = random_direction( f );
	double r = ball->radius * ( random_bits( f ) % 2 ? 1 : random_unit( f ) );
	long_point out = long_of( ball->center );
	out.x[0] += (long double)r * d.x;
	out.x[1] += (long double)r * d.y;
	out.x[2] += (long double)r * d.z;
	// The direction is a unit vector to rounding only.
	long double length = long_distance( out, long_of( ball->center ) );
	for ( int i = 0; i < 3 && length > ball->radius; ++i )
	{
		long double c = i == 0 ? ball->center.x : i == 1 ? ball->center.y : ball->center.z;
		out.x[i] = c + ( out.x[i] - c ) * ( ball->radius / length ) * ( 1 - 0x1p-62L );
	}
	return out;
}

static inline bv_sphere random_ball( fixture* f )
{
	return ( bv_sphere ){ random_vector( f, random_size( f ) ), random_size( f ) };
}

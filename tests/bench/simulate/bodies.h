// Rigid bodies of the bench simulator: shapes with mass properties, semi-implicit Euler, elastic impulses.

#pragma once

#include "bv/contact.h"

#include <math.h>

// A convex shape, of density 1.
typedef struct sim_shape
{
	bv_convex convex;
	bv_vec3 center;      // of mass, in coordinates of `convex`
	double volume;       // before it is scaled; 0 for half-spaces, which do not move
	bv_vec3 inertia[3];  // rows of the tensor about `center`
	double radius;       // of a ball around `center`
	double size;         // what lengths are compared with: the diameter of a ball, the edge of a cube
	const bv_file* mesh; // instead of `convex`; otherwise null
} sim_shape;

typedef struct sim_body
{
	const sim_shape* shape;
	double scale;
	bv_vec3 position; // of the center of mass
	bv_quaternion turn;
	bv_vec3 velocity;
	bv_vec3 spin;
	double inverse_mass;        // 0 for bodies that do not move
	bv_vec3 inverse_inertia[3]; // rows, in coordinates of the body
	bv_vec3 turned_inverse[3];  // the same in world coordinates
	bv_vec3 rotation[3];        // rows, of `turn`
} sim_body;

static const double sim_pi = 3.14159265358979323846;

// @param m  rows of a matrix
static inline bv_vec3 sim_times( const bv_vec3 m[3], bv_vec3 v )
{
	return bv_vec3_make( bv_dot( m[0], v ), bv_dot( m[1], v ), bv_dot( m[2], v ) );
}

static inline bv_vec3 sim_times_transposed( const bv_vec3 m[3], bv_vec3 v )
{
	return bv_add( bv_add( bv_scale( v.x, m[0] ), bv_scale( v.y, m[1] ) ), bv_scale( v.z, m[2] ) );
}

static inline sim_shape sim_diagonal_shape( bv_convex convex, double volume, bv_vec3 moments, double radius,
                                            double size )
{
	sim_shape s = { .convex = convex, .volume = volume, .radius = radius, .size = size };
	s.inertia[0].x = moments.x;
	s.inertia[1].y = moments.y;
	s.inertia[2].z = moments.z;
	return s;
}

static inline sim_shape sim_sphere( double radius )
{
	double volume = 4 * sim_pi / 3 * radius * radius * radius;
	double i = 0.4 * volume * radius * radius;
	return sim_diagonal_shape( bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), radius ), volume,
	                           bv_vec3_make( i, i, i ), radius, 2 * radius );
}

// A sphere that the library takes for any ellipsoid.
static inline sim_shape sim_round_ellipsoid( double radius )
{
	sim_shape s = sim_sphere( radius );
	bv_obb box = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		           .half_extents = { radius, radius, radius } };
	s.convex = bv_convex_ellipsoid( &box );
	return s;
}

static inline sim_shape sim_box( bv_vec3 h )
{
	double volume = 8 * h.x * h.y * h.z;
	bv_vec3 moments = bv_scale(
		volume / 3, bv_vec3_make( h.y * h.y + h.z * h.z, h.x * h.x + h.z * h.z, h.x * h.x + h.y * h.y ) );
	return sim_diagonal_shape( bv_convex_box( bv_vec3_make( 0, 0, 0 ), h ), volume, moments, bv_length( h ),
	                           2 * fmin( h.x, fmin( h.y, h.z ) ) );
}

// Along the z axis.
static inline sim_shape sim_cylinder( double radius, double half )
{
	double volume = 2 * sim_pi * radius * radius * half;
	double across = volume * ( radius * radius / 4 + half * half / 3 );
	return sim_diagonal_shape(
		bv_convex_cylinder( bv_vec3_make( 0, 0, -half ), bv_vec3_make( 0, 0, half ), radius ), volume,
		bv_vec3_make( across, across, volume * radius * radius / 2 ), hypot( radius, half ),
		2 * fmin( radius, half ) );
}

// Along the z axis. The segment is 2 * half long.
static inline sim_shape sim_capsule( double radius, double half )
{
	sim_shape rod = sim_cylinder( radius, half );
	sim_shape ball = sim_sphere( radius );
	double across = rod.inertia[0].x + ball.inertia[0].x +
	                ball.volume * ( half * half + 0.75 * half * radius ); // two half balls, moved apart
	return sim_diagonal_shape(
		bv_convex_capsule( bv_vec3_make( 0, 0, -half ), bv_vec3_make( 0, 0, half ), radius ),
		rod.volume + ball.volume, bv_vec3_make( across, across, rod.inertia[2].z + ball.inertia[2].z ),
		half + radius, 2 * radius );
}

// What is on the other side of a plane from its normal.
static inline sim_shape sim_half_space( bv_vec3 normal, double offset )
{
	return sim_diagonal_shape( bv_convex_half_space( normal, offset ), 0, bv_vec3_make( 0, 0, 0 ), INFINITY,
	                           INFINITY );
}

// After a change of `turn`.
static inline void sim_body_turned( sim_body* b )
{
	double x = b->turn.x, y = b->turn.y, z = b->turn.z, w = b->turn.w;
	bv_vec3 r[3] = { { 1 - 2 * ( y * y + z * z ), 2 * ( x * y - z * w ), 2 * ( x * z + y * w ) },
		             { 2 * ( x * y + z * w ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - x * w ) },
		             { 2 * ( x * z - y * w ), 2 * ( y * z + x * w ), 1 - 2 * ( x * x + y * y ) } };
	for ( int i = 0; i < 3; ++i )
	{
		b->rotation[i] = r[i];
		b->turned_inverse[i] = sim_times( r, sim_times( b->inverse_inertia, r[i] ) );
	}
}

static inline sim_body sim_make_body( const sim_shape* shape, double scale, bv_vec3 position,
                                      bv_quaternion turn )
{
	sim_body b = { .shape = shape, .scale = scale, .position = position, .turn = turn };
	if ( shape->volume > 0 )
	{
		b.inverse_mass = 1 / ( shape->volume * scale * scale * scale );
		bv_vec3 row[3];
		for ( int i = 0; i < 3; ++i )
		{
			row[i] = bv_scale( pow( scale, 5 ), shape->inertia[i] );
		}
		double determinant = bv_dot( row[0], bv_cross( row[1], row[2] ) );
		// The tensor is symmetric.
		for ( int i = 0; i < 3; ++i )
		{
			b.inverse_inertia[i] =
				bv_scale( 1 / determinant, bv_cross( row[( i + 1 ) % 3], row[( i + 2 ) % 3] ) );
		}
	}
	sim_body_turned( &b );
	return b;
}

static inline bv_transform sim_placement( const sim_body* b )
{
	bv_transform t = { .scale = b->scale };
	for ( int i = 0; i < 3; ++i )
	{
		t.pose.rotation[i][0] = b->rotation[i].x;
		t.pose.rotation[i][1] = b->rotation[i].y;
		t.pose.rotation[i][2] = b->rotation[i].z;
	}
	t.pose.translation =
		bv_sub( b->position, sim_times( b->rotation, bv_scale( b->scale, b->shape->center ) ) );
	return t;
}

// @return the angular momentum about the center of mass
static inline bv_vec3 sim_angular_momentum( const sim_body* b )
{
	double s = b->scale;
	bv_vec3 spin = sim_times_transposed( b->rotation, b->spin );
	return sim_times( b->rotation, bv_scale( s * s * s * s * s, sim_times( b->shape->inertia, spin ) ) );
}

static inline bv_quaternion sim_turned( bv_quaternion from, bv_vec3 spin, double time )
{
	bv_quaternion s = { time / 2 * spin.x, time / 2 * spin.y, time / 2 * spin.z, 0 };
	bv_quaternion d = bv_quaternion_multiply( s, from );
	bv_quaternion q = { from.x + d.x, from.y + d.y, from.z + d.z, from.w + d.w };
	double scale = 1 / sqrt( ( q.x * q.x + q.y * q.y ) + ( q.z * q.z + q.w * q.w ) );
	return ( bv_quaternion ){ scale * q.x, scale * q.y, scale * q.z, scale * q.w };
}

// Semi-implicit Euler: with the new velocity. Angular momentum is kept, so that spins of bodies that are not round precess; the
// spin in the middle of the step keeps their energy to second order.
static inline void sim_move( sim_body* b, double time )
{
	b->position = bv_add( b->position, bv_scale( time, b->velocity ) );
	bv_quaternion from = b->turn;
	bv_vec3 momentum = sim_angular_momentum( b );
	b->turn = sim_turned( from, b->spin, time / 2 );
	sim_body_turned( b );
	b->turn = sim_turned( from, sim_times( b->turned_inverse, momentum ), time );
	sim_body_turned( b );
	b->spin = sim_times( b->turned_inverse, momentum );
}

// @param r  from the center of mass, world units
static inline bv_vec3 sim_velocity_at( const sim_body* b, bv_vec3 r )
{
	return bv_add( b->velocity, bv_cross( b->spin, r ) );
}

static inline void sim_push( sim_body* b, bv_vec3 r, bv_vec3 impulse )
{
	b->velocity = bv_add( b->velocity, bv_scale( b->inverse_mass, impulse ) );
	b->spin = bv_add( b->spin, sim_times( b->turned_inverse, bv_cross( r, impulse ) ) );
}

// @return the change of the relative velocity along a direction per impulse along it
static inline double sim_response( const sim_body* a, bv_vec3 ra, const sim_body* b, bv_vec3 rb, bv_vec3 n )
{
	bv_vec3 ca = bv_cross( ra, n );
	bv_vec3 cb = bv_cross( rb, n );
	return ( a->inverse_mass + b->inverse_mass ) + ( bv_dot( ca, sim_times( a->turned_inverse, ca ) ) +
	                                                 bv_dot( cb, sim_times( b->turned_inverse, cb ) ) );
}

// An elastic impulse without friction, if the bodies approach each other. It keeps energy, momentum and angular momentum.
// @param at      the point of contact, world units
// @param normal  unit vector from a to b
// @return whether there was one
static inline bool sim_bounce( sim_body* a, sim_body* b, bv_vec3 ra, bv_vec3 rb, bv_vec3 normal )
{
	double speed = bv_dot( normal, bv_sub( sim_velocity_at( b, rb ), sim_velocity_at( a, ra ) ) );
	if ( speed >= 0 )
	{
		return false;
	}
	bv_vec3 impulse = bv_scale( -2 * speed / sim_response( a, ra, b, rb, normal ), normal );
	sim_push( a, ra, bv_negate( impulse ) );
	sim_push( b, rb, impulse );
	return true;
}

// @return of motion; 0 for bodies that do not move
static inline double sim_kinetic_energy( const sim_body* b )
{
	if ( b->inverse_mass <= 0 )
	{
		return 0;
	}
	return 0.5 * ( bv_dot( b->velocity, b->velocity ) / b->inverse_mass +
	               bv_dot( b->spin, sim_angular_momentum( b ) ) );
}

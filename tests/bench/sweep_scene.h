// Motions that bench_sweeps runs: rods, plates and needles through walls, and pairs of meshes. They depend on a seed only. In C++.

#pragma once

#include "bv/convex.h"
#include "bv/motion.h"
#include "tests/bench/measure.h"

#include <cmath>
#include <memory>
#include <vector>

// SplitMix64 (Steele, Lea, Flood 2014).
struct sweep_random
{
	uint64_t state;

	uint64_t bits()
	{
		uint64_t z = state += 0x9e3779b97f4a7c15u;
		z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
		z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
		return z ^ ( z >> 31 );
	}

	// In [0, 1).
	double unit()
	{
		return (double)( bits() >> 11 ) * 0x1p-53;
	}

	// Uniform in the ball of radius 1.
	bv_vec3 in_ball()
	{
		for ( ;; )
		{
			bv_vec3 v = { 2 * unit() - 1, 2 * unit() - 1, 2 * unit() - 1 };
			if ( bv_dot( v, v ) <= 1 && bv_dot( v, v ) > 1e-6 )
			{
				return v;
			}
		}
	}

	bv_vec3 direction()
	{
		return bv_normalize( in_ball() );
	}

	// Uniform in all rotations (Marsaglia 1972).
	bv_quaternion rotation()
	{
		for ( ;; )
		{
			bv_quaternion q = { 2 * unit() - 1, 2 * unit() - 1, 2 * unit() - 1, 2 * unit() - 1 };
			double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
			if ( square <= 1 && square > 1e-6 )
			{
				double s = 1 / std::sqrt( square );
				return { s * q.x, s * q.y, s * q.z, s * q.w };
			}
		}
	}
};

[[noreturn]] static inline void sweep_fail( const char* what )
{
	fprintf( stderr, "bench_sweeps: %s\n", what );
	exit( 2 );
}

static inline bv_transform place( bv_quaternion turn, bv_vec3 at )
{
	bv_transform out;
	if ( bv_transform_from_quaternion( turn, at, &out ) != bv_ok )
	{
		sweep_fail( "a rotation is invalid" );
	}
	return out;
}

static inline bv_motion still()
{
	bv_motion out;
	bv_transform here = bv_transform_identity();
	bv_motion_still( &here, &out );
	return out;
}

// Where b is in coordinates of a.
static inline bv_transform relative_at( const bv_motion& a, const bv_motion& b, double time )
{
	bv_transform at[2];
	if ( bv_motion_at( &a, time, at ) != bv_ok || bv_motion_at( &b, time, at + 1 ) != bv_ok )
	{
		sweep_fail( "a motion is invalid" );
	}
	return bv_transform_between( at, at + 1 );
}

// A thing flies and turns through a wall around the plane z = 0. Its center passes z = 0 inside of the wall at the time `passes`: there
// is a contact until then. At times 0 and 1 they are apart.
struct passage
{
	bv_vec3 wall; // half extents
	bool is_round;
	bv_vec3
		half; // of a box, or of the box around a capsule: its segment has the length 2 half.z - 2 radius along z
	double radius;  // of a capsule
	double angle;   // radians
	double passes;  // 0.3 to 0.5, so that no sampling by equal steps meets it
	bv_motion spin; // of the thing

	bv_convex wall_shape() const
	{
		return bv_convex_box( { 0, 0, 0 }, wall );
	}

	double segment() const
	{
		return half.z - radius;
	}

	bv_convex thing_shape() const
	{
		return is_round ? bv_convex_capsule( { 0, 0, -segment() }, { 0, 0, segment() }, radius )
		                : bv_convex_box( { 0, 0, 0 }, half );
	}
};

static inline passage make_passage( uint64_t index )
{
	sweep_random random = { 0x5eed0000u + 977 * index };
	passage p = {};
	p.wall = { 10, 10, 0.5 * std::pow( 10, -4 * random.unit() ) };
	double width = 0.5 * std::pow( 10, -4 * random.unit() );
	p.is_round = index % 3 == 2;
	p.radius = p.is_round ? width : 0;
	p.half = { index % 3 == 1 ? 1 : width, width, p.is_round ? 1 + width : 1 };
	double height = 3 + 97 * random.unit();
	bv_transform start = place( random.rotation(), { 2 * random.unit() - 1, 2 * random.unit() - 1, height } );
	p.angle = 40 * random.unit();
	if ( bv_motion_screw( &start, start.pose.translation, random.direction(), p.angle, 0, &p.spin ) != bv_ok )
	{
		sweep_fail( "a screw is invalid" );
	}
	p.spin.pivot = { 0, 0, 0 };
	p.passes = 0.3 + 0.2 * random.unit();
	p.spin.shift = { 0, 0, -height / p.passes };
	return p;
}

// Motions of two meshes whose diagonals are 2.
struct mesh_motion
{
	bv_motion of[2];
};

// Turns about the origin of the object.
static inline bv_motion turn_between( sweep_random& random, bv_vec3 from, bv_vec3 to )
{
	bv_quaternion start = random.rotation();
	bv_quaternion by;
	bv_motion out;
	bv_quaternion_from_axis_angle( random.direction(), 3.14 * random.unit(), &by );
	bv_transform begin = place( start, from );
	bv_transform end = place( bv_quaternion_multiply( by, start ), to );
	if ( bv_motion_slerp( &begin, &end, { 0, 0, 0 }, &out ) != bv_ok )
	{
		sweep_fail( "a slerp is invalid" );
	}
	return out;
}

// Near: the centers are 0.6 diagonals apart at time 0, and at most as far at time 1. Far: 1 to 5 diagonals apart, and as far on the
// other side at time 1, to 0.6 diagonals. Both turn by up to pi, and the first one moves by up to 0.1 diagonals.
static inline mesh_motion make_mesh_motion( sweep_random& random, bool is_far )
{
	bv_vec3 from = bv_scale( is_far ? 2 + 8 * random.unit() : 1.2, random.direction() );
	bv_vec3 to = bv_scale( 1.2, random.in_ball() );
	to = is_far ? bv_sub( to, from ) : to;
	mesh_motion out;
	out.of[0] = turn_between( random, { 0, 0, 0 }, bv_scale( 0.2, random.in_ball() ) );
	out.of[1] = turn_between( random, from, to );
	return out;
}

struct sweep_answer
{
	bool found;
	double time;
};

// Oriented box against oriented box.
//
// What must come out is known in three ways that share nothing with the code under test. Boxes built around a
// common point overlap, and boxes built on either side of a plane do not. For the rest, a reference projects
// all corners of both boxes, in long double, on the fifteen directions that can separate two boxes.

#include "runtime/volume/boxes.h"
#include "runtime/volume/packed_obb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

typedef struct real3
{
	long double c[3];
} real3;

static real3 exact( bv_vec3 v )
{
	return ( real3 ){ { v.x, v.y, v.z } };
}

static bv_vec3 nearest( real3 v )
{
	return ( bv_vec3 ){ (double)v.c[0], (double)v.c[1], (double)v.c[2] };
}

static real3 sum( real3 a, long double factor, real3 b )
{
	return ( real3 ){ { a.c[0] + factor * b.c[0], a.c[1] + factor * b.c[1], a.c[2] + factor * b.c[2] } };
}

static long double dot( real3 a, real3 b )
{
	return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static real3 cross( real3 a, real3 b )
{
	return ( real3 ){ { a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2],
		                a.c[0] * b.c[1] - a.c[1] * b.c[0] } };
}

static real3 row_of( const bv_pose* pose, int i )
{
	return ( real3 ){ { pose->rotation[i][0], pose->rotation[i][1], pose->rotation[i][2] } };
}

static real3 rotated( const bv_pose* pose, real3 v )
{
	return (
		real3 ){ { dot( row_of( pose, 0 ), v ), dot( row_of( pose, 1 ), v ), dot( row_of( pose, 2 ), v ) } };
}

// A box with its edges as vectors from its center: what a pose makes of a bv_obb.
typedef struct solid
{
	real3 center;
	real3 axis[3];
	real3 edge[3]; // half of each
} solid;

static solid solid_of( const bv_obb* box, const bv_pose* pose )
{
	solid s;
	s.center = sum( rotated( pose, exact( box->center ) ), 1, exact( pose->translation ) );
	for ( int i = 0; i < 3; ++i )
	{
		s.axis[i] = rotated( pose, exact( box->axis[i] ) );
		s.edge[i] = sum( ( real3 ){ { 0 } }, box->half_extents[i], s.axis[i] );
	}
	return s;
}

// The point with coordinates u in [-1, 1]^3.
static real3 point_of( const solid* s, const double u[3] )
{
	real3 p = s->center;
	for ( int i = 0; i < 3; ++i )
	{
		p = sum( p, u[i], s->edge[i] );
	}
	return p;
}

static void project( const solid* s, real3 axis, long double* lower, long double* upper )
{
	*lower = INFINITY;
	*upper = -INFINITY;
	for ( int corner = 0; corner < 8; ++corner )
	{
		const double u[3] = { corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1 };
		long double value = dot( axis, point_of( s, u ) );
		*lower = fminl( *lower, value );
		*upper = fmaxl( *upper, value );
	}
}

enum
{
	axis_count = 15,
};

// The faces' normals of a, those of b, and the cross products of their edges. Not of unit length.
static real3 candidate( const solid* a, const solid* b, int axis )
{
	return axis < 3   ? a->axis[axis]
	       : axis < 6 ? b->axis[axis - 3]
	                  : cross( a->axis[( axis - 6 ) / 3], b->axis[( axis - 6 ) % 3] );
}

// How far the projections are apart; negative when they overlap.
static long double gap_along( const solid* a, const solid* b, real3 axis )
{
	long double a_lower;
	long double a_upper;
	long double b_lower;
	long double b_upper;
	project( a, axis, &a_lower, &a_upper );
	project( b, axis, &b_lower, &b_upper );
	return fmaxl( b_lower - a_upper, a_lower - b_upper );
}

static long double greatest_gap( const solid* a, const solid* b )
{
	long double greatest = -INFINITY;
	for ( int axis = 0; axis < axis_count; ++axis )
	{
		greatest = fmaxl( greatest, gap_along( a, b, candidate( a, b, axis ) ) );
	}
	return greatest;
}

typedef struct pair
{
	bv_obb a;
	bv_obb b;
	bv_pose pose;
} pair;

static bool overlap( const pair* p )
{
	return bvvol_obbs_overlap( &p->a, &p->b, &p->pose );
}

static double magnitude( const pair* p )
{
	double result = 0;
	const bv_vec3 vectors[3] = { p->a.center, p->b.center, p->pose.translation };
	for ( int i = 0; i < 3; ++i )
	{
		result += fabs( vectors[i].x ) + fabs( vectors[i].y ) + fabs( vectors[i].z );
		result += p->a.half_extents[i] + p->b.half_extents[i];
	}
	return result;
}

static solid solid_a( const pair* p )
{
	bv_pose identity = bv_pose_identity();
	return solid_of( &p->a, &identity );
}

static solid solid_b( const pair* p )
{
	return solid_of( &p->b, &p->pose );
}

static void print_box( const char* name, const bv_obb* box )
{
	print_error( "%s: center %a %a %a half extents %a %a %a\n", name, box->center.x, box->center.y,
	             box->center.z, box->half_extents[0], box->half_extents[1], box->half_extents[2] );
	for ( int i = 0; i < 3; ++i )
	{
		print_error( "   axis %a %a %a\n", box->axis[i].x, box->axis[i].y, box->axis[i].z );
	}
}

static void assert_answer( const pair* p, bool expected, const char* what )
{
	if ( overlap( p ) != expected )
	{
		print_box( "a", &p->a );
		print_box( "b", &p->b );
		for ( int i = 0; i < 3; ++i )
		{
			const double* row = p->pose.rotation[i];
			print_error( "pose %a %a %a\n", row[0], row[1], row[2] );
		}
		print_error( "translation %a %a %a\n", p->pose.translation.x, p->pose.translation.y,
		             p->pose.translation.z );
		fail_msg( "%s: expected %s", what, expected ? "overlapping" : "apart" );
	}
}

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
static uint64_t next_random( uint64_t* state )
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
	z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
	return z ^ ( z >> 31 );
}

static double random_between( uint64_t* state, double from, double to )
{
	return from + ( to - from ) * (double)( next_random( state ) >> 11 ) * 0x1p-53;
}

static bv_vec3 random_vector( uint64_t* state, double range )
{
	bv_vec3 v;
	v.x = random_between( state, -range, range );
	v.y = random_between( state, -range, range );
	v.z = random_between( state, -range, range );
	return v;
}

// The rows of the rotation that a quaternion stands for.
static void rows_of_quaternion( double x, double y, double z, double w, bv_vec3 row[3] )
{
	long double s =
		2.0L / ( (long double)x * x + (long double)y * y + (long double)z * z + (long double)w * w );
	row[0] =
		nearest( ( real3 ){ { 1 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) } } );
	row[1] =
		nearest( ( real3 ){ { s * ( x * y + w * z ), 1 - s * ( x * x + z * z ), s * ( y * z - w * x ) } } );
	row[2] =
		nearest( ( real3 ){ { s * ( x * z - w * y ), s * ( y * z + w * x ), 1 - s * ( x * x + y * y ) } } );
}

// Integers, so that the products above are exact.
static void random_rows( uint64_t* state, bv_vec3 row[3] )
{
	double q[4];
	do
	{
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = round( random_between( state, -1e6, 1e6 ) );
		}
	} while ( q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e10 );
	rows_of_quaternion( q[0], q[1], q[2], q[3], row );
}

static bv_pose random_pose( uint64_t* state )
{
	bv_pose pose;
	bv_vec3 row[3];
	random_rows( state, row );
	for ( int i = 0; i < 3; ++i )
	{
		pose.rotation[i][0] = row[i].x;
		pose.rotation[i][1] = row[i].y;
		pose.rotation[i][2] = row[i].z;
	}
	pose.translation = random_vector( state, 1 );
	return pose;
}

// Every third extent is of another order of magnitude, and every eighth is zero.
static bv_obb random_box( uint64_t* state )
{
	bv_obb box;
	box.center = random_vector( state, 1 );
	random_rows( state, box.axis );
	for ( int i = 0; i < 3; ++i )
	{
		uint64_t kind = next_random( state ) % 24;
		box.half_extents[i] = kind < 3 ? 0 : random_between( state, 0.1, 1 ) * ( kind < 11 ? 1e-3 : 1 );
	}
	return box;
}

static pair random_pair( uint64_t* state )
{
	pair p;
	p.a = random_box( state );
	p.b = random_box( state );
	p.pose = random_pose( state );
	return p;
}

// Moves b, within rounding, so that its point with coordinates v comes to `target`.
static void put_point_of_b( pair* p, const double v[3], real3 target )
{
	solid b = solid_b( p );
	real3 shift = sum( target, -1, point_of( &b, v ) );
	p->pose.translation = nearest( sum( exact( p->pose.translation ), 1, shift ) );
}

static void random_coordinates( uint64_t* state, double u[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		uint64_t kind = next_random( state ) % 4;
		u[i] = kind == 0 ? -1 : kind == 1 ? 1 : random_between( state, -1, 1 );
	}
}

// Any point of one box is put on any point of the other, often a corner, on an edge or on a face.
static void boxes_with_a_common_point_overlap( void** state )
{
	(void)state;
	uint64_t seed = 1;
	for ( int i = 0; i < 100000; ++i )
	{
		pair p = random_pair( &seed );
		double u[3];
		double v[3];
		random_coordinates( &seed, u );
		random_coordinates( &seed, v );
		solid a = solid_a( &p );
		put_point_of_b( &p, v, point_of( &a, u ) );
		assert_answer( &p, true, "a common point" );
	}
}

// The corner of the solid that is farthest in a direction.
static void farthest_corner( const solid* s, real3 direction, double u[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		u[i] = dot( s->axis[i], direction ) < 0 ? -1 : 1;
	}
}

// A plane of random direction, a corner of each box next to it, the corners 1 % of the boxes' size apart.
static void boxes_on_either_side_of_a_plane_are_apart( void** state )
{
	(void)state;
	uint64_t seed = 2;
	for ( int i = 0; i < 100000; ++i )
	{
		pair p = random_pair( &seed );
		bv_vec3 row[3];
		random_rows( &seed, row );
		real3 normal = exact( row[0] );
		real3 along = exact( row[1] );

		solid a = solid_a( &p );
		solid b = solid_b( &p );
		double u[3];
		double v[3];
		farthest_corner( &a, normal, u );
		farthest_corner( &b, sum( ( real3 ){ { 0 } }, -1, normal ), v );
		real3 target = sum( point_of( &a, u ), 0.01L, normal );
		put_point_of_b( &p, v, sum( target, random_between( &seed, -0.5, 0.5 ), along ) );
		assert_answer( &p, false, "a plane between" );
	}
}

// Moves b along a random direction to `factor` times the distance at which the boxes touch.
static void put_at_touching_distance( uint64_t* state, pair* p, double factor )
{
	bv_vec3 row[3];
	random_rows( state, row );
	real3 direction = exact( row[0] );
	solid a = solid_a( p );
	solid b = solid_b( p );
	b.center = a.center;

	// With common centers each axis's gap is minus the distance that separates along it.
	long double touching = INFINITY;
	for ( int axis = 0; axis < axis_count; ++axis )
	{
		real3 n = candidate( &a, &b, axis );
		long double speed = fabsl( dot( n, direction ) );
		if ( speed > 1e-9L )
		{
			touching = fminl( touching, -gap_along( &a, &b, n ) / speed );
		}
	}
	const double center[3] = { 0 };
	put_point_of_b( p, center, sum( a.center, factor * touching, direction ) );
}

static void answer_is_the_references_except_within_rounding_of_touching( void** state )
{
	(void)state;
	static const double distances[] = { 0,    1e-13, -1e-13, 1e-12, -1e-12, 1e-11, -1e-11,
		                                1e-9, -1e-9, 1e-6,   -1e-6, 1e-3,   -1e-3 };
	enum
	{
		distance_count = sizeof distances / sizeof *distances,
		pairs = 100000,
	};
	uint64_t seed = 3;
	int apart = 0;
	int together = 0;
	for ( int i = 0; i < pairs; ++i )
	{
		pair p = random_pair( &seed );
		double distance = i % 2 ? random_between( &seed, -0.5, 0.5 ) : distances[i / 2 % distance_count];
		put_at_touching_distance( &seed, &p, 1 + distance );

		solid a = solid_a( &p );
		solid b = solid_b( &p );
		double gap = (double)greatest_gap( &a, &b );
		if ( gap <= 1e-16 * magnitude( &p ) )
		{
			assert_answer( &p, true, "no axis separates" );
			++together;
		}
		else if ( gap > 1e-12 * magnitude( &p ) )
		{
			assert_answer( &p, false, "an axis separates" );
			++apart;
		}
	}
	// Either answer must be frequent, or the pairs would show nothing.
	assert_true( together > pairs / 4 );
	assert_true( apart > pairs / 4 );
}

// Two boxes of unlike extents whose edges are far from parallel.
static pair skew_pair( void )
{
	pair p = {
		.a = { .center = { 0.25, -0.5, 0.125 }, .half_extents = { 1, 0.8, 1.25 } },
		.b = { .center = { -0.5, 0.75, 1 }, .half_extents = { 0.9, 1.1, 0.7 } },
	};
	bv_vec3 row[3];
	rows_of_quaternion( 1, 2, -1, 5, p.a.axis );
	rows_of_quaternion( 3, -1, 2, 4, p.b.axis );
	rows_of_quaternion( -2, 3, 4, 5, row );
	for ( int i = 0; i < 3; ++i )
	{
		p.pose.rotation[i][0] = row[i].x;
		p.pose.rotation[i][1] = row[i].y;
		p.pose.rotation[i][2] = row[i].z;
	}
	p.pose.translation = ( bv_vec3 ){ 0 };
	return p;
}

// The set of differences of the boxes' points is a polyhedron with two faces for each of the fifteen axes.
// With the offset of the centers at the middle of a face, the boxes touch; a little farther out only that
// face's axis separates.
static void put_before_face( pair* p, int axis, int sign, double gap )
{
	solid a = solid_a( p );
	solid b = solid_b( p );
	real3 normal = candidate( &a, &b, axis );
	normal = sum( ( real3 ){ { 0 } }, sign / sqrtl( dot( normal, normal ) ), normal );

	real3 target = sum( a.center, gap, normal );
	for ( int i = 0; i < 6; ++i )
	{
		real3 edge = i < 3 ? a.edge[i] : b.edge[i - 3];
		long double reach = dot( edge, normal );
		bool in_face = fabsl( reach ) < 1e-12L;
		target = sum( target, in_face ? 0 : reach < 0 ? -1 : 1, edge );
	}
	const double center[3] = { 0 };
	put_point_of_b( p, center, target );
}

static void assert_only_axis_separates( const pair* p, int expected )
{
	solid a = solid_a( p );
	solid b = solid_b( p );
	for ( int axis = 0; axis < axis_count; ++axis )
	{
		long double gap = gap_along( &a, &b, candidate( &a, &b, axis ) );
		assert_true( axis == expected ? gap > 0 : gap < -0.01L );
	}
}

static void each_of_the_fifteen_axes_separates_alone( void** state )
{
	(void)state;
	for ( int axis = 0; axis < axis_count; ++axis )
	{
		for ( int sign = -1; sign <= 1; sign += 2 )
		{
			pair p = skew_pair();
			put_before_face( &p, axis, sign, 1e-9 );
			assert_only_axis_separates( &p, axis );
			if ( overlap( &p ) )
			{
				fail_msg( "axis %d, side %d: a gap of 1e-9 is not seen", axis, sign );
			}
		}
	}
}

static void boxes_that_touch_or_overlap_on_each_of_the_fifteen_axes_overlap( void** state )
{
	(void)state;
	static const double gaps[] = { 0, -1e-15, -1e-9, -1e-3 };
	for ( int i = 0; i < axis_count * 2 * 4; ++i )
	{
		pair p = skew_pair();
		put_before_face( &p, i / 8, i & 4 ? 1 : -1, gaps[i % 4] );
		assert_answer( &p, true, "touching" );
	}
}

// With >= for >, as the test is printed in Eckstein 1998, the cross products of parallel edges read 0 >= 0
// and take a box apart from itself.
static void box_overlaps_itself( void** state )
{
	(void)state;
	uint64_t seed = 4;
	for ( int i = 0; i < 10000; ++i )
	{
		pair p = random_pair( &seed );
		p.b = p.a;
		p.pose = bv_pose_identity();
		assert_answer( &p, true, "the same box" );
	}
}

static const bv_vec3 unit_axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static bv_obb straight_box( bv_vec3 center, double x, double y, double z )
{
	return ( bv_obb ){ .center = center,
		               .axis = { unit_axes[0], unit_axes[1], unit_axes[2] },
		               .half_extents = { x, y, z } };
}

// Cubes on a lattice: all 26 neighbors share a face, an edge or a corner, in exact numbers.
static void aligned_cubes_that_touch_overlap_and_with_a_gap_are_apart( void** state )
{
	(void)state;
	for ( int i = 0; i < 27; ++i )
	{
		bv_vec3 step = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
		pair p = { .a = straight_box( ( bv_vec3 ){ 5, -3, 1 }, 1, 1, 1 ), .pose = bv_pose_identity() };
		p.b = straight_box( ( bv_vec3 ){ 5 + 2 * step.x, -3 + 2 * step.y, 1 + 2 * step.z }, 1, 1, 1 );
		assert_answer( &p, true, "neighbours" );

		p.pose.translation = ( bv_vec3 ){ 1e-9 * step.x, 1e-9 * step.y, 1e-9 * step.z };
		assert_answer( &p, i == 13, "neighbours moved apart" );
	}
}

// Parallel axes have no cross product: what rounding leaves of it must neither separate nor hide a gap.
static void nearly_parallel_boxes_are_answered_as_parallel_ones( void** state )
{
	(void)state;
	static const double angles[] = { 0, 1e-300, 1e-20, 1e-17, 1e-16, 3e-16, 1e-14, 1e-12, 1e-9, 1e-8, 1e-6 };
	enum
	{
		angle_count = sizeof angles / sizeof *angles,
	};
	for ( int i = 0; i < angle_count * 3 * 2 * 3; ++i )
	{
		double angle = angles[i % angle_count] * ( i / angle_count % 2 ? -1 : 1 );
		int about = i / ( angle_count * 2 ) % 3;
		int along = i / ( angle_count * 6 );
		int u = ( about + 1 ) % 3;
		int v = ( about + 2 ) % 3;
		pair p = { .a = straight_box( ( bv_vec3 ){ 0 }, 1, 2, 3 ), .pose = bv_pose_identity() };
		p.b = p.a;
		p.pose.rotation[u][u] = p.pose.rotation[v][v] = sqrt( 1 - angle * angle );
		p.pose.rotation[u][v] = -angle;
		p.pose.rotation[v][u] = angle;
		assert_answer( &p, true, "the same place" );

		double distance = 2 * p.a.half_extents[along];
		double* coordinate = along == 0   ? &p.pose.translation.x
		                     : along == 1 ? &p.pose.translation.y
		                                  : &p.pose.translation.z;
		*coordinate = distance - 1e-4;
		assert_answer( &p, true, "1e-4 deep" );
		*coordinate = distance + 1e-4;
		assert_answer( &p, false, "1e-4 apart" );
	}
}

// A quarter turn about z: x becomes y.
static bv_pose quarter_turn( bv_vec3 translation )
{
	return ( bv_pose ){ .rotation = { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, .translation = translation };
}

// Answers are seen from the coordinates. All of b lies in the plane z = 0 of its own frame.
static void flat_straight_and_point_boxes_are_answered_exactly( void** state )
{
	(void)state;
	static const struct
	{
		const char* name;
		double a[3]; // half extents about the origin
		double b[3]; // half extents about `at`
		bv_vec3 at;
		bool turned; // b by a quarter turn about z
		bool overlap;
	} cases[] = {
		{ "equal points", { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, false, true },
		{ "points apart", { 0, 0, 0 }, { 0, 0, 0 }, { 0, 1e-6, 0 }, false, false },
		{ "point in a box", { 1, 2, 3 }, { 0, 0, 0 }, { 0.5, -1, 2 }, false, true },
		{ "point on a face", { 1, 2, 3 }, { 0, 0, 0 }, { 0.5, -2, 2 }, false, true },
		{ "point on a corner", { 1, 2, 3 }, { 0, 0, 0 }, { 1, -2, 3 }, true, true },
		{ "point beside a box", { 1, 2, 3 }, { 0, 0, 0 }, { 0.5, -2.000001, 2 }, false, false },
		{ "point on a segment", { 3, 0, 0 }, { 0, 0, 0 }, { 2, 0, 0 }, true, true },
		{ "point beside a segment", { 3, 0, 0 }, { 0, 0, 0 }, { 2, 0, 1e-6 }, true, false },
		{ "rectangles in one plane", { 2, 1, 0 }, { 2, 1, 0 }, { 3, 1, 0 }, false, true },
		{ "rectangles side by side", { 2, 1, 0 }, { 2, 1, 0 }, { 4, 0, 0 }, false, true },
		{ "rectangles apart in one plane", { 2, 1, 0 }, { 2, 1, 0 }, { 4.000001, 0, 0 }, false, false },
		{ "rectangles apart when turned", { 2, 1, 0 }, { 2, 1, 0 }, { 3.5, 0, 0 }, true, false },
		{ "rectangles in parallel planes", { 2, 1, 0 }, { 2, 1, 0 }, { 0, 0, 1e-6 }, false, false },
		{ "segments that cross", { 3, 0, 0 }, { 3, 0, 0 }, { 2, -1, 0 }, true, true },
		{ "segments that cross at ends", { 3, 0, 0 }, { 3, 0, 0 }, { 3, 3, 0 }, true, true },
		{ "segments that pass", { 3, 0, 0 }, { 3, 0, 0 }, { 2, -1, 1e-6 }, true, false },
		{ "segments that do not reach", { 3, 0, 0 }, { 3, 0, 0 }, { 3.000001, 0, 0 }, true, false },
		{ "segments end to end", { 3, 0, 0 }, { 2, 0, 0 }, { 5, 0, 0 }, false, true },
		{ "segments on one line, apart", { 3, 0, 0 }, { 2, 0, 0 }, { 5.000001, 0, 0 }, false, false },
		{ "parallel segments", { 3, 0, 0 }, { 2, 0, 0 }, { 0, 1e-6, 0 }, false, false },
		{ "segment through a rectangle", { 0, 2, 2 }, { 3, 0, 0 }, { 1, 1, 1 }, false, true },
		{ "segment beside a rectangle", { 0, 2, 2 }, { 3, 0, 0 }, { 1, 1, 2.000001 }, false, false },
		{ "rectangle across a box", { 1, 1, 1 }, { 5, 5, 0 }, { 0, 0, 1 }, true, true },
		{ "rectangle above a box", { 1, 1, 1 }, { 5, 5, 0 }, { 0, 0, 1.000001 }, true, false },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		const double* ha = cases[i].a;
		const double* hb = cases[i].b;
		pair p = { .a = straight_box( ( bv_vec3 ){ 0 }, ha[0], ha[1], ha[2] ),
			       .b = straight_box( ( bv_vec3 ){ 0 }, hb[0], hb[1], hb[2] ),
			       .pose = bv_pose_identity() };
		p.pose.translation = cases[i].at;
		if ( cases[i].turned )
		{
			p.pose = quarter_turn( cases[i].at );
		}
		assert_answer( &p, cases[i].overlap, cases[i].name );
	}
}

static void scale_vector( bv_vec3* v, double factor )
{
	*v = ( bv_vec3 ){ factor * v->x, factor * v->y, factor * v->z };
}

// Powers of two scale binary64 exactly, so that not even a case within rounding may change its answer.
static void answer_does_not_depend_on_the_unit_of_length( void** state )
{
	(void)state;
	static const double factors[] = { 0x1p-140, 0x1p-60, 0x1p60, 0x1p118 };
	uint64_t seed = 5;
	for ( int i = 0; i < 40000; ++i )
	{
		pair p = random_pair( &seed );
		put_at_touching_distance( &seed, &p, i % 2 ? 1 : 1 + random_between( &seed, -1e-3, 1e-3 ) );
		bool expected = overlap( &p );

		double factor = factors[i / 2 % 4];
		scale_vector( &p.a.center, factor );
		scale_vector( &p.b.center, factor );
		scale_vector( &p.pose.translation, factor );
		for ( int k = 0; k < 3; ++k )
		{
			p.a.half_extents[k] *= factor;
			p.b.half_extents[k] *= factor;
		}
		assert_answer( &p, expected, "another unit of length" );
	}
}

// 1 + E / 2 for symmetric E: columns whose scalar products are off by E to first order.
static bv_pose skewed_pose( const double e[6] )
{
	return ( bv_pose ){ .rotation = { { 1 + e[0] / 2, e[3] / 2, e[4] / 2 },
		                              { e[3] / 2, 1 + e[1] / 2, e[5] / 2 },
		                              { e[4] / 2, e[5] / 2, 1 + e[2] / 2 } } };
}

// A pose may be off by 1e-4 and still count as rigid. It makes of the box another solid; what that solid
// meets must be found. Here it is a needle whose end is on a point, for every way to be off, and with the
// point's axes turned so that the cross products suffer most.
static void pose_that_is_not_quite_rigid_hides_no_contact( void** state )
{
	(void)state;
	const double skew = 9e-5;
	for ( int pattern = 0; pattern < 729; ++pattern )
	{
		double e[6];
		for ( int k = 0, rest = pattern; k < 6; ++k, rest /= 3 )
		{
			e[k] = skew * ( rest % 3 - 1 );
		}
		pair p = { .pose = skewed_pose( e ) };
		assert_true( bv_pose_is_rigid( &p.pose ) );

		for ( int i = 0; i < 3 * 3 * 4; ++i )
		{
			int needle = i % 3;
			int longest = i / 3 % 3;
			double c[3] = { i / 9 & 1 ? 1 : -1, i / 18 ? 1 : -1, 1 };
			c[longest] *= 1.5;
			real3 first = { { c[0], c[1], c[2] } };
			first = sum( ( real3 ){ { 0 } }, 1 / sqrtl( dot( first, first ) ), first );
			real3 second = { { -first.c[1], first.c[0], 0 } };
			second = sum( ( real3 ){ { 0 } }, 1 / sqrtl( dot( second, second ) ), second );

			p.a = ( bv_obb ){ .axis = { nearest( first ), nearest( second ),
				                        nearest( cross( first, second ) ) } };
			p.b = straight_box( ( bv_vec3 ){ 0 }, needle == 0, needle == 1, needle == 2 );
			solid b = solid_b( &p );
			const double end[3] = { 1, 1, 1 };
			p.a.center = nearest( point_of( &b, end ) );
			assert_answer( &p, true, "a skewed needle's end" );
		}
	}
}

// Rotations that permute the axes have entries 0, 1 and -1. Those of (1, 2, 3, 4) are fractions of 15, from the products q v q* of
// quaternions in rational arithmetic. The length of the quaternion does not matter.
static void rotations_known_in_closed_form_are_decoded( void** state )
{
	(void)state;
	static const struct
	{
		float quaternion[4];
		double axis[3][3]; // times scale
		double scale;
	} known[] = {
		{ { 0, 0, 0, 1 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, 1 },
		{ { 1, 0, 0, 1 }, { { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } }, 1 },
		{ { 0, 1, 0, 1 }, { { 0, 0, -1 }, { 0, 1, 0 }, { 1, 0, 0 } }, 1 },
		{ { 0, 0, 1, 1 }, { { 0, 1, 0 }, { -1, 0, 0 }, { 0, 0, 1 } }, 1 },
		{ { 1, 1, 1, 1 }, { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, 1 },
		{ { 1, 2, 3, 4 }, { { 2, 14, -5 }, { -10, 5, 10 }, { 11, 2, 10 } }, 15 },
	};
	for ( size_t i = 0; i < sizeof known / sizeof *known; ++i )
	{
		for ( int power = -1; power <= 1; ++power )
		{
			bvvol_packed_obb packed = { .half_extents = { 1, 2, 3 } };
			for ( int k = 0; k < 4; ++k )
			{
				packed.rotation[k] = ldexpf( known[i].quaternion[k], power );
			}
			bv_obb box = bvvol_obb_unpack( &packed );
			for ( int axis = 0; axis < 3; ++axis )
			{
				const double* expected = known[i].axis[axis];
				const double found[3] = { box.axis[axis].x, box.axis[axis].y, box.axis[axis].z };
				for ( int k = 0; k < 3; ++k )
				{
					assert_true( fabs( found[k] - expected[k] / known[i].scale ) < 0x1p-50 );
				}
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( boxes_with_a_common_point_overlap ),
		cmocka_unit_test( boxes_on_either_side_of_a_plane_are_apart ),
		cmocka_unit_test( answer_is_the_references_except_within_rounding_of_touching ),
		cmocka_unit_test( each_of_the_fifteen_axes_separates_alone ),
		cmocka_unit_test( boxes_that_touch_or_overlap_on_each_of_the_fifteen_axes_overlap ),
		cmocka_unit_test( box_overlaps_itself ),
		cmocka_unit_test( aligned_cubes_that_touch_overlap_and_with_a_gap_are_apart ),
		cmocka_unit_test( nearly_parallel_boxes_are_answered_as_parallel_ones ),
		cmocka_unit_test( flat_straight_and_point_boxes_are_answered_exactly ),
		cmocka_unit_test( answer_does_not_depend_on_the_unit_of_length ),
		cmocka_unit_test( pose_that_is_not_quite_rigid_hides_no_contact ),
		cmocka_unit_test( rotations_known_in_closed_form_are_decoded ),
	};
	return cmocka_run_group_tests_name( "core/box", tests, NULL, NULL );
}

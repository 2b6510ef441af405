// Smallest boxes and balls: compared with brute force in __float128, and exact enclosure for every kind of
// degenerate input.

#include "bvbuild/fit.h"
#include "offline/fit/sphere.h"

#include "tests/reference/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

__extension__ typedef __float128 quad;

enum
{
	most_points = 12,
};

// In [-1, 1], a multiple of 2^-20.
static double coarse_coordinate( uint64_t* state )
{
	return (double)( next_random( state ) % ( ( 1u << 21 ) + 1 ) ) * 0x1p-20 - 1;
}

static double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

static bv_sphere fit( const bv_vec3* points, uint32_t count )
{
	bvb_arena* scratch = bvb_arena_create();
	assert_non_null( scratch );
	bv_sphere ball;
	assert_int_equal( bvb_fit_sphere( points, count, &ball ), bv_ok );
	bvb_arena_destroy( scratch );
	return ball;
}

static bool is_float( double x )
{
	return to_float( x ) == x;
}

// In 113 bits the squared distance errs by a few units of 2^-113, for which far more is allowed.
static void assert_encloses( const bv_sphere* ball, const bv_vec3* points, uint32_t count )
{
	assert_true( is_float( ball->center.x ) && is_float( ball->center.y ) && is_float( ball->center.z ) );
	assert_true( is_float( ball->radius ) && ball->radius >= 0 );
	quad limit = (quad)ball->radius * ball->radius;
	for ( uint32_t i = 0; i < count; ++i )
	{
		quad x = (quad)points[i].x - ball->center.x;
		quad y = (quad)points[i].y - ball->center.y;
		quad z = (quad)points[i].z - ball->center.z;
		assert_true( ( x * x + y * y + z * z ) * ( 1 + (quad)0x1p-105 ) <= limit );
	}
}

// The kinds of sets that break fits: also repeated points, and far from the origin.
static uint32_t random_set( uint64_t* state, bv_vec3* out )
{
	uint32_t count = 1 + (uint32_t)( next_random( state ) % most_points );
	unsigned kind = (unsigned)( next_random( state ) % 8 );
	double offset = next_random( state ) % 2 ? 0 : 1000;
	double size = next_random( state ) % 2 ? 1 : 0x1p-7;
	bv_vec3 u = { coarse_coordinate( state ), coarse_coordinate( state ), coarse_coordinate( state ) };
	bv_vec3 v = { coarse_coordinate( state ), coarse_coordinate( state ), coarse_coordinate( state ) };
	for ( uint32_t i = 0; i < count; ++i )
	{
		double s = coarse_coordinate( state );
		double t = coarse_coordinate( state );
		bv_vec3 p = { s, t, coarse_coordinate( state ) };
		double length = sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
		unsigned bits = (unsigned)next_random( state );
		switch ( kind )
		{
		case 0: break;
		case 1: p = u; break;                                            // coincident
		case 2: p = ( bv_vec3 ){ s * u.x, s * u.y, s * u.z }; break;     // collinear but for rounding
		case 3: p = ( bv_vec3 ){ i * 0.125, i * 0.25, i * -0.5 }; break; // collinear
		case 4: p = ( bv_vec3 ){ s, t, 0.5 * s - 0.25 * t }; break;      // coplanar
		case 5: p = ( bv_vec3 ){ bits & 1, bits >> 1 & 1, bits >> 2 & 1 }; break; // a cube: cospherical
		case 6: // cospherical but for rounding
			p = length > 0 ? ( bv_vec3 ){ p.x / length, p.y / length, p.z / length } : p;
			break;
		default: // cocircular but for rounding, in a thin plate
			length = sqrt( s * s + t * t );
			p = length > 0 ? ( bv_vec3 ){ s / length, t / length, p.z * 0x1p-20 } : u;
			break;
		}
		out[i] = ( bv_vec3 ){ to_float( offset + size * p.x ), to_float( offset + size * p.y ),
			                  to_float( size * p.z - offset * v.z ) };
		if ( i > 0 && next_random( state ) % 8 == 0 )
		{
			out[i] = out[next_random( state ) % i];
		}
	}
	return count;
}

static void every_point_of_100000_sets_is_enclosed_exactly( void** state )
{
	(void)state;
	uint64_t seed = 1;
	for ( int i = 0; i < 100000; ++i )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_set( &seed, points );
		bv_sphere ball = fit( points, count );
		assert_encloses( &ball, points, count );
	}
}

typedef struct quad3
{
	quad at[3];
} quad3;

static quad squared_distance( quad3 a, quad3 b )
{
	quad sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		sum += ( a.at[k] - b.at[k] ) * ( a.at[k] - b.at[k] );
	}
	return sum;
}

// The center p_0 + sum x_i e_i with 2 dot( e_i, e_j ) x_j = |e_i|^2, by Gauss elimination with pivoting.
static bool circumcenter( const quad3* p, int count, quad3* center )
{
	int n = count - 1;
	quad a[3][4];
	quad3 e[3];
	for ( int i = 0; i < n; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			e[i].at[k] = p[i + 1].at[k] - p[0].at[k];
		}
	}
	quad scale = 0;
	for ( int i = 0; i < n; ++i )
	{
		for ( int j = 0; j < n; ++j )
		{
			a[i][j] = 0;
			for ( int k = 0; k < 3; ++k )
			{
				a[i][j] += 2 * e[i].at[k] * e[j].at[k];
			}
		}
		a[i][n] = a[i][i] / 2;
		scale = a[i][i] > scale ? a[i][i] : scale;
	}
	for ( int c = 0; c < n; ++c )
	{
		int pivot = c;
		for ( int r = c; r < n; ++r )
		{
			quad left = a[r][c] < 0 ? -a[r][c] : a[r][c];
			quad right = a[pivot][c] < 0 ? -a[pivot][c] : a[pivot][c];
			pivot = left > right ? r : pivot;
		}
		quad size = a[pivot][c] < 0 ? -a[pivot][c] : a[pivot][c];
		if ( size <= scale * (quad)0x1p-96 )
		{
			return false;
		}
		for ( int k = 0; k <= n; ++k )
		{
			quad other = a[c][k];
			a[c][k] = a[pivot][k];
			a[pivot][k] = other;
		}
		for ( int r = 0; r < n; ++r )
		{
			quad factor = r == c ? 0 : a[r][c] / a[c][c];
			for ( int k = 0; k <= n; ++k )
			{
				a[r][k] -= factor * a[c][k];
			}
		}
	}
	*center = p[0];
	for ( int i = 0; i < n; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			center->at[k] += a[i][n] / a[i][i] * e[i].at[k];
		}
	}
	return true;
}

// The least ball around all points that some two to four of them span: tries every choice.
static double brute_force_radius( const bv_vec3* points, uint32_t count )
{
	quad3 p[most_points];
	for ( uint32_t i = 0; i < count; ++i )
	{
		p[i] = ( quad3 ){ { points[i].x, points[i].y, points[i].z } };
	}
	quad best = -1;
	for ( unsigned subset = 1; subset < 1u << count; ++subset )
	{
		quad3 support[4];
		int size = 0;
		for ( uint32_t i = 0; i < count && size <= 4; ++i )
		{
			if ( subset >> i & 1 )
			{
				if ( size < 4 )
				{
					support[size] = p[i];
				}
				++size;
			}
		}
		quad3 center;
		if ( size > 4 || !circumcenter( support, size, &center ) )
		{
			continue;
		}
		quad radius = squared_distance( support[0], center );
		bool encloses = true;
		for ( uint32_t i = 0; i < count && encloses; ++i )
		{
			encloses = squared_distance( p[i], center ) <= radius * ( 1 + (quad)1e-20 ) + (quad)1e-60;
		}
		best = encloses && ( best < 0 || radius < best ) ? radius : best;
	}
	assert_true( best >= 0 );
	return sqrt( (double)best );
}

// Before rounding to binary32 nothing but that of binary64 stands between the two, which is relative to the size of the
// set as the points relative to one of them are exact.
static void the_binary64_radius_of_5000_sets_is_the_least( void** state )
{
	(void)state;
	uint64_t seed = 5;
	for ( int i = 0; i < 5000; ++i )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_set( &seed, points );
		count = count > 9 ? 9 : count;
		double least = brute_force_radius( points, count );
		bvfit_ball ball = { .support_count = 0 };
		bvfit_least_ball( points, count, &ball );
		assert_true( fabs( ball.radius - least ) <= 1e-13 * least );
		assert_in_range( ball.support_count, 1, 4 );

		// The ball of the support is that of all, and what starts from it ends there.
		bv_vec3 support[4];
		bvfit_ball again = { .support_count = ball.support_count };
		for ( uint32_t k = 0; k < ball.support_count; ++k )
		{
			assert_true( ball.support[k] < count );
			support[k] = points[ball.support[k]];
			again.support[k] = ball.support[k];
		}
		bvfit_ball few = { .support_count = 0 };
		bvfit_least_ball( support, ball.support_count, &few );
		bvfit_least_ball( points, count, &again );
		assert_true( fabs( few.radius - least ) <= 1e-13 * least );
		assert_true( fabs( again.radius - least ) <= 1e-13 * least );
	}
}

// A regular tetrahedron's corners, somewhere among points of a ball that is a little smaller than theirs: sqrt( 3 ).
static void the_ball_of_a_large_set_is_that_of_its_four_outermost_points( void** state )
{
	(void)state;
	enum
	{
		count = 5000,
	};
	static const bv_vec3 corner[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
	bv_vec3* points = malloc( count * sizeof *points );
	assert_non_null( points );
	uint64_t seed = 6;
	for ( int round = 0; round < 20; ++round )
	{
		double offset = round % 2 ? 0x1p20 : 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 d = random_direction( &seed );
			double r = sqrt( 3 ) * ( 1 - 1e-5 - 0.1 * ( coarse_coordinate( &seed ) + 1 ) * ( round % 3 ) );
			points[i] = ( bv_vec3 ){ offset + r * d.x, r * d.y, r * d.z - offset };
		}
		for ( int i = 0; i < 4; ++i )
		{
			points[next_random( &seed ) % ( count / 4 ) * 4 + (unsigned)i] =
				( bv_vec3 ){ offset + corner[i].x, corner[i].y, corner[i].z - offset };
		}
		bvfit_ball ball = { .support_count = 0 };
		bvfit_least_ball( points, count, &ball );
		assert_true( fabs( ball.radius - sqrt( 3 ) ) < 1e-14 );
		assert_true( fabs( ball.origin.x + ball.center.x - offset ) < 1e-9 );
	}
	free( points );
}

// No half plane holds all of evenly spaced points of a circle: it is the least one, whatever their number.
static void points_of_a_circle_have_its_radius( void** state )
{
	(void)state;
	const double pi = 3.14159265358979323846;
	for ( uint32_t count = 3; count <= 600; count = count * 3 / 2 )
	{
		bv_vec3 points[600];
		for ( uint32_t i = 0; i < count; ++i )
		{
			double a = 2 * pi * i / count;
			points[i] = ( bv_vec3 ){ 5 + 1.2 * cos( a ), 2 * sin( a ), 1.6 * cos( a ) };
		}
		bvfit_ball ball = { .support_count = 0 };
		bvfit_least_ball( points, count, &ball );
		assert_true( fabs( ball.radius - 2 ) < 1e-14 );
	}
}

// Larsson measures at most 1.06 for EPOS-14 on models; random sets of few points are harder.
static void fast_balls_are_nearly_as_small( void** state )
{
	(void)state;
	uint64_t seed = 7;
	double sum = 0;
	enum
	{
		rounds = 2000,
		count = 60,
	};
	for ( int round = 0; round < rounds; ++round )
	{
		bv_vec3 points[count];
		for ( int i = 0; i < count; ++i )
		{
			bv_vec3 d = random_direction( &seed );
			points[i] = ( bv_vec3 ){ to_float( d.x ), to_float( d.y ), to_float( d.z * ( round % 4 ) ) };
		}
		bv_sphere fast = bvb_fit_sphere_fast( points, count );
		assert_encloses( &fast, points, count );
		bvfit_ball ball = { .support_count = 0 };
		bvfit_least_ball( points, count, &ball );
		double ratio = fast.radius / ball.radius;
		assert_true( 1 <= ratio && ratio < 1.1 );
		sum += ratio / rounds;
	}
	assert_true( sum < 1.01 );
}

static void fast_balls_enclose_and_of_two_points_are_the_least( void** state )
{
	(void)state;
	uint64_t seed = 8;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_set( &seed, points );
		bv_sphere fast = bvb_fit_sphere_fast( points, count );
		assert_encloses( &fast, points, count );
		if ( count <= 2 )
		{
			bv_sphere ball = fit( points, count );
			assert_memory_equal( &fast, &ball, sizeof ball );
		}
	}
	assert_true( bvb_fit_sphere_fast( NULL, 0 ).radius == 0 );
}

// Rounding the center moves it by at most half a unit in the last place of each coordinate; the radius grows
// by that and is rounded up.
static void the_radius_of_5000_sets_is_the_least_up_to_rounding( void** state )
{
	(void)state;
	uint64_t seed = 2;
	for ( int i = 0; i < 5000; ++i )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_set( &seed, points );
		count = count > 9 ? 9 : count;
		double least = brute_force_radius( points, count );
		bv_sphere ball = fit( points, count );
		double magnitude = 0;
		for ( uint32_t k = 0; k < count; ++k )
		{
			magnitude = fmax( magnitude,
			                  fmax( fabs( points[k].x ), fmax( fabs( points[k].y ), fabs( points[k].z ) ) ) );
		}
		assert_true( ball.radius >= least * ( 1 - 1e-15 ) );
		assert_true( ball.radius <= least * ( 1 + 1e-9 ) + 2 * magnitude * 0x1p-23 );
	}
}

// A regular tetrahedron, a cube and a right triangle: closed forms.
static void known_balls( void** state )
{
	(void)state;
	const bv_vec3 cube[8] = { { -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 },
		                      { -1, -1, 1 },  { 1, -1, 1 },  { -1, 1, 1 },  { 1, 1, 1 } };
	const bv_vec3 tetrahedron[4] = { cube[0], cube[3], cube[5], cube[6] };
	const bv_vec3 triangle[3] = { { 0, 0, 0 }, { 6, 0, 0 }, { 0, 8, 0 } };

	bv_sphere ball = fit( cube, 8 );
	assert_true( fabs( ball.center.x ) < 1e-15 && fabs( ball.center.y ) < 1e-15 );
	assert_float_equal( ball.radius, sqrt( 3 ), 3e-7 );
	ball = fit( tetrahedron, 4 );
	assert_float_equal( ball.radius, sqrt( 3 ), 3e-7 );

	// Thales: the hypotenuse is the diameter.
	ball = fit( triangle, 3 );
	assert_float_equal( ball.center.x, 3, 0 );
	assert_float_equal( ball.center.y, 4, 0 );
	assert_float_equal( ball.radius, 5, 1e-6 );
}

static void the_ball_of_one_point_has_radius_zero( void** state )
{
	(void)state;
	const bv_vec3 points[3] = { { 3, -0.0, 7 }, { 3, 0, 7 }, { 3, -0.0, 7 } };
	bv_sphere ball = fit( points, 3 );
	assert_true( ball.center.x == 3 && ball.center.y == 0 && ball.center.z == 7 && ball.radius == 0 );
	assert_false( signbit( ball.center.y ) );
}

// A point that binary32 cannot hold is enclosed all the same.
static void points_between_floats_are_enclosed( void** state )
{
	(void)state;
	const bv_vec3 points[2] = { { 0.1, 0.2, 0.3 }, { 0.1, 0.2, 0.3 } };
	bv_sphere ball = fit( points, 2 );
	assert_true( ball.radius > 0 && ball.radius < 1e-7 );
	assert_encloses( &ball, points, 2 );
}

static void the_ball_is_enclosing_at_any_scale( void** state )
{
	(void)state;
	const double scales[] = { 0x1p-149, 0x1p-140, 1e-30, 1, 1e30, 0x1p119 };
	for ( size_t s = 0; s < sizeof scales / sizeof *scales; ++s )
	{
		bv_vec3 points[4];
		for ( uint32_t i = 0; i < 4; ++i )
		{
			points[i] = ( bv_vec3 ){ to_float( ( i == 1 ) * scales[s] ), to_float( ( i == 2 ) * scales[s] ),
				                     to_float( ( i == 3 ) * scales[s] ) };
		}
		bv_sphere ball = fit( points, 4 );
		assert_encloses( &ball, points, 4 );

		// The triangle of three unit points decides: radius sqrt( 2/3 ).
		assert_true( ball.radius <= 0.8165 * scales[s] + 0x1p-147 );
	}
}

// Cospherical points of a fine grid of directions: each is within rounding of the support.
static void ten_thousand_points_of_a_sphere_have_its_radius( void** state )
{
	(void)state;
	enum
	{
		count = 10000,
	};
	bv_vec3* points = malloc( count * sizeof *points );
	assert_non_null( points );
	uint64_t seed = 3;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = { coarse_coordinate( &seed ), coarse_coordinate( &seed ), coarse_coordinate( &seed ) };
		double length = sqrt( p.x * p.x + p.y * p.y + p.z * p.z ) + 1e-300;
		points[i] =
			( bv_vec3 ){ to_float( p.x / length ), to_float( p.y / length ), to_float( p.z / length ) };
	}
	bv_sphere ball = fit( points, count );
	assert_encloses( &ball, points, count );
	assert_float_equal( ball.radius, 1, 4e-7 );
	free( points );
}

static void the_ball_of_no_point_is_an_error( void** state )
{
	(void)state;
	bv_sphere ball;
	assert_int_equal( bvb_fit_sphere( NULL, 0, &ball ), bv_error_argument );
	assert_true( ball.radius == 0 );
}

static void the_box_of_floats_is_their_extent( void** state )
{
	(void)state;
	const bv_vec3 points[3] = { { 1, -2, -0.0 }, { -4, 5, 0 }, { 0.5, 0.25, -0.0 } };
	bv_aabb box = bvb_fit_aabb( points, 3 );
	assert_true( box.lower.x == -4 && box.lower.y == -2 && box.lower.z == 0 );
	assert_true( box.upper.x == 1 && box.upper.y == 5 && box.upper.z == 0 );
	assert_false( signbit( box.lower.z ) || signbit( box.upper.z ) );
}

// 0.1, 0.2, 0.3 lie between binary32 numbers: each side is the neighbor on the outside.
static void the_box_of_other_numbers_is_rounded_outwards_by_one_step( void** state )
{
	(void)state;
	uint64_t seed = 4;
	for ( int i = 0; i < 10000; ++i )
	{
		double at[3];
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = coarse_coordinate( &seed ) / 3 * ( i % 2 ? 1 : 1e20 );
		}
		bv_vec3 point = { at[0], at[1], at[2] };
		bv_aabb box = bvb_fit_aabb( &point, 1 );
		const double lower[3] = { box.lower.x, box.lower.y, box.lower.z };
		const double upper[3] = { box.upper.x, box.upper.y, box.upper.z };
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( is_float( lower[k] ) && is_float( upper[k] ) );
			assert_true( lower[k] <= at[k] && at[k] <= upper[k] );
			assert_true( is_float( at[k] ) ? lower[k] == upper[k]
			                               : nextafterf( (float)lower[k], INFINITY ) == (float)upper[k] );
		}
	}
}

static void the_box_of_no_point_is_the_origin( void** state )
{
	(void)state;
	bv_aabb box = bvb_fit_aabb( NULL, 0 );
	assert_true( box.lower.x == 0 && box.upper.z == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( every_point_of_100000_sets_is_enclosed_exactly ),
		cmocka_unit_test( the_binary64_radius_of_5000_sets_is_the_least ),
		cmocka_unit_test( the_ball_of_a_large_set_is_that_of_its_four_outermost_points ),
		cmocka_unit_test( points_of_a_circle_have_its_radius ),
		cmocka_unit_test( fast_balls_are_nearly_as_small ),
		cmocka_unit_test( fast_balls_enclose_and_of_two_points_are_the_least ),
		cmocka_unit_test( the_radius_of_5000_sets_is_the_least_up_to_rounding ),
		cmocka_unit_test( known_balls ),
		cmocka_unit_test( the_ball_of_one_point_has_radius_zero ),
		cmocka_unit_test( points_between_floats_are_enclosed ),
		cmocka_unit_test( the_ball_is_enclosing_at_any_scale ),
		cmocka_unit_test( ten_thousand_points_of_a_sphere_have_its_radius ),
		cmocka_unit_test( the_ball_of_no_point_is_an_error ),
		cmocka_unit_test( the_box_of_floats_is_their_extent ),
		cmocka_unit_test( the_box_of_other_numbers_is_rounded_outwards_by_one_step ),
		cmocka_unit_test( the_box_of_no_point_is_the_origin ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

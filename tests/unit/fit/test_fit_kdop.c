// k-DOPs: slabs against exact sums, volumes against closed forms and against a hull of all corners that brute force finds.

#include "support.h"

#include "exact_sum.h"
#include "offline/fit/directions.h"

static const uint32_t ks[] = { 6, 14, 18, 26 };

static double dot( bv_vec3 a, bv_vec3 b )
{
	return ( a.x * b.x + a.y * b.y ) + a.z * b.z;
}

// Klosowski's counts: three pairs of box sides, four of corners, six of edges; no two directions are parallel.
static void the_directions_are_those_of_corners_and_edges_of_a_cube( void** state )
{
	(void)state;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		assert_true( dot( d, d ) == ( i < 3 ? 1 : i < 7 ? 3 : 2 ) );
		assert_true( d.x > 0 || ( d.x == 0 && ( d.y > 0 || ( d.y == 0 && d.z > 0 ) ) ) );
		for ( uint32_t k = 0; k < i; ++k )
		{
			bv_vec3 e = bv_kdop_direction( k );
			assert_true( dot( d, e ) * dot( d, e ) < dot( d, d ) * dot( e, e ) );
		}
	}
	for ( int n = 0; n < 4; ++n )
	{
		uint32_t used = 0;
		for ( uint32_t i = 0; i < 40; ++i )
		{
			used += bv_kdop_uses( ks[n], i );
		}
		assert_int_equal( 2 * used, ks[n] );
	}
	assert_false( bv_kdop_uses( 8, 0 ) );
	assert_true( dot( bv_kdop_direction( 13 ), bv_kdop_direction( 13 ) ) == 0 );
}

static void projections_are_dot_products_with_the_directions( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 1000; ++round )
	{
		bv_vec3 p = random_point( f );
		double at[BV_KDOP_DIRECTIONS];
		bvvol_project( p, BV_KDOP_DIRECTIONS, at );
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			assert_true( at[i] == dot( bv_kdop_direction( i ), p ) );
		}
	}
}

static int compare_with_slab( bv_vec3 direction, bv_vec3 p, double slab )
{
	exact_sum s = { 0 };
	exact_add( &s, direction.x * p.x );
	exact_add( &s, direction.y * p.y );
	exact_add( &s, direction.z * p.z );
	exact_add( &s, -slab );
	return exact_sign( &s );
}

// Each slab is a binary32 number, leaves no point out, and the next one would. Sums of grid points are binary32 numbers
// themselves; those of one large coordinate and one tiny one are not even binary64 numbers.
static void slabs_are_the_least_binary32_numbers( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20000; ++round )
	{
		bv_vec3 points[6];
		uint32_t count = 1 + (uint32_t)( random_bits( f ) % 6 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			double at[3];
			for ( int k = 0; k < 3; ++k )
			{
				double x = random_unit( f ) - 0.5;
				switch ( round % 5 )
				{
				case 0: x = floor( 8 * x ); break;
				case 1: x = (float)x; break;
				case 2: x = ldexp( (float)x, (int)( random_bits( f ) % 160 ) - 120 ); break;
				case 3: x = (float)( floor( 4 * x ) + ( random_bits( f ) % 2 ? 0x1p-40 * x : 0 ) ); break;
				default: break;
				}
				at[k] = x;
			}
			points[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
			if ( round % 5 == 3 )
			{
				points[i].x = floor( 4 * random_unit( f ) ) - 2;
				points[i].y = -points[i].x;
				points[i].z = ldexp( random_unit( f ) - 0.5, -(int)( random_bits( f ) % 100 ) );
			}
		}
		bv_kdop dop;
		assert_int_equal( bvb_fit_kdop( points, count, 26, &dop ), bv_ok );
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			bv_vec3 d = bv_kdop_direction( i );
			assert_true( (float)dop.lower[i] == dop.lower[i] && (float)dop.upper[i] == dop.upper[i] );
			bool least_above = false;
			bool least_below = false;
			double inner_upper = nextafterf( (float)dop.upper[i], -INFINITY );
			double inner_lower = nextafterf( (float)dop.lower[i], INFINITY );
			for ( uint32_t p = 0; p < count; ++p )
			{
				assert_true( compare_with_slab( d, points[p], dop.upper[i] ) <= 0 );
				assert_true( compare_with_slab( d, points[p], dop.lower[i] ) >= 0 );
				least_above = least_above || compare_with_slab( d, points[p], inner_upper ) > 0;
				least_below = least_below || compare_with_slab( d, points[p], inner_lower ) < 0;
			}
			assert_true( least_above && least_below );
		}
	}
}

// 2^-55 + 3/4 - 3/4 along (1, 1, 1): all but the least coordinate cancels, and that is a binary32 number.
static void slabs_hold_what_is_left_of_large_coordinates( void** state )
{
	(void)state;
	const bv_vec3 p = { 0x1p-55, 0.75, -0.75 };
	bv_kdop dop;
	assert_int_equal( bvb_fit_kdop( &p, 1, 14, &dop ), bv_ok );
	assert_true( dop.upper[3] == 0x1p-55 && dop.lower[3] == 0x1p-55 );
}

static void slabs_of_unused_directions_are_zero( void** state )
{
	fixture* f = *state;
	bv_vec3 points[4] = { random_point( f ), random_point( f ), random_point( f ), random_point( f ) };
	bv_kdop full;
	assert_int_equal( bvb_fit_kdop( points, 4, 26, &full ), bv_ok );
	for ( int n = 0; n < 4; ++n )
	{
		bv_kdop dop;
		assert_int_equal( bvb_fit_kdop( points, 4, ks[n], &dop ), bv_ok );
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			bool used = bv_kdop_uses( ks[n], i );
			assert_true( dop.lower[i] == ( used ? full.lower[i] : 0 ) );
			assert_true( dop.upper[i] == ( used ? full.upper[i] : 0 ) );
		}
	}
}

static void other_numbers_of_planes_and_no_points_are_errors( void** state )
{
	(void)state;
	bv_vec3 point = { 1, 2, 3 };
	bv_kdop dop;
	assert_int_equal( bvb_fit_kdop( &point, 1, 8, &dop ), bv_error_argument );
	assert_int_equal( bvb_fit_kdop( &point, 1, 0, &dop ), bv_error_argument );
	assert_int_equal( bvb_fit_kdop( &point, 0, 6, &dop ), bv_error_argument );
}

// In binary64, which cmocka's own comparison is not.
static void assert_near( double value, double expected, double tolerance )
{
	assert_true( fabs( value - expected ) <= tolerance );
}

static double volume_of( const bv_vec3* points, uint32_t count, uint32_t k )
{
	bv_kdop dop;
	assert_int_equal( bvb_fit_kdop( points, count, k, &dop ), bv_ok );
	return bvb_kdop_volume( &dop );
}

// The unit octahedron: its 14-DOP is itself, 4/3; its 6-DOP is its box, 8; its 18-DOP is the box's intersection with
// |x| + |y| <= 1 and so on, the rhombic dodecahedron of volume 2 that the planes x + y = 1 bound. Shifted by exact steps.
static void an_octahedron_has_known_volumes( void** state )
{
	(void)state;
	for ( int shift = -512; shift <= 512; shift += 256 )
	{
		bv_vec3 points[6];
		for ( int i = 0; i < 6; ++i )
		{
			double s = i % 2 ? 1 : -1;
			points[i] = ( bv_vec3 ){ shift + s * ( i / 2 == 0 ), -shift + s * ( i / 2 == 1 ),
				                     2 * shift + s * ( i / 2 == 2 ) };
		}
		assert_near( volume_of( points, 6, 6 ), 8, 1e-12 );
		assert_near( volume_of( points, 6, 14 ), 4.0 / 3, 1e-12 );
		assert_near( volume_of( points, 6, 18 ), 2, 1e-12 );
		assert_near( volume_of( points, 6, 26 ), 4.0 / 3, 1e-12 );
	}
}

// All twelve middles of the edges of the cube |x| <= 1: a cuboctahedron of edge sqrt( 2 ), of volume 5/3 sqrt( 2 ) times
// the edge's cube = 20/3, which the cube and the eight planes x + y + z = 2 bound. Without these the cube is left, which
// the planes x + y = 2 only touch.
static void a_cuboctahedron_has_known_volumes( void** state )
{
	(void)state;
	bv_vec3 points[12];
	for ( int i = 0; i < 4; ++i )
	{
		double s = i & 1 ? 1 : -1;
		double t = i & 2 ? 1 : -1;
		points[3 * i] = ( bv_vec3 ){ s, t, 0 };
		points[3 * i + 1] = ( bv_vec3 ){ s, 0, t };
		points[3 * i + 2] = ( bv_vec3 ){ 0, s, t };
	}
	assert_near( volume_of( points, 12, 6 ), 8, 1e-12 );
	assert_near( volume_of( points, 12, 14 ), 20.0 / 3, 1e-12 );
	assert_near( volume_of( points, 12, 18 ), 8, 1e-12 );
	assert_near( volume_of( points, 12, 26 ), 20.0 / 3, 1e-12 );
}

static void a_cube_keeps_its_volume_whatever_touches_it( void** state )
{
	(void)state;
	bv_vec3 points[8];
	for ( int i = 0; i < 8; ++i )
	{
		points[i] = ( bv_vec3 ){ i & 1 ? 3 : -1, i & 2 ? 3 : -1, i & 4 ? 3 : -1 };
	}
	for ( int n = 0; n < 4; ++n )
	{
		assert_near( volume_of( points, 8, ks[n] ), 64, 1e-12 );
	}
}

static void flat_straight_and_single_sets_have_no_volume( void** state )
{
	(void)state;
	const bv_vec3 flat[4] = { { 0, 0, 5 }, { 4, 0, 5 }, { 4, 2, 5 }, { 0, 2, 5 } };
	const bv_vec3 line[2] = { { 1, 1, 1 }, { 3, 3, 3 } };
	for ( int n = 0; n < 4; ++n )
	{
		assert_near( volume_of( flat, 4, ks[n] ), 0, 0 );
		assert_near( volume_of( line, 1, ks[n] ), 0, 0 );
	}
	assert_near( volume_of( line, 2, 26 ), 0, 1e-15 );
}

// All points in which three planes meet and that no plane leaves out, for the volume of their hull by qhull.
static uint32_t brute_force_corners( const bv_kdop* dop, bv_vec3* out, uint32_t room )
{
	double plane[2 * BV_KDOP_DIRECTIONS][4];
	int planes = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		for ( int side = 0; side < 2 && bv_kdop_uses( dop->k, i ); ++side )
		{
			double sign = side ? -1 : 1;
			plane[planes][0] = sign * d.x;
			plane[planes][1] = sign * d.y;
			plane[planes][2] = sign * d.z;
			plane[planes++][3] = side ? -dop->lower[i] : dop->upper[i];
		}
	}
	uint32_t count = 0;
	for ( int i = 0; i < planes; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			for ( int k = 0; k < j; ++k )
			{
				const double *a = plane[i], *b = plane[j], *c = plane[k];
				double bc[3] = { b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
					             b[0] * c[1] - b[1] * c[0] };
				double ca[3] = { c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2],
					             c[0] * a[1] - c[1] * a[0] };
				double ab[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
					             a[0] * b[1] - a[1] * b[0] };
				double determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
				if ( determinant == 0 )
				{
					continue;
				}
				double at[3];
				for ( int n = 0; n < 3; ++n )
				{
					at[n] = ( a[3] * bc[n] + b[3] * ca[n] + c[3] * ab[n] ) / determinant;
				}
				bool inside = true;
				for ( int n = 0; n < planes; ++n )
				{
					inside = inside && plane[n][0] * at[0] + plane[n][1] * at[1] + plane[n][2] * at[2] <=
					                       plane[n][3] + 1e-12;
				}
				if ( inside )
				{
					assert_true( count < room );
					out[count++] = ( bv_vec3 ){ at[0], at[1], at[2] };
				}
			}
		}
	}
	return count;
}

static void volumes_are_those_of_the_hull_of_all_corners( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bv_vec3 points[10];
		for ( int i = 0; i < 10; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = ( bv_vec3 ){ p.x, 2 * p.y, ( round % 4 ? 1 : 0.125 ) * p.z };
		}
		bv_kdop dop;
		bv_vec3 corners[2600];
		assert_int_equal( bvb_fit_kdop( points, 10, ks[round % 4], &dop ), bv_ok );
		uint32_t count = brute_force_corners( &dop, corners, 2600 );
		bvb_hull hull;
		bvb_error error = { "" };
		assert_int_equal( bvb_hull_compute( corners, count, f->arena, &hull, &error ), bv_ok );
		assert_near( bvb_kdop_volume( &dop ), hull.volume, 1e-9 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_directions_are_those_of_corners_and_edges_of_a_cube ),
		fixture_test( projections_are_dot_products_with_the_directions ),
		fixture_test( slabs_are_the_least_binary32_numbers ),
		fixture_test( slabs_hold_what_is_left_of_large_coordinates ),
		fixture_test( slabs_of_unused_directions_are_zero ),
		fixture_test( other_numbers_of_planes_and_no_points_are_errors ),
		fixture_test( an_octahedron_has_known_volumes ),
		fixture_test( a_cuboctahedron_has_known_volumes ),
		fixture_test( a_cube_keeps_its_volume_whatever_touches_it ),
		fixture_test( flat_straight_and_single_sets_have_no_volume ),
		fixture_test( volumes_are_those_of_the_hull_of_all_corners ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

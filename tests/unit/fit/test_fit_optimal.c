// The smallest box of many small solids, regular and degenerate ones among them: compared with the minimum
// over all pairs of hull edges (tests/reference). For sets without volume: compared with the smallest
// rectangle.

#include "point_sets.h"

#include "tests/reference/orourke.h"

enum
{
	most_points = 60,
};

static bv_obb fit( fixture* f, const bv_vec3* points, uint32_t count )
{
	bv_obb box;
	assert_int_equal( bvb_fit_obb( points, count, NULL, NULL, f->arena, &box ), bv_ok );
	return box;
}

// A stored frame is a quaternion of binary32 numbers, which turns a box by some 1e-7: of a box so many times
// longer than thick that is the part by which it grows.
static double allowed( const orourke_box* least )
{
	double side[3] = { least->upper.x - least->lower.x, least->upper.y - least->lower.y,
		               least->upper.z - least->lower.z };
	double longest = fmax( side[0], fmax( side[1], side[2] ) );
	double shortest = fmin( side[0], fmin( side[1], side[2] ) );
	return 1 + 1e-6 + 4e-7 * longest / shortest;
}

// @return whether there was something to compare
static bool expect_the_least( fixture* f, const bv_vec3* points, uint32_t count )
{
	orourke_box least;
	orourke_result result = orourke_search( points, count, NULL, &least );
	assert_true( result == orourke_found || result == orourke_flat );
	bv_obb box = fit( f, points, count );
	assert_true( encloses_all( &box, points, count ) );
	if ( result == orourke_found )
	{
		double ratio = bv_obb_volume( &box ) / least.volume;
		if ( ratio > allowed( &least ) )
		{
			fail_msg( "%u points: %.9g times the least box", count, ratio );
		}

		// Nothing is less than the least: the reference is one.
		assert_true( ratio > 1 - 2e-9 );
	}
	return result == orourke_found;
}

static void scale_set( bv_vec3* points, uint32_t count, double x, double y, double z )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = ( bv_vec3 ){ x * points[i].x, y * points[i].y, z * points[i].z };
	}
}

// Turned by a random frame, and rounded to binary32 as all positions of meshes of record are.
static void turn( fixture* f, bv_vec3* points, uint32_t count )
{
	bv_vec3 axis[3];
	random_frame( f, axis );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = in_frame( axis, points[i].x, points[i].y, points[i].z );
		points[i] = ( bv_vec3 ){ to_float( p.x ), to_float( p.y ), to_float( p.z ) };
	}
}

static uint32_t random_count( fixture* f )
{
	return 4 + (uint32_t)( random_bits( f ) % 37 );
}

static void random_points( fixture* f, bv_vec3* points, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = random_point( f );
	}
}

static void random_solids_get_the_least_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 120; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_count( f );
		random_points( f, points, count );
		scale_set( points, count, 1, 0.3 + random_unit( f ), 0.1 + random_unit( f ) );
		assert_true( expect_the_least( f, points, count ) );
	}
}

// All points are corners.
static void points_on_a_sphere_get_the_least_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_count( f );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			double x = p.x - 0.5, y = p.y - 0.5, z = p.z - 0.5;
			double length = sqrt( x * x + y * y + z * z );
			points[i] = ( bv_vec3 ){ x / length, y / length, z / length };
		}
		assert_true( expect_the_least( f, points, count ) );
	}
}

static void turned_boxes_with_points_on_their_sides_get_the_least_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 points[most_points];
		for ( int i = 0; i < 40; ++i )
		{
			bv_vec3 p = random_point( f );
			double at[3] = { p.x, p.y, p.z };
			at[i % 3] = i % 2;
			points[i] =
				i < 8 ? ( bv_vec3 ){ i & 1, i >> 1 & 1, i >> 2 & 1 } : ( bv_vec3 ){ at[0], at[1], at[2] };
		}
		scale_set( points, 40, 1, 1 + 3 * random_unit( f ), 1 + random_unit( f ) );
		turn( f, points, 40 );
		assert_true( expect_the_least( f, points, 40 ) );
	}
}

// Upright and turned; many edges are parallel, or at right angles to each other.
static void prisms_and_pyramids_get_the_least_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 90; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t sides = 3 + (uint32_t)( round % 10 );
		double height = 0.2 + 3 * random_unit( f );
		int kind = round / 10 % 3;
		uint32_t count = kind == 2 ? sides + 2 : 2 * sides;
		for ( uint32_t i = 0; i < sides; ++i )
		{
			double a = 2 * 3.14159265358979323846 * i / sides;
			double b = a + ( kind == 1 ? 3.14159265358979323846 / sides : 0 );
			points[i] = ( bv_vec3 ){ cos( a ), sin( a ), 0 };
			points[sides + i] = ( bv_vec3 ){ cos( b ), sin( b ), height };
		}
		if ( kind == 2 )
		{
			points[sides] = ( bv_vec3 ){ 0, 0, height };
			points[sides + 1] = ( bv_vec3 ){ 0, 0, -height };
		}
		if ( round % 2 )
		{
			turn( f, points, count );
		}
		assert_true( expect_the_least( f, points, count ) );
	}
}

// Coplanar and collinear points of all kinds, and equal ones.
static void solids_of_a_lattice_get_the_least_box( void** state )
{
	fixture* f = *state;
	int compared = 0;
	for ( int round = 0; round < 120; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_count( f );
		random_points( f, points, count );
		double size = 2 + round % 4;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = points[i];
			points[i] = ( bv_vec3 ){ floor( size * p.x ), floor( size * p.y ), floor( size * p.z ) };
		}
		if ( round % 3 == 0 )
		{
			turn( f, points, count );
		}
		compared += expect_the_least( f, points, count );
	}
	assert_true( compared > 100 );
}

// 1e4 times as long as thick, sheets and rods, upright and turned.
static void slivers_get_the_least_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 80; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = random_count( f );
		random_points( f, points, count );
		double thin = pow( 10, -1 - round / 20 );
		scale_set( points, count, 1, round % 2 ? thin : 1, thin );
		if ( round % 4 > 1 )
		{
			turn( f, points, count );
		}
		assert_true( expect_the_least( f, points, count ) );
	}
}

static void regular_solids_get_the_least_box( void** state )
{
	const double g = ( 1 + sqrt( 5 ) ) / 2;
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 points[most_points];
		uint32_t count = 0;
		for ( int i = 0; i < 8; ++i )
		{
			double x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
			bool even = x * y * z > 0;
			switch ( round % 6 )
			{
			case 0: // the tetrahedron
				if ( even )
				{
					points[count++] = ( bv_vec3 ){ x, y, z };
				}
				break;
			case 1: // the cube, and more for the dodecahedron
			case 4: points[count++] = ( bv_vec3 ){ x, y, z }; break;
			case 5: // the cuboctahedron
				if ( z > 0 )
				{
					points[count++] = ( bv_vec3 ){ x, y, 0 };
					points[count++] = ( bv_vec3 ){ x, 0, y };
					points[count++] = ( bv_vec3 ){ 0, x, y };
				}
				break;
			default: break;
			}
			double a = round % 6 == 3 ? 1 : 1 / g;
			// The icosahedron, and what the dodecahedron has besides a cube.
			if ( z > 0 && ( round % 6 == 3 || round % 6 == 4 ) )
			{
				points[count++] = ( bv_vec3 ){ 0, x * a, y * g };
				points[count++] = ( bv_vec3 ){ x * a, y * g, 0 };
				points[count++] = ( bv_vec3 ){ y * g, 0, x * a };
			}
			// The octahedron.
			if ( i < 2 && round % 6 == 2 )
			{
				points[count++] = ( bv_vec3 ){ x, 0, 0 };
				points[count++] = ( bv_vec3 ){ 0, x, 0 };
				points[count++] = ( bv_vec3 ){ 0, 0, x };
			}
		}
		if ( round >= 6 )
		{
			turn( f, points, count );
		}
		assert_true( expect_the_least( f, points, count ) );
	}
}

// Of plane points: the least rectangle has a side parallel to a segment between two of them.
static double least_rectangle( const bv_vec3* points, uint32_t count )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < i; ++k )
		{
			double dx = points[i].x - points[k].x;
			double dy = points[i].y - points[k].y;
			double lower[2] = { INFINITY, INFINITY };
			double upper[2] = { -INFINITY, -INFINITY };
			for ( uint32_t m = 0; m < count && dx * dx + dy * dy > 0; ++m )
			{
				double at[2] = { dx * points[m].x + dy * points[m].y, dx * points[m].y - dy * points[m].x };
				for ( int c = 0; c < 2; ++c )
				{
					lower[c] = fmin( lower[c], at[c] );
					upper[c] = fmax( upper[c], at[c] );
				}
			}
			double area = ( upper[0] - lower[0] ) * ( upper[1] - lower[1] ) / ( dx * dx + dy * dy );
			least = area < least ? area : least;
		}
	}
	return least;
}

// In planes of which every stored frame has the normal: x, y and z run round the coordinates.
static void flat_sets_get_the_least_rectangle( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 120; ++round )
	{
		bv_vec3 plane[most_points];
		bv_vec3 points[most_points];
		uint32_t count = random_count( f ) - 1;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			p = round % 2 ? p : ( bv_vec3 ){ floor( 5 * p.x ), floor( 6 * p.y ), 0 };
			p.z = 1;
			plane[i] = p;
			points[i] = round % 3 == 0   ? p
			            : round % 3 == 1 ? ( bv_vec3 ){ p.z, p.x, p.y }
			                             : ( bv_vec3 ){ p.y, p.z, p.x };
		}
		bv_obb box = fit( f, points, count );
		assert_true( encloses_all( &box, points, count ) );
		double area = 4 * fmax( box.half_extents[0] * box.half_extents[1],
		                        fmax( box.half_extents[1] * box.half_extents[2],
		                              box.half_extents[2] * box.half_extents[0] ) );
		assert_true( area <= least_rectangle( plane, count ) * ( 1 + 1e-6 ) + 1e-6 );
		double thickness = fmin( box.half_extents[0], fmin( box.half_extents[1], box.half_extents[2] ) );
		assert_true( thickness < 1e-6 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( random_solids_get_the_least_box ),
		fixture_test( points_on_a_sphere_get_the_least_box ),
		fixture_test( turned_boxes_with_points_on_their_sides_get_the_least_box ),
		fixture_test( prisms_and_pyramids_get_the_least_box ),
		fixture_test( solids_of_a_lattice_get_the_least_box ),
		fixture_test( slivers_get_the_least_box ),
		fixture_test( regular_solids_get_the_least_box ),
		fixture_test( flat_sets_get_the_least_rectangle ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The exhaustive search of boxes that other tests judge by, judged itself: by solids whose least boxes are
// known, and by a search that knows nothing of edges.

#include "point_sets.h"

#include "tests/reference/orourke.h"

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static orourke_box least( const bv_vec3* points, uint32_t count )
{
	orourke_box box;
	assert_int_equal( orourke_search( points, count, NULL, &box ), orourke_found );
	return box;
}

static void turn( fixture* f, bv_vec3* points, uint32_t count )
{
	bv_vec3 axis[3];
	random_frame( f, axis );
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = in_frame( axis, points[i].x, points[i].y, points[i].z );
	}
}

static void the_least_box_of_a_turned_box_is_that_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		double side[3] = { 1, 1 + random_unit( f ), pow( 10, -4 * random_unit( f ) ) };
		bv_vec3 points[30];
		for ( int i = 0; i < 30; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = i < 8 ? ( bv_vec3 ){ i & 1, i >> 1 & 1, i >> 2 & 1 } : p;
			points[i] = ( bv_vec3 ){ side[0] * points[i].x, side[1] * points[i].y, side[2] * points[i].z };
		}
		turn( f, points, 30 );
		orourke_box box = least( points, 30 );
		double volume = side[0] * side[1] * side[2];
		assert_true( fabs( box.volume / volume - 1 ) < 1e-9 );
		assert_int_equal( box.vertices, 8 );
		assert_int_equal( box.edges, 12 );
	}
}

// Four corners of a cube: no box is less than the cube, edge^3 / ( 2 sqrt 2 ).
static void the_least_box_of_a_regular_tetrahedron_is_a_cube( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 50; ++round )
	{
		bv_vec3 points[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
		turn( f, points, 4 );
		assert_true( fabs( least( points, 4 ).volume / 8 - 1 ) < 1e-9 );
	}
}

// Along a unit vector the octahedron of the coordinate axes is twice its largest component long, and of three
// at right angles (2, 2, -1) / 3, (2, -1, 2) / 3 and (-1, 2, 2) / 3 have the least product: (4/3)^3, CGAL's
// too.
static void the_least_box_of_a_regular_octahedron_is_a_cube( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 50; ++round )
	{
		bv_vec3 points[6] = {
			{ 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 }
		};
		turn( f, points, 6 );
		assert_true( fabs( least( points, 6 ).volume / ( 64.0 / 27 ) - 1 ) < 1e-9 );
	}
}

// The volume of the least box with a side normal to `n`: among the rectangles round what is seen along it
// that are parallel to a segment between two points.
static double least_along( const bv_vec3* points, uint32_t count, bv_vec3 n )
{
	double least_area = INFINITY;
	double low = INFINITY;
	double high = -INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		low = fmin( low, dot( n, points[i] ) );
		high = fmax( high, dot( n, points[i] ) );
		for ( uint32_t k = 0; k < i; ++k )
		{
			bv_vec3 d = { points[i].x - points[k].x, points[i].y - points[k].y, points[i].z - points[k].z };
			bv_vec3 side = { n.y * d.z - n.z * d.y, n.z * d.x - n.x * d.z, n.x * d.y - n.y * d.x };
			bv_vec3 along = { side.y * n.z - side.z * n.y, side.z * n.x - side.x * n.z,
				              side.x * n.y - side.y * n.x };
			double lower[2] = { INFINITY, INFINITY };
			double upper[2] = { -INFINITY, -INFINITY };
			for ( uint32_t m = 0; m < count; ++m )
			{
				double at[2] = { dot( side, points[m] ), dot( along, points[m] ) };
				for ( int c = 0; c < 2; ++c )
				{
					lower[c] = fmin( lower[c], at[c] );
					upper[c] = fmax( upper[c], at[c] );
				}
			}
			double area = ( upper[0] - lower[0] ) * ( upper[1] - lower[1] ) / dot( side, side );
			least_area = area < least_area ? area : least_area;
		}
	}
	return least_area * ( high - low );
}

static bv_vec3 direction( double x, double y, double z )
{
	double length = sqrt( x * x + y * y + z * z );
	return ( bv_vec3 ){ x / length, y / length, z / length };
}

// Steps to whatever is better near by, shorter and shorter ones.
static double improve( fixture* f, const bv_vec3* points, uint32_t count, bv_vec3 n, double volume )
{
	for ( double step = 0.2; step > 1e-9; )
	{
		bool better = false;
		for ( int trial = 0; trial < 8 && !better; ++trial )
		{
			bv_vec3 p = random_point( f );
			bv_vec3 near = direction( n.x + step * ( p.x - 0.5 ), n.y + step * ( p.y - 0.5 ),
			                          n.z + step * ( p.z - 0.5 ) );
			double other = least_along( points, count, near );
			better = other < volume;
			n = better ? near : n;
			volume = better ? other : volume;
		}
		step *= better ? 1.5 : 0.5;
	}
	return volume;
}

// Directions all over the sphere, and steps from the best of them: what it finds is never less, and as
// little.
static void no_search_over_directions_finds_less( void** state )
{
	enum
	{
		starts = 400,
		best_starts = 20,
	};
	fixture* f = *state;
	for ( int round = 0; round < 12; ++round )
	{
		bv_vec3 points[12];
		uint32_t count = 4 + (uint32_t)( random_bits( f ) % 9 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = round % 2 ? ( bv_vec3 ){ p.x, 0.4 * p.y, 0.1 * p.z }
			                      : ( bv_vec3 ){ floor( 3 * p.x ), floor( 4 * p.y ), floor( 4 * p.z ) };
		}
		turn( f, points, count );
		orourke_box box;
		if ( orourke_search( points, count, NULL, &box ) == orourke_flat )
		{
			continue;
		}
		bv_vec3 from[best_starts];
		double volume[best_starts];
		for ( int i = 0; i < starts; ++i )
		{
			bv_vec3 p = random_point( f );
			bv_vec3 n = direction( p.x - 0.5, p.y - 0.5, p.z - 0.5 );
			double v = least_along( points, count, n );
			int slot = i < best_starts ? i : 0;
			for ( int k = 0; i >= best_starts && k < best_starts; ++k )
			{
				slot = volume[k] > volume[slot] ? k : slot;
			}
			if ( i < best_starts || v < volume[slot] )
			{
				from[slot] = n;
				volume[slot] = v;
			}
		}
		double found = INFINITY;
		for ( int k = 0; k < best_starts; ++k )
		{
			found = fmin( found, improve( f, points, count, from[k], volume[k] ) );
		}
		assert_true( box.volume <= found * ( 1 + 2e-9 ) );
		assert_true( found <= box.volume * ( 1 + 1e-6 ) );
	}
}

static void the_box_is_what_it_says_and_encloses( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bv_vec3 points[40];
		for ( int i = 0; i < 40; ++i )
		{
			points[i] = random_point( f );
		}
		orourke_box box = least( points, 40 );
		const double lower[3] = { box.lower.x, box.lower.y, box.lower.z };
		const double upper[3] = { box.upper.x, box.upper.y, box.upper.z };
		double volume = 1;
		for ( int k = 0; k < 3; ++k )
		{
			for ( int m = 0; m < 3; ++m )
			{
				assert_true( fabs( dot( box.axis[k], box.axis[m] ) - ( k == m ) ) < 1e-14 );
			}
			for ( int i = 0; i < 40; ++i )
			{
				double at = dot( box.axis[k], points[i] );
				assert_true( lower[k] <= at && at <= upper[k] );
			}
			volume *= upper[k] - lower[k];
		}
		assert_true( fabs( volume - box.volume ) < 1e-14 );
	}
}

static void sets_without_volume_and_large_hulls_are_refused( void** state )
{
	fixture* f = *state;
	bv_vec3 points[20];
	for ( int i = 0; i < 20; ++i )
	{
		bv_vec3 p = random_point( f );
		points[i] = ( bv_vec3 ){ p.x, p.y, 3 };
	}
	orourke_box box;
	assert_int_equal( orourke_search( points, 20, NULL, &box ), orourke_flat );
	assert_int_equal( orourke_search( points, 3, NULL, &box ), orourke_flat );
	points[7].z = 4;
	orourke_options options = orourke_options_default();
	options.max_edges = 5;
	assert_int_equal( orourke_search( points, 20, &options, &box ), orourke_refused );
	assert_true( box.edges > 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_least_box_of_a_turned_box_is_that_box ),
		fixture_test( the_least_box_of_a_regular_tetrahedron_is_a_cube ),
		fixture_test( the_least_box_of_a_regular_octahedron_is_a_cube ),
		fixture_test( no_search_over_directions_finds_less ),
		fixture_test( the_box_is_what_it_says_and_encloses ),
		fixture_test( sets_without_volume_and_large_hulls_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

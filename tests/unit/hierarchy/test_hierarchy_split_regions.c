// Dividing by the points of Eckstein's table 3.1 in the oriented and the axis-aligned box.

#include "split_sets.h"

// Table 3.1 of the thesis: the points as fractions of the half extents along the longest axis and the second.
static const double table[5][6][2] = {
	{ { -1. / 2, 0 }, { 1. / 2, 0 } },
	{ { -2. / 3, 0 }, { 0, 0 }, { 2. / 3, 0 } },
	{ { -1. / 2, -1. / 2 }, { -1. / 2, 1. / 2 }, { 1. / 2, -1. / 2 }, { 1. / 2, 1. / 2 } },
	{ { -1. / 2, -1. / 2 }, { -1. / 2, 1. / 2 }, { 0, 0 }, { 1. / 2, -1. / 2 }, { 1. / 2, 1. / 2 } },
	{ { -2. / 3, -1. / 2 },
	  { 0, -1. / 2 },
	  { 2. / 3, -1. / 2 },
	  { -2. / 3, 1. / 2 },
	  { 0, 1. / 2 },
	  { 2. / 3, 1. / 2 } },
};

static const char* const rows[] = { "gottschalk-points", "zachmann" };

// Recomputes each face's nearest point in the box of the corners along the axes given. Returns false when two points
// are too nearly as far to say.
static bool expect_nearest( const bvb_mesh* mesh, const bv_vec3 axis[3], uint32_t degree, uint8_t* part )
{
	double lower[3];
	double upper[3];
	for ( int k = 0; k < 3; ++k )
	{
		lower[k] = INFINITY;
		upper[k] = -INFINITY;
		for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
		{
			bv_vec3 p = mesh->positions[i];
			double along = axis[k].x * p.x + axis[k].y * p.y + axis[k].z * p.z;
			lower[k] = fmin( lower[k], along );
			upper[k] = fmax( upper[k], along );
		}
	}
	int a = 0;
	for ( int k = 1; k < 3; ++k )
	{
		a = upper[k] - lower[k] > upper[a] - lower[a] ? k : a;
	}
	int b = a == 0 ? 1 : 0;
	for ( int k = 0; k < 3; ++k )
	{
		b = k != a && upper[k] - lower[k] > upper[b] - lower[b] ? k : b;
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double x = 0;
		double y = 0;
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[i].corner[k]];
			x += ( axis[a].x * p.x + axis[a].y * p.y + axis[a].z * p.z ) / 3;
			y += ( axis[b].x * p.x + axis[b].y * p.y + axis[b].z * p.z ) / 3;
		}
		double least = INFINITY;
		double second = INFINITY;
		for ( uint32_t k = 0; k < degree; ++k )
		{
			double dx =
				x - ( lower[a] + upper[a] ) / 2 - table[degree - 2][k][0] * ( upper[a] - lower[a] ) / 2;
			double dy =
				y - ( lower[b] + upper[b] ) / 2 - table[degree - 2][k][1] * ( upper[b] - lower[b] ) / 2;
			double distance = sqrt( dx * dx + dy * dy );
			part[i] = distance < least ? (uint8_t)k : part[i];
			second = distance < least ? least : fmin( second, distance );
			least = fmin( least, distance );
		}
		if ( second - least < 1e-9 )
		{
			return false;
		}
	}
	return true;
}

static void random_faces_go_to_the_nearest_point_of_the_table( void** state )
{
	fixture* f = *state;
	int compared = 0;
	for ( int round = 0; round < 60; ++round )
	{
		for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
		{
			bvb_mesh mesh = random_soup( f, 80, 0.2 );
			for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
			{
				mesh.positions[i].x *= 3;
				mesh.positions[i].z *= 2;
			}
			for ( int oriented = 0; oriented < 2; ++oriented )
			{
				splitting s;
				splitting_begin( f, &mesh, NULL, &s );
				bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
				if ( oriented )
				{
					memcpy( axis, s.volume.obb.axis, sizeof axis );
				}
				uint8_t part[80];
				splitting_divide( &s, oriented ? "gottschalk-points" : "zachmann", degree );
				if ( expect_nearest( &mesh, axis, degree, part ) )
				{
					assert_memory_equal( s.part, part, sizeof part );
					compared += 1;
				}
				splitting_end( &s );
			}
		}
	}
	assert_true( compared > 500 );
}

// Places 0, 1, 2, 3, 4, 20 along a line: the box's middle is 10, so five are on one side; the median would have three.
static void two_parts_meet_in_the_middle_of_the_box( void** state )
{
	fixture* f = *state;
	bv_vec3 at[6] = { { 0, 0, 0 }, { 1, 0, 0 }, { 20, 0, 0 }, { 2, 0, 0 }, { 3, 0, 0 }, { 4, 0, 0 } };
	const uint8_t expected[6] = { 0, 0, 1, 0, 0, 0 };
	for ( int k = 0; k < 2; ++k )
	{
		bvb_mesh mesh = triangles_round( f, at, 6, 0.01 );
		uint8_t part[6];
		uint8_t median[6];
		divide_mesh( f, &mesh, NULL, rows[k], 2, part );
		assert_true( same_partition( part, expected, 6 ) );
		divide_mesh( f, &mesh, NULL, "median", 2, median );
		assert_false( same_partition( part, median, 6 ) );
	}
}

// One triangle in each cell of a 6 by 4 sheet, and two more in one corner. The regions of table 3.1 are drawn in figure 3.9:
// halves, thirds, quarters, quarters with a tilted square in the middle, sixths.
static void regions_are_those_of_figure_3_9( void** state )
{
	fixture* f = *state;
	bv_vec3 at[26];
	for ( int i = 0; i < 24; ++i )
	{
		at[i] = ( bv_vec3 ){ i % 6, i / 6, 0 };
	}
	at[24] = ( bv_vec3 ){ 0.1, 0.1, 0 };
	at[25] = ( bv_vec3 ){ 0.2, 0.1, 0 };
	bvb_mesh mesh = triangles_round( f, at, 26, 0.01 );
	for ( int k = 0; k < 2; ++k )
	{
		for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
		{
			uint8_t part[26];
			uint8_t expected[26];
			for ( int i = 0; i < 26; ++i )
			{
				int x = (int)at[i].x;
				int y = (int)at[i].y;
				const int cell[] = { x / 3, x / 2, x / 3 + 2 * ( y / 2 ), x / 3 + 2 * ( y / 2 ),
					                 x / 2 + 3 * ( y / 2 ) };
				// Nearer to the middle than to a quarter's: |x - 2.5| / 2.5 * r_a^2 + ... by the bisector of
				// (0, 0) and (r_a / 2, r_b / 2), that is r_a u + r_b v < (r_a^2 + r_b^2) / 4.
				double u = fabs( at[i].x - 2.5 );
				double v = fabs( at[i].y - 1.5 );
				bool middle = degree == 5 && 2.51 * u + 1.51 * v < ( 2.51 * 2.51 + 1.51 * 1.51 ) / 4;
				expected[i] = middle ? 9 : (uint8_t)cell[degree - 2];
			}
			divide_mesh( f, &mesh, NULL, rows[k], degree, part );
			assert_true( same_partition( part, expected, 26 ) );
			assert_int_equal( count_parts( part, 26 ), degree );
		}
	}
}

// Eight long triangles across the longest axis, all midpoints in its middle, four above the other four.
static void the_next_axis_divides_what_the_longest_does_not( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 8 );
	for ( int i = 0; i < 8; ++i )
	{
		double y = i % 4 + ( i >= 4 ? 6 : 0 );
		mesh.positions[3 * i] = ( bv_vec3 ){ -30, y, 0 };
		mesh.positions[3 * i + 1] = ( bv_vec3 ){ 30, y, 0 };
		mesh.positions[3 * i + 2] = ( bv_vec3 ){ -1, y, 0.25 };
	}
	const uint8_t expected[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	for ( int k = 0; k < 2; ++k )
	{
		uint8_t part[8];
		divide_mesh( f, &mesh, NULL, rows[k], 2, part );
		assert_true( same_partition( part, expected, 8 ) );
	}
}

// All midpoints are in one octant of the box, that of its lowest corner.
static void one_huge_triangle_does_not_keep_small_ones_together( void** state )
{
	fixture* f = *state;
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		for ( int k = 0; k < 2; ++k )
		{
			bvb_mesh mesh = random_soup( f, 40, 0.01 );
			mesh.positions[0] = ( bv_vec3 ){ 100, 0, 0 };
			mesh.positions[1] = ( bv_vec3 ){ 0, 100, 0 };
			mesh.positions[2] = ( bv_vec3 ){ 0, 0, 100 };
			uint8_t part[40];
			divide_mesh( f, &mesh, NULL, rows[k], degree, part );
			assert_true( count_parts( part, 40 ) > 1 );
		}
	}
}

static void odd_sets_are_divided_where_they_can( void** state )
{
	for ( int k = 0; k < 2; ++k )
	{
		check_odd_sets( *state, NULL, rows[k] );
	}
}

static void the_order_of_the_faces_changes_nothing( void** state )
{
	fixture* f = *state;
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		for ( int k = 0; k < 2; ++k )
		{
			bvb_mesh mesh = random_soup( f, 200, 0.2 );
			assert_true( ignores_order( f, &mesh, NULL, rows[k], degree ) );
		}
	}
}

// The oriented box's axes are rounded to another quaternion out there; the upright ones are what they are.
static void sets_far_away_are_divided_as_near_ones( void** state )
{
	fixture* f = *state;
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		bvb_mesh mesh = random_soup( f, 200, 0.2 );
		assert_true( ignores_place( f, &mesh, NULL, "zachmann", degree ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( random_faces_go_to_the_nearest_point_of_the_table ),
		fixture_test( two_parts_meet_in_the_middle_of_the_box ),
		fixture_test( regions_are_those_of_figure_3_9 ),
		fixture_test( the_next_axis_divides_what_the_longest_does_not ),
		fixture_test( one_huge_triangle_does_not_keep_small_ones_together ),
		fixture_test( odd_sets_are_divided_where_they_can ),
		fixture_test( the_order_of_the_faces_changes_nothing ),
		fixture_test( sets_far_away_are_divided_as_near_ones ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Rules that cut by a plane normal to a coordinate axis: Klosowski's and Felger and Zachmann's. What a rule wants is
// recomputed for every axis from sorted coordinates, all planes there are, and the boxes of the parts.

#include "shapes.h"
#include "splitting.h"

enum
{
	rows = 9,
	most = 64, // faces of a random set
};

static const char* const names[rows] = { "klosowski-sum-mean",      "klosowski-sum-median",
	                                     "klosowski-max-mean",      "klosowski-max-median",
	                                     "klosowski-splatter-mean", "klosowski-splatter-median",
	                                     "klosowski-longest-mean",  "klosowski-longest-median",
	                                     "felger-zachmann" };

static double coordinate( bv_vec3 p, int axis )
{
	return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static bv_vec3 corner_of( const bvb_mesh* mesh, uint32_t face, int k )
{
	return mesh->positions[mesh->triangles[face].corner[k]];
}

static double midpoint( const bvb_mesh* mesh, uint32_t face, int axis )
{
	double sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		sum += coordinate( corner_of( mesh, face, k ), axis );
	}
	return sum / 3;
}

static int compare( const void* a, const void* b )
{
	double x = *(const double*)a;
	double y = *(const double*)b;
	return ( x > y ) - ( x < y );
}

// Small triangles of sizes of their own, in a box of three random sides.
static bvb_mesh random_soup( fixture* f, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	double side[3] = { 0.2 + random_unit( f ), 0.2 + random_unit( f ), 0.2 + random_unit( f ) };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_point( f );
		double size = 0.5 * random_unit( f ) * random_unit( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[3 * i + k] =
				( bv_vec3 ){ side[0] * at.x * at.x + size * p.x, side[1] * at.y + size * p.y,
				             side[2] * at.z + size * p.z };
		}
	}
	return mesh;
}

static void divide( fixture* f, const bvb_mesh* mesh, bv_volume_type type, const char* name, uint32_t degree,
                    uint8_t* part )
{
	bvb_hierarchy_options options = box_tree_options();
	options.volume_types = 1u << type;
	splitting s;
	splitting_begin( f, mesh, &options, &s );
	splitting_divide( &s, name, degree );
	memcpy( part, s.part, mesh->triangle_count );
	splitting_end( &s );
}

static bool same_division( const uint8_t* a, const uint8_t* b, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < i; ++k )
		{
			if ( ( a[i] == a[k] ) != ( b[i] == b[k] ) )
			{
				return false;
			}
		}
	}
	return true;
}

static double part_volume( const bvb_mesh* mesh, const uint8_t* part, uint8_t number, bv_volume_type type )
{
	bv_vec3 corners[3 * most];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < 3 * mesh->triangle_count; ++i )
	{
		if ( part[i / 3] == number )
		{
			corners[count++] = corner_of( mesh, i / 3, (int)( i % 3 ) );
		}
	}
	if ( type == bv_volume_aabb )
	{
		bv_aabb box = bvb_fit_aabb( corners, count );
		return bv_aabb_volume( &box );
	}
	bv_kdop dop;
	assert_int_equal( bvb_fit_kdop( corners, count, type == bv_volume_kdop14 ? 14 : 26, &dop ), bv_ok );
	return bvb_kdop_volume( &dop );
}

// What a rule of Klosowski's makes least.
static double klosowski_score( const bvb_mesh* mesh, const uint8_t* part, int rule, int axis,
                               bv_volume_type type )
{
	double mean = 0;
	double variance = 0;
	double lower = INFINITY;
	double upper = -INFINITY;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		mean += midpoint( mesh, i, axis ) / mesh->triangle_count;
		for ( int k = 0; k < 3; ++k )
		{
			lower = fmin( lower, coordinate( corner_of( mesh, i, k ), axis ) );
			upper = fmax( upper, coordinate( corner_of( mesh, i, k ), axis ) );
		}
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		variance += pow( midpoint( mesh, i, axis ) - mean, 2 );
	}
	double a = part_volume( mesh, part, 0, type );
	double b = part_volume( mesh, part, 1, type );
	return rule == 0 ? a + b : rule == 1 ? fmax( a, b ) : rule == 2 ? -variance : lower - upper;
}

static void cut_by_klosowski( const bvb_mesh* mesh, int row, bv_volume_type type, uint8_t* part )
{
	uint32_t count = mesh->triangle_count;
	double least = INFINITY;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double sorted[most];
		double mean = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			sorted[i] = midpoint( mesh, i, axis );
			mean += sorted[i] / count;
		}
		qsort( sorted, count, sizeof *sorted, compare );
		uint8_t tried[most];
		for ( uint32_t i = 0; i < count; ++i )
		{
			double at = midpoint( mesh, i, axis );
			tried[i] = row % 2 ? at > sorted[( count - 1 ) / 2] : at > mean;
		}
		double score = klosowski_score( mesh, tried, row / 2, axis, type );
		if ( score < least )
		{
			least = score;
			memcpy( part, tried, count );
		}
	}
}

static void klosowski_takes_the_axis_its_rule_names( void** state )
{
	fixture* f = *state;
	static const bv_volume_type types[] = { bv_volume_aabb, bv_volume_kdop14, bv_volume_kdop26 };
	int differ[8][8] = { { 0 } };
	for ( int round = 0; round < 90; ++round )
	{
		bvb_mesh mesh = random_soup( f, 3 + round * 2 / 3 );
		uint8_t part[8][most];
		for ( int row = 0; row < 8; ++row )
		{
			uint8_t expected[most];
			divide( f, &mesh, types[round % 3], names[row], 2, part[row] );
			cut_by_klosowski( &mesh, row, types[round % 3], expected );
			assert_true( same_division( part[row], expected, mesh.triangle_count ) );
			for ( int other = 0; other < row; ++other )
			{
				differ[row][other] += !same_division( part[row], part[other], mesh.triangle_count );
			}
		}
	}

	// The rules are not the same one by other names.
	for ( int row = 0; row < 8; ++row )
	{
		for ( int other = 0; other < row; ++other )
		{
			assert_true( differ[row][other] >= 5 );
		}
	}
}

// The most faces that either half-space of a plane meets.
static uint32_t faces_met( const bvb_mesh* mesh, int axis, double cut )
{
	uint32_t below = 0;
	uint32_t above = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double lower = INFINITY;
		double upper = -INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			lower = fmin( lower, coordinate( corner_of( mesh, i, k ), axis ) );
			upper = fmax( upper, coordinate( corner_of( mesh, i, k ), axis ) );
		}
		below += lower < cut;
		above += upper > cut;
	}
	return below > above ? below : above;
}

// Whether some plane with those midpoints below it, and those above it, meets that many.
static bool is_cut( const bvb_mesh* mesh, const uint8_t* part, int axis, const double* ends, uint32_t met )
{
	for ( uint32_t i = 0; i + 1 < 6 * mesh->triangle_count; ++i )
	{
		double cut = ( ends[i] + ends[i + 1] ) / 2;
		uint8_t below[most];
		for ( uint32_t k = 0; k < mesh->triangle_count; ++k )
		{
			below[k] = midpoint( mesh, k, axis ) < cut;
		}
		if ( faces_met( mesh, axis, cut ) == met && same_division( below, part, mesh->triangle_count ) )
		{
			return true;
		}
	}
	return false;
}

// All planes between two neighbors of all coordinates, corners' and midpoints'.
static void felger_and_zachmann_meet_as_few_faces_as_any_plane( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bvb_mesh mesh = random_soup( f, 3 + round * 2 / 3 );
		uint32_t count = mesh.triangle_count;
		uint8_t part[most];
		divide( f, &mesh, bv_volume_aabb, "felger-zachmann", 2, part );
		double ends[3][6 * most];
		uint32_t least = UINT32_MAX;
		for ( int axis = 0; axis < 3; ++axis )
		{
			for ( uint32_t i = 0; i < count; ++i )
			{
				for ( int k = 0; k < 3; ++k )
				{
					ends[axis][6 * i + k] = coordinate( corner_of( &mesh, i, k ), axis );
					ends[axis][6 * i + 3 + k] = midpoint( &mesh, i, axis );
				}
			}
			qsort( ends[axis], 6 * count, sizeof **ends, compare );
			for ( uint32_t i = 0; i + 1 < 6 * count; ++i )
			{
				uint32_t met = faces_met( &mesh, axis, ( ends[axis][i] + ends[axis][i + 1] ) / 2 );
				least = met < least ? met : least;
			}
		}
		bool found = false;
		for ( int axis = 0; axis < 3; ++axis )
		{
			found = found || is_cut( &mesh, part, axis, ends[axis], least );
		}
		assert_true( found );
	}
}

static void set_small( bvb_mesh* mesh, uint32_t face, double x, double y )
{
	set_triangle( mesh, face, ( bv_vec3 ){ x, y, 0 }, ( bv_vec3 ){ x, y + 1e-3, 0 },
	              ( bv_vec3 ){ x, y, 1e-3 } );
}

// Divides by a row and by `median`, which must differ.
static void assert_division( fixture* f, const bvb_mesh* mesh, const char* name, const uint8_t* expected )
{
	uint8_t part[most];
	divide( f, mesh, bv_volume_aabb, name, 2, part );
	assert_true( same_division( part, expected, mesh->triangle_count ) );
	divide( f, mesh, bv_volume_aabb, "median", 2, part );
	assert_false( same_division( part, expected, mesh->triangle_count ) );
}

// Places 0, 1, 2, 3, 94 have the mean 20.
static void longest_mean_cuts_at_the_mean( void** state )
{
	fixture* f = *state;
	const double place[5] = { 94, 1, 3, 0, 2 };
	bvb_mesh mesh = soup_create( f, 5 );
	for ( uint32_t i = 0; i < 5; ++i )
	{
		set_small( &mesh, i, place[i], 0 );
	}
	assert_division( f, &mesh, "klosowski-longest-mean", ( uint8_t[] ){ 1, 0, 0, 0, 0 } );
}

// Of the places 0, 0, 0, 0, 1 the median is 0, and no plane parts equal places.
static void longest_median_keeps_equal_places_together( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 5 );
	for ( uint32_t i = 0; i < 5; ++i )
	{
		set_small( &mesh, i, i == 2, 0 );
	}
	assert_division( f, &mesh, "klosowski-longest-median", ( uint8_t[] ){ 0, 0, 1, 0, 0 } );
}

// Triangles as long as 20 lie side by side: x is the longest axis, but midpoints vary along y, which the places 0, 1, 2, 9
// have the mean 3 of, and the median 1.5. Along x their order is another.
static void splatter_looks_at_midpoints_not_at_length( void** state )
{
	fixture* f = *state;
	const double x[4] = { 0, 0.3, 0.1, 0.2 };
	const double y[4] = { 0, 1, 2, 9 };
	bvb_mesh mesh = soup_create( f, 4 );
	for ( uint32_t i = 0; i < 4; ++i )
	{
		set_triangle( &mesh, i, ( bv_vec3 ){ x[i] - 10, y[i], 0 }, ( bv_vec3 ){ x[i] + 10, y[i], 0 },
		              ( bv_vec3 ){ x[i], y[i], 1 } );
	}
	assert_division( f, &mesh, "klosowski-splatter-mean", ( uint8_t[] ){ 0, 0, 0, 1 } );
	assert_division( f, &mesh, "klosowski-splatter-median", ( uint8_t[] ){ 0, 0, 1, 1 } );
}

// Two bars of length 10 along x at y = 0 and y = 4: cut between them each is thin, cut across x both parts are as wide as
// the gap. The longest axis is x.
static void volumes_decide_between_bars( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 6 );
	for ( uint32_t i = 0; i < 6; ++i )
	{
		double x = 3.5 * ( i % 3 );
		double y = i < 3 ? 0 : 4;
		set_triangle( &mesh, i, ( bv_vec3 ){ x, y, 0 }, ( bv_vec3 ){ x + 3, y, 0 },
		              ( bv_vec3 ){ x, y + 0.1, 1 } );
	}
	static const uint8_t bars[6] = { 0, 0, 0, 1, 1, 1 };
	for ( int row = 0; row < 4; ++row )
	{
		assert_division( f, &mesh, names[row], bars );
	}
}

// Five faces along x all of which every plane crosses that is near the middle, and which a plane normal to y parts 3 | 2
// without meeting any twice.
static void felger_and_zachmann_avoid_crossing_faces( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 5 );
	for ( uint32_t i = 0; i < 5; ++i )
	{
		double x = 0.1 * ( ( 2 * i ) % 5 );
		set_triangle( &mesh, i, ( bv_vec3 ){ x - 10, i, 0 }, ( bv_vec3 ){ x + 10, i, 0 },
		              ( bv_vec3 ){ x, i + 0.1, 1 } );
	}
	uint8_t part[most];
	divide( f, &mesh, bv_volume_aabb, "felger-zachmann", 2, part );
	assert_true( same_division( part, ( uint8_t[] ){ 0, 0, 0, 1, 1 }, 5 ) ||
	             same_division( part, ( uint8_t[] ){ 0, 0, 1, 1, 1 }, 5 ) );
	assert_division( f, &mesh, "felger-zachmann", part );
}

// Six groups of faces at one place each: of six parts each is a group, and of fewer none has a part of one.
static void every_degree_is_honored( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 24 );
	for ( uint32_t i = 0; i < 24; ++i )
	{
		set_small( &mesh, i, 100.0 * ( i % 6 ), 0 );
	}
	for ( int row = 0; row < rows; ++row )
	{
		for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
		{
			uint8_t part[most];
			divide( f, &mesh, bv_volume_aabb, names[row], degree, part );
			bool used[BVB_MAX_DEGREE] = { false };
			for ( uint32_t i = 0; i < 24; ++i )
			{
				used[part[i]] = true;
				assert_int_equal( part[i], part[i % 6] );
			}
			for ( uint32_t k = 0; k < degree; ++k )
			{
				assert_true( used[k] );
			}
		}
	}
}

static void the_order_of_faces_changes_nothing( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		bvb_mesh mesh = random_soup( f, 40 );
		bvb_mesh turned = mesh;
		turned.triangles = bvb_arena_allocate( f->arena, 40, sizeof *turned.triangles );
		for ( uint32_t i = 0; i < 40; ++i )
		{
			turned.triangles[i] = mesh.triangles[( 7 * i + 3 ) % 40];
		}
		for ( int row = 0; row < rows; ++row )
		{
			for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
			{
				uint8_t part[most];
				uint8_t other[most];
				uint8_t back[most];
				divide( f, &mesh, bv_volume_aabb, names[row], degree, part );
				divide( f, &turned, bv_volume_aabb, names[row], degree, other );
				for ( uint32_t i = 0; i < 40; ++i )
				{
					back[( 7 * i + 3 ) % 40] = other[i];
				}
				assert_true( same_division( part, back, 40 ) );
			}
		}
	}
}

// @param spread  of the midpoints, which must then be separated
static void check_degenerate( fixture* f, const bvb_mesh* mesh, bool spread )
{
	for ( int row = 0; row < rows; ++row )
	{
		for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
		{
			uint8_t part[most];
			divide( f, mesh, bv_volume_kdop14, names[row], degree, part );
			bool separated = false;
			for ( uint32_t i = 1; i < mesh->triangle_count; ++i )
			{
				separated = separated || part[i] != part[0];
			}
			assert_int_equal( separated, spread );
		}
	}
}

static void degenerate_sets_are_separated_when_midpoints_differ( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 7 );
	for ( uint32_t i = 0; i < 7; ++i )
	{
		set_small( &mesh, i, 3, 4 );
	}
	check_degenerate( f, &mesh, false );
	for ( uint32_t i = 0; i < 7; ++i )
	{
		double s = 1 << i; // all midpoints 0
		set_triangle( &mesh, i, ( bv_vec3 ){ -3 * s, -s, 0 }, ( bv_vec3 ){ 3 * s, -s, 0 },
		              ( bv_vec3 ){ 0, 2 * s, 0 } );
	}
	check_degenerate( f, &mesh, false );
	for ( uint32_t i = 0; i < 7; ++i )
	{
		set_small( &mesh, i, 1e6 + 0.25 * i, -1e6 );
	}
	check_degenerate( f, &mesh, true );
	mesh.triangle_count = 2;
	check_degenerate( f, &mesh, true );
	mesh.triangle_count = 7;
	for ( uint32_t i = 0; i < 7; ++i )
	{
		// All are as long as the set, and only the last has another midpoint.
		set_triangle( &mesh, i, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 8, 0, 0 },
		              ( bv_vec3 ){ i == 6 ? 2 : 1, 0, 0.5 } );
	}
	check_degenerate( f, &mesh, true );
}

// Beyond what fits the stack, in as many parts as there are.
static void large_sets_are_divided_too( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 40 );
	uint8_t* part = bvb_arena_allocate( f->arena, mesh.triangle_count, 1 );
	for ( int row = 0; row < rows; ++row )
	{
		divide( f, &mesh, bv_volume_aabb, names[row], BVB_MAX_DEGREE, part );
		uint32_t faces[BVB_MAX_DEGREE] = { 0 };
		for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
		{
			faces[part[i]] += 1;
		}
		for ( int k = 0; k < BVB_MAX_DEGREE; ++k )
		{
			assert_true( faces[k] > mesh.triangle_count / 40 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( klosowski_takes_the_axis_its_rule_names ),
		fixture_test( felger_and_zachmann_meet_as_few_faces_as_any_plane ),
		fixture_test( longest_mean_cuts_at_the_mean ),
		fixture_test( longest_median_keeps_equal_places_together ),
		fixture_test( splatter_looks_at_midpoints_not_at_length ),
		fixture_test( volumes_decide_between_bars ),
		fixture_test( felger_and_zachmann_avoid_crossing_faces ),
		fixture_test( every_degree_is_honored ),
		fixture_test( the_order_of_faces_changes_nothing ),
		fixture_test( degenerate_sets_are_separated_when_midpoints_differ ),
		fixture_test( large_sets_are_divided_too ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The splitter `insertion`: the seeds, the order of the faces, and the part that each face joins. Uses
// axis-aligned boxes and their areas, which are simple to compute independently.

#include "offline/literature/insertion.h"
#include "split_sets.h"

// The first two begin with random faces.
static const char* const rows[] = { "insertion-random", "insertion-random-best", "insertion",
	                                "insertion-best",   "insertion-icosahedron", "insertion-icosahedron-best",
	                                "insertion-points", "insertion-points-best" };

enum
{
	row_count = sizeof rows / sizeof rows[0],
};

static bvb_hierarchy_options upright( void )
{
	bvb_hierarchy_options options = box_tree_options();
	options.volume_types = 1u << bv_volume_aabb;
	return options;
}

// Two rows of three and one triangles, far apart: every seeding that is not random begins in both, and each row then stays
// together, since whatever else would grow across the gap. The median has two on each side.
static void far_clusters_are_parts( void** state )
{
	fixture* f = *state;
	const bv_vec3 at[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 50, 0, 0 } };
	const uint8_t expected[4] = { 0, 0, 0, 1 };
	for ( int types = 0; types < bv_volume_types; ++types )
	{
		bvb_hierarchy_options options = box_tree_options();
		options.volume_types = 1u << types;
		bvb_mesh mesh = triangles_round( f, at, 4, 0.4 );
		uint8_t part[4];
		for ( int i = 2; i < row_count; ++i )
		{
			divide_mesh( f, &mesh, &options, rows[i], 2, part );
			assert_true( same_partition( part, expected, 4 ) );
		}
		divide_mesh( f, &mesh, &options, "median", 2, part );
		assert_false( same_partition( part, expected, 4 ) );
	}
}

// With as many faces as parts every face is a seed, whatever the seeding.
static void as_many_faces_as_parts_are_parts( void** state )
{
	fixture* f = *state;
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		for ( int i = 0; i < row_count; ++i )
		{
			bvb_mesh mesh = random_soup( f, degree, 0.3 );
			uint8_t part[BVB_MAX_DEGREE];
			divide_mesh( f, &mesh, NULL, rows[i], degree, part );
			assert_int_equal( count_parts( part, degree ), degree );
		}
	}
}

typedef struct box
{
	double lower[3];
	double upper[3];
} box;

static box with_face( const bvb_mesh* mesh, const box* b, uint32_t face )
{
	box out = *b;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = mesh->positions[mesh->triangles[face].corner[k]];
		const double c[3] = { p.x, p.y, p.z };
		for ( int i = 0; i < 3; ++i )
		{
			out.lower[i] = fmin( out.lower[i], c[i] );
			out.upper[i] = fmax( out.upper[i], c[i] );
		}
	}
	return out;
}

static double area( const box* b )
{
	double x = b->upper[0] - b->lower[0];
	double y = b->upper[1] - b->lower[1];
	double z = b->upper[2] - b->lower[2];
	return 2 * ( x * y + y * z + z * x );
}

// Figure 3.8 with the best first, written down anew: all faces in all parts are tried each time. Returns false when two choices
// are too nearly as good to say.
static bool insert_all( const bvb_mesh* mesh, const uint32_t* seed, uint32_t degree, uint8_t* part )
{
	box b[BVB_MAX_DEGREE];
	memset( part, 255, mesh->triangle_count );
	for ( uint32_t k = 0; k < degree; ++k )
	{
		box none = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
		b[k] = with_face( mesh, &none, seed[k] );
		part[seed[k]] = (uint8_t)k;
	}
	for ( uint32_t left = mesh->triangle_count - degree; left > 0; --left )
	{
		double least = INFINITY;
		uint32_t best = 0;
		uint8_t to = 0;
		for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
		{
			double own = INFINITY;
			double second = INFINITY;
			uint8_t where = 0;
			for ( uint8_t k = 0; k < degree && part[i] == 255; ++k )
			{
				box grown = with_face( mesh, &b[k], i );
				double more = area( &grown ) - area( &b[k] );
				second = more < own ? own : fmin( second, more );
				where = more < own ? k : where;
				own = fmin( own, more );
			}
			if ( own < least )
			{
				// In two boxes at once, or two faces that grow theirs alike: the order is not what is tested.
				if ( second - own < 1e-9 || ( least - own < 1e-9 && own > 0 ) )
				{
					return false;
				}
				least = own;
				best = i;
				to = where;
			}
		}
		part[best] = to;
		b[to] = with_face( mesh, &b[to], best );
	}
	return true;
}

static void best_first_is_what_trying_everything_gives( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = upright();
	int compared = 0;
	for ( int round = 0; round < 400; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 2;
		uint32_t count = 8 + (uint32_t)round % 80;
		bvb_mesh mesh = random_soup( f, count, 0.02 );
		splitting s;
		splitting_begin( f, &mesh, &options, &s );
		uint64_t random = 0;
		uint32_t seed[BVB_MAX_DEGREE];
		bvlit_insertion_seed( &s.set, bvlit_seeds_points, degree, &random, seed );
		uint8_t expected[88];
		splitting_divide( &s, "insertion-points-best", degree );
		if ( insert_all( &mesh, seed, degree, expected ) )
		{
			assert_memory_equal( s.part, expected, count );
			compared += 1;
		}
		splitting_end( &s );
	}
	assert_true( compared > 50 );
}

static double squared( bv_vec3 a, bv_vec3 b )
{
	return ( a.x - b.x ) * ( a.x - b.x ) + ( a.y - b.y ) * ( a.y - b.y ) + ( a.z - b.z ) * ( a.z - b.z );
}

// Specks at the middles of table 3.1's cells of a box that two more span: those are the nearest to the points.
static void points_seeds_are_nearest_to_the_points_of_the_table( void** state )
{
	fixture* f = *state;
	const bv_vec3 at[] = { { 0, 0, 0 }, { 12, 4, 2 }, { 3, 2, 1 }, { 9, 2, 1 }, { 6, 2, 1 }, { 5, 3, 0 } };
	bvb_mesh mesh = triangles_round( f, at, 6, 0.001 );
	splitting s;
	bvb_hierarchy_options options = box_tree_options();
	splitting_begin( f, &mesh, &options, &s );
	s.volume = ( bv_volume ){
		.type = bv_volume_obb,
		.obb = { { 6, 2, 1 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 6, 2, 1 }, { 0 } }
	};
	uint64_t random = 0;
	uint32_t seed[2];
	bvlit_insertion_seed( &s.set, bvlit_seeds_points, 2, &random, seed );
	assert_int_equal( seed[0], 2 );
	assert_int_equal( seed[1], 3 );
	splitting_end( &s );
}

// Twelve specks in the icosahedron's corners and many near its middle: the seeds are two opposite ones, the farthest pair
// there is.
static void icosahedron_seeds_are_farthest_apart( void** state )
{
	fixture* f = *state;
	bv_vec3 at[60];
	const double g = ( 1 + sqrt( 5 ) ) / 2;
	for ( int i = 0; i < 60; ++i )
	{
		bv_vec3 p = random_point( f );
		double s = i & 1 ? 1 : -1;
		double t = i & 2 ? g : -g;
		at[i] = i < 4    ? ( bv_vec3 ){ 0, s, t }
		        : i < 8  ? ( bv_vec3 ){ t, 0, s }
		        : i < 12 ? ( bv_vec3 ){ s, t, 0 }
		                 : ( bv_vec3 ){ p.x - 0.5, p.y - 0.5, p.z - 0.5 };
	}
	bvb_mesh mesh = triangles_round( f, at, 60, 1e-4 );
	splitting s;
	splitting_begin( f, &mesh, NULL, &s );
	uint64_t random = 0;
	uint32_t seed[2];
	bvlit_insertion_seed( &s.set, bvlit_seeds_icosahedron, 2, &random, seed );
	assert_true( seed[0] < 12 && seed[1] < 12 );
	assert_true( fabs( squared( at[seed[0]], at[seed[1]] ) - 4 * ( 1 + g * g ) ) < 1e-9 );
	bvlit_insertion_seed( &s.set, bvlit_seeds_sphere, 2, &random, seed );
	assert_true( seed[0] < 12 && seed[1] < 12 && seed[0] != seed[1] );
	splitting_end( &s );
}

static void random_seeds_and_orders_follow_the_seed( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 200, 0.2 );
	bvb_hierarchy_options options = upright();
	uint8_t part[200];
	uint8_t again[200];
	divide_mesh( f, &mesh, &options, "insertion-random", 3, part );
	divide_mesh( f, &mesh, &options, "insertion-random", 3, again );
	assert_memory_equal( part, again, sizeof part );
	options.seed = 1;
	divide_mesh( f, &mesh, &options, "insertion-random", 3, again );
	assert_false( same_partition( part, again, 200 ) );
}

// More faces than are inserted as published, in two clusters.
static void large_sets_are_divided_too( void** state )
{
	fixture* f = *state;
	for ( int i = 2; i < row_count; ++i )
	{
		bvb_mesh mesh = random_soup( f, most_faces, 0.01 );
		uint8_t part[most_faces];
		uint8_t expected[most_faces];
		for ( uint32_t k = 0; k < 3 * (uint32_t)most_faces; ++k )
		{
			expected[k / 3] = k / 3 % 5 == 0;
			mesh.positions[k].x += k / 3 % 5 == 0 ? 9 : 0;
		}
		divide_mesh( f, &mesh, NULL, rows[i], 2, part );
		assert_true( same_partition( part, expected, most_faces ) );
	}
}

static void odd_sets_are_divided_where_they_can( void** state )
{
	for ( int i = 0; i < row_count; ++i )
	{
		for ( int types = 0; types < 3; ++types )
		{
			bvb_hierarchy_options options = box_tree_options();
			options.volume_types = 1u << types;
			check_odd_sets( *state, &options, rows[i] );
		}
	}
}

// Identical triangles worsen every part alike: the parts grow evenly.
static void identical_triangles_are_shared_out_evenly( void** state )
{
	fixture* f = *state;
	const bv_vec3 at[60] = { { 0, 0, 0 } };
	bvb_mesh mesh = triangles_round( f, at, 60, 1 );
	for ( int i = 0; i < row_count; ++i )
	{
		uint8_t part[60];
		uint32_t faces[3] = { 0 };
		divide_mesh( f, &mesh, NULL, rows[i], 3, part );
		for ( int k = 0; k < 60; ++k )
		{
			faces[part[k]] += 1;
		}
		assert_true( faces[0] == 20 && faces[1] == 20 && faces[2] == 20 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( far_clusters_are_parts ),
		fixture_test( as_many_faces_as_parts_are_parts ),
		fixture_test( best_first_is_what_trying_everything_gives ),
		fixture_test( points_seeds_are_nearest_to_the_points_of_the_table ),
		fixture_test( icosahedron_seeds_are_farthest_apart ),
		fixture_test( random_seeds_and_orders_follow_the_seed ),
		fixture_test( large_sets_are_divided_too ),
		fixture_test( odd_sets_are_divided_where_they_can ),
		fixture_test( identical_triangles_are_shared_out_evenly ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The splitters `kcenter` and `kmeans`, and completing partitions with them.

#include "offline/fit/sphere.h"
#include "offline/hierarchy/complete.h"
#include "split_sets.h"

static const char* const rows[] = { "kcenter", "kmeans" };

static double distance( bv_vec3 a, bv_vec3 b )
{
	return sqrt( ( a.x - b.x ) * ( a.x - b.x ) + ( a.y - b.y ) * ( a.y - b.y ) +
	             ( a.z - b.z ) * ( a.z - b.z ) );
}

static bv_vec3 corner( const bvb_mesh* mesh, uint32_t face, int k )
{
	return mesh->positions[mesh->triangles[face].corner[k]];
}

static bv_vec3 midpoint( const bvb_mesh* mesh, uint32_t face )
{
	bv_vec3 a = corner( mesh, face, 0 );
	bv_vec3 b = corner( mesh, face, 1 );
	bv_vec3 c = corner( mesh, face, 2 );
	return ( bv_vec3 ){ ( a.x + b.x + c.x ) / 3, ( a.y + b.y + c.y ) / 3, ( a.z + b.z + c.z ) / 3 };
}

// Six clusters in a row, of 1 to 6 triangles: each rule finds the clusters, where the median cuts the set into sixths.
static void clusters_are_found( void** state )
{
	fixture* f = *state;
	for ( int which = 0; which < 2; ++which )
	{
		for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
		{
			bv_vec3 at[21];
			uint8_t expected[21];
			uint32_t count = 0;
			for ( uint32_t k = 0; k < degree; ++k )
			{
				for ( uint32_t i = 0; i <= k; ++i )
				{
					bv_vec3 p = random_point( f );
					at[count] = ( bv_vec3 ){ p.x + 40 * k, p.y + ( k % 2 ? 30 : 0 ), p.z };
					expected[count++] = (uint8_t)k;
				}
			}
			bvb_mesh mesh = triangles_round( f, at, count, 0.1 );
			uint8_t part[21];
			uint8_t median[21];
			divide_mesh( f, &mesh, NULL, rows[which], degree, part );
			assert_true( same_partition( part, expected, count ) );
			divide_mesh( f, &mesh, NULL, "median", degree, median );
			assert_false( same_partition( part, median, count ) );
		}
	}
}

static double greatest_distance( const bvb_mesh* mesh, uint32_t face, bv_vec3 from )
{
	return fmax(
		distance( corner( mesh, face, 0 ), from ),
		fmax( distance( corner( mesh, face, 1 ), from ), distance( corner( mesh, face, 2 ), from ) ) );
}

// Figure 3.6 written down anew: every step over all faces. The first center is any of the points on the least ball, so each
// is tried. Returns whether one of them leads to the partition.
static bool is_greedy( const bvb_mesh* mesh, uint32_t degree, const uint8_t* part )
{
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( mesh->positions, mesh->vertex_count, &ball );
	for ( uint32_t s = 0; s < ball.support_count; ++s )
	{
		bv_vec3 center[BVB_MAX_DEGREE] = { mesh->positions[ball.support[s]] };
		for ( uint32_t k = 1; k < degree; ++k )
		{
			double greatest = -1;
			for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
			{
				double least = INFINITY;
				for ( uint32_t c = 0; c < k; ++c )
				{
					least = fmin( least, distance( mesh->positions[i], center[c] ) );
				}
				if ( least > greatest )
				{
					greatest = least;
					center[k] = mesh->positions[i];
				}
			}
		}
		uint8_t expected[most_faces];
		for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
		{
			expected[i] = 0;
			for ( uint8_t k = 1; k < degree; ++k )
			{
				bool nearer = greatest_distance( mesh, i, center[k] ) <
				              greatest_distance( mesh, i, center[expected[i]] );
				expected[i] = nearer ? k : expected[i];
			}
		}
		if ( same_partition( part, expected, mesh->triangle_count ) )
		{
			return true;
		}
	}
	return false;
}

static void kcenter_takes_the_farthest_corners_and_the_nearest_centers( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 5;
		bvb_mesh mesh = random_soup( f, 60, 0.3 );
		uint8_t part[60];
		divide_mesh( f, &mesh, NULL, "kcenter", degree, part );
		assert_true( is_greedy( &mesh, degree, part ) );
	}
}

static bv_vec3 mean_of_part( const bvb_mesh* mesh, const uint8_t* part, uint8_t which, uint32_t* faces )
{
	bv_vec3 sum = { 0, 0, 0 };
	*faces = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( part[i] == which )
		{
			bv_vec3 m = midpoint( mesh, i );
			sum = ( bv_vec3 ){ sum.x + m.x, sum.y + m.y, sum.z + m.z };
			*faces += 1;
		}
	}
	return ( bv_vec3 ){ sum.x / *faces, sum.y / *faces, sum.z / *faces };
}

// The fixed point at which the loop of figure 3.7 ends. With `placed` only faces that were not placed are looked at.
static void check_fixed_point( const bvb_mesh* mesh, uint32_t degree, const uint8_t* part,
                               const uint8_t* placed )
{
	bv_vec3 center[BVB_MAX_DEGREE];
	uint32_t faces[BVB_MAX_DEGREE];
	for ( uint8_t k = 0; k < degree; ++k )
	{
		center[k] = mean_of_part( mesh, part, k, &faces[k] );
		assert_true( faces[k] > 0 );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double own = distance( midpoint( mesh, i ), center[part[i]] );
		for ( uint32_t k = 0; k < degree && ( !placed || placed[i] == BVHIER_UNPLACED ); ++k )
		{
			assert_true( own <= distance( midpoint( mesh, i ), center[k] ) + 1e-12 );
		}
	}
}

// 100 faces settle in fewer rounds than the splitter allows.
static void kmeans_ends_where_every_face_is_at_the_nearest_mean( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 5;
		bvb_mesh mesh = random_soup( f, 100, 0.3 );
		uint8_t part[100];
		divide_mesh( f, &mesh, NULL, "kmeans", degree, part );
		check_fixed_point( &mesh, degree, part, NULL );
	}
}

static void place_some( fixture* f, uint8_t* placed, uint32_t count, uint32_t parts )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		placed[i] = i < parts ? (uint8_t)i : random_bits( f ) % 4 ? BVHIER_UNPLACED : (uint8_t)( i % parts );
	}
}

static void kmeans_completes_without_moving_what_is_placed( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 5;
		bvb_mesh mesh = random_soup( f, 80, 0.3 );
		splitting s;
		splitting_begin( f, &mesh, NULL, &s );
		uint8_t placed[80];
		place_some( f, placed, 80, degree );
		memcpy( s.part, placed, sizeof placed );
		bvhier_complete_kmeans( &s.set.list, degree, s.set.keys, s.part );
		for ( int i = 0; i < 80; ++i )
		{
			assert_true( placed[i] == BVHIER_UNPLACED ? s.part[i] < degree : s.part[i] == placed[i] );
		}
		check_fixed_point( &mesh, degree, s.part, placed );
		splitting_end( &s );
	}
}

// Section 3.7.2: with centers for all parts, each face that is not placed goes to the one nearest to its farthest corner.
static void kcenter_completes_with_the_nearest_of_the_centers( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 5;
		bvb_mesh mesh = random_soup( f, 80, 0.3 );
		splitting s;
		splitting_begin( f, &mesh, NULL, &s );
		uint8_t placed[80];
		place_some( f, placed, 80, degree );
		bv_vec3 center[BVB_MAX_DEGREE];
		for ( uint32_t k = 0; k < degree; ++k )
		{
			center[k] = random_point( f );
		}
		memcpy( s.part, placed, sizeof placed );
		bvhier_complete_kcenter( &s.set.list, degree, center, s.set.keys, s.part );
		for ( uint32_t i = 0; i < 80; ++i )
		{
			assert_true( placed[i] == BVHIER_UNPLACED || s.part[i] == placed[i] );
			for ( uint32_t k = 0; k < degree && placed[i] == BVHIER_UNPLACED; ++k )
			{
				assert_true( greatest_distance( &mesh, i, center[s.part[i]] ) <=
				             greatest_distance( &mesh, i, center[k] ) );
			}
		}
		splitting_end( &s );
	}
}

// One face of the middle and largest of three clusters is placed: each of the others becomes a part that was empty.
static void completing_fills_empty_parts( void** state )
{
	fixture* f = *state;
	bv_vec3 at[20];
	uint8_t expected[20];
	for ( int i = 0; i < 20; ++i )
	{
		bv_vec3 p = random_point( f );
		expected[i] = i < 14 ? 1 : i % 2 ? 0 : 2;
		at[i] = ( bv_vec3 ){ p.x + ( i < 14 ? 0 : i % 2 ? -20 : 30 ), p.y, p.z };
	}
	bvb_mesh mesh = triangles_round( f, at, 20, 0.1 );
	for ( int which = 0; which < 2; ++which )
	{
		splitting s;
		splitting_begin( f, &mesh, NULL, &s );
		memset( s.part, BVHIER_UNPLACED, 20 );
		s.part[3] = 1;
		const bv_vec3 center[3] = { { 99, 99, 99 }, at[3], { 99, 99, 99 } };
		if ( which == 0 )
		{
			bvhier_complete_kcenter( &s.set.list, 3, center, s.set.keys, s.part );
		}
		else
		{
			bvhier_complete_kmeans( &s.set.list, 3, s.set.keys, s.part );
		}
		assert_true( same_partition( s.part, expected, 20 ) );
		assert_int_equal( s.part[3], 1 );
		splitting_end( &s );
	}
}

static void completing_nothing_changes_nothing( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 20, 0.3 );
	splitting s;
	splitting_begin( f, &mesh, NULL, &s );
	for ( int which = 0; which < 2; ++which )
	{
		uint8_t placed[20];
		for ( int i = 0; i < 20; ++i )
		{
			s.part[i] = placed[i] = (uint8_t)( i * 7 % 3 );
		}
		const bv_vec3 center[4] = { { 0, 0, 0 } };
		if ( which == 0 )
		{
			bvhier_complete_kcenter( &s.set.list, 4, center, s.set.keys, s.part );
		}
		else
		{
			bvhier_complete_kmeans( &s.set.list, 4, s.set.keys, s.part );
		}
		assert_memory_equal( s.part, placed, sizeof placed );
	}
	splitting_end( &s );
}

// The middle of a box that is no ball's: (1, 2, 3).
static void every_volume_has_its_middle( void** state )
{
	(void)state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 4, 0 }, { 2, 4, 0 },
		                  { 0, 0, 6 }, { 2, 0, 6 }, { 0, 4, 6 }, { 2, 4, 6 } };
	bv_volume v[4] = { { .type = bv_volume_aabb },
		               { .type = bv_volume_sphere },
		               { .type = bv_volume_kdop18 },
		               { .type = bv_volume_rss } };
	v[0].aabb = bvb_fit_aabb( p, 8 );
	assert_int_equal( bvb_fit_sphere( p, 8, &v[1].sphere ), bv_ok );
	assert_int_equal( bvb_fit_kdop( p, 8, 18, &v[2].kdop ), bv_ok );
	v[3].rss = ( bv_rss ){ .center = { 1, 2, 3 }, .half_extents = { 3, 2 }, .radius = 1 };
	for ( int i = 0; i < 4; ++i )
	{
		assert_true( distance( bvhier_volume_center( v + i ), ( bv_vec3 ){ 1, 2, 3 } ) < 1e-5 );
	}
}

static void odd_sets_are_divided_where_they_can( void** state )
{
	for ( int which = 0; which < 2; ++which )
	{
		check_odd_sets( *state, NULL, rows[which] );
	}
}

static void the_order_of_the_faces_changes_nothing( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 50; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 5;
		bvb_mesh mesh = random_soup( f, 200, 0.2 );
		assert_true( ignores_order( f, &mesh, NULL, rows[0], degree ) );
		assert_true( ignores_order( f, &mesh, NULL, rows[1], degree ) );
	}
}

static void sets_far_away_are_divided_as_near_ones( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 50; ++round )
	{
		uint32_t degree = 2 + (uint32_t)round % 5;
		bvb_mesh mesh = random_soup( f, 200, 0.2 );
		assert_true( ignores_place( f, &mesh, NULL, rows[0], degree ) );
		assert_true( ignores_place( f, &mesh, NULL, rows[1], degree ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( clusters_are_found ),
		fixture_test( kcenter_takes_the_farthest_corners_and_the_nearest_centers ),
		fixture_test( kmeans_ends_where_every_face_is_at_the_nearest_mean ),
		fixture_test( kmeans_completes_without_moving_what_is_placed ),
		fixture_test( kcenter_completes_with_the_nearest_of_the_centers ),
		fixture_test( completing_fills_empty_parts ),
		fixture_test( completing_nothing_changes_nothing ),
		fixture_test( every_volume_has_its_middle ),
		fixture_test( odd_sets_are_divided_where_they_can ),
		fixture_test( the_order_of_the_faces_changes_nothing ),
		fixture_test( sets_far_away_are_divided_as_near_ones ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

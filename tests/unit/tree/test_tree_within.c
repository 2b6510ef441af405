// Pairs of triangles within a distance of each other, against brute force over all pairs in arithmetic of 113 bits.

#include "queries.h"

#include "runtime/tree/levels.h"
#include "tests/reference/gaps.h"

enum
{
	rows = 70,
	columns = 60,
};

typedef struct pair_set
{
	bool seen[rows][columns];
	uint64_t repeated;
} pair_set;

static bool mark( void* context, uint32_t a, uint32_t b )
{
	pair_set* set = context;
	set->repeated += set->seen[a][b];
	set->seen[a][b] = true;
	return true;
}

// Triangles whose boxes are farther apart need no exact comparison.
static bool may_be_near( const bv_vec3 a[3], const bv_vec3 b[3], double reach )
{
	bool near = true;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double lower[2] = { INFINITY, INFINITY };
		double upper[2] = { -INFINITY, -INFINITY };
		for ( int k = 0; k < 6; ++k )
		{
			const bv_vec3* p = k < 3 ? a + k : b + k - 3;
			double x = axis == 0 ? p->x : axis == 1 ? p->y : p->z;
			lower[k / 3] = fmin( lower[k / 3], x );
			upper[k / 3] = fmax( upper[k / 3], x );
		}
		near = near && lower[0] <= upper[1] + 1.001 * reach && lower[1] <= upper[0] + 1.001 * reach;
	}
	return near;
}

// Volumes of any type against those of any type, placed with a scale and every other time reflected. Each triangle is also
// moved by the reach in the direction of the other one, which is how motions use this.
static void no_pair_within_reach_is_missed( void** state )
{
	fixture* f = *state;
	bvb_mesh soups[2] = { random_soup( f, rows, ( bv_vec3 ){ 0, 0, 0 } ),
		                  random_soup( f, columns, ( bv_vec3 ){ 0, 0, 0 } ) };
	uint64_t found = 0;
	uint64_t needed = 0;
	for ( int round = 0; round < bv_volume_types * bv_volume_types; ++round )
	{
		const bv_file* a = file_of_round( f, soups, round % bv_volume_types );
		const bv_file* b = file_of_round( f, soups + 1, round / bv_volume_types % bv_volume_types );
		double scale = round % 3 == 0 ? 1 : 0.25 + 2 * random_unit( f );
		bv_vec3 at = { 2 * random_unit( f ), 2 * random_unit( f ), 0 };
		bv_transform placement = random_transform( f, scale, round % 2, at );
		bv_transform none = bv_transform_identity();
		double reach = pow( 10, -3 * random_unit( f ) );
		pair_set set = { .repeated = 0 };
		bv_collide_options options = { .callback = mark,
			                           .context = &set,
			                           .expansion = (bv_expansion)( round % bv_expansions ) };
		bv_collide_result result;
		bvtree_approach approach = bvtree_approach_within( reach );
		assert_int_equal(
			bvtree_collide_within( bvtree_lanes_best(), a, b, &placement, &approach, &options, &result ),
			bv_ok );
		uint64_t reported = 0;
		for ( uint32_t i = 0; i < rows; ++i )
		{
			bv_vec3 ta[3];
			get_placed( a, i, &none, ta );
			for ( uint32_t k = 0; k < columns; ++k )
			{
				bv_vec3 tb[3];
				get_placed( b, k, &placement, tb );
				bool near = may_be_near( ta, tb, reach ) && gap_of_triangles( ta, tb ) <= reach;
				assert_true( !near || set.seen[i][k] );
				needed += near;
				reported += set.seen[i][k];
			}
		}
		assert_int_equal( result.pairs, reported );
		assert_int_equal( set.repeated, 0 );
		found += reported;
	}
	// It is a test of nearness, not a list of all pairs.
	assert_true( needed > 1000 && found < 2 * needed );
}

static bv_vec3 random_vector( fixture* f, double length )
{
	bv_vec3 v = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
	return bv_scale( length, bv_normalize( v ) );
}

// A triangle after a part of its way.
static void get_moved( const bvtree_approach* approach, double part, const bv_vec3 from[3], bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bv_add( from[k], bv_scale( part, bvtree_approach_at( approach, from[k] ) ) );
	}
}

// Triangles are compared at both ends of their way and in between. Of those that do not touch, many are left out.
static void no_pair_that_comes_to_touch_is_missed( void** state )
{
	fixture* f = *state;
	bvb_mesh soups[2] = { random_soup( f, rows, ( bv_vec3 ){ 0, 0, 0 } ),
		                  random_soup( f, columns, ( bv_vec3 ){ 0, 0, 0 } ) };
	bv_transform none = bv_transform_identity();
	uint64_t needed = 0;
	uint64_t found = 0;
	uint64_t of_reach = 0;
	for ( int round = 0; round < 2 * bv_volume_types * bv_volume_types; ++round )
	{
		const bv_file* a = file_of_round( f, soups, round % bv_volume_types );
		const bv_file* b = file_of_round( f, soups + 1, round / bv_volume_types % bv_volume_types );
		double scale = round % 3 == 0 ? 1 : 0.25 + 2 * random_unit( f );
		bv_vec3 at = { 2 * random_unit( f ), 2 * random_unit( f ), 0 };
		bv_transform placement = random_transform( f, scale, round % 2, at );
		double length = pow( 10, -2 * random_unit( f ) );
		bvtree_approach approach = {
			.rest = 0.1 * length * random_unit( f ),
			.is_directed = true,
			.until = random_bits( f ) % 2 ? 1 : 2 * random_unit( f ) - 1,
			.center = random_vector( f, 1 ),
			.velocity = random_vector( f, length ),
			.spin = random_vector( f, 0.3 * length ),
		};
		// No point of the meshes is farther than 5 from the center.
		approach.reach = approach.rest + 2.5 * length;
		pair_set set = { .repeated = 0 };
		bv_collide_options options = { .callback = mark,
			                           .context = &set,
			                           .expansion = (bv_expansion)( round % bv_expansions ) };
		bv_collide_result result;
		assert_int_equal(
			bvtree_collide_within( bvtree_lanes_best(), a, b, &placement, &approach, &options, &result ),
			bv_ok );
		for ( uint32_t i = 0; i < rows; ++i )
		{
			bv_vec3 ta[3];
			get_placed( a, i, &none, ta );
			for ( uint32_t k = 0; k < columns; ++k )
			{
				bv_vec3 tb[3];
				get_placed( b, k, &placement, tb );
				found += set.seen[i][k];
				for ( int part = 0; part < 3; ++part )
				{
					bv_vec3 moved[3];
					double time = part == 0   ? -1
					              : part == 1 ? approach.until
					                          : -1 + ( approach.until + 1 ) * random_unit( f );
					get_moved( &approach, time, tb, moved );
					bool touches = may_be_near( ta, moved, approach.rest ) &&
					               gap_of_triangles( ta, moved ) <= approach.rest;
					assert_true( !touches || set.seen[i][k] );
					needed += touches;
				}
			}
		}
		assert_int_equal( set.repeated, 0 );
		bvtree_approach within = bvtree_approach_within( approach.reach );
		options.callback = NULL;
		assert_int_equal(
			bvtree_collide_within( bvtree_lanes_best(), a, b, &placement, &within, &options, &result ),
			bv_ok );
		of_reach += result.pairs;
	}
	assert_true( needed > 300 && found < 0.7 * of_reach );
}

static void a_reach_of_zero_finds_what_collides( void** state )
{
	fixture* f = *state;
	bvb_mesh soup = random_soup( f, rows, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* a = file_of_round( f, &soup, 0 );
	bv_transform placement = random_transform( f, 1, false, ( bv_vec3 ){ 0.3, 0, 0 } );
	bv_collide_result within;
	bv_collide_result plain;
	bvtree_approach none = bvtree_approach_within( 0 );
	assert_int_equal( bvtree_collide_within( bvtree_lanes_best(), a, a, &placement, &none, NULL, &within ),
	                  bv_ok );
	assert_int_equal( bv_mesh_collide( a, a, &placement, NULL, &plain ), bv_ok );
	assert_true( plain.pairs > 0 );
	assert_memory_equal( &within, &plain, sizeof plain );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( no_pair_within_reach_is_missed, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( no_pair_that_comes_to_touch_is_missed, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( a_reach_of_zero_finds_what_collides, fixture_setup,
		                                 fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Signed distances of compounds: the smallest one of all pairs of leaves, whose box trees are opened.

#include "compounds.h"

typedef struct all_pairs
{
	double lower;
	double upper;
} all_pairs;

// One leaf after the other, in coordinates of the leaf of a.
static all_pairs compare_all( const bv_compound* a, const bv_compound* b, const bv_transform* at )
{
	all_pairs out = { INFINITY, INFINITY };
	for ( uint32_t i = 0; i < a->leaves; ++i )
	{
		for ( uint32_t k = 0; k < b->leaves; ++k )
		{
			bv_compound_leaf leaf[2];
			assert_true( bv_compound_get_leaf( a, i, leaf ) && bv_compound_get_leaf( b, k, leaf + 1 ) );
			bv_transform of_b = bv_transform_compose( at, &leaf[1].placement );
			bv_transform b_in_a = bv_transform_between( &leaf[0].placement, &of_b );
			bv_convex_result r;
			assert_int_equal( bv_convex_distance( &leaf[0].shape, &leaf[1].shape, &b_in_a, NULL, &r ),
			                  bv_ok );
			out.lower = fmin( out.lower, leaf[0].placement.scale * r.lower );
			out.upper = fmin( out.upper, leaf[0].placement.scale * r.upper );
		}
	}
	return out;
}

static bv_compound_distance_result find( fixture* f, const bv_compound* a, const bv_compound* b,
                                         const bv_transform* at )
{
	size_t bytes = bv_compound_distance_bytes( a, b );
	void* memory = bvb_arena_allocate( f->arena, bytes, 1 );
	bv_compound_distance_result out;
	assert_int_equal( bv_compound_distance( a, b, at, NULL, memory, bytes, &out ), bv_ok );
	return out;
}

// The points are on the leaves that are named, and as far apart as is said.
static void check_pair( const bv_compound* a, const bv_compound* b, const bv_transform* at,
                        const bv_compound_distance_result* r )
{
	const bv_compound* side[2] = { a, b };
	for ( int i = 0; i < 2; ++i )
	{
		bv_compound_leaf leaf;
		assert_true( bv_compound_get_leaf( side[i], r->leaf[i], &leaf ) );
		bv_transform t = i == 0 ? leaf.placement : bv_transform_compose( at, &leaf.placement );
		bv_convex point = bv_convex_point( r->nearest.point[i] );
		bv_convex_result own;
		assert_int_equal( bv_convex_distance( &point, &leaf.shape, &t, NULL, &own ), bv_ok );
		assert_true( fabs( own.lower ) < 1e-5 );
	}
	bv_vec3 way = minus( r->nearest.point[1], r->nearest.point[0] );
	assert_true( fabs( dot( way, r->nearest.normal ) - r->nearest.upper ) < 1e-5 );
	assert_true( fabs( length( way ) - fabs( r->nearest.upper ) ) < 1e-5 );
}

static void search_finds_the_smallest_of_all_pairs( void** state )
{
	fixture* f = *state;
	uint64_t all = 0;
	uint64_t tested = 0;
	int apart = 0;
	int rounds = is_thorough() ? 3000 : 150;
	for ( int round = 0; round < rounds; ++round )
	{
		bv_compound a = random_compound( f, round % 4 );
		bv_compound b = random_compound( f, round / 4 % 4 );
		bv_transform at = random_place( f, round % 3 == 0 ? 5 : 1.5 );
		all_pairs expected = compare_all( &a, &b, &at );
		bv_compound_distance_result r = find( f, &a, &b, &at );
		double error = 1e-5 * ( 1 + fabs( expected.upper ) );
		assert_true( fabs( r.nearest.upper - expected.upper ) < error );
		assert_true( fabs( r.nearest.lower - expected.lower ) < error );
		assert_true( r.nearest.lower <= r.nearest.upper );
		check_pair( &a, &b, &at, &r );

		// Exchanged.
		bv_transform back = bv_transform_inverse( &at );
		bv_compound_distance_result other = find( f, &b, &a, &back );
		assert_true( fabs( at.scale * other.nearest.upper - r.nearest.upper ) < error );
		all += (uint64_t)a.leaves * b.leaves;
		tested += r.pair_tests;
		apart += r.nearest.lower > 0;
	}
	assert_true( 4 * tested < all && apart > rounds / 20 && apart < rounds * 19 / 20 );
}

static void half_spaces_have_distances( void** state )
{
	fixture* f = *state;
	bv_convex ground = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	bv_compound single = bv_compound_of_shape( &ground );
	for ( int round = 0; round < 40; ++round )
	{
		bv_compound a = round % 2 ? join( f, &single, NULL, 1 ) : single;
		bv_compound b = random_compound( f, 2 );
		bv_transform at = random_place( f, 3 );
		all_pairs expected = compare_all( &a, &b, &at );
		bv_compound_distance_result r = find( f, &a, &b, &at );
		assert_true( fabs( r.nearest.upper - expected.upper ) < 1e-5 );
		assert_true( r.nearest.normal.z > 1 - 1e-9 );
	}
}

// They cannot be separated: both bounds are minus infinity, also in a union that scales.
static void half_spaces_that_meet_have_no_depth( void** state )
{
	fixture* f = *state;
	bv_convex ground = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	bv_convex wall = bv_convex_half_space( bv_vec3_make( 1, 0, 0 ), 0 );
	bv_compound member[2] = { bv_compound_of_shape( &ground ), bv_compound_of_shape( &wall ) };
	bv_transform place = bv_transform_identity();
	place.scale = 3;
	bv_compound a = join( f, member, &place, 1 );
	bv_compound_distance_result r = find( f, &a, member + 1, &place );
	assert_true( r.nearest.lower == -INFINITY && r.nearest.upper == -INFINITY );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( search_finds_the_smallest_of_all_pairs ),
		fixture_test( half_spaces_have_distances ),
		fixture_test( half_spaces_that_meet_have_no_depth ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

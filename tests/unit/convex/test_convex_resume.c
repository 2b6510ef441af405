// Queries that continue with the cache of an earlier one: against exact arithmetic, whatever the cache is of, and against the same
// queries without a cache.

#include "convex_shapes.h"

#include "bv/contact.h"

#include "tests/reference/convex_exact.h"
#include "tests/reference/convex_pairs.h"
#include "tests/reference/random.h"

#include <float.h>

// A step of a walk: none, one of rounding, a small one, or one from anywhere to anywhere.
static void take_step( uint64_t* seed, double size, bv_transform* at )
{
	static const double lengths[] = { 0, 0x1p-52, 1e-9, 1e-4, 1e-2, 1 };
	double length = size * lengths[next_random( seed ) % ( sizeof lengths / sizeof *lengths )];
	at->pose.translation = bv_add( at->pose.translation, bv_scale( length, random_direction( seed ) ) );
	if ( size > 0 && next_random( seed ) % 2 )
	{
		bv_vec3 axis = random_direction( seed );
		double half = 0.5 * length / size;
		bv_quaternion q = { half * axis.x, half * axis.y, half * axis.z, 1 };
		double norm = sqrt( half * half + 1 );
		q = ( bv_quaternion ){ q.x / norm, q.y / norm, q.z / norm, q.w / norm };
		bv_transform turn;
		assert_int_equal( bv_transform_from_quaternion( q, bv_vec3_make( 0, 0, 0 ), &turn ), bv_ok );
		bv_vec3 to = at->pose.translation;
		bv_transform turned = bv_transform_compose( &turn, at );
		if ( bv_transform_is_valid( &turned ) )
		{
			*at = turned;
		}
		at->pose.translation = to;
	}
}

// A manifold's interval contains the exact distance, and is as narrow as without a cache: to 2^-39 of it, and 2^-7 of what rounding
// errors of supports are. Shapes too far apart for contacts have a lower bound only.
static void check_manifold( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                            const convex_exact_result* exact, bv_convex_cache* cache )
{
	bv_manifold_options options = { .speculative = 0.01 * exact->size, .distance.cache = cache };
	bv_manifold m;
	assert_int_equal( bv_convex_manifold( a, b, at, &options, &m ), bv_ok );
	assert_true( m.lower <= exact->upper && m.upper >= exact->lower );
	bv_manifold alone;
	options.distance.cache = NULL;
	assert_int_equal( bv_convex_manifold( a, b, at, &options, &alone ), bv_ok );
	double bar = 0x1p-38 * fabs( exact->lower ) + 4 * DBL_EPSILON * exact->size;
	bool is_far = m.upper == INFINITY && m.lower >= options.speculative;
	assert_true( is_far ? m.count == 0
	                    : m.upper - m.lower <= fmax( bar, 2 * ( alone.upper - alone.lower ) ) );
	assert_true( ( m.count > 0 ) == ( alone.count > 0 ) || fabs( alone.lower - options.speculative ) < 1e-9 );
}

static void check_distance( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                            const convex_exact_result* exact, bv_convex_cache* cache )
{
	bv_convex_options options = { .cache = cache };
	bv_convex_result r;
	assert_int_equal( bv_convex_distance( a, b, at, &options, &r ), bv_ok );
	assert_true( r.lower <= exact->upper && r.upper >= exact->lower );
	double bar = ( exact->sign > 0 ? 1e-6 : 1e-5 ) * fabs( exact->lower ) + 4 * DBL_EPSILON * exact->size;
	assert_true( r.upper - r.lower <= bar );
	assert_true( fabs( bv_length( r.normal ) - 1 ) < 1e-9 );
}

// Pairs that touch exactly, flat ones, needles, sizes from 2^-150 to 2^150: each walks with one cache, which then goes on to the next
// pair.
static void intervals_contain_the_exact_distance_along_walks( void** state )
{
	(void)state;
	uint64_t seed = 11;
	convex_exact* memory = convex_exact_create();
	convex_pair* pair = malloc( sizeof *pair );
	assert_true( memory && pair );
	bv_convex_cache cache = { .count = 0 };
	uint64_t pairs = is_thorough() ? 20000 : 400;
	for ( uint64_t i = 0; i < pairs; ++i )
	{
		convex_pair_make( 5 * i, pair );
		bv_transform at = pair->is_placed ? pair->placement : bv_transform_identity();
		for ( int step = 0; step < 6; ++step )
		{
			bool swaps = next_random( &seed ) % 8 == 0;
			const bv_convex* a = pair->shape + ( swaps ? 1 : 0 );
			const bv_convex* b = pair->shape + ( swaps ? 0 : 1 );
			convex_exact_result exact;
			assert_true( convex_exact_compare( memory, a, NULL, b, &at, &exact ) );
			check_distance( a, b, &at, &exact, &cache );
			check_manifold( a, b, &at, &exact, &cache );
			take_step( &seed, exact.size, &at );
		}
	}
	free( pair );
	convex_exact_destroy( memory );
}

// Scales from 1/8 to 8, reflected or not, with hulls that have neighbors, points that have none, and boxes.
static void intervals_contain_the_exact_distance_at_any_scale( void** state )
{
	fixture* f = *state;
	uint64_t seed = 12;
	convex_exact* memory = convex_exact_create();
	assert_true( memory );
	uint64_t pairs = is_thorough() ? 5000 : 150;
	for ( uint64_t i = 0; i < pairs; ++i )
	{
		bv_convex shape[2] = { random_polytope( f, 40 ), random_polytope( f, 40 ) };
		for ( int k = 0; k < 2; ++k )
		{
			bool hides = shape[k].kind == bv_convex_of_graph && next_random( &seed ) % 2;
			shape[k] = hides ? bv_convex_points( shape[k].points, shape[k].count, 0 ) : shape[k];
		}
		bv_transform at;
		bv_quaternion q = { 0.5, -0.5, 0.5, 0.5 };
		double scale = exp2( 3 * random_coordinate( &seed ) ) * ( next_random( &seed ) % 2 ? 1 : -1 );
		bv_vec3 by = bv_scale( 0.5 * ( 1 + fabs( scale ) ), random_direction( &seed ) );
		assert_int_equal( bv_transform_from_trs( by, q, scale, &at ), bv_ok );
		bv_convex_cache cache = { .count = 0 };
		for ( int step = 0; step < 8; ++step )
		{
			convex_exact_result exact;
			assert_true( convex_exact_compare( memory, shape, NULL, shape + 1, &at, &exact ) );
			check_distance( shape, shape + 1, &at, &exact, &cache );
			check_manifold( shape, shape + 1, &at, &exact, &cache );
			take_step( &seed, 1, &at );
		}
	}
	convex_exact_destroy( memory );
}

// Bytes of caches that were of use are overwritten: with others, with those of NaN and infinities, or with those of other caches.
static void damaged_caches_cost_only_time( void** state )
{
	fixture* f = *state;
	uint64_t seed = 13;
	convex_exact* memory = convex_exact_create();
	assert_true( memory );
	static const double odd[] = { NAN, INFINITY, -INFINITY, 1e300, 0 };
	bv_convex_cache other = { .count = 0 };
	uint64_t pairs = is_thorough() ? 20000 : 400;
	uint32_t kept = 0;
	for ( uint64_t i = 0; i < pairs; ++i )
	{
		bv_convex shape[2] = { random_polytope( f, 40 ), random_polytope( f, 40 ) };
		bv_transform at;
		random_placement( f, &at );
		at.pose.translation = bv_scale( 0.8, random_direction( &seed ) );
		bv_convex_cache cache = { .count = 0 };
		convex_exact_result exact;
		for ( int step = 0; step < 4; ++step )
		{
			assert_true( convex_exact_compare( memory, shape, NULL, shape + 1, &at, &exact ) );
			check_manifold( shape, shape + 1, &at, &exact, &cache );
			kept += cache.faces > 0;
			uint8_t* byte = (uint8_t*)&cache;
			uint32_t damages = 1 + next_random( &seed ) % 4;
			for ( uint32_t k = 0; k < damages; ++k )
			{
				// Corners that the pair has, and most often also points that the polytope has.
				uint32_t face = next_random( &seed ) % 44;
				uint32_t vertex = next_random( &seed ) % 24;
				switch ( next_random( &seed ) % 6 )
				{
				case 0: cache.face[face % 8][face % 3] = (uint8_t)( vertex % ( cache.count + 1 ) ); break;
				case 1:
					cache.name[vertex % ( cache.count + 1 ) % 24][face % 2] = next_random( &seed ) % 8;
					break;
				case 2: cache.faces = next_random( &seed ) % 4 ? face : next_random( &seed ) * 2; break;
				case 3: cache.axis[face % 3] = odd[vertex % 5]; break;
				case 4: byte[next_random( &seed ) % sizeof cache] = (uint8_t)next_random( &seed ); break;
				default: memcpy( cache.face, other.face, sizeof cache.face );
				}
			}
			other = step == 0 ? cache : other;
			take_step( &seed, 0.1, &at );
		}
	}
	convex_exact_destroy( memory );
	assert_true( kept > pairs );
}

// Random hulls, whose features are never equally good: contacts are those without a cache.
static void contacts_along_walks_are_those_without_a_cache( void** state )
{
	fixture* f = *state;
	uint64_t seed = 14;
	uint32_t compared = 0;
	uint32_t differ = 0;
	int pairs = is_thorough() ? 2000 : 60;
	for ( int i = 0; i < pairs; ++i )
	{
		bv_convex shape[2];
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 points[32];
			for ( int j = 0; j < 32; ++j )
			{
				points[j] = random_direction( &seed );
			}
			assert_true( graph_of( f, points, 32, shape + k ) );
		}
		bv_transform at = bv_transform_identity();
		at.pose.translation = bv_scale( 1.7, random_direction( &seed ) );
		bv_convex_cache cache = { .count = 0 };
		for ( int step = 0; step < 40; ++step )
		{
			bv_manifold_options options = { .speculative = 0.02, .distance.cache = &cache };
			bv_manifold m;
			bv_manifold alone;
			assert_int_equal( bv_convex_manifold( shape, shape + 1, &at, &options, &m ), bv_ok );
			options.distance.cache = NULL;
			assert_int_equal( bv_convex_manifold( shape, shape + 1, &at, &options, &alone ), bv_ok );
			assert_true( m.lower <= alone.upper && alone.lower <= m.upper );
			bool is_far = m.upper == INFINITY && m.lower >= 0.02; // any direction that separates them
			bool same =
				m.count == alone.count && ( is_far || bv_length( bv_sub( m.normal, alone.normal ) ) < 1e-9 );
			for ( uint32_t k = 0; k < m.count && same; ++k )
			{
				same = m.contact[k].identity == alone.contact[k].identity &&
				       fabs( m.contact[k].separation - alone.contact[k].separation ) < 1e-12 &&
				       bv_length( bv_sub( m.contact[k].position, alone.contact[k].position ) ) < 1e-9;
			}
			compared += m.count > 0;
			differ += !same;
			take_step( &seed, 0.05, &at );
		}
	}
	assert_true( compared > 10 * (uint32_t)pairs );
	assert_int_equal( differ, 0 );
}

// What a cache is for: of hulls that move by 1e-4, one support point each proves the depth or the distance, unless
// another feature is the nearest one now.
static void small_steps_take_one_support_point( void** state )
{
	fixture* f = *state;
	uint64_t seed = 15;
	uint32_t queries = 0;
	uint32_t supports = 0;
	for ( int i = 0; i < 50; ++i )
	{
		bv_convex shape[2];
		assert_true( random_graph( f, 40, shape ) && random_graph( f, 40, shape + 1 ) );
		bv_transform at = bv_transform_translation( 0.9, 0.6, 0.3 );
		bv_convex_cache cache = { .count = 0 };
		bv_convex_options options = { .cache = &cache };
		bv_convex_result r;
		for ( int step = 0; step < 20; ++step )
		{
			assert_int_equal( bv_convex_distance( shape, shape + 1, &at, &options, &r ), bv_ok );
			queries += step > 0;
			supports += step > 0 ? r.supports : 0;
			at.pose.translation = bv_add( at.pose.translation, bv_scale( 1e-4, random_direction( &seed ) ) );
		}
	}
	assert_true( supports >= queries );
	assert_true( supports <= 1.2 * queries );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( intervals_contain_the_exact_distance_along_walks ),
		fixture_test( intervals_contain_the_exact_distance_at_any_scale ),
		fixture_test( damaged_caches_cost_only_time ),
		fixture_test( contacts_along_walks_are_those_without_a_cache ),
		fixture_test( small_steps_take_one_support_point ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
